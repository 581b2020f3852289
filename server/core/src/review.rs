//! Proposals: commands under review, and their states.

use std::sync::Arc;

use crate::dialect::Answer;
use crate::limits::Limits;
use crate::plan::{Plan, Target};
use crate::problem::Problem;
use crate::scan::{Placed, Scan};
use crate::snapshot::{FilePath, Snapshot};

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
    /// It was applied, and the targets say so.
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

/// One command under review.
#[derive(Clone)]
pub struct Proposal {
    /// The block and its place.
    pub placed: Placed,
    /// Where it stands.
    pub status: Status,
    /// Every problem of the block and of its plan; spans count from the start of the transcript.
    pub problems: Vec<Problem>,
    /// What it comes to, alone or after the earlier blocks; `None` where it cannot be planned.
    pub plan: Option<Arc<Plan>>,
    /// The block after which it would be ready, where it is blocked alone.
    pub ready_after: Option<usize>,
}

/// The whole transcript under review.
#[derive(Clone, Default)]
pub struct Review {
    /// The proposals, one per block, in order.
    pub proposals: Vec<Proposal>,
    /// The problems that belong to no block; spans count from the start of the transcript.
    pub problems: Vec<Problem>,
}

/// Reviews one transcript again and again, and remembers what only history knows: what each
/// proposal was made for, and which were applied.
///
/// Plans are kept from one review to the next until [`Reviewer::forget`] names one of their files.
#[derive(Default)]
pub struct Reviewer {}

impl Reviewer {
    /// Judges every block against the workspace.
    pub fn review(&mut self, scan: &Scan, snapshot: &dyn Snapshot, limits: &Limits) -> Review {
        let _ = (snapshot, limits);
        let _ = scan;
        Review::default()
    }

    /// Forgets plans that looked at `changed` (or at anything, where it is `None`), so that the
    /// next review makes them again.
    pub fn forget(&mut self, changed: Option<&FilePath>) {
        let _ = changed;
    }

    /// Notes that the plan of a block was carried out: it counts as applied until its targets say
    /// otherwise, and the other proposals' bases take the change as known.
    pub fn applied(&mut self, placed: &Placed, targets: &[Target]) {
        let _ = (placed, targets);
    }

    /// Judges one block afresh, whatever was remembered of its plan, as it has to be before it is
    /// applied.
    pub fn judge(&self, placed: &Placed, snapshot: &dyn Snapshot, limits: &Limits) -> Proposal {
        let _ = (snapshot, limits);
        Proposal {
            placed: placed.clone(),
            status: Status::Blocked,
            problems: Vec::new(),
            plan: None,
            ready_after: None,
        }
    }
}

impl Proposal {
    /// One line that says what it is: action and path, `fs.write src/main.rs`.
    pub fn title(&self) -> String {
        String::new()
    }

    /// The answer to the model if the proposal is carried out now: the plan's outcome, or the first
    /// error.
    pub fn answer(&self) -> Answer {
        unreachable!()
    }

    /// The first error, if there is one.
    pub fn error(&self) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.is_error())
    }
}
