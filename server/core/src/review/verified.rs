//! Whether a reply in a transcript says what was done: models invent replies.

use super::Status;
use super::check::CheckResult;
use crate::command::{Command, Step};
use crate::dialect::Claim;
use crate::edit::{Change, smallest};
use crate::fingerprint::Fingerprint;
use crate::ledger::Standing;
use crate::limits::Limits;
use crate::path::State;
use crate::plan;
use crate::snapshot::Snapshot;

/// A command that a reply is about, and the files as they are.
pub struct Now<'a> {
    pub command: &'a Command,
    /// What planning it on them came to.
    pub planned: &'a CheckResult,
    pub snapshot: &'a dyn Snapshot,
    pub limits: &'a Limits,
}

/// Whether the ledger knows of what a reply says. `has_had` says whether it knows of a file of the
/// block with that fingerprint, before or after the block's change.
pub fn by_ledger(standing: &Standing, said: &Claim, has_had: impl Fn(Fingerprint) -> bool) -> bool {
    let answer = standing.answer.as_ref();
    let is_answer = answer.is_some_and(|it| (it.ok, it.refused) == (said.ok, said.refused));
    let was_done = said.ok && (standing.applied.is_some() || standing.undone);
    is_answer || was_done && (said.stated.is_empty() || said.stated.iter().copied().any(has_had))
}

/// Whether the files show what a reply says, where no ledger tells of it: the reply was given on
/// another machine, or the ledger is lost. What a file holds now may have been known before, so that
/// a fingerprint proves something only where the command leaves it, or can have left it.
pub fn by_files(said: &Claim, now: &Now<'_>) -> bool {
    let stated = said.stated.iter().map(|fingerprint| State::File(*fingerprint));
    said.ok && stated.into_iter().any(|state| now.would_leave(state) || now.can_have_left(state))
}

impl Now<'_> {
    /// Whether the command leaves a state that none of its files has now.
    fn would_leave(&self, state: State) -> bool {
        let is_now = |path| self.snapshot.state(path) == Ok(state);
        self.planned.targets.iter().any(|target| target.after == state)
            && !self.planned.looked_at.iter().any(is_now)
    }

    /// Whether a file that the command changes has a state, and the change is there already or
    /// cannot be made any more.
    fn can_have_left(&self, state: State) -> bool {
        // What a move or a copy comes from has that state before it.
        let is_transfer = matches!(self.command.steps[..], [Step::Move { .. } | Step::Copy { .. }]);
        let mut files = self.planned.looked_at.iter().skip(usize::from(is_transfer));
        files.any(|path| self.snapshot.state(path) == Ok(state))
            && (self.planned.status != Status::Ready || self.would_insert_again())
    }

    /// Whether all that the command would do is to insert text beside the same text.
    fn would_insert_again(&self) -> bool {
        let Ok(plan) = plan::plan(self.command, self.snapshot, self.limits) else { return false };
        plan.changes.iter().all(|change| match change {
            Change::Edit { before, after, .. } => {
                smallest(&before.text, &after.text).iter().all(|edit| {
                    let (above, below) = before.text.split_at(edit.span.start);
                    edit.span.is_empty()
                        && (above.ends_with(&*edit.text) || below.starts_with(&*edit.text))
                })
            }
            _ => false,
        })
    }
}
