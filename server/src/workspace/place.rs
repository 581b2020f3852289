//! One entry of a directory by handle: nothing here follows a link, so nothing leads out.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, DirEntry, File, Metadata, OpenOptions};
use operator_core::fingerprint::Fingerprint;
use operator_core::path::FilePath;
use operator_core::snapshot::Denied;
use operator_core::text::Content;

use super::Workspace;
use super::resolve::denied;
use super::windows::Naming;

/// A name in a directory that is open; the name is `.` for a root itself.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) dir: Arc<Dir>,
    pub(super) name: String,
}

/// Directories that were reached before, by their paths.
#[derive(Default)]
pub(super) struct Directories(HashMap<FilePath, Arc<Dir>>);

impl Workspace {
    /// The place of a resolved path, reached from its root without following a link.
    pub(super) fn place(&self, path: &FilePath) -> Result<Place, Denied> {
        self.place_among(&mut Directories::default(), path)
    }

    /// The same for reading alone: nobody is kept from what is read.
    pub(super) fn place_to_read(&self, path: &FilePath) -> Result<Place, Denied> {
        self.reach(&mut Directories::default(), path, Purpose::Read)
    }

    /// The place of a resolved path, by way of the directories that were reached before.
    pub(super) fn place_among(
        &self,
        known: &mut Directories,
        path: &FilePath,
    ) -> Result<Place, Denied> {
        self.reach(known, path, Purpose::Change)
    }

    fn reach(
        &self,
        known: &mut Directories,
        path: &FilePath,
        purpose: Purpose,
    ) -> Result<Place, Denied> {
        self.guard(path)?;
        let root = &self.root(path.root)?.dir;
        if path.path.split('/').any(|name| matches!(name, "." | "..")) {
            return Err(Denied::Outside);
        }
        if let Some(why) = path.path.split('/').find_map(|name| Naming::HERE.refusal(name)) {
            return Err(Denied::Io(why));
        }
        let (parent, name) = match path.path.rsplit_once('/') {
            Some((parent, name)) => (parent, name),
            None if path.path.is_empty() => ("", "."),
            None => ("", &*path.path),
        };
        let dir = match known.0.entry(FilePath::new(path.root, parent)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => {
                new.insert(descend(root, parent, purpose).map_err(denied)?.into()).clone()
            }
        };
        Ok(Place { dir, name: name.to_owned() })
    }

    /// The handle of a directory by its resolved path, for reading files in it.
    pub(super) fn directory(&self, path: &FilePath) -> Result<Dir, Denied> {
        self.guard(path)?;
        descend(&self.root(path.root)?.dir, &path.path, Purpose::Read).map_err(denied)
    }

    /// What is in a directory, which is held no longer than it takes to list it, see `Purpose`.
    pub(super) fn entries(&self, path: &FilePath) -> Result<Vec<DirEntry>, Denied> {
        self.guard(path)?;
        let dir = descend(&self.root(path.root)?.dir, &path.path, Purpose::Change);
        dir.and_then(|dir| dir.entries()?.collect()).map_err(denied)
    }
}

/// What a directory is opened for.
///
/// What is read goes by the handle. To list a directory and to change names in it goes by its path
/// on Windows, so that nobody may move or delete it meanwhile: a link could be in its place then.
#[derive(Clone, Copy)]
enum Purpose {
    Read,
    Change,
}

/// The directory `path` below `dir`, one name at a time.
fn descend(dir: &Dir, path: &str, purpose: Purpose) -> io::Result<Dir> {
    let mut at = dir.try_clone()?;
    for name in path.split('/').filter(|name| !name.is_empty()) {
        at = match purpose {
            Purpose::Read => open_shared(&at, name)?,
            Purpose::Change => at.open_dir_nofollow(name)?,
        };
    }
    Ok(at)
}

/// A directory that others may move and delete meanwhile. It is opened like a file, since `Dir`
/// does not permit that on Windows.
#[cfg(windows)]
fn open_shared(dir: &Dir, name: &str) -> io::Result<Dir> {
    use cap_std::fs::OpenOptionsExt;
    // Without this flag, Windows opens files alone.
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    let file = dir.open_with(name, &options)?;
    match file.metadata()?.is_dir() {
        true => Ok(Dir::from_std_file(file.into_std())),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

#[cfg(not(windows))]
fn open_shared(dir: &Dir, name: &str) -> io::Result<Dir> {
    dir.open_dir_nofollow(name)
}

impl Place {
    /// What is there; a link is a link.
    pub(super) fn metadata(&self) -> io::Result<Option<Metadata>> {
        if self.name == "." {
            return self.dir.dir_metadata().map(Some);
        }
        match self.dir.symlink_metadata(&self.name) {
            Ok(data) => Ok(Some(data)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The regular file there, open for reading.
    pub(super) fn open(&self) -> Result<(File, Metadata), Denied> {
        if self.name == "." {
            return Err(Denied::NotAFile);
        }
        open_file(&self.dir, OsStr::new(&self.name))
    }

    /// The same, but waits until an empty file has content or was changed at least `JUST_NOW` ago: most
    /// programs empty a file before they write it.
    pub(super) fn open_written(&self) -> Result<(File, Metadata), Denied> {
        for _ in 0..MOST_LOOKS {
            let (file, data) = self.open()?;
            if !was_emptied_just_now(&data) {
                return Ok((file, data));
            }
            thread::sleep(JUST_NOW / MOST_LOOKS);
        }
        self.open()
    }

    /// The file's bytes, unless there are more than `limit`.
    pub(super) fn read(&self, limit: usize) -> Result<Vec<u8>, Denied> {
        let (file, data) = self.open_written()?;
        read_up_to(&file, &data, limit)
    }
}

/// How long it takes at most, mostly, until a program that has emptied a file writes it.
const JUST_NOW: Duration = Duration::from_millis(50);

/// How often an empty file is looked at in that time.
const MOST_LOOKS: u32 = 10;

fn was_emptied_just_now(data: &Metadata) -> bool {
    let modified = data.modified().ok().filter(|_| data.len() == 0);
    let age = modified.and_then(|time| time.into_std().elapsed().ok());
    age.is_some_and(|age| age < JUST_NOW)
}

/// The bytes of an open file, unless there are more than `limit`.
pub(super) fn read_up_to(file: &File, data: &Metadata, limit: usize) -> Result<Vec<u8>, Denied> {
    let too_large = |size| Denied::TooLarge { size, limit };
    if data.len() > limit as u64 {
        return Err(too_large(data.len()));
    }
    let bytes = read_all(file, data.len() as usize, limit).map_err(denied)?;
    match bytes.len() {
        size if size > limit => Err(too_large(size as u64)),
        _ => Ok(bytes),
    }
}

/// The bytes of a file of about `size` bytes, and no more of them than shows that there are more
/// than `limit`.
fn read_all(mut file: &File, size: usize, limit: usize) -> io::Result<Vec<u8>> {
    // In one piece, with room for a byte that shows whether it has grown.
    let mut bytes = vec![0; size + 1];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    if filled > size {
        file.take((limit + 1).saturating_sub(filled) as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// So much of a file is compared at a time.
const PIECE: usize = 128 << 10;

/// Whether an open file holds exactly a content. It is compared piece by piece: all of it at once
/// would take new memory as large as the file, which costs more than the reading.
pub(super) fn holds(mut file: &File, data: &Metadata, content: &Content) -> io::Result<bool> {
    if data.len() != content.len() as u64 {
        return Ok(false);
    }
    let mut buffer = vec![0; PIECE.min(content.len() + 1)];
    let mut expected = content.parts();
    loop {
        let count = match file.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count?,
        };
        if count == 0 {
            return Ok(expected.iter().all(|part| part.is_empty()));
        }
        let mut piece = &buffer[..count];
        for part in &mut expected {
            let (own, rest) = part.split_at(part.len().min(piece.len()));
            let Some(after) = piece.strip_prefix(own) else { return Ok(false) };
            (*part, piece) = (rest, after);
        }
        if !piece.is_empty() {
            return Ok(false);
        }
    }
}

/// Opens a regular file for reading. A pipe or a device that took its name meanwhile is not
/// waited for.
pub(super) fn open_file(dir: &Dir, name: &OsStr) -> Result<(File, Metadata), Denied> {
    if !dir.symlink_metadata(name).map_err(denied)?.is_file() {
        return Err(Denied::NotAFile);
    }
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let file = dir.open_with(name, &options).map_err(denied)?;
    let data = file.metadata().map_err(denied)?;
    if data.is_file() { Ok((file, data)) } else { Err(Denied::NotAFile) }
}

/// The fingerprint of a regular file; `None` where something else is there, or nothing.
pub(super) fn fingerprint(dir: &Dir, name: impl AsRef<Path>) -> io::Result<Option<Fingerprint>> {
    let name = name.as_ref();
    match dir.symlink_metadata(name) {
        Ok(data) if !data.is_file() => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        data => _ = data?,
    }
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let mut file = dir.open_with(name, &options)?;
    match file.metadata()?.is_file() {
        true => Fingerprint::of_reader(&mut file).map(Some),
        false => Ok(None),
    }
}
