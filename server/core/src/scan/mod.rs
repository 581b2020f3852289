//! The one pass that finds blocks, and finds them again after an edit.

mod before;
mod drafts;
mod edited;
mod extent;
mod items;
mod off;
mod parts;
mod pass;
mod stray;
mod turns;
mod window;

use std::sync::Arc;

use crate::dialect::turns::{Head, Styles};
use crate::dialect::{Dialect, Dialects, ReplyStyle, Role};
use crate::limits::Limits;
use crate::parts::Parts;
use crate::problem::{self, Problem};
use crate::text::fence::OpenFence;
use crate::text::{Span, Text};
use items::Items;
use pass::Pass;
use stray::Stray;

pub(crate) use items::{Piece, Rank};

pub use crate::dialect::{Block, Placed};

/// Everything found in a transcript, in document order.
///
/// The same text gives the same result, whether it was scanned at once or edited into being. A
/// clone is cheap: it shares what the next edit leaves alone.
#[derive(Clone, Default)]
pub struct Scan {
    items: Items,
    /// The blocks whose unended raw text other blocks are in, which are not in it themselves.
    open: Vec<Open>,
    /// The thoughts of which only the end is there: what is in them is a draft.
    drafts: Vec<Span>,
    /// How the heads of the model's messages are written, where a block is below one of the person.
    model_heads: Styles,
    problem: Option<Problem>,
    /// How many blocks are looked at. The scan ends with the first one beyond them.
    blocks: usize,
    /// Whether it has ended so.
    cut: bool,
    /// Whether the dialects of chats only were searched for, too.
    is_chat: bool,
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
    /// What the next block is left with once this item is passed, see [`crate::dialect::Parsed::leaves`].
    carry: Carry,
}

/// What a transcript down to some place leaves to what comes after it.
#[derive(Clone, Default, PartialEq)]
struct Carry {
    /// The path that blocks of a dialect leave to one another.
    path: Option<(&'static str, Arc<str>)>,
    /// The fence that is open.
    fence: Option<OpenFence>,
    /// The head of the message that the block before is in, where that is of the person who asks.
    asked: Option<Head>,
}

/// The dialect of a command block, to whose reply the line right below it may belong.
type Below = &'static dyn Dialect;

#[derive(Clone)]
enum Found {
    Block(Arc<Block>),
    Stray(Arc<Stray>),
    /// The end alone of a thought that begins with this tag.
    ThoughtEnd(&'static str),
    /// What could have been a block is none: an edit may make it one.
    Nothing,
}

impl Scan {
    /// Finds everything in `text`.
    pub fn new(text: &Text, dialects: &Dialects, limits: &Limits) -> Scan {
        if let Some(strong) = dialects.strong() {
            // The first block makes it a chat: what is below it is searched for once.
            let scan = Scan::until(text, strong, limits, Item::is_block);
            if !scan.shows_a_chat() {
                return scan;
            }
        }
        Scan { is_chat: true, ..Scan::of(text, dialects, limits) }
    }

    fn of(text: &Text, dialects: &Dialects, limits: &Limits) -> Scan {
        Scan::in_parts(text, dialects, limits, Parts::default())
    }

    /// Finds everything down to the first item that is the last one wanted.
    fn until(
        text: &Text,
        dialects: &Dialects,
        limits: &Limits,
        is_last: impl Fn(&Item) -> bool,
    ) -> Scan {
        let mut scan = Scan { blocks: limits.blocks, ..Scan::default() };
        if is_too_large(text, limits) {
            scan.problem = Some(too_large(text, limits));
            return scan;
        }
        let mut pass = Pass::new(text, dialects, limits, 0, Default::default());
        let (mut commands, mut ended) = (0, false);
        scan.items = std::iter::from_fn(|| {
            let is_over = commands > limits.blocks || ended;
            let item = if is_over { None } else { pass.next_before(text.len()) }?;
            commands += usize::from(item.is_command());
            ended = is_last(&item);
            Some(item)
        })
        .collect();
        scan.cut = commands > limits.blocks;
        scan.open = scan.open_blocks();
        scan.drafts = scan.drafts_in(text);
        scan.model_heads = scan.model_heads_in(text);
        scan
    }

    /// Whether there is a block or a reply that makes any document a chat.
    fn shows_a_chat(&self) -> bool {
        self.pieces().iter().any(|piece| piece.chunk.strong > 0)
    }

    /// Takes over the blocks of another scan of the same text where both found the same, so that
    /// they keep their identity.
    pub fn keep_known(&mut self, known: &Scan) {
        let keep = |mut item: Item| {
            let at = known.items.before(item.start);
            let same = |known: &Item| known.start == item.start && known.says_the_same(&item);
            if let Some(known) = known.items.get(at).filter(same) {
                item.found = known.found;
            }
            item
        };
        self.items = self.items.iter().map(keep).collect();
    }

    /// The command blocks, in order; at most as many as the limit says.
    pub fn blocks(&self) -> impl Iterator<Item = Placed> + '_ {
        let placed = |(index, (_, start, block))| self.placed(index, start, block);
        self.commands().enumerate().take(self.blocks).map(placed)
    }

    /// The command blocks of one's family that are answered together with it, in order: those
    /// between the replies to the family before and after it.
    pub fn answered_with(&self, placed: &Placed) -> Vec<Placed> {
        let rules = placed.block.dialect.rules();
        let answer = match rules.reply {
            ReplyStyle::PerAnswer => self.answer_around(placed),
            _ => 0..usize::MAX,
        };
        let own = self.blocks().filter(|it| it.block.dialect.rules().family == rules.family);
        own.filter(|it| answer.contains(&it.span.start)).collect()
    }

    /// The problems of lines that are not blocks, in the answer that a block is in and of its
    /// family, by place.
    pub fn strays_with(&self, placed: &Placed) -> Vec<Problem> {
        let family = placed.block.dialect.rules().family;
        let answer = self.answer_around(placed);
        let strays = self.pieces().iter().flat_map(Piece::strays);
        let strays = strays.filter(|(at, it)| answer.contains(at) && it.family() == family);
        strays.filter_map(|(start, stray)| Some(stray.problem()?.shifted(start))).collect()
    }

    /// What is between the replies to a block's family that come before and after it.
    fn answer_around(&self, placed: &Placed) -> Span {
        let family = placed.block.dialect.rules().family;
        let replies = self.pieces().iter().flat_map(|piece| piece.replies());
        let replies = replies.filter(|(_, _, block)| block.dialect.rules().family == family);
        let (mut from, mut until) = (0, usize::MAX);
        for (_, start, _) in replies {
            if start < placed.span.start {
                from = start;
            } else {
                until = until.min(start);
            }
        }
        from..until
    }

    /// The last command block of a family whose blocks are answered together.
    pub fn last_of(&self, family: &str) -> Option<Placed> {
        let pieces = self.pieces().iter().rev().filter(|piece| piece.chunk.together > 0);
        pieces.into_iter().find_map(|piece| {
            let blocks = (piece.commands..).zip(piece.commands()).take(self.looked_at(piece));
            let own = blocks.filter(|(_, (_, _, block))| block.dialect.rules().family == family);
            own.last().map(|(index, (_, start, block))| self.placed(index, start, block))
        })
    }

    /// A command block where it is.
    pub(crate) fn placed(&self, index: usize, start: usize, block: &Arc<Block>) -> Placed {
        let inside = self.inside(index, start);
        let (span, is_draft) = (start..start + block.len, self.is_draft(start));
        Placed { index, span, block: block.clone(), inside, is_draft }
    }

    /// The block in whose unended raw text another one is.
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

    /// The replies that are in the transcript, in order.
    pub fn reply_blocks(&self) -> impl Iterator<Item = (Span, &Arc<Block>)> {
        let replies = self.pieces().iter().flat_map(Piece::replies);
        replies.map(|(_, start, block)| (start..start + block.len, block))
    }

    /// The reply that begins at `offset`.
    pub fn reply_at(&self, offset: usize) -> Option<Arc<Block>> {
        let item = self.items.get(self.items.before(offset)).filter(|it| it.start == offset)?;
        match item.found {
            Found::Block(block) if block.parsed.role == Role::Reply => Some(block),
            _ => None,
        }
    }

    /// The problems that belong to no block: stray markers, limits.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        let pieces = self.pieces().iter().filter(|piece| piece.chunk.strays > 0);
        let stray = pieces
            .flat_map(Piece::strays)
            .filter_map(|(start, stray)| Some(stray.problem()?.shifted(start)));
        let too_many = self.command(self.blocks).map(|(start, block)| {
            Problem::new(
                problem::SCAN_TOO_MANY_BLOCKS,
                start..start + block.len,
                format!(
                    "this transcript has more than {} blocks: this one and those after \
                     it are not read; split the transcript",
                    self.blocks
                ),
            )
        });
        self.problem.clone().into_iter().chain(stray).chain(too_many)
    }

    /// How many problems belong to no block.
    pub fn problem_count(&self) -> usize {
        let strays: usize = self.pieces().iter().map(|piece| piece.chunk.strays).sum();
        strays
            + usize::from(self.problem.is_some())
            + usize::from(self.command(self.blocks).is_some())
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

    /// Whether it is a block or a reply.
    fn is_block(&self) -> bool {
        matches!(self.found, Found::Block(_))
    }

    /// Whether it is a command block.
    fn is_command(&self) -> bool {
        matches!(&self.found, Found::Block(block) if block.parsed.role == Role::Command)
    }

    /// The end of the text in which the scan found what it did because of this item: of the raw
    /// text that a block leaves open, else of the item itself.
    fn holds(&self) -> usize {
        match &self.found {
            Found::Block(block) if block.raw_until.is_some() => self.reach,
            _ => self.resume,
        }
    }

    /// Where it would be after an edit that leaves all of it as it is.
    fn after(&self, old: &Span, new_end: usize) -> Option<usize> {
        let Found::Block(block) = &self.found else { return None };
        if self.start + block.len <= old.start {
            return Some(self.start);
        }
        (self.start >= old.end).then(|| self.start - old.end + new_end)
    }

    /// Whether it is a block that says the same as another, of the same bytes: a block's text alone
    /// does not decide, but also what comes after it and what is left to it.
    fn says_the_same(&self, other: &Item) -> bool {
        let (Found::Block(a), Found::Block(b)) = (&self.found, &other.found) else { return false };
        (a.len, a.whole, a.end, a.raw_until) == (b.len, b.whole, b.end, b.raw_until)
            && (a.digest, a.endings) == (b.digest, b.endings)
            && a.parsed.says_the_same(&b.parsed)
    }
}

/// Whether a text is too large to be looked at; beyond 4 GiB it is, whatever the limit.
fn is_too_large(text: &Text, limits: &Limits) -> bool {
    text.len() > limits.transcript_bytes.min(u32::MAX as usize)
}

fn too_large(text: &Text, limits: &Limits) -> Problem {
    Problem::new(
        problem::SCAN_TRANSCRIPT_TOO_LARGE,
        0..text.line(0).len(),
        // Its size is not said: who reads a file stops beyond the limit.
        format!(
            "this transcript has more than {} bytes, the limit; it is not read; split it",
            limits.transcript_bytes
        ),
    )
}

#[cfg(test)]
pub(crate) mod tests;
