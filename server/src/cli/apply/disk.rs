//! Writing to the disk, with everything of one run in one undo journal.

use std::io;

use operator_core::command::Program;
use operator_core::dialect::Failure;
use operator_core::edit::ChangeSet;
use operator_core::plan::Outcome;
use operator_core::problem::{self, Code};
use operator_core::snapshot::{Denied, FilePath, Snapshot};
use serde_json::Map;

use super::commit::Committer;
use super::engine::Store;
use crate::cli::complain;
use crate::workspace::{ApplyError, ExecLimits, JournalError, Transaction, Workspace, exec};

/// The workspace on the disk.
pub struct Disk<'a> {
    workspace: &'a Workspace,
    /// Who commits what is there before the first write.
    git: Option<&'a Committer>,
    /// Begun by the first write, so that a run without any leaves the last one to be undone.
    transaction: Option<Transaction>,
    wrote: bool,
}

impl<'a> Disk<'a> {
    /// The workspace with nothing written yet.
    pub fn new(workspace: &'a Workspace, git: Option<&'a Committer>) -> Disk<'a> {
        Disk { workspace, git, transaction: None, wrote: false }
    }

    /// Ends the run: `undo` takes back all of it.
    pub fn finish(self) {
        let Some(transaction) = self.transaction else { return };
        let ended = match self.wrote {
            true => transaction.commit().map_err(|error| error.to_string()),
            false => transaction.rollback().map(drop).map_err(|error| error.to_string()),
        };
        if let Err(error) = ended {
            complain(&format!("the changes are made, but undo may not work: {error}"));
        }
    }

    fn transaction(&mut self) -> Result<&mut Transaction, JournalError> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => Ok(none.insert(Transaction::begin(self.workspace)?)),
        }
    }
}

impl Store for Disk<'_> {
    fn snapshot(&self) -> &dyn Snapshot {
        self.workspace
    }

    fn prepare(&mut self) -> io::Result<()> {
        let Some(git) = self.git else { return Ok(()) };
        // So that no other run writes between the commit and the first change; what keeps this
        // one from writing is told of each block.
        let _ = self.transaction();
        git.before()
    }

    fn write(&mut self, changes: &ChangeSet) -> Result<(), Failure> {
        let workspace = self.workspace;
        let transaction = self.transaction().map_err(|error| failure(&error.into()))?;
        workspace.apply(changes, transaction).map_err(|error| failure(&error))?;
        self.wrote = true;
        Ok(())
    }

    fn run(&mut self, program: &Program, directory: &FilePath) -> Result<Outcome, Failure> {
        exec(program, &self.workspace.absolute(directory), ExecLimits::default())
    }
}

/// What the model is told when the disk does not take a change.
pub fn failure(error: &ApplyError) -> Failure {
    let (code, path) = match error {
        ApplyError::Changed(path) | ApplyError::Exists(path) => (problem::PLAN_STALE, Some(path)),
        ApplyError::Denied { path, why } => (code(why), Some(path)),
        ApplyError::Journal(_) | ApplyError::HalfDone { .. } => (problem::PLAN_IO, None),
    };
    let mut details = Map::new();
    if let Some(FilePath { path, .. }) = path {
        details.insert("path".to_owned(), path.clone().into());
    }
    Failure::Problem { code: code.as_str().to_owned(), message: error.to_string(), details }
}

fn code(why: &Denied) -> Code {
    match why {
        Denied::NotFound => problem::PLAN_FILE_NOT_FOUND,
        Denied::NotAFile => problem::PLAN_NOT_A_FILE,
        Denied::NotADirectory => problem::PLAN_NOT_A_DIRECTORY,
        Denied::Outside => problem::PLAN_OUTSIDE_WORKSPACE,
        Denied::Protected(_) => problem::PLAN_PROTECTED_PATH,
        Denied::Permission | Denied::ReadOnly => problem::PLAN_PERMISSION_DENIED,
        Denied::NotUtf8(_) => problem::PLAN_NOT_UTF8,
        Denied::TooLarge { .. } => problem::PLAN_FILE_TOO_LARGE,
        Denied::TooMany { .. } => problem::PLAN_TOO_MANY_FILES,
        Denied::NoWorkspace => problem::PLAN_NO_WORKSPACE,
        Denied::Unsynced => problem::PLAN_UNSYNCED,
        Denied::Io(_) => problem::PLAN_IO,
    }
}
