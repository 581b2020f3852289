//! Symbols: the blocks with their status, so any editor's outline is the inbox.

use operator_core::review::{Proposal, Status};
use operator_core::scan::{Placed, Scan};
use operator_core::spec::Effect;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, OneOf,
    ServerCapabilities, SymbolInformation, SymbolKind, Uri, WorkspaceSymbolParams,
    WorkspaceSymbolResponse, request,
};

use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::event::{Event, Reply};
use crate::lsp::requests::{DocumentRequest, Request};
use crate::lsp::reviews::Needs;

/// How many symbols of all transcripts are given at once.
const MAX_SYMBOLS: usize = 2_000;

/// `textDocument/documentSymbol`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::DocumentSymbolRequest;
    const NEEDS: Needs = Needs::ReviewSoon;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.document_symbol_provider = Some(OneOf::Left(true));
    }

    fn document(params: &DocumentSymbolParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(
        context: &Context,
        _: &DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        let blocks = listed(context);
        let blocks = blocks.iter();
        Ok(Some(if context.session.client.hierarchical_symbols {
            DocumentSymbolResponse::Nested(blocks.map(|it| nested(context, it)).collect())
        } else {
            DocumentSymbolResponse::Flat(blocks.map(|it| flat(context, it)).collect())
        }))
    }

    fn not_open() -> Result<Option<DocumentSymbolResponse>> {
        Ok(None)
    }
}

/// The blocks of a transcript. They have no status while the review takes long.
fn listed(context: &Context) -> Vec<Listed> {
    match context.is_reviewed() {
        true => context.review().proposals().map(Listed::from).collect(),
        false => context.scan().into_iter().flat_map(Scan::blocks).map(Listed::from).collect(),
    }
}

/// A block, and its status where that is known.
struct Listed {
    placed: Placed,
    status: Option<Status>,
}

impl From<Proposal> for Listed {
    fn from(proposal: Proposal) -> Listed {
        Listed { placed: proposal.placed, status: Some(proposal.status) }
    }
}

impl From<Placed> for Listed {
    fn from(placed: Placed) -> Listed {
        Listed { placed, status: None }
    }
}

/// `workspace/symbol`
pub struct WorkspaceHandler;

impl Request for WorkspaceHandler {
    type Protocol = request::WorkspaceSymbolRequest;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.workspace_symbol_provider = Some(OneOf::Left(true));
    }

    fn event(
        params: WorkspaceSymbolParams,
        reply: Reply<Option<WorkspaceSymbolResponse>>,
    ) -> Event {
        Event::WorkspaceSymbol(params, reply)
    }
}

/// `workspace/symbol`: the blocks of all open transcripts whose name holds the query's letters in
/// their order.
///
/// # Errors
/// None.
pub fn of_workspace(contexts: &[Context], query: &str) -> Result<Option<WorkspaceSymbolResponse>> {
    let all = contexts
        .iter()
        .flat_map(|context| listed(context).into_iter().map(move |block| (context, block)));
    let wanted = all.filter(|(_, block)| has_letters(&listed_name(block), query)).take(MAX_SYMBOLS);
    let symbols = wanted.map(|(context, block)| flat(context, &block)).collect();
    Ok(Some(WorkspaceSymbolResponse::Flat(symbols)))
}

fn has_letters(name: &str, query: &str) -> bool {
    let mut name = name.chars().flat_map(char::to_lowercase);
    let mut wanted = query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase);
    wanted.all(|letter| name.any(|c| c == letter))
}

fn name(block: &Listed) -> String {
    let parsed = &block.placed.block.parsed;
    let title = block.placed.block.title();
    match &parsed.id {
        Some(id) if !title.is_empty() => format!("{title} ({id})"),
        Some(id) => id.clone(),
        None if !title.is_empty() => title,
        None => format!("block {}", block.placed.index),
    }
}

fn kind(block: &Listed) -> SymbolKind {
    match block.placed.block.parsed.effect {
        Some(Effect::Write) => SymbolKind::METHOD,
        Some(Effect::Read) => SymbolKind::PROPERTY,
        Some(Effect::Exec) => SymbolKind::EVENT,
        Some(Effect::Meta) => SymbolKind::CONSTANT,
        None => SymbolKind::NULL,
    }
}

#[allow(deprecated, reason = "the field must be there, empty")]
fn nested(context: &Context, block: &Listed) -> DocumentSymbol {
    let range = context.range(&block.placed.span);
    let text = context.text();
    let first = text.line_of(block.placed.span.start);
    let start = text.line_start(first);
    let marker = block.placed.span.start..start + text.line(first).len();
    DocumentSymbol {
        name: name(block),
        detail: block.status.map(|status| status.as_str().to_owned()),
        kind: kind(block),
        tags: None,
        deprecated: None,
        range,
        selection_range: context.range(&marker),
        children: None,
    }
}

/// The name in a flat list, which shows nothing beside it.
fn listed_name(block: &Listed) -> String {
    match block.status {
        Some(status) => format!("{}: {}", status.as_str(), name(block)),
        None => name(block),
    }
}

#[allow(deprecated, reason = "the field must be there, empty")]
fn flat(context: &Context, block: &Listed) -> SymbolInformation {
    let range = context.range(&block.placed.span);
    SymbolInformation {
        name: listed_name(block),
        kind: kind(block),
        tags: None,
        deprecated: None,
        location: Location::new(context.document.uri.clone(), range),
        container_name: Some(block.placed.block.dialect.name().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::has_letters;

    #[test]
    fn letters_in_order_in_any_case() {
        assert!(has_letters("fs.write src/Main.rs", "WRMAIN"));
        assert!(has_letters("fs.write", ""));
        assert!(!has_letters("fs.write", "etirw"));
    }
}
