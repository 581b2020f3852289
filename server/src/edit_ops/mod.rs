//! Edit-ops requests: a person asks a model for edits of five virtual files. The command line, the
//! service and the language server are three doors to what is here.

mod answer;
pub mod http;
mod outcomes;
mod place;
pub mod profile;
mod prompt;
mod provider;
mod reason;
mod request;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use operator_core::command::edit_ops::{Eval, Misfit, Op, Outcome, Proposal, fit};
use operator_core::fingerprint::Fingerprint;
use operator_core::snapshot::{CursorContext, FileId};

pub use outcomes::Outcomes;
pub use place::asked;
pub use profile::Profile;
pub use request::{NotARequest, Place, Request};

use outcomes::Watched;
use profile::Endpoint;
use prompt::{Prompt, TEMPLATE};
use reason::Reason;

/// How large a request may be, in bytes.
pub const REQUEST_BYTES: usize = 16 << 20;
/// More ops than these cannot be apart from each other: a document each, or in one of them the
/// selection and the cursor.
const MAX_OPS: usize = FileId::ALL.len() + 1;

/// What answers requests; it keeps nothing of them but numbers.
#[derive(Default)]
pub struct Service {
    /// Made for the first request that needs it.
    client: OnceLock<reqwest::Client>,
    outcomes: Outcomes,
}

impl Service {
    /// The numbers of outcomes.
    pub fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    /// The answer to a request. Whatever fails is an answer too, with no ops and a message.
    ///
    /// To drop it is to give up the request to the model.
    pub async fn answer(&self, profile: &Profile, request: &Request) -> Proposal {
        let mut watched = Watched::new(&self.outcomes, request);
        let found = self.proposal(profile, request, &mut watched).await;
        watched.ops = found.as_ref().map_or(0, |found| found.ops.len());
        let response = respond(profile, request, &found);
        watched.end(outcome(&found));
        response
    }

    /// The answer where there is no time any more.
    pub fn ending(profile: &Profile, request: &Request) -> Proposal {
        respond(profile, request, &Err(Reason::Ending))
    }

    async fn proposal(
        &self,
        profile: &Profile,
        request: &Request,
        watched: &mut Watched<'_>,
    ) -> Result<Proposal, Reason> {
        let endpoint = endpoint(profile)?;
        let asked = place::asked(request).map_err(Reason::NoSuchPlace)?;
        let prompt = Prompt::new(request, &asked);
        watched.prompt_tokens = prompt.tokens();
        if prompt.tokens() > profile.budget {
            return Err(Reason::OverBudget { tokens: prompt.tokens(), budget: profile.budget });
        }
        let text = provider::complete(self.client()?, endpoint, &prompt).await?;
        let proposal = answer::proposal(&text).ok_or(Reason::NotAProposal)?;
        check(&proposal.ops, request, &asked)?;
        Ok(proposal)
    }

    fn client(&self) -> Result<&reqwest::Client, Reason> {
        if self.client.get().is_none() {
            let client = provider::client().map_err(|_| {
                tracing::warn!("the system gives no HTTP client");
                Reason::Unreachable
            })?;
            // Of two that are made at once, one is enough.
            let _ = self.client.set(client);
        }
        self.client.get().ok_or(Reason::Unreachable)
    }
}

fn endpoint(profile: &Profile) -> Result<&Endpoint, Reason> {
    match &profile.endpoint {
        Some(endpoint) => Ok(endpoint),
        None if profile.problems.is_empty() => Err(Reason::Disabled),
        None => Err(Reason::Misconfigured(profile.problems.clone())),
    }
}

/// Whether each op has a place in the texts of the request, and none meets another.
fn check(ops: &[Op], request: &Request, asked: &CursorContext) -> Result<(), Reason> {
    if ops.len() > MAX_OPS {
        return Err(Reason::DoesNotFit(Misfit::Overlap(MAX_OPS)));
    }
    let text = |file: FileId| request.files.get(&file).map_or("", String::as_str);
    let length = |file| text(file).len();
    let boundary = |file, at| text(file).is_char_boundary(at);
    match fit(&ops.iter().collect::<Vec<_>>(), Some(asked), length, boundary) {
        Ok(_) => Ok(()),
        Err(misfits) => {
            let first = misfits.first().map(|(_, misfit)| *misfit);
            Err(first.map_or(Reason::NotAProposal, Reason::DoesNotFit))
        }
    }
}

fn outcome(found: &Result<Proposal, Reason>) -> Outcome {
    found.as_ref().err().map_or(Outcome::Ok, Reason::outcome)
}

fn respond(profile: &Profile, request: &Request, found: &Result<Proposal, Reason>) -> Proposal {
    let outcome = outcome(found);
    let (assistant_message, ops) = match found {
        Ok(found) => (found.assistant_message.clone(), found.ops.clone()),
        Err(reason) => (reason.to_string(), Vec::new()),
    };
    let template_id = || TEMPLATE.id.clone();
    Proposal {
        enabled: outcome != Outcome::Disabled,
        assistant_message,
        ops,
        base_fingerprints: fingerprints(&request.files),
        eval: profile.eval_mode.then(|| Eval { template_id: template_id(), outcome }),
    }
}

/// The fingerprints of the files of a request.
pub fn fingerprints(files: &BTreeMap<FileId, String>) -> BTreeMap<FileId, Fingerprint> {
    files.iter().map(|(file, text)| (*file, Fingerprint::of(text.as_bytes()))).collect()
}
