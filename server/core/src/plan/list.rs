//! `fs.list` and `ls`: the entries of a directory.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::context::Context;
use super::{Issue, Plan, summary};
use crate::path::{FilePath, State};
use crate::snapshot::Details;

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

/// The entries with their type, size and time, sorted by name.
pub(super) fn entries(context: &Context<'_>, written: &str) -> Result<Plan, Box<Issue>> {
    let (path, _) = context.existing(written, "path")?;
    let entries = context.ask(&path, "path", |snapshot| snapshot.list(&path))?;
    let known = |path: &FilePath| context.snapshot.details(path).ok();
    let describe = |entry: &crate::snapshot::Entry| {
        let known = known(&path.join(&entry.name));
        json!({
            "name": entry.name,
            "type": if entry.directory { "directory" } else { "file" },
            "size": known.map(|known| known.size),
            "modified": known.and_then(modified),
        })
    };
    let data: Vec<Value> = entries.iter().map(describe).collect();
    let rest = format!(", {}", summary::count(entries.len(), "entry"));
    let summary = summary::summary("listed", &path.to_string(), &rest);
    let plan = Plan::of_reading(path, State::Directory, summary, String::new());
    Ok(plan.with(Value::Array(data)))
}

/// The time of the last change (RFC 3339), to the second.
fn modified(known: Details) -> Option<String> {
    let time = Timestamp::try_from(known.modified?).ok()?;
    let second = Timestamp::from_second(time.as_second()).ok()?;
    Some(second.to_string())
}
