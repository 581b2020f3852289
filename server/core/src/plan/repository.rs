//! Refuses what would make a directory a repository of git's own, whose configuration git obeys.

use super::Issue;
use super::context::shown;
use crate::edit::{Change, ChangeSet};
use crate::path::FilePath;
use crate::problem::PLAN_MAKES_REPOSITORY;
use crate::snapshot::{Denied, Entry, Snapshot, Staged};
use crate::spec::FieldRole;

/// The names in a repository's own directory that make it one, or that git obeys in it.
const PARTS: [&str; 10] = [
    "head",
    "objects",
    "refs",
    "commondir",
    "config",
    "config.worktree",
    "hooks",
    "info",
    "modules",
    "worktrees",
];

/// The issue of changes after which something in a directory that git takes for a repository is
/// other than before.
pub(super) fn issue(changes: &ChangeSet, snapshot: &dyn Snapshot) -> Option<Box<Issue>> {
    let suspects: Vec<(FilePath, FieldRole)> = changes.iter().flat_map(suspects).collect();
    if suspects.is_empty() {
        return None;
    }
    let mut after = Staged::new(snapshot);
    // What cannot be staged cannot be applied either, and says so by itself.
    after.stage(changes).ok()?;
    let (found, field) =
        suspects.into_iter().find(|(directory, _)| is_repository(directory, &after))?;
    let message = format!(
        "`{}` would be a git repository, with HEAD, objects and refs in it: git runs programs that \
         such a directory names, and would do so in this one. Use other names",
        shown(&found)
    );
    Some(Issue::new(PLAN_MAKES_REPOSITORY, field, message))
}

/// The directories in which a change puts or changes a part of a repository.
fn suspects(change: &Change) -> Vec<(FilePath, FieldRole)> {
    let (path, field) = match change {
        Change::Delete { .. } => return Vec::new(),
        Change::Rename { to, .. } => (to, FieldRole::DestPath),
        Change::Create { path, like: Some(_), .. } => (path, FieldRole::DestPath),
        Change::Create { path, .. } | Change::Edit { path, .. } => (path, FieldRole::Path),
        Change::CreateDirectory { path } => (path, FieldRole::Path),
    };
    let mut found = Vec::new();
    let mut below = path.clone();
    while let Some(directory) = below.parent() {
        if PARTS.contains(&below.name().to_lowercase().as_str()) {
            found.push((directory.clone(), field));
        }
        below = directory;
    }
    found
}

/// Whether git takes a directory for a repository, in whatever letter case its parts are written.
fn is_repository(directory: &FilePath, snapshot: &dyn Snapshot) -> bool {
    let entries: Result<Vec<Entry>, Denied> = Snapshot::list(snapshot, directory);
    let entries = entries.unwrap_or_default();
    let has = |name: &str, is_directory: bool| {
        entries.iter().any(|it| it.directory == is_directory && it.name.eq_ignore_ascii_case(name))
    };
    // A work tree's own directory has the name of another in `commondir`, in place of the rest.
    has("HEAD", false) && (has("objects", true) && has("refs", true) || has("commondir", false))
}
