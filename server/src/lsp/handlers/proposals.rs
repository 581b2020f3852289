//! `operator/proposals`: the blocks of a transcript, for inboxes.

use operator_core::review::{Offer, Proposal};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Uri, request};

use crate::lsp::context::Context;
use crate::lsp::protocol::DocumentParams;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;
use crate::moment;

/// How many problems of a block are told with it.
const MAX_TOLD: usize = 5;

/// `operator/proposals`: `[Block + {"cautionMessage","summary","problems":n,…}]`.
pub struct Handler;

impl request::Request for Handler {
    type Params = DocumentParams;
    type Result = Value;
    const METHOD: &'static str = "operator/proposals";
}

impl DocumentRequest for Handler {
    type Protocol = Handler;
    const NEEDS: Needs = Needs::Review;

    fn document(params: &DocumentParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(context: &Context, _: &DocumentParams) -> Result<Value> {
        let blocks = context.review().proposals().map(|proposal| block(context, &proposal));
        Ok(Value::Array(blocks.collect()))
    }
}

fn block(context: &Context, proposal: &Proposal) -> Value {
    let parsed = &proposal.placed.block.parsed;
    let offers = context.offers(proposal);
    let mut block = json!({
        "id": parsed.id,
        "dialect": proposal.placed.block.dialect.name(),
        "action": parsed.action,
        "path": parsed.path,
        "range": context.range(&proposal.placed.span),
        "status": proposal.status,
        "by": proposal.by_word(),
        "after": proposal.ready_after.as_ref().map(|after| after.index),
        "effect": parsed.effect,
        "caution": proposal.caution().map(|caution| caution.reason),
        "cautionMessage": proposal.caution().map(|_| proposal.reasons_to_look()),
        "summary": proposal.title(),
        "does": proposal.does(),
        "group": proposal.group(),
        "problems": proposal.problem_count(),
        "messages": messages(proposal),
        "repliesWith": replies_with(proposal),
        "offers": offers.buttons().map(Offer::as_str).collect::<Vec<_>>(),
    });
    if let Some(part) = proposal.part() {
        match (part.of_hunks(), part.of_files()) {
            (Some(hunks), _) => block["hunks"] = json!(hunks),
            (_, Some(files)) => block["files"] = json!(files),
            _ => block["edited"] = true.into(),
        }
    }
    if let Some(by) = &proposal.by {
        block["appliedBy"] = json!({
            "operation": by.operation,
            "door": by.door,
            "time": moment::rfc3339(by.time),
            "transcript": by.transcript,
        });
    }
    block
}

/// The family of dialects whose blocks one reply answers together with this one.
fn replies_with(proposal: &Proposal) -> Option<&'static str> {
    let rules = proposal.placed.block.dialect.rules();
    rules.reply.answers_several().then_some(rules.family)
}

/// What the first problems of a block say, in the order of the text.
fn messages(proposal: &Proposal) -> Vec<&str> {
    let mut problems: Vec<_> = proposal.local_problems().collect();
    problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    problems.into_iter().take(MAX_TOLD).map(|problem| problem.message.as_str()).collect()
}
