//! The one pass that finds blocks, and finds them again after an edit.

mod endings;
mod items;
mod pass;
mod window;

use std::sync::Arc;

use crate::dialect::{BlockEnd, Dialect, Dialects, Parsed};
use crate::limits::Limits;
use crate::problem::{self, Problem};
use crate::text::{Span, Text};
use items::Items;
use pass::Pass;

pub(crate) use items::{Piece, Rank};

/// Everything found in a transcript, in document order.
///
/// The same text gives the same result, whether it was scanned at once or edited into being. A
/// clone is cheap: it shares what the next edit leaves alone.
#[derive(Clone, Default)]
pub struct Scan {
    items: Items,
    /// The blocks whose unended raw text other blocks stand in, which are not in it themselves.
    open: Vec<Open>,
    problem: Option<Problem>,
    blocks: usize,
}

/// Raw text without an end.
#[derive(Clone)]
struct Open {
    /// The block that leaves it open.
    index: usize,
    until: usize,
}

/// A block, a reply, a stray marker or nothing, and the text that it was found by.
#[derive(Clone)]
struct Item {
    start: usize,
    /// Where the scan went on after it.
    resume: usize,
    /// The end of all text that had a say in it; at least `resume`.
    reach: usize,
    found: Found,
    /// What the next block is left with once this item is passed, see [`Parsed::leaves`].
    carry: Carry,
}

/// The path that blocks leave to one another.
type Carry = Option<Arc<str>>;

#[derive(Clone)]
enum Found {
    Block(Arc<Block>),
    Stray(Arc<Problem>),
    /// What could have been a block is none: an edit may make it one.
    Nothing,
}

/// One block, in terms of its own first byte, so that edits before it change nothing in it.
pub struct Block {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// The length in bytes: from the first marker's line to the last line that belongs to it,
    /// without that line's ending.
    pub len: usize,
    /// The length with the last line's ending, where it has one.
    pub whole: usize,
    /// How it came to its end.
    pub end: BlockEnd,
    /// What it says.
    pub parsed: Parsed,
    /// Where the raw text that it left open ends, for a block whose raw content has no end.
    pub raw_until: Option<usize>,
}

/// A command block where it stands.
#[derive(Clone)]
pub struct Placed {
    /// The block's 0-based index among the transcript's command blocks.
    pub index: usize,
    /// Where it is in the transcript.
    pub span: Span,
    /// The block.
    pub block: Arc<Block>,
    /// The block whose unended raw text this one stands in, and so may be part of.
    pub inside: Option<usize>,
}

impl Scan {
    /// Finds everything in `text`.
    pub fn new(text: &Text, dialects: &Dialects, limits: &Limits) -> Scan {
        let mut scan = Scan { blocks: limits.blocks, ..Scan::default() };
        if text.len() > limits.transcript_bytes {
            scan.problem = Some(too_large(text, limits));
            return scan;
        }
        let mut pass = Pass::new(text, dialects, limits, 0, None);
        scan.items = std::iter::from_fn(|| pass.next_before(text.len())).collect();
        scan.open = scan.open_blocks();
        scan
    }

    /// Finds again what an edit may have changed, and nothing more.
    ///
    /// `text` is the text after the edit, `old` the bytes that it replaced, `new_len` the length
    /// of what stands there now.
    pub fn edit(
        &mut self,
        text: &Text,
        old: Span,
        new_len: usize,
        dialects: &Dialects,
        limits: &Limits,
    ) {
        if self.problem.is_some() || text.len() > limits.transcript_bytes {
            *self = Scan::new(text, dialects, limits);
            return;
        }
        let new_end = old.start + new_len;
        let shift = |offset: usize| offset - old.end + new_end;

        // A line's meaning hangs on itself and the next one: two lines before the edit are safe.
        let line = text.line_of(old.start);
        let mut start = text.line_start(line.saturating_sub(2)).min(old.start);
        let mut kept = self.items.before(start);
        while let Some(first) = self.items.first_reaching(start, kept) {
            kept = first;
            start = self.items.get(first).map_or(start, |item| item.start);
        }

        let mut until = text.line_start(text.line_of(new_end) + 2);
        let mut pass = Pass::new(text, dialects, limits, start, self.items.carry_before(kept));
        let mut found = Vec::new();
        let mut next = kept;
        loop {
            while let Some(item) = pass.next_before(until) {
                found.push(item);
            }
            // What the old scan found before this point is gone. Where something, old or new, has
            // a say in the text after it, the old scan's view of that text does not hold.
            let at = pass.at();
            let mut reach = found.iter().map(|item| item.reach).fold(at, usize::max);
            while let Some(item) = self.items.get(next)
                && (item.start < old.end || shift(item.start) < at)
            {
                if item.reach >= old.end {
                    reach = reach.max(shift(item.reach));
                }
                next += 1;
            }
            if at >= text.len() {
                break;
            }
            // What is left to the blocks after this point has to be what it was, too.
            let following = self
                .items
                .get(next)
                .filter(|_| reach <= at && *pass.carry() != self.items.carry_before(next));
            match following {
                Some(item) => reach = reach.max(shift(item.resume)),
                None if reach <= at => break,
                None => {}
            }
            until = text.line_start(text.line_of(reach) + 2);
        }
        self.splice(kept..next, found, &old, new_end);
    }

    /// Takes over the blocks of another scan of the same text where both found the same, so that
    /// they keep their identity.
    pub fn keep_known(&mut self, known: &Scan) {
        let nowhere = usize::MAX..usize::MAX;
        let keep = |mut item: Item| {
            let at = known.items.before(item.start);
            if let Some(known) =
                known.items.get(at).filter(|known| known.is_same(&item, &nowhere, 0))
            {
                item.found = known.found;
            }
            item
        };
        self.items = self.items.iter().map(keep).collect();
    }

    /// Puts `found` in the place of some items and moves the ones after them.
    fn splice(
        &mut self,
        gone: std::ops::Range<usize>,
        mut found: Vec<Item>,
        old: &Span,
        new: usize,
    ) {
        let known: Vec<Item> = gone.clone().filter_map(|index| self.items.get(index)).collect();
        for item in &mut found {
            if let Some(other) = known.iter().find(|other| other.is_same(item, old, new)) {
                item.found = other.found.clone();
            }
        }
        self.items.splice(gone, found, old.end, new);
        self.open = self.open_blocks();
    }

    /// The command blocks, in order; at most as many as the limit says.
    pub fn blocks(&self) -> impl Iterator<Item = Placed> + '_ {
        let placed = |(index, (_, start, block))| self.placed(index, start, block);
        self.commands().enumerate().take(self.blocks).map(placed)
    }

    /// The last command block of a dialect whose blocks are answered together.
    pub fn last_of(&self, dialect: &str) -> Option<Placed> {
        let pieces = self.pieces().iter().rev().filter(|piece| piece.chunk.together > 0);
        pieces.into_iter().find_map(|piece| {
            let blocks = (piece.commands..).zip(piece.commands()).take(self.looked_at(piece));
            let own = blocks.filter(|(_, (_, _, block))| block.dialect.name() == dialect);
            own.last().map(|(index, (_, start, block))| self.placed(index, start, block))
        })
    }

    /// A command block where it stands.
    pub(crate) fn placed(&self, index: usize, start: usize, block: &Arc<Block>) -> Placed {
        let inside = self.inside(index, start);
        Placed { index, span: start..start + block.len, block: block.clone(), inside }
    }

    /// The block in whose unended raw text another one stands.
    pub(crate) fn inside(&self, index: usize, start: usize) -> Option<usize> {
        let before = self.open.partition_point(|open| open.index < index);
        let open = &self.open[before.checked_sub(1)?];
        (start < open.until).then_some(open.index)
    }

    /// Whether some block leaves raw text open.
    pub(crate) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    fn open_blocks(&self) -> Vec<Open> {
        let mut open: Vec<Open> = Vec::new();
        for piece in self.items.pieces().iter().filter(|piece| piece.chunk.open > 0) {
            for (index, (_, start, block)) in (piece.commands..).zip(piece.commands()) {
                let Some(until) = block.raw_until else { continue };
                if open.last().is_none_or(|open| open.until <= start) {
                    open.push(Open { index, until: start + until });
                }
            }
        }
        open
    }

    /// The chunks that everything was found in.
    pub(crate) fn pieces(&self) -> &[Piece] {
        self.items.pieces()
    }

    /// How many command blocks of a chunk are looked at.
    pub(crate) fn looked_at(&self, piece: &Piece) -> usize {
        piece.chunk.commands.min(self.blocks.saturating_sub(piece.commands))
    }

    /// The replies that stand in the transcript, in order.
    pub fn reply_blocks(&self) -> impl Iterator<Item = (Span, &Arc<Block>)> {
        let replies = self.pieces().iter().flat_map(Piece::replies);
        replies.map(|(_, start, block)| (start..start + block.len, block))
    }

    /// The problems that belong to no block: stray markers, limits.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        let pieces = self.pieces().iter().filter(|piece| piece.chunk.strays > 0);
        let stray = pieces.flat_map(Piece::iter).filter_map(|item| match item.found {
            Found::Stray(problem) => Some(problem.as_ref().clone().shifted(item.start)),
            Found::Block(_) | Found::Nothing => None,
        });
        let too_many = self.command(self.blocks).map(|(start, block)| {
            Problem::new(
                problem::SCAN_TOO_MANY_BLOCKS,
                start..start + block.len,
                format!(
                    "this transcript has more than {} blocks: this one and those after it are not \
                     looked at; split the transcript",
                    self.blocks
                ),
            )
        });
        self.problem.clone().into_iter().chain(stray).chain(too_many)
    }

    /// The place of the command block of that index, and the block; limits do not count.
    fn command(&self, index: usize) -> Option<(usize, &Arc<Block>)> {
        let at = self.pieces().partition_point(|piece| piece.commands <= index).checked_sub(1)?;
        let piece = &self.pieces()[at];
        piece.commands().nth(index - piece.commands).map(|(_, start, block)| (start, block))
    }

    fn commands(&self) -> impl Iterator<Item = (Rank, usize, &Arc<Block>)> {
        self.pieces().iter().flat_map(Piece::commands)
    }
}

impl Item {
    /// The same with every place counted from another origin.
    fn moved(&self, from: usize, to: usize) -> Item {
        let moved = |place: usize| place - from + to;
        Item {
            start: moved(self.start),
            resume: moved(self.resume),
            reach: moved(self.reach),
            found: self.found.clone(),
            carry: self.carry.clone(),
        }
    }

    /// Whether it is `new` as it was before the edit: the same bytes, found the same way.
    fn is_same(&self, new: &Item, old: &Span, new_end: usize) -> bool {
        let (Found::Block(was), Found::Block(is)) = (&self.found, &new.found) else { return false };
        let end = self.start + was.len;
        let start = if end <= old.start {
            self.start
        } else if self.start >= old.end {
            self.start - old.end + new_end
        } else {
            return false;
        };
        start == new.start
            && (was.len, was.whole, was.end) == (is.len, is.whole, is.end)
            && was.raw_until == is.raw_until
            && was.parsed.path == is.parsed.path
            && was.dialect.name() == is.dialect.name()
    }
}

impl Block {
    /// Whether the same text was read in the same way.
    pub fn is(&self, other: &Arc<Block>) -> bool {
        std::ptr::eq(self, Arc::as_ptr(other))
    }
}

fn too_large(text: &Text, limits: &Limits) -> Problem {
    Problem::new(
        problem::SCAN_TRANSCRIPT_TOO_LARGE,
        0..text.line(0).len(),
        // Its size is not said: who reads a file stops beyond the limit.
        format!(
            "this transcript has more than {} bytes, the limit: it is not looked at; split it",
            limits.transcript_bytes
        ),
    )
}

#[cfg(test)]
pub(crate) mod tests;
