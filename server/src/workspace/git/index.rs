//! The index as it was, so that a commit that fails leaves nothing staged that was not.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::{GitCode, GitError, Repository};

/// The index as it was; put back when dropped, unless it is let go.
pub(super) struct Kept {
    index: PathBuf,
    /// The copy; `None` where there was no index.
    copy: Option<PathBuf>,
    wanted: bool,
}

impl Kept {
    /// Keeps the index as it is.
    pub(super) fn new(repository: &Repository) -> Result<Kept, GitError> {
        let index = repository.folder.join("index");
        // One that a run left which was killed is overwritten.
        let copy = repository.folder.join("operator-lsp-index");
        let cannot = |error: io::Error| {
            let message = format!("cannot keep a copy of {}: {error}", index.display());
            GitError::new(GitCode::Failed, message)
        };
        let copy = match fs::copy(&index, &copy) {
            Ok(_) => {
                // Git trusts its index about files that are older than it.
                let time = fs::metadata(&index).and_then(|data| data.modified()).map_err(cannot)?;
                let file = fs::File::options().write(true).open(&copy).map_err(cannot)?;
                file.set_modified(time).map_err(cannot)?;
                Some(copy)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(cannot(error)),
        };
        Ok(Kept { index, copy, wanted: true })
    }

    /// The index stays as it is by now.
    pub(super) fn let_go(mut self) {
        self.wanted = false;
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Where this fails the files are merely staged, and git says so itself.
        let _ = match (&self.copy, self.wanted) {
            (Some(copy), true) => fs::rename(copy, &self.index),
            (Some(copy), false) => fs::remove_file(copy),
            (None, true) => fs::remove_file(&self.index),
            (None, false) => Ok(()),
        };
    }
}
