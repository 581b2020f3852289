//! What the workspace refuses, as issues that say what to do.

use std::iter;

use super::context::Context;
use super::{Issue, Remedy, rendered};
use crate::path::{FilePath, Kind};
use crate::problem::PLAN_FILE_NOT_FOUND;
use crate::snapshot::Denied;
use crate::spec::FieldRole;
use crate::text::nearest::nearest;
use crate::text::one_line;

/// What a person is told of a file that another program has changed while the editor shows it.
pub fn not_reloaded(name: &str) -> String {
    format!(
        "another program has changed `{name}`, and the editor still shows the text before that; \
         reload it there, or save or close it"
    )
}

/// The file that is at a path, or where one of its directories would be.
fn file_at_or_above(context: &Context<'_>, path: &str) -> Option<String> {
    let at = context.snapshot.resolve(path).ok()?;
    let mut all = iter::successors(Some(at), FilePath::parent);
    let file = all.find(|it| context.snapshot.kind(it) == Ok(Some(Kind::File)))?;
    Some(one_line::excerpt(&file.to_string(), 120))
}

/// The issue that `denied` is for the path that is in `field`.
pub(super) fn issue(
    context: &Context<'_>,
    denied: Denied,
    path: &str,
    field: FieldRole,
) -> Box<Issue> {
    let name = one_line::excerpt(path, 120);
    if denied == Denied::NotFound {
        return not_found(context, path, &name, field);
    }
    let message = match &denied {
        Denied::NotFound => format!("`{name}` does not exist"),
        Denied::NotAFile => {
            let resolved = context.snapshot.resolve(path).ok();
            match resolved.and_then(|path| context.snapshot.kind(&path).ok()?) {
                Some(Kind::Directory) => format!("`{name}` is a directory, and a file is needed"),
                _ => format!("`{name}` is not a regular file: it is a link, or something else"),
            }
        }
        Denied::NotADirectory => {
            let file = file_at_or_above(context, path).unwrap_or(name);
            format!("`{file}` is a file, and a directory is needed")
        }
        Denied::Outside => {
            format!("`{name}` is outside the workspace; give a path inside it")
        }
        Denied::Protected(pattern) => format!(
            "`{name}` is protected by the pattern `{pattern}`; no block can read or write it"
        ),
        Denied::Permission => format!("the system does not give access to `{name}`"),
        Denied::ReadOnly => format!("`{name}` is read-only; ask for it to be made writable first"),
        Denied::NotUtf8(offset) => {
            let byte = offset + 1;
            format!(
                "`{name}` is not UTF-8 text (byte {byte}): no block can read it, and only blocks of whole \
                 lines that are ASCII can edit it, and none if it is UTF-16 or binary"
            )
        }
        Denied::TooLarge { size, limit } => {
            format!("`{name}` has {size} bytes, and the limit for files is {limit}")
        }
        Denied::TooMany { limit } => {
            format!(
                "`{name}` has more than {limit} files, the limit for one command; name a directory \
                 in it"
            )
        }
        Denied::NoWorkspace => {
            "paths need a workspace; open a folder, or save the transcript".to_owned()
        }
        Denied::Unsynced => format!(
            "the editor's copy of `{name}` is out of step with the server's; close and open it again"
        ),
        Denied::Unsaved => format!(
            "an editor has changes of `{name}` by an applied block that are not saved; save it there, \
             then try again"
        ),
        Denied::NotReloaded => not_reloaded(&name),
        Denied::Io(reason) => format!("`{name}` cannot be used: {reason}"),
    };
    let issue = Issue::new(denied.code(), field, message);
    match denied {
        Denied::NotUtf8(offset) => issue.detail("offset", offset),
        Denied::TooLarge { size, limit } => issue.detail("bytes", size).detail("limit", limit),
        Denied::TooMany { limit } => issue.detail("limit", limit),
        _ => issue,
    }
}

fn not_found(context: &Context<'_>, path: &str, name: &str, field: FieldRole) -> Box<Issue> {
    let near = context.snapshot.resolve(path).ok().and_then(|path| near_name(context, &path));
    let issue = |message| Issue::new(PLAN_FILE_NOT_FOUND, field, message);
    let Some(near) = near else { return issue(format!("`{name}` does not exist")) };
    let shown = one_line::excerpt(&near, 120);
    let is_rendered = rendered::as_written(base(path)).as_deref() == Some(base(&near));
    let says = match is_rendered {
        true => format!(
            "`{name}` does not exist, but `{shown}` does: a rendered page shows it without its \
             underscores; {}",
            rendered::ADVICE
        ),
        false => format!("`{name}` does not exist; did you mean `{shown}`?"),
    };
    let remedy = Remedy::Values(vec![(field, near.clone())]);
    issue(says).detail("nearest", near).choice(format!("Make it `{shown}`"), remedy)
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The path with each name that is not there replaced by the nearest that is.
pub(super) fn near_name(context: &Context<'_>, path: &FilePath) -> Option<String> {
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
    let names = || entries.iter().map(|entry| entry.name.as_str());
    let written = rendered::as_written(name);
    let written = written.and_then(|written| names().find(|name| *name == written));
    let near = directory.join(written.or_else(|| nearest(name, names()))?);
    let rest = &path.path[missing.path.len()..];
    let whole = FilePath::new(near.root, format!("{}{rest}", near.path));
    match (context.snapshot.kind(&whole).ok()?, context.snapshot.kind(&near).ok()?) {
        (Some(_), _) => Some(whole.path.to_string()),
        // What is below has another name as well.
        (None, Some(_)) => near_name(context, &whole),
        // A link that leads nowhere is in the list, and is not there.
        _ => None,
    }
}
