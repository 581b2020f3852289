//! Files that appear whole or not at all: written beside the target, synced, renamed over it.

use std::io::{self, Write};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

/// How the names of temporary files begin; nothing else is ever taken for a leftover.
pub(super) const PREFIX: &str = ".operator-lsp-";

/// Writes a temporary file of some pieces, not yet synced, with the permissions and the owner of `like`, or
/// with those of a new file.
pub(super) fn write_temporary(
    dir: &Dir,
    name: &str,
    parts: &[&[u8]],
    like: Option<&Metadata>,
) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).follow(FollowSymlinks::No);
    if like.is_some() {
        keep_private(&mut options);
    }
    let mut file = dir.open_with(name, &options)?;
    parts.iter().filter(|part| !part.is_empty()).try_for_each(|part| file.write_all(part))?;
    if let Some(like) = like {
        take_after(&file, like)?;
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

/// Gives `file` the permissions of another, and its owner where the system lets us.
pub(super) fn take_after(file: &File, like: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        // Before the permissions, because a change of owner clears the set-user bit.
        let _ = std::os::unix::fs::fchown(file, Some(like.uid()), Some(like.gid()));
    }
    file.set_permissions(like.permissions())
}

/// Renames, and never replaces what stands at the new name.
pub(super) fn rename_new(from: &Dir, name: &str, to: &Dir, new_name: &str) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(from, name, to, new_name, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            result => return Ok(result?),
        }
    }
    // Not every file system knows such a rename.
    match to.symlink_metadata(new_name) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => from.rename(name, to, new_name),
        Err(error) => Err(error),
    }
}

/// Makes a directory's names durable, where the system can.
pub(super) fn sync_directory(dir: &Dir) {
    // The handle itself may be good for paths alone.
    if let Ok(dir) = dir.open(".") {
        // A file system that cannot sync a directory orders renames by itself.
        let _ = dir.sync_all();
    }
}
