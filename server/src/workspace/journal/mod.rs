//! The undo journal: what was there before, kept outside the workspace before it is changed.

mod check;
mod log;
mod record;
mod regular;
mod reverse;
mod revert;
mod step;
mod store;
mod sweep;
#[cfg(test)]
mod tests;

pub(super) use step::{Saved, Step};
pub(super) use store::{real_path, state_directory};

use std::fmt;

use cap_std::fs::Dir;
use operator_core::snapshot::FilePath;
use operator_core::text::Content;

use super::errors::{JournalError, Reason, UndoError};
use super::{Workspace, errors};
use log::{Line, Log};
use revert::{Reverted, Reverting};
use store::Store;

/// Changes that are taken back together. While it lives no other run changes the workspace.
///
/// Dropped without `commit` it leaves what was done, and `undo` takes that back.
#[derive(Debug)]
pub struct Transaction {
    workspace: Workspace,
    store: Store,
    log: Option<Log>,
    steps: Vec<Step>,
    /// How many of the steps are done for sure.
    done: usize,
    /// Whether the next run has something to remove.
    is_open: bool,
}

/// One thing that was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The file or directory, where it is now.
    pub path: FilePath,
    /// What happened to it.
    pub action: UndoAction,
}

/// What taking back does to a file or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoAction {
    /// It holds again what it held.
    Restored,
    /// It had been made, and is gone.
    Removed,
    /// It had been deleted, and is back.
    Returned,
    /// It has its old path again.
    MovedBack,
}

impl fmt::Display for UndoAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UndoAction::Restored => "restored",
            UndoAction::Removed => "removed",
            UndoAction::Returned => "brought back",
            UndoAction::MovedBack => "moved back",
        })
    }
}

impl Transaction {
    /// Takes the workspace's lock, and removes what a run that was killed left behind.
    ///
    /// # Errors
    /// [`JournalError::Locked`] while another run has it, and whatever keeps the journal from
    /// being written.
    pub fn begin(workspace: &Workspace) -> Result<Transaction, JournalError> {
        let store = Store::lock(workspace)?;
        sweep::sweep(workspace, &store)?;
        Ok(Transaction {
            workspace: workspace.clone(),
            store,
            log: None,
            steps: Vec::new(),
            done: 0,
            is_open: false,
        })
    }

    /// Ends it. `undo` still takes it back as long as nothing changed since.
    ///
    /// # Errors
    /// Whatever keeps the journal from being written; the changes are there all the same.
    pub fn commit(mut self) -> Result<(), JournalError> {
        match &mut self.log {
            _ if self.is_open => Ok(()),
            Some(log) => log.append(&[Line::Commit]),
            None => Ok(()),
        }
    }

    /// Undoes everything that was done in it, as far as it can be undone.
    ///
    /// # Errors
    /// [`UndoError::Partly`]; `undo` can undo the rest later.
    pub fn rollback(mut self) -> Result<Vec<Undone>, UndoError> {
        let Reverted { undone, left, .. } = self.take_back(0);
        if !left.is_empty() {
            return Err(UndoError::Partly { undone, left, kept_in: None });
        }
        if let Some(log) = self.log.take().filter(|_| !self.is_open) {
            // If this fails, the next run removes it.
            let _ = self.store.remove(&log);
        }
        Ok(undone)
    }

    /// How many steps are on record.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Records steps and the old bytes of the files that they write, durably, before they are
    /// carried out. Gives the folder where what they delete goes.
    pub(super) fn record(
        &mut self,
        steps: Vec<(Step, Option<&Content>)>,
    ) -> Result<&Dir, JournalError> {
        let log = match &mut self.log {
            Some(log) => log,
            none => none.insert(self.store.create(&self.workspace)?),
        };
        let (steps, lines) = log.keep(steps)?;
        log.append(&lines)?;
        self.done = self.steps.len();
        self.steps.extend(steps);
        Ok(log.folder())
    }

    /// Takes note that the next steps on record, this many, are done.
    pub(super) fn have_done(&mut self, steps: usize) {
        self.done += steps;
    }

    /// Leaves it to the next run to remove temporary files.
    pub(super) fn leave_open(&mut self) {
        self.is_open = true;
    }

    /// Undoes the steps from `start` on, as far as they can be undone.
    pub(super) fn take_back(&mut self, start: usize) -> Reverted {
        let Some(log) = &mut self.log else { return Reverted::default() };
        // The one after those that are done may have failed half way; the rest was not begun.
        let steps: Vec<(usize, Step)> =
            self.steps.iter().cloned().enumerate().skip(start).collect();
        let known = self.done.saturating_sub(start);
        let begun = steps.len().min(known + 1);
        let reverting = Reverting { workspace: &self.workspace, steps: &steps, begun, known };
        let reverted = reverting.run(log);
        if reverted.is_over() {
            self.steps.truncate(start);
            log.note(Line::Back { to: start });
        }
        self.is_open |= !reverted.is_over();
        self.done = self.steps.len();
        reverted
    }
}

impl Workspace {
    /// Undoes the last transaction, newest step first. Again, it undoes the one before.
    ///
    /// With `skip`, files that have changed since are left as they are, and the transaction is
    /// forgotten; what the journal kept for them stays beside the other journals for a while.
    ///
    /// # Errors
    /// [`UndoError::Changed`] where a file is not as the transaction left it; without `skip`
    /// nothing is touched then. [`UndoError::Partly`] where some steps could not be undone.
    pub fn undo(&self, skip: bool) -> Result<Vec<Undone>, UndoError> {
        let store = Store::lock(self)?;
        sweep::sweep(self, &store)?;
        let last = store.transactions()?.pop().ok_or(UndoError::Nothing)?;
        let (mut log, record) = store.open(last)?;
        let steps = record.steps(self)?;
        let number = steps.len();
        let reverting = Reverting { workspace: self, steps: &steps, begun: number, known: number };
        if !skip {
            reverting.check(&mut log).refusal().map_or(Ok(()), Err)?;
        }
        let reverted = reverting.run(&mut log);
        if reverted.is_over() {
            // If this fails, the next run finds that nothing of it is left to be undone.
            let _ = store.remove(&log);
        }
        let Reverted { undone, left, not_durable, .. } = reverted;
        if left.is_empty() {
            return match not_durable {
                Some((path, why)) => Err(UndoError::NotDurable { undone, path, why }),
                None => Ok(undone),
            };
        }
        let over = skip && !left.iter().any(|left| matches!(left.why, Reason::Denied(_)));
        let kept_in = over.then(|| store.set_aside(&log)).transpose()?;
        Err(UndoError::Partly { undone, left, kept_in })
    }

    /// Removes what a run that was killed left behind: temporary files that its journal names.
    /// While another run has the workspace nothing is done.
    ///
    /// # Errors
    /// Whatever keeps the journal from being read.
    pub fn sweep(&self) -> Result<(), JournalError> {
        match Store::lock(self) {
            Ok(store) => sweep::sweep(self, &store),
            Err(errors::JournalError::Locked) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
