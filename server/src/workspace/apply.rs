//! Makes change sets on the disk, wholly or not at all.

mod batch;

use std::ffi::OsStr;
use std::io;

use cap_std::fs::Dir;
use operator_core::edit::{Change, ChangeSet};
use operator_core::path::{FilePath, Kind, State};
use operator_core::snapshot::{Denied, Snapshot};

use super::errors::{ApplyError, JournalError};
use super::journal::{REMOVED, Step, Transaction};
use super::place::Place;
use super::replace::{rename_new, sync_directory, temporary_name};
use super::resolve::denied;
use super::{Workspace, tree};
use batch::{Batch, Source, Unsynced};

impl Workspace {
    /// Makes the changes in order. What was there is in the journal, durably, before it is
    /// touched; each file is the old one or the new one at any moment. If one change fails, those
    /// before it are undone.
    ///
    /// # Errors
    /// Why not; the workspace is as it was, but for [`ApplyError::HalfDone`], after which nothing
    /// more may be written in this transaction.
    pub fn apply(&self, changes: &ChangeSet, journal: &mut Transaction) -> Result<(), ApplyError> {
        let start = journal.len();
        let Err(failed) = self.make_all(changes, journal) else { return Ok(()) };
        let left = journal.take_back(start).left;
        match left.is_empty() {
            true => Err(failed),
            false => Err(ApplyError::HalfDone { failed: failed.into(), left }),
        }
    }

    fn make_all(&self, changes: &ChangeSet, journal: &mut Transaction) -> Result<(), ApplyError> {
        let (mut batch, mut unsynced) = (Batch::default(), Unsynced::default());
        for change in changes.iter() {
            if !batch.takes(change) {
                std::mem::take(&mut batch).write(self, journal, &mut unsynced)?;
            }
            if !matches!(change, Change::Create { .. } | Change::Edit { .. }) {
                unsynced.sync()?;
            }
            match change {
                Change::Create { path, content, like } => {
                    batch.add(path, Source::New(like.as_ref()), content);
                }
                Change::Edit { path, before, after } => batch.add(path, Source::Old(before), after),
                Change::Delete { path, kind, .. } => self.delete(path, *kind, journal)?,
                Change::Rename { from, to, kind, .. } => self.rename(from, to, *kind, journal)?,
                Change::CreateDirectory { path } => self.make_directory(path, journal)?,
            }
        }
        batch.write(self, journal, &mut unsynced)?;
        unsynced.sync()
    }

    fn delete(
        &self,
        path: &FilePath,
        kind: Kind,
        journal: &mut Transaction,
    ) -> Result<(), ApplyError> {
        let refused = |why| ApplyError::Denied { path: path.clone(), why };
        tree::guard(self, path).map_err(refused)?;
        if self.kind(path).map_err(refused)? != Some(kind) {
            return Err(ApplyError::Changed(path.clone()));
        }
        let saved = format!("{REMOVED}{}", journal.len());
        let temporary = temporary_name();
        let step =
            Step::Remove { path: path.clone(), saved: saved.clone(), temporary: temporary.clone() };
        let folder = journal.record(vec![(step, None)])?;
        let place = self.place(path).map_err(refused)?;
        move_away(&place, folder, &saved, &temporary).map_err(|error| refused(denied(error)))?;
        journal.have_done(1);
        sync_directory(&place.dir).map_err(|error| refused(denied(error)))
    }

    fn rename(
        &self,
        from: &FilePath,
        to: &FilePath,
        kind: Kind,
        journal: &mut Transaction,
    ) -> Result<(), ApplyError> {
        let refused = |why| ApplyError::Denied { path: from.clone(), why };
        tree::guard(self, from).map_err(refused)?;
        let (file, size) = match (self.state(from).map_err(refused)?, kind) {
            (State::File(fingerprint), Kind::File) => (Some(fingerprint), None),
            (State::Large { size, .. }, Kind::File) => (None, Some(size)),
            (State::Directory, Kind::Directory) => (None, None),
            _ => return Err(ApplyError::Changed(from.clone())),
        };
        if to.is_within(from) {
            return Err(refused(Denied::Io("it cannot be moved into itself".into())));
        }
        self.expect_missing(to)?;
        let mut steps = self.parent_steps(to)?;
        let made = steps.len();
        steps.push(Step::Rename { from: from.clone(), to: to.clone(), file, size });
        self.record(journal, &steps)?;
        self.make(&steps[..made], journal)?;
        let source = self.place(from).map_err(refused)?;
        let target = self.place(to).map_err(refused)?;
        rename_new(&source.dir, &source.name, &target.dir, &target.name).map_err(|error| {
            match error.kind() {
                io::ErrorKind::AlreadyExists => ApplyError::Exists(to.clone()),
                io::ErrorKind::CrossesDevices => refused(Denied::Io(format!(
                    "{to} is on another file system; copy it there and delete it here"
                ))),
                _ => refused(denied(error)),
            }
        })?;
        journal.have_done(1);
        let synced = sync_directory(&target.dir).and_then(|()| sync_directory(&source.dir));
        synced.map_err(|error| refused(denied(error)))
    }

    fn make_directory(&self, path: &FilePath, journal: &mut Transaction) -> Result<(), ApplyError> {
        self.expect_missing(path)?;
        let mut steps = self.parent_steps(path)?;
        steps.push(Step::Directory { path: path.clone() });
        self.record(journal, &steps)?;
        self.make(&steps, journal)
    }

    fn record(&self, journal: &mut Transaction, steps: &[Step]) -> Result<(), JournalError> {
        journal.record(steps.iter().map(|step| (step.clone(), None)).collect()).map(|_| ())
    }

    fn expect_missing(&self, path: &FilePath) -> Result<(), ApplyError> {
        match self.kind(path) {
            Ok(None) => Ok(()),
            Ok(Some(_)) | Err(Denied::NotAFile) => Err(ApplyError::Exists(path.clone())),
            Err(why) => Err(ApplyError::Denied { path: path.clone(), why }),
        }
    }

    /// The directories above `path` that are missing, the outermost first.
    fn parent_steps(&self, path: &FilePath) -> Result<Vec<Step>, ApplyError> {
        let mut missing = Vec::new();
        for parent in std::iter::successors(path.parent(), FilePath::parent) {
            match self.kind(&parent) {
                Ok(None) => missing.push(Step::Directory { path: parent }),
                Ok(Some(Kind::Directory)) => break,
                Ok(Some(Kind::File)) => {
                    return Err(ApplyError::Denied { path: parent, why: Denied::NotADirectory });
                }
                Err(why) => return Err(ApplyError::Denied { path: parent, why }),
            }
        }
        missing.reverse();
        Ok(missing)
    }

    /// Makes the directories of these steps.
    fn make(&self, steps: &[Step], journal: &mut Transaction) -> Result<(), ApplyError> {
        for step in steps {
            if let Step::Directory { path } = step {
                self.create_directory(path)
                    .map_err(|why| ApplyError::Denied { path: path.clone(), why })?;
                journal.have_done(1);
            }
        }
        Ok(())
    }

    /// Makes the directories above `path` that are missing.
    pub(super) fn create_parents(&self, path: &FilePath) -> Result<(), Denied> {
        let mut parents: Vec<FilePath> =
            std::iter::successors(path.parent(), FilePath::parent).collect();
        parents.reverse();
        parents.iter().filter(|parent| !parent.path.is_empty()).try_for_each(|parent| {
            match self.kind(parent)? {
                Some(Kind::Directory) => Ok(()),
                Some(Kind::File) => Err(Denied::NotADirectory),
                None => self.create_directory(parent),
            }
        })
    }

    fn create_directory(&self, path: &FilePath) -> Result<(), Denied> {
        let place = self.place(path)?;
        match place.dir.create_dir(&place.name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(denied(error)),
            _ => sync_directory(&place.dir).map_err(denied),
        }
    }
}

/// Moves a file or directory into the journal at once, or, between file systems, copies it there
/// first and then takes it out of sight at once.
fn move_away(place: &Place, folder: &Dir, saved: &str, temporary: &str) -> io::Result<()> {
    match rename_new(&place.dir, &place.name, folder, saved) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        renamed => return renamed.and_then(|()| sync_directory(folder)),
    }
    let copy = tree::copy_name(saved);
    tree::remove(folder, &copy)?;
    tree::copy(&place.dir, OsStr::new(&place.name), folder, OsStr::new(&copy))?;
    sync_directory(folder)?;
    rename_new(&place.dir, &place.name, &place.dir, temporary)?;
    // Under its old name it must not come back, neither whole nor with a part of it removed.
    sync_directory(&place.dir)?;
    folder.rename(&copy, folder, saved)?;
    tree::remove(&place.dir, temporary)
}
