//! Completion: whole commands outside blocks; keys, actions, paths, targets and more inside.

mod block;
mod values;

use std::ops::Range;

use operator_core::dialect::{Dialect, Writing};
use operator_core::spec::{self, Action};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionOptions, CompletionParams, CompletionResponse,
    CompletionTriggerKind, InsertTextFormat, ServerCapabilities, TextEdit, Uri, request,
};

use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;
use block::{Place, WrittenBlock};

/// `textDocument/completion`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::Completion;
    const NEEDS: Needs = Needs::Scan;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.completion_provider = Some(CompletionOptions {
            trigger_characters: Some([".", "/", ":", "\"", "@", "#"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        });
    }

    fn document(params: &CompletionParams) -> &Uri {
        &params.text_document_position.text_document.uri
    }

    fn handle(context: &Context, params: &CompletionParams) -> Result<Option<CompletionResponse>> {
        let Some(scan) = context.scan() else { return Ok(None) };
        let offset = context.offset(params.text_document_position.position);
        let by_hand = params
            .context
            .as_ref()
            .is_none_or(|context| context.trigger_kind != CompletionTriggerKind::TRIGGER_CHARACTER);
        let items = match block::place(context.text(), scan, offset) {
            // A line that is empty is as much prose as anything: nothing comes up by itself there.
            Place::Outside { word, .. } if word.is_empty() && !by_hand => Vec::new(),
            Place::Outside { start, word } => skeletons(context, &(start..offset), &word),
            Place::Key { block, start } => keys(context, &block, start..offset),
            Place::Value { block, key, value } => values::values(context, &block, &key, &value),
            Place::Nothing => Vec::new(),
        };
        Ok((!items.is_empty()).then_some(CompletionResponse::Array(items)))
    }

    fn not_open() -> Result<Option<CompletionResponse>> {
        Ok(None)
    }
}

/// An item that replaces `span`.
fn offer(
    context: &Context,
    span: Range<usize>,
    label: &str,
    kind: CompletionItemKind,
    new_text: String,
) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        text_edit: Some(TextEdit::new(context.range(&span), new_text).into()),
        ..CompletionItem::default()
    }
}

/// Whole commands of the dialects whose first line that is not to be filled in begins with what is
/// written: one for each action.
fn skeletons(context: &Context, span: &Range<usize>, word: &str) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    for dialect in context.session.chat_dialects() {
        if let Some(writing) = dialect.rules().writing {
            items.extend(skeletons_of(context, dialect, writing, span, word));
        }
    }
    items
}

fn skeletons_of(
    context: &Context,
    dialect: &'static dyn Dialect,
    writing: &dyn Writing,
    span: &Range<usize>,
    word: &str,
) -> Vec<CompletionItem> {
    let id = fresh_id(context, dialect, writing);
    let ending = block::ending(context.text(), span.start);
    let snippets = context.session.client.snippets;
    let item = |action: &'static Action| {
        let text = writing.skeleton(action, &id, &mut holes(snippets));
        let first = text.lines().find(|line| !is_hole(line)).unwrap_or_default();
        // The signs before the first word may be left out.
        let bare = first.trim_start_matches(|c: char| !c.is_alphanumeric());
        let begins = |line: &&str| {
            line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        let typed = [first, bare].into_iter().find(begins)?.to_owned();
        let marker = first.split(' ').next().unwrap_or_default();
        let label = format!("{marker} {}", action.name);
        let new = text.replace('\n', ending);
        let mut item = offer(context, span.clone(), &label, CompletionItemKind::SNIPPET, new);
        item.filter_text = Some(typed);
        item.detail = Some(action.help.clone());
        item.insert_text_format = snippets.then_some(InsertTextFormat::SNIPPET);
        Some(item)
    };
    let offered = spec::actions(dialect.name()).filter(|action| !action.user_only);
    offered.filter_map(item).collect()
}

/// The placeholder where something is to be filled in: a tab stop each, where the client has them.
fn holes(snippets: bool) -> impl FnMut() -> String {
    let mut stop = 0;
    move || {
        stop += 1;
        if snippets { format!("${stop}") } else { String::new() }
    }
}

/// Whether a line is nothing but such a placeholder.
fn is_hole(line: &str) -> bool {
    line.trim_start_matches('$').chars().all(|char| char.is_ascii_digit())
}

/// An id that no block of the transcript has.
fn fresh_id(context: &Context, dialect: &dyn Dialect, writing: &dyn Writing) -> String {
    let blocks = context.scan().into_iter().flat_map(|scan| scan.blocks());
    let own = blocks.filter(|placed| placed.block.dialect.name() == dialect.name());
    let known: std::collections::HashSet<String> =
        own.filter_map(|placed| placed.block.parsed.id.clone()).collect();
    writing.fresh_id(&|id| known.contains(id))
}

/// The keys that the action knows and the block does not have yet, and the end marker.
fn keys(context: &Context, block: &WrittenBlock, span: Range<usize>) -> Vec<CompletionItem> {
    let dialect = block.placed.block.dialect;
    let Some(writing) = dialect.rules().writing else { return Vec::new() };
    let common = dialect.rules().common_keys.iter().map(|key| (key.name, false, key.help));
    let fields = block.action().into_iter().flat_map(|action| &action.fields);
    let fields = fields.map(|field| (field.name.as_str(), field.long, field.help.as_str()));
    let snippets = context.session.client.snippets;
    let ending = block::ending(context.text(), span.start);
    let item = |(place, (key, long, help)): (usize, (&str, bool, &str))| {
        let text = writing.assignment(&block.header, key, long, &holes(snippets)());
        let new = text.replace('\n', ending);
        let mut item = offer(context, span.clone(), key, CompletionItemKind::PROPERTY, new);
        item.detail = Some(help.to_owned());
        item.sort_text = Some(format!("{place:02}"));
        item.insert_text_format = snippets.then_some(InsertTextFormat::SNIPPET);
        item
    };
    let missing = common.chain(fields).filter(|(key, _, _)| !block.has(key));
    let mut items: Vec<_> = missing.enumerate().map(item).collect();
    if let Some(end) = writing.end_marker(&block.header).filter(|_| !block.is_ended()) {
        let kind = CompletionItemKind::KEYWORD;
        items.push(offer(context, span, &end, kind, end.clone()));
    }
    items
}
