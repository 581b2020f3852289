//! What a proposal would change, as people read it.

use std::collections::BTreeSet;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use operator_core::edit::{Change, ChangeSet, unified};
use operator_core::path::{FilePath, Kind};
use operator_core::plan::Plan;
use operator_core::snapshot::Snapshot;

use super::alike;
use crate::cli::words;
use crate::visible;

const HEADER: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const NOWHERE: &str = "/dev/null";

/// The diff of every change in order, with colours. `now` is the workspace before them.
pub fn render(changes: &ChangeSet, now: &dyn Snapshot) -> String {
    changes.iter().map(|change| one(change, now)).collect()
}

/// The diff of one hunk of a plan alone, by its 0-based number.
pub fn hunk(plan: &Plan, number: usize) -> String {
    let alone = plan.with_hunks(&BTreeSet::from([number]));
    let edits = alone.iter().flat_map(|plan| plan.changes.iter());
    let one = edits.filter_map(|change| match change {
        Change::Edit { path, before, after } => Some(edit(path, &before.shown(), &after.shown())),
        _ => None,
    });
    one.collect()
}

fn edit(path: &FilePath, before: &str, after: &str) -> String {
    paint(&unified(&format!("a/{path}"), &format!("b/{path}"), before, after))
}

fn one(change: &Change, now: &dyn Snapshot) -> String {
    match change {
        Change::Create { path, content, .. } => {
            let diff = unified(NOWHERE, &format!("b/{path}"), "", &content.text);
            if diff.is_empty() {
                header(&format!("create empty file {path}"))
            } else {
                paint(&diff)
            }
        }
        Change::Edit { path, before, after } => edit(path, &before.shown(), &after.shown()),
        Change::Delete { path, kind, files } => delete(path, *kind, *files, now),
        Change::Rename { from, to, kind, files } => {
            header(&format!("rename {} to {to}", thing(from, *kind, *files)))
        }
        Change::CreateDirectory { path } => header(&format!("create directory {path}")),
    }
}

fn delete(path: &FilePath, kind: Kind, files: usize, now: &dyn Snapshot) -> String {
    // What cannot be shown is still named; whether it can be deleted is not decided here.
    let gone = match (kind, now.read(path)) {
        (Kind::File, Ok(content)) => unified(&format!("a/{path}"), NOWHERE, &content.text, ""),
        _ => String::new(),
    };
    format!("{}{}", header(&format!("delete {}", thing(path, kind, files))), paint(&gone))
}

fn thing(path: &FilePath, kind: Kind, files: usize) -> String {
    match kind {
        Kind::File => format!("file {path}"),
        Kind::Directory => format!("directory {path} ({})", words::count(files, "file")),
    }
}

fn header(text: &str) -> String {
    format!("{HEADER}{}{HEADER:#}\n", visible(text))
}

/// The lines of a unified diff in their colours, and below them what differs in those that look the same.
fn paint(diff: &str) -> String {
    let mut painted = String::with_capacity(diff.len() * 2);
    let mut in_hunks = false;
    for line in diff.lines() {
        in_hunks |= line.starts_with("@@");
        let style = match line.as_bytes().first() {
            _ if !in_hunks => HEADER,
            Some(b'@') => HUNK,
            Some(b'+') => ADDED,
            Some(b'-') => REMOVED,
            _ => Style::new(),
        };
        let line = visible(line);
        // Writing to a string cannot fail.
        let _ = writeln!(painted, "{style}{line}{style:#}");
    }
    for note in alike::notes(diff) {
        let _ = writeln!(painted, "{HEADER}note{HEADER:#}: {note}");
    }
    painted
}

/// The text without what would move the terminal's cursor or hide other text. Tabs stay what they are.
fn visible(text: &str) -> String {
    let parts: Vec<String> = text.split('\t').map(visible::one_line).collect();
    parts.join("\t")
}
