//! Follows an open patch line by line.

use super::line::{self, Marker};
use crate::dialect::{Ahead, BlockEnd, Candidate, LineKind, Opening, Reader, margin};
use crate::text::Span;

/// What a line outside any block is.
pub fn opens(candidate: &Candidate<'_>) -> Opening {
    match bare(candidate.line) {
        Some(Marker::Begin) => Opening::Starts,
        _ => Opening::Nothing,
    }
}

fn bare(text: &str) -> Option<Marker<'_>> {
    line::marker(&text[margin::of(text).len()..])
}

/// Follows a patch from its first line on.
pub struct PatchReader;

impl Reader for PatchReader {
    fn step(&mut self, line: &str, _: &str) -> LineKind {
        match bare(line) {
            Some(Marker::Begin) => LineKind::Breaks(BlockEnd::Nested),
            Some(Marker::End) => LineKind::Ends,
            Some(_) => LineKind::Fits,
            None if line.starts_with(['+', '-', ' ']) => LineKind::Fits,
            None => LineKind::Other,
        }
    }

    fn raw(&self) -> bool {
        true
    }

    fn may_hold_next(&self) -> bool {
        true
    }

    fn skip(&mut self, from: usize, _: bool, ahead: &Ahead<'_>) -> usize {
        let ends = |text: &str, line: Span| match bare(&text[line]) {
            Some(Marker::Begin | Marker::End) => Some(0),
            _ => None,
        };
        ahead.holding(from, "apply-patch end", " Patch", ends).0
    }
}
