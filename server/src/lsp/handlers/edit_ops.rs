//! `operator/editOps`: a request to a model for edits of the virtual files.

use std::sync::Arc;

use operator_core::command::edit_ops::Proposal;
use operator_core::snapshot::CursorContext;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::request;

use crate::edit_ops::{self, Profile, Request as EditOpsRequest, Service};
use crate::lsp::event::{Event, Reply};
use crate::lsp::programs::Programs;
use crate::lsp::requests::Request;

/// `operator/editOps`
pub struct Handler;

impl request::Request for Handler {
    type Params = Value;
    type Result = Value;
    const METHOD: &'static str = "operator/editOps";
}

impl Request for Handler {
    type Protocol = Handler;

    fn event(params: Value, reply: Reply<Value>) -> Event {
        Event::EditOps(params, reply)
    }
}

/// The answer, and where the person was if there is something to apply in it.
///
/// # Errors
/// Invalid parameters, where they are not a request.
pub async fn answer(
    service: &Arc<Service>,
    profile: &Profile,
    mut params: Value,
    programs: &Programs,
) -> Result<(Proposal, Option<CursorContext>)> {
    // Every request of the protocol may have these, and they mean nothing here.
    if let Value::Object(members) = &mut params {
        members.remove("workDoneToken");
        members.remove("partialResultToken");
    }
    let request = EditOpsRequest::from_value(&params)
        .map_err(|wrong| Error::invalid_params(wrong.to_string()))?;
    let proposal = tokio::select! {
        proposal = service.answer(profile, &request) => proposal,
        () = programs.stopped() => Service::ending(profile, &request),
    };
    let asked = edit_ops::asked(&request).ok().filter(|_| !proposal.ops.is_empty());
    Ok((proposal, asked))
}
