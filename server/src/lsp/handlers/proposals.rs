//! `operator/proposals`: the blocks of a transcript, for inboxes.

use operator_core::review::Proposal;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;

use crate::lsp::context::Context;
use crate::moment;

/// `operator/proposals`: `[Block + {"cautionMessage","summary","problems":n}]`.
///
/// # Errors
/// None.
pub fn proposals(context: &Context) -> Result<Value> {
    let blocks = context.review().proposals().map(|proposal| block(context, &proposal));
    Ok(Value::Array(blocks.collect()))
}

fn block(context: &Context, proposal: &Proposal) -> Value {
    let parsed = &proposal.placed.block.parsed;
    let mut block = json!({
        "id": parsed.id,
        "dialect": proposal.placed.block.dialect.name(),
        "action": parsed.action,
        "path": parsed.path,
        "range": context.range(&proposal.placed.span),
        "status": proposal.status,
        "effect": parsed.effect,
        "caution": proposal.caution().map(|caution| caution.reason),
        "cautionMessage": proposal.caution().map(|_| proposal.reasons_to_look()),
        "summary": proposal.title(),
        "problems": proposal.problem_count(),
    });
    if let Some(by) = proposal.by_word() {
        block["by"] = by.into();
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
