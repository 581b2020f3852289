//! What a change deletes, kept in memory until the journal has it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use cap_std::fs::{Dir, File};
use operator_core::fingerprint::Fingerprint;
use operator_core::path::{FilePath, Kind, State};
use operator_core::snapshot::{Denied, Snapshot};

use crate::workspace::Workspace;
use crate::workspace::attributes::{Attributes, Keep};
use crate::workspace::place::Place;
use crate::workspace::replace::{sync_directory, write_temporary};

/// A file, a link, or a directory with all that is in it.
#[derive(Debug, Clone)]
pub(super) enum Taken {
    File { bytes: Arc<[u8]>, attributes: Option<Attributes>, modified: Option<SystemTime> },
    Link(PathBuf),
    Directory { attributes: Option<Attributes>, entries: Vec<(String, Taken)> },
}

/// Reads what is at a path before it is deleted.
pub(super) struct Taking<'a> {
    pub(super) workspace: &'a Workspace,
    /// What is there: open buffers, and what the changes before leave.
    pub(super) now: &'a dyn Snapshot,
    /// The renames before: a file of the disk still has its first path.
    pub(super) renames: &'a [(FilePath, FilePath)],
    /// How many more bytes, and how many more entries, are read at most.
    pub(super) bytes: u64,
    pub(super) entries: usize,
}

impl Taking<'_> {
    /// What is at a path; `None` where it cannot be kept whole.
    pub(super) fn take(&mut self, path: &FilePath) -> Option<Taken> {
        self.entries = self.entries.checked_sub(1)?;
        let place = self.workspace.place_to_read(&self.on_disk(path)).ok();
        match self.now.kind(path) {
            Ok(Some(Kind::File)) => self.file(path, place.as_ref()),
            Ok(Some(Kind::Directory)) => {
                let directory = place.as_ref().and_then(|at| {
                    cap_fs_ext::DirExt::open_dir_nofollow(&*at.dir, Path::new(&at.name)).ok()
                });
                let attributes = directory.and_then(|it| Attributes::of_directory(&it).ok());
                let names = self.now.list(path).ok()?.into_iter().map(|entry| entry.name);
                let entry = |name: String| Some((name.clone(), self.take(&path.join(&name))?));
                let entries = names.map(entry).collect::<Option<_>>()?;
                Some(Taken::Directory { attributes, entries })
            }
            Ok(None) => None,
            Err(Denied::NotAFile) => {
                let Place { dir, name } = place?;
                Some(Taken::Link(dir.read_link_contents(name).ok()?))
            }
            Err(_) => None,
        }
    }

    /// The path that it has on the disk.
    fn on_disk(&self, path: &FilePath) -> FilePath {
        let renames = self.renames.iter().rev();
        renames.fold(path.clone(), |path, (from, to)| match path.is_within(to) {
            true => super::check::rebase(&path, to, from),
            false => path,
        })
    }

    /// The disk's bytes where they are what is there, so that they need not be text; otherwise
    /// the text that an editor shows.
    fn file(&mut self, path: &FilePath, place: Option<&Place>) -> Option<Taken> {
        let state = self.now.state(path).ok()?;
        let (mut attributes, mut modified, mut bytes) = (None, None, None);
        if let Some((file, data)) = place.and_then(|place| place.open().ok()) {
            attributes = Attributes::of(&file).ok();
            let read = self.read(file)?;
            let is_it = match state {
                State::File(fingerprint) => Fingerprint::of(&read) == fingerprint,
                State::Large { size, .. } => read.len() as u64 == size,
                State::Missing | State::Directory => false,
            };
            if is_it {
                modified = data.modified().ok().map(cap_std::time::SystemTime::into_std);
                bytes = Some(read);
            }
        }
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => self.now.read(path).ok()?.to_bytes(),
        };
        self.bytes = self.bytes.checked_sub(bytes.len() as u64)?;
        Some(Taken::File { bytes: bytes.into(), attributes, modified })
    }

    /// The bytes of a file; `None` where there are too many.
    fn read(&self, file: File) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        file.take(self.bytes + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= self.bytes).then_some(bytes)
    }
}

impl Taken {
    /// Writes it, synced, with the attributes that it had.
    pub(super) fn write(&self, dir: &Dir, name: &str) -> io::Result<()> {
        match self {
            Taken::File { bytes, attributes, modified } => {
                let like = attributes.as_ref().map(|it| (it, Keep::All));
                let file = write_temporary(dir, name, &[bytes], like)?.into_std();
                if let Some(modified) = modified {
                    file.set_modified(*modified)?;
                }
                file.sync_all()
            }
            Taken::Link(target) => link(target, dir, name),
            Taken::Directory { attributes, entries } => {
                dir.create_dir(name)?;
                let inside = cap_fs_ext::DirExt::open_dir_nofollow(dir, Path::new(name))?;
                entries.iter().try_for_each(|(name, entry)| entry.write(&inside, name))?;
                if let Some(attributes) = attributes {
                    attributes.give_directory(&inside)?;
                }
                sync_directory(&inside)
            }
        }
    }
}

#[cfg(unix)]
fn link(target: &Path, dir: &Dir, name: &str) -> io::Result<()> {
    dir.symlink_contents(target, name)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Dir, _: &str) -> io::Result<()> {
    Err(io::Error::other("a symbolic link cannot be kept for undo here"))
}
