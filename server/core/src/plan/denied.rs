//! What the workspace refuses, as issues that say what to do.

use super::context::Context;
use super::{Issue, summary};
use crate::problem::*;
use crate::snapshot::{Denied, FilePath, Kind};
use crate::text::nearest::nearest;

/// The issue that `denied` is for the path that stands in `field`.
pub(super) fn issue(
    context: &Context<'_>,
    denied: Denied,
    path: &str,
    field: &'static str,
) -> Box<Issue> {
    let name = summary::excerpt(path, 120);
    if denied == Denied::NotFound {
        return not_found(context, path, &name, field);
    }
    let (code, message) = match denied {
        Denied::NotFound => (PLAN_FILE_NOT_FOUND, format!("`{name}` does not exist")),
        Denied::NotAFile => {
            let says = "is not a regular file; it is a directory, a link, or something else";
            (PLAN_NOT_A_FILE, format!("`{name}` {says}"))
        }
        Denied::NotADirectory => {
            (PLAN_NOT_A_DIRECTORY, format!("`{name}` is a file, and a directory is needed"))
        }
        Denied::Outside => {
            let message = format!("`{name}` leads out of the workspace; give a path inside it");
            (PLAN_OUTSIDE_WORKSPACE, message)
        }
        Denied::Protected(pattern) => {
            let message = format!("`{name}` is protected by the pattern `{pattern}`");
            (PLAN_PROTECTED_PATH, message)
        }
        Denied::Permission => {
            (PLAN_PERMISSION_DENIED, format!("the system does not give access to `{name}`"))
        }
        Denied::ReadOnly => {
            let message = format!("`{name}` is read-only; ask for it to be made writable first");
            (PLAN_PERMISSION_DENIED, message)
        }
        Denied::NotUtf8(offset) => {
            let message = format!("`{name}` is not UTF-8 text: the byte at offset {offset} is not");
            return Issue::new(PLAN_NOT_UTF8, field, message).detail("offset", offset);
        }
        Denied::TooLarge { size, limit } => {
            let message = format!("`{name}` has {size} bytes, and the limit for files is {limit}");
            let issue = Issue::new(PLAN_FILE_TOO_LARGE, field, message);
            return issue.detail("bytes", size).detail("limit", limit);
        }
        Denied::TooMany { limit } => {
            let message =
                format!("`{name}` has more than {limit} files, the limit for one command");
            return Issue::new(PLAN_TOO_MANY_FILES, field, message).detail("limit", limit);
        }
        Denied::NoWorkspace => {
            let message = "paths need a workspace; open a folder, or save the transcript";
            (PLAN_NO_WORKSPACE, message.to_owned())
        }
        Denied::Unsynced => {
            let message = format!(
                "the editor's copy of `{name}` is out of step with the server's; close and open it again"
            );
            (PLAN_UNSYNCED, message)
        }
        Denied::Io(reason) => (PLAN_IO, format!("`{name}` cannot be used: {reason}")),
    };
    Issue::new(code, field, message)
}

fn not_found(context: &Context<'_>, path: &str, name: &str, field: &'static str) -> Box<Issue> {
    let near = context.snapshot.resolve(path).ok().and_then(|path| near_name(context, &path));
    let issue = |message| Issue::new(PLAN_FILE_NOT_FOUND, field, message);
    match near {
        Some(near) => {
            let shown = summary::excerpt(&near, 120);
            issue(format!("`{name}` does not exist; is `{shown}` meant?")).detail("nearest", near)
        }
        None => issue(format!("`{name}` does not exist")),
    }
}

/// The path with the first name that is not there replaced by the nearest that is.
fn near_name(context: &Context<'_>, path: &FilePath) -> Option<String> {
    let mut missing = path.clone();
    let mut directory = path.parent()?;
    while context.snapshot.kind(&directory).ok()?.is_none() {
        missing = directory.clone();
        directory = directory.parent()?;
    }
    if context.snapshot.kind(&directory).ok()? != Some(Kind::Directory) {
        return None;
    }
    let entries = context.snapshot.list(&directory).ok()?;
    let name = missing.path.rsplit('/').next()?;
    let near = directory.join(nearest(name, entries.iter().map(|entry| entry.name.as_str()))?);
    let rest = &path.path[missing.path.len()..];
    let whole = FilePath::new(near.root, format!("{}{rest}", near.path));
    let there = context.snapshot.kind(&whole).ok()?.is_some();
    Some(if there { whole.path } else { near.path })
}
