//! Code lenses: status and actions above each block.

use operator_core::review::{Offer, Offers, Proposal, Status};
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

/// How many characters of a status are shown; the buttons before it are on the screen then.
const STATUS_CHARS: usize = 60;
/// How a fingerprint begins.
const PREFIX: &str = "sha256:";

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
            lenses.extend(of_block(context, &proposal));
        }
        keep_in_order(&mut lenses);
        Ok(Some(lenses))
    }

    fn not_open() -> Result<Option<Vec<CodeLens>>> {
        Ok(None)
    }
}

/// The lenses of one block: what can be done, then its status. Each says of which block it is, and
/// what else the client may show a button for.
fn of_block(context: &Context, proposal: &Proposal) -> Vec<CodeLens> {
    let range = range(context, proposal);
    let offers = context.offers(proposal);
    let words: Vec<_> = offers.buttons().map(Offer::as_str).collect();
    let data = json!({"block": proposal.placed.index, "offers": words});
    let buttons = offers.buttons().filter_map(|it| offers::button(context, proposal, it));
    let buttons = buttons.map(|it| CodeLens { range, command: Some(it), data: None });
    let status = lens(range, status(proposal, &offers), None);
    buttons.chain([status]).map(|it| CodeLens { data: Some(data.clone()), ..it }).collect()
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

/// What is shown above a block: its status, and why where it cannot be applied; cut, since the
/// problems of the block say it in full.
fn status(proposal: &Proposal, offers: &Offers) -> String {
    cut(&with_short_fingerprints(&whole_status(proposal, offers)), STATUS_CHARS)
}

fn whole_status(proposal: &Proposal, offers: &Offers) -> String {
    if let Some(reason) = offers.reason() {
        return reason.to_owned();
    }
    match proposal.status {
        Status::Ready if proposal.caution().is_some() => {
            format!("ready, needs a look: {}", proposal.reasons_to_look())
        }
        status => format!("{}{}: {}", status.as_str(), part(proposal), proposal.title()),
    }
}

/// How much of a block was applied, where that is not all of it.
fn part(proposal: &Proposal) -> String {
    let Some(part) = proposal.part() else { return String::new() };
    let (made, of) = (part.applied.len(), part.applied.len() + part.rejected.len());
    match (part.edited, part.files) {
        (true, _) => " as edited".to_owned(),
        (_, true) => format!(" in {made} of {of} files"),
        (_, false) => format!(" in part, {made} of {of} changes"),
    }
}

/// The text with the first 8 digits in the place of each fingerprint.
fn with_short_fingerprints(text: &str) -> String {
    let mut parts = text.split(PREFIX);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        let (kept, rest) = match digits {
            64 => (&part[..8], &part[64..]),
            _ => (part, ""),
        };
        shown.extend([if digits == 64 { "" } else { PREFIX }, kept, rest]);
    }
    shown
}

/// The text, or its first characters and a `…`.
fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(chars - 1).collect();
            format!("{}…", kept.trim_end())
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_has_short_fingerprints_and_is_cut() {
        let fingerprint = format!("sha256:{}", "0123456789abcdef".repeat(4));
        let says = format!("stale: based on {fingerprint}, now {fingerprint}; sha256: no");
        assert_eq!(
            with_short_fingerprints(&says),
            "stale: based on 01234567, now 01234567; sha256: no"
        );
        assert_eq!(cut("a ä c", 5), "a ä c");
        assert_eq!(cut("a ä cd", 5), "a ä…");
    }
}
