//! Follows an open block line by line.

use super::marker::{self, Word};
use super::parse;
use crate::dialect::{Ahead, BlockEnd, Candidate, LineKind, Opening, Reader};
use crate::text::Span;
use crate::text::fence::{Fence, OpenFence};

/// So many lines below a block are looked at for another line that ends it.
const BELOW: usize = 200;

/// What a line outside any block is.
pub fn opens(candidate: &Candidate<'_>) -> Opening {
    let line = candidate.line;
    match marker::find(line) {
        Some(marker) if marker.word == Word::Start => Opening::Starts,
        Some(marker) if marker.word == Word::End && !marker.has_text => {
            Opening::Stray(parse::unexpected_end(marker.span))
        }
        Some(_) => Opening::Nothing,
        None => match marker::near(line).filter(|near| near.word == Word::Start) {
            Some(near) => Opening::Stray(parse::near(&near, line, "\n")),
            None => match parse::path_before(line) {
                Some(problem) => Opening::Stray(problem),
                None => Opening::Nothing,
            },
        },
    }
}

/// Follows a block from its first line on; which part a line is in makes no difference. In a fence
/// it goes on after the line that ends the block, as far as no other block begins: what is there up
/// to another such line may be of the text to write.
pub struct BlockReader {
    fence: Option<OpenFence>,
    /// How many more lines are looked at, once the block has ended.
    left: Option<usize>,
}

impl BlockReader {
    /// A reader for the block that begins with this line.
    pub fn new(first: &Candidate<'_>) -> BlockReader {
        BlockReader { fence: first.fence, left: None }
    }

    /// Whether a line is the end of the fence.
    fn is_fence_end(&self, line: &str) -> bool {
        self.fence.zip(Fence::of(line)).is_some_and(|(open, line)| open.is_closed_by(&line))
    }
}

impl Reader for BlockReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        let found = marker::find(line);
        let word = found.as_ref().map(|marker| marker.word);
        let is_last = self.fence.is_none() || self.is_fence_end(next);
        if let Some(left) = self.left {
            let near = || marker::near(line).is_some_and(|near| near.word == Word::Start);
            let is_end = word == Some(Word::End) && found.is_some_and(|marker| !marker.has_text);
            self.left = left.checked_sub(1);
            return match word {
                _ if is_end && is_last => LineKind::Ends,
                _ if is_end => LineKind::Fits,
                Some(Word::Start) => LineKind::Breaks(BlockEnd::Closed),
                _ if is_last || left == 0 || near() => LineKind::Breaks(BlockEnd::Closed),
                _ => LineKind::Other,
            };
        }
        match word {
            Some(Word::Start) => LineKind::Breaks(BlockEnd::Nested),
            Some(Word::End) if is_last => LineKind::Ends,
            Some(Word::End) => {
                self.left = Some(BELOW);
                LineKind::Fits
            }
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

    fn ended(&self) -> Option<BlockEnd> {
        self.left.map(|_| BlockEnd::Closed)
    }

    fn skip(&mut self, from: usize, _: bool, ahead: &Ahead<'_>) -> usize {
        if self.left.is_some() {
            return from;
        }
        let word = |text: &str, line: Span| marker::find(&text[line]).map(|_| 0);
        let next = |key: &str, needle: &str| ahead.holding(from, key, needle, word).0;
        next("search-replace start", "SEARCH")
            .min(next("search-replace divider", "==="))
            .min(next("search-replace end", "REPLACE"))
    }
}
