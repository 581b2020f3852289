//! A workspace in memory, for tests and conformance cases.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Surroundings;
use super::{Denied, Entry, Snapshot};
use crate::edit::{Change, ChangeSet};
use crate::fingerprint::Fingerprint;
use crate::path::{FilePath, Kind, State};
use crate::text::Content;

/// Files by path; directories are there by the files in them, or by name.
///
/// It has one folder and no `.gitignore`: a search leaves out hidden files only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemorySnapshot {
    /// Each file's bytes by its path, `src/main.rs`.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Directories that are there whether or not a file is in them.
    pub directories: BTreeSet<String>,
    /// The files that are marked read-only.
    pub read_only: BTreeSet<String>,
    /// The size in bytes beyond which a file is not read; `None` for no limit.
    pub size_limit: Option<usize>,
    /// The absolute path that it is at; empty for the system's root.
    pub home: String,
    /// What there is around the transcript that is looked at.
    pub surroundings: Arc<Surroundings>,
}

impl MemorySnapshot {
    /// A workspace of these files, each a path and a text.
    pub fn of<P: Into<String>, T: Into<String>>(
        files: impl IntoIterator<Item = (P, T)>,
    ) -> MemorySnapshot {
        let files = files.into_iter().map(|(path, text)| (path.into(), text.into().into_bytes()));
        MemorySnapshot { files: files.collect(), ..MemorySnapshot::default() }
    }

    /// Carries a change set out, as a disk would.
    pub fn apply(&mut self, changes: &ChangeSet) {
        for change in changes.iter() {
            match change {
                Change::Create { path, content, .. } => {
                    self.files.insert(path.path.to_string(), content.to_bytes());
                }
                Change::Edit { path, after, .. } => {
                    self.files.insert(path.path.to_string(), after.to_bytes());
                }
                Change::Delete { path, .. } => {
                    self.take(path);
                }
                Change::Rename { from, to, .. } => {
                    let (files, directories) = self.take(from);
                    let moved = |rest: String| format!("{}{rest}", to.path);
                    self.files.extend(files.into_iter().map(|(rest, bytes)| (moved(rest), bytes)));
                    self.directories.extend(directories.into_iter().map(moved));
                }
                Change::CreateDirectory { path } => {
                    self.directories.insert(path.path.to_string());
                }
            }
        }
    }

    /// Takes a file or directory out, by what follows its path; the directory that it was in stays.
    fn take(&mut self, path: &FilePath) -> (Vec<(String, Vec<u8>)>, Vec<String>) {
        if let Some(parent) = path.parent() {
            self.directories.insert(parent.path.to_string());
        }
        let within = |other: &String| FilePath::new(0, other.as_str()).is_within(path);
        let rest = |other: &String| other[path.path.len()..].to_owned();
        let (taken, kept) =
            std::mem::take(&mut self.files).into_iter().partition(|(other, _)| within(other));
        self.files = kept;
        let taken: BTreeMap<String, Vec<u8>> = taken;
        let files = taken.into_iter().map(|(other, bytes)| (rest(&other), bytes)).collect();
        let directories = self.directories.iter().filter(|other| within(other)).map(rest).collect();
        self.directories.retain(|other| !within(other));
        (files, directories)
    }

    fn is_directory(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let mut files = self.files.range(below.clone()..).map(|(other, _)| other);
        let mut directories = self.directories.range(below.clone()..);
        path.is_empty()
            || self.directories.contains(path)
            || files.next().is_some_and(|other| other.starts_with(&below))
            || directories.next().is_some_and(|other| other.starts_with(&below))
    }

    fn bytes(&self, path: &FilePath) -> Result<&Vec<u8>, Denied> {
        match self.files.get(&*path.path) {
            Some(bytes) => Ok(bytes),
            None if self.is_directory(&path.path) => Err(Denied::NotAFile),
            None => Err(Denied::NotFound),
        }
    }

    fn directory(&self, path: &FilePath) -> Result<(), Denied> {
        match self.kind(path)? {
            Some(Kind::Directory) => Ok(()),
            Some(Kind::File) => Err(Denied::NotADirectory),
            None => Err(Denied::NotFound),
        }
    }
}

impl Snapshot for MemorySnapshot {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        let path = path.replace('\\', "/");
        let mut names: Vec<&str> = Vec::new();
        for name in path.split('/') {
            match name {
                "" | "." => {}
                ".." => drop(names.pop().ok_or(Denied::Outside)?),
                name => names.push(name),
            }
        }
        Ok(FilePath::new(0, names.join("/")))
    }

    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        let rest = path.strip_prefix(&self.home).filter(|rest| rest.starts_with('/'));
        match rest {
            Some(rest) => self.resolve(rest),
            None if path == self.home => self.resolve(""),
            None => Err(Denied::Outside),
        }
    }

    fn name(&self) -> Option<String> {
        self.home.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned)
    }

    fn surroundings(&self) -> Arc<Surroundings> {
        self.surroundings.clone()
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        Ok(match self.bytes(path) {
            Ok(_) => Some(Kind::File),
            Err(Denied::NotAFile) => Some(Kind::Directory),
            Err(_) => None,
        })
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        self.read_any(path)?.in_utf8().map_err(Denied::NotUtf8)
    }

    fn read_any(&self, path: &FilePath) -> Result<Content, Denied> {
        let bytes = self.bytes(path)?;
        match self.size_limit {
            Some(limit) if bytes.len() > limit => {
                Err(Denied::TooLarge { size: bytes.len() as u64, limit })
            }
            _ => Content::of_any_bytes(bytes.clone()).map_err(Denied::NotUtf8),
        }
    }

    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        Ok(match self.bytes(path) {
            Ok(bytes) => State::File(Fingerprint::of(bytes)),
            Err(Denied::NotAFile) => State::Directory,
            Err(_) => State::Missing,
        })
    }

    fn writable(&self, path: &FilePath) -> Result<(), Denied> {
        if self.read_only.contains(&*path.path) { Err(Denied::ReadOnly) } else { Ok(()) }
    }

    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
        self.directory(path)?;
        let below = path.join("").path;
        let mut entries = BTreeSet::new();
        let directories = self.directories.iter().map(|other| (other, true));
        for (other, directory) in directories.chain(self.files.keys().map(|file| (file, false))) {
            let Some(rest) = other.strip_prefix(&*below).filter(|rest| !rest.is_empty()) else {
                continue;
            };
            let (name, deeper) =
                rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
            entries.insert(Entry { name: name.to_owned(), directory: directory || deeper });
        }
        Ok(entries.into_iter().collect())
    }

    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        self.directory(path)?;
        let below = path.join("").path;
        let hidden = |rest: &str| rest.split('/').any(|name| name.starts_with('.'));
        let found = self
            .files
            .keys()
            .filter(|file| file.strip_prefix(&*below).is_some_and(|rest| ignored || !hidden(rest)));
        let found: Vec<_> = found.map(|file| FilePath::new(0, file.as_str())).collect();
        if found.len() > limit { Err(Denied::TooMany { limit }) } else { Ok(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        let snapshot = MemorySnapshot::default();
        let resolved = |path: &str| snapshot.resolve(path).map(|path| path.path);
        for path in ["a/b", "/a/b", "./a/b", "a\\b", "a/./b", "a/x/../b", "//a//b/"] {
            assert_eq!(resolved(path).as_deref(), Ok("a/b"), "{path}");
        }
        assert_eq!(resolved("").as_deref(), Ok(""));
        assert_eq!(resolved("a/../.."), Err(Denied::Outside));
        assert_eq!(resolved("..\\x"), Err(Denied::Outside));
    }

    #[test]
    fn directories_are_there_by_their_files() {
        let mut snapshot = MemorySnapshot::of([("a/b/c", "1"), ("a.txt", "2"), ("a/.d", "3")]);
        snapshot.directories.insert("e".into());
        let at = |path| FilePath::new(0, path);
        assert_eq!(snapshot.kind(&at("a/b")), Ok(Some(Kind::Directory)));
        assert_eq!(snapshot.kind(&at("a/b/c")), Ok(Some(Kind::File)));
        assert_eq!(snapshot.kind(&at("a/bc")), Ok(None));
        let names: Vec<_> = snapshot.list(&at("")).unwrap().into_iter().map(|e| e.name).collect();
        assert_eq!(names, ["a", "a.txt", "e"]);
        assert_eq!(snapshot.files(&at(""), false, 9).unwrap(), [at("a.txt"), at("a/b/c")]);
        assert_eq!(snapshot.files(&at(""), true, 2), Err(Denied::TooMany { limit: 2 }));
        assert_eq!(snapshot.list(&at("a.txt")), Err(Denied::NotADirectory));
        assert_eq!(snapshot.read(&at("a")), Err(Denied::NotAFile));
    }
}
