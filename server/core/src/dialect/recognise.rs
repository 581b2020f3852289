//! How the blocks of a dialect are found: where one opens, and how far it goes.

use std::borrow::Cow;
use std::iter;

use super::Ahead;
use crate::problem::Problem;
use crate::text::Text;
use crate::text::fence::OpenFence;

/// Finds blocks of a dialect.
///
/// The scan asks `opens` about lines outside any block, then lets the dialect's [`Reader`] see the
/// block's lines until it ends.
pub trait Recognise {
    /// What a line outside any block is, of those that hold one of the dialect's
    /// [needles](super::Rules::needles).
    fn opens(&self, candidate: &Candidate<'_>) -> Opening;

    /// Whether a transcript whose first line that is not blank is this one may begin with a block,
    /// needle or not. The block's first line is then the transcript's, blank or not.
    fn heads(&self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// Whether a reply begins with the line right below a block of this dialect, needle or not.
    fn follows(&self, candidate: &Candidate<'_>) -> bool {
        let _ = candidate;
        false
    }

    /// A reader for the block that begins with this line.
    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader>;
}

/// A line outside any block, with the lines around it; all without endings.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The line.
    pub line: &'a str,
    /// The line after it; empty after the last one.
    pub next: &'a str,
    /// The lines above it.
    pub above: Above<'a>,
    /// The fence that it is in. Known only where a dialect is searched for whose blocks are [in
    /// chats only](super::Rules::in_chats_only).
    pub fence: Option<OpenFence>,
}

/// The lines above a line that belong to no block, as far as some dialect
/// [looks back](super::Rules::looks_back).
#[derive(Clone, Copy, Default)]
pub struct Above<'a> {
    text: Option<&'a Text>,
    /// The start of the line that they are above of.
    at: usize,
    /// Where the block before that line ends.
    floor: usize,
    most: usize,
}

impl<'a> Above<'a> {
    /// At most so many lines above the line that begins at `at`, none of which begins before
    /// `floor`; both in bytes.
    pub(crate) fn new(text: &'a Text, at: usize, floor: usize, most: usize) -> Above<'a> {
        Above { text: Some(text), at, floor, most }
    }

    /// Whether a block ends above them, near or far.
    pub fn is_below_block(self) -> bool {
        self.floor > 0
    }

    /// Whether they are all lines down from the end of a block.
    pub fn is_down_to_block(self) -> bool {
        self.is_below_block() && self.lines().count() < self.most
    }

    /// The lines without their endings, the nearest first, each with how many bytes before the line
    /// below them all it begins.
    pub fn lines(self) -> impl Iterator<Item = (usize, Cow<'a, str>)> {
        let text = self.text.filter(|_| self.most > 0);
        text.into_iter().flat_map(move |text| {
            let start = move |below: usize| Some(text.line_start_of(below.checked_sub(1)?));
            let starts = iter::successors(Some(self.at), move |below| start(*below));
            let lines = starts.clone().zip(starts.skip(1)).take(self.most);
            let above = lines.take_while(move |(_, start)| *start >= self.floor);
            above.map(move |(end, start)| (self.at - start, text.without_ending(start..end)))
        })
    }
}

/// What a line outside any block is to a dialect.
#[derive(Debug, Clone, PartialEq)]
pub enum Opening {
    /// Nothing of this dialect.
    Nothing,
    /// The start of a block, exact or (the block's own problem then) nearly so.
    Starts,
    /// Perhaps the start of a block: its reader can tell at the end, see [`Reader::is_block`].
    /// Where it is not, other dialects are asked.
    Maybe,
    /// No start, and yet something is wrong with it, whatever the lines above it are; spans count
    /// from the start of the line.
    Stray(Problem),
}

/// Follows one open block line by line.
pub trait Reader {
    /// What the next line is to the block; `next` is the line after it. Both without endings.
    fn step(&mut self, line: &str, next: &str) -> LineKind;

    /// Whether the coming lines are content whatever they say, other dialects' markers too.
    fn raw(&self) -> bool {
        false
    }

    /// Whether the block of its own dialect that breaks it off may be part of it: a person must
    /// say where it ends first.
    fn may_hold_next(&self) -> bool {
        false
    }

    /// Whether `line` would end this block if it did not be in raw content.
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

    /// How the block ended with its last line that fits, where the lines after it are looked at
    /// only for that; the scan then goes on with them.
    fn ended(&self) -> Option<BlockEnd> {
        None
    }

    /// Whether the lines were a block at all; asked when they have come to their end.
    fn is_block(&self) -> bool {
        true
    }
}

/// What a line is to an open block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
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
    /// With its end marker, and right below is what may be meant in its place.
    Followed,
    /// Without its end marker, by a start marker of its own dialect.
    Nested,
    /// Without its end marker, by another dialect's start or the end of the transcript.
    Unterminated,
    /// It is larger than a block may be; only its first lines are looked at.
    TooLarge,
}
