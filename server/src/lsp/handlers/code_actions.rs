//! Code actions: fixes, and what can be done with each proposal.

mod fixes;
mod resolve;

use operator_core::review::{Availability, Offer, Proposal};
use operator_core::text::Span;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeAction, CodeActionDisabled, CodeActionKind, CodeActionOptions, CodeActionOrCommand,
    CodeActionParams, CodeActionProviderCapability, CodeActionResponse, ServerCapabilities, Uri,
    request,
};

use super::offers;
use crate::lsp::apply;
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::event::Event;
use crate::lsp::names::ActionKind;
use crate::lsp::programs;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;
use resolve::resolve;
pub use resolve::{
    ResolveHandler, argument, insertion, refusal, refused, rejected, resolve_and_tell, with_reply,
};

/// `textDocument/codeAction`. A client that can resolve actions gets those on proposals without
/// edits.
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::CodeActionRequest;
    const NEEDS: Needs = Needs::Review;

    fn advertise(client: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        let kinds = ActionKind::ALL.iter().map(|kind| CodeActionKind::new(kind.identifier()));
        let options = || CodeActionOptions {
            code_action_kinds: Some(kinds.collect()),
            resolve_provider: Some(client.resolve_edits),
            ..CodeActionOptions::default()
        };
        let provider = client.code_action_literals.then(options);
        server.code_action_provider = provider.map(CodeActionProviderCapability::Options);
    }

    fn document(params: &CodeActionParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(context: &Context, params: &CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let span = context.span(params.range)?;
        if context.scan().is_none() {
            return Ok(None);
        }
        // These are of the last review; the client gets those of the next one when it asks again.
        if context.has_newer_ledger() {
            context.tell(Event::ChangedOnDisk(Vec::new()));
        }
        let mut actions = actions(context, &span, params.context.only.as_deref());
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
        if !sent.is_empty() {
            context.tell(Event::Offered(sent));
        }
        Ok(Some(actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()))
    }

    fn not_open() -> Result<Option<CodeActionResponse>> {
        Ok(None)
    }
}

/// The actions at a span; `only` are the kinds that the client asks for.
fn actions(context: &Context, span: &Span, only: Option<&[CodeActionKind]>) -> Vec<CodeAction> {
    let wanted =
        |kind: ActionKind| only.is_none_or(|only| only.iter().any(|asked| is_within(kind, asked)));
    let mut actions = Vec::new();
    if wanted(ActionKind::QuickFix) {
        actions.extend(fixes::quick_fixes(context, span));
    }
    for proposal in context.review().near(span) {
        actions.extend(of_block(context, &proposal, wanted));
    }
    // Fixes of the whole transcript are offered where they are asked for, not on every block.
    if only.is_some() && wanted(ActionKind::FixAll) {
        actions.extend(fixes::fix_all(context));
    }
    if wanted(ActionKind::ApplyAll) {
        actions.extend(apply_all(context).and_then(|offer| action(context, None, offer)));
    }
    actions
}

/// Whether a kind is the one asked for or lies below it.
fn is_within(kind: ActionKind, asked: &CodeActionKind) -> bool {
    let (kind, asked) = (kind.identifier(), asked.as_str());
    asked.is_empty()
        || kind == asked
        || kind.strip_prefix(asked).is_some_and(|rest| rest.starts_with('.'))
}

/// An action that may be offered, and why it cannot be taken where it cannot.
struct Offered {
    kind: ActionKind,
    title: String,
    disabled: Option<String>,
    is_preferred: bool,
}

/// The actions on a proposal.
fn of_block(
    context: &Context,
    proposal: &Proposal,
    wanted: impl Fn(ActionKind) -> bool,
) -> Vec<CodeAction> {
    let offers = context.offers(proposal);
    let action = |(offer, availability): (Offer, &Availability)| {
        let kind = offers::kind(offer).filter(|kind| wanted(*kind))?;
        let title = title(proposal, offer);
        if let Some(command) = offers::reversal(context, proposal, kind) {
            let (kind, command) = (Some(CodeActionKind::new(kind.identifier())), Some(command));
            return Some(CodeAction { title, kind, command, ..CodeAction::default() });
        }
        let disabled = match availability {
            Availability::Button | Availability::Menu => None,
            Availability::Disabled(reason) => Some(reason.clone()),
        };
        let is_preferred = offers.preferred() == Some(offer);
        self::action(context, Some(proposal), Offered { kind, title, disabled, is_preferred })
    };
    offers.iter().filter_map(action).collect()
}

fn title(proposal: &Proposal, offer: Offer) -> String {
    let own = proposal.title();
    let title = match proposal.caution() {
        Some(_) => format!("{own} (needs a look: {})", proposal.reasons_to_look()),
        None => own.clone(),
    };
    match (offer, programs::of(proposal)) {
        (Offer::Preview, _) => format!("Preview {own}"),
        (Offer::Apply, _) => format!("Apply {title}"),
        (Offer::ApplyAndReply, _) => format!("Apply {title} and insert the reply"),
        (Offer::Run, Some(program)) => programs::title(program, false),
        (Offer::RunAgain, Some(program)) => programs::title(program, true),
        (Offer::Run, None) => format!("Run {title} and insert the reply"),
        (Offer::RunAgain, None) if proposal.answered => {
            format!("Run {title} again and insert the reply")
        }
        // It was run before, and its reply is not in the transcript yet.
        (Offer::RunAgain, None) => format!("Insert the reply to {title}"),
        (Offer::Reject, _) => format!("Reject {own} and insert the reply"),
        (Offer::Undo, _) => format!("Undo {own}"),
        (Offer::ApplyAgain, _) => format!("Apply {own} again"),
    }
}

fn apply_all(context: &Context) -> Option<Offered> {
    let count = context.review().applicable();
    let title = format!("Apply all changes in this chat ({count})");
    let kind = ActionKind::ApplyAll;
    (count > 0).then_some(Offered { kind, title, disabled: None, is_preferred: false })
}

fn action(context: &Context, proposal: Option<&Proposal>, offered: Offered) -> Option<CodeAction> {
    let client = &context.session.client;
    if offered.disabled.is_some() && !client.disabled_actions {
        return None;
    }
    let about = apply::argument(context, proposal);
    Some(CodeAction {
        title: offered.title,
        kind: Some(CodeActionKind::new(offered.kind.identifier())),
        is_preferred: (client.preferred_actions && offered.is_preferred).then_some(true),
        disabled: offered.disabled.map(|reason| CodeActionDisabled { reason }),
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
    let command = Some(offers::command(kind, &argument(&action).ok()?)?);
    Some(CodeAction { command, data: None, ..action })
}

/// The action with its edit, for a client that cannot ask for it later.
fn resolve_now(
    context: &Context,
    action: CodeAction,
    sent: &mut Vec<apply::PendingApply>,
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
