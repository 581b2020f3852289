//! The workspace as it was first seen, for those who ask about the same files again and again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::by_name::ByName;
use super::{Denied, Layer, Snapshot};
use crate::path::{FilePath, Kind, State};
use crate::text::Content;

/// Files of more bytes than this altogether are not kept, where nothing else is said.
const ROOM: usize = 32 << 20;

/// A snapshot that asks another one only once. A path that leads nowhere takes a walk over the disk.
///
/// What changes underneath meanwhile is noticed when it comes to be written.
pub struct Remembered<'a> {
    workspace: &'a dyn Snapshot,
    paths: Answers<String, FilePath>,
    kinds: Answers<FilePath, Option<Kind>>,
    contents: Answers<FilePath, Content>,
    states: Answers<FilePath, State>,
    room: usize,
    bytes: AtomicUsize,
    by_name: ByName<'a>,
}

type Answers<K, V> = Mutex<HashMap<K, Result<V, Denied>>>;

impl<'a> Remembered<'a> {
    /// A snapshot of which nothing was seen yet.
    pub fn new(workspace: &'a dyn Snapshot) -> Remembered<'a> {
        Remembered::with_room(workspace, ROOM)
    }

    /// The same, which keeps files of so many bytes altogether.
    pub fn with_room(workspace: &'a dyn Snapshot, room: usize) -> Remembered<'a> {
        Remembered {
            workspace,
            paths: Mutex::default(),
            kinds: Mutex::default(),
            contents: Mutex::default(),
            states: Mutex::default(),
            room,
            bytes: AtomicUsize::new(0),
            by_name: ByName::new(workspace),
        }
    }
}

/// What was answered before. No answer is half there where a thread has panicked.
fn known<K, V>(answers: &Answers<K, V>) -> MutexGuard<'_, HashMap<K, Result<V, Denied>>> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was answered before, or else what is answered now. Of two threads that ask at once the first
/// answer counts.
fn once<K: Clone + Eq + Hash, V: Clone>(
    answers: &Answers<K, V>,
    key: &K,
    ask: impl FnOnce() -> Result<V, Denied>,
) -> Result<V, Denied> {
    if let Some(known) = known(answers).get(key) {
        return known.clone();
    }
    let answer = ask();
    known(answers).entry(key.clone()).or_insert(answer).clone()
}

impl Layer for Remembered<'_> {
    fn inner(&self) -> &dyn Snapshot {
        self.workspace
    }

    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        once(&self.paths, &path.to_owned(), || self.workspace.resolve(path))
    }

    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        // No path begins with that, so that it is none of the others.
        let key = format!("\0{path}");
        once(&self.paths, &key, || self.workspace.resolve_absolute(path))
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        once(&self.kinds, path, || self.workspace.kind(path))
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        let content = Layer::read_any(self, path)?;
        content.in_utf8().map_err(Denied::NotUtf8)
    }

    fn read_any(&self, path: &FilePath) -> Result<Content, Denied> {
        let is_full = self.bytes.load(Ordering::Relaxed) > self.room;
        if is_full && !known(&self.contents).contains_key(path) {
            return self.workspace.read_any(path);
        }
        once(&self.contents, path, || {
            let content = self.workspace.read_any(path)?;
            self.bytes.fetch_add(content.len(), Ordering::Relaxed);
            Ok(content)
        })
    }

    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        let content = known(&self.contents).get(path).cloned();
        match content {
            Some(Ok(content)) => Ok(State::File(content.fingerprint())),
            _ => once(&self.states, path, || self.workspace.state(path)),
        }
    }

    fn named(&self, root: usize, name: &str, limit: usize) -> Result<Vec<FilePath>, Denied> {
        Layer::named(&self.by_name, root, name, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{Entry, MemorySnapshot};

    /// A snapshot that counts the questions.
    struct Counting(MemorySnapshot, AtomicUsize);

    impl Counting {
        fn asked(&self) -> &MemorySnapshot {
            self.1.fetch_add(1, Ordering::Relaxed);
            &self.0
        }
    }

    impl Snapshot for Counting {
        fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
            self.asked().resolve(path)
        }
        fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
            self.asked().resolve_absolute(path)
        }
        fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
            self.asked().kind(path)
        }
        fn read(&self, path: &FilePath) -> Result<Content, Denied> {
            self.asked().read(path)
        }
        fn state(&self, path: &FilePath) -> Result<State, Denied> {
            self.asked().state(path)
        }
        fn writable(&self, path: &FilePath) -> Result<(), Denied> {
            self.asked().writable(path)
        }
        fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
            self.asked().list(path)
        }
        fn files(
            &self,
            path: &FilePath,
            ignored: bool,
            limit: usize,
        ) -> Result<Vec<FilePath>, Denied> {
            self.asked().files(path, ignored, limit)
        }
    }

    #[test]
    fn a_file_is_read_once_and_its_state_is_that_of_what_was_read() {
        let counting = Counting(MemorySnapshot::of([("a", "text")]), AtomicUsize::new(0));
        let remembered = Remembered::new(&counting);
        let remembered: &dyn Snapshot = &remembered;
        for _ in 0..3 {
            let path = remembered.resolve("./a").unwrap();
            let content = remembered.read(&path).unwrap();
            assert_eq!(remembered.state(&path), Ok(State::File(content.fingerprint())));
            assert_eq!(remembered.kind(&path), Ok(Some(Kind::File)));
            assert_eq!(remembered.read(&path.join("b")), Err(Denied::NotFound));
        }
        assert_eq!(counting.1.into_inner(), 4);
    }
}
