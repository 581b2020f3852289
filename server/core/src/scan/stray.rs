//! A marker outside of any block, kept as its line: its problem is made when somebody asks.

use crate::dialect::{Above, Candidate, Dialect, Opening};
use crate::problem::Problem;

/// A line that is wrong outside of any block. A transcript may be full of them, and a problem takes
/// a hundred times the memory of its line.
pub(super) struct Stray {
    dialect: &'static dyn Dialect,
    /// The line and, after a newline, the one after it.
    lines: Box<str>,
}

impl Stray {
    /// The stray marker that `dialect` finds in `line`, which is followed by `next`.
    pub fn new(dialect: &'static dyn Dialect, line: &str, next: &str) -> Stray {
        Stray { dialect, lines: [line, "\n", next].concat().into() }
    }

    /// Whether it is the marker that `dialect` finds in these lines.
    pub fn is(&self, dialect: &'static dyn Dialect, line: &str, next: &str) -> bool {
        self.dialect.name() == dialect.name() && self.lines() == (line, next)
    }

    /// What is wrong; spans count from the start of the line.
    pub fn problem(&self) -> Option<Problem> {
        let (line, next) = self.lines();
        match self.dialect.opens(&Candidate { line, next, above: Above::default(), fence: None }) {
            Opening::Stray(problem) => Some(problem),
            Opening::Nothing | Opening::Starts | Opening::Maybe => None,
        }
    }

    /// The family of its dialect.
    pub fn family(&self) -> &'static str {
        self.dialect.rules().family
    }

    fn lines(&self) -> (&str, &str) {
        self.lines.split_once('\n').unwrap_or((&self.lines, ""))
    }
}
