//! Code lenses: status and actions above each block.

use operator_core::review::{Proposal, Status};
use operator_core::spec::Effect;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CodeLens, Command, Range};

use super::code_actions;
use crate::lsp::carry_out;
use crate::lsp::context::Context;
use crate::lsp::names::CommandName;
use crate::lsp::programs;

/// `textDocument/codeLens`
///
/// # Errors
/// None.
pub fn lenses(context: &Context) -> Result<Option<Vec<CodeLens>>> {
    let review = context.review();
    let can_edit = context.session.client.apply_edit;
    let mut lenses = Vec::new();
    let count = review.applicable();
    if let Some(first) = review.proposal(0).filter(|_| can_edit && count > 1) {
        let title = format!("Apply all ({count})");
        let argument = json!({"uri": context.document.uri.clone()});
        lenses.push(lens(range(context, &first), title, Some((CommandName::ApplyAll, argument))));
    }
    for proposal in review.proposals() {
        let range = range(context, &proposal);
        lenses.push(lens(range, status(&proposal), None));
        if can_edit {
            let argument = |reply: bool| argument(context, &proposal, reply);
            let actions = actions(&proposal)
                .into_iter()
                .map(|(title, name, reply)| lens(range, title, Some((name, argument(reply)))));
            lenses.extend(actions);
            let reversals = code_actions::reversals(context, &proposal).into_iter();
            lenses.extend(reversals.map(|(_, command)| {
                let command = Some(command);
                CodeLens { range, command, data: None }
            }));
        }
    }
    keep_in_order(&mut lenses);
    Ok(Some(lenses))
}

/// Has each lens of a line begin after the one before it: some editors sort them by that.
fn keep_in_order(lenses: &mut [CodeLens]) {
    for at in 1..lenses.len() {
        let before = lenses[at - 1].range.start;
        let range = &mut lenses[at].range;
        if before.line == range.start.line {
            range.start.character = (before.character + 1).min(range.end.character);
        }
    }
}

/// What stands above a block: its status, and why where it cannot be applied.
fn status(proposal: &Proposal) -> String {
    match proposal.status {
        Status::Invalid | Status::Blocked | Status::Stale => carry_out::why_not(proposal),
        Status::Ready if proposal.caution().is_some() => {
            format!("ready, needs a look: {}", proposal.reasons_to_look())
        }
        status => format!("{}: {}", status.as_str(), proposal.title()),
    }
}

fn actions(proposal: &Proposal) -> Vec<(String, CommandName, bool)> {
    let reads = proposal.effect() != Some(Effect::Write);
    let run = programs::of(proposal).map(|program| programs::title(program, false));
    let run = run.as_deref().unwrap_or("Run");
    let actions = match proposal.status {
        Status::Ready if reads => {
            vec![(run, CommandName::Apply, true), ("Reject", CommandName::Reject, false)]
        }
        Status::Ready => vec![
            ("Apply", CommandName::Apply, false),
            ("Apply and reply", CommandName::Apply, true),
            ("Reject", CommandName::Reject, false),
        ],
        Status::Blocked | Status::Stale => vec![("Reject", CommandName::Reject, false)],
        _ => Vec::new(),
    };
    actions.into_iter().map(|(title, name, reply)| (title.to_owned(), name, reply)).collect()
}

fn argument(context: &Context, proposal: &Proposal, reply: bool) -> Value {
    let about = carry_out::argument(context, Some(proposal));
    let mut value = serde_json::to_value(about).unwrap_or_default();
    if reply && let Some(map) = value.as_object_mut() {
        map.insert("reply".to_owned(), Value::Bool(true));
    }
    value
}

fn range(context: &Context, proposal: &Proposal) -> Range {
    let start = proposal.placed.span.start;
    let line = context.text().line_of(start);
    let end = context.text().line_start(line) + context.text().line(line).len();
    context.range(&(start..end))
}

fn lens(range: Range, title: String, command: Option<(CommandName, Value)>) -> CodeLens {
    // A lens without a command of its own is shown as mere text.
    let (name, arguments) = match command {
        Some((name, argument)) => (name.identifier(), Some(vec![argument])),
        None => ("", None),
    };
    let command = Command::new(title, name.to_owned(), arguments);
    CodeLens { range, command: Some(command), data: None }
}
