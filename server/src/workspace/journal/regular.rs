//! Opens the journal's files: never a link, and never a pipe, which would need to be waited for.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

/// Opens a regular file.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    open_and_look(path, options).map(|(file, _)| file)
}

/// Opens a regular file, and tells what the system says of it.
pub(super) fn open_and_look(
    path: &Path,
    options: &mut OpenOptions,
) -> io::Result<(File, Metadata)> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() {
        true => Ok((file, metadata)),
        false => Err(io::Error::other("a file of the journal is not a regular file")),
    }
}

/// Opens a regular file that is added to, and makes it where there is none. [`cut`] goes to its end.
///
/// Not one that the system itself appends to: Windows lets nobody shorten a file by such a handle.
pub(super) fn open_to_add(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))
}

/// Cuts off what a write that failed left after the first `length` bytes, and goes to the end.
pub(super) fn cut(mut file: &File, length: u64) -> io::Result<()> {
    if file.metadata()?.len() > length {
        file.set_len(length)?;
    }
    file.seek(SeekFrom::End(0)).map(drop)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn what_is_added_follows_what_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let add = |kept: u64, text: &str| {
            let mut file = open_to_add(&path).unwrap();
            let mut before = String::new();
            file.read_to_string(&mut before).unwrap();
            file.rewind().unwrap();
            cut(&file, kept).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            before
        };
        assert_eq!(add(0, "one two"), "");
        assert_eq!(add(4, "three"), "one two");
        // A file that somebody else has shortened gets no hole.
        assert_eq!(add(100, "!"), "one three");
        assert_eq!(add(0, ""), "one three!");
    }
}
