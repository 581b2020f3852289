//! Levels: the elements directly in a file or in a structure, each of whole lines.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Unresolved;
use crate::outline::{Parsed, Structure};
use crate::place::Lines;
use crate::syntax::{Apart, Kind};
use crate::text::{Packed, Span};

/// A text with its structures, its lines, and those of its lines that are marks.
pub(super) struct Side<'a> {
    pub parsed: &'a Parsed,
    pub lines: Lines<'a>,
    pub marks: BTreeSet<usize>,
}

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// The structure at this place in the outline.
    Unit(usize),
    /// A line that is not blank.
    Line,
    /// A mark.
    Mark,
}

/// A stretch of whole lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub what: What,
    pub lines: Range<usize>,
    /// The first line after the comments, decorators and attributes above a structure.
    pub own: usize,
}

/// What a structure is known by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Name<'a> {
    pub kind: Kind,
    pub name: &'a str,
    /// What differs between structures of this kind and name.
    apart: Vec<String>,
}

/// The elements directly in a file or in a structure, in order.
pub(super) struct Level {
    /// Its lines, from the first one to the last one that is not blank.
    pub lines: Range<usize>,
    pub elements: Vec<Element>,
}

impl Element {
    /// The place in the outline of the structure that it is.
    pub(super) fn unit(&self) -> Option<usize> {
        match self.what {
            What::Unit(index) => Some(index),
            What::Line | What::Mark => None,
        }
    }
}

impl<'a> Side<'a> {
    pub(super) fn new(parsed: &'a Parsed, marks: BTreeSet<usize>) -> Side<'a> {
        Side { parsed, lines: Lines::new(parsed.text()), marks }
    }

    /// The elements directly in a structure, whose lines are given, or directly in the file.
    pub(super) fn level(
        &self,
        parent: Option<usize>,
        lines: Range<usize>,
    ) -> Result<Level, Unresolved> {
        let lines = self.trimmed(lines);
        let mut elements: Vec<Element> = Vec::new();
        let mut at = lines.start;
        for index in self.parsed.outline.children(parent) {
            let Some(unit) = self.unit(index)? else { continue };
            // One inside a line that was taken already has no lines of its own.
            if unit.lines.start < at || unit.lines.end > lines.end {
                continue;
            }
            self.plain(at..unit.lines.start, &mut elements);
            at = unit.lines.end;
            elements.push(unit);
        }
        self.plain(at..lines.end, &mut elements);
        Ok(Level { lines, elements })
    }

    /// Adds lines without structures of their own.
    fn plain(&self, lines: Range<usize>, elements: &mut Vec<Element>) {
        for line in lines.filter(|line| !self.is_blank(*line)) {
            let what = if self.marks.contains(&line) { What::Mark } else { What::Line };
            elements.push(Element { what, lines: line..line + 1, own: line });
        }
    }

    /// The element of a structure that has a name, and whole lines of its own.
    fn unit(&self, index: usize) -> Result<Option<Element>, Unresolved> {
        let structure = &self.parsed.outline.structures[index];
        if !is_unit(structure) || !self.has_own_lines(&structure.extent) {
            return Ok(None);
        }
        let last = structure.extent.end.max(structure.extent.start + 1) - 1;
        let (first, end) =
            (self.lines.line_of(structure.extent.start), self.lines.line_of(last) + 1);
        let own = self.lines.line_of(structure.own_start).min(end - 1);
        // A mark above a structure is a comment above it to the outline.
        let start = match self.marks.range(first..own).next_back() {
            Some(mark) => {
                self.check_lead(first..*mark)?;
                mark + 1
            }
            None => first,
        };
        Ok(Some(Element { what: What::Unit(index), lines: start..end, own }))
    }

    /// Refuses a mark between a structure and what is above it but comments.
    fn check_lead(&self, lines: Range<usize>) -> Result<(), Unresolved> {
        let comments = &self.parsed.outline.comments;
        for line in lines {
            let span = self.lines.span(line..line + 1);
            let text = &self.parsed.text()[span.clone()];
            let start = span.start + (text.len() - text.trim_start().len());
            let before = comments.partition_point(|comment| comment.start <= start);
            let is_comment = comments[..before].last().is_some_and(|it| it.end > start);
            if !is_comment && !text.trim().is_empty() {
                let says = "a mark is between this line and the structure that it belongs to; \
                            send the structure with all that is directly above it";
                return Err(Unresolved::new(line, says));
            }
        }
        Ok(())
    }

    /// Whether nothing else is on the lines of a structure, but for what separates it from others.
    fn has_own_lines(&self, extent: &Span) -> bool {
        let text = self.parsed.text();
        let first = self.lines.span(self.lines.line_of(extent.start)..usize::MAX).start;
        let last = self.lines.line_of(extent.end.max(extent.start + 1) - 1);
        let end = self.lines.span(last..last + 1).end;
        let after = text[extent.end.min(end)..end].trim();
        text[first..extent.start].trim().is_empty() && matches!(after, "" | "," | ";")
    }

    fn trimmed(&self, lines: Range<usize>) -> Range<usize> {
        let mut filled = lines.clone().filter(|line| !self.is_blank(*line));
        let Some(first) = filled.next() else { return lines.start..lines.start };
        let last = filled.next_back().unwrap_or(first);
        first..last + 1
    }

    pub(super) fn is_blank(&self, line: usize) -> bool {
        self.lines.get(line).is_none_or(|text| text.trim().is_empty())
    }

    /// The texts of lines.
    pub(super) fn texts(&self, lines: Range<usize>) -> Vec<&'a str> {
        lines.filter_map(|line| self.lines.get(line)).collect()
    }

    /// The blanks that a line begins with.
    pub(super) fn indent(&self, line: usize) -> &'a str {
        let text = self.lines.get(line).unwrap_or_default();
        &text[..text.len() - text.trim_start().len()]
    }

    /// Whether a structure is known by its name.
    pub(super) fn is_known(&self, index: usize) -> bool {
        is_unit(&self.parsed.outline.structures[index])
    }

    /// What a structure is known by.
    pub(super) fn named(&self, index: usize) -> Name<'a> {
        let structure = &self.parsed.outline.structures[index];
        let (kind, text) = (structure.kind, self.parsed.text());
        let Some(name) = structure.name else { return Name { kind, name: "", apart: Vec::new() } };
        let before = text.get(structure.own_start..name.start()).unwrap_or_default();
        let end = structure.body.map_or(structure.extent.end, Packed::start);
        let after = text.get(name.end()..end).unwrap_or_default();
        let apart = |it: &Apart| match it {
            Apart::Word(word) => {
                before.split_whitespace().any(|it| it == *word).then(|| (*word).to_owned())
            }
            Apart::Receiver => Some(
                parenthesised(before).split_whitespace().last()?.trim_start_matches('*').to_owned(),
            ),
            Apart::Parameters => {
                kind.runs().then(|| parenthesised(after).split_whitespace().collect())
            }
            Apart::Body => (kind.runs() && structure.body.is_none()).then(|| ";".to_owned()),
        };
        let apart = self.parsed.language().apart.iter().filter_map(apart).collect();
        Name { kind, name: name.of(text), apart }
    }

    /// What the structures among elements are known by.
    pub(super) fn names(&self, elements: &[Element]) -> Vec<Name<'a>> {
        elements.iter().filter_map(Element::unit).map(|index| self.named(index)).collect()
    }

    /// The header of a structure, on one line.
    pub(super) fn header(&self, index: usize) -> String {
        self.parsed.outline.structures[index].header_text(self.parsed.text())
    }
}

/// What is in the first parentheses of a text.
fn parenthesised(text: &str) -> &str {
    let Some(start) = text.find('(') else { return "" };
    let mut depth = 0;
    let end = text[start..].find(|it| {
        depth += match it {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    &text[start + 1..end.map_or(text.len(), |end| start + end)]
}

/// Whether a structure is known by its name; all others are lines.
fn is_unit(structure: &Structure) -> bool {
    let has_name = structure.name.is_some_and(|name| !name.span().is_empty());
    has_name && !structure.kind.is_prose() && !matches!(structure.kind, Kind::Block | Kind::Lambda)
}
