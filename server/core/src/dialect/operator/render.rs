//! A command as a block, the way back from parsing.

use super::{base64, marker};
use crate::command::{Command, FileEdit, ReadLines, SearchFor, Step, edits, patch};

/// The block that asks for `command`; parsing it gives the command back.
pub fn render(id: &str, command: &Command) -> String {
    let mut lines = vec![
        marker::START.to_owned(),
        "version: 1".to_owned(),
        format!("id: {id}"),
        format!("action: {}", command.action.name),
    ];
    let mut push = |key: &str, value: String| lines.push(format!("{key}: {value}"));
    if let Some(path) = command.path() {
        push("path", path.to_owned());
    }
    match command.steps.first() {
        Some(Step::Read { lines: ReadLines::From { start, count }, .. }) => {
            push("start", start.to_string());
            push("lines", count.to_string());
        }
        Some(Step::Search { what: SearchFor::Text { query, .. }, .. }) => {
            push("query", query.clone());
        }
        // An empty payload is not base64; an empty file is an empty plain content.
        Some(Step::Write { content, .. }) if content.is_empty() => push("content", String::new()),
        Some(Step::Write { content, .. }) => push("content_b64", base64::encode(content)),
        Some(Step::Patch { patch, .. }) => {
            push("patch_b64", base64::encode(&patch::render(patch)));
        }
        Some(Step::Edit { edit: FileEdit::InOrder(edits), .. }) => {
            push("edits_b64", base64::encode(&edits::render(edits)));
        }
        Some(Step::Copy { path_to, .. } | Step::Move { path_to, .. }) => {
            push("path_to", path_to.clone());
        }
        _ => {}
    }
    if let Some(base) = command.bases.first() {
        push("base_fingerprint", base.fingerprint.to_string());
    }
    lines.push(marker::END.to_owned());
    lines.join("\n") + "\n"
}
