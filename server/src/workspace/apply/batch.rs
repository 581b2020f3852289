//! Files that are written together, so that one sync of the journal serves them all.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use cap_fs_ext::MetadataExt;
use cap_std::fs::{Dir, File, Metadata};
use operator_core::edit::Change;
use operator_core::snapshot::{Denied, FilePath};
use operator_core::text::Content;

use super::temporary_name;
use crate::workspace::Workspace;
use crate::workspace::errors::ApplyError;
use crate::workspace::journal::{Saved, Step, Transaction};
use crate::workspace::place::{Directories, Place};
use crate::workspace::replace::{rename_new, sync_directory, write_temporary};
use crate::workspace::resolve::denied;
use crate::workspace::tree;

/// More than this is not held open and in memory at once.
const MAX_FILES: usize = 64;

/// Syncing mostly waits, and files that are synced at the same time wait together.
const THREADS: usize = 4;

/// Directories whose names are changed, and not yet durable.
#[derive(Default)]
pub(super) struct Unsynced(HashMap<FilePath, Arc<Dir>>);

impl Unsynced {
    fn extend(&mut self, directories: impl Iterator<Item = (FilePath, Arc<Dir>)>) {
        self.0.extend(directories);
    }

    /// Makes all of them durable.
    pub(super) fn sync(&mut self) {
        let directories: Vec<Arc<Dir>> = self.0.drain().map(|(_, dir)| dir).collect();
        in_threads(&directories, |dir| sync_directory(dir));
    }
}

/// Writes of different files, none of which depends on another.
#[derive(Default)]
pub(super) struct Batch<'a> {
    writes: Vec<Write<'a>>,
}

struct Write<'a> {
    path: &'a FilePath,
    source: Source<'a>,
    after: &'a Content,
}

/// What a file is before it is written.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Not there; the file whose permissions it gets, if there is one.
    New(Option<&'a FilePath>),
    /// There, with this content.
    Old(&'a Content),
}

impl<'a> Source<'a> {
    fn content(self) -> Option<&'a Content> {
        match self {
            Source::New(_) => None,
            Source::Old(content) => Some(content),
        }
    }
}

/// A write whose new file is ready beside the old one.
struct Ready<'a> {
    path: &'a FilePath,
    place: Place,
    temporary: String,
    file: File,
    /// The old file as it was when its content was checked.
    checked: Option<Metadata>,
}

impl<'a> Batch<'a> {
    /// Whether the change can go into the batch with those that are in it.
    pub(super) fn takes(&self, change: &Change) -> bool {
        let (Change::Create { path, .. } | Change::Edit { path, .. }) = change else {
            return false;
        };
        let apart = |write: &Write| !write.path.is_within(path) && !path.is_within(write.path);
        self.writes.len() < MAX_FILES && self.writes.iter().all(apart)
    }

    pub(super) fn add(&mut self, path: &'a FilePath, source: Source<'a>, after: &'a Content) {
        self.writes.push(Write { path, source, after });
    }

    /// Checks all, records all, writes all, and only then puts one after the other in place.
    pub(super) fn write(
        self,
        workspace: &Workspace,
        journal: &mut Transaction,
        unsynced: &mut Unsynced,
    ) -> Result<(), ApplyError> {
        if self.writes.is_empty() {
            return Ok(());
        }
        let mut steps = self.directories(workspace)?;
        let made = steps.len();
        let (mut checked, mut known) = (Vec::new(), Directories::default());
        for (index, write) in self.writes.iter().enumerate() {
            let old = write.check(workspace, &mut known)?;
            let temporary = temporary_name(journal.len() + made + index);
            steps.push(write.step(temporary.clone()));
            checked.push((old, temporary));
        }
        let kept =
            std::iter::repeat_n(None, made).chain(self.writes.iter().map(|it| it.source.content()));
        journal.record(steps.iter().cloned().zip(kept).collect())?;
        workspace.make(&steps[..made])?;
        let writes = self.writes.iter().zip(checked);
        let ready =
            writes.map(|(write, (old, temporary))| write.prepare(workspace, old, temporary));
        let ready = ready.collect::<Result<Vec<Ready>, ApplyError>>()?;
        // All are on their way to the disk by now, so that the first sync takes the rest along.
        sync_all(&ready)?;
        ready.iter().try_for_each(Ready::put_in_place)?;
        let parents = ready.iter().filter_map(|file| Some((file.path.parent()?, &file.place.dir)));
        unsynced.extend(parents.map(|(path, dir)| (path, dir.clone())));
        Ok(())
    }

    fn directories(&self, workspace: &Workspace) -> Result<Vec<Step>, ApplyError> {
        let (mut steps, mut seen) = (Vec::new(), HashSet::new());
        for write in self.writes.iter().filter(|write| write.source.content().is_none()) {
            for step in workspace.parent_steps(write.path)? {
                let Step::Directory { path } = &step else { continue };
                if seen.insert(path.clone()) {
                    steps.push(step);
                }
            }
        }
        Ok(steps)
    }
}

impl<'a> Write<'a> {
    /// The old file, if its bytes are the ones that the change was made for.
    fn check(
        &self,
        workspace: &Workspace,
        known: &mut Directories,
    ) -> Result<Option<(Place, Metadata)>, ApplyError> {
        let Some(before) = self.source.content() else {
            workspace.expect_missing(self.path)?;
            return Ok(None);
        };
        let place = workspace.place_among(known, self.path);
        let read = place.and_then(|place| {
            let (bytes, data) = place.read(workspace.limits().file_bytes)?;
            Ok((place, bytes, data))
        });
        let (place, bytes, data) = read.map_err(|why| match why {
            Denied::NotFound | Denied::TooLarge { .. } => ApplyError::Changed(self.path.clone()),
            why => self.refused(why),
        })?;
        if !before.is(&bytes) {
            return Err(ApplyError::Changed(self.path.clone()));
        }
        // A rename needs no right to write the file that it replaces, but its owner meant it.
        if data.permissions().readonly() {
            return Err(self.refused(Denied::ReadOnly));
        }
        Ok(Some((place, data)))
    }

    fn step(&self, temporary: String) -> Step {
        Step::Write {
            path: self.path.clone(),
            before: self.source.content().map(Saved::of),
            after: self.after.fingerprint(),
            temporary,
        }
    }

    fn prepare(
        &self,
        workspace: &Workspace,
        old: Option<(Place, Metadata)>,
        temporary: String,
    ) -> Result<Ready<'a>, ApplyError> {
        let (place, checked) = match old {
            Some((place, data)) => (place, Some(data)),
            None => (workspace.place(self.path).map_err(|why| self.refused(why))?, None),
        };
        // What a copy is made of may have gone since: then it gets the permissions of a new file.
        let model = match self.source {
            Source::New(Some(like)) => workspace.place(like).ok(),
            _ => None,
        };
        let model = model.and_then(|place| place.metadata().ok().flatten());
        let like = checked.clone().or(model);
        let write = || write_temporary(&place.dir, &temporary, &self.after.parts(), like.as_ref());
        let file = match write() {
            // Left behind by a run that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                tree::remove(&place.dir, &temporary).and_then(|()| write())
            }
            written => written,
        };
        let file = file.map_err(|error| refused(self.path, error))?;
        Ok(Ready { path: self.path, place, temporary, file, checked })
    }

    fn refused(&self, why: Denied) -> ApplyError {
        ApplyError::Denied { path: self.path.clone(), why }
    }
}

impl Ready<'_> {
    fn sync(&self) -> Result<(), ApplyError> {
        self.file.sync_all().map_err(|error| refused(self.path, error))
    }

    fn put_in_place(&self) -> Result<(), ApplyError> {
        let Place { dir, name } = &self.place;
        let renamed = match &self.checked {
            None => rename_new(dir, &self.temporary, dir, name),
            Some(checked) => {
                let now = self.place.metadata().map_err(|error| refused(self.path, error))?;
                if now.is_none_or(|now| identity(&now) != identity(checked)) {
                    return Err(ApplyError::Changed(self.path.clone()));
                }
                dir.rename(&self.temporary, dir, name)
            }
        };
        renamed.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ApplyError::Exists(self.path.clone()),
            _ => refused(self.path, error),
        })
    }
}

fn sync_all(files: &[Ready<'_>]) -> Result<(), ApplyError> {
    in_threads(files, Ready::sync).into_iter().collect()
}

/// Does the same with each, in several threads where there are several.
fn in_threads<T: Sync, R: Send>(all: &[T], act: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let parts = all.chunks(all.len().div_ceil(THREADS).max(1));
    if all.len() < 2 {
        return all.iter().map(act).collect();
    }
    std::thread::scope(|scope| {
        let act = &act;
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().map(act).collect::<Vec<R>>()))
            .collect();
        let done = threads.into_iter().map(|thread| thread.join());
        done.flat_map(|part| part.expect("syncing a file does not panic")).collect()
    })
}

fn refused(path: &FilePath, error: io::Error) -> ApplyError {
    ApplyError::Denied { path: path.clone(), why: denied(error) }
}

/// What differs once somebody else has written or replaced the file.
fn identity(data: &Metadata) -> (u64, u64, u64, Option<cap_std::time::SystemTime>) {
    (data.dev(), data.ino(), data.len(), data.modified().ok())
}
