//! The three ways to run a transcript, and all of them as one step or none.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead, Write};

use operator_core::dialect::{Dialects, Failure, Told};
use operator_core::edit::ChangeSet;
use operator_core::ledger::{BlockId, Event, Work};
use operator_core::limits::Limits;
use operator_core::path::FilePath;
use operator_core::problem::{PLAN_ALL_OR_NOTHING, SHAM_EXEC_FAILED};
use operator_core::review::{Book, Decided, Proposal};
use operator_core::snapshot::{Remembered, Staged};
use operator_core::spec::Effect;

use super::commit::Committer;
use super::disk::Disk;
use super::edit::Editing;
use super::engine::{self, Again, Done, Store, Watcher};
use super::record;
use super::room::Room;
use super::watch::{self, Bar, Shown};
use crate::cli::input::Transcript;
use crate::workspace::{Left, Transaction, Workspace};

/// Who decides, and whether anything is written.
pub enum How {
    /// Every change is shown and none is written.
    Dry,
    /// Every change that can be made is made.
    Yes,
    /// A person says so of each.
    Ask(Box<dyn BufRead>),
}

/// What is to be run, and on what.
pub struct Job<'a> {
    /// The transcript.
    pub transcript: &'a Transcript,
    /// The workspace.
    pub workspace: &'a Workspace,
    /// The workspace as it was before anything was written.
    pub seen: &'a Remembered<'a>,
    /// The dialects to search for.
    pub dialects: &'a Dialects,
    /// The limits.
    pub limits: &'a Limits,
    /// The blocks, in order.
    pub selected: &'a [Proposal],
    /// Whether it is all or nothing.
    pub atomic: bool,
    /// The ledger as the run found it, and which transcript it is to it.
    pub book: &'a Book,
    /// The files that are not as the ledger has them.
    pub news: BTreeSet<FilePath>,
    /// The bases that the review has taken, as events.
    pub bases: Vec<Event>,
    /// Whether blocks that were applied before are applied again.
    pub again: bool,
    /// Whether changes that need a look of their own are made without a question.
    pub allow_caution: bool,
    /// Who commits what is done.
    pub git: Option<&'a Committer>,
    /// The state of the ledger before the run has read it, where it must be that still by the time
    /// that all is written at once.
    pub edition: Option<(u64, u128)>,
}

/// Another run has changed the workspace since this one has read it, and nothing is done.
#[derive(Debug)]
struct Outdated;

impl std::error::Error for Outdated {}

impl fmt::Display for Outdated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another run has changed the workspace meanwhile")
    }
}

/// Whether a run has done nothing because another one has changed the workspace since it was read.
pub fn is_outdated(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<Outdated>())
}

/// The outcome of a run.
pub struct Ran {
    /// The blocks, in order.
    pub all: Vec<Done>,
    /// What is still changed by a write that failed half way.
    pub left: Vec<Left>,
    /// Keeps other runs from writing until what was written is committed.
    pub lock: Option<Transaction>,
}

impl From<Vec<Done>> for Ran {
    fn from(all: Vec<Done>) -> Ran {
        Ran { all, left: Vec::new(), lock: None }
    }
}

impl Job<'_> {
    /// Runs the blocks.
    ///
    /// # Errors
    /// The terminal is gone, or what is there cannot be committed before; what was written until
    /// then can be undone.
    pub fn run(&self, how: How, book: &mut Book) -> io::Result<Ran> {
        let total = self.selected.len();
        let shown = |input| Shown {
            editing: Editing {
                transcript: self.transcript,
                dialects: self.dialects,
                limits: self.limits,
            },
            total,
            input,
            seen: 0,
            allow_caution: self.allow_caution,
        };
        match how {
            How::Dry => self.dry(&mut shown(None), book).map(Ran::from),
            How::Yes => {
                let ran = self.at_once(book)?;
                self.say_what_is_wrong(&ran.all)?;
                Ok(ran)
            }
            How::Ask(input) if self.atomic => self.all_or_nothing(&mut shown(Some(input)), book),
            How::Ask(input) => self.one_by_one(&mut shown(Some(input)), book),
        }
    }

    fn dry(&self, watcher: &mut dyn Watcher, book: &mut Book) -> io::Result<Vec<Done>> {
        let mut staged = Staged::new(self.seen);
        let mut all = self.engine(book, &mut staged, watcher)?;
        if self.atomic {
            self.settle(&mut all);
        }
        Ok(all)
    }

    fn one_by_one(&self, watcher: &mut dyn Watcher, book: &mut Book) -> io::Result<Ran> {
        let mut disk = self.disk();
        let all = self.engine(book, &mut disk, watcher);
        let done = all.as_deref().unwrap_or_default();
        let (left, lock) = disk.finish(record::satisfied(done), self.events(done, book));
        Ok(Ran { all: all?, left, lock })
    }

    fn all_or_nothing(&self, watcher: &mut dyn Watcher, book: &mut Book) -> io::Result<Ran> {
        let mut staged = Staged::new(self.seen);
        let mut all = self.engine(book, &mut staged, watcher)?;
        let (mut left, mut lock) = (Vec::new(), None);
        let mut disk = self.disk();
        if !self.settle(&mut all) {
            disk.finish(Vec::new(), self.events(&all, book));
        } else {
            let changes = staged.into_changes();
            self.begin(&mut disk, &changes)?;
            if let Err(failure) = self.write(&mut disk, &changes, &all) {
                self.fail_all(&mut all, &failure);
            }
            (left, lock) = disk.finish(self.unwritten(&changes, &all), self.events(&all, book));
        }
        Ok(Ran { all, left, lock })
    }

    /// Plans everything in memory and writes each file once. Where that fails and nothing of it is
    /// left on the disk, the blocks are run one by one, so that each is told its own failure.
    fn at_once(&self, book: &mut Book) -> io::Result<Ran> {
        let mut bar = self.bar();
        if self.atomic {
            return self.all_or_nothing(&mut bar, book);
        }
        if self.runs_programs() {
            // A program sees what the blocks before it have written.
            return self.one_by_one(&mut bar, book);
        }
        let mut staged = Staged::new(self.seen);
        let mut planned = book.clone();
        let mut all = self.engine(&mut planned, &mut staged, &mut bar)?;
        let changes = staged.into_changes();
        let mut disk = self.disk();
        self.begin(&mut disk, &changes)?;
        let written = self.write(&mut disk, &changes, &all);
        let told = match written.is_ok() {
            true => self.events(&all, &mut planned),
            false => Vec::new(),
        };
        let (left, lock) = disk.finish(self.unwritten(&changes, &all), told);
        let Err(failure) = written else { return Ok(Ran { all, left, lock }) };
        drop(bar);
        if !left.is_empty() {
            // Another attempt would make the changes that are left a second time.
            self.fail_all(&mut all, &failure);
            return Ok(Ran { all, left, lock });
        }
        drop(lock);
        self.one_by_one(&mut self.bar(), book)
    }

    /// Begins to write all changes at once, unless the workspace is another one than the run has read.
    fn begin(&self, disk: &mut Disk<'_>, changes: &ChangeSet) -> io::Result<()> {
        if changes.is_empty() {
            return Ok(());
        }
        if self.edition.is_some_and(|before| disk.has_other_ledger(before)) {
            return Err(io::Error::other(Outdated));
        }
        disk.prepare()
    }

    fn disk(&self) -> Disk<'_> {
        Disk::new(self.workspace, self.git, self.book, &self.news)
    }

    /// What the ledger is told besides the changes.
    fn events(&self, all: &[Done], book: &mut Book) -> Vec<Event> {
        let bases = self.bases.iter().cloned().chain(record::bases(book.take_found()));
        let is_applied =
            |block: BlockId| all.iter().any(|it| it.is_ok() && it.proposal.id() == block);
        let bases = bases.filter(|event| match event {
            Event::Proposed { block, .. } => !is_applied(*block),
            _ => true,
        });
        bases.chain(record::events(&self.book.transcript, all)).collect()
    }

    /// Makes all changes of a run at once.
    fn write(&self, disk: &mut Disk<'_>, changes: &ChangeSet, all: &[Done]) -> Result<(), Failure> {
        match changes.is_empty() {
            true => Ok(()),
            false => disk.write(changes, record::works(all)),
        }
    }

    /// The blocks of which no write tells the ledger.
    fn unwritten(&self, changes: &ChangeSet, all: &[Done]) -> Vec<Work> {
        if changes.is_empty() { record::works(all) } else { Vec::new() }
    }

    fn runs_programs(&self) -> bool {
        let effects = self.selected.iter().map(Proposal::effect);
        self.limits.exec && effects.into_iter().any(|effect| effect == Some(Effect::Exec))
    }

    fn engine(
        &self,
        book: &mut Book,
        store: &mut dyn Store,
        watcher: &mut dyn Watcher,
    ) -> io::Result<Vec<Done>> {
        let again = Again { wanted: self.again, transcript: &self.book.transcript };
        engine::run(self.selected, book, store, watcher, self.limits, again)
    }

    /// Whether every block was done; otherwise says of the others that they are not done either.
    ///
    /// One that was refused before, in the transcript, is settled and stops nothing.
    fn settle(&self, all: &mut [Done]) -> bool {
        let waits = |done: &&mut Done| done.answer.result == Err(Failure::Pending);
        for done in all.iter_mut().filter(|done| done.runs()).filter(waits) {
            let says = "exec: not run: what a program does cannot be \
                        undone, and the transcript is applied as a whole or not at all";
            done.fail(&Failure::new(SHAM_EXEC_FAILED, says, serde_json::Map::new()));
        }
        let open = |done: &&Done| done.proposal.decided(false) != Some(Decided::Rejected);
        let Some(first) = all.iter().filter(open).find(|done| !done.is_ok()) else { return true };
        let failure = match &first.answer.result {
            Err(Failure::Problem { .. }) => stopped_by(first),
            Err(Failure::Pending) => Failure::Pending,
            _ => Failure::Refused,
        };
        self.look_again(all);
        self.fail_all(all, &failure);
        false
    }

    /// Has what failed say why on the files as they are: what it was planned on is not written.
    fn look_again(&self, all: &mut [Done]) {
        let has_failed = |result: &Told| matches!(result, Err(Failure::Problem { .. }));
        for done in all.iter_mut().filter(|done| has_failed(&done.answer.result)) {
            let now = self.book.check(&done.proposal, self.workspace, self.limits);
            let answer = now.answer();
            if has_failed(&answer.result) {
                (done.proposal, done.answer) = (now, answer);
            }
        }
    }

    /// Says of every change that it was not made. Reads are answered anew: one that can only see
    /// what was to be written has failed as well.
    fn fail_all(&self, all: &mut [Done], failure: &Failure) {
        all.iter_mut().filter(|done| done.wrote()).for_each(|done| done.fail(failure));
        let book = Book::default();
        let reads =
            |done: &&mut Done| done.is_ok() && done.changes().is_none() && !done.proposal.answered;
        let mut room = Room::new(self.limits);
        for done in all.iter_mut().filter(reads) {
            done.proposal = book.check(&done.proposal, self.workspace, self.limits);
            done.answer = done.proposal.answer();
            match done.is_ok() {
                true => room.take(done),
                false => done.fail(failure),
            }
        }
    }

    /// Says what failed, and what each block warns of.
    fn say_what_is_wrong(&self, all: &[Done]) -> io::Result<()> {
        let mut out = anstream::stderr().lock();
        for done in all {
            write!(out, "{}", watch::warnings(self.transcript, done))?;
            // Why it was left is one of the warnings.
            if !done.is_left() {
                write!(out, "{}", watch::failure(self.transcript, done))?;
            }
        }
        Ok(())
    }

    fn bar(&self) -> Bar {
        Bar::new(self.selected.len(), self.allow_caution)
    }
}

fn stopped_by(done: &Done) -> Failure {
    let proposal = &done.proposal;
    let (name, number) = (proposal.name(), proposal.placed.index + 1);
    let why = if done.is_left() { "needs a look of its own" } else { "failed" };
    let mut message = format!(
        "not done: {name} {why}, and the transcript was to be applied as a whole or not at all"
    );
    if !done.is_left() {
        message += &format!("; send it again, together with a corrected block {number}");
    }
    let details = [("block".to_owned(), number.into())].into_iter().collect();
    Failure::new(PLAN_ALL_OR_NOTHING, message, details)
}

impl Done {
    fn fail(&mut self, failure: &Failure) {
        self.answer.result = Err(failure.clone());
    }
}
