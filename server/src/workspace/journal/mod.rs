//! The undo journal: what was there before, kept outside the workspace before it is changed.

mod check;
mod log;
mod revert;
mod store;
mod sweep;

pub(super) use log::{Saved, Step};
pub(super) use store::{real_path, state_directory};

use std::fmt;

use cap_std::fs::Dir;
use operator_core::snapshot::FilePath;
use operator_core::text::Content;

use super::errors::{JournalError, UndoError};
use super::{Workspace, errors};
use log::{Line, Log};
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
        Ok(Transaction { workspace: workspace.clone(), store, log: None, steps: Vec::new() })
    }

    /// Ends it. `undo` still takes it back as long as nothing changed since.
    ///
    /// # Errors
    /// Whatever keeps the journal from being written; the changes are there all the same.
    pub fn commit(mut self) -> Result<(), JournalError> {
        match &mut self.log {
            Some(log) => log.append(&[Line::Commit]),
            None => Ok(()),
        }
    }

    /// Takes back everything that was done in it.
    ///
    /// # Errors
    /// As [`Workspace::undo`].
    pub fn rollback(mut self) -> Result<Vec<Undone>, UndoError> {
        let undone = self.take_back(0)?;
        if let Some(log) = self.log.take() {
            self.store.remove(log)?;
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
        self.steps.extend(steps);
        Ok(log.folder())
    }

    /// Takes back the steps from `start` on.
    pub(super) fn take_back(&mut self, start: usize) -> Result<Vec<Undone>, UndoError> {
        let Some(log) = &mut self.log else { return Ok(Vec::new()) };
        revert::take_back(&self.workspace, log, &mut self.steps, start)
    }
}

impl Workspace {
    /// Takes back the last transaction, newest step first. Again, it takes back the one before.
    ///
    /// # Errors
    /// [`UndoError::Changed`] where a file is not as the transaction left it; then nothing is
    /// touched.
    pub fn undo(&self) -> Result<Vec<Undone>, UndoError> {
        let store = Store::lock(self)?;
        sweep::sweep(self, &store)?;
        let last = store.transactions()?.pop().ok_or(UndoError::Nothing)?;
        let (mut log, record) = store.open(last)?;
        let mut steps = record.steps(self)?;
        let undone = revert::take_back(self, &mut log, &mut steps, 0)?;
        store.remove(log)?;
        Ok(undone)
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
