//! The names in a directory.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// The names of what is in a directory, those left out that cannot be read.
///
/// The standard library's own iterator panics where the system fails to close the directory.
pub(super) fn of(path: &Path) -> io::Result<Vec<OsString>> {
    let entries = Dir::open_ambient_dir(path, ambient_authority())?.entries()?;
    Ok(entries.flatten().map(|entry| entry.file_name()).collect())
}
