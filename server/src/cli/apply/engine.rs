//! Applies blocks in document order, each wholly or not at all.

use std::io;
use std::sync::Arc;

use operator_core::command::Program;
use operator_core::dialect::{Answer, Failure, Told};
use operator_core::edit::ChangeSet;
use operator_core::ledger::{By, Door, Transcript, Work};
use operator_core::limits::Limits;
use operator_core::path::FilePath;
use operator_core::plan::{Outcome, Plan};
use operator_core::problem::PLAN_NEEDS_A_LOOK;
use operator_core::review::{
    Added, Book, Decided, Proposal, Status, Unmade, WithOthers, WorkingSet,
};
use operator_core::snapshot::{Snapshot, Staged};
use serde_json::Value;

use super::ask::Consent;
use super::room::Room;
use super::start::Start;
use super::{disk, record};
use crate::workspace::ApplyError;

/// The outcome of one block.
pub struct Done {
    /// The block as it was checked right before.
    pub proposal: Proposal,
    /// What the model is told.
    pub answer: Answer,
    /// Whether it was done, tried or refused in this run.
    pub is_new: bool,
}

/// What becomes of blocks that were applied before.
#[derive(Clone, Copy)]
pub struct Again<'a> {
    /// Whether they are applied once more.
    pub wanted: bool,
    /// The transcript of the run.
    pub transcript: &'a Transcript,
}

/// Where changes go, and where later blocks see them.
pub trait Store {
    /// The workspace as earlier blocks leave it.
    fn snapshot(&self) -> &dyn Snapshot;

    /// Has everything ready for a write.
    ///
    /// # Errors
    /// Why nothing may be written, now or later.
    fn prepare(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// By what another run has applied a block since this one has read the ledger, if it has.
    fn applied_since(&self, _: &Proposal) -> Option<By> {
        None
    }

    /// Makes the changes of these blocks, all or none.
    ///
    /// # Errors
    /// Why none of them is applied.
    fn write(&mut self, changes: &ChangeSet, works: Vec<Work>) -> Result<(), Failure>;

    /// Why nothing more may be done: a write failed half way.
    fn stopped(&self) -> Option<Failure> {
        None
    }

    /// Runs a program in a directory.
    ///
    /// # Errors
    /// Why it did not end well, or why it is not run here.
    fn run(&mut self, program: &Program, directory: &FilePath) -> Result<Outcome, Failure>;
}

/// Who watches the run, and has a say.
pub trait Watcher {
    /// Asks whether a sound proposal is to be applied.
    ///
    /// # Errors
    /// The terminal is gone.
    fn consent(
        &mut self,
        proposal: &Proposal,
        plan: &Plan,
        now: &dyn Snapshot,
    ) -> io::Result<Consent>;

    /// Hears the outcome of a block.
    ///
    /// # Errors
    /// The terminal is gone.
    fn done(&mut self, done: &Done) -> io::Result<()>;
}

/// Does what the blocks ask for, as far as the watcher lets it.
///
/// # Errors
/// The watcher's and the store's; what was applied until then stays so.
pub fn run(
    proposals: &[Proposal],
    book: &mut Book,
    store: &mut dyn Store,
    watcher: &mut dyn Watcher,
    limits: &Limits,
    again: Again<'_>,
) -> io::Result<Vec<Done>> {
    let mut all = Vec::with_capacity(proposals.len());
    let mut standing = Consent::Yes;
    let mut working_set = WorkingSet::default();
    let mut room = Room::new(limits);
    let (mut start, mut unmade) = (Start::default(), Unmade::default());
    let mut added = Added::default();
    for proposal in proposals {
        let mut done = if let Some(done) = again.decided(proposal, book) {
            done
        } else if let Some(failure) = store.stopped() {
            let answer = Answer { result: Err(failure), ..proposal.refusal() };
            Done { proposal: proposal.clone(), answer, is_new: true }
        } else if let Some(by) = store.applied_since(proposal) {
            applied_meanwhile(proposal, by, again.transcript)
        } else {
            let snapshot = working_set.on(store.snapshot());
            start.tell(book, proposal, &snapshot, limits);
            let shown = unmade.below(proposal, &snapshot, limits);
            let checked = added.above(book.check(&shown, &snapshot, limits));
            start.tell_undecided(book, &checked, &snapshot);
            let done = apply_block(checked, &mut standing, store, watcher, &working_set)?;
            // It may have come while somebody was asked.
            let has_failed = matches!(done.answer.result, Err(Failure::Problem { .. }));
            let since = || {
                let by = store.applied_since(proposal);
                by.or_else(|| store.applied_since(&done.proposal))
            };
            match has_failed.then(since).flatten() {
                Some(by) => applied_meanwhile(proposal, by, again.transcript),
                None => done,
            }
        };
        room.take(&mut done);
        if done.is_ok() {
            working_set.follow(&done.proposal, store.snapshot());
        }
        if !done.is_ok() {
            unmade.add_proposal(&done.proposal, store.snapshot());
        }
        if done.wrote() {
            let works: Vec<Work> = done.proposal.work().into_iter().collect();
            start.change(&works);
            added.add(&done.proposal);
            book.made(Door::Cli, works);
        }
        watcher.done(&done)?;
        all.push(done);
    }
    Ok(all)
}

fn apply_block(
    checked: Proposal,
    standing: &mut Consent,
    store: &mut dyn Store,
    watcher: &mut dyn Watcher,
    working_set: &WorkingSet,
) -> io::Result<Done> {
    let answer = checked.answer();
    let plan = checked.plan.clone().filter(|_| answer.result.is_ok());
    let done = |proposal, answer| Ok(Done { proposal, answer, is_new: true });
    let Some(plan) = plan else { return done(checked, answer) };
    match standing {
        Consent::None => return Ok(refused(checked)),
        Consent::Quit => return Ok(undecided(checked)),
        _ => {}
    }
    if plan.changes.is_empty() && plan.program.is_none() {
        return done(checked, answer);
    }
    let consent = match standing {
        // "All" says nothing of a change that needs a look of its own.
        Consent::All if checked.with_others() != WithOthers::AfterALook => Consent::All,
        _ => watcher.consent(&checked, &plan, &working_set.on(store.snapshot()))?,
    };
    if matches!(consent, Consent::All | Consent::None | Consent::Quit) {
        *standing = consent.clone();
    }
    let (checked, plan) = match consent {
        Consent::Yes | Consent::All => (checked, plan),
        Consent::Some(taken) => match checked.with_hunks(&taken) {
            Some(in_part) => {
                let plan = in_part.plan.clone().unwrap_or(plan);
                (in_part, plan)
            }
            None => return Ok(refused(checked)),
        },
        Consent::Edited(edited) => match checked.as_edited(&edited) {
            Some(edited) => {
                let plan = edited.plan.clone().unwrap_or(plan);
                (edited, plan)
            }
            None => return Ok(refused(checked)),
        },
        Consent::No | Consent::None => return Ok(refused(checked)),
        Consent::Quit => return Ok(undecided(checked)),
        Consent::Leave => {
            let answer = checked.left().unwrap_or_else(|| checked.refusal());
            return done(checked, answer);
        }
    };
    let answer = checked.answer();
    store.prepare()?;
    let result = match &plan.program {
        Some((program, directory)) => store.run(program, directory),
        None => {
            let works = checked.work().into_iter().collect();
            store.write(&plan.changes, works).and(answer.result)
        }
    };
    done(checked, Answer { result, ..answer })
}

fn refused(proposal: Proposal) -> Done {
    let answer = proposal.refusal();
    Done { proposal, answer, is_new: true }
}

/// A block that nobody has decided on.
fn undecided(proposal: Proposal) -> Done {
    let answer = proposal.told(Err(Failure::Pending));
    Done { proposal, answer, is_new: false }
}

fn settled(proposal: &Proposal, result: Told) -> Done {
    Done { proposal: proposal.clone(), answer: proposal.told(result), is_new: false }
}

/// A block that another run has applied since this one has begun.
fn applied_meanwhile(proposal: &Proposal, by: By, transcript: &Transcript) -> Done {
    let noted = Outcome::noted(record::applied_before(&by, transcript));
    let mut proposal = proposal.clone();
    (proposal.status, proposal.by, proposal.plan) = (Status::Applied, Some(by), None);
    settled(&proposal, Ok(noted))
}

impl Again<'_> {
    /// What is said of a block that was decided before.
    fn decided(self, proposal: &Proposal, book: &Book) -> Option<Done> {
        // What was told of it then has its data: a clipboard may have lost it.
        let told = || book.told(proposal).filter(Result::is_ok).map(|told| proposal.told(told));
        let data = || told().and_then(|answer| proposal.placed.block.dialect.data(&answer));
        let noted = |summary| Ok(Outcome::Noted { summary, data: data().unwrap_or_default() });
        let result = match proposal.decided(self.wanted)? {
            Decided::Superseded => return None,
            Decided::Rejected => Err(Failure::Refused),
            Decided::Applied(by) => match (proposal.part(), told()) {
                (Some(part), Some(told)) if !part.files => told.result,
                (Some(part), _) => Ok(Outcome::Done(vec![part.fact()])),
                (None, _) => noted(record::applied_before(by, self.transcript)),
            },
            Decided::Answered => noted("already answered in this transcript".to_owned()),
            Decided::Ran => match book.ledger.answer(&book.transcript, proposal.id()) {
                Some(answer) if !answer.ok => {
                    let message = format!("already run, and it failed: {}", answer.summary);
                    Err(Failure::Noted { message, data: Value::Null })
                }
                _ => noted("already run".to_owned()),
            },
        };
        Some(settled(proposal, result))
    }
}

impl Done {
    /// Whether it was left until a person looks at it.
    pub fn is_left(&self) -> bool {
        let code = self.answer.result.as_ref().err().and_then(Failure::code);
        code == Some(PLAN_NEEDS_A_LOOK.as_str())
    }

    /// Whether it was done.
    pub fn is_ok(&self) -> bool {
        self.answer.result.is_ok()
    }

    /// Whether an earlier run, or an editor, has applied it.
    pub fn was_applied_before(&self) -> bool {
        self.is_ok() && !self.is_new && self.proposal.by.is_some()
    }

    /// Whether its file had the content already.
    pub fn is_satisfied(&self) -> bool {
        self.is_ok() && self.is_new && self.proposal.status == Status::Satisfied
    }

    /// Whether it runs a program.
    pub fn runs(&self) -> bool {
        self.proposal.plan.as_ref().is_some_and(|plan| plan.program.is_some())
    }

    /// Forgets what its plan says of what is only read: the answer has it.
    pub fn forget_outcome(&mut self) {
        let read = |plan: &&mut Arc<Plan>| plan.changes.is_empty() && plan.program.is_none();
        if let Some(plan) = self.proposal.plan.as_mut().filter(read) {
            let Plan { changes, remarks, targets, .. } = &**plan;
            let (changes, remarks, targets) = (changes.clone(), remarks.clone(), targets.clone());
            let outcome = Outcome::default();
            *plan =
                Arc::new(Plan { changes, outcome, remarks, targets, program: None, part: None });
        }
    }

    /// Whether it changed anything.
    pub fn wrote(&self) -> bool {
        self.is_ok() && self.changes().is_some()
    }

    /// What it changed, or would have.
    pub fn changes(&self) -> Option<&ChangeSet> {
        let changes = self.proposal.plan.as_ref().map(|plan| &plan.changes);
        changes.filter(|changes| !changes.is_empty())
    }
}

/// Nothing is written or run; later blocks see what would have been written.
impl Store for Staged<'_> {
    fn run(&mut self, _: &Program, _: &FilePath) -> Result<Outcome, Failure> {
        Err(Failure::Pending)
    }

    fn snapshot(&self) -> &dyn Snapshot {
        self
    }

    fn write(&mut self, changes: &ChangeSet, _: Vec<Work>) -> Result<(), Failure> {
        self.stage(changes).map_err(|why| {
            let path = changes.iter().next().map(|change| change.path().clone());
            let path = path.unwrap_or_else(|| FilePath::new(0, ""));
            disk::failure(&ApplyError::Denied { path, why })
        })
    }
}
