//! `fs.delete` and its like: the end of a file or a directory.

use serde_json::json;

use super::context::{Context, shown};
use super::{Issue, Outcome, Plan, summary};
use crate::edit::Target;
use crate::edit::{Change, ChangeSet};
use crate::path::{FilePath, Kind, State};
use crate::problem::{
    PLAN_DIRECTORY_NOT_EMPTY, PLAN_NOT_A_DIRECTORY, PLAN_NOT_A_FILE, PLAN_PROTECTED_PATH,
};

/// Deletes the file or the directory with all that is in it.
pub(super) fn plan(context: &Context<'_>, written: &str) -> Result<Plan, Box<Issue>> {
    let (path, kind) = context.existing(written, "path")?;
    not_the_root(&path, "deleted")?;
    not_a_link(context, written, &path, "deleted")?;
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
        outcome: Outcome::new(summary),
        remarks: Vec::new(),
        targets: vec![Target { path, before, after: State::Missing }],
        program: None,
    })
}

/// Deletes a file; a directory is refused.
pub(super) fn file(context: &Context<'_>, written: &str) -> Result<Plan, Box<Issue>> {
    let (path, kind) = context.existing(written, "path")?;
    if kind == Kind::Directory {
        let message = format!("`{}` is a directory, and only a file is deleted so", shown(&path));
        return Err(Issue::new(PLAN_NOT_A_FILE, "path", message));
    }
    Ok(plan(context, written)?.with(json!({"path": written})))
}

/// Deletes a directory in which nothing is.
pub(super) fn empty_directory(context: &Context<'_>, written: &str) -> Result<Plan, Box<Issue>> {
    let (path, kind) = context.existing(written, "path")?;
    if kind == Kind::File {
        let message = format!("`{}` is a file, and a directory is needed", shown(&path));
        return Err(Issue::new(PLAN_NOT_A_DIRECTORY, "path", message));
    }
    let entries = context.ask(&path, "path", |snapshot| snapshot.list(&path))?;
    if !entries.is_empty() {
        let message = format!(
            "`{}` has {} in it, and only an empty directory is deleted so",
            shown(&path),
            summary::count(entries.len(), "entry")
        );
        let issue = Issue::new(PLAN_DIRECTORY_NOT_EMPTY, "path", message);
        return Err(issue.detail("entries", entries.len()));
    }
    Ok(plan(context, written)?.with(json!({"path": written})))
}

/// Refuses a symbolic link: a path leads to what the link leads to, and that may not be meant.
pub(super) fn not_a_link(
    context: &Context<'_>,
    written: &str,
    path: &FilePath,
    what: &str,
) -> Result<(), Box<Issue>> {
    let plain = written.replace('\\', "/");
    let plain = plain.trim_end_matches('/');
    let (parent, name) = plain.rsplit_once('/').unwrap_or((".", plain));
    if matches!(name, "" | "." | "..") {
        return Ok(());
    }
    let parent = if parent.is_empty() { "." } else { parent };
    let parent = context.resolve(parent, "path")?;
    // Where case makes no difference the name may be written in another.
    let same = parent.join(name).path.to_lowercase() == path.path.to_lowercase();
    if same && parent.root == path.root {
        return Ok(());
    }
    let message = format!(
        "`{plain}` is a symbolic link to `{}`, and a link is not {what}; name what it leads to",
        shown(path)
    );
    Err(Issue::new(PLAN_NOT_A_FILE, "path", message))
}

/// Refuses the workspace folder itself.
pub(super) fn not_the_root(path: &FilePath, what: &str) -> Result<(), Box<Issue>> {
    if !path.path.is_empty() {
        return Ok(());
    }
    let message = format!("`{}` is the workspace folder itself and cannot be {what}", shown(path));
    Err(Issue::new(PLAN_PROTECTED_PATH, "path", message))
}
