//! Writing to the disk, with everything of one run in one undo journal.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;

use operator_core::command::Program;
use operator_core::dialect::Failure;
use operator_core::edit::ChangeSet;
use operator_core::ledger::{BlockId, By, Door, Event, Ledger, Observation, Work};
use operator_core::path::{FilePath, State};
use operator_core::plan::Outcome;
use operator_core::problem;
use operator_core::review::{Book, Proposal};
use operator_core::snapshot::Snapshot;
use serde_json::{Map, Value};

use super::commit::Committer;
use super::engine::Store;
use crate::cli::complain;
use crate::moment;
use crate::workspace::{
    ApplyError, Environment, ExecLimits, JournalError, Left, Transaction, UndoError, Workspace,
    exec,
};

/// The workspace on the disk.
pub struct Disk<'a> {
    workspace: &'a Workspace,
    /// Who commits what is there before the first write.
    git: Option<&'a Committer>,
    /// Begun by the first write, so that a run without any leaves the last one to be undone.
    transaction: Option<Transaction>,
    wrote: bool,
    /// Whether the ledger was told of anything besides.
    told: bool,
    /// The ledger as the run found it.
    book: &'a Book,
    /// The files that are not as the ledger has them.
    news: &'a BTreeSet<FilePath>,
    /// What a write that failed half way has left changed.
    left: Vec<Left>,
    /// The ledger as it was last read, and in which state that was.
    read: RefCell<Option<((u64, u128), Ledger)>>,
}

impl<'a> Disk<'a> {
    /// The workspace with nothing written yet.
    pub fn new(
        workspace: &'a Workspace,
        git: Option<&'a Committer>,
        book: &'a Book,
        news: &'a BTreeSet<FilePath>,
    ) -> Disk<'a> {
        let (transaction, wrote, told, left, read) = Default::default();
        Disk { workspace, git, transaction, wrote, told, book, news, left, read }
    }

    /// Ends the run: `undo` undoes all of it. The ledger is told of `works`, which changed nothing,
    /// and of `events`. Returns what a write that failed half way has left changed; then the journal
    /// stays open. What is written is still to be committed, and what comes with it keeps other runs
    /// from writing until then.
    pub fn finish(
        mut self,
        works: Vec<Work>,
        events: Vec<Event>,
    ) -> (Vec<Left>, Option<Transaction>) {
        let is_nothing = works.is_empty() && events.is_empty() && self.news.is_empty();
        if self.left.is_empty() && !is_nothing {
            self.tell(works, events);
        }
        let Some(mut transaction) = self.transaction else { return (self.left, None) };
        if !self.left.is_empty() {
            return (self.left, None);
        }
        if !self.wrote && !self.told {
            // Nothing is left of what was written.
            return match transaction.rollback() {
                Err(UndoError::Partly { left, .. }) => (left, None),
                _ => (Vec::new(), None),
            };
        }
        if let Err(error) = transaction.close() {
            complain(&format!("the changes are made, but the undo journal is not closed: {error}"));
        }
        (Vec::new(), self.git.map(|_| transaction))
    }

    /// Tells the ledger what was done besides the writes. A run that has written nothing and cannot
    /// tell it has done all that was asked.
    fn tell(&mut self, mut works: Vec<Work>, events: Vec<Event>) {
        if self.transaction().is_err() {
            return;
        }
        works.retain(|work| !self.was_applied_since(work));
        if works.is_empty() && events.is_empty() && self.news.is_empty() {
            return;
        }
        let Ok(transaction) = self.transaction() else { return };
        transaction.add_works(works);
        transaction.note(events);
        self.told = true;
    }

    /// Refuses blocks that another run has applied since this one has read the ledger. This one has
    /// the lock by now, so that nobody writes any more.
    fn refuse_applied_since(&self, works: &[Work]) -> Result<(), Failure> {
        let Some(work) = works.iter().find(|work| self.was_applied_since(work)) else {
            return Ok(());
        };
        let message = "not applied: another run has applied it since this one has begun";
        let path = work.transitions.first().map(|it| (*it.path.path).into());
        let details = path.map(|path| ("path".to_owned(), path)).into_iter().collect();
        Err(Failure::new(problem::PLAN_STALE, message, details))
    }

    /// Refuses blocks that take a file away which is not the one any more that they were planned for.
    /// What is written is compared where it is written.
    fn refuse_changed_since(&self, works: &[Work]) -> Result<(), Failure> {
        let all = || works.iter().flat_map(|work| &work.transitions);
        let mut seen = BTreeSet::new();
        for first in all().filter(|it| seen.insert(&it.path)) {
            let is_file = matches!(first.before, State::File(_) | State::Large { .. });
            let goes = all().any(|it| it.path == first.path && it.after == State::Missing);
            if is_file && goes && self.workspace.state(&first.path) != Ok(first.before) {
                return Err(failure(&ApplyError::Changed(first.path.clone())));
            }
        }
        Ok(())
    }

    fn was_applied_since(&self, work: &Work) -> bool {
        // The same path may lead to another file in another folder.
        let is_about = |other: &Work| {
            let paths = || work.transitions.iter().map(|it| &it.path);
            other.transitions.iter().any(|it| paths().any(|path| *path == it.path))
        };
        let ledger = self.transaction.as_ref().map(Transaction::ledger);
        ledger.is_some_and(|now| self.applied_in(now, work.block, is_about).is_some())
    }

    /// By what a block is applied as a ledger says and the one that the run found does not.
    fn applied_in(
        &self,
        now: &Ledger,
        block: BlockId,
        is_about: impl Fn(&Work) -> bool,
    ) -> Option<By> {
        let by = |ledger: &Ledger| {
            ledger.standing_where(&self.book.transcript, block, true, &is_about).applied
        };
        let before = by(&self.book.ledger).map(|by| by.operation);
        by(now).filter(|by| Some(by.operation) != before)
    }

    /// Whether the ledger is another one than it was. From now on it stays as it is, and so does what
    /// other runs have left.
    pub fn has_other_ledger(&mut self, before: (u64, u128)) -> bool {
        self.transaction().is_ok() && self.workspace.ledger_edition() != before
    }

    fn transaction(&mut self) -> Result<&mut Transaction, JournalError> {
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            none => {
                let mut transaction = Transaction::begin(self.workspace)?;
                let see = |path| Observation::of(path, self.workspace);
                transaction.observe(&self.news.iter().filter_map(see).collect::<Vec<_>>());
                transaction.describe(Door::Cli, moment::now(), self.book.transcript.clone());
                Ok(none.insert(transaction))
            }
        }
    }
}

impl Store for Disk<'_> {
    fn snapshot(&self) -> &dyn Snapshot {
        self.workspace
    }

    fn applied_since(&self, proposal: &Proposal) -> Option<By> {
        let targets = &proposal.check_result().targets;
        let is_about = |work: &Work| {
            let mut all = work.transitions.iter();
            all.any(|it| targets.iter().any(|target| target.path == it.path))
        };
        if let Some(transaction) = &self.transaction {
            return self.applied_in(transaction.ledger(), proposal.id(), is_about);
        }
        let edition = self.workspace.ledger_edition();
        let mut read = self.read.borrow_mut();
        if read.as_ref().is_none_or(|(of, _)| *of != edition) {
            *read = Some((edition, self.workspace.ledger().ok()?));
        }
        let (_, now) = read.as_ref()?;
        self.applied_in(now, proposal.id(), is_about)
    }

    fn prepare(&mut self) -> io::Result<()> {
        let Some(git) = self.git else { return Ok(()) };
        // So that no other run writes between the commit and the first change; what keeps this
        // one from writing is told of each block, and what another one is writing is not committed.
        if self.transaction().is_ok() { git.before() } else { Ok(()) }
    }

    fn write(&mut self, changes: &ChangeSet, works: Vec<Work>) -> Result<(), Failure> {
        let workspace = self.workspace;
        self.transaction().map_err(|error| failure(&error.into()))?;
        self.refuse_applied_since(&works)?;
        self.refuse_changed_since(&works)?;
        let transaction = self.transaction().map_err(|error| failure(&error.into()))?;
        transaction.add_works(works);
        let applied = workspace.apply(changes, transaction);
        self.wrote |= applied.is_ok();
        applied.map_err(|error| {
            let failure = failure(&error);
            if let ApplyError::HalfDone { left, .. } = error {
                self.left = left;
            }
            failure
        })
    }

    fn stopped(&self) -> Option<Failure> {
        if self.left.is_empty() {
            return None;
        }
        let message = "not run: an earlier block failed half way, and its changes could not all \
                       be undone";
        Some(Failure::new(problem::PLAN_IO, message, left_paths(&self.left)))
    }

    fn run(&mut self, program: &Program, directory: &FilePath) -> Result<Outcome, Failure> {
        if self.git.is_some() {
            // What is there is not committed without it.
            self.transaction().map_err(|error| failure(&error.into()))?;
        }
        let environment = Environment::of_program(&[], self.workspace.roots());
        let directory = self.workspace.absolute(directory);
        exec(program, &directory, &environment, ExecLimits::default())
    }
}

/// What the model is told when the disk does not take a change.
pub fn failure(error: &ApplyError) -> Failure {
    let (code, path) = match error {
        ApplyError::Changed(path) | ApplyError::Exists(path) => (problem::PLAN_STALE, Some(path)),
        ApplyError::Denied { path, why } => (why.code(), Some(path)),
        ApplyError::Journal(_) | ApplyError::HalfDone { .. } => (problem::PLAN_IO, None),
    };
    let mut details = match error {
        ApplyError::HalfDone { left, .. } => left_paths(left),
        _ => Map::new(),
    };
    if let Some(FilePath { path, .. }) = path {
        details.insert("path".to_owned(), (**path).into());
    }
    Failure::new(code, error.to_string(), details)
}

/// The paths that are still changed, for programs.
fn left_paths(left: &[Left]) -> Map<String, Value> {
    let paths: Vec<Value> = left.iter().map(|left| left.path.to_string().into()).collect();
    Map::from_iter([("changed".to_owned(), paths.into())])
}
