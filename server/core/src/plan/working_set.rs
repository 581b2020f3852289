//! `context_add` and its like: the working set of a transcript, which is kept in memory only.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::context::Context;
use super::{Issue, Outcome, Plan, summary};
use crate::command::ContextChange;
use crate::edit::ChangeSet;
use crate::path::Kind;
use crate::problem::{PLAN_NOT_A_FILE, PLAN_NOT_IN_CONTEXT};
use crate::snapshot::Snapshot;

/// What a change of the working set comes to, or what is in it.
pub(super) fn plan(context: &Context<'_>, change: &ContextChange) -> Result<Plan, Box<Issue>> {
    let known = context.snapshot.working_set();
    let set = known.clone().unwrap_or_default();
    let (summary, data) = match change {
        ContextChange::Add(path) => {
            let size = size(context, path)?;
            (format!("{path} is in the working set"), json!({"path": path, "size": size}))
        }
        ContextChange::Remove(path) => {
            if known.is_some_and(|known| !known.contains(path)) {
                let message = format!("`{path}` is not in the working set");
                return Err(Issue::new(PLAN_NOT_IN_CONTEXT, "path", message));
            }
            (format!("{path} is out of the working set"), json!({"path": path}))
        }
        ContextChange::List => {
            // What has gone since has no size.
            let entry = |path: &String| json!({"path": path, "size": size(context, path).ok()});
            let entries: Vec<Value> = set.iter().map(entry).collect();
            (format!("the working set has {}", files(set.len())), entries.into())
        }
        ContextChange::Prune => {
            let gone = gone(&set, context.snapshot);
            let said = format!("took {} out of the working set", files(gone.len()));
            (said, json!({"removed": gone}))
        }
        ContextChange::Clear => ("emptied the working set".to_owned(), json!({})),
    };
    Ok(Plan {
        changes: ChangeSet::default(),
        outcome: Outcome::new(summary::excerpt(&summary, 200)).with(data),
        remarks: Vec::new(),
        targets: Vec::new(),
        program: None,
    })
}

/// Carries a change out that was planned without an issue.
pub fn follow(set: &mut BTreeSet<String>, change: &ContextChange, snapshot: &dyn Snapshot) {
    match change {
        ContextChange::Add(path) => drop(set.insert(path.clone())),
        ContextChange::Remove(path) => drop(set.remove(path)),
        ContextChange::List => {}
        ContextChange::Prune => {
            for path in gone(set, snapshot) {
                set.remove(&path);
            }
        }
        ContextChange::Clear => set.clear(),
    }
}

fn gone(set: &BTreeSet<String>, snapshot: &dyn Snapshot) -> Vec<String> {
    let there = |path: &&String| {
        let resolved = snapshot.resolve_absolute(path);
        resolved.is_ok_and(|path| snapshot.kind(&path) == Ok(Some(Kind::File)))
    };
    set.iter().filter(|path| !there(path)).cloned().collect()
}

fn size(context: &Context<'_>, path: &str) -> Result<u64, Box<Issue>> {
    let (resolved, kind) = context.existing(path, "path")?;
    if kind != Kind::File {
        let message = format!("`{path}` is a directory; the working set has files");
        return Err(Issue::new(PLAN_NOT_A_FILE, "path", message));
    }
    Ok(context.ask(&resolved, "path", |snapshot| snapshot.details(&resolved))?.size)
}

fn files(count: usize) -> String {
    summary::count(count, "file")
}
