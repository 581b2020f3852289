//! Files that are written together, so that one sync of the journal serves them all.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use cap_std::fs::{Dir, File, Metadata};
use operator_core::edit::Change;
use operator_core::path::FilePath;
use operator_core::snapshot::Denied;
use operator_core::text::Content;

use crate::workspace::Workspace;
use crate::workspace::attributes::{Attributes, Keep};
use crate::workspace::durable;
use crate::workspace::errors::ApplyError;
use crate::workspace::journal::{Saved, Step, Transaction};
use crate::workspace::place::{Directories, Place, holds};
use crate::workspace::replace::{identity, rename_new, replace, temporary_name, write_temporary};
use crate::workspace::resolve::denied;
use crate::workspace::tree;

/// More than this is not held open and in memory at once.
const MAX_FILES: usize = 64;

/// Directories whose names are changed, and not yet durable.
#[derive(Default)]
pub(super) struct Unsynced(HashMap<FilePath, Arc<Dir>>);

impl Unsynced {
    fn extend(&mut self, directories: impl Iterator<Item = (FilePath, Arc<Dir>)>) {
        self.0.extend(directories);
    }

    /// Makes all of them durable.
    pub(super) fn sync(&mut self) -> Result<(), ApplyError> {
        let directories: Vec<(FilePath, Arc<Dir>)> = self.0.drain().collect();
        let names: Vec<_> =
            directories.iter().map(|(_, dir)| durable::Written::Names(dir)).collect();
        let refused = |((path, _), synced): (&(FilePath, Arc<Dir>), io::Result<()>)| {
            synced.map_err(|error| refused(path, error))
        };
        directories.iter().zip(durable::each(&names)).try_for_each(refused)
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

/// A file that is there, as it was when its content was checked.
struct Old {
    place: Place,
    data: Metadata,
    attributes: Attributes,
    /// Whether it was written so shortly before that another write may not show in its time.
    is_fresh: bool,
}

/// A write whose new file is ready beside the old one.
struct Ready<'a> {
    path: &'a FilePath,
    place: Place,
    temporary: String,
    file: File,
    /// The old file and its content.
    old: Option<(Old, &'a Content)>,
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
        let (mut prepared, mut known) = (Vec::new(), Directories::default());
        for write in &self.writes {
            let old = write.check(workspace, &mut known)?;
            let temporary = temporary_name();
            steps.push(write.step(temporary.clone(), old.as_ref()));
            prepared.push((old, temporary));
        }
        let kept =
            std::iter::repeat_n(None, made).chain(self.writes.iter().map(|it| it.source.content()));
        journal.record(steps.iter().cloned().zip(kept).collect())?;
        workspace.make(&steps[..made], journal)?;
        let writes = self.writes.iter().zip(prepared);
        let ready = writes.map(|(write, (old, temporary))| {
            let model = match journal.attributes_of(write.path) {
                Some(attributes) => Some(attributes.clone()),
                None => write.model(workspace, &self.writes)?,
            };
            write.prepare(workspace, old, model.as_ref(), temporary)
        });
        let ready = ready.collect::<Result<Vec<Ready>, ApplyError>>()?;
        // All are on their way to the disk by now, so that the first sync takes the rest along.
        sync_all(&ready)?;
        for file in &ready {
            file.put_in_place()?;
            journal.have_done(1);
        }
        if !ready.iter().all(Ready::clean_up) {
            journal.leave_open();
        }
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
    ) -> Result<Option<Old>, ApplyError> {
        let Some(before) = self.source.content() else {
            workspace.expect_missing(self.path)?;
            return Ok(None);
        };
        let place = workspace.place_among(known, self.path);
        let read = place.and_then(|place| {
            let (file, data) = place.open()?;
            let holds = holds(&file, &data, before).map_err(denied)?;
            let attributes = Attributes::of(&file).map_err(denied)?;
            let is_fresh = is_fresh(&data);
            Ok((Old { place, data, attributes, is_fresh }, holds))
        });
        let (old, holds) = read.map_err(|why| match why {
            Denied::NotFound => ApplyError::Changed(self.path.clone()),
            why => self.refused(why),
        })?;
        if !holds {
            return Err(ApplyError::Changed(self.path.clone()));
        }
        // A rename needs no right to write the file that it replaces, but its owner meant it.
        if old.data.permissions().readonly() {
            return Err(self.refused(Denied::ReadOnly));
        }
        Ok(Some(old))
    }

    fn step(&self, temporary: String, old: Option<&Old>) -> Step {
        let content = self.source.content().zip(old);
        Step::Write {
            path: self.path.clone(),
            before: content.map(|(content, old)| Saved::of(content, old.attributes.clone())),
            after: self.after.fingerprint(),
            temporary,
        }
    }

    /// The attributes of the file that it is a copy of. Without them what was private would not
    /// be any more, so that they must be known, unless that file is as new as this one.
    fn model(
        &self,
        workspace: &Workspace,
        together: &[Write],
    ) -> Result<Option<Attributes>, ApplyError> {
        let Source::New(Some(like)) = self.source else { return Ok(None) };
        if let Some(write) = together.iter().find(|write| write.path == like)
            && write.source.content().is_none()
        {
            return write.model(workspace, &[]);
        }
        let file = workspace.place_to_read(like).and_then(|place| place.open());
        let attributes = file.and_then(|(file, _)| Attributes::of(&file).map_err(denied));
        attributes.map(Some).map_err(|why| match why {
            Denied::NotFound => ApplyError::Changed(like.clone()),
            why => ApplyError::Denied { path: like.clone(), why },
        })
    }

    fn prepare(
        &self,
        workspace: &Workspace,
        old: Option<Old>,
        model: Option<&Attributes>,
        temporary: String,
    ) -> Result<Ready<'a>, ApplyError> {
        let place = match &old {
            Some(old) => old.place.clone(),
            None => workspace.place(self.path).map_err(|why| self.refused(why))?,
        };
        let like = old.as_ref().map(|old| &old.attributes).or(model);
        let like = like.map(|like| (like, Keep::Written));
        let file = write_temporary(&place.dir, &temporary, &self.after.parts(), like)
            .map_err(|error| refused(self.path, error))?;
        let old = old.zip(self.source.content());
        Ok(Ready { path: self.path, place, temporary, file, old })
    }

    fn refused(&self, why: Denied) -> ApplyError {
        ApplyError::Denied { path: self.path.clone(), why }
    }
}

impl Ready<'_> {
    fn put_in_place(&self) -> Result<(), ApplyError> {
        let Place { dir, name } = &self.place;
        let changed = || ApplyError::Changed(self.path.clone());
        let replaced = match &self.old {
            None => rename_new(dir, &self.temporary, dir, name).map(|()| true),
            Some((old, before)) => {
                replace(dir, &self.temporary, name, |name| old.is_at(dir, name, before))
            }
        };
        match replaced {
            Ok(true) => Ok(()),
            Ok(false) => Err(changed()),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::AlreadyExists => ApplyError::Exists(self.path.clone()),
                io::ErrorKind::NotFound => changed(),
                _ => refused(self.path, error),
            }),
        }
    }

    /// Removes the old file; whether nothing is left behind.
    fn clean_up(&self) -> bool {
        self.old.is_none() || tree::remove(&self.place.dir, &self.temporary).is_ok()
    }
}

impl Old {
    /// Whether the file of a name is this one, as it was.
    fn is_at(&self, dir: &Dir, name: &str, content: &Content) -> io::Result<bool> {
        match dir.symlink_metadata(name) {
            Ok(data) if identity(&data) != identity(&self.data) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            data => _ = data?,
        }
        if !self.is_fresh {
            return Ok(true);
        }
        let place = Place { dir: self.place.dir.clone(), name: name.to_owned() };
        let Ok((file, data)) = place.open() else { return Ok(false) };
        Ok(holds(&file, &data, content).unwrap_or(false))
    }
}

/// The clocks of file systems tick at most this slowly.
const TICK: Duration = Duration::from_secs(2);

fn is_fresh(data: &Metadata) -> bool {
    let modified = data.modified().map(cap_std::time::SystemTime::into_std);
    let age = modified.ok().and_then(|modified| SystemTime::now().duration_since(modified).ok());
    age.is_none_or(|age| age < TICK)
}

/// Makes the new files durable.
fn sync_all(files: &[Ready<'_>]) -> Result<(), ApplyError> {
    let all: Vec<_> = files.iter().map(|it| durable::Written::New(&it.file)).collect();
    let refused = |(file, synced): (&Ready<'_>, io::Result<()>)| {
        synced.map_err(|error| refused(file.path, error))
    };
    files.iter().zip(durable::each(&all)).try_for_each(refused)
}

fn refused(path: &FilePath, error: io::Error) -> ApplyError {
    ApplyError::Denied { path: path.clone(), why: denied(error) }
}
