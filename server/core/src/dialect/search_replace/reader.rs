//! Follows an open block line by line.

use super::marker::{self, Word};
use super::parse;
use crate::dialect::{Ahead, BlockEnd, Candidate, LineKind, Opening, Reader};
use crate::text::Span;

/// What a line outside any block is.
pub fn opens(candidate: &Candidate<'_>) -> Opening {
    match marker::find(candidate.line) {
        Some(marker) if marker.word == Word::Start => Opening::Starts,
        Some(_) => Opening::Nothing,
        None => match marker::near(candidate.line).filter(|near| near.word == Word::Start) {
            Some(near) => Opening::Stray(parse::near(&near, candidate.line, "\n")),
            None => Opening::Nothing,
        },
    }
}

/// Follows a block from its first line on; which part a line is in makes no difference.
pub struct BlockReader;

impl Reader for BlockReader {
    fn step(&mut self, line: &str, _: &str) -> LineKind {
        match marker::find(line).map(|marker| marker.word) {
            Some(Word::Start) => LineKind::Breaks(BlockEnd::Nested),
            Some(Word::End) => LineKind::Ends,
            Some(Word::Divider) => LineKind::Fits,
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
        let word = |text: &str, line: Span| marker::find(&text[line]).map(|_| 0);
        let next = |key: &str, needle: &str| ahead.holding(from, key, needle, word).0;
        next("search-replace start", "SEARCH")
            .min(next("search-replace divider", "==="))
            .min(next("search-replace end", "REPLACE"))
    }
}
