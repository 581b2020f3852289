//! Decoded payloads: code as code, patches as diffs, edits as a table.

use operator_core::command::edits::TextEdit;
use operator_core::command::{FileEdit, Step};
use operator_core::dialect::Parsed;
use operator_core::spec::FieldType;
use operator_core::structure;
use operator_core::text::lines;

use super::markdown::{cell, fence};
use crate::lsp::payload::{self, Value};

/// A payload of a command; `path` is the file that it is about, where that is not the block's.
pub fn payload(kind: Value, parsed: &Parsed, path: Option<&str>, text: &str) -> String {
    let count = payload::counted(lines::count(text), "line");
    let head = format!("{}, {count}\n\n", payload::size(text.len()));
    let step = parsed.command.as_ref().and_then(|command| command.steps.first());
    match (kind, step) {
        (
            Value::Typed(FieldType::Base64Edits),
            Some(Step::Edit { edit: FileEdit::InOrder(edits), .. }),
        ) => head + &table(edits),
        (Value::Typed(FieldType::Base64Edits), _) => head + &fence("json", text),
        (Value::Typed(FieldType::Base64Patch), _) => head + &fence("diff", text),
        _ => {
            let path = path.or(parsed.path.as_deref()).map(|path| structure::within(path).0);
            let language = path.and_then(operator_grammars::by_path);
            head + &fence(language.map_or("", |language| language.name), text)
        }
    }
}

/// The details of a reply.
pub fn details(text: &str) -> String {
    let json = serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value.is_object());
    fence(if json { "json" } else { "" }, text)
}

fn table(edits: &[TextEdit]) -> String {
    let mut table = "| | edit | where | text |\n|---|---|---|---|".to_owned();
    for (index, edit) in edits.iter().enumerate() {
        let (what, place, text) = row(edit);
        table.push_str(&format!("\n| {index} | {what} | {place} | {} |", cell(text)));
    }
    table
}

fn row(edit: &TextEdit) -> (&'static str, String, &str) {
    let nth = |wanted: &str, occurrence: &Option<std::num::NonZeroUsize>| match occurrence {
        Some(number) => format!("{} (match {number})", cell(wanted)),
        None => cell(wanted),
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
        TextEdit::ReplaceAll { find, text } => ("replace all", cell(find), text),
        TextEdit::ReplaceRange { start_line, end_line, text } => {
            ("replace lines", format!("{start_line}–{end_line}"), text)
        }
    }
}
