//! What stands in a directory, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// One thing in a tree.
#[derive(Clone, PartialEq, Eq)]
pub enum Node {
    File { bytes: Vec<u8>, executable: bool },
    Link(String),
    Directory,
}

/// Everything below a directory by its path from the workspace; what stands beside the workspace
/// begins with `../`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Tree(pub BTreeMap<String, Node>);

impl Tree {
    /// The tree of a world: the workspace and what stands beside it.
    pub fn read(world: &Path) -> Tree {
        let mut tree = Tree::default();
        tree.walk(world, "../");
        tree
    }

    fn walk(&mut self, directory: &Path, prefix: &str) {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            let kind = entry.file_type().unwrap();
            let path = entry.path();
            let place = format!("{prefix}{name}");
            if kind.is_symlink() {
                let target = fs::read_link(&path).unwrap().to_string_lossy().into_owned();
                self.0.insert(place, Node::Link(target));
            } else if kind.is_dir() {
                let inside = if place == "../workspace" { "" } else { &format!("{place}/") };
                self.walk(&path, inside);
                self.0.insert(place, Node::Directory);
            } else {
                let executable = is_executable(&entry.metadata().unwrap());
                self.0.insert(place, Node::File { bytes: fs::read(&path).unwrap(), executable });
            }
        }
    }

    /// Puts a file there, with its parents; one that is there keeps its permissions, and a link
    /// stays a link.
    pub fn put(&mut self, path: &str, bytes: &[u8], executable: bool) {
        let mut path = path.to_owned();
        while let Some(Node::Link(target)) = self.0.get(&path) {
            path = match path.rsplit_once('/') {
                Some((parent, _)) => format!("{parent}/{target}"),
                None => target.clone(),
            };
        }
        let was = matches!(self.0.get(&path), Some(Node::File { executable: true, .. }));
        self.parents(&path);
        let executable = executable || was;
        self.0.insert(path, Node::File { bytes: bytes.to_vec(), executable });
    }

    /// Puts a link there, with its parents.
    pub fn put_link(&mut self, path: &str, target: &str) {
        self.parents(path);
        self.0.insert(path.to_owned(), Node::Link(target.to_owned()));
    }

    /// Puts a directory there, with its parents.
    pub fn put_directory(&mut self, path: &str) {
        self.parents(&format!("{path}/"));
    }

    fn parents(&mut self, path: &str) {
        for (at, _) in path.match_indices('/') {
            self.0.entry(path[..at].to_owned()).or_insert(Node::Directory);
        }
    }

    /// Takes away what stands there and below.
    pub fn remove(&mut self, path: &str) {
        let below = format!("{path}/");
        self.0.retain(|place, _| place != path && !place.starts_with(&below));
    }

    /// The regular files by path.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let file = |(path, node): (&String, &Node)| match node {
            Node::File { bytes, .. } => Some((path.clone(), bytes.clone())),
            _ => None,
        };
        self.0.iter().filter_map(file).collect()
    }

    /// The paths at which two trees differ.
    pub fn differences(&self, other: &Tree) -> Vec<String> {
        let mut paths: Vec<_> = self.0.keys().chain(other.0.keys()).collect();
        paths.sort_unstable();
        paths.dedup();
        paths.into_iter().filter(|path| self.0.get(*path) != other.0.get(*path)).cloned().collect()
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}
