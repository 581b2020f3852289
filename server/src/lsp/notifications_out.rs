//! The notification that the protocol lacks: how many proposals are in which state.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{Uri, notification::Notification};

use operator_core::review::{Review, Status};

/// How many proposals of a transcript are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProposalCounts {
    /// Those that can be applied.
    pub ready: usize,
    /// Those that cannot be planned now.
    pub blocked: usize,
    /// Those whose target is another than the one that they were made for.
    pub stale: usize,
    /// Those whose block is malformed.
    pub invalid: usize,
}

impl ProposalCounts {
    /// The counts of a review.
    pub fn of(review: &Review) -> ProposalCounts {
        ProposalCounts {
            ready: review.count(Status::Ready),
            blocked: review.count(Status::Blocked),
            stale: review.count(Status::Stale),
            invalid: review.count(Status::Invalid),
        }
    }
}

/// `operator/proposalsChanged`.
pub enum ProposalsChanged {}

/// What `operator/proposalsChanged` says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProposalsChangedParams {
    /// The transcript.
    pub uri: Uri,
    /// The counts.
    #[serde(flatten)]
    pub counts: ProposalCounts,
}

impl Notification for ProposalsChanged {
    type Params = ProposalsChangedParams;
    const METHOD: &'static str = "operator/proposalsChanged";
}
