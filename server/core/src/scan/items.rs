//! Everything that a scan found, in chunks that its copies share.
//!
//! Places count from the start of a chunk, so that an edit makes anew the chunk that it falls into
//! and moves the others as a whole.

use std::ops::Range;
use std::sync::Arc;

use super::before::Before;
use super::stray::Stray;
use super::{Block, Carry, Found, Item};
use crate::dialect::Role;
use crate::dialect::turns::Styles;
use crate::text::work;

/// A number that grows along a transcript; an item keeps its own as long as it is kept.
pub(crate) type Rank = u64;

/// How many items a chunk holds at most; a quarter of it at least, unless it is the only one.
const MOST: usize = if cfg!(test) { 8 } else { 64 };
/// The room between two ranks in a fresh scan; little in tests, so that they see it run out.
const GAP: Rank = if cfg!(test) { 4 } else { 1 << 32 };

/// The items of a scan, in order. A clone shares the chunks.
#[derive(Clone, Default)]
pub(crate) struct Items {
    pieces: Vec<Piece>,
}

/// A chunk, and what is before it.
#[derive(Clone)]
pub(crate) struct Piece {
    /// The chunk.
    pub chunk: Arc<Chunk>,
    /// What the chunk's places count from.
    pub origin: usize,
    /// How many command blocks are before it.
    pub commands: usize,
    /// How many items are before it.
    items: usize,
}

/// Some items that follow one another, and what is to be known of all of them.
pub(crate) struct Chunk {
    items: Vec<Item>,
    ranks: Vec<Rank>,
    /// How many of them are command blocks.
    pub commands: usize,
    /// How many of them are stray markers.
    pub strays: usize,
    /// Whether one of them ends a thought that nothing has begun.
    pub ends_thought: bool,
    /// How the heads of the model's messages are written if blocks among them are in those of the
    /// person who asks.
    pub asked: Styles,
    /// How many of them leave raw text open.
    pub open: usize,
    /// How many blocks of dialects whose blocks are answered together there are.
    pub together: usize,
    /// How many blocks and replies there are by which any document is a chat.
    pub strong: usize,
    /// The end of all text that had a say in them.
    reach: usize,
}

impl Items {
    /// The chunks, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The item of that index, in terms of the transcript.
    pub fn get(&self, index: usize) -> Option<Item> {
        let piece = self.pieces.get(self.piece_of(index))?;
        piece.chunk.items.get(index - piece.items).map(|item| item.moved(0, piece.origin))
    }

    /// All of them, in terms of the transcript, in order.
    pub fn iter(&self) -> impl Iterator<Item = Item> + '_ {
        self.pieces.iter().flat_map(Piece::iter)
    }

    /// How many items start before `offset`.
    pub fn before(&self, offset: usize) -> usize {
        let piece = self.pieces.partition_point(|piece| piece.origin < offset);
        let Some(piece) = piece.checked_sub(1).map(|at| &self.pieces[at]) else { return 0 };
        let inside = |item: &Item| piece.origin + item.start < offset;
        piece.items + piece.chunk.items.partition_point(inside)
    }

    /// What is left to the item of that index by those before it.
    pub fn carry_before(&self, index: usize) -> Carry {
        index
            .checked_sub(1)
            .and_then(|before| self.get(before))
            .map(|item| item.carry)
            .unwrap_or_default()
    }

    /// The block before the item of that index and before `at`, where the scan was then; one that
    /// ends before `floor` need not be found.
    pub fn block_before(&self, index: usize, at: usize, floor: usize) -> Before {
        let mut before = Before::default();
        let items = (0..index).rev().map_while(|index| self.get(index));
        for item in items.take_while(|item| item.resume >= floor) {
            work::add(1);
            if matches!(item.found, Found::Block(_)) {
                before.pass(&item);
                before.below = before.below.filter(|_| item.resume == at);
                break;
            }
        }
        before
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.pieces.last().map_or(0, |piece| piece.items + piece.chunk.items.len())
    }

    /// How many command blocks are among the items before that one.
    pub fn commands_before(&self, index: usize) -> usize {
        let Some(piece) = self.pieces.get(self.piece_of(index)) else { return 0 };
        let before = piece.chunk.items.iter().take(index - piece.items);
        piece.commands + before.filter(|item| item.is_command()).count()
    }

    /// The item that is the command block of that index.
    pub fn index_of_command(&self, index: usize) -> Option<usize> {
        let at = self.pieces.partition_point(|piece| piece.commands <= index).checked_sub(1)?;
        let piece = &self.pieces[at];
        let mut commands =
            (piece.items..).zip(&piece.chunk.items).filter(|(_, it)| it.is_command());
        commands.nth(index - piece.commands).map(|(item, _)| item)
    }

    /// Drops all items from that one on.
    pub fn truncate(&mut self, len: usize) {
        let end = self.len();
        if len < end {
            self.splice(len..end, Vec::new(), 0, 0);
        }
    }

    /// The first of the items before `end`, or of those after it, with which a scan from `offset`
    /// on must begin so that it begins in no raw text that a block before it leaves open; and
    /// where that is.
    pub fn first_holding(&self, offset: usize, end: usize) -> (usize, usize) {
        let (mut first, mut start) = (end, offset);
        for piece in self.pieces[..self.pieces.partition_point(|it| it.items < end)].iter().rev() {
            work::add(1);
            if piece.chunk.open == 0 || piece.origin + piece.chunk.reach <= start {
                continue;
            }
            let items = (piece.items..end).zip(&piece.chunk.items);
            for (index, item) in items.collect::<Vec<_>>().into_iter().rev() {
                if piece.origin + item.holds() > start {
                    (first, start) = (index, piece.origin + item.start);
                }
            }
        }
        (first, start)
    }

    /// The first of the items before `end` in which text after `offset` has a say.
    pub fn first_reaching(&self, offset: usize, end: usize) -> Option<usize> {
        let reaches = |piece: &&Piece| piece.origin + piece.chunk.reach > offset;
        let piece = self.pieces.iter().find(reaches)?;
        let reaches = |item: &Item| piece.origin + item.reach > offset;
        let found = piece.items + piece.chunk.items.iter().position(reaches)?;
        (found < end).then_some(found)
    }

    /// Puts `found` in the place of some items; those after them move from `old` to `new`.
    pub fn splice(&mut self, gone: Range<usize>, found: Vec<Item>, old: usize, new: usize) {
        let ranks = self.ranks_for(&gone, found.len());
        let renumber = ranks.is_none();
        let ranks = ranks.unwrap_or_else(|| vec![0; found.len()]);
        let touched = self.touched(&gone, found.len());

        let mut items = Vec::new();
        let mut after = Vec::new();
        for piece in &self.pieces[touched.clone()] {
            for (at, (rank, item)) in piece.chunk.ranked().enumerate() {
                let item = item.moved(0, piece.origin);
                match piece.items + at {
                    index if index < gone.start => items.push((rank, item)),
                    index if index >= gone.end => after.push((rank, item.moved(old, new))),
                    _ => {}
                }
            }
        }
        items.extend(ranks.into_iter().zip(found));
        items.extend(after);

        let pieces = pieces(items);
        let rest = touched.start + pieces.len();
        let start = touched.start;
        self.pieces.splice(touched, pieces);
        for piece in &mut self.pieces[rest..] {
            piece.origin = piece.origin - old + new;
        }
        self.count_from(start);
        if renumber {
            self.renumber();
        }
    }

    /// The chunks that an edit makes anew: those that lose items, and a neighbour for what would
    /// be too small a chunk.
    fn touched(&self, gone: &Range<usize>, found: usize) -> Range<usize> {
        let from = self.piece_of(gone.start);
        let to = self.pieces.partition_point(|piece| piece.items < gone.end);
        let mut touched = from..to.max(from + 1).min(self.pieces.len());
        let size = |touched: &Range<usize>| {
            let held = self.pieces[touched.clone()].iter().map(|piece| piece.chunk.items.len());
            held.sum::<usize>() - gone.len() + found
        };
        while size(&touched) < MOST / 4 {
            if touched.end < self.pieces.len() {
                touched.end += 1;
            } else if touched.start > 0 {
                touched.start -= 1;
            } else {
                break;
            }
        }
        touched
    }

    /// Ranks for `count` items in the place of others: theirs where they are as many, else some
    /// between the neighbours'; `None` where there is no room.
    fn ranks_for(&self, gone: &Range<usize>, count: usize) -> Option<Vec<Rank>> {
        if count == gone.len() {
            return gone.clone().map(|index| self.rank(index)).collect();
        }
        let low = gone.start.checked_sub(1).and_then(|index| self.rank(index)).unwrap_or(0);
        let step = match self.rank(gone.end) {
            Some(high) => (high - low) / (count as Rank + 1),
            None => GAP,
        };
        let rank = |nth: usize| low.checked_add(step.checked_mul(nth as Rank)?);
        if step == 0 { None } else { (1..=count).map(rank).collect() }
    }

    fn rank(&self, index: usize) -> Option<Rank> {
        let piece = self.pieces.get(self.piece_of(index))?;
        piece.chunk.ranks.get(index - piece.items).copied()
    }

    /// Gives every item a new rank, with room between them.
    fn renumber(&mut self) {
        let items = self.iter().zip(1..).map(|(item, nth)| (nth * GAP, item)).collect();
        self.pieces = pieces(items);
        self.count_from(0);
    }

    /// The chunk that an item is in; the last one for an index beyond the end.
    fn piece_of(&self, index: usize) -> usize {
        self.pieces.partition_point(|piece| piece.items <= index).saturating_sub(1)
    }

    /// Counts again what is before each chunk from one on.
    fn count_from(&mut self, first: usize) {
        let before = first.checked_sub(1).map(|at| &self.pieces[at]);
        let (mut items, mut commands) = before.map_or((0, 0), |piece| {
            (piece.items + piece.chunk.items.len(), piece.commands + piece.chunk.commands)
        });
        for piece in &mut self.pieces[first..] {
            (piece.items, piece.commands) = (items, commands);
            items += piece.chunk.items.len();
            commands += piece.chunk.commands;
        }
    }
}

impl FromIterator<Item> for Items {
    fn from_iter<I: IntoIterator<Item = Item>>(found: I) -> Items {
        // Chunk by chunk, since there may be very many.
        let (mut items, mut open) = (Items::default(), Vec::with_capacity(2 * MOST));
        for (item, nth) in found.into_iter().zip(1..) {
            open.push((nth * GAP, item));
            if open.len() == 2 * MOST {
                let rest = open.split_off(MOST);
                items.pieces.extend(pieces(std::mem::replace(&mut open, rest)));
            }
        }
        items.pieces.extend(pieces(open));
        items.count_from(0);
        items
    }
}

/// Items in chunks that are about as large as one another.
fn pieces(items: Vec<(Rank, Item)>) -> Vec<Piece> {
    let size = items.len().div_ceil(items.len().div_ceil(MOST).max(1)).max(1);
    let chunks = items.chunks(size).map(|items| {
        let origin = items[0].1.start;
        Piece { chunk: Arc::new(Chunk::of(items, origin)), origin, commands: 0, items: 0 }
    });
    chunks.collect()
}

impl Piece {
    /// The items, in terms of the transcript.
    pub(super) fn iter(&self) -> impl Iterator<Item = Item> + '_ {
        self.chunk.items.iter().map(|item| item.moved(0, self.origin))
    }

    /// The command blocks with their ranks and places.
    pub fn commands(&self) -> impl Iterator<Item = (Rank, usize, &Arc<Block>)> {
        self.chunk.ranked().filter_map(|(rank, item)| match &item.found {
            Found::Block(block) if block.parsed.role == Role::Command => {
                Some((rank, self.origin + item.start, block))
            }
            _ => None,
        })
    }

    /// The replies with their ranks and places.
    pub fn replies(&self) -> impl Iterator<Item = (Rank, usize, &Arc<Block>)> {
        self.chunk.ranked().filter_map(|(rank, item)| match &item.found {
            Found::Block(block) if block.parsed.role != Role::Command => {
                Some((rank, self.origin + item.start, block))
            }
            _ => None,
        })
    }

    /// The stray markers with their places.
    pub(super) fn strays(&self) -> impl Iterator<Item = (usize, &Stray)> {
        self.chunk.items.iter().filter_map(|item| match &item.found {
            Found::Stray(stray) => Some((self.origin + item.start, stray.as_ref())),
            Found::Block(_) | Found::ThoughtEnd(_) | Found::Nothing => None,
        })
    }

    /// The rank of the first item.
    pub fn rank(&self) -> Rank {
        self.chunk.ranks.first().copied().unwrap_or_default()
    }
}

impl Chunk {
    fn of(items: &[(Rank, Item)], origin: usize) -> Chunk {
        let blocks = || {
            items.iter().filter_map(|(_, item)| match &item.found {
                Found::Block(block) => Some(block),
                Found::Stray(_) | Found::ThoughtEnd(_) | Found::Nothing => None,
            })
        };
        let stray = |(_, item): &&(Rank, Item)| matches!(item.found, Found::Stray(_));
        let ends = |(_, item): &(Rank, Item)| matches!(item.found, Found::ThoughtEnd(_));
        Chunk {
            commands: blocks().filter(|block| block.parsed.role == Role::Command).count(),
            strays: items.iter().filter(stray).count(),
            ends_thought: items.iter().any(ends),
            asked: blocks()
                .map(|block| block.parsed.asked)
                .filter(|asked| *asked != Styles::SURE)
                .fold(Styles::default(), Styles::with),
            open: blocks().filter(|block| block.raw_until.is_some()).count(),
            together: blocks()
                .filter(|block| block.dialect.rules().reply.answers_several())
                .count(),
            strong: blocks().filter(|block| !block.dialect.rules().in_chats_only).count(),
            reach: items.iter().map(|(_, item)| item.reach).max().unwrap_or(origin) - origin,
            ranks: items.iter().map(|(rank, _)| *rank).collect(),
            items: items.iter().map(|(_, item)| item.moved(origin, 0)).collect(),
        }
    }

    fn ranked(&self) -> impl Iterator<Item = (Rank, &Item)> {
        self.ranks.iter().copied().zip(&self.items)
    }
}

#[cfg(test)]
impl Items {
    /// Fails where the chunks are not what they are said to be.
    pub fn check(&self) {
        let (mut items, mut commands, mut rank) = (0, 0, 0);
        for piece in &self.pieces {
            assert_eq!((piece.items, piece.commands), (items, commands));
            items += piece.chunk.items.len();
            commands += piece.commands().count();
            assert!(piece.chunk.items.len() <= MOST);
            assert!(piece.chunk.items.len() >= MOST / 4 || self.pieces.len() == 1);
            assert_eq!(piece.chunk.items.first().map(|item| item.start), Some(0));
            for next in &piece.chunk.ranks {
                assert!(rank < *next, "{rank} before {next}");
                rank = *next;
            }
            let ranked = piece.chunk.ranked().map(|(rank, item)| (rank, item.clone()));
            let same = Chunk::of(&ranked.collect::<Vec<_>>(), 0);
            let sums = |chunk: &Chunk| (chunk.commands, chunk.strays, chunk.open, chunk.reach);
            assert_eq!(sums(&same), sums(&piece.chunk));
        }
    }
}
