//! A command as a block, the way back from parsing.

use super::{base64, marker};
use crate::command::{Command, Operation, edits, patch};

/// The block that asks for `command`; parsing it gives the command back.
pub fn render(id: &str, command: &Command) -> String {
    let mut lines = vec![
        marker::START.to_owned(),
        "version: 1".to_owned(),
        format!("id: {id}"),
        format!("action: {}", command.action.name),
    ];
    let mut push = |key: &str, value: String| lines.push(format!("{key}: {value}"));
    if let Some(path) = command.operation.path() {
        push("path", path.to_owned());
    }
    match &command.operation {
        Operation::ReadSlice { start, lines, .. } => {
            push("start", start.to_string());
            push("lines", lines.to_string());
        }
        Operation::Search { query, .. } | Operation::SearchTree { query, .. } => {
            push("query", query.clone());
        }
        // An empty payload is no base64; an empty file is an empty plain content.
        Operation::Write { content, .. } if content.is_empty() => push("content", String::new()),
        Operation::Write { content, .. } => push("content_b64", base64::encode(content)),
        Operation::Patch { patch, .. } => push("patch_b64", base64::encode(&patch::render(patch))),
        Operation::ApplyEdits { edits, .. } => {
            push("edits_b64", base64::encode(&edits::render(edits)));
        }
        Operation::Copy { path_to, .. } | Operation::Move { path_to, .. } => {
            push("path_to", path_to.clone());
        }
        _ => {}
    }
    if let Some(base) = command.base {
        push("base_fingerprint", base.to_string());
    }
    lines.push(marker::END.to_owned());
    lines.join("\n") + "\n"
}
