//! Opens the journal's files: never a link, and never a pipe, which would need to be waited for.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("a file of the journal is not a regular file")),
    }
}
