//! Follows an open patch line by line.

use super::line::{self, Marker};
use crate::dialect::{Ahead, BlockEnd, Candidate, LineKind, Opening, Reader, margin};
use crate::problem::{self, Problem, Replacement};
use crate::text::Span;

/// What a line outside any block is.
pub fn opens(candidate: &Candidate<'_>) -> Opening {
    let line = candidate.line;
    match bare(line) {
        Some(Marker::Begin) => Opening::Starts,
        Some(Marker::File(..)) => Opening::Stray(not_begun(line)),
        _ if line::near(line) == Some(Marker::Begin) => match bare(candidate.next) {
            Some(Marker::File(..)) => Opening::Starts,
            _ => Opening::Stray(line::not_exact(Marker::Begin, line)),
        },
        _ => Opening::Nothing,
    }
}

/// The problem of the header of a file outside of a patch.
fn not_begun(line: &str) -> Problem {
    let says = "nothing begins this patch: `*** Begin Patch` is missing above its first file";
    let margin = margin::of(line);
    let edit = Replacement::insert(0, format!("{margin}*** Begin Patch\n"));
    Problem::new(problem::APPLY_PATCH_NEAR_MARKER, margin.len()..line.trim_end().len(), says)
        .choice("Insert `*** Begin Patch` above", vec![edit])
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
            _ if is_nearly_end(line) => LineKind::Ends,
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
        let ends = |text: &str, line: Span| match bare(&text[line.clone()]) {
            Some(Marker::Begin | Marker::End) => Some(0),
            _ => is_nearly_end(&text[line]).then_some(0),
        };
        // Of a word in any case, what is mostly written so.
        let end = |key: &str, needle: &str| ahead.holding(from, key, needle, ends).0;
        end("apply-patch end", "atch").min(end("apply-patch END", "ATCH"))
    }
}

/// Whether a line is nearly the last one of a patch, and not content.
pub fn is_nearly_end(line: &str) -> bool {
    !line.starts_with(['+', '-', ' ']) && line::near(line) == Some(Marker::End)
}
