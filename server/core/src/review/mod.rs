//! Proposals: commands under review, and their states.

mod judge;
mod memory;
mod order;
mod place;
mod reviewer;

pub use judge::{Base, Judgement};
pub use reviewer::{Planned, Reviewer};

use std::sync::Arc;

use crate::dialect::{Answer, Failure};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::scan::Placed;
use crate::snapshot::FilePath;
use crate::spec::Effect;

/// Where a proposal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Sound, unambiguous and fresh: it can be applied.
    Ready,
    /// The block itself is malformed.
    Invalid,
    /// Well formed, and cannot be planned against the workspace now.
    Blocked,
    /// It could be planned, but the target is not the one that it was proposed for.
    Stale,
    /// It was applied, and the targets or the reply below it say so.
    Applied,
    /// The user refused it.
    Rejected,
    /// A later block has the same id.
    Superseded,
}

impl Status {
    /// The word in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Ready => "ready",
            Status::Invalid => "invalid",
            Status::Blocked => "blocked",
            Status::Stale => "stale",
            Status::Applied => "applied",
            Status::Rejected => "rejected",
            Status::Superseded => "superseded",
        }
    }
}

/// One command under review. A clone is cheap.
#[derive(Clone)]
pub struct Proposal {
    /// The block and its place.
    pub placed: Placed,
    /// Where it stands.
    pub status: Status,
    /// What it comes to; only a proposal that was judged by itself has it, since plans are large.
    pub plan: Option<Arc<Plan>>,
    /// The block after which it would be ready, where it is blocked alone.
    pub ready_after: Option<usize>,
    /// Whether a reply below it says that it was done: it is not done again.
    pub answered: bool,
    judgement: Arc<Judgement>,
    /// Whether the shell around the core cannot carry it out.
    barred: bool,
    /// What only its neighbours make a problem; spans count from the start of the block.
    around: Vec<Problem>,
}

/// The whole transcript under review.
#[derive(Clone, Default)]
pub struct Review {
    /// The proposals, one per block, in order.
    pub proposals: Vec<Proposal>,
    /// The problems that belong to no block; spans count from the start of the transcript.
    pub problems: Vec<Problem>,
}

impl Proposal {
    /// Every problem of the block, of its neighbourhood and of its plan; spans count from the
    /// start of the transcript.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        self.local_problems().map(|problem| problem.clone().shifted(self.placed.span.start))
    }

    /// How many problems there are.
    pub fn problem_count(&self) -> usize {
        self.local_problems().count()
    }

    /// The first error; its spans count from the start of the block.
    pub fn error(&self) -> Option<&Problem> {
        self.local_problems().find(|problem| problem.is_error())
    }

    /// What it does to the world, where the action is known.
    pub fn effect(&self) -> Option<Effect> {
        self.placed.block.parsed.effect
    }

    /// What judging it came to.
    pub fn judgement(&self) -> &Judgement {
        &self.judgement
    }

    /// One line that says what it is: `fs.write src/main.rs`.
    pub fn title(&self) -> String {
        let parsed = &self.placed.block.parsed;
        let action = parsed.action.as_deref().unwrap_or("(no action)");
        match &parsed.path {
            Some(path) => format!("{action} {path}"),
            None => action.to_owned(),
        }
    }

    /// What people call it: its place among the blocks, from 1, and its id, `block 3 (edit-1)`.
    pub fn name(&self) -> String {
        let number = self.placed.index + 1;
        match &self.placed.block.parsed.id {
            Some(id) => format!("block {number} ({id})"),
            None => format!("block {number}"),
        }
    }

    /// What the model is told when the proposal is carried out now: the plan's outcome, or why it
    /// cannot be.
    pub fn answer(&self) -> Answer {
        let parsed = &self.placed.block.parsed;
        let result = match (self.status, &self.plan) {
            (Status::Rejected, _) => Err(Failure::Refused),
            (Status::Ready | Status::Applied, Some(plan)) => Ok(plan.outcome.clone()),
            _ => Err(self.failure()),
        };
        Answer { id: parsed.id.clone(), action: parsed.action.clone(), result }
    }

    /// What the model is told when the user says no.
    pub fn refusal(&self) -> Answer {
        let parsed = &self.placed.block.parsed;
        let (id, action) = (parsed.id.clone(), parsed.action.clone());
        Answer { id, action, result: Err(Failure::Refused) }
    }

    /// Blocks the proposal for a reason that only the shell around the core knows; the problem's
    /// spans count from the start of the block.
    pub fn block(&mut self, problem: Problem) {
        self.status = Status::Blocked;
        self.barred = true;
        self.around.push(problem);
    }

    fn failure(&self) -> Failure {
        // Blocked alone, its plan's errors are mere remarks while an earlier block can mend them.
        let problem = self.error().or_else(|| self.local_problems().next());
        problem.map_or_else(
            || Failure::Problem {
                code: self.status.as_str().to_owned(),
                message: format!("this command is {}", self.status.as_str()),
                details: serde_json::Map::new(),
            },
            Failure::of,
        )
    }

    fn local_problems(&self) -> impl Iterator<Item = &Problem> {
        let own = &self.placed.block.parsed.problems;
        own.iter().chain(&self.around).chain(&self.judgement.problems)
    }
}

impl Review {
    /// Every problem of the transcript with the block that it belongs to, in the order of blocks,
    /// those of no block first.
    pub fn problems(&self) -> impl Iterator<Item = (Option<usize>, Problem)> + '_ {
        let own = self.problems.iter().map(|problem| (None, problem.clone()));
        own.chain(self.proposals.iter().flat_map(|proposal| {
            proposal.problems().map(|problem| (Some(proposal.placed.index), problem))
        }))
    }

    /// Whether a change of `file` may change the review: whether some judgement looked at it, at
    /// a directory around it, or at something below it.
    pub fn looks_at(&self, file: &FilePath) -> bool {
        let mut looked = self.proposals.iter().flat_map(|p| &p.judgement().looked_at);
        looked.any(|path| path.is_within(file) || file.is_within(path))
    }

    /// The writes that can be applied in order: those that are ready, and those that will be once
    /// earlier ones are applied.
    pub fn applicable(&self) -> impl Iterator<Item = &Proposal> {
        self.proposals.iter().filter(|proposal| {
            proposal.effect() == Some(Effect::Write)
                && (proposal.status == Status::Ready || proposal.ready_after.is_some())
        })
    }

    /// How many proposals have that status.
    pub fn count(&self, status: Status) -> usize {
        self.proposals.iter().filter(|proposal| proposal.status == status).count()
    }
}

#[cfg(test)]
mod tests;
