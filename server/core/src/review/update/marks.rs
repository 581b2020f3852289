//! What the others mean for a block, once each is checked by itself: its turn, and what it is marked with.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Known, Update};
use crate::path::FilePath;
use crate::plan::Reason;
use crate::review::Status;
use crate::review::order::{Turn, groups, in_order};
use crate::review::rivals::{self, Rivals};
use crate::review::unmade::Unmade;
use crate::scan::Rank;

impl Update<'_> {
    /// Finds the blocks that change a file which nothing before them has read.
    pub(super) fn look_for_reads(&mut self) {
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

    /// Notes of which blocks it cannot be told where they go, neither now nor in their turn.
    pub(super) fn mark_ambiguous(&mut self) {
        if self.is_cancelled() {
            return;
        }
        let entries = self.due.iter().filter_map(|rank| self.known.review.pages.get(*rank));
        let entries = entries.filter(|it| it.status == Status::Blocked && it.after.is_none());
        let entries = entries.filter(|it| it.check_result.is_ambiguous());
        for entry in entries {
            let now = |path: &FilePath| self.given.snapshot.state(path).ok();
            self.book.mark_ambiguous(entry.id(), now);
        }
    }

    /// Finds the blocks whose line numbers may count on a block above that is not applied.
    pub(super) fn mark_below_unmade(&mut self) {
        if self.is_cancelled() || !self.known.index.has_counting() {
            return;
        }
        let pages = &mut self.known.review.pages;
        let mut unmade = Unmade::default();
        let mut turned = Vec::new();
        for (rank, entry) in pages.entries().filter(|(_, entry)| !entry.inside) {
            let (block, looked_at) = (&entry.block, &entry.check_result.looked_at);
            let is_below = entry.status == Status::Ready && unmade.misleads(block, looked_at);
            if is_below != entry.below_unmade {
                turned.push((rank, is_below));
            }
            let waits = matches!(entry.status, Status::Invalid | Status::Blocked | Status::Stale);
            let is_unmade = waits && entry.after.is_none() || entry.status == Status::Rejected;
            if is_unmade && !entry.is_told {
                unmade.add(block, looked_at, self.given.snapshot);
            }
        }
        for (rank, is_below) in turned {
            pages.change(rank, |entry| {
                entry.below_unmade = is_below;
                let check_result = Arc::make_mut(&mut entry.check_result);
                match is_below {
                    true => check_result.below_unmade(&entry.block),
                    false => check_result.need_no_look(Reason::CountsLines),
                }
            });
        }
    }

    /// Finds the blocks that are about the same text as a block that has changed, and those that were
    /// overtaken by others.
    pub(super) fn mark_rivals(&mut self) {
        if self.is_cancelled() {
            return;
        }
        let Known { review, index, .. } = &mut self.known;
        let now = self.due.iter().filter_map(|rank| review.pages.get(*rank));
        let mut concerned = rivals::concerned(now.chain(&self.replaced), index);
        concerned.extend(&self.due);
        let mut rivals = Rivals::new(index, &review.pages);
        let mut found = Vec::new();
        for rank in concerned {
            let Some(entry) = review.pages.get(rank) else { continue };
            let rival = rivals.of(rank, entry);
            if entry.rival != rival {
                found.push((rank, rival));
            }
        }
        for (rank, rival) in found {
            review.pages.change(rank, |entry| {
                entry.rival = rival;
                if entry.waits()
                    && let Some(planned) = &entry.planned
                    && planned.status == entry.status
                {
                    entry.check_result = planned.clone();
                }
                let check_result = Arc::make_mut(&mut entry.check_result);
                check_result.need_no_look(Reason::Conflicts);
                if let Some(rival) = rival {
                    rival.mark(&entry.block, check_result);
                }
            });
        }
    }

    /// Finds the blocks that are ready in their turn, among those that act on what a block acts on
    /// that has changed.
    pub(super) fn put_in_order(&mut self) {
        let cancelled = self.is_cancelled();
        let Known { review, index, .. } = &mut self.known;
        if !index.has_waiting() || cancelled {
            return;
        }
        let now = self.due.iter().filter_map(|rank| review.pages.get(*rank));
        let entries = now.chain(&self.replaced);
        let paths: BTreeSet<FilePath> =
            entries.flat_map(|entry| entry.check_result.looked_at.iter().cloned()).collect();
        for group in groups(paths, index, &review.pages) {
            let found = in_order(&group, self.book, self.given.snapshot, self.given.limits);
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
