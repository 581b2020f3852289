//! Undoes one step.

use std::ffi::OsStr;
use std::io;

use operator_core::fingerprint::Fingerprint;
use operator_core::path::FilePath;
use operator_core::snapshot::Denied;

use super::log::Log;
use super::step::{Saved, Step};
use super::{UndoAction, Undone};
use crate::workspace::Workspace;
use crate::workspace::attributes::{Attributes, Keep};
use crate::workspace::errors::Reason;
use crate::workspace::place::{Place, fingerprint};
use crate::workspace::replace::{patiently, rename_new, replace, sync_directory, write_temporary};
use crate::workspace::resolve::denied;
use crate::workspace::tree::{self, back_name, copy_name};
use crate::workspace::windows::Naming;

/// Undoes a step; `None` where nothing was to be done.
pub(super) fn reverse(
    workspace: &Workspace,
    log: &Log,
    step: &Step,
) -> Result<Option<Undone>, Reason> {
    match step {
        Step::Write { path, before: Some(saved), after, temporary, .. } => {
            let bytes = log.bytes(saved).map_err(denied)?.ok_or(Reason::Lost)?;
            let place = workspace.place(path)?;
            restore(&place, (saved, &bytes), *after, &Step::undo_name(temporary))?;
        }
        Step::Write { path, after, temporary, .. } => {
            remove_file(&workspace.place(path)?, *after, &Step::undo_name(temporary))?;
        }
        Step::Directory { path } => {
            return Ok(remove_empty(workspace, path)?.then(|| Undone::of(step)));
        }
        Step::Remove { path, saved, temporary } => {
            bring_back(workspace, log, path, saved, temporary)?;
        }
        Step::Rename { from, to, .. } => move_back(workspace, from, to)?,
    }
    Ok(Some(Undone::of(step)))
}

impl Undone {
    /// What it is to undo a step.
    pub(super) fn of(step: &Step) -> Undone {
        let (path, action) = match step {
            Step::Write { path, before: Some(_), .. } => (path, UndoAction::Restored),
            Step::Write { path, .. } | Step::Directory { path } => (path, UndoAction::Removed),
            Step::Remove { path, .. } => (path, UndoAction::Returned),
            Step::Rename { from, .. } => (from, UndoAction::MovedBack),
        };
        Undone { path: path.clone(), action }
    }
}

/// Gives a file its old bytes and attributes back.
fn restore(
    place: &Place,
    (saved, bytes): (&Saved, &[u8]),
    after: Fingerprint,
    temporary: &str,
) -> Result<(), Reason> {
    let Place { dir, name } = place;
    let now = Attributes::of(&place.open()?.0).map_err(denied)?;
    let like = saved.attributes.as_ref().map_or(now.clone(), |before| before.before_write(&now));
    let is_expected = |name: &str| Ok(fingerprint(dir, name)? == Some(after));
    let written = write_temporary(dir, temporary, &[bytes], Some((&like, Keep::All)))
        .and_then(|file| file.sync_all())
        .and_then(|()| replace(dir, temporary, name, is_expected));
    // What is there now is the old file, or the one that was not put in place.
    let removed = tree::remove(dir, temporary);
    match written.map_err(denied)? {
        true => removed.and_then(|()| sync_directory(dir)).map_err(|error| denied(error).into()),
        false => Err(Reason::Changed),
    }
}

/// Removes a file that a step has made: moved away first, so that it can be looked at.
fn remove_file(place: &Place, after: Fingerprint, temporary: &str) -> Result<(), Reason> {
    let Place { dir, name } = place;
    rename_new(dir, name, dir, temporary).map_err(denied)?;
    let found = fingerprint(dir, temporary);
    if !matches!(found, Ok(Some(found)) if found == after) {
        rename_new(dir, temporary, dir, name).map_err(denied)?;
        return Err(found.map_or_else(|error| denied(error).into(), |_| Reason::Changed));
    }
    let removed = dir.remove_file(temporary).and_then(|()| sync_directory(dir));
    removed.map_err(|error| denied(error).into())
}

fn on_place(
    workspace: &Workspace,
    path: &FilePath,
    act: impl FnOnce(&Place) -> io::Result<()>,
) -> Result<(), Denied> {
    let place = workspace.place(path)?;
    act(&place).and_then(|()| sync_directory(&place.dir)).map_err(denied)
}

/// Removes a directory. One that holds something by now stays: it is not the transaction's alone
/// any more.
fn remove_empty(workspace: &Workspace, path: &FilePath) -> Result<bool, Denied> {
    let place = match workspace.place(path) {
        Err(Denied::NotFound | Denied::NotADirectory) => return Ok(false),
        place => place?,
    };
    match patiently(Naming::HERE, || place.dir.remove_dir(&place.name)) {
        Ok(()) => {
            // If it came back after a power cut, nothing would remove it; it is gone all the same.
            let _ = sync_directory(&place.dir);
            Ok(true)
        }
        Err(error) if is_no_empty_directory(&error) => Ok(false),
        Err(error) => Err(denied(error)),
    }
}

fn is_no_empty_directory(error: &io::Error) -> bool {
    use io::ErrorKind::{DirectoryNotEmpty, NotADirectory, NotFound};
    matches!(error.kind(), DirectoryNotEmpty | NotADirectory | NotFound)
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
        let (folder, back) = (log.folder(), back_name(saved));
        match rename_new(folder, saved, &at.dir, &at.name) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
            renamed => return renamed,
        }
        // An earlier attempt that was cut short may have done this; a delete that was cut short has
        // left the whole copy under its first name.
        for name in [saved, &copy_name(saved)] {
            if folder.symlink_metadata(&back).is_err() && folder.symlink_metadata(name).is_ok() {
                folder.rename(name, folder, &back)?;
            }
        }
        // Under its first name it would count as not copied back, wherever the copy is.
        sync_directory(folder)?;
        tree::copy(folder, OsStr::new(&back), &at.dir, OsStr::new(temporary))?;
        rename_new(&at.dir, temporary, &at.dir, &at.name)
    })
}

fn move_back(workspace: &Workspace, from: &FilePath, to: &FilePath) -> Result<(), Denied> {
    workspace.create_parents(from)?;
    let source = workspace.place(to)?;
    on_place(workspace, from, |at| rename_new(&source.dir, &source.name, &at.dir, &at.name))?;
    sync_directory(&source.dir).map_err(denied)
}
