//! Steps that list the entries of a directory.

use super::context::Context;
use super::{Fact, Issue, ListedEntry, Plan};
use crate::path::State;
use crate::snapshot::Entry;
use crate::spec::FieldRole;

/// The entries, sorted by name.
pub(super) fn plan(
    context: &Context<'_>,
    path: &str,
    with_details: bool,
) -> Result<Plan, Box<Issue>> {
    let path = match with_details {
        true => context.existing(path, FieldRole::Path)?.0,
        false => context.resolve(path, FieldRole::Path)?,
    };
    let listed = |entry: Entry| {
        let known = || context.snapshot.details(&path.join(&entry.name)).ok();
        let details = with_details.then(known).flatten();
        ListedEntry { is_directory: entry.directory, details, name: entry.name }
    };
    let entries = context.ask(&path, FieldRole::Path, |snapshot| snapshot.list(&path))?;
    let entries = entries.into_iter().map(listed).collect();
    let fact = Fact::Listed { path: path.clone(), entries };
    Ok(Plan::of_reading(path, State::Directory, fact))
}
