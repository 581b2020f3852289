//! Files that appear whole or not at all: written beside the target, synced, put in its place.

use std::io::{self, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use cap_fs_ext::{FollowSymlinks, MetadataExt, OpenOptionsFollowExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::attributes::{Attributes, Keep};
use super::windows::Naming;

/// How the names of temporary files begin; nothing else is ever taken for a leftover.
pub(super) const PREFIX: &str = ".operator-lsp-";

/// How often something is tried again that another program keeps off, and how long after.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// A name for a temporary file or directory that no other run uses, wherever it runs.
pub(super) fn temporary_name() -> String {
    static RUN: LazyLock<u64> = LazyLock::new(|| {
        use std::hash::{BuildHasher, RandomState};
        RandomState::new().hash_one(std::process::id())
    });
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("{PREFIX}{:016x}-{}", *RUN, NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Writes a temporary file of some pieces, not yet synced, with the attributes of another file or
/// with those of a new one.
pub(super) fn write_temporary(
    dir: &Dir,
    name: &str,
    parts: &[&[u8]],
    like: Option<(&Attributes, Keep)>,
) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).follow(FollowSymlinks::No);
    if like.is_some() {
        keep_private(&mut options);
    }
    let mut file = dir.open_with(name, &options)?;
    parts.iter().filter(|part| !part.is_empty()).try_for_each(|part| file.write_all(part))?;
    if let Some((like, keep)) = like {
        like.give(&file, keep)?;
    }
    Ok(file)
}

/// Until it has its own permissions nobody else may look into the copy of a private file.
fn keep_private(options: &mut OpenOptions) {
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Puts the file `new` in place of `name`, if that is the file that is expected there; whether it
/// is in place. What was there has the name `new` then, or none.
///
/// Where the system can, the two are exchanged and what came out is looked at, so that what
/// somebody else has written in the last moment is not lost.
pub(super) fn replace(
    dir: &Dir,
    new: &str,
    name: &str,
    expected: impl Fn(&str) -> io::Result<bool>,
) -> io::Result<bool> {
    if !expected(name)? {
        return Ok(false);
    }
    let ours = dir.symlink_metadata(new).map(|data| identity(&data))?;
    if !exchange(dir, new, name)? {
        rename(dir, new, dir, name)?;
        return Ok(true);
    }
    if expected(new)? {
        return Ok(true);
    }
    exchange(dir, new, name)?;
    if dir.symlink_metadata(new).map(|data| identity(&data))? != ours {
        // Somebody has put another file in place of the new one: the latest counts.
        exchange(dir, new, name)?;
    }
    Ok(false)
}

/// What differs once somebody else has written or replaced a file.
pub(super) fn identity(data: &Metadata) -> (u64, u64, u64, Option<cap_std::time::SystemTime>) {
    (data.dev(), data.ino(), data.len(), data.modified().ok())
}

/// Exchanges two names of a directory at once; `false` where the file system cannot.
pub(super) fn exchange(dir: &Dir, one: &str, other: &str) -> io::Result<bool> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(dir, one, dir, other, RenameFlags::EXCHANGE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
            result => Ok(result.map(|()| true)?),
        }
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        let _ = (dir, one, other);
        Ok(false)
    }
}

/// Renames, and never replaces what is at the new name.
pub(super) fn rename_new(from: &Dir, name: &str, to: &Dir, new_name: &str) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(from, name, to, new_name, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            // It does not change the case of a name.
            Err(Errno::EXIST) if is_one(from, name, to, new_name) => {}
            result => return Ok(result?),
        }
    }
    // Not every file system knows such a rename.
    match to.symlink_metadata(new_name) {
        Ok(_) if is_one(from, name, to, new_name) => rename(from, name, to, new_name),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => rename(from, name, to, new_name),
        Err(error) => Err(error),
    }
}

fn rename(from: &Dir, name: &str, to: &Dir, new_name: &str) -> io::Result<()> {
    patiently(Naming::HERE, || from.rename(name, to, new_name))
}

/// Tries again for half a second where Windows says that a file is in use: a virus scanner, an
/// index or an editor may look at it for a moment.
pub(super) fn patiently<T>(
    naming: Naming,
    mut action: impl FnMut() -> io::Result<T>,
) -> io::Result<T> {
    for _ in 0..TRIES {
        match action() {
            Err(error) if naming.is_in_use(error.raw_os_error()) => thread::sleep(PAUSE),
            result => return result,
        }
    }
    action()
}

/// Whether two names are those of one entry, since the file system folds case.
fn is_one(from: &Dir, name: &str, to: &Dir, new_name: &str) -> bool {
    let entry = |dir: &Dir, name: &str| {
        dir.symlink_metadata(name).map(|data| (data.dev(), data.ino())).ok()
    };
    let is_listed = || match to.entries() {
        Ok(mut entries) => entries.any(|it| it.is_ok_and(|it| it.file_name() == *new_name)),
        Err(_) => true,
    };
    let is_alike = name != new_name && name.to_lowercase() == new_name.to_lowercase();
    is_alike && entry(from, name) == entry(to, new_name) && !is_listed()
}

/// Makes a directory's names durable, where the system can.
pub(super) fn sync_directory(dir: &Dir) -> io::Result<()> {
    // The handle itself may be good for paths alone.
    let synced = dir.open(".").and_then(|dir| dir.sync_all());
    match synced {
        Err(error) if cannot_sync(&error) => Ok(()),
        synced => synced,
    }
}

/// Whether the system has no way to sync this directory: its file system orders renames by
/// itself, or it may be written to and not read.
fn cannot_sync(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    cfg!(not(unix)) || matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a rename comes to that fails so many times with this code, and how often it was tried.
    fn tried(naming: Naming, code: i32, failures: usize) -> (bool, usize) {
        let mut tries = 0;
        let result = patiently(naming, || {
            tries += 1;
            if tries > failures { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) }
        });
        (result.is_ok(), tries)
    }

    #[test]
    fn what_another_program_keeps_off_for_a_moment_is_tried_again() {
        const DENIED: i32 = 5;
        const SHARING: i32 = 32;
        const NOT_FOUND: i32 = 2;
        assert_eq!(tried(Naming::Windows, SHARING, 2), (true, 3));
        assert_eq!(tried(Naming::Windows, DENIED, 1), (true, 2));
        assert_eq!(tried(Naming::Windows, DENIED, usize::MAX), (false, TRIES + 1));
        assert_eq!(tried(Naming::Windows, NOT_FOUND, 1), (false, 1));
        assert_eq!(tried(Naming::Unix, SHARING, 1), (false, 1));
    }
}
