//! What a run that was killed left behind, removed by the next: only what its journal names.

use super::Workspace;
use super::log::{Line, Step};
use super::store::Store;
use crate::workspace::errors::JournalError;
use crate::workspace::replace::PREFIX;
use crate::workspace::tree;
use operator_core::snapshot::FilePath;

/// Removes leftovers, and transactions in which nothing was done.
pub(super) fn sweep(workspace: &Workspace, store: &Store) -> Result<(), JournalError> {
    for number in store.transactions()? {
        if store.is_settled(number) {
            continue;
        }
        // One that cannot be understood is `undo`'s to report; it keeps nobody from working.
        let Ok((mut log, record)) = store.open(number) else { continue };
        if record.raw.is_empty() {
            store.remove(log)?;
        } else if !record.settled {
            let steps = record.steps(workspace).unwrap_or_default();
            steps.iter().for_each(|step| remove_leftovers(workspace, step));
            log.append(&[Line::Swept])?;
        }
    }
    store.finish_removals()
}

/// Removes the temporary file or directory of a step, if it is still there.
pub(super) fn remove_leftovers(workspace: &Workspace, step: &Step) {
    let (Step::Write { path, temporary, .. } | Step::Remove { path, temporary, .. }) = step else {
        return;
    };
    if temporary.starts_with(PREFIX) && !temporary.contains('/') {
        remove_beside(workspace, path, temporary);
    }
}

fn remove_beside(workspace: &Workspace, path: &FilePath, name: &str) {
    if let Ok(place) = workspace.place(path) {
        // Whoever made it unremovable keeps it; it is in nobody's way.
        let _ = tree::remove(&place.dir, name);
    }
}
