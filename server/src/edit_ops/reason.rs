//! Why a request has no proposal, in words for the person who asked. None of them holds anything
//! of the request, of the model's answer or of the server that it came from.

use std::fmt;

use operator_core::command::edit_ops::{Misfit, Outcome};

/// Why there is no proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It is switched off.
    Disabled,
    /// It is switched on and cannot work; what is wrong with the profile.
    Misconfigured(Vec<String>),
    /// The selection or the cursor is none.
    NoSuchPlace(&'static str),
    /// The prompt is larger than the budget.
    OverBudget {
        /// How many tokens it takes.
        tokens: u64,
        /// How many it may take.
        budget: u64,
    },
    /// The server of the model says that the prompt is longer than its context.
    LongerThanItsContext,
    /// The model stopped at its limit.
    Truncated,
    /// The model stopped for a reason of its own, such as a filter.
    Stopped,
    /// What the model said is not a proposal.
    NotAProposal,
    /// An op of the proposal has no place in its file.
    DoesNotFit(Misfit),
    /// Nobody answers.
    Unreachable,
    /// The answer broke off, or is too large.
    Broken,
    /// The server of the model refused, with this status.
    Refused(u16),
    /// It took too long.
    Timeout,
    /// The service ends.
    Ending,
}

impl Reason {
    /// What that is called.
    pub fn outcome(&self) -> Outcome {
        match self {
            Reason::Disabled | Reason::Misconfigured(_) => Outcome::Disabled,
            Reason::OverBudget { .. } | Reason::LongerThanItsContext => Outcome::OverBudget,
            Reason::Truncated => Outcome::Truncated,
            Reason::NoSuchPlace(_)
            | Reason::Stopped
            | Reason::NotAProposal
            | Reason::DoesNotFit(_) => Outcome::InvalidResponse,
            Reason::Unreachable | Reason::Broken | Reason::Refused(_) => Outcome::ProviderError,
            Reason::Timeout => Outcome::Timeout,
            Reason::Ending => Outcome::Cancelled,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Reason::Disabled => {
                "Edits by chat are switched off here. The operator of this service can switch them \
                 on with LLM_CHAT_OPS_ENABLED."
            }
            Reason::Misconfigured(problems) => {
                return write!(
                    f,
                    "Edits by chat are not set up right. The operator of this service must \
                     fix this: {}.",
                    problems.join("; ")
                );
            }
            Reason::NoSuchPlace(what) => {
                return write!(f, "{what}. Select it again, or move the cursor, and ask again.");
            }
            Reason::OverBudget { tokens, budget } => {
                return write!(
                    f,
                    "This is too long for the model: about {tokens} tokens, and {budget} are \
                     allowed. Begin a new conversation, or shorten the files, and ask again."
                );
            }
            Reason::LongerThanItsContext => {
                "The model cannot take in so much at once. Begin a new conversation, or shorten \
                 the files, and ask again."
            }
            Reason::Truncated => {
                "The model's answer was cut off at its limit, so nothing is proposed. Ask for a \
                 smaller change."
            }
            Reason::Stopped => {
                "The model stopped before it was done, so nothing is proposed. Put it in other \
                 words and ask again."
            }
            Reason::NotAProposal => {
                "The model's answer was no set of edits, so nothing is proposed. Ask again, or put \
                 it in other words."
            }
            Reason::DoesNotFit(misfit) => misfits(*misfit),
            Reason::Unreachable => {
                "The model cannot be reached. Try again in a minute; if that does not help, tell \
                 the operator of this service."
            }
            Reason::Broken => {
                "The model's answer did not arrive whole, so nothing is proposed. Ask again."
            }
            Reason::Refused(status) => refusals(*status),
            Reason::Timeout => "The model took too long. Ask again, or ask for a smaller change.",
            Reason::Ending => "The service is about to end. Ask again in a minute.",
        };
        f.write_str(text)
    }
}

fn misfits(misfit: Misfit) -> &'static str {
    match misfit {
        Misfit::NeedsSelection => {
            "The model wants to change a selection, and nothing is selected in that file. Select \
             the text to change and ask again."
        }
        Misfit::NeedsCursor => {
            "The model wants to insert text at a cursor, and there is none in that file. Put \
             the cursor where the text should go and ask again."
        }
        Misfit::OutOfRange => {
            "The model's edits lie outside the text, so nothing is proposed. Ask again."
        }
        Misfit::Overlap(_) => {
            "The model's edits overlap, so nothing is proposed. Ask again, for one change at a time."
        }
    }
}

fn refusals(status: u16) -> &'static str {
    match status {
        401 | 403 => {
            "The model does not accept this service's key. The operator of this service must \
             correct LLM_CHAT_OPS_API_KEY."
        }
        429 => "The model has too much to do. Wait a minute and ask again.",
        500.. => {
            "The model cannot answer now. Try again in a minute; if that does not help, tell \
             the operator of this service."
        }
        _ => {
            "The model does not accept the request. The operator of this service must check \
             LLM_CHAT_OPS_BASE_URL and LLM_CHAT_OPS_MODEL."
        }
    }
}
