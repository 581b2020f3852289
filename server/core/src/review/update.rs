//! Makes the review of a transcript from the one before it, from what has changed alone.
//!
//! A fresh review is an update of an empty one. What a block comes to hangs on the block, on the
//! workspace, and on other blocks by what they share with it: an id, a path. The index leads from
//! a block that has changed to those that share something with it, and to no others.

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::HashMap;

use super::Status;
use super::entry::{Entry, Page, Pages};
use super::index::Said;
use super::memory::{Seen, look};
use super::order::{groups, in_order};
use super::place::open_command;
use super::reviewer::{Bar, BlockKey, Reviewer, key};
use crate::dialect::Role;
use crate::limits::Limits;
use crate::scan::{Piece, Rank, Scan};
use crate::snapshot::{FilePath, Snapshot};

/// What blocks are judged by.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub snapshot: &'a dyn Snapshot,
    pub limits: &'a Limits,
    pub bar: Bar<'a>,
}

/// An update under way.
pub struct Update<'a> {
    reviewer: &'a mut Reviewer,
    given: Given<'a>,
    /// The blocks that have to be looked at.
    due: BTreeSet<Rank>,
    /// What is known of blocks that are gone or, with another rank, are there again.
    left: HashMap<BlockKey, Seen>,
    /// The blocks that stand in unended raw text now and did not, or the other way round.
    turned: BTreeSet<Rank>,
    /// The entries in whose place others stand now, or none.
    replaced: Vec<Arc<Entry>>,
}

impl<'a> Update<'a> {
    /// An update that looks at what is void.
    pub fn new(reviewer: &'a mut Reviewer, given: Given<'a>) -> Update<'a> {
        let due = std::mem::take(&mut reviewer.void);
        let (left, turned, replaced) = Default::default();
        Update { reviewer, given, due, left, turned, replaced }
    }

    /// Makes the last review the one of `scan`.
    pub fn run(mut self, scan: &Scan) {
        self.take_in(scan);
        let mut concerned = self.reviewer.index.concerned();
        concerned.retain(|rank| !self.stays_superseded(*rank));
        self.due.extend(concerned);
        let due = std::mem::take(&mut self.due);
        self.due = due.into_iter().filter(|rank| self.judge(*rank)).collect();
        self.look_for_reads();
        self.put_in_order();
        self.reviewer.index.settle();
    }

    /// Takes in the chunks of a scan that the last review does not know; their blocks are due.
    fn take_in(&mut self, scan: &Scan) {
        let known = std::mem::replace(&mut self.reviewer.last.scan, scan.clone());
        let same = |(old, new): &(&Piece, &Piece)| same_chunk((&known, old), (scan, new));
        let (old, new) = (known.pieces(), scan.pieces());
        let first = old.iter().zip(new).take_while(same).count();
        let ends = old[first..].iter().rev().zip(new[first..].iter().rev());
        let last = ends.take_while(same).count();
        let (old, new) = (first..old.len() - last, first..new.len() - last);

        let index = &mut self.reviewer.index;
        for (pieces, there) in
            [(&known.pieces()[old.clone()], false), (&scan.pieces()[new.clone()], true)]
        {
            for (rank, _, reply) in pieces.iter().flat_map(|piece| piece.replies()) {
                if let (Some(id), Role::Reply { ok, refused }) =
                    (&reply.parsed.id, reply.parsed.role)
                {
                    index.set_reply(rank, id, Said { ok, refused }, there);
                }
            }
        }
        let gone = self.reviewer.last.pages.splice(old, Vec::new());
        let mut gone: HashMap<Rank, Arc<Entry>> =
            Pages::of(&gone).map(|(rank, entry)| (rank, entry.clone())).collect();
        let mut come = Vec::new();
        let mut pages = Vec::new();
        for piece in &scan.pieces()[new] {
            let blocks = piece.commands().take(scan.looked_at(piece)).map(|(rank, _, block)| {
                let kept = gone.get(&rank).is_some_and(|entry| Arc::ptr_eq(&entry.block, block));
                let kept = if kept { gone.remove(&rank) } else { None };
                let entry = kept.unwrap_or_else(|| {
                    come.push((rank, block.clone()));
                    Arc::new(Entry::new(block.clone()))
                });
                (rank, entry)
            });
            pages.push(Arc::new(Page::new(piece.rank(), blocks)));
        }
        self.reviewer.last.pages.splice(first..first, pages);

        if come.len() == self.reviewer.last.len() {
            index.note_nothing();
        }
        for (rank, entry) in gone {
            index.set_block(rank, &entry.block, false);
            index.set_entry(rank, &entry, false);
            let key = key(&entry.block);
            self.left.extend(self.reviewer.seen.remove(&key).map(|seen| (key, seen)));
            self.replaced.push(entry);
        }
        for (rank, block) in come {
            index.set_block(rank, &block, true);
            self.due.insert(rank);
        }
        if known.has_open() || scan.has_open() {
            self.turned = self.turned_in(scan);
            self.due.extend(&self.turned);
        }
    }

    fn stays_superseded(&self, rank: Rank) -> bool {
        let Reviewer { last, index, .. } = &*self.reviewer;
        let entry = last.pages.get(rank);
        let entry = entry.filter(|entry| entry.status == Status::Superseded);
        entry.is_some_and(|entry| index.is_superseded(rank, &entry.block))
    }

    /// The blocks that stand in unended raw text now and did not, or the other way round.
    fn turned_in(&self, scan: &Scan) -> BTreeSet<Rank> {
        let blocks = scan.pieces().iter().flat_map(|piece| piece.commands()).enumerate();
        let entries = self.reviewer.last.pages.entries().zip(blocks);
        let turned = entries.filter(|((_, entry), (index, (_, start, _)))| {
            entry.inside != scan.inside(*index, *start).is_some()
        });
        turned.map(|((rank, _), _)| rank).collect()
    }

    /// Finds out where a block stands, by what the index says of the others; gives whether there
    /// is such a block.
    fn judge(&mut self, rank: Rank) -> bool {
        let Reviewer { seen, last, index, .. } = &mut *self.reviewer;
        let Some(old) = last.pages.get(rank).cloned() else { return false };
        let Given { snapshot, limits, bar } = self.given;
        let block = &old.block;
        let key = key(block);
        let known = seen.remove(&key).or_else(|| self.left.remove(&key));
        let inside = old.inside != self.turned.contains(&rank);
        let mut new = Entry { inside, ..Entry::new(block.clone()) };
        match open_command(block, inside, index.is_superseded(rank, block)) {
            Err(status) => new.status = status,
            Ok(command) => {
                let mut known = look(known, block, command, snapshot, limits);
                let reply = index.reply(rank, block);
                let status = known.status(reply);
                new.status = status;
                new.answered = status == Status::Applied && reply.is_some_and(|reply| reply.ok);
                new.judgement = match status == known.judgement.status {
                    true => known.judgement.clone(),
                    // What is done or refused is not held against the workspace any more.
                    false => Arc::new(known.judgement.settled(status)),
                };
                if status == Status::Ready {
                    new.bar = bar(block, &new.judgement).map(Arc::new);
                }
                known.rank = rank;
                seen.insert(key, known);
            }
        }
        index.set_entry(rank, &old, false);
        index.set_entry(rank, &new, true);
        self.replaced.extend(last.pages.set(rank, new));
        true
    }

    /// Finds the blocks that change a file which nothing before them has read.
    fn look_for_reads(&mut self) {
        let Reviewer { last, index, .. } = &mut *self.reviewer;
        let concerned: BTreeSet<Rank> =
            self.due.iter().copied().chain(index.read_after()).collect();
        for rank in concerned {
            let Some(entry) = last.pages.get(rank) else { continue };
            let unread = entry.changes().is_some_and(|path| !index.is_read_before(rank, path));
            if unread != entry.unread {
                last.pages.change(rank, |entry| entry.unread = unread);
            }
        }
    }

    /// Finds the blocks that are ready in their turn, among those that act on what a block acts on
    /// that has changed.
    fn put_in_order(&mut self) {
        let Reviewer { last, index, .. } = &mut *self.reviewer;
        if !index.has_waiting() {
            return;
        }
        let now = self.due.iter().filter_map(|rank| last.pages.get(*rank));
        let entries = now.chain(&self.replaced);
        let paths: BTreeSet<FilePath> =
            entries.flat_map(|entry| entry.judgement.looked_at.iter().cloned()).collect();
        for group in groups(paths, index, &last.pages) {
            let found = in_order(&group, self.given.snapshot, self.given.limits);
            for ((rank, entry), after) in group.iter().zip(found) {
                if entry.after != after {
                    last.pages.change(*rank, |entry| entry.after = after);
                }
            }
        }
    }
}

/// Whether two scans have the same items in a chunk, and look at as many blocks of it.
fn same_chunk((old, a): (&Scan, &Piece), (new, b): (&Scan, &Piece)) -> bool {
    Arc::ptr_eq(&a.chunk, &b.chunk) && old.looked_at(a) == new.looked_at(b)
}
