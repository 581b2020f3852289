//! How what may be done with a proposal is done: by which action, and by which command.

use operator_core::review::{Offer, Proposal};
use serde_json::json;
use tower_lsp::ls_types::{Command, Uri};

use crate::lsp::apply;
use crate::lsp::context::Context;
use crate::lsp::names::{ActionKind, CommandName};
use crate::lsp::programs;
use crate::lsp::protocol::BlockArgument;

/// The kind of the action that does what an offer says; none for what the client shows by itself.
pub fn kind(offer: Offer) -> Option<ActionKind> {
    match offer {
        Offer::Preview => None,
        Offer::Apply => Some(ActionKind::Apply),
        Offer::ApplyAndReply => Some(ActionKind::ApplyAndReply),
        Offer::Run | Offer::RunAgain => Some(ActionKind::Run),
        Offer::Reject => Some(ActionKind::Reject),
        Offer::Undo => Some(ActionKind::Undo),
        Offer::ApplyAgain => Some(ActionKind::ApplyAgain),
    }
}

/// The command that does what an offer says, with the title of a button.
pub fn button(context: &Context, proposal: &Proposal, offer: Offer) -> Option<Command> {
    if offer == Offer::Preview {
        return preview(context, proposal);
    }
    let kind = kind(offer)?;
    if let Some(command) = reversal(context, proposal, kind) {
        return Some(command);
    }
    let command = command(kind, &apply::argument(context, Some(proposal)))?;
    let title = match programs::of(proposal).filter(|_| kind == ActionKind::Run) {
        Some(program) => programs::title(program, offer == Offer::RunAgain),
        None if offer == Offer::ApplyAndReply => "Apply and reply".to_owned(),
        None => command.title,
    };
    Some(Command { title, ..command })
}

/// The command that shows what a proposal would change, where the server can have it shown.
fn preview(context: &Context, proposal: &Proposal) -> Option<Command> {
    let client = &context.session.client;
    let argument = serde_json::to_value(apply::argument(context, Some(proposal))).ok()?;
    let name = CommandName::Preview.identifier().to_owned();
    let shows = client.show_document && client.document_content;
    shows.then(|| Command::new("Preview".to_owned(), name, Some(vec![argument])))
}

/// The command that undoes what applied a proposal, or applies it once more.
pub fn reversal(context: &Context, proposal: &Proposal, kind: ActionKind) -> Option<Command> {
    let uri: &Uri = &context.document.uri;
    let (title, name, argument) = match kind {
        ActionKind::Undo => {
            let id = proposal.by.as_ref()?.operation;
            ("Undo", CommandName::Undo, json!({"uri": uri, "id": id}))
        }
        ActionKind::ApplyAgain => {
            let (block, version) = (proposal.placed.index, context.document.version);
            let argument = json!({"uri": uri, "block": block, "again": true, "version": version});
            ("Apply again", CommandName::Apply, argument)
        }
        _ => return None,
    };
    Some(Command::new(title.to_owned(), name.identifier().to_owned(), Some(vec![argument])))
}

/// The command that does what an action on proposals is about.
pub fn command(kind: ActionKind, argument: &BlockArgument) -> Option<Command> {
    let (title, name, reply) = match kind {
        ActionKind::Apply => ("Apply", CommandName::Apply, false),
        ActionKind::ApplyAndReply => ("Apply", CommandName::Apply, true),
        ActionKind::Run => ("Run", CommandName::Apply, true),
        ActionKind::ApplyAll => ("Apply", CommandName::ApplyAll, false),
        ActionKind::Reject => ("Reject", CommandName::Reject, false),
        ActionKind::QuickFix | ActionKind::FixAll | ActionKind::Undo | ActionKind::ApplyAgain => {
            return None;
        }
    };
    let mut argument = serde_json::to_value(argument).ok()?;
    if reply {
        argument["reply"] = true.into();
    }
    Some(Command::new(title.to_owned(), name.identifier().to_owned(), Some(vec![argument])))
}
