//! Whole files and directories: copied between file systems, removed, looked through.

use std::ffi::OsStr;
use std::io;

use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;
use operator_core::path::FilePath;
use operator_core::snapshot::Denied;

use super::Workspace;
use super::attributes::{Attributes, Keep};
use super::place::{fingerprint, open_file};
use super::replace::{sync_directory, write_temporary};
use super::resolve::denied;

/// Of so many bytes in a directory the contents are compared.
const MOST_DIGESTED: u64 = 16 << 20;

/// The name of what is kept in the journal while it is copied there: under its own name it is
/// always what was removed and is not back yet.
pub(super) fn copy_name(saved: &str) -> String {
    format!("{saved}.copy")
}

/// The name of what is kept in the journal once it is copied back.
pub(super) fn back_name(saved: &str) -> String {
    format!("{saved}.back")
}

/// Copies a file, link or directory with its permissions, synced; what cannot be copied whole
/// is an error.
pub(super) fn copy(from: &Dir, name: &OsStr, to: &Dir, new_name: &OsStr) -> io::Result<()> {
    let data = from.symlink_metadata(name)?;
    if data.is_symlink() {
        copy_link(from, name, to, new_name)
    } else if data.is_dir() {
        let source = cap_fs_ext::DirExt::open_dir_nofollow(from, name)?;
        let attributes = Attributes::of_directory(&source)?;
        to.create_dir(new_name)?;
        let target = cap_fs_ext::DirExt::open_dir_nofollow(to, new_name)?;
        for entry in source.entries()? {
            let name = entry?.file_name();
            copy(&source, &name, &target, &name)?;
        }
        attributes.give_directory(&target)?;
        sync_directory(&target)
    } else {
        copy_file(from, name, to, new_name)
    }
}

fn copy_file(from: &Dir, name: &OsStr, to: &Dir, new_name: &OsStr) -> io::Result<()> {
    let unfit = || io::Error::other("a pipe, socket or device cannot be kept for undo");
    let (mut source, data) = open_file(from, name).map_err(|why| match why {
        Denied::NotAFile => unfit(),
        Denied::Permission | Denied::ReadOnly => io::ErrorKind::PermissionDenied.into(),
        other => io::Error::other(format!("{other:?}")),
    })?;
    let new_name = new_name.to_str().unwrap_or_default();
    let attributes = Attributes::of(&source)?;
    let mut target = write_temporary(to, new_name, &[], None)?;
    io::copy(&mut source, &mut target)?;
    // Last, because a write drops what lets a program run with more rights.
    attributes.give(&target, Keep::All)?;
    let target = target.into_std();
    target.set_modified(data.modified()?.into_std())?;
    target.sync_all()
}

#[cfg(unix)]
fn copy_link(from: &Dir, name: &OsStr, to: &Dir, new_name: &OsStr) -> io::Result<()> {
    to.symlink_contents(from.read_link_contents(name)?, new_name)
}

#[cfg(not(unix))]
fn copy_link(_: &Dir, _: &OsStr, _: &Dir, _: &OsStr) -> io::Result<()> {
    Err(io::Error::other("a symbolic link cannot be kept for undo here"))
}

/// Whether two files, links or directories have the same content.
pub(super) fn is_same(from: &Dir, name: &OsStr, to: &Dir, other: &OsStr) -> io::Result<bool> {
    let (one, two) = (from.symlink_metadata(name)?, to.symlink_metadata(other)?);
    if one.file_type() != two.file_type() {
        return Ok(false);
    }
    if one.is_symlink() {
        return Ok(from.read_link_contents(name)? == to.read_link_contents(other)?);
    }
    if !one.is_dir() {
        let print = |dir: &Dir, name: &OsStr| fingerprint(dir, name);
        return Ok(one.len() == two.len() && print(from, name)? == print(to, other)?);
    }
    let from = cap_fs_ext::DirExt::open_dir_nofollow(from, name)?;
    let to = cap_fs_ext::DirExt::open_dir_nofollow(to, other)?;
    let (mut count, mut same) = (0, true);
    for entry in from.entries()? {
        let name = entry?.file_name();
        count += 1;
        same = same && is_same(&from, &name, &to, &name)?;
    }
    Ok(same && to.entries()?.count() == count)
}

/// A digest of what is in a directory: names, kinds, and the contents of the first files of so many
/// bytes; of others, and of those that may not be read, sizes and times.
///
/// # Errors
/// A file or directory could not be read, twice: a digest without its content would be another one.
pub(super) fn digest(dir: &Dir, name: &str) -> io::Result<Fingerprint> {
    // A read that fails once must not change the digest.
    let print = |at: &Dir, name: &OsStr| fingerprint(at, name).or_else(|_| fingerprint(at, name));
    let mut lines = Vec::new();
    let mut bytes = MOST_DIGESTED;
    let mut ahead = vec![(cap_fs_ext::DirExt::open_dir_nofollow(dir, name)?, String::new())];
    while let Some((at, path)) = ahead.pop() {
        let names: io::Result<Vec<_>> = at.entries()?.map(|it| Ok(it?.file_name())).collect();
        let mut names = names?;
        names.sort_unstable();
        for name in names {
            let data = at.symlink_metadata(&name)?;
            let path = format!("{path}/{}", name.to_string_lossy());
            let left = bytes.checked_sub(data.len()).filter(|_| data.is_file());
            // What was undone and made again has another time.
            let content = match left.map(|_| print(&at, &name)) {
                // Whoever may not read it now will not later.
                Some(Err(error)) if error.kind() == io::ErrorKind::PermissionDenied => None,
                content => content.transpose()?.flatten(),
            };
            let what = match content {
                // The time of a directory changes with what is in it for a moment.
                _ if data.is_dir() => "directory".to_owned(),
                Some(content) => content.to_string(),
                None => format!("{:?} {:?}", data.len(), data.modified().ok()),
            };
            bytes = left.unwrap_or(bytes);
            lines.push(format!("{path}\0{what}\0"));
            if data.is_dir() {
                ahead.push((cap_fs_ext::DirExt::open_dir_nofollow(&at, &name)?, path));
            }
        }
    }
    Ok(Fingerprint::of(lines.concat().as_bytes()))
}

/// Removes a file, link or directory with all that is in it; nothing there is fine.
pub(super) fn remove(dir: &Dir, name: &str) -> io::Result<()> {
    let removed = match dir.symlink_metadata(name) {
        Ok(data) if data.is_dir() => dir.remove_dir_all(name),
        Ok(_) => dir.remove_file(name),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Refuses to take along what is protected, or another folder of the workspace.
pub(super) fn guard(workspace: &Workspace, path: &FilePath) -> Result<(), Denied> {
    let absolute = workspace.absolute(path);
    if workspace.inner.paths.iter().any(|root| root.starts_with(&absolute)) {
        return Err(Denied::Protected("a folder of the workspace".into()));
    }
    let mut ahead = vec![path.clone()];
    while let Some(path) = ahead.pop() {
        workspace.guard(&path)?;
        if workspace.directory(&path).is_err() {
            continue;
        }
        for entry in workspace.entries(&path)? {
            let child = path.join(&entry.file_name().to_string_lossy());
            workspace.guard(&child)?;
            if entry.file_type().map_err(denied)?.is_dir() {
                ahead.push(child);
            }
        }
    }
    Ok(())
}
