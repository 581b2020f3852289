//! `fs.stat`: what stands at a path.

use serde_json::json;

use super::context::Context;
use super::{Issue, Plan, summary};
use crate::path::{Kind, State};
use crate::snapshot::Denied;
use crate::text::lines;

/// Size, lines, fingerprint and kind of a file; kind and number of entries of a directory.
///
/// Of a file that is no UTF-8 text the size and the lines are not known and `null`.
pub(super) fn plan(context: &Context<'_>, path: &str) -> Result<Plan, Box<Issue>> {
    let (path, kind) = context.existing(path, "path")?;
    if kind == Kind::Directory {
        let entries = context.ask(&path, "path", |snapshot| snapshot.list(&path))?.len();
        let rest = format!(", directory, {}", summary::count(entries, "entry"));
        let summary = summary::summary("looked at", &path.to_string(), &rest);
        let details = json!({ "kind": "directory", "entries": entries }).to_string();
        return Ok(Plan::of_reading(path, State::Directory, summary, details));
    }
    let (size, lines, state) = match context.snapshot.read(&path) {
        Ok(content) => {
            let lines = lines::count(&content.text);
            (Some(content.len()), Some(lines), State::File(content.fingerprint()))
        }
        Err(Denied::NotUtf8(_)) => {
            (None, None, context.ask(&path, "path", |snapshot| snapshot.state(&path))?)
        }
        Err(denied) => {
            return Err(super::denied::issue(context, denied, &path.to_string(), "path"));
        }
    };
    let fingerprint = match state {
        State::File(fingerprint) => Some(fingerprint.to_string()),
        _ => None,
    };
    let shown = [
        size.map(|size| summary::count(size, "byte")),
        lines.map(|lines| summary::count(lines, "line")),
        fingerprint.clone(),
    ];
    let rest: String = shown.into_iter().flatten().map(|part| format!(", {part}")).collect();
    let summary = summary::summary("looked at", &path.to_string(), &rest);
    let details =
        json!({ "size": size, "lines": lines, "fingerprint": fingerprint, "kind": "file" });
    Ok(Plan::of_reading(path, state, summary, details.to_string()))
}
