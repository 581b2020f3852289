//! Follows an open diff line by line.

use super::line;
use super::walk::{Kind, Walk};
use crate::dialect::{BlockEnd, Candidate, LineKind, Opening, Reader, margin, typed};

/// What a line outside any block is.
pub fn opens(candidate: &Candidate<'_>) -> Opening {
    let line = &candidate.line[margin::of(candidate.line).len()..];
    let next = &candidate.next[margin::of(candidate.next).len()..];
    if !line.starts_with(['d', '-', '`', '~', '@']) {
        return Opening::Nothing;
    }
    // A hunk in prose: what it is a change of is not known, and to pass over it would lose it.
    let is_hunk = || candidate.fence.is_none() && line::is_stray(candidate.line, candidate.next);
    let begins = line.starts_with("diff --git ") || line::names_files(line, next) || is_hunk();
    // A fence may be in another one: answers are wrapped in a fence as a whole.
    if begins || line::fence(line).is_some() { Opening::Maybe } else { Opening::Nothing }
}

/// Follows a diff from its first line on.
pub struct DiffReader {
    walk: Walk,
    /// Whether something is said of a file.
    is_block: bool,
}

impl DiffReader {
    /// A reader that has seen the block's first line.
    pub fn new(first: &Candidate<'_>) -> DiffReader {
        let heredoc = typed::heredoc_above(first.above);
        let walk = Walk::new(first.line, first.fence, heredoc);
        let mut reader = DiffReader { walk, is_block: false };
        let _ = reader.step(first.line, first.next);
        reader
    }
}

impl Reader for DiffReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        let kind = self.walk.step(line, next);
        self.is_block |= match kind {
            Kind::Hunk(_) => true,
            Kind::Header(header) => header != line::Header::Other,
            Kind::Content(line) | Kind::Past(line) => line.starts_with(['+', '-']),
            _ => false,
        };
        match kind {
            Kind::Closes => LineKind::Ends,
            Kind::Next | Kind::After => LineKind::Breaks(BlockEnd::Closed),
            Kind::Blank(_) | Kind::Text(_) => LineKind::Other,
            _ => LineKind::Fits,
        }
    }

    fn raw(&self) -> bool {
        self.walk.is_short()
    }

    fn ended(&self) -> Option<BlockEnd> {
        self.walk.has_ended().then_some(BlockEnd::Closed)
    }

    fn is_block(&self) -> bool {
        self.is_block
    }
}
