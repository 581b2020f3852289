//! One entry of a directory by handle: nothing here follows a link, so nothing leads out.

use std::ffi::OsStr;
use std::io::{self, Read};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use operator_core::snapshot::{Denied, FilePath};

use super::Workspace;
use super::resolve::denied;

/// A name in a directory that is open; the name is `.` for a root itself.
pub(super) struct Place {
    pub(super) dir: Dir,
    pub(super) name: String,
}

impl Workspace {
    /// The place of a resolved path, reached from its root without following a link.
    pub(super) fn place(&self, path: &FilePath) -> Result<Place, Denied> {
        self.guard(path)?;
        let root = &self.root(path.root)?.dir;
        if path.path.split('/').any(|name| matches!(name, "." | "..")) {
            return Err(Denied::Outside);
        }
        let (parent, name) = match path.path.rsplit_once('/') {
            Some((parent, name)) => (parent, name),
            None if path.path.is_empty() => ("", "."),
            None => ("", path.path.as_str()),
        };
        let dir = descend(root, parent).map_err(denied)?;
        Ok(Place { dir, name: name.to_owned() })
    }

    /// The handle of a directory by its resolved path.
    pub(super) fn directory(&self, path: &FilePath) -> Result<Dir, Denied> {
        self.guard(path)?;
        descend(&self.root(path.root)?.dir, &path.path).map_err(denied)
    }
}

/// The directory `path` below `dir`, one name at a time.
pub(super) fn descend(dir: &Dir, path: &str) -> io::Result<Dir> {
    let mut at = dir.try_clone()?;
    for name in path.split('/').filter(|name| !name.is_empty()) {
        at = at.open_dir_nofollow(name)?;
    }
    Ok(at)
}

impl Place {
    /// What stands there; a link is a link.
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

    /// The file's bytes, unless there are more than `limit`.
    pub(super) fn read(&self, limit: usize) -> Result<(Vec<u8>, Metadata), Denied> {
        let (file, data) = self.open()?;
        let too_large = |size| Denied::TooLarge { size, limit };
        if data.len() > limit as u64 {
            return Err(too_large(data.len()));
        }
        let mut bytes = Vec::with_capacity(data.len() as usize);
        file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(denied)?;
        match bytes.len() {
            size if size > limit => Err(too_large(size as u64)),
            _ => Ok((bytes, data)),
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
