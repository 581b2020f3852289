//! Follows a fence line by line.

use super::fence;
use crate::command::patch::header;
use crate::dialect::{Candidate, LineKind, Opening, Reader, begins_block, margin};
use crate::text::fence::{Fence, OpenFence};

/// What a line outside any block is.
pub fn opens(candidate: &Candidate<'_>) -> Opening {
    let is_open = candidate.fence.is_some();
    match !is_open && fence::named(candidate.line, candidate.next, candidate.above).is_some() {
        true => Opening::Maybe,
        false => Opening::Nothing,
    }
}

/// Follows a fence from its first line on.
pub struct FenceReader {
    walk: Walk,
    /// Whether a block of another dialect is in it.
    holds_block: bool,
    /// Whether a diff may begin with the next line, and the file is not a diff itself.
    may_begin_diff: bool,
}

impl FenceReader {
    /// A reader that has seen the block's first line.
    pub fn new(first: &Candidate<'_>) -> FenceReader {
        let named = fence::named(first.line, first.next, first.above);
        let is_prose = named.as_ref().is_some_and(|named| fence::is_prose(&named.path));
        let may_begin_diff = named.is_some_and(|named| !header::is_in(&named.path));
        FenceReader { walk: Walk::new(first.line, is_prose), holds_block: false, may_begin_diff }
    }
}

impl Reader for FenceReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        if self.walk.step(line, next) == Part::End {
            return LineKind::Ends;
        }
        // The fence is around that block, whatever comes below.
        self.holds_block =
            begins_block(line, next) || self.may_begin_diff && begins_diff(line, next);
        self.may_begin_diff &= is_before_diff(line);
        if self.holds_block { LineKind::Ends } else { LineKind::Other }
    }

    /// Whatever a file holds is text.
    fn raw(&self) -> bool {
        true
    }

    fn is_block(&self) -> bool {
        !self.holds_block
    }
}

/// Whether a diff begins with a line, which the dialect of diffs then finds.
fn begins_diff(line: &str, next: &str) -> bool {
    line.starts_with("diff --git ") || header::names_files(line, next)
}

/// Whether a line says nothing that is not of the diff below it.
fn is_before_diff(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || ["Index: ", "====="].iter().any(|start| line.starts_with(start))
        || fence::path_of_comment(line).is_some()
}

/// What a line of a fence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A line of the file.
    Text,
    /// A line of the file that opens or closes a fence in it, and might close the outer one.
    Inner,
    /// The line that closes the fence.
    End,
}

/// Tells the end of a fence from the fences that a file in it has itself.
pub struct Walk {
    outer: Option<OpenFence>,
    /// Whether a fence of the file is open that the outer one is not longer than.
    is_inside: bool,
    /// Whether the file may have fences that no language is named for.
    is_prose: bool,
}

impl Walk {
    /// For the fence that this line opens.
    pub fn new(first: &str, is_prose: bool) -> Walk {
        let outer = OpenFence::after(None, &first[margin::of(first).len()..]);
        Walk { outer, is_inside: false, is_prose }
    }

    /// What the next line is.
    pub fn step(&mut self, line: &str, next: &str) -> Part {
        let line = &line[margin::of(line).len()..];
        let Some((outer, fence)) = self.outer.zip(Fence::of(line)) else { return Part::Text };
        // One that is shorter, or of other signs, closes nothing.
        if !outer.is_closed_by(&Fence { info: "", ..fence }) {
            return Part::Text;
        }
        let next = &next[margin::of(next).len()..];
        let opens = match fence.info.is_empty() {
            true => self.is_prose && !self.is_inside && !next.trim().is_empty(),
            false => !self.is_inside,
        };
        match (opens, self.is_inside, fence.info.is_empty()) {
            (true, ..) => self.is_inside = true,
            (false, true, true) => self.is_inside = false,
            (false, true, false) => {}
            (false, false, _) => return Part::End,
        }
        Part::Inner
    }
}
