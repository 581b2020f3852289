//! Takes steps back, the newest first.

use std::ffi::OsStr;
use std::io;

use operator_core::snapshot::{Denied, FilePath};

use super::check::{carried_out, changed};
use super::log::{Log, Saved, Step};
use super::sweep::remove_leftovers;
use super::{UndoAction, Undone};
use crate::workspace::Workspace;
use crate::workspace::errors::UndoError;
use crate::workspace::place::Place;
use crate::workspace::replace::{rename_new, sync_directory, write_temporary};
use crate::workspace::resolve::denied;
use crate::workspace::tree;

/// Takes back those of the steps that were carried out, if all is as they left it.
pub(super) fn take_back(
    workspace: &Workspace,
    log: &Log,
    steps: &[Step],
) -> Result<Vec<Undone>, UndoError> {
    steps.iter().for_each(|step| remove_leftovers(workspace, step));
    let steps = carried_out(workspace, steps);
    let changed = changed(workspace, steps);
    if !changed.is_empty() {
        return Err(UndoError::Changed(changed));
    }
    if let Some(path) = steps.iter().find_map(|step| lost(log, step)) {
        return Err(UndoError::Lost(path.clone()));
    }
    let mut undone = Vec::new();
    for step in steps.iter().rev() {
        undone.extend(revert(workspace, log, step)?);
    }
    Ok(undone)
}

/// The path of a step that the journal cannot take back.
fn lost<'a>(log: &Log, step: &'a Step) -> Option<&'a FilePath> {
    match step {
        Step::Write { path, before: Some(saved), .. } => log.bytes(saved).is_none().then_some(path),
        Step::Remove { path, saved, .. } => {
            log.folder().symlink_metadata(saved).is_err().then_some(path)
        }
        _ => None,
    }
}

fn revert(workspace: &Workspace, log: &Log, step: &Step) -> Result<Option<Undone>, UndoError> {
    let (path, action) = match step {
        Step::Write { path, before: Some(_), .. } => (path, UndoAction::Restored),
        Step::Write { path, .. } | Step::Directory { path } => (path, UndoAction::Removed),
        Step::Remove { path, .. } => (path, UndoAction::Returned),
        Step::Rename { from, .. } => (from, UndoAction::MovedBack),
    };
    let done = match step {
        Step::Write { before: Some(saved), temporary, .. } => {
            restore(workspace, log, path, saved, temporary)
        }
        Step::Write { .. } => on_place(workspace, path, |at| at.dir.remove_file(&at.name)),
        Step::Directory { .. } => return remove_empty(workspace, path),
        Step::Remove { saved, temporary, .. } => bring_back(workspace, log, path, saved, temporary),
        Step::Rename { to, .. } => move_back(workspace, path, to),
    };
    match done {
        Ok(()) => Ok(Some(Undone { path: path.clone(), action })),
        Err(why) => Err(UndoError::Denied { path: path.clone(), why }),
    }
}

fn on_place(
    workspace: &Workspace,
    path: &FilePath,
    act: impl FnOnce(&Place) -> io::Result<()>,
) -> Result<(), Denied> {
    let place = workspace.place(path)?;
    act(&place).map_err(denied)?;
    sync_directory(&place.dir);
    Ok(())
}

fn restore(
    workspace: &Workspace,
    log: &Log,
    path: &FilePath,
    saved: &Saved,
    temporary: &str,
) -> Result<(), Denied> {
    let bytes = log.bytes(saved).ok_or(Denied::NotFound)?;
    on_place(workspace, path, |at| {
        let like = at.metadata()?;
        write_temporary(&at.dir, temporary, &bytes, like.as_ref())?.sync_all()?;
        at.dir.rename(temporary, &at.dir, &at.name)
    })
}

/// A directory that holds something by now stays: it is not the transaction's alone any more.
fn remove_empty(workspace: &Workspace, path: &FilePath) -> Result<Option<Undone>, UndoError> {
    let removed = workspace.place(path).and_then(|at| at.dir.remove_dir(&at.name).map_err(denied));
    Ok(removed.is_ok().then(|| Undone { path: path.clone(), action: UndoAction::Removed }))
}

fn bring_back(
    workspace: &Workspace,
    log: &Log,
    path: &FilePath,
    saved: &str,
    temporary: &str,
) -> Result<(), Denied> {
    workspace.create_parents(path)?;
    on_place(workspace, path, |at| match rename_new(log.folder(), saved, &at.dir, &at.name) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let names = (OsStr::new(saved), OsStr::new(temporary));
            tree::copy(log.folder(), names.0, &at.dir, names.1)?;
            rename_new(&at.dir, temporary, &at.dir, &at.name)
        }
        renamed => renamed,
    })
}

fn move_back(workspace: &Workspace, from: &FilePath, to: &FilePath) -> Result<(), Denied> {
    workspace.create_parents(from)?;
    let source = workspace.place(to)?;
    on_place(workspace, from, |at| rename_new(&source.dir, &source.name, &at.dir, &at.name))?;
    sync_directory(&source.dir);
    Ok(())
}
