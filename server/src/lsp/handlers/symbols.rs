//! Symbols: the blocks with their status, so that any editor's outline is the inbox.

use operator_core::review::Proposal;
use operator_core::spec::Effect;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentSymbol, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind,
    WorkspaceSymbolResponse,
};

use crate::lsp::context::Context;

/// How many symbols of all transcripts are given at once.
const MOST: usize = 2_000;

/// `textDocument/documentSymbol`
///
/// # Errors
/// None.
pub fn of_document(context: &Context) -> Result<Option<DocumentSymbolResponse>> {
    let proposals = context.review().proposals();
    Ok(Some(if context.session.client.hierarchical_symbols {
        DocumentSymbolResponse::Nested(proposals.map(|p| nested(context, &p)).collect())
    } else {
        DocumentSymbolResponse::Flat(proposals.map(|p| flat(context, &p)).collect())
    }))
}

/// `workspace/symbol`: the blocks of all open transcripts whose name holds the query's letters in
/// their order.
///
/// # Errors
/// None.
pub fn of_workspace(contexts: &[Context], query: &str) -> Result<Option<WorkspaceSymbolResponse>> {
    let all = contexts
        .iter()
        .flat_map(|context| context.review().proposals().map(move |proposal| (context, proposal)));
    let wanted = all.filter(|(_, proposal)| has_letters(&listed_name(proposal), query)).take(MOST);
    let symbols = wanted.map(|(context, proposal)| flat(context, &proposal)).collect();
    Ok(Some(WorkspaceSymbolResponse::Flat(symbols)))
}

fn has_letters(name: &str, query: &str) -> bool {
    let mut name = name.chars().flat_map(char::to_lowercase);
    let mut wanted = query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase);
    wanted.all(|letter| name.any(|c| c == letter))
}

fn name(proposal: &Proposal) -> String {
    let parsed = &proposal.placed.block.parsed;
    let title = proposal.title();
    match &parsed.id {
        Some(id) if !title.is_empty() => format!("{title} ({id})"),
        Some(id) => id.clone(),
        None if !title.is_empty() => title,
        None => format!("block {}", proposal.placed.index),
    }
}

fn kind(proposal: &Proposal) -> SymbolKind {
    match proposal.placed.block.parsed.effect {
        Some(Effect::Write) => SymbolKind::METHOD,
        Some(Effect::Read) => SymbolKind::PROPERTY,
        Some(Effect::Exec) => SymbolKind::EVENT,
        Some(Effect::Meta) => SymbolKind::CONSTANT,
        None => SymbolKind::NULL,
    }
}

#[allow(deprecated, reason = "the field has to be there, empty")]
fn nested(context: &Context, proposal: &Proposal) -> DocumentSymbol {
    let range = context.range(&proposal.placed.span);
    let text = context.text();
    let first = text.line_of(proposal.placed.span.start);
    let start = text.line_start(first);
    let marker = proposal.placed.span.start..start + text.line(first).len();
    DocumentSymbol {
        name: name(proposal),
        detail: Some(proposal.status.as_str().to_owned()),
        kind: kind(proposal),
        tags: None,
        deprecated: None,
        range,
        selection_range: context.range(&marker),
        children: None,
    }
}

/// The name in a flat list, which shows nothing beside it.
fn listed_name(proposal: &Proposal) -> String {
    format!("{}: {}", proposal.status.as_str(), name(proposal))
}

#[allow(deprecated, reason = "the field has to be there, empty")]
fn flat(context: &Context, proposal: &Proposal) -> SymbolInformation {
    let range = context.range(&proposal.placed.span);
    SymbolInformation {
        name: listed_name(proposal),
        kind: kind(proposal),
        tags: None,
        deprecated: None,
        location: Location::new(context.document.uri.clone(), range),
        container_name: Some(proposal.placed.block.dialect.name().to_owned()),
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
