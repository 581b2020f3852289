//! Takes steps back, the newest first.

use std::ffi::OsStr;
use std::io;

use operator_core::snapshot::{Denied, FilePath};

use super::check::{carried_out, changed};
use super::log::{Line, Log, Saved, Step};
use super::sweep::remove_leftovers;
use super::{UndoAction, Undone};
use crate::workspace::Workspace;
use crate::workspace::errors::UndoError;
use crate::workspace::place::Place;
use crate::workspace::replace::{rename_new, sync_directory, write_temporary};
use crate::workspace::resolve::denied;
use crate::workspace::tree::{self, copy_name};

/// Takes back those of the steps from `start` on that were carried out, if all is as they left
/// it. What is taken back goes off the record step by step, so that a kill is no harm here either.
pub(super) fn take_back(
    workspace: &Workspace,
    log: &mut Log,
    steps: &mut Vec<Step>,
    start: usize,
) -> Result<Vec<Undone>, UndoError> {
    let recorded = steps.get(start..).unwrap_or_default();
    recorded.iter().for_each(|step| remove_leftovers(workspace, step));
    let done = carried_out(workspace, log.folder(), recorded);
    let changed = changed(workspace, done);
    if !changed.is_empty() {
        return Err(UndoError::Changed(changed));
    }
    if let Some(path) = done.iter().find_map(|step| lost(log, step)) {
        return Err(UndoError::Lost(path.clone()));
    }
    steps.truncate(start + done.len());
    let mut undone = Vec::new();
    while steps.len() > start
        && let Some(step) = steps.last()
    {
        undone.extend(revert(workspace, log, step)?);
        steps.pop();
        log.append(&[Line::Back { to: steps.len() }])?;
    }
    log.append(&[Line::Back { to: start }])?;
    Ok(undone)
}

/// The path of a step that the journal cannot take back.
fn lost<'a>(log: &Log, step: &'a Step) -> Option<&'a FilePath> {
    match step {
        Step::Write { path, before: Some(saved), .. } => log.bytes(saved).is_none().then_some(path),
        Step::Remove { path, saved, .. } => {
            let there = |name: &str| log.folder().symlink_metadata(name).is_ok();
            (!there(saved) && !there(&copy_name(saved))).then_some(path)
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
        write_temporary(&at.dir, temporary, &[&bytes], like.as_ref())?.sync_all()?;
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
    on_place(workspace, path, |at| {
        let (folder, copy) = (log.folder(), copy_name(saved));
        match rename_new(folder, saved, &at.dir, &at.name) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
            renamed => return renamed,
        }
        // An earlier attempt that was cut short has done this.
        if folder.symlink_metadata(saved).is_ok() {
            folder.rename(saved, folder, &copy)?;
        }
        tree::copy(folder, OsStr::new(&copy), &at.dir, OsStr::new(temporary))?;
        rename_new(&at.dir, temporary, &at.dir, &at.name)
    })
}

fn move_back(workspace: &Workspace, from: &FilePath, to: &FilePath) -> Result<(), Denied> {
    workspace.create_parents(from)?;
    let source = workspace.place(to)?;
    on_place(workspace, from, |at| rename_new(&source.dir, &source.name, &at.dir, &at.name))?;
    sync_directory(&source.dir);
    Ok(())
}
