//! Paths with their links followed, in the form that people write.

use std::io;
use std::path::{Path, PathBuf};

use super::windows;

/// The path with its links followed: the one place that asks the system, whose answer begins with
/// `\\?\` on Windows. No editor takes such a path, and it compares with no other one.
///
/// # Errors
/// What the system says where nothing is there, or it cannot be looked at.
#[expect(clippy::disallowed_methods, reason = "this is the one place")]
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let real = path.canonicalize()?;
    let plain = real.to_str().filter(|_| cfg!(windows)).and_then(windows::plain);
    Ok(plain.map_or(real, PathBuf::from))
}

/// The path with its links followed, or as it is where that fails.
pub fn real_or_same(path: &Path) -> PathBuf {
    real_path(path).unwrap_or_else(|_| path.to_owned())
}

/// The path with the links in the part of it that exists followed, so that it compares with real
/// paths.
pub fn real_beginning(path: &Path) -> PathBuf {
    let real = path.ancestors().find_map(|parent| Some((parent, real_path(parent).ok()?)));
    let joined = real.and_then(|(parent, real)| Some(real.join(path.strip_prefix(parent).ok()?)));
    joined.unwrap_or_else(|| path.to_owned())
}
