//! Blocks planned afresh and with their whole plans, as they must be before they are applied.

use std::sync::Arc;

use super::added::Added;
use super::check::{Depth, check, paths, shared};
use super::place::open_command;
use super::since::{On, StagedLines};
use super::unmade::Unmade;
use super::{Book, Proposal, Review, Status, WithOthers, WorkingSet};
use crate::edit::{ChangeSet, Needs};
use crate::limits::Limits;
use crate::path::FilePath;
use crate::snapshot::{Denied, Remembered, Snapshot, Staged};
use crate::spec::Effect;

/// How many bytes the answers to reads may have together that are kept at once.
const MOST_ANSWERED: usize = 16 << 20;

/// Everything that can be applied or read, in order, as one change set.
pub struct Planned {
    /// Every change, in terms of the snapshot.
    pub changes: ChangeSet,
    /// The writes that it applies and the reads that it answers, with their plans.
    pub done: Vec<Proposal>,
    /// The writes that have nothing to change on their turn, since their files have the content
    /// already.
    pub satisfied: Vec<Proposal>,
    /// The other proposals that could not be applied or read, with their errors.
    pub failed: Vec<Proposal>,
    /// The proposals that could be, and need a look of their own.
    pub left: Vec<Proposal>,
}

impl Book {
    /// Checks one block afresh and with its whole plan.
    ///
    /// What the neighbours and the ledger say (superseded, refused, applied) is the review's to
    /// know.
    pub fn check(&self, shown: &Proposal, snapshot: &dyn Snapshot, limits: &Limits) -> Proposal {
        self.check_on(shown, On::now(snapshot), limits)
    }

    /// The files and directories that a block is about, as far as they can be resolved; none for one that
    /// changes nothing.
    pub fn paths(proposal: &Proposal, snapshot: &dyn Snapshot, limits: &Limits) -> Vec<FilePath> {
        let parsed = &proposal.placed.block.parsed;
        let command = parsed.command.as_ref().filter(|_| parsed.effect == Some(Effect::Write));
        command.map(|command| paths(command, snapshot, limits)).unwrap_or_default()
    }

    /// Plans every proposal of a review that can be applied or read, in document order, each on
    /// what the earlier ones leave. Left out are programs, what needs a look of its own, a write
    /// that takes more than `can` says can be done, and reads once their answers are too large to
    /// be kept: they stay ready.
    ///
    /// # Errors
    /// Whatever keeps the workspace from being read.
    pub fn plan_all(
        &self,
        review: &Review,
        snapshot: &dyn Snapshot,
        limits: &Limits,
        can: impl Fn(Needs) -> bool,
    ) -> Result<Planned, Denied> {
        let snapshot: &dyn Snapshot = &Remembered::new(snapshot);
        let (mut staged, mut lines) = (Staged::new(snapshot), StagedLines::default());
        let (mut working_set, mut answers) = (WorkingSet::default(), 0);
        let (mut done, mut failed, mut left) = (Vec::new(), Vec::new(), Vec::new());
        let (mut satisfied, mut unmade) = (Vec::new(), Unmade::default());
        let mut added = Added::default();
        for proposal in review.proposals() {
            if proposal.with_others() == WithOthers::Never {
                if proposal.status == Status::Applied {
                    working_set.follow(&proposal, &staged);
                }
                unmade.add_proposal(&proposal, &staged);
                continue;
            }
            let reads = proposal.effect() != Some(Effect::Write);
            if reads && answers > MOST_ANSWERED {
                continue;
            }
            let now = working_set.on(&staged);
            let shown = unmade.below(&proposal, &now, limits);
            let on = On { snapshot: &now, now: snapshot, staged: Some(&lines) };
            let checked = added.above(self.check_on(&shown, on, limits));
            if checked.with_others() != WithOthers::Now {
                unmade.add_proposal(&checked, &staged);
            }
            match (&checked.plan, checked.with_others()) {
                (_, WithOthers::AfterALook) => left.push(checked),
                (Some(plan), WithOthers::Now) if can(checked.check_result.needs) => {
                    working_set.follow(&checked, &staged);
                    staged.stage(&plan.changes)?;
                    added.add(&checked);
                    lines.stage(&checked.check_result.targets);
                    answers += if reads { plan.outcome.size() } else { 0 };
                    done.push(checked);
                }
                _ if checked.status == Status::Satisfied => satisfied.push(checked),
                _ => failed.push(checked),
            }
        }
        Ok(Planned { changes: staged.into_changes(), done, satisfied, failed, left })
    }

    fn check_on(&self, shown: &Proposal, on: On<'_>, limits: &Limits) -> Proposal {
        let placed = &shown.placed;
        let command = match open_command(&placed.block, placed.inside.is_some(), false) {
            Err(status) => {
                let Proposal { nth, is_told, .. } = *shown;
                return Proposal { nth, is_told, ..Proposal::of(placed, status) };
            }
            Ok(command) => command,
        };
        let (block, base) = (&placed.block, self.base(shown.id()));
        let (mut check_result, plan) = check(block, command, on, base, limits, Depth::Whole);
        if shown.edited {
            check_result.after_an_edit(block);
        }
        if shown.below_unmade {
            check_result.below_unmade(block);
        }
        if let Some(rival) = shown.rival {
            rival.mark(block, &mut check_result);
        }
        if self.is_made_above(block, shown.nth, &check_result) {
            check_result.made_above(block);
        }
        if shown.is_shown {
            check_result.is_shown(block);
        }
        let known = Proposal::of(placed, check_result.status);
        let (check_result, plan) = (Arc::new(check_result), shared(plan));
        let Proposal { nth, edited, below_unmade, rival, is_shown, is_told, .. } = *shown;
        let known = Proposal { nth, edited, below_unmade, rival, is_shown, is_told, ..known };
        Proposal { check_result, plan, ..known }
    }
}
