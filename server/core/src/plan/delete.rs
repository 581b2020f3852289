//! `fs.delete` and its like: the end of a file or a directory.

use super::context::{Context, shown};
use super::{Fact, Issue, Plan};
use crate::command::Only;
use crate::edit::Target;
use crate::edit::{Change, ChangeSet};
use crate::path::{FilePath, Kind, State};
use crate::place::Lines;
use crate::problem::{
    PLAN_DIRECTORY_NOT_EMPTY, PLAN_NOT_A_DIRECTORY, PLAN_NOT_A_FILE, PLAN_PATCH_MISMATCH,
    PLAN_PROTECTED_PATH,
};
use crate::spec::FieldRole;
use crate::text::one_line;

/// Deletes the file or the directory with all that is in it, if it may be one.
pub(super) fn plan(context: &Context<'_>, written: &str, only: &Only) -> Result<Plan, Box<Issue>> {
    let (path, kind) = context.existing(written, FieldRole::Path)?;
    allowed(context, &path, kind, only)?;
    not_the_root(&path, "deleted")?;
    not_a_link(context, written, &path, "deleted")?;
    let before = context.ask(&path, FieldRole::Path, |snapshot| snapshot.state(&path))?;
    let inside = match kind {
        Kind::File => None,
        Kind::Directory => Some(context.count_files(&path)?),
    };
    let files = inside.unwrap_or(1);
    Ok(Plan {
        changes: ChangeSet::one(Change::Delete { path: path.clone(), kind, files }),
        targets: vec![Target { path: path.clone(), before, after: State::Missing }],
        ..Plan::of(Fact::Deleted { path, files: inside })
    })
}

/// Refuses what a deletion is limited not to delete.
fn allowed(
    context: &Context<'_>,
    path: &FilePath,
    kind: Kind,
    only: &Only,
) -> Result<(), Box<Issue>> {
    let name = shown(path);
    let (code, message) = match (only, kind) {
        (Only::Anything, _) | (Only::File, Kind::File) => return Ok(()),
        (Only::FileOf(lines), Kind::File) => return holds(context, path, lines),
        (Only::File | Only::FileOf(_), Kind::Directory) => {
            (PLAN_NOT_A_FILE, format!("`{name}` is a directory, and only a file is deleted so"))
        }
        (Only::EmptyDirectory, Kind::File) => {
            (PLAN_NOT_A_DIRECTORY, format!("`{name}` is a file, and a directory is needed"))
        }
        (Only::EmptyDirectory, Kind::Directory) => {
            let entries = context.ask(path, FieldRole::Path, |snapshot| snapshot.list(path))?.len();
            if entries == 0 {
                return Ok(());
            }
            let count = one_line::count(entries, "entry");
            let message =
                format!("`{name}` has {count} in it, and only an empty directory is deleted so");
            let issue = Issue::new(PLAN_DIRECTORY_NOT_EMPTY, FieldRole::Path, message);
            return Err(issue.detail("entries", entries));
        }
    };
    Err(Issue::new(code, FieldRole::Path, message))
}

/// Refuses a file that has other lines.
fn holds(context: &Context<'_>, path: &FilePath, wanted: &[String]) -> Result<(), Box<Issue>> {
    let content = context.read(path)?;
    let lines = Lines::new(&content.text);
    let there = (0..lines.len()).filter_map(|line| lines.get(line));
    if there.clone().eq(wanted.iter().map(String::as_str)) {
        return Ok(());
    }
    let same = there.clone().zip(wanted).take_while(|(line, wanted)| line == wanted).count();
    let name = shown(path);
    if wanted.is_empty() {
        let count = one_line::count(there.count(), "line");
        let message = format!(
            "`{name}` has {count}, and the lines that go with it are not given; remove every line"
        );
        return Err(Issue::new(PLAN_PATCH_MISMATCH, FieldRole::Search, message));
    }
    let message = format!(
        "`{name}` does not have the lines that are deleted with it: it differs from line {} on",
        same + 1
    );
    Err(Issue::new(PLAN_PATCH_MISMATCH, FieldRole::Search, message).detail("line", same + 1))
}

/// Refuses a symbolic link: a path leads to what the link leads to, and that may not be meant.
pub(super) fn not_a_link(
    context: &Context<'_>,
    written: &str,
    path: &FilePath,
    what: &str,
) -> Result<(), Box<Issue>> {
    let taken = context.through.without_own_name(written);
    let plain = taken.as_deref().unwrap_or(written).replace('\\', "/");
    let plain = plain.trim_end_matches('/');
    let (parent, name) = plain.rsplit_once('/').unwrap_or((".", plain));
    if matches!(name, "" | "." | "..") {
        return Ok(());
    }
    let parent = if parent.is_empty() { "." } else { parent };
    let parent = context.resolve(parent, FieldRole::Path)?;
    // Where case makes no difference the name may be written in another.
    let same = parent.join(name).path.to_lowercase() == path.path.to_lowercase();
    if same && parent.root == path.root {
        return Ok(());
    }
    let message = format!(
        "`{plain}` is a symbolic link to `{}`, and a link is not {what}; name what it leads to",
        shown(path)
    );
    Err(Issue::new(PLAN_NOT_A_FILE, FieldRole::Path, message))
}

/// Refuses the workspace folder itself.
pub(super) fn not_the_root(path: &FilePath, what: &str) -> Result<(), Box<Issue>> {
    if !path.path.is_empty() {
        return Ok(());
    }
    let message = format!("`{}` is the workspace folder itself and cannot be {what}", shown(path));
    Err(Issue::new(PLAN_PROTECTED_PATH, FieldRole::Path, message))
}
