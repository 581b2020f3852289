//! `context_add` and its like: the working set of a transcript, which is kept in memory only.

use std::collections::BTreeSet;

use super::context::Context;
use super::{ContextFact, Fact, Issue, Plan};
use crate::command::{Command, ContextChange, Step};
use crate::path::Kind;
use crate::problem::{PLAN_NOT_A_FILE, PLAN_NOT_IN_CONTEXT};
use crate::snapshot::Snapshot;
use crate::spec::FieldRole;

/// What a change of the working set comes to, or what is in it.
pub(super) fn plan(context: &Context<'_>, change: &ContextChange) -> Result<Plan, Box<Issue>> {
    let known = context.snapshot.working_set();
    let set = known.clone().unwrap_or_default();
    let fact = match change {
        ContextChange::Add(path) => {
            ContextFact::Added { size: size(context, path)?, path: path.clone() }
        }
        ContextChange::Remove(path) => {
            if known.is_some_and(|known| !known.contains(path)) {
                let message = format!("`{path}` is not in the working set");
                return Err(Issue::new(PLAN_NOT_IN_CONTEXT, FieldRole::Path, message));
            }
            ContextFact::Removed { path: path.clone() }
        }
        ContextChange::List => {
            // What has gone since has no size.
            let file = |path: String| (size(context, &path).ok(), path);
            let files = set.into_iter().map(file).map(|(size, path)| (path, size));
            ContextFact::Listed(files.collect())
        }
        ContextChange::Prune => ContextFact::Pruned(gone(&set, context.snapshot)),
        ContextChange::Clear => ContextFact::Cleared,
    };
    Ok(Plan::of(Fact::Context(fact)))
}

/// Makes the changes of the working set that a command asks for, which was planned without an issue.
pub fn follow(set: &mut BTreeSet<String>, command: &Command, snapshot: &dyn Snapshot) {
    let changes = command.steps.iter().filter_map(|step| match step {
        Step::Context(change) => Some(change),
        _ => None,
    });
    for change in changes {
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
}

fn gone(set: &BTreeSet<String>, snapshot: &dyn Snapshot) -> Vec<String> {
    let there = |path: &&String| {
        let resolved = snapshot.resolve_absolute(path);
        resolved.is_ok_and(|path| snapshot.kind(&path) == Ok(Some(Kind::File)))
    };
    set.iter().filter(|path| !there(path)).cloned().collect()
}

fn size(context: &Context<'_>, path: &str) -> Result<u64, Box<Issue>> {
    let (resolved, kind) = context.existing(path, FieldRole::Path)?;
    if kind != Kind::File {
        let message = format!("`{path}` is a directory; the working set has files");
        return Err(Issue::new(PLAN_NOT_A_FILE, FieldRole::Path, message));
    }
    Ok(context.ask(&resolved, FieldRole::Path, |snapshot| snapshot.details(&resolved))?.size)
}
