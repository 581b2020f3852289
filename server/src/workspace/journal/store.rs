//! Where the journals of a workspace are, and the lock that keeps two runs apart.

use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;

use super::log::Log;
use super::record::Record;
use super::regular;
use crate::workspace::Workspace;
use crate::workspace::errors::JournalError;
use crate::workspace::replace::sync_directory;

/// How many transactions can be taken back.
const KEPT: usize = 20;
const LOCK: &str = "lock";
/// A folder that is being removed; a number no longer, so it is no transaction any more.
const GONE: &str = "gone-";
/// A folder of which the rest is not to be undone any more.
const ASIDE: &str = "skipped-";

/// The journals of one workspace, locked.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    /// Held, not used: the lock goes with the handle.
    _lock: File,
}

/// Where journals are, as the environment says.
pub(in crate::workspace) fn state_directory() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let directory = absolute("OPERATOR_LSP_STATE_DIR").or_else(|| {
        let state = absolute("XDG_STATE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local").join("state")))
            .or_else(|| absolute("LOCALAPPDATA"));
        state.map(|state| state.join("operator-lsp"))
    });
    directory.map(|directory| real_path(&directory))
}

/// The path with the symlinks in the part of it that exists followed, so that it compares with
/// the workspace's paths.
pub(in crate::workspace) fn real_path(path: &Path) -> PathBuf {
    let real = path.ancestors().find_map(|parent| Some((parent, parent.canonicalize().ok()?)));
    let joined = real.and_then(|(parent, real)| Some(real.join(path.strip_prefix(parent).ok()?)));
    joined.unwrap_or_else(|| path.to_owned())
}

impl Store {
    pub(super) fn lock(workspace: &Workspace) -> Result<Store, JournalError> {
        let state = workspace.state.as_deref().ok_or(JournalError::NoPlace)?;
        let path = state.join(key(workspace.roots()));
        let failed = |source| JournalError::Io { path: path.clone(), source };
        create_private(&path).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let lock = regular::open(&path.join(LOCK), &mut options).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Store { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(JournalError::Locked),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// The transactions' numbers, the newest last.
    pub(super) fn transactions(&self) -> Result<Vec<u64>, JournalError> {
        let mut numbers: Vec<u64> =
            self.names()?.iter().filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    pub(super) fn open(&self, number: u64) -> Result<(Log, Record), JournalError> {
        Log::open(self.folder(number))
    }

    /// Whether nothing is left to be done about a transaction, told without reading all of it.
    pub(super) fn is_settled(&self, number: u64) -> bool {
        Log::ends_settled(&self.folder(number)).unwrap_or(false)
    }

    /// The record of a new transaction.
    pub(super) fn create(&self, workspace: &Workspace) -> Result<Log, JournalError> {
        let number = self.transactions()?.last().map_or(1, |last| last + 1);
        let log = Log::create(self.folder(number), workspace)?;
        let failed = |source| JournalError::Io { path: self.path.clone(), source };
        sync(&self.path).map_err(failed)?;
        self.prune()?;
        Ok(log)
    }

    /// Forgets a transaction, all at once.
    pub(super) fn remove(&self, log: &Log) -> Result<(), JournalError> {
        self.forget(log.path())
    }

    /// Keeps a transaction where undo does not look for it, and tells where.
    pub(super) fn set_aside(&self, log: &Log) -> Result<PathBuf, JournalError> {
        let name = log.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let free = |number: &u32| !self.path.join(format!("{ASIDE}{name}-{number}")).exists();
        let number = (0..).find(free).unwrap_or_default();
        let aside = self.path.join(format!("{ASIDE}{name}-{number}"));
        fs::rename(log.path(), &aside)
            .map_err(|source| JournalError::Io { path: log.path().clone(), source })?;
        Ok(aside)
    }

    /// Forgets the oldest transactions.
    fn prune(&self) -> Result<(), JournalError> {
        let numbers = self.transactions()?;
        let old = numbers.iter().rev().skip(KEPT).map(|number| self.folder(*number));
        let mut aside = self.names()?;
        aside.retain(|name| name.starts_with(ASIDE));
        aside.sort_unstable();
        let aside = aside.iter().rev().skip(KEPT).map(|name| self.path.join(name));
        old.chain(aside).try_for_each(|folder| self.forget(&folder))
    }

    /// Finishes removals that were cut short.
    pub(super) fn finish_removals(&self) -> Result<(), JournalError> {
        for name in self.names()?.iter().filter(|name| name.starts_with(GONE)) {
            // The next run tries again.
            let _ = fs::remove_dir_all(self.path.join(name));
        }
        Ok(())
    }

    fn forget(&self, folder: &Path) -> Result<(), JournalError> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let gone = self.path.join(format!("{GONE}{name}-{}", std::process::id()));
        fs::rename(folder, &gone)
            .map_err(|source| JournalError::Io { path: folder.to_owned(), source })?;
        // Until the names are durable it may come back as it was, and be forgotten again.
        let _ = sync(&self.path);
        let _ = fs::remove_dir_all(gone);
        Ok(())
    }

    fn folder(&self, number: u64) -> PathBuf {
        self.path.join(format!("{number:08}"))
    }

    fn names(&self) -> Result<Vec<String>, JournalError> {
        let failed = |source| JournalError::Io { path: self.path.clone(), source };
        let entries = fs::read_dir(&self.path).map_err(failed)?;
        Ok(entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }
}

/// The name of a workspace's folder: the digest of its folders' paths.
fn key(roots: &[PathBuf]) -> String {
    let parts: Vec<&[u8]> = roots
        .iter()
        .flat_map(|root| [root.as_os_str().as_encoded_bytes(), b"\0".as_slice()])
        .collect();
    Fingerprint::of_parts(&parts).to_string().replace("sha256:", "")
}

/// Old contents of private files go here, so nobody else may look.
fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn sync(path: &Path) -> io::Result<()> {
    sync_directory(&Dir::open_ambient_dir(path, ambient_authority())?)
}
