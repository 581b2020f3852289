//! Decoded payloads: code as code, patches as diffs, edits as a table.

use operator_core::command::edits::TextEdit;
use operator_core::command::{FileEdit, Step};
use operator_core::dialect::Parsed;
use operator_core::spec::FieldType;
use operator_core::structure;
use operator_core::text::lines;

use super::markup::Markup;
use crate::lsp::payload::{self, Value};

/// A payload of a command; `path` is the file that it is about, where that is not the block's.
pub fn payload(
    markup: Markup,
    kind: Value,
    parsed: &Parsed,
    path: Option<&str>,
    text: &str,
) -> String {
    let count = payload::counted(lines::count(text), "line");
    let head = format!("{}, {count}\n\n", payload::size(text.len()));
    let step = parsed.command.as_ref().and_then(|command| command.steps.first());
    match (kind, step) {
        (
            Value::Typed(FieldType::Base64Edits),
            Some(Step::Edit { edit: FileEdit::InOrder(edits), .. }),
        ) => head + &table(markup, edits),
        (Value::Typed(FieldType::Base64Edits), _) => head + &markup.fence("json", text),
        (Value::Typed(FieldType::Base64Patch), _) => head + &markup.fence("diff", text),
        _ => {
            let path = path.or(parsed.path.as_deref()).map(|path| structure::within(path).0);
            let language = path.and_then(operator_grammars::by_path);
            head + &markup.fence(language.map_or("", |language| language.name), text)
        }
    }
}

/// The details of a reply.
pub fn details(markup: Markup, text: &str) -> String {
    let json = serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value.is_object());
    markup.fence(if json { "json" } else { "" }, text)
}

fn table(markup: Markup, edits: &[TextEdit]) -> String {
    let rows = edits.iter().enumerate().map(|(index, edit)| {
        let (what, place, text) = row(markup, edit);
        [(index + 1).to_string(), what.to_owned(), place, markup.cell(text)]
    });
    markup.table(["", "edit", "where", "text"], rows.collect())
}

fn row(markup: Markup, edit: &TextEdit) -> (&'static str, String, &str) {
    let nth = |wanted: &str, occurrence: &Option<std::num::NonZeroUsize>| match occurrence {
        Some(number) => format!("{} (match {number})", markup.cell(wanted)),
        None => markup.cell(wanted),
    };
    match edit {
        TextEdit::InsertAfter { anchor, text, occurrence } => {
            ("insert after", nth(anchor, occurrence), text)
        }
        TextEdit::InsertBefore { anchor, text, occurrence } => {
            ("insert before", nth(anchor, occurrence), text)
        }
        TextEdit::ReplaceFirst { find, text, occurrence } => {
            ("replace", nth(find, occurrence), text)
        }
        TextEdit::ReplaceAll { find, text } => ("replace all", markup.cell(find), text),
        TextEdit::ReplaceRange { start_line, end_line, text } => {
            ("replace lines", format!("{start_line}–{end_line}"), text)
        }
    }
}
