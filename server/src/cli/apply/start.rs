//! What files were before a run changed them: its blocks are based on that.

use std::collections::HashMap;

use operator_core::ledger::{Transition, Work};
use operator_core::limits::Limits;
use operator_core::path::{FilePath, State};
use operator_core::review::{Book, Proposal, Status};
use operator_core::snapshot::Snapshot;
use operator_core::spec::Effect;

/// What the files were that a run has changed, before it: all of its blocks were written for that.
#[derive(Default)]
pub struct Start(HashMap<FilePath, State>);

impl Start {
    /// Has the book know what was there before, where a block is about a file that has changed.
    pub fn tell(&self, book: &mut Book, block: &Proposal, now: &dyn Snapshot, limits: &Limits) {
        if self.0.is_empty() {
            return;
        }
        let paths = Book::paths(block, now, limits);
        if paths.iter().any(|path| self.0.contains_key(path)) {
            book.propose(block.id(), self.of(&paths, now));
        }
    }

    /// Has the book know what was there before a block that is not applied, for the next run.
    pub fn tell_undecided(&self, book: &mut Book, checked: &Proposal, now: &dyn Snapshot) {
        let result = checked.check_result();
        let is_write = checked.effect() == Some(Effect::Write);
        let is_left = checked.caution().is_some();
        if !is_write || !is_left && !matches!(result.status, Status::Blocked | Status::Stale) {
            return;
        }
        book.propose(checked.id(), self.of(&result.looked_at, now));
        if result.is_ambiguous() {
            book.mark_ambiguous(checked.id(), |path| self.at(path, now));
        }
    }

    fn of<'a>(
        &'a self,
        paths: &'a [FilePath],
        now: &'a dyn Snapshot,
    ) -> impl Iterator<Item = (FilePath, State)> + 'a {
        paths.iter().filter_map(|path| Some((path.clone(), self.at(path, now)?)))
    }

    fn at(&self, path: &FilePath, now: &dyn Snapshot) -> Option<State> {
        self.0.get(path).copied().or_else(|| now.state(path).ok())
    }

    /// Takes in what blocks have changed.
    pub fn change(&mut self, works: &[Work]) {
        for Transition { path, before, .. } in works.iter().flat_map(|it| &it.transitions) {
            self.0.entry(path.clone()).or_insert(*before);
        }
    }
}
