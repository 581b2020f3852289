//! The workspace as a plan sees it: a trait, so that the core opens no file itself.

mod by_name;
mod layer;
mod memory;
mod remembered;
mod staged;
mod surroundings;
mod through;
mod virtual_files;

pub use layer::Layer;
pub use memory::MemorySnapshot;
pub use remembered::Remembered;
pub use staged::Staged;
pub use surroundings::{Answers, Given, Surroundings};
pub use through::{PathStyle, Through};
pub use virtual_files::{CursorContext, FileId};

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::SystemTime;

use crate::outline::Parsed;
use crate::path::{FilePath, Kind, State};
use crate::problem::*;
use crate::syntax::{Language, Unparsed};
use crate::text::Content;

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name alone.
    pub name: String,
    /// Whether it is a directory.
    pub directory: bool,
}

/// What is known of a file or directory besides its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Details {
    /// Its size in bytes; 0 for a directory.
    pub size: u64,
    /// When it was last changed, where that is known.
    pub modified: Option<SystemTime>,
    /// How many hard links a change of it would part from one another; 1 where it parts none.
    pub links: u64,
}

/// Why the workspace does not let a plan have something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// Nothing is there.
    #[error("nothing is there")]
    NotFound,
    /// It is not a regular file.
    #[error("it is not a regular file")]
    NotAFile,
    /// It is not a directory.
    #[error("it is not a directory")]
    NotADirectory,
    /// It is not inside the workspace, once symlinks and `..` are followed.
    #[error("it is outside the workspace")]
    Outside,
    /// A protected path; the pattern that protects it.
    #[error("it is protected by the pattern `{0}`")]
    Protected(String),
    /// The system refuses.
    #[error("the system does not allow it")]
    Permission,
    /// The file is marked read-only.
    #[error("it is read-only")]
    ReadOnly,
    /// The bytes are not UTF-8; the offset of the first that is not.
    #[error("it is not UTF-8, from byte {0} on")]
    NotUtf8(usize),
    /// The file is larger than the limit.
    #[error("it has {size} bytes, more than the limit of {limit}")]
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// More files than one command may touch.
    #[error("it has more than {limit} files")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// There is no workspace: an untitled transcript and no folder.
    #[error("there is no workspace")]
    NoWorkspace,
    /// The client's copy of the open document is out of step.
    #[error("the editor's copy of it is out of step")]
    Unsynced,
    /// An editor has changes of it that are not saved.
    #[error("an editor has not saved it")]
    Unsaved,
    /// The editor still shows what was there before another program changed it.
    #[error("another program has changed it, and the editor has not reloaded it")]
    NotReloaded,
    /// Anything else that the system says.
    #[error("{0}")]
    Io(String),
}

impl Denied {
    /// The problem of a plan that this is.
    pub fn code(&self) -> Code {
        match self {
            Denied::NotFound => PLAN_FILE_NOT_FOUND,
            Denied::NotAFile => PLAN_NOT_A_FILE,
            Denied::NotADirectory => PLAN_NOT_A_DIRECTORY,
            Denied::Outside => PLAN_OUTSIDE_WORKSPACE,
            Denied::Protected(_) => PLAN_PROTECTED_PATH,
            Denied::Permission | Denied::ReadOnly => PLAN_PERMISSION_DENIED,
            Denied::NotUtf8(_) => PLAN_NOT_UTF8,
            Denied::TooLarge { .. } => PLAN_FILE_TOO_LARGE,
            Denied::TooMany { .. } => PLAN_TOO_MANY_FILES,
            Denied::NoWorkspace => PLAN_NO_WORKSPACE,
            Denied::Unsynced => PLAN_UNSYNCED,
            Denied::Unsaved => PLAN_UNSAVED,
            Denied::NotReloaded => PLAN_NOT_RELOADED,
            Denied::Io(_) => PLAN_IO,
        }
    }
}

/// A workspace that does not change while a plan looks at it.
///
/// What only is before another snapshot is a [`Layer`].
///
/// Open buffers are before the disk. Every path but `resolve`'s argument is a resolved one.
pub trait Snapshot: Sync {
    /// Where a path as a block writes it leads: separators made `/`, leading `/` and `./` dropped,
    /// `..` and symlinks followed, whether or not the last names exist yet.
    ///
    /// # Errors
    /// [`Denied::Outside`], [`Denied::Protected`], [`Denied::NoWorkspace`], [`Denied::Permission`].
    fn resolve(&self, path: &str) -> Result<FilePath, Denied>;

    /// Where a path leads that begins at the system's root; `..` and symlinks followed.
    ///
    /// # Errors
    /// [`Denied::Outside`] for one that does not lead into the workspace, and those of `resolve`.
    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied>;

    /// The name of the folder that paths are looked up in; `None` where there is none or it has
    /// no name.
    fn name(&self) -> Option<String> {
        None
    }

    /// What kind of thing is there.
    ///
    /// # Errors
    /// Whatever keeps the workspace from looking; nothing there is `Ok(None)`.
    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied>;

    /// A file's content.
    ///
    /// # Errors
    /// [`Denied::NotFound`], [`Denied::NotAFile`], [`Denied::NotUtf8`], [`Denied::TooLarge`], …
    fn read(&self, path: &FilePath) -> Result<Content, Denied>;

    /// A file's content, UTF-8 or another encoding in which ASCII is ASCII, see
    /// [`Content::of_any_bytes`]. An editor opens a file as UTF-8, so that only what writes the bytes
    /// itself answers more than [`Snapshot::read`] does.
    ///
    /// # Errors
    /// As those of [`Snapshot::read`].
    fn read_any(&self, path: &FilePath) -> Result<Content, Denied> {
        self.read(path)
    }

    /// What is there, with the fingerprint of a file's bytes, UTF-8 or not. A file that is too
    /// large to be read is [`State::Large`].
    ///
    /// # Errors
    /// Whatever keeps the workspace from looking; nothing there is [`State::Missing`].
    fn state(&self, path: &FilePath) -> Result<State, Denied>;

    /// Whether an editor shows the file that is there.
    fn is_open(&self, _: &FilePath) -> bool {
        false
    }

    /// Whether the file that is there may be given another content. Where none is, it may.
    ///
    /// # Errors
    /// [`Denied::ReadOnly`], and whatever keeps the workspace from looking.
    fn writable(&self, path: &FilePath) -> Result<(), Denied>;

    /// The names in a directory, sorted.
    ///
    /// # Errors
    /// [`Denied::NotFound`], [`Denied::NotADirectory`], …
    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied>;

    /// Every file below a directory, sorted by path; symlinks are not followed.
    ///
    /// With `ignored` false, what `.gitignore` excludes and hidden files are left out, as a search
    /// wants it, and so is what [`Snapshot::unread`] names.
    ///
    /// # Errors
    /// [`Denied::TooMany`] beyond `limit` files, and whatever keeps the workspace from looking.
    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied>;

    /// What [`Snapshot::files`] with `ignored` passes over below a directory, and why: directories
    /// that cannot be read, and files whose names are not UTF-8.
    fn unread(&self, path: &FilePath, ignored: bool) -> Vec<(FilePath, Denied)> {
        let _ = (path, ignored);
        Vec::new()
    }

    /// The files of a workspace folder that have this name, sorted by path, without those that a
    /// search leaves out.
    ///
    /// # Errors
    /// As those of [`Snapshot::files`]; the limit counts files of any name.
    fn named(&self, root: usize, name: &str, limit: usize) -> Result<Vec<FilePath>, Denied> {
        let mut files = self.files(&FilePath::new(root, ""), false, limit)?;
        files.retain(|file| file.name() == name);
        Ok(files)
    }

    /// Size, time and hard links of a file or directory. By itself a snapshot knows only the size.
    ///
    /// # Errors
    /// [`Denied::NotFound`], and whatever keeps the workspace from looking.
    fn details(&self, path: &FilePath) -> Result<Details, Denied> {
        let size = match self.kind(path)?.ok_or(Denied::NotFound)? {
            Kind::File => self.read(path)?.len() as u64,
            Kind::Directory => 0,
        };
        Ok(Details { size, modified: None, links: 1 })
    }

    /// The files of the transcript's working set, as the blocks wrote them; `None` where it is not
    /// known what the blocks before have put there.
    fn working_set(&self) -> Option<BTreeSet<String>> {
        None
    }

    /// The line that now has what was at a line of a file when a block that states its number was
    /// written, both counted from 1; `None` where that is not known.
    fn line_now(&self, _: &FilePath, line: usize) -> Option<usize> {
        Some(line)
    }

    /// What there is around the transcript that is looked at.
    fn surroundings(&self) -> Arc<Surroundings> {
        Arc::default()
    }

    /// The structures of a file with this content. A workspace that has them already gives those,
    /// and sets a time limit; by itself a snapshot parses afresh and with patience.
    ///
    /// # Errors
    /// [`Unparsed`] where the text is too much for the grammar or takes too long.
    fn parsed(
        &self,
        path: &FilePath,
        language: &'static Language,
        content: Content,
    ) -> Result<Arc<Parsed>, Unparsed> {
        let _ = path;
        Parsed::new(language, content, &mut || ControlFlow::Continue(())).map(Arc::new)
    }

    /// What the parse of a text of so many bytes asks now and then whether to go on, where the
    /// text is not a file's. A workspace sets a time limit.
    fn patience(&self, bytes: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
        let _ = bytes;
        Box::new(|| ControlFlow::Continue(()))
    }
}
