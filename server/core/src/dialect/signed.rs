//! Lines with a sign each, as chunks of patches and hunks of diffs have them.

use crate::command::hunks::Reading;
use crate::problem::{Code, Problem, Replacement};
use crate::text::Span;

/// Lines that change together: context, removed and added ones.
#[derive(Default)]
pub struct Signed<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    /// How many empty lines it ends with, which may be layout.
    blank: usize,
    /// Whether a line is removed or added.
    pub is_changed: bool,
    /// Whether the last line is context.
    pub ends_in_context: bool,
}

impl<'a> Signed<'a> {
    /// Takes in the next line; `false` for one that begins with no sign. An empty line is an empty
    /// line of context.
    pub fn take(&mut self, line: &'a str) -> bool {
        let (is_old, is_new) = match line.chars().next() {
            None | Some(' ') => (true, true),
            Some('-') => (true, false),
            Some('+') => (false, true),
            _ => return false,
        };
        let text = line.get(1..).unwrap_or_default();
        self.blank = if line.is_empty() { self.blank + 1 } else { 0 };
        self.ends_in_context = is_old && is_new;
        self.is_changed |= !self.ends_in_context;
        self.old.extend(is_old.then_some(text));
        self.new.extend(is_new.then_some(text));
        true
    }

    /// Whether it has no lines.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    /// How many old and new lines there are, without empty ones at the end.
    pub fn counts(&self) -> (usize, usize) {
        (self.old.len() - self.blank, self.new.len() - self.blank)
    }

    /// The lines that are there afterwards.
    pub fn new_lines(&self) -> &[&'a str] {
        &self.new
    }

    /// The ways to read it: empty lines at its end are context, or layout.
    pub fn readings(&self) -> Vec<Reading> {
        let owned = |lines: &[&'a str]| lines.iter().copied().collect();
        let without = |blank: usize| Reading {
            old: owned(&self.old[..self.old.len() - blank]),
            new: owned(&self.new[..self.new.len() - blank]),
        };
        (0..=self.blank).map(without).collect()
    }
}

/// The problem of lines that lack the sign that a line there begins with; `None` where there are
/// none.
pub fn missing(code: Code, lines: &[Span], bare: &[(usize, &str)]) -> Option<Problem> {
    let (first, _) = bare.first()?;
    let insert = |(index, sign): &(usize, &str)| Replacement::insert(lines[*index].start, *sign);
    let is_added = bare.iter().all(|(_, sign)| *sign == "+");
    let (says, title) = if is_added {
        ("each line of a new file begins with `+`", "Insert the signs")
    } else {
        ("each line of context begins with a blank, before its own blanks", "Insert the blanks")
    };
    let problem = Problem::new(code, lines[*first].clone(), says);
    Some(problem.fix(title, bare.iter().map(insert).collect()))
}
