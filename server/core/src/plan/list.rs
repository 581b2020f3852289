//! `fs.list`: the entries of a directory.

use super::context::Context;
use super::{Issue, Plan, summary};
use crate::snapshot::State;

/// One entry a line, a directory with a trailing `/`, sorted by name.
pub(super) fn plan(context: &Context<'_>, path: &str) -> Result<Plan, Box<Issue>> {
    let path = context.resolve(path, "path")?;
    let entries = context.ask(&path, "path", |snapshot| snapshot.list(&path))?;
    let lines: Vec<String> = entries
        .iter()
        // A line break in a name would make two entries of it.
        .map(|entry| {
            summary::excerpt(&entry.name, usize::MAX) + if entry.directory { "/" } else { "" }
        })
        .collect();
    let rest = format!(", {}", summary::count(entries.len(), "entry"));
    let summary = summary::summary("listed", &path.to_string(), &rest);
    Ok(Plan::of_reading(path, State::Directory, summary, lines.join("\n")))
}
