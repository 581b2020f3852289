//! Where the journals of a workspace are, and the lock that keeps two runs apart.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;

use super::bounds::{Bounds, History};
use super::ends::{Ends, Size};
use super::log::{End, Log};
use super::record::Record;
use super::regular;
use crate::workspace::Workspace;
use crate::workspace::errors::JournalError;
use crate::workspace::names;
use crate::workspace::real::real_beginning;
use crate::workspace::replace::sync_directory;
use crate::workspace::windows::Naming;

const LOCK: &str = "lock";
/// Has git leave the folder alone.
const IGNORE: &str = ".gitignore";
/// How long another run is waited for; one that asks a person may have the lock for minutes.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
/// How long it takes until it is tried again, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);
/// A folder that is being removed; a number no longer, so it is not a transaction any more.
const GONE: &str = "gone-";
/// A folder of which the rest is not to be undone any more.
const ASIDE: &str = "skipped-";

/// How the names of what a transaction has deleted begin.
pub(in crate::workspace) const REMOVED: &str = "removed-";
/// A file with the size of what a transaction has deleted.
const SIZE: &str = "size";

/// The journals of one workspace, locked but where they are only read.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    pub(super) bounds: Bounds,
    ends: Arc<Ends>,
    /// Held, not used.
    _lock: Option<Lock>,
}

/// The lock of a store, which ends with this value.
///
/// It is released and not only closed: a process that another thread starts has a copy of the
/// handle until it runs its program, and the lock would last as long as that copy.
#[derive(Debug)]
pub(super) struct Lock(pub(super) File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Where releasing fails, closing the handle does it.
        let _ = self.0.unlock();
    }
}

/// Where journals are, as the environment says.
pub(in crate::workspace) fn state_directory() -> Option<PathBuf> {
    state_among(Naming::HERE, &|name| env::var_os(name)).map(|directory| real_beginning(&directory))
}

/// Where journals are, as these variables say. On Windows `HOME` is there only where a shell from
/// Unix has set it, so that it would be another place in each terminal.
fn state_among(system: Naming, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let local = || absolute("LOCALAPPDATA");
    absolute("OPERATOR_LSP_STATE_DIR").or_else(|| {
        local()
            .filter(|_| system == Naming::Windows)
            .or_else(|| absolute("XDG_STATE_HOME"))
            .or_else(|| absolute("HOME").map(|home| home.join(".local").join("state")))
            .or_else(local)
            .map(|state| state.join("operator-lsp"))
    })
}

impl Store {
    /// Locks them; waits a while for another run, since most have them for some milliseconds.
    pub(super) fn wait(workspace: &Workspace) -> Result<Store, JournalError> {
        let (start, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            match Store::lock(workspace) {
                Err(JournalError::Locked) if start.elapsed() < LOCK_TIMEOUT => {
                    thread::sleep(pause);
                    pause = LONGEST_PAUSE.min(2 * pause);
                }
                result => return result,
            }
        }
    }

    /// Locks them, unless another run has them.
    pub(super) fn lock(workspace: &Workspace) -> Result<Store, JournalError> {
        let state = workspace.state.as_deref().ok_or(JournalError::NoPlace)?;
        let path = state.join(key(workspace.roots()));
        let failed = |source| JournalError::Io { path: path.clone(), source };
        create_private(&path).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let lock = regular::open(&path.join(LOCK), &mut options).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {
                let bounds = Bounds::agreed(&path, workspace.inner.history);
                Ok(Store { bounds, ..Store::at(path, workspace, Some(Lock(lock))) })
            }
            Err(TryLockError::WouldBlock) => Err(JournalError::Locked),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// The journals as they are, while others may change them; `None` where there are none.
    pub(super) fn look(workspace: &Workspace) -> Option<Store> {
        let path = workspace.state.as_deref()?.join(key(workspace.roots()));
        path.is_dir().then(|| Store::at(path, workspace, None))
    }

    fn at(path: PathBuf, workspace: &Workspace, lock: Option<Lock>) -> Store {
        let ends = workspace.inner.ends.clone();
        Store { path, bounds: Bounds::of(History::default()), ends, _lock: lock }
    }

    /// The same, or why it cannot be told whether there are any.
    pub(super) fn look_or_fail(workspace: &Workspace) -> Result<Option<Store>, JournalError> {
        let store = Store::look(workspace);
        let Some(state) = workspace.state.as_deref().filter(|_| store.is_none()) else {
            return Ok(store);
        };
        let path = state.join(key(workspace.roots()));
        match std::fs::metadata(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(JournalError::Io { path, source })
            }
            _ => Ok(store),
        }
    }

    /// The folder that has all of it.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The transactions' numbers, the newest last.
    pub(super) fn transactions(&self) -> Result<Vec<u64>, JournalError> {
        let mut numbers: Vec<u64> =
            self.names()?.iter().filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The same, each with what its record ends with, if that settles it.
    pub(super) fn ends(&self) -> Result<Vec<(u64, Option<End>)>, JournalError> {
        let numbers = self.transactions()?.into_iter();
        Ok(numbers.map(|number| (number, self.end(number))).collect())
    }

    pub(super) fn open(&self, number: u64) -> Result<(Log, Record), JournalError> {
        Log::open(self.folder(number))
    }

    /// What the record of a transaction says, without a hand on it.
    pub(super) fn read(&self, number: u64) -> Result<Record, JournalError> {
        Log::read(&self.folder(number))
    }

    /// What the record of a transaction ends with, if that settles it.
    pub(super) fn end(&self, number: u64) -> Option<End> {
        self.ends.end(number, &self.folder(number))
    }

    /// Whether a transaction is kept.
    pub(super) fn has(&self, number: u64) -> bool {
        self.folder(number).is_dir()
    }

    /// The record of a new transaction with this number. What is too old goes, unless `is_head`
    /// says that the transaction of a number made the last change of some file.
    pub(super) fn create(
        &self,
        number: u64,
        workspace: &Workspace,
        is_head: &dyn Fn(u64) -> bool,
    ) -> Result<Log, JournalError> {
        let log = Log::create(self.folder(number), workspace)?;
        self.prune(number, is_head)?;
        Ok(log)
    }

    /// Forgets a transaction, all at once.
    pub(super) fn remove(&self, log: Log) -> Result<(), JournalError> {
        self.forget(&log.close())
    }

    /// Keeps a transaction where undo does not look for it, and tells where.
    pub(super) fn set_aside(&self, log: Log) -> Result<PathBuf, JournalError> {
        let path = log.close();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let free = |number: &u32| !self.path.join(format!("{ASIDE}{name}-{number}")).exists();
        let number = (0..).find(free).unwrap_or_default();
        let aside = self.path.join(format!("{ASIDE}{name}-{number}"));
        fs::rename(&path, &aside).map_err(|source| JournalError::Io { path, source })?;
        Ok(aside)
    }

    /// Forgets the oldest transactions; never the one that is begun.
    fn prune(&self, begun: u64, is_head: &dyn Fn(u64) -> bool) -> Result<(), JournalError> {
        let Bounds { operations, bytes, most_bytes, age, aside: most_aside, .. } = self.bounds;
        let numbers = self.transactions()?;
        self.ends.keep(&numbers);
        let sized = numbers.into_iter().map(|number| (number, self.size(number)));
        let mut kept: Vec<(u64, Size)> = sized.collect();
        let mut size: u64 = kept.iter().map(|(_, own)| own.bytes).sum();
        let mut number = kept.len();
        let mut gone = Vec::new();
        kept.retain(|(it, own)| {
            let is_over = || number > operations || size > bytes || own.age > age;
            let goes = *it != begun && is_over() && !is_head(*it);
            if goes {
                (number, size) = (number - 1, size - own.bytes);
                gone.push(*it);
            }
            !goes
        });
        for (it, own) in kept.iter().filter(|(it, _)| *it != begun) {
            if size > most_bytes {
                size -= own.bytes;
                gone.push(*it);
            }
        }
        let mut aside = self.names()?;
        aside.retain(|name| name.starts_with(ASIDE));
        aside.sort_unstable();
        let aside = aside.iter().rev().skip(most_aside).map(|name| self.path.join(name));
        let gone = gone.into_iter().map(|number| self.folder(number));
        gone.chain(aside).try_for_each(|folder| self.forget(&folder))
    }

    /// How many bytes the old contents of a transaction have, and the age of its record.
    fn size(&self, number: u64) -> Size {
        let folder = self.folder(number);
        self.ends.size(number, &folder, || {
            let removed = fs::read_to_string(folder.join(SIZE)).ok();
            let removed = removed.and_then(|size| size.trim().parse::<u64>().ok()).unwrap_or(0);
            removed + Log::size(&folder)
        })
    }

    /// Takes note of the size of what a transaction has deleted, so that nobody must walk
    /// through that again.
    pub(super) fn note_size(&self, log: &Log) {
        let size = removed_size(log.path());
        // Without it the bounds are kept a little later.
        let _ = fs::write(log.path().join(SIZE), size.to_string());
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
        folder(&self.path, number)
    }

    fn names(&self) -> Result<Vec<String>, JournalError> {
        let failed = |source| JournalError::Io { path: self.path.clone(), source };
        let names = names::of(&self.path).map_err(failed)?;
        Ok(names.into_iter().filter_map(|name| name.into_string().ok()).collect())
    }
}

/// Where a transaction is among the journals.
pub(super) fn folder(journals: &Path, number: u64) -> PathBuf {
    journals.join(format!("{number:08}"))
}

/// How many bytes the files below a folder have, the folder's own ones left out. After many
/// files it is a lower bound.
fn removed_size(folder: &Path) -> u64 {
    const MOST: usize = 100_000;
    let names = |path: &Path| names::of(path).unwrap_or_default().into_iter();
    let is_own = |name: &str| !name.starts_with(REMOVED);
    let first = names(folder).filter(|name| !is_own(&name.to_string_lossy()));
    let mut ahead: Vec<PathBuf> = first.map(|name| folder.join(name)).collect();
    let (mut size, mut seen) = (0, 0);
    while let Some(path) = ahead.pop().filter(|_| seen < MOST) {
        seen += 1;
        match path.symlink_metadata() {
            Ok(data) if data.is_dir() => ahead.extend(names(&path).map(|name| path.join(name))),
            Ok(data) => size += data.len(),
            Err(_) => {}
        }
    }
    size
}

/// The name of a workspace's folder: the digest of its folders' paths.
fn key(roots: &[PathBuf]) -> String {
    let parts: Vec<&[u8]> = roots
        .iter()
        .flat_map(|root| [root.as_os_str().as_encoded_bytes(), b"\0".as_slice()])
        .collect();
    Fingerprint::of_parts(&parts).to_string().replace("sha256:", "")
}

/// Makes the folder of a workspace's journals. Old contents of private files go here, so nobody else
/// may look.
fn create_private(path: &Path) -> io::Result<()> {
    if path.join(LOCK).exists() && path.join(IGNORE).exists() {
        return Ok(());
    }
    let made = path.ancestors().take_while(|folder| !folder.is_dir());
    let parents = made.chain([path]).filter_map(Path::parent).collect::<BTreeSet<&Path>>();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    // In a work tree of git it is nothing to commit, or to put into a stash.
    fs::write(path.join(IGNORE), "*\n")?;
    // Without its own name, all that is in a folder is lost. Once the lock is there, the names are
    // durable.
    parents.into_iter().try_for_each(sync)
}

pub(super) fn sync(path: &Path) -> io::Result<()> {
    sync_directory(&Dir::open_ambient_dir(path, ambient_authority())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_the_handle_does_not_keep_the_lock() {
        let directory = tempfile::tempdir().unwrap();
        let open = || File::create(directory.path().join(LOCK)).unwrap();
        let file = open();
        file.try_lock().unwrap();
        let copy = file.try_clone().unwrap();
        let lock = Lock(file);
        assert!(open().try_lock().is_err(), "locked");
        drop(lock);
        open().try_lock().unwrap();
        drop(copy);
    }

    #[test]
    fn where_journals_are() {
        let root = if cfg!(windows) { "C:/" } else { "/" };
        let check = |system: Naming, variables: &[(&str, &str)], expected: Option<&str>| {
            let variable = |name: &str| {
                let (_, value) = variables.iter().find(|(own, _)| *own == name)?;
                Some(OsString::from(value.replace('/', root)))
            };
            let expected = expected.map(|path| PathBuf::from(path.replacen('/', root, 1)));
            assert_eq!(state_among(system, &variable), expected, "{system:?} {variables:?}");
        };
        let (home, xdg) = (("HOME", "/home"), ("XDG_STATE_HOME", "/xdg"));
        let (local, own) = (("LOCALAPPDATA", "/local"), ("OPERATOR_LSP_STATE_DIR", "/own"));
        check(Naming::Unix, &[home], Some("/home/.local/state/operator-lsp"));
        check(Naming::Unix, &[local, home, xdg], Some("/xdg/operator-lsp"));
        check(Naming::Windows, &[home, xdg, local], Some("/local/operator-lsp"));
        check(Naming::Windows, &[home, xdg], Some("/xdg/operator-lsp"));
        for system in [Naming::Unix, Naming::Windows] {
            check(system, &[local, home, own], Some("/own"));
            check(system, &[local], Some("/local/operator-lsp"));
            check(system, &[("HOME", "relative")], None);
        }
    }
}
