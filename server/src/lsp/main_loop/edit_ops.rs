//! `operator/editOps`: a request to a model, beside everything else.

use std::sync::Arc;

use operator_core::command::edit_ops::{Asked, Proposal};
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};

use super::State;
use crate::edit_ops::{self, Profile, Request, Service};
use crate::lsp::context::request_failed;
use crate::lsp::event::{Event, Reply};
use crate::lsp::programs::Programs;

impl State {
    /// Asks the model. The request to it ends when the client cancels or the server ends.
    pub(super) fn edit_ops(&mut self, params: Value, mut reply: Reply<Value>) {
        let settings = &self.session.config.llm_chat_ops;
        let profile = Profile::new(settings, |name| std::env::var_os(name));
        let (service, programs) = (self.edit_ops.clone(), self.programs.clone());
        let events = self.events.clone();
        tokio::spawn(async move {
            let answered = tokio::select! {
                answered = answer(&service, &profile, params, &programs) => answered,
                () = reply.closed() => return,
            };
            let answered = answered.map(|(proposal, asked)| {
                // Before the client can have pasted it.
                if let (Some(asked), Some(events)) = (asked, events.upgrade()) {
                    let _ = events.send(Event::EditOpsAnswered(proposal.digest(), asked));
                }
                proposal
            });
            let _ = reply.send(answered.and_then(|proposal| {
                serde_json::to_value(proposal).map_err(|_| request_failed("no answer"))
            }));
        });
    }
}

/// The answer, and where the person was if there is something to apply in it.
async fn answer(
    service: &Arc<Service>,
    profile: &Profile,
    mut params: Value,
    programs: &Programs,
) -> Result<(Proposal, Option<Asked>)> {
    // Every request of the protocol may have these, and they mean nothing here.
    if let Value::Object(members) = &mut params {
        members.remove("workDoneToken");
        members.remove("partialResultToken");
    }
    let request =
        Request::from_value(&params).map_err(|wrong| Error::invalid_params(wrong.to_string()))?;
    let proposal = tokio::select! {
        proposal = service.answer(profile, &request) => proposal,
        () = programs.stopped() => Service::ending(profile, &request),
    };
    let asked = edit_ops::asked(&request).ok().filter(|_| !proposal.ops.is_empty());
    Ok((proposal, asked))
}
