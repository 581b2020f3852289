//! Hunks: whole lines to find in a file, and the lines to write in their place.

use crate::problem::Code;
use crate::text::LineList;

/// One change of whole lines. Lines have no endings: those of the file are kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Hunk {
    /// The ways to read it, of which exactly one must have a place; mostly there is one.
    pub readings: Vec<Reading>,
    /// The 1-based line at which the old lines are said to begin.
    pub line: Option<usize>,
    /// The 1-based line that its header states, whether all tools go by it or not.
    pub stated: Option<usize>,
    /// Lines above it that narrow where it is, the outermost first.
    pub anchors: Vec<String>,
    /// Whether a match at the end of the file comes first.
    pub at_end: bool,
    /// Whether a match at the end of the file counts as much as one at the line number.
    pub open_end: bool,
    /// Whether the file has an ending after its last line afterwards, where the hunk says so; it
    /// must be at the end of the file then.
    pub final_ending: Option<bool>,
    /// The line that parts the texts of each reading, where several lines of the block may.
    pub dividers: Vec<String>,
    /// The line that parts the block, where it is also the last one of the block: a text to write
    /// that ends with it may have it by mistake.
    pub doubled: Option<String>,
    /// Whether lines `...` in both texts may be what is left out between pieces of them.
    pub elides: bool,
    /// The problem where it has no lines to find, and nothing says where the new ones go.
    pub no_place: Code,
    /// The problem where an anchor is not in the file.
    pub no_anchor: Code,
    /// The problem where it has no lines to find, and an anchor is in the file several times.
    pub no_choice: Code,
}

/// One way to read a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// The lines to find. Where there are none, and nothing else says where, the file must be
    /// empty or missing.
    pub old: LineList,
    /// The lines to write in their place.
    pub new: LineList,
}

impl Hunk {
    /// The hunk with these readings, no hints, and one problem for want of a place.
    pub fn new(readings: Vec<Reading>, no_place: Code) -> Hunk {
        Hunk {
            readings,
            line: None,
            stated: None,
            anchors: Vec::new(),
            at_end: false,
            open_end: false,
            final_ending: None,
            dividers: Vec::new(),
            doubled: None,
            elides: false,
            no_place,
            no_anchor: no_place,
            no_choice: no_place,
        }
    }

    /// Whether a reading would write the dividing line by mistake. Where the text to find ends with it,
    /// too, it is text.
    pub fn is_doubled(&self, reading: &Reading) -> bool {
        let ends = |lines: &LineList| {
            self.doubled.is_some() && lines.iter().last() == self.doubled.as_deref()
        };
        ends(&reading.new) && !ends(&reading.old)
    }

    /// Whether it has lines to find, however it is read.
    pub fn finds_lines(&self) -> bool {
        self.readings.iter().all(|reading| !reading.old.is_empty())
    }
}
