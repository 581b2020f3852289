//! What an editor shows of files: which have changes of blocks that it has not saved, which whoever looks at the disk would
//! take for undone; and what it has loaded of each, by which the next server tells what is typed on what.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use operator_core::fingerprint::Fingerprint;
use operator_core::path::{FilePath, State};
use operator_core::snapshot::Denied;

use super::regular;
use super::store::{Lock, Store};
use crate::workspace::{Workspace, names};

/// Where the lists are in a store: one for each program that lives, as long as its lock is held, and
/// for each that has ended and whose editor had not saved all.
const FOLDER: &str = "unsaved";
const LOCK: &str = "lock";
const LIST: &str = "list";
/// How long it is kept what a program had not saved that has ended.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Of so many programs that have ended it is kept what their editors had loaded, where all was saved.
const MOST_ENDED: usize = 4;
/// A list that takes the other's place once it is whole.
const NEW: &str = "new";

/// The files that this program has told of, for each store.
#[derive(Debug, Default)]
pub struct Unsaved(Mutex<HashMap<PathBuf, Own>>);

/// What an editor has loaded of a file, or has saved there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastLoaded {
    /// The text.
    pub text: Fingerprint,
    /// What the last change of a block had led to then.
    pub led_to: Fingerprint,
}

/// What a program has told of the files that its editor shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Told {
    unsaved: BTreeSet<FilePath>,
    loaded: BTreeMap<FilePath, LastLoaded>,
}

/// What one program tells of a store.
#[derive(Debug)]
struct Own {
    /// The path of the lock and the list, without what tells them apart.
    path: PathBuf,
    told: Told,
    /// Those that the editor has then shown as they were on disk, with what that was, and neither saved
    /// nor closed since: it may show the changes again.
    undone: HashMap<FilePath, State>,
    /// Held, not used.
    _lock: Lock,
}

/// The files of others, by the lists that were read last.
#[derive(Debug, Default)]
pub struct OfOthers(Mutex<Arc<BTreeSet<FilePath>>>);

impl Unsaved {
    fn all(&self) -> MutexGuard<'_, HashMap<PathBuf, Own>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells others whether a file has changes that are not saved; what is on disk counts where they are not.
    fn tell(
        &self,
        store: &Path,
        file: &FilePath,
        is_unsaved: bool,
        on_disk: Option<State>,
    ) -> io::Result<()> {
        let mut all = self.all();
        let Some(own) = own(&mut all, store, is_unsaved)? else { return Ok(()) };
        let is_other = own.change(|told| match is_unsaved {
            true => _ = told.unsaved.insert(file.clone()),
            false => _ = told.unsaved.remove(file),
        })?;
        if is_other {
            match on_disk.filter(|_| !is_unsaved) {
                Some(state) => _ = own.undone.insert(file.clone(), state),
                None => _ = own.undone.remove(file),
            }
        }
        Ok(())
    }

    /// Tells the next program what the editor has loaded of a file.
    fn tell_loaded(
        &self,
        store: &Path,
        file: &FilePath,
        loaded: Option<LastLoaded>,
    ) -> io::Result<()> {
        let mut all = self.all();
        let Some(own) = own(&mut all, store, loaded.is_some())? else { return Ok(()) };
        own.change(|told| match loaded {
            Some(loaded) => _ = told.loaded.insert(file.clone(), loaded),
            None => _ = told.loaded.remove(file),
        })?;
        Ok(())
    }

    /// The files that others have told of and that are not saved.
    fn of_others(&self, store: &Path) -> io::Result<BTreeSet<FilePath>> {
        let own = self.all().get(store).map(|own| own.path.clone());
        let mut files = BTreeSet::new();
        for path in lists(store)? {
            if own.as_ref() != Some(&path) && is_held(&path)? {
                files.extend(Told::read(&path)?.unsaved);
            }
        }
        Ok(files)
    }
}

/// What this program tells of a store; it begins to where that is needed.
fn own<'a>(
    all: &'a mut HashMap<PathBuf, Own>,
    store: &Path,
    is_needed: bool,
) -> io::Result<Option<&'a mut Own>> {
    Ok(match all.entry(store.to_owned()) {
        Entry::Occupied(own) => Some(own.into_mut()),
        Entry::Vacant(_) if !is_needed => None,
        Entry::Vacant(place) => Some(place.insert(Own::new(&store.join(FOLDER))?)),
    })
}

/// The paths of the locks and lists of a store, without what tells them apart.
fn lists(store: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = store.join(FOLDER);
    let names = match names::of(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        names => names?,
    };
    let paths = names.iter().map(|name| folder.join(name));
    let locks = paths.filter(|path| path.extension().is_some_and(|it| it == LOCK));
    Ok(locks.map(|path| path.with_extension("")).collect())
}

impl Told {
    /// What a list says: a file that is not saved on each line, or one with what was loaded.
    fn read(path: &Path) -> io::Result<Told> {
        let mut list = String::new();
        match regular::open(&path.with_extension(LIST), OpenOptions::new().read(true)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            file => _ = file?.read_to_string(&mut list)?,
        }
        let mut told = Told::default();
        for line in list.lines() {
            if let Ok((root, path)) = serde_json::from_str::<(usize, Arc<str>)>(line) {
                told.unsaved.insert(FilePath { root, path });
            } else if let Ok((root, path, text, led_to)) =
                serde_json::from_str::<(usize, Arc<str>, Fingerprint, Fingerprint)>(line)
            {
                told.loaded.insert(FilePath { root, path }, LastLoaded { text, led_to });
            }
        }
        Ok(told)
    }

    /// Nothing of it needs to outlive the system, and so nothing is synced.
    fn write(&self, path: &Path) -> io::Result<()> {
        let unsaved =
            self.unsaved.iter().map(|file| serde_json::to_string(&(file.root, &file.path)));
        let loaded = self.loaded.iter().map(|(file, LastLoaded { text, led_to })| {
            serde_json::to_string(&(file.root, &file.path, text, led_to))
        });
        let lines: Vec<String> = unsaved.chain(loaded).collect::<Result<_, _>>()?;
        let new = path.with_extension(NEW);
        let mut options = OpenOptions::new();
        let mut list = regular::open(&new, options.write(true).create(true).truncate(true))?;
        list.write_all(lines.join("\n").as_bytes())?;
        fs::rename(new, path.with_extension(LIST))
    }

    fn is_empty(&self) -> bool {
        self.unsaved.is_empty() && self.loaded.is_empty()
    }
}

impl Own {
    fn new(folder: &Path) -> io::Result<Own> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(folder)?;
        let path = loop {
            let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{}-{number}", std::process::id()));
            // One with that number may have ended, and left its list.
            if !path.with_extension(LIST).exists() {
                break path;
            }
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let lock = regular::open(&path.with_extension(LOCK), &mut options)?;
        lock.try_lock().map_err(io::Error::from)?;
        Ok(Own { path, told: Told::default(), undone: HashMap::new(), _lock: Lock(lock) })
    }

    /// Changes what is told; whether it is something else then. What cannot be written is not told, and is
    /// tried again the next time.
    fn change(&mut self, change: impl FnOnce(&mut Told)) -> io::Result<bool> {
        let mut told = self.told.clone();
        change(&mut told);
        let is_other = told != self.told;
        if is_other {
            told.write(&self.path)?;
            self.told = told;
        }
        Ok(is_other)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // What is not saved by then, the editor may show again, or what was typed in what it had loaded.
        if self.told.is_empty() {
            remove(&self.path);
        }
    }
}

/// Whether the program lives that has the lock of this path.
fn is_held(path: &Path) -> io::Result<bool> {
    let lock = match regular::open(&path.with_extension(LOCK), OpenOptions::new().read(true)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        lock => lock?,
    };
    match lock.try_lock_shared() {
        Ok(()) => lock.unlock().map(|()| false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Removes a list and its lock; what stays is removed later.
fn remove(path: &Path) {
    for kind in [NEW, LIST, LOCK] {
        let _ = fs::remove_file(path.with_extension(kind));
    }
}

/// Removes the empty and the old lists of programs that live no more. They begin under the lock of the
/// store.
pub(super) fn sweep(store: &Store) {
    let paths = lists(store.path()).unwrap_or_default();
    let mut ended: Vec<_> = paths
        .into_iter()
        .filter(|path| is_held(path).is_ok_and(|it| !it))
        .map(|path| {
            (fs::metadata(path.with_extension(LIST)).and_then(|it| it.modified()).ok(), path)
        })
        .collect();
    ended.sort_unstable_by(|one, other| other.cmp(one));
    let mut saved = 0;
    for (modified, path) in ended {
        let Ok(told) = Told::read(&path) else { continue };
        saved += usize::from(told.unsaved.is_empty());
        let age = modified.and_then(|it| it.elapsed().ok());
        let is_old = age.is_some_and(|age| age > KEPT);
        if told.is_empty() || is_old || told.unsaved.is_empty() && saved > MOST_ENDED {
            remove(&path);
        }
    }
}

impl Workspace {
    /// Tells other programs whether the editor shows a file with changes of blocks that it has not
    /// saved. They neither read nor write such a file.
    pub fn tell_unsaved(&self, file: &FilePath, is_unsaved: bool) {
        let Some(store) = Store::look(self) else { return };
        // Reading may take long, and the main loop asks for what is known.
        let is_told = || self.told(store.path(), file).is_some_and(|(is_told, _)| is_told);
        let on_disk = (!is_unsaved && is_told()).then(|| self.state_on_disk(file).ok()).flatten();
        if let Err(error) = self.inner.unsaved.tell(store.path(), file, is_unsaved, on_disk) {
            tracing::warn!(%error, "other programs cannot be told of what is not saved");
        }
    }

    /// Whether others are told of a file, and what was on disk when the changes were undone.
    fn told(&self, store: &Path, file: &FilePath) -> Option<(bool, Option<State>)> {
        let all = self.inner.unsaved.all();
        let own = all.get(store)?;
        Some((own.told.unsaved.contains(file), own.undone.get(file).copied()))
    }

    /// Tells others of a file again that they were told of, where the editor shows another text of it;
    /// `is_over` where it was saved or closed. Where others have changed the file since the changes
    /// were undone, the editor shows what it has reloaded.
    pub fn tell_again(&self, file: &FilePath, is_over: bool, is_unsaved: impl FnOnce() -> bool) {
        let Some(store) = Store::look(self) else { return };
        let Some((is_told, undone)) = self.told(store.path(), file) else { return };
        let is_there = undone.is_some_and(|was| !is_over && self.state_on_disk(file) == Ok(was));
        if is_told || is_there {
            self.tell_unsaved(file, is_unsaved());
        }
        if is_over || !is_told && !is_there {
            let mut all = self.inner.unsaved.all();
            all.get_mut(store.path()).into_iter().for_each(|own| _ = own.undone.remove(file));
        }
    }

    /// Whether there is any file of which others were told, in whatever workspace.
    pub fn has_told_any_unsaved(&self) -> bool {
        let all = self.inner.unsaved.all();
        all.values().any(|own| !own.told.unsaved.is_empty() || !own.undone.is_empty())
    }

    /// Looks which files other programs have not saved; they are not read from then on.
    pub fn look_for_unsaved(&self) -> Arc<BTreeSet<FilePath>> {
        // Whoever looks at the same time and has seen less does not come last.
        let mut known = self.inner.of_others.0.lock().unwrap_or_else(PoisonError::into_inner);
        let files = Store::look(self).map(|store| self.inner.unsaved.of_others(store.path()));
        let files = files.unwrap_or_else(|| Ok(BTreeSet::new()));
        match files {
            Ok(files) if files == **known => {}
            Ok(files) => *known = Arc::new(files),
            Err(error) => tracing::warn!(%error, "what is not saved cannot be read"),
        }
        known.clone()
    }

    /// The files that editors had not saved when their servers ended. They may show them again.
    pub fn left_unsaved(&self) -> BTreeSet<FilePath> {
        self.left().into_iter().flat_map(|(_, told)| told.unsaved).collect()
    }

    /// What editors had loaded of a file last, where their servers have ended.
    pub fn left_loaded(&self, file: &FilePath) -> Vec<LastLoaded> {
        self.left().iter().filter_map(|(_, told)| told.loaded.get(file).copied()).collect()
    }

    /// What programs have told that have ended, each with the path of its list.
    fn left(&self) -> Vec<(PathBuf, Told)> {
        let Some(store) = Store::look(self) else { return Vec::new() };
        let lists = lists(store.path()).unwrap_or_default().into_iter();
        let left = lists.filter(|path| is_held(path).is_ok_and(|it| !it));
        left.filter_map(|path| Some((path.clone(), Told::read(&path).ok()?))).collect()
    }

    /// Forgets that an editor had not saved a file when its server ended.
    pub fn forget_left(&self, file: &FilePath) {
        self.forget(|told| told.unsaved.remove(file));
    }

    /// Takes something out of what programs have told that have ended; `forget` returns whether it was there.
    fn forget(&self, forget: impl Fn(&mut Told) -> bool) {
        for (path, mut told) in self.left() {
            if forget(&mut told) {
                match told.is_empty() {
                    true => remove(&path),
                    // One that stays is looked at again by the next server.
                    false => _ = told.write(&path),
                }
            }
        }
    }

    /// Tells the program that comes after this one what the editor has loaded of a file, or has saved
    /// there; `None` where it shows the file no more.
    pub fn tell_loaded(&self, file: &FilePath, loaded: Option<LastLoaded>) {
        let Some(store) = Store::look(self) else { return };
        self.forget(|told| told.loaded.remove(file).is_some());
        if let Err(error) = self.inner.unsaved.tell_loaded(store.path(), file, loaded) {
            tracing::warn!(%error, "the next server cannot be told of what is loaded");
        }
    }

    /// Refuses a file that another program has not saved, by the list that was read last.
    pub(in crate::workspace) fn check_saved(&self, file: &FilePath) -> Result<(), Denied> {
        let known = self.inner.of_others.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.contains(file) {
            true => Err(Denied::Unsaved),
            false => Ok(()),
        }
    }
}
