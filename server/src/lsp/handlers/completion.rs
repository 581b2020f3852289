//! Completion: whole commands outside blocks; keys, actions, paths and fingerprints inside.

mod block;

use operator_core::dialect::operator::encode;
use operator_core::snapshot::{Snapshot, State};
use operator_core::spec::{self, Action, FieldType};
use operator_core::structure::Listed;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionResponse, Documentation,
    InsertTextFormat, TextEdit,
};

use super::targets;
use crate::lsp::context::Context;
use block::{Place, WrittenBlock};

/// How many paths are offered at most.
const MOST: usize = 500;
const START: &str = "OPERATOR_CMD";
const END: &str = "END_OPERATOR_CMD";
const DIALECT: &str = "operator";

/// `textDocument/completion`
///
/// # Errors
/// None.
pub fn completion(
    context: &Context,
    params: &CompletionParams,
) -> Result<Option<CompletionResponse>> {
    if context.scan().is_none() {
        return Ok(None);
    }
    let offset = context.offset(params.text_document_position.position);
    let items = match block::place(context.text(), offset) {
        Place::Outside { start, word } => skeletons(context, start..offset, &word),
        Place::Key { block, start } => keys(context, &block, start..offset),
        Place::Value { block, key, start, value } => {
            values(context, &block, &key, start..offset, &value)
        }
        Place::Nothing => Vec::new(),
    };
    Ok((!items.is_empty()).then_some(CompletionResponse::Array(items)))
}

/// An offer that stands in the place of `span`.
fn offer(
    context: &Context,
    span: std::ops::Range<usize>,
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

/// Whole commands, one for each action, where the line is the beginning of the start marker.
fn skeletons(context: &Context, span: std::ops::Range<usize>, word: &str) -> Vec<CompletionItem> {
    let begins = START.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if word.is_empty() || !begins {
        return Vec::new();
    }
    let id = fresh_id(context);
    let ending = block::ending(context.text(), span.start);
    let snippets = context.session.client.snippets;
    let item = |action: &'static Action| {
        let label = format!("{START} {}", action.name);
        let text = skeleton(action, &id, snippets).replace('\n', ending);
        let mut item = offer(context, span.clone(), &label, CompletionItemKind::SNIPPET, text);
        item.filter_text = Some(START.to_owned());
        item.detail = Some(action.help.clone());
        item.insert_text_format = snippets.then_some(InsertTextFormat::SNIPPET);
        item
    };
    spec::actions(DIALECT).map(item).collect()
}

/// A command with every field that its action cannot do without, a tab stop at each.
fn skeleton(action: &Action, id: &str, snippets: bool) -> String {
    let mut text = format!("{START}\nversion: 1\nid: {id}\naction: {}\n", action.name);
    let mut groups = Vec::new();
    let mut stop = 0;
    for field in &action.fields {
        let alternative = field.one_of.is_some_and(|group| {
            let first = !groups.contains(&group);
            groups.push(group);
            first
        });
        if field.required || alternative {
            stop += 1;
            let hole = if snippets { format!("${stop}") } else { String::new() };
            text.push_str(&format!("{}: {hole}\n", field.name));
        }
    }
    text + END
}

/// An id that no block of the transcript has.
fn fresh_id(context: &Context) -> String {
    let known: std::collections::HashSet<String> = context
        .scan()
        .into_iter()
        .flat_map(|scan| scan.blocks())
        .filter_map(|placed| placed.block.parsed.id.clone())
        .collect();
    (known.len() + 1..)
        .map(|number| format!("cmd-{number}"))
        .find(|id| !known.contains(id))
        .unwrap_or_default()
}

/// The keys that the action knows and the block does not have yet, and the end marker.
fn keys(
    context: &Context,
    block: &WrittenBlock,
    span: std::ops::Range<usize>,
) -> Vec<CompletionItem> {
    let common = [
        ("version", "The protocol's version, 1."),
        ("id", "Any text; the reply has the same."),
        ("action", "What is to be done."),
    ];
    let action = block.value("action").and_then(|name| spec::action(DIALECT, name));
    let fields = action.into_iter().flat_map(|action| &action.fields);
    let all =
        common.into_iter().chain(fields.map(|field| (field.name.as_str(), field.help.as_str())));
    let mut items: Vec<_> = all
        .filter(|(key, _)| block.value(key).is_none())
        .enumerate()
        .map(|(place, (key, help))| {
            let mut item =
                offer(context, span.clone(), key, CompletionItemKind::PROPERTY, format!("{key}: "));
            item.detail = Some(help.to_owned());
            item.sort_text = Some(format!("{place:02}"));
            item
        })
        .collect();
    if !block.ended {
        let kind = CompletionItemKind::KEYWORD;
        items.push(offer(context, span, END, kind, END.to_owned()));
    }
    items
}

fn values(
    context: &Context,
    block: &WrittenBlock,
    key: &str,
    span: std::ops::Range<usize>,
    value: &str,
) -> Vec<CompletionItem> {
    let one = |text: &str| {
        vec![offer(context, span.clone(), text, CompletionItemKind::VALUE, text.to_owned())]
    };
    match key {
        "version" => return one("1"),
        "id" => return one(&fresh_id(context)),
        "action" => return actions(context, &span),
        _ => {}
    }
    let action = block.value("action").and_then(|name| spec::action(DIALECT, name));
    match action.and_then(|action| action.field(key)).map(|field| field.kind) {
        Some(FieldType::Path) => paths(context, &span, value),
        Some(FieldType::Base64Target) => match block.value("path") {
            Some(path) => targets(context, path, &span, value),
            None => Vec::new(),
        },
        Some(FieldType::Fingerprint) => {
            let view = context.site.view();
            let file = block.value("path").and_then(|path| view.resolve(path).ok());
            match file.map(|file| view.state(&file)) {
                Some(Ok(State::File(fingerprint))) => one(&fingerprint.to_string()),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn actions(context: &Context, span: &std::ops::Range<usize>) -> Vec<CompletionItem> {
    let item = |action: &'static Action| {
        let kind = CompletionItemKind::FUNCTION;
        let mut item = offer(context, span.clone(), &action.name, kind, action.name.clone());
        item.detail = Some(action.help.clone());
        item.documentation = Some(Documentation::String(action.result.clone()));
        item
    };
    spec::actions(DIALECT).map(item).collect()
}

/// The names in the directory that the path leads to so far.
fn paths(context: &Context, span: &std::ops::Range<usize>, value: &str) -> Vec<CompletionItem> {
    let (directory, _) = value.rsplit_once(['/', '\\']).unwrap_or(("", value));
    let name_start = span.end - (value.len() - value.rfind(['/', '\\']).map_or(0, |at| at + 1));
    let view = context.site.view();
    let looked_up = if directory.is_empty() { "." } else { directory };
    let entries = view.resolve(looked_up).and_then(|file| view.list(&file)).unwrap_or_default();
    let item = |entry: &operator_core::snapshot::Entry| {
        let (kind, tail) = match entry.directory {
            true => (CompletionItemKind::FOLDER, "/"),
            false => (CompletionItemKind::FILE, ""),
        };
        offer(context, name_start..span.end, &entry.name, kind, format!("{}{tail}", entry.name))
    };
    entries.iter().take(MOST).map(item).collect()
}

/// The structures of the file, as targets that fit one each. What is typed so far is a part of a
/// target in the clear; what is taken is its base64.
fn targets(
    context: &Context,
    path: &str,
    span: &std::ops::Range<usize>,
    value: &str,
) -> Vec<CompletionItem> {
    let Some(parsed) = targets::parsed(context, path) else { return Vec::new() };
    let typed = value.to_lowercase();
    let listing = parsed.listing();
    let fitting = listing.iter().enumerate().filter(|(_, one)| {
        one.target.to_lowercase().contains(&typed) || one.header.to_lowercase().contains(&typed)
    });
    let item = |(place, one): (usize, &Listed<'_>)| {
        let label = targets::on_one_line(&one.target);
        let kind = targets::item_kind(one.kind);
        let mut item = offer(context, span.clone(), &label, kind, encode(&one.target));
        item.filter_text = Some(format!("{label} {}", one.header));
        item.detail = Some(one.header.clone());
        item.sort_text = Some(format!("{place:06}"));
        item
    };
    fitting.take(MOST).map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skeleton_has_what_the_action_cannot_do_without() {
        let write = spec::action(DIALECT, "fs.write").unwrap();
        let text = skeleton(write, "a", true);
        assert!(text.starts_with("OPERATOR_CMD\nversion: 1\nid: a\naction: fs.write\npath: $1\n"));
        assert!(text.ends_with(": $2\nEND_OPERATOR_CMD"), "one of the two contents: {text}");
    }
}
