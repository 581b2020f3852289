//! The file system as the core's snapshot trait: sandbox, open buffers, atomic writes, undo, git.

mod any_path;
mod apply;
mod attributes;
mod disk;
mod durable;
mod environment;
mod errors;
mod exec;
pub mod git;
mod journal;
mod names;
mod options;
mod place;
mod protect;
mod real;
mod replace;
mod resolve;
mod tree;
mod trees;
mod view;
mod walk;
mod windows;

#[cfg(test)]
pub(crate) mod tests;

pub use any_path::AnyPath;
pub use environment::Environment;
pub use errors::{
    ApplyError, Changer, JournalError, Left, LeftChange, RedoError, Since, UndoError,
};
pub use exec::{ExecLimits, run as exec, run_until as exec_until};
pub use journal::{
    History, LastLoaded, LedgerEnd, Logged, Made, Reading, Reversal, Transaction, UndoAction,
    Undone, Unsaved,
};
pub use options::{DEFAULT_PROTECTED, OpenError, WorkspaceOptions};
pub use real::{real_or_same, real_path};
pub use view::{OpenDocument, OpenDocuments, View};
pub use windows::with_slashes;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use operator_core::limits::Limits;
use operator_core::path::FilePath;
use operator_core::snapshot::Denied;
use operator_core::snapshot::Surroundings;

use protect::Protection;

/// The folders that blocks may act on, as handles that no path leads out of.
///
/// A clone is cheap and means the same folders.
#[derive(Debug, Clone)]
pub struct Workspace {
    inner: Arc<Inner>,
    /// What there is around the transcript that it is looked at for.
    surroundings: Arc<Surroundings>,
    /// Where undo journals go, if the environment names a place.
    state: Option<Arc<Path>>,
}

#[derive(Debug)]
struct Inner {
    /// The workspace's folders first, then those beside them, then the other roots that absolute
    /// paths may lead to.
    roots: Vec<Root>,
    paths: Vec<PathBuf>,
    /// The paths as blocks write them.
    homes: Vec<Option<String>>,
    /// How many of them are the workspace's own.
    own: usize,
    /// How many of them an editor shows: these and those beside them.
    folders: usize,
    protection: Protection,
    limits: Limits,
    /// How much the user wants kept; `None` where this program is not told.
    history: Option<History>,
    trees: trees::Trees,
    /// The ledger as it was read last.
    last_read: journal::LastRead,
    /// What the records of its journal end with.
    ends: Arc<journal::Ends>,
    /// What this program tells others that its editor has not saved.
    unsaved: Arc<journal::Unsaved>,
    /// What they tell.
    of_others: journal::OfOthers,
}

#[derive(Debug)]
struct Root {
    dir: Dir,
    folds_case: bool,
}

impl Workspace {
    /// Opens the folders, their symlinks followed, in this order. Without any, every path is
    /// [`Denied::NoWorkspace`].
    ///
    /// # Errors
    /// A folder that is not there or cannot be opened, or a pattern that is not a glob.
    pub fn open(roots: &[PathBuf], options: WorkspaceOptions) -> Result<Workspace, OpenError> {
        let mut inner = Inner {
            roots: Vec::new(),
            paths: Vec::new(),
            homes: Vec::new(),
            own: 0,
            folders: 0,
            protection: Protection::new(&options.protected)?,
            limits: options.limits,
            history: options.history,
            trees: trees::Trees::default(),
            last_read: journal::LastRead::default(),
            ends: Arc::default(),
            unsaved: options.unsaved.clone(),
            of_others: journal::OfOthers::default(),
        };
        roots.iter().try_for_each(|root| inner.add(root))?;
        inner.own = inner.paths.len();
        options.beside.iter().try_for_each(|root| inner.add(root))?;
        inner.folders = inner.paths.len();
        options.allowed_roots.iter().try_for_each(|root| inner.add(root))?;
        let state = journal::state_directory().map(Arc::from);
        Ok(Workspace { inner: Arc::new(inner), surroundings: Arc::default(), state })
    }

    /// The workspace's folders, for which its ledger and journal are kept; `FilePath::root` is an
    /// index into them. Other roots have the indices after these.
    pub fn roots(&self) -> &[PathBuf] {
        &self.inner.paths[..self.inner.own]
    }

    /// The workspace's folders, and those that an editor shows beside them.
    pub fn folders(&self) -> &[PathBuf] {
        &self.inner.paths[..self.inner.folders]
    }

    /// The absolute path of the folder that paths are looked up in, the first one, with `/` between
    /// names on every system; `None` where there is none, or its name is not UTF-8.
    pub fn home(&self) -> Option<&str> {
        self.inner.homes[..self.inner.own].first()?.as_deref()
    }

    /// Where a file is for the rest of the system.
    pub fn absolute(&self, path: &FilePath) -> PathBuf {
        let root = self.inner.paths.get(path.root).cloned().unwrap_or_default();
        path.path.split('/').filter(|name| !name.is_empty()).fold(root, |at, name| at.join(name))
    }

    /// The path of a file by its absolute path, whether or not it exists yet; `None` outside the
    /// workspace and the allowed roots. A protected file has one, too.
    pub fn locate(&self, absolute: &Path) -> Option<FilePath> {
        resolve::locate(self, absolute)
    }

    /// Where an absolute path as a block writes it leads. Relative ones are
    /// [`Denied::Outside`]: what they are relative to is not this workspace's to guess.
    ///
    /// # Errors
    /// As `Snapshot::resolve`.
    pub fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        resolve::resolve_absolute(self, path)
    }

    /// Whether a `.gitignore` file excludes a file or directory.
    pub fn ignores(&self, path: &FilePath, directory: bool) -> bool {
        walk::is_ignored(self, path, directory)
    }

    /// The same workspace for a transcript with these surroundings.
    pub fn with_surroundings(&self, surroundings: Arc<Surroundings>) -> Workspace {
        Workspace { surroundings, ..self.clone() }
    }

    /// The same workspace with its undo journals below `directory` instead of where the
    /// environment says.
    pub fn with_state_directory(&self, directory: PathBuf) -> Workspace {
        Workspace { state: Some(real::real_beginning(&directory).into()), ..self.clone() }
    }

    /// The disk with open buffers before it.
    pub fn view(&self, open: OpenDocuments) -> View {
        View::new(self.clone(), open)
    }

    /// The limits that it was opened with.
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    fn root(&self, index: usize) -> Result<&Root, Denied> {
        self.inner.roots.get(index).ok_or(Denied::NoWorkspace)
    }

    /// Refuses a protected path.
    fn guard(&self, path: &FilePath) -> Result<(), Denied> {
        let absolute = self.absolute(path);
        if self.state.as_deref().is_some_and(|state| absolute.starts_with(state)) {
            return Err(Denied::Protected("the undo journal".to_owned()));
        }
        match self.inner.protection.pattern(path, &absolute) {
            Some(pattern) => Err(Denied::Protected(pattern.to_owned())),
            None => Ok(()),
        }
    }
}

impl Inner {
    fn add(&mut self, root: &Path) -> Result<(), OpenError> {
        let refused = |source| OpenError::Root { path: root.to_owned(), source };
        let path = real_path(root).map_err(refused)?;
        if self.paths.contains(&path) {
            return Ok(());
        }
        let dir = Dir::open_ambient_dir(&path, ambient_authority()).map_err(refused)?;
        let folds_case = resolve::folds_case(&dir);
        self.roots.push(Root { dir, folds_case });
        self.homes.push(path.to_str().map(|path| windows::with_slashes(path).into_owned()));
        self.paths.push(path);
        Ok(())
    }
}
