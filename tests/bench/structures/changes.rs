//! Random changes of a source file: the file as it is afterwards, and a content in which marks are in
//! the place of some of what stays.

use std::ops::Range;

use operator_core::syntax::Language;
use proptest::prelude::RngExt;
use proptest::test_runner::TestRng;

use super::elements::{Element, Source};

/// What the generator may do to a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Manner {
    /// Structures are changed and added, and whole structures are shown.
    Structures,
    /// Lines are changed, added and removed, too, and anything is left out.
    Anything,
}

/// A part of a file as it is afterwards, and as it is sent.
#[derive(Clone, Default)]
pub struct Part {
    pub text: Vec<String>,
    pub sent: Vec<String>,
    pub is_changed: bool,
    /// Must be sent, although it is as it was.
    is_shown: bool,
    /// Whether it is a structure.
    is_unit: bool,
    /// The blank lines below it.
    gap: Vec<String>,
}

/// Makes up a change of a file.
pub struct Changes<'a> {
    pub source: &'a Source<'a>,
    pub language: &'a Language,
    pub rng: TestRng,
    pub manner: Manner,
    /// How many words were made up.
    pub fresh: usize,
    /// How many structures were added to the file itself.
    pub added: usize,
}

const MARKS: [&str; 4] =
    ["... existing code ...", "...", "… rest of the code", "rest of the code unchanged ..."];

impl Changes<'_> {
    fn one_in(&mut self, count: usize) -> bool {
        self.rng.random_range(0..count) == 0
    }

    fn pick(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count.max(1))
    }

    fn mark(&mut self, indent: &str) -> String {
        let says = MARKS[self.pick(MARKS.len())];
        match self.language.line_comment {
            Some(begins) => format!("{indent}{begins} {says}"),
            None => format!("{indent}/* {says} */"),
        }
    }

    /// A level as it is afterwards, and as it is sent.
    pub fn level(&mut self, parent: Option<usize>, lines: Range<usize>) -> Option<Part> {
        let elements = self.source.elements(parent, lines.clone());
        let last = elements.last().map_or(lines.end, |last| last.lines.end);
        let mut parts = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            let next = elements.get(at + 1).map_or(last, |next| next.lines.start);
            let mut part = self.element(element)?;
            part.gap = self.source.lines(element.lines.end..next);
            parts.push(part);
        }
        let count = parts.len();
        self.add(&elements, &mut parts);
        if parent.is_none() {
            self.added = parts.len() - count;
        }
        self.remove(&mut parts);
        let unit = elements.iter().find(|it| it.unit.is_some());
        let indent = unit.map_or(String::new(), |unit| self.source.indent(unit.own));
        let is_changed = parts.iter().any(|part| part.is_changed);
        let sent = self.sent(&parts, &indent, parent.is_some());
        let text = parts.iter().flat_map(|part| part.text.iter().chain(&part.gap).cloned());
        Some(Part { text: text.collect(), sent, is_changed, ..Part::default() })
    }

    fn element(&mut self, element: &Element) -> Option<Part> {
        let same = self.source.lines(element.lines.clone());
        let is_unit = element.unit.is_some();
        let plain = Part { text: same.clone(), sent: same, is_unit, ..Part::default() };
        if let Some(index) = element.unit {
            if self.one_in(3) {
                return self.unit(index, element, plain);
            }
        } else if self.manner == Manner::Anything && self.one_in(12) {
            let text = vec![self.changed_line(&plain.text[0])];
            return Some(Part { sent: text.clone(), text, is_changed: true, ..plain });
        }
        Some(plain)
    }

    fn unit(&mut self, index: usize, element: &Element, plain: Part) -> Option<Part> {
        let outline = &self.source.parsed.outline;
        let has_members = outline.children(Some(index)).any(|it| {
            let inner = &outline.structures[it];
            inner.name.is_some() && inner.kind.runs()
        });
        let goes_in = has_members && !outline.structures[index].kind.runs();
        if goes_in && self.one_in(2) || self.manner == Manner::Anything && self.one_in(3) {
            let part = self.level(Some(index), element.lines.clone())?;
            return Some(if part.is_changed { Part { is_unit: true, ..part } } else { plain });
        }
        let mut text = plain.text.clone();
        let first = match self.one_in(4) {
            true => 0,
            false => (element.own + 1 - element.lines.start).min(text.len() - 1),
        };
        for _ in 0..=self.pick(3) {
            let at = first + self.pick(text.len() - first);
            match self.pick(3) {
                0 if text.len() > 2 && at > 0 => drop(text.remove(at)),
                1 if text.len() > 2 => {
                    text.insert(at.max(1).min(text.len()), self.changed_line(&text[at].clone()))
                }
                _ => text[at] = self.changed_line(&text[at].clone()),
            }
            if first >= text.len() {
                break;
            }
        }
        // Blank lines beside a mark are the file's.
        while text.last().is_some_and(|line| line.trim().is_empty()) {
            text.pop();
        }
        // The neighbours of one that gets another name must be sent, as those of one that goes.
        if self.manner == Manner::Structures && is_renamed(&text, self.source.name(index)) {
            return Some(plain);
        }
        Some(Part { sent: text.clone(), is_changed: text != plain.text, text, ..plain })
    }

    /// A line with another word in it.
    fn changed_line(&mut self, line: &str) -> String {
        let words: Vec<&str> = line
            .split(|it: char| !it.is_alphanumeric() && it != '_')
            .filter(|it| it.len() > 1)
            .collect();
        if words.is_empty() {
            return line.to_owned();
        }
        let word = words[self.pick(words.len())];
        self.fresh += 1;
        line.replacen(word, &format!("{word}{}", self.fresh), 1)
    }

    /// Adds structures that are like others.
    fn add(&mut self, elements: &[Element], parts: &mut Vec<Part>) {
        let units: Vec<usize> =
            (0..elements.len()).filter(|at| elements[*at].unit.is_some()).collect();
        if units.is_empty() || !self.one_in(3) {
            return;
        }
        let like = &elements[units[self.pick(units.len())]];
        let Some(index) = like.unit else { return };
        let name = self.source.name(index);
        self.fresh += 1;
        let fresh = format!("fresh_{}_{name}", self.fresh);
        let text = self.source.lines(like.lines.clone());
        let text: Vec<String> = text.iter().map(|line| line.replace(name, &fresh)).collect();
        let at = units[self.pick(units.len())] + 1;
        let gap = match at < parts.len() {
            true => parts[at - 1].gap.clone(),
            false if at > 1 => parts[at - 2].gap.clone(),
            false => vec![String::new()],
        };
        let last = std::mem::replace(&mut parts[at - 1].gap, gap.clone());
        let gap = if at < parts.len() { gap } else { last };
        let part = Part {
            sent: text.clone(),
            text,
            is_changed: true,
            is_unit: true,
            gap,
            is_shown: false,
        };
        parts.insert(at, part);
        if self.manner == Manner::Structures || self.one_in(2) {
            parts[at - 1].is_shown = true;
            if let Some(below) = parts.get_mut(at + 1) {
                below.is_shown = true;
            }
        }
    }

    /// Removes an element; its neighbours are sent.
    fn remove(&mut self, parts: &mut Vec<Part>) {
        if self.manner == Manner::Structures || parts.len() < 3 || !self.one_in(6) {
            return;
        }
        let at = 1 + self.pick(parts.len() - 2);
        if parts[at].is_changed {
            return;
        }
        parts.remove(at);
        parts[at - 1].is_shown = true;
        parts[at].is_shown = true;
    }

    /// What is sent of a level: marks in the place of what is as it was and not shown.
    fn sent(&mut self, parts: &[Part], indent: &str, is_inside: bool) -> Vec<String> {
        let mut shown = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let is_edge = is_inside && (at == 0 || at + 1 == parts.len() && !part.is_unit);
            let goes_on = at > 0 && !part.is_unit && !parts[at - 1].is_unit;
            let as_before = goes_on && self.manner == Manner::Structures;
            let is_shown = match as_before {
                true => shown[at - 1] || is_inside,
                false => {
                    self.one_in(5)
                        || is_inside && !part.is_unit && self.manner == Manner::Structures
                }
            };
            shown.push(part.is_changed || part.is_shown || is_edge || is_shown);
        }
        let mut sent = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            if shown[at] {
                sent.extend(part.sent.iter().cloned());
                if shown.get(at + 1) == Some(&true) {
                    sent.extend(part.gap.iter().cloned());
                }
                continue;
            }
            if at == 0 || shown[at - 1] {
                sent.extend(vec![String::new(); self.pick(3)]);
                sent.push(self.mark(indent));
                let is_last = is_inside && !shown[at..].contains(&true);
                sent.extend(vec![String::new(); if is_last { 0 } else { self.pick(3) }]);
            }
        }
        sent
    }
}

/// Whether a name is in none of the lines any more.
fn is_renamed(lines: &[String], name: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    !lines.iter().any(|line| line.split(|it| !is_part(it)).any(|word| word == name))
}
