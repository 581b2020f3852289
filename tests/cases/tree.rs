//! What is in a directory, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::parse::Section;
use crate::world::World;

/// One thing in a tree.
#[derive(Clone, PartialEq, Eq)]
pub enum Node {
    File { bytes: Vec<u8>, marks: Marks },
    Link(String),
    Directory,
}

/// What a file's permissions say, as far as a case does.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    pub executable: bool,
    pub read_only: bool,
}

/// Everything below a directory by its path from the workspace; what is beside the workspace
/// begins with `../`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Tree(pub BTreeMap<String, Node>);

impl Tree {
    /// The tree of a world: the workspace and what is beside it.
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
                let marks = Marks::of(&entry.metadata().unwrap());
                self.0.insert(place, Node::File { bytes: fs::read(&path).unwrap(), marks });
            }
        }
    }

    /// The same with `{{root}}` for the workspace's absolute path in texts.
    pub fn hidden(&self, world: &World) -> Tree {
        let mut tree = self.clone();
        for node in tree.0.values_mut() {
            if let Node::File { bytes, .. } = node
                && let Ok(text) = std::str::from_utf8(bytes)
                && text.contains(&world.home())
            {
                *bytes = world.hide(text).into_bytes();
            }
        }
        tree
    }

    /// Puts a file there, with its parents; one that is there keeps its permissions besides, and a
    /// link stays a link.
    pub fn put(&mut self, path: &str, bytes: &[u8], marks: Marks) {
        let mut path = path.to_owned();
        while let Some(Node::Link(target)) = self.0.get(&path) {
            path = match path.rsplit_once('/') {
                Some((parent, _)) => format!("{parent}/{target}"),
                None => target.clone(),
            };
        }
        let was = match self.0.get(&path) {
            Some(Node::File { marks, .. }) => *marks,
            _ => Marks::default(),
        };
        self.parents(&path);
        let marks = Marks {
            executable: marks.executable || was.executable,
            read_only: marks.read_only || was.read_only,
        };
        self.0.insert(path, Node::File { bytes: bytes.to_vec(), marks });
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

    /// Takes away what is there and below.
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

impl Marks {
    /// The marks that a section names.
    pub fn named(section: &Section) -> Marks {
        Marks {
            executable: cfg!(unix) && section.has("executable"),
            read_only: section.has("read-only"),
        }
    }

    fn of(metadata: &fs::Metadata) -> Marks {
        let permissions = metadata.permissions();
        Marks { executable: is_executable(&permissions), read_only: permissions.readonly() }
    }
}

#[cfg(unix)]
fn is_executable(permissions: &fs::Permissions) -> bool {
    use std::os::unix::fs::PermissionsExt;
    permissions.mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Permissions) -> bool {
    false
}
