//! Makes the review of a transcript from the one before it, from what has changed alone.
//!
//! A fresh review is an update of an empty one. What a block comes to hangs on the block, on the
//! workspace, and on other blocks by what they share with it: an id, a path. The index leads from
//! a block that has changed to those that share something with it, and to no others.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;

use super::book::{Book, numbers};
use super::entry::{Entry, Page, Pages};
use super::index::{Index, Said, id};
use super::memory::{Seen, look};
use super::order::{Turn, groups, in_order};
use super::place::open_command;
use super::reviewer::{Bar, BlockKey, key};
use super::{Review, Status};
use crate::dialect::Role;
use crate::ledger::BlockId;
use crate::limits::Limits;
use crate::scan::{Block, Piece, Rank, Scan};
use crate::snapshot::{FilePath, Snapshot};
use crate::spec::Effect;

/// What blocks are judged by.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub snapshot: &'a dyn Snapshot,
    pub limits: &'a Limits,
    pub bar: Bar<'a>,
}

/// The last review, and where everything stands in it.
#[derive(Default)]
pub struct Known {
    pub review: Review,
    pub index: Index,
    /// The entries that were replaced by reviews that were cancelled before they looked at what
    /// that means for the order of blocks.
    unordered: Vec<Arc<Entry>>,
}

/// An update under way.
pub struct Update<'a> {
    seen: &'a mut HashMap<BlockKey, Seen>,
    known: Known,
    given: Given<'a>,
    /// What was done before, where it is kept.
    book: Option<&'a mut Book>,
    /// The blocks that have to be looked at.
    due: BTreeSet<Rank>,
    /// What is known of blocks that are gone or, with another rank, are there again.
    left: HashMap<BlockKey, Seen>,
    /// The blocks that stand in unended raw text now and did not, or the other way round.
    turned: BTreeSet<Rank>,
    /// The entries in whose place others stand now, or none.
    replaced: Vec<Arc<Entry>>,
    /// The numbers of blocks among equal ones, where a ledger is asked.
    numbers: HashMap<Rank, u32>,
}

impl<'a> Update<'a> {
    /// An update of what is `known` that looks at the blocks that are `due`.
    pub fn new(
        seen: &'a mut HashMap<BlockKey, Seen>,
        known: Known,
        due: BTreeSet<Rank>,
        given: Given<'a>,
        book: Option<&'a mut Book>,
    ) -> Update<'a> {
        let (left, turned, numbers) = Default::default();
        let mut known = known;
        let replaced = std::mem::take(&mut known.unordered);
        Update { seen, known, given, book, due, left, turned, replaced, numbers }
    }

    /// The review of `scan`, and the blocks that the next one has to look at because this one was
    /// cancelled.
    pub fn run(mut self, scan: &Scan) -> (Known, BTreeSet<Rank>) {
        self.take_in(scan);
        let mut concerned = self.known.index.concerned();
        concerned.retain(|rank| !self.stays_superseded(*rank));
        self.due.extend(concerned);
        self.look_at_what_was_done(scan);
        let due = std::mem::take(&mut self.due);
        self.due = due.into_iter().filter(|rank| self.judge(*rank)).collect();
        self.look_for_reads();
        self.put_in_order();
        self.known.index.settle();
        match self.is_cancelled() {
            true => (Known { unordered: self.replaced, ..self.known }, self.due),
            false => (self.known, BTreeSet::new()),
        }
    }

    /// Asks the ledger whether what the blocks that are due have done stands.
    fn look_at_what_was_done(&mut self, scan: &Scan) {
        let Some(book) = self.book.as_deref_mut() else { return };
        self.numbers = numbers(scan);
        if book.is_empty() {
            return;
        }
        let id = |rank: &Rank| {
            let nth = self.numbers.get(rank).copied().unwrap_or(0);
            let entry = self.known.review.pages.get(*rank)?;
            Some(BlockId { text: entry.block.digest, nth })
        };
        let blocks: Vec<BlockId> = self.due.iter().filter_map(id).collect();
        book.look(&blocks, self.given.snapshot);
    }

    fn is_cancelled(&self) -> bool {
        self.given.limits.cancel.is_cancelled()
    }

    /// Takes in the chunks of a scan that the last review does not know; their blocks are due.
    fn take_in(&mut self, scan: &Scan) {
        let last = std::mem::replace(&mut self.known.review.scan, scan.clone());
        let (first, end) = unchanged(&last, scan);
        let old = first..last.pieces().len() - end;
        let new = &scan.pieces()[first..scan.pieces().len() - end];

        self.take_replies(&last.pieces()[old.clone()], false);
        self.take_replies(new, true);
        self.take_blocks(scan, old, new);
        if last.has_open() || scan.has_open() {
            self.turned = self.turned_in(scan);
            self.due.extend(&self.turned);
        }
    }

    /// Takes in the replies of some chunks, or out where they are not `there` any more.
    fn take_replies(&mut self, pieces: &[Piece], there: bool) {
        for (rank, _, reply) in pieces.iter().flat_map(Piece::replies) {
            if let (Some(id), Role::Reply { ok, refused }) = (id(reply), reply.parsed.role) {
                let stated = reply.parsed.stated.clone();
                self.known.index.set_reply(rank, id, Said { ok, refused, stated }, there);
            }
        }
    }

    /// Takes in the blocks of the chunks `new`, in the place of the pages `old`.
    fn take_blocks(&mut self, scan: &Scan, old: Range<usize>, new: &[Piece]) {
        let Known { review, index, .. } = &mut self.known;
        let first = old.start;
        let gone = review.pages.splice(old, Vec::new());
        let mut gone: HashMap<Rank, Arc<Entry>> =
            Pages::of(&gone).map(|(rank, entry)| (rank, entry.clone())).collect();
        let mut come = Vec::new();
        let mut entry = |rank: Rank, block: &Arc<Block>| {
            let is_known = gone.get(&rank).is_some_and(|entry| Arc::ptr_eq(&entry.block, block));
            let kept = if is_known { gone.remove(&rank) } else { None };
            kept.unwrap_or_else(|| {
                come.push((rank, block.clone()));
                Arc::new(Entry::new(block.clone()))
            })
        };
        let page = |piece: &Piece| {
            let blocks = piece.commands().take(scan.looked_at(piece));
            let entries = blocks.map(|(rank, _, block)| (rank, entry(rank, block)));
            Arc::new(Page::new(piece.rank(), entries))
        };
        review.pages.splice(first..first, new.iter().map(page).collect());

        if come.len() == review.len() {
            index.note_nothing();
        }
        for (rank, entry) in gone {
            index.set_block(rank, &entry.block, false);
            index.set_entry(rank, &entry, false);
            let key = key(&entry.block);
            self.left.extend(self.seen.remove(&key).map(|seen| (key, seen)));
            self.replaced.push(entry);
        }
        for (rank, block) in come {
            index.set_block(rank, &block, true);
            self.due.insert(rank);
        }
    }

    fn stays_superseded(&self, rank: Rank) -> bool {
        let Known { review, index, .. } = &self.known;
        let entry = review.pages.get(rank);
        let entry = entry.filter(|entry| entry.status == Status::Superseded);
        entry.is_some_and(|entry| index.is_superseded(rank, &entry.block))
    }

    /// The blocks that stand in unended raw text now and did not, or the other way round.
    fn turned_in(&self, scan: &Scan) -> BTreeSet<Rank> {
        let blocks = scan.pieces().iter().flat_map(|piece| piece.commands()).enumerate();
        let entries = self.known.review.pages.entries().zip(blocks);
        let turned = entries.filter(|((_, entry), (index, (_, start, _)))| {
            entry.inside != scan.inside(*index, *start).is_some()
        });
        turned.map(|((rank, _), _)| rank).collect()
    }

    /// Finds out where a block stands, by what the index says of the others; gives whether there
    /// is such a block.
    fn judge(&mut self, rank: Rank) -> bool {
        let Known { review, index, .. } = &mut self.known;
        let Some(old) = review.pages.get(rank).cloned() else { return false };
        let Given { snapshot, limits, bar } = self.given;
        let book = self.book.as_deref();
        let block = &old.block;
        let key = key(block);
        let known = self.seen.remove(&key).or_else(|| self.left.remove(&key));
        let inside = old.inside != self.turned.contains(&rank);
        let nth = self.numbers.get(&rank).copied().unwrap_or(0);
        let mut new = Entry { inside, nth, ..Entry::new(block.clone()) };
        match open_command(block, inside, index.is_superseded(rank, block)) {
            Err(status) => new.status = status,
            // It is due again. What history knows of it is kept.
            Ok(_) if limits.cancel.is_cancelled() => {
                new.status = Status::Blocked;
                if let Some(mut known) = known {
                    known.rank = rank;
                    self.seen.insert(key, known);
                }
            }
            Ok(command) => {
                let mut known = look(known, block, command, snapshot, limits);
                let reply = index.reply(rank, block);
                new.by = book.and_then(|book| book.applied(block, nth, &known.judgement.looked_at));
                // A look at files can be had again at any time, and hides nothing.
                let acts = matches!(block.parsed.effect, Some(Effect::Write | Effect::Exec));
                let claims = reply.clone().filter(|it| acts && (it.ok || it.refused));
                let claims = claims.map(|mut said| {
                    // A fingerprint that stands above may have been copied from there.
                    said.stated.retain(|it| {
                        command.base != Some(*it) && !index.is_stated_before(rank, *it)
                    });
                    said
                });
                let claims = claims.filter(|_| !known.is_known());
                new.unverified = book.zip(claims).is_some_and(|(book, said)| {
                    !book.verifies(block, nth, &said, &known.judgement, snapshot)
                });
                let reply = reply.filter(|_| !new.unverified);
                let status = match new.by {
                    Some(_) => Status::Applied,
                    None => known.status(reply.as_ref()),
                };
                new.status = status;
                let says_so = reply.is_some_and(|reply| reply.ok) || known.is_written();
                new.answered = status == Status::Applied && says_so;
                new.judgement = match status == known.judgement.status {
                    true => known.judgement.clone(),
                    // What is done or refused is not held against the workspace any more.
                    false => Arc::new(known.judgement.settled(status)),
                };
                if status == Status::Ready {
                    new.bar = bar(block, &new.judgement).map(Arc::new);
                }
                known.rank = rank;
                self.seen.insert(key, known);
            }
        }
        index.set_entry(rank, &old, false);
        index.set_entry(rank, &new, true);
        self.replaced.extend(review.pages.set(rank, new));
        true
    }

    /// Finds the blocks that change a file which nothing before them has read.
    fn look_for_reads(&mut self) {
        let Known { review, index, .. } = &mut self.known;
        let concerned: BTreeSet<Rank> =
            self.due.iter().copied().chain(index.read_after()).collect();
        for rank in concerned {
            let Some(entry) = review.pages.get(rank) else { continue };
            let unread = entry.changes().is_some_and(|path| !index.is_read_before(rank, path));
            if unread != entry.unread {
                review.pages.change(rank, |entry| entry.unread = unread);
            }
        }
    }

    /// Finds the blocks that are ready in their turn, among those that act on what a block acts on
    /// that has changed.
    fn put_in_order(&mut self) {
        let cancelled = self.is_cancelled();
        let Known { review, index, .. } = &mut self.known;
        if !index.has_waiting() || cancelled {
            return;
        }
        let now = self.due.iter().filter_map(|rank| review.pages.get(*rank));
        let entries = now.chain(&self.replaced);
        let paths: BTreeSet<FilePath> =
            entries.flat_map(|entry| entry.judgement.looked_at.iter().cloned()).collect();
        for group in groups(paths, index, &review.pages) {
            let found = in_order(&group, self.given.snapshot, self.given.limits);
            for ((rank, entry), Turn { after, looked_after }) in group.iter().zip(found) {
                if (entry.after, entry.looked_after) != (after, looked_after) {
                    review.pages.change(*rank, |entry| {
                        entry.after = after;
                        entry.looked_after = looked_after;
                    });
                }
            }
        }
    }
}

/// How many chunks two scans have in common at their beginning, and how many more at their end.
pub fn unchanged(old: &Scan, new: &Scan) -> (usize, usize) {
    // Where blocks come or go, the limit may fall on others.
    let same = |(a, b): &(&Piece, &Piece)| {
        Arc::ptr_eq(&a.chunk, &b.chunk) && old.looked_at(a) == new.looked_at(b)
    };
    let (old, new) = (old.pieces(), new.pieces());
    let first = old.iter().zip(new).take_while(same).count();
    let ends = old[first..].iter().rev().zip(new[first..].iter().rev());
    (first, ends.take_while(same).count())
}
