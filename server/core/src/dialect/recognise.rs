//! How the blocks of a dialect are found: where one opens, and how far it goes.

use super::Ahead;
use crate::problem::Problem;

/// Finds blocks of a dialect.
///
/// The scan asks `opens` about lines outside any block, then lets the dialect's [`Reader`] see the
/// block's lines until it ends.
pub trait Recognise {
    /// What a line outside any block is.
    fn opens(&self, candidate: &Candidate<'_>) -> Opening;

    /// Whether a transcript whose first line that is not blank is this one may begin with a block,
    /// needle or not. The block's first line is then the transcript's, blank or not.
    fn heads(&self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// A reader for the block that begins with the line `first`.
    fn reader(&self, first: &str) -> Box<dyn Reader>;
}

/// A line outside any block, with the lines around it; all without endings.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// The line.
    pub line: &'a str,
    /// The line after it; empty after the last one.
    pub next: &'a str,
}

/// What a line outside any block is to a dialect.
#[derive(Debug, Clone, PartialEq)]
pub enum Opening {
    /// Nothing of this dialect.
    Nothing,
    /// The start of a block, exact or (the block's own problem then) nearly so.
    Starts,
    /// Perhaps the start of a block: its reader can tell at the end, see [`Reader::is_block`].
    Maybe,
    /// No start, and yet something is wrong with it; spans count from the start of the line.
    Stray(Problem),
}

/// Follows one open block line by line.
pub trait Reader {
    /// What the next line is to the block; `next` is the line after it. Both without endings.
    fn step(&mut self, line: &str, next: &str) -> Step;

    /// Whether the coming lines are content whatever they say, other dialects' markers too.
    fn raw(&self) -> bool {
        false
    }

    /// Whether `line` would end this block if it did not stand in raw content.
    fn closes(&self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// Inside raw content: where the first line from `from` on is that can end it, or of which
    /// `closes` is true and was not yet (`closed`); every line before it is content and changes
    /// nothing. `from` for a dialect that looks at each line.
    fn skip(&mut self, from: usize, closed: bool, ahead: &Ahead<'_>) -> usize {
        let _ = (closed, ahead);
        from
    }

    /// Whether in a block that is too large, raw content or not, only a line with a needle can
    /// matter.
    fn minds_needles_only(&self) -> bool {
        !self.raw()
    }

    /// Whether the lines were a block at all; asked when they have come to their end.
    fn is_block(&self) -> bool {
        true
    }
}

/// What a line is to an open block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A line as the dialect has it.
    Fits,
    /// A line that the dialect does not know, or raw content; the block stays open.
    Other,
    /// The block's last line.
    Ends,
    /// The line does not belong to the block, which ends this way without its end marker; the scan
    /// goes on with this line, or with the raw content before it.
    Breaks(BlockEnd),
}

/// How a block came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockEnd {
    /// With its end marker, exact or nearly so.
    Closed,
    /// Without its end marker, by a start marker of its own dialect.
    Nested,
    /// Without its end marker, by another dialect's start or the end of the transcript.
    Unterminated,
    /// It is larger than a block may be; only its first lines are looked at.
    TooLarge,
}
