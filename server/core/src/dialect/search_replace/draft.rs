//! A block's text taken apart: its markers, the lines between them, and the hints of its first
//! lines.

use super::marker::{self, Marker, Signs, Word};
use crate::dialect::Source;
use crate::text::{LineList, Span, lines};

/// A block's text taken apart, before anything is said about it.
pub struct Draft<'a> {
    pub text: &'a str,
    /// The ending of its first line, for what fixes insert.
    pub eol: &'static str,
    /// The lines, without endings.
    pub lines: Vec<Span>,
    /// The marker of the first line.
    pub start: Marker,
    /// The signs of that marker.
    pub signs: Signs,
    /// The lines that are dividers, by their index.
    pub dividers: Vec<usize>,
    /// Lines that would be dividers in a block of the other signs.
    pub short_dividers: Vec<usize>,
    /// The line that ends the block, and its marker.
    pub end: Option<(usize, Marker)>,
    /// The first of several lines that end it.
    pub inner_end: Option<usize>,
    /// The hints after the first line.
    pub hints: Hints,
}

/// What the lines `:start_line:N`, `:end_line:N` and `-------` after the start say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// The 1-based first line.
    pub line: Option<usize>,
    /// How many lines of the block they are.
    pub count: usize,
}

impl<'a> Draft<'a> {
    /// Takes a block apart; `None` where it does not begin with a marker.
    pub fn new(source: &Source<'a>) -> Option<Draft<'a>> {
        let text = source.looked_at();
        let lines = lines::spans(text);
        let first = lines.first()?.clone();
        let start = marker::find(&text[first.clone()]).filter(|it| it.word == Word::Start)?;
        let signs = start.signs?;
        let mut draft = Draft {
            text,
            eol: lines::eol_after(text, first.end),
            start,
            signs,
            dividers: Vec::new(),
            short_dividers: Vec::new(),
            end: None,
            inner_end: None,
            hints: Hints::default(),
            lines,
        };
        for index in 1..draft.lines.len() {
            let Some(marker) = marker::find(draft.line(index)) else { continue };
            match (marker.word, marker.signs) {
                (Word::End, _) => {
                    let before = draft.end.replace((index, marker));
                    draft.inner_end = draft.inner_end.or(before.map(|(index, _)| index));
                }
                (Word::Divider, Some(_)) if signs == Signs::Brackets => {
                    draft.short_dividers.push(index);
                }
                (Word::Divider, _) => draft.dividers.push(index),
                (Word::Start, _) => {}
            }
        }
        draft.hints = draft.read_hints();
        Some(draft)
    }

    /// A line's text.
    pub fn line(&self, index: usize) -> &'a str {
        self.lines.get(index).map_or("", |span| &self.text[span.clone()])
    }

    /// The lines from one index up to another, as a block that shows escapes has them.
    pub fn content(&self, from: usize, until: usize) -> LineList {
        let line = |index| self.unescaped(self.line(index));
        (from..until.max(from)).map(line).collect()
    }

    /// The bytes of the lines from one index up to another, without the last one's ending.
    pub fn span(&self, from: usize, until: usize) -> Span {
        let at = |index: usize| self.lines.get(index).map_or(self.text.len(), |span| span.start);
        match from < until {
            true => at(from)..self.lines[until - 1].end,
            false => at(from)..at(from),
        }
    }

    /// The index of the first line of the text to find.
    pub fn first(&self) -> usize {
        1 + self.hints.count
    }

    /// The index after the last line of the text to write.
    pub fn until(&self) -> usize {
        self.end.as_ref().map_or(self.lines.len(), |(index, _)| *index)
    }

    /// The divider after another one and right before the end, by its index.
    pub fn doubled(&self) -> Option<usize> {
        let last = self.end.as_ref()?.0.checked_sub(1)?;
        (self.dividers.len() > 1 && self.dividers.last() == Some(&last)).then_some(last)
    }

    /// A line of content: a backslash before a marker goes where the block has hints, since those
    /// who write hints escape so.
    fn unescaped(&self, line: &'a str) -> &'a str {
        let rest = line.strip_prefix('\\').filter(|_| self.hints.count > 0);
        let is_marker = |rest: &str| {
            ["<<<<<", "=====", ">>>>>", "-----"].iter().any(|signs| rest.starts_with(signs))
        };
        rest.filter(|rest| is_marker(rest)).unwrap_or(line)
    }

    fn read_hints(&self) -> Hints {
        let mut hints = Hints::default();
        let number = |line: &str, name: &str| -> Option<usize> {
            let rest = line.trim().strip_prefix(name)?;
            rest.trim().parse().ok().filter(|number| *number > 0)
        };
        for index in 1..self.lines.len() {
            let line = self.line(index);
            if let Some(line) = number(line, ":start_line:") {
                hints.line = Some(line);
            } else if number(line, ":end_line:").is_none() {
                // The rule below the hints.
                let is_rule =
                    hints.count > 0 && line.len() >= 3 && line.bytes().all(|it| it == b'-');
                hints.count += usize::from(is_rule);
                break;
            }
            hints.count += 1;
        }
        hints
    }
}
