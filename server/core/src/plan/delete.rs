//! `fs.delete`: the end of a file or a directory.

use super::context::{Context, shown};
use super::{Issue, Outcome, Plan, Target, summary};
use crate::edit::{Change, ChangeSet};
use crate::problem::PLAN_PROTECTED_PATH;
use crate::snapshot::{FilePath, Kind, State};

/// Deletes the file or the directory with all that is in it.
pub(super) fn plan(context: &Context<'_>, path: &str) -> Result<Plan, Box<Issue>> {
    let (path, kind) = context.existing(path, "path")?;
    not_the_root(&path, "deleted")?;
    let before = context.ask(&path, "path", |snapshot| snapshot.state(&path))?;
    let (files, rest) = match kind {
        Kind::File => (1, String::new()),
        Kind::Directory => {
            let files = context.count_files(&path)?;
            (files, format!("/ with {}", summary::count(files, "file")))
        }
    };
    let summary = summary::summary("deleted", &path.to_string(), &rest);
    Ok(Plan {
        changes: ChangeSet::one(Change::Delete { path: path.clone(), kind, files }),
        outcome: Outcome { summary, details: None },
        remarks: Vec::new(),
        targets: vec![Target { path, before, after: State::Missing }],
    })
}

/// Refuses the workspace folder itself.
pub(super) fn not_the_root(path: &FilePath, what: &str) -> Result<(), Box<Issue>> {
    if !path.path.is_empty() {
        return Ok(());
    }
    let message = format!("`{}` is the workspace folder itself and cannot be {what}", shown(path));
    Err(Issue::new(PLAN_PROTECTED_PATH, "path", message))
}
