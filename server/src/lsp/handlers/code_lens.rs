//! Code lenses: status and actions above each block.

use operator_core::review::{Offers, Proposal, Status};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeLens, CodeLensOptions, CodeLensParams, Command, Range, ServerCapabilities, Uri, request,
};

use super::offers;
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::names::CommandName;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// `textDocument/codeLens`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::CodeLensRequest;
    const NEEDS: Needs = Needs::Review;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.code_lens_provider = Some(CodeLensOptions { resolve_provider: None });
    }

    fn document(params: &CodeLensParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(context: &Context, _: &CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let review = context.review();
        let can_edit = context.session.client.apply_edit;
        let mut lenses = Vec::new();
        let count = review.applicable();
        if let Some(first) = review.proposal(0).filter(|_| can_edit && count > 1) {
            let title = format!("Apply all ({count})");
            let argument = json!({"uri": context.document.uri.clone()});
            lenses.push(lens(
                range(context, &first),
                title,
                Some((CommandName::ApplyAll, argument)),
            ));
        }
        for proposal in review.proposals() {
            let range = range(context, &proposal);
            let offers = context.offers(&proposal);
            lenses.push(lens(range, status(&proposal, &offers), None));
            let buttons = offers.buttons().filter_map(|it| offers::button(context, &proposal, it));
            lenses.extend(buttons.map(|it| CodeLens { range, command: Some(it), data: None }));
        }
        keep_in_order(&mut lenses);
        Ok(Some(lenses))
    }

    fn not_open() -> Result<Option<Vec<CodeLens>>> {
        Ok(None)
    }
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

/// What is shown above a block: its status, and why where it cannot be applied.
fn status(proposal: &Proposal, offers: &Offers) -> String {
    if let Some(reason) = offers.reason() {
        return reason.to_owned();
    }
    match proposal.status {
        Status::Ready if proposal.caution().is_some() => {
            format!("ready, needs a look: {}", proposal.reasons_to_look())
        }
        status => format!("{}: {}", status.as_str(), proposal.title()),
    }
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
