//! Code actions: fixes, and what can be done with each proposal.

mod fixes;
mod resolve;

use operator_core::ledger::Door;
use operator_core::review::{Proposal, Status};
use operator_core::spec::Effect;
use serde_json::json;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeAction, CodeActionDisabled, CodeActionKind, CodeActionOrCommand, CodeActionParams,
    CodeActionResponse, Command,
};

use crate::lsp::carry_out::{self, why_not};
use crate::lsp::context::Context;
use crate::lsp::names::{ActionKind, CommandName};
use crate::lsp::programs;
pub use resolve::{argument, insertion, refusal, refused, rejected, resolve, with_reply};

/// `textDocument/codeAction`
///
/// The edits of actions on proposals are left to `codeAction/resolve` where the client can.
///
/// # Errors
/// Invalid parameters where the range ends before it starts.
pub fn actions(
    context: &Context,
    params: &CodeActionParams,
) -> Result<(Option<CodeActionResponse>, Vec<carry_out::Sent>)> {
    let span = context.span(params.range)?;
    if context.scan().is_none() {
        return Ok((None, Vec::new()));
    }
    let wanted = |kind: ActionKind| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| only.iter().any(|asked| is_within(kind, asked)))
    };
    let mut actions = Vec::new();
    if wanted(ActionKind::QuickFix) {
        actions.extend(fixes::quick_fixes(context, &span));
    }
    for proposal in context.review().near(&span) {
        let offers = offers(context, &proposal).into_iter().filter(|offer| wanted(offer.kind));
        actions.extend(offers.filter_map(|offer| action(context, Some(&proposal), offer)));
        let known = reversals(context, &proposal).into_iter().filter(|(kind, _)| wanted(*kind));
        actions.extend(known.map(|(kind, command)| CodeAction {
            title: match kind {
                ActionKind::ApplyAgain => format!("Apply {} again", proposal.title()),
                _ => format!("{} {}", command.title, proposal.title()),
            },
            kind: Some(CodeActionKind::new(kind.identifier())),
            command: Some(command),
            ..CodeAction::default()
        }));
    }
    // What acts on the whole transcript is offered where it is asked for, not on every block.
    let asked = params.context.only.is_some();
    if asked && wanted(ActionKind::FixAll) {
        actions.extend(fixes::fix_all(context));
    }
    if wanted(ActionKind::ApplyAll) {
        actions.extend(apply_all(context).and_then(|offer| action(context, None, offer)));
    }
    let mut sent = Vec::new();
    let client = &context.session.client;
    if client.actions_are_commands {
        actions = actions.into_iter().filter_map(as_command).collect();
    } else if !client.resolve_edits {
        actions = actions
            .into_iter()
            .filter_map(|action| resolve_now(context, action, &mut sent))
            .collect();
    }
    let actions: Vec<_> = actions.into_iter().map(CodeActionOrCommand::CodeAction).collect();
    Ok((Some(actions), sent))
}

/// Whether a kind is the one asked for or lies below it.
fn is_within(kind: ActionKind, asked: &CodeActionKind) -> bool {
    let (kind, asked) = (kind.identifier(), asked.as_str());
    asked.is_empty()
        || kind == asked
        || kind.strip_prefix(asked).is_some_and(|rest| rest.starts_with('.'))
}

/// An action that may be offered, and why it cannot be taken where it cannot.
struct Offer {
    kind: ActionKind,
    title: String,
    disabled: Option<String>,
}

fn offers(context: &Context, proposal: &Proposal) -> Vec<Offer> {
    let title = match proposal.caution() {
        Some(_) => format!("{} (needs a look: {})", proposal.title(), proposal.reasons_to_look()),
        None => proposal.title(),
    };
    let disabled = (proposal.status != Status::Ready).then(|| why_not(proposal));
    let program = programs::of(proposal);
    let cannot = program.and_then(|it| programs::cannot(&context.session.client, it));
    let cannot = cannot.map(str::to_owned);
    let run = |again: bool| match program {
        Some(program) => programs::title(program, again),
        // It was run before, and its reply is not in the transcript yet.
        None if again && !proposal.answered => format!("Insert the reply to {title}"),
        None if again => format!("Run {title} again and insert the reply"),
        None => format!("Run {title} and insert the reply"),
    };
    let offer = |kind, title: String| Offer { kind, title, disabled: disabled.clone() };
    let mut offers = match proposal.status {
        Status::Superseded | Status::Rejected => return Vec::new(),
        Status::Satisfied => return Vec::new(),
        Status::Applied if proposal.effect() == Some(Effect::Write) => return Vec::new(),
        _ if proposal.effect().is_none() => {
            vec![offer(ActionKind::Apply, format!("Apply {title}"))]
        }
        _ if proposal.effect() == Some(Effect::Write) => vec![
            offer(ActionKind::Apply, format!("Apply {title}")),
            offer(ActionKind::ApplyAndReply, format!("Apply {title} and insert the reply")),
        ],
        Status::Applied => {
            let (kind, title) = (ActionKind::Run, run(true));
            return vec![Offer { kind, title, disabled: cannot }];
        }
        _ => {
            let disabled = disabled.clone().or(cannot);
            vec![Offer { kind: ActionKind::Run, title: run(false), disabled }]
        }
    };
    // A reply needs an id to answer to, where blocks are told apart by their ids.
    let block = &proposal.placed.block;
    if block.parsed.id.is_some() || !block.dialect.ids_are_unique() {
        let title = format!("Reject {} and insert the reply", proposal.title());
        offers.push(Offer { kind: ActionKind::Reject, title, disabled: None });
    }
    offers
}

/// What can be done with a proposal that is applied: undo its operation, and apply it once more.
pub fn reversals(context: &Context, proposal: &Proposal) -> Vec<(ActionKind, Command)> {
    let is_write = proposal.effect() == Some(Effect::Write);
    let by = proposal.by.as_ref().filter(|_| is_write && context.session.client.apply_edit);
    let Some(by) = by else { return Vec::new() };
    let uri = &context.document.uri;
    let command = |title: &str, name: CommandName, argument| {
        Command::new(title.to_owned(), name.identifier().to_owned(), Some(vec![argument]))
    };
    let undo = json!({"uri": uri, "id": by.operation});
    let again = json!({"uri": uri, "block": proposal.placed.index, "again": true,
        "version": context.document.version});
    let mut reversals = Vec::new();
    if by.door != Door::Hand {
        reversals.push((ActionKind::Undo, command("Undo", CommandName::Undo, undo)));
    }
    let again = command("Apply again", CommandName::Apply, again);
    reversals.push((ActionKind::ApplyAgain, again));
    reversals
}

fn apply_all(context: &Context) -> Option<Offer> {
    let count = context.review().applicable();
    let title = format!("Apply all proposals of this transcript ({count})");
    (count > 0).then_some(Offer { kind: ActionKind::ApplyAll, title, disabled: None })
}

fn action(context: &Context, proposal: Option<&Proposal>, offer: Offer) -> Option<CodeAction> {
    let client = &context.session.client;
    if offer.disabled.is_some() && !client.disabled_actions {
        return None;
    }
    let about = carry_out::argument(context, proposal);
    // What needs a look is nothing that a key applies unseen.
    let looked_at = proposal.is_none_or(|proposal| proposal.caution().is_none());
    let preferred = offer.kind == ActionKind::Apply && offer.disabled.is_none() && looked_at;
    Some(CodeAction {
        title: offer.title,
        kind: Some(CodeActionKind::new(offer.kind.identifier())),
        is_preferred: (client.preferred_actions && preferred).then_some(true),
        disabled: offer.disabled.map(|reason| CodeActionDisabled { reason }),
        data: serde_json::to_value(about).ok(),
        ..CodeAction::default()
    })
}

/// The action with the command that does what it is about, for a client that runs no other.
fn as_command(action: CodeAction) -> Option<CodeAction> {
    if action.edit.is_some() || action.command.is_some() || action.disabled.is_some() {
        return Some(action);
    }
    let kind = ActionKind::parse(action.kind.as_ref()?.as_str())?;
    let command = Some(resolve::command(kind, &argument(&action).ok()?)?);
    Some(CodeAction { command, data: None, ..action })
}

/// The action with its edit, for a client that cannot ask for it later.
fn resolve_now(
    context: &Context,
    action: CodeAction,
    sent: &mut Vec<carry_out::Sent>,
) -> Option<CodeAction> {
    if action.edit.is_some() || action.command.is_some() || action.disabled.is_some() {
        return Some(action);
    }
    let resolved = resolve(context, action).ok()?;
    sent.extend(resolved.sent);
    Some(CodeAction { data: None, ..resolved.action })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_lies_below_its_parents() {
        let within =
            |asked: &str| is_within(ActionKind::Apply, &CodeActionKind::from(asked.to_owned()));
        assert!(within("") && within("refactor") && within("refactor.rewrite.operator.apply"));
        assert!(!within("refactor.rewrite.operator.app") && !within("source"));
        let and_reply = CodeActionKind::new("refactor.rewrite.operator.apply");
        assert!(!is_within(ActionKind::ApplyAndReply, &and_reply));
    }
}
