//! A workspace with the effects of plans that are not applied yet.

use std::collections::{BTreeMap, BTreeSet};

use super::{Denied, Details, Entry, Layer};
use crate::edit::{Change, ChangeSet};
use crate::path::{FilePath, Kind, State};
use crate::text::Content;

/// A snapshot as it would be after some change sets.
pub struct Staged<'a> {
    base: &'a dyn super::Snapshot,
    nodes: BTreeMap<FilePath, Node>,
    /// What was moved to another case of its name, where the base takes both for one.
    respelled: Vec<(FilePath, FilePath)>,
    changes: ChangeSet,
}

/// What a staged change put at a path. Nothing of the base shows below such a path.
#[derive(Debug, Clone)]
enum Node {
    Gone,
    Directory,
    File {
        content: Content,
        read_only: bool,
    },
    /// The file that the base has at another path; it may be no text.
    Moved(FilePath),
}

/// Where what is at a path comes from.
enum Found<'a> {
    Node(&'a Node),
    Base,
}

impl<'a> Staged<'a> {
    /// The snapshot with nothing staged.
    pub fn new(base: &'a dyn super::Snapshot) -> Staged<'a> {
        let (nodes, respelled) = Default::default();
        Staged { base, nodes, respelled, changes: ChangeSet::default() }
    }

    /// Stages one more change set, made against this very state.
    ///
    /// # Errors
    /// Whatever keeps the snapshot from reading the files that a directory's move takes along.
    pub fn stage(&mut self, changes: &ChangeSet) -> Result<(), Denied> {
        for change in changes.iter() {
            self.stage_one(change)?;
        }
        self.changes.append(changes.clone());
        Ok(())
    }

    /// Everything staged, as one change set.
    pub fn into_changes(self) -> ChangeSet {
        self.changes
    }

    fn stage_one(&mut self, change: &Change) -> Result<(), Denied> {
        match change {
            Change::Create { path, content, like } => {
                let like = like.as_ref().map_or(Ok(()), |like| self.writable(like));
                self.make_parents(path)?;
                let (content, read_only) = (content.clone(), like == Err(Denied::ReadOnly));
                self.nodes.insert(path.clone(), Node::File { content, read_only });
            }
            Change::Edit { path, after, .. } => {
                self.make_parents(path)?;
                let node = Node::File { content: after.clone(), read_only: false };
                self.nodes.insert(path.clone(), node);
            }
            Change::Delete { path, .. } => self.remove(path),
            Change::Rename { from, to, .. } => {
                let mut moved = Vec::new();
                self.collect(from, to, &mut moved)?;
                self.remove(from);
                self.make_parents(to)?;
                self.nodes.extend(moved);
                if from.is_in_another_case(to) && self.base.resolve(&to.path).as_ref() == Ok(from) {
                    self.respelled.push((from.clone(), to.clone()));
                }
            }
            Change::CreateDirectory { path } => self.make_directory(path)?,
        }
        Ok(())
    }

    /// A path of the base as it is now.
    fn respell(&self, path: FilePath) -> FilePath {
        self.respelled.iter().fold(path, |path, (from, to)| match path.is_within(from) {
            true => FilePath::new(to.root, format!("{}{}", to.path, &path.path[from.path.len()..])),
            false => path,
        })
    }

    fn make_parents(&mut self, path: &FilePath) -> Result<(), Denied> {
        path.parent().map_or(Ok(()), |parent| self.make_directory(&parent))
    }

    fn make_directory(&mut self, path: &FilePath) -> Result<(), Denied> {
        if path.path.is_empty() || self.kind(path)?.is_some() {
            return Ok(());
        }
        self.make_parents(path)?;
        self.nodes.insert(path.clone(), Node::Directory);
        Ok(())
    }

    fn remove(&mut self, path: &FilePath) {
        self.nodes.retain(|other, _| !other.is_within(path));
        self.nodes.insert(path.clone(), Node::Gone);
    }

    /// What is at `from` and below it, as it will be at `to`.
    fn collect(
        &self,
        from: &FilePath,
        to: &FilePath,
        moved: &mut Vec<(FilePath, Node)>,
    ) -> Result<(), Denied> {
        if self.kind(from)? == Some(Kind::Directory) {
            moved.push((to.clone(), Node::Directory));
            for entry in self.list(from)? {
                self.collect(&from.join(&entry.name), &to.join(&entry.name), moved)?;
            }
            return Ok(());
        }
        let node = match self.find(from) {
            Found::Node(node) => node.clone(),
            Found::Base => Node::Moved(from.clone()),
        };
        moved.push((to.clone(), node));
        Ok(())
    }

    fn find(&self, path: &FilePath) -> Found<'_> {
        if let Some(node) = self.nodes.get(path) {
            return Found::Node(node);
        }
        let mut above = path.parent();
        while let Some(directory) = above {
            if self.nodes.contains_key(&directory) {
                return Found::Node(&Node::Gone);
            }
            above = directory.parent();
        }
        Found::Base
    }

    /// The staged paths below a directory.
    fn below(&self, path: &FilePath) -> impl Iterator<Item = (&str, &FilePath, &Node)> {
        let start = if path.path.is_empty() { path.clone() } else { path.join("") };
        let prefix = start.path.clone();
        let nodes = self.nodes.range(start..).take_while(move |(other, _)| other.is_within(path));
        nodes.map(move |(other, node)| (&other.path[prefix.len()..], other, node))
    }

    fn directory(&self, path: &FilePath) -> Result<(), Denied> {
        match self.kind(path)? {
            Some(Kind::Directory) => Ok(()),
            Some(Kind::File) => Err(Denied::NotADirectory),
            None => Err(Denied::NotFound),
        }
    }
}

fn is_hidden(path: &str) -> bool {
    path.split('/').any(|name| name.starts_with('.'))
}

impl Layer for Staged<'_> {
    fn inner(&self) -> &dyn super::Snapshot {
        self.base
    }

    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        self.base.resolve(path).map(|path| self.respell(path))
    }

    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        self.base.resolve_absolute(path).map(|path| self.respell(path))
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        match self.find(path) {
            Found::Base => self.base.kind(path),
            Found::Node(Node::Gone) => Ok(None),
            Found::Node(Node::Directory) => Ok(Some(Kind::Directory)),
            Found::Node(Node::File { .. } | Node::Moved(_)) => Ok(Some(Kind::File)),
        }
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        let content = self.read_any(path)?;
        content.in_utf8().map_err(Denied::NotUtf8)
    }

    fn read_any(&self, path: &FilePath) -> Result<Content, Denied> {
        match self.find(path) {
            Found::Base => self.base.read_any(path),
            Found::Node(Node::Gone) => Err(Denied::NotFound),
            Found::Node(Node::Directory) => Err(Denied::NotAFile),
            Found::Node(Node::File { content, .. }) => Ok(content.clone()),
            Found::Node(Node::Moved(from)) => self.base.read_any(from),
        }
    }

    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        match self.find(path) {
            Found::Base => self.base.state(path),
            Found::Node(Node::Gone) => Ok(State::Missing),
            Found::Node(Node::Directory) => Ok(State::Directory),
            Found::Node(Node::File { content, .. }) => Ok(State::File(content.fingerprint())),
            Found::Node(Node::Moved(from)) => self.base.state(from),
        }
    }

    fn writable(&self, path: &FilePath) -> Result<(), Denied> {
        match self.find(path) {
            Found::Base => self.base.writable(path),
            Found::Node(Node::File { read_only: true, .. }) => Err(Denied::ReadOnly),
            Found::Node(Node::Moved(from)) => self.base.writable(from),
            Found::Node(_) => Ok(()),
        }
    }

    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
        self.directory(path)?;
        let mut names = BTreeMap::new();
        if let Found::Base = self.find(path) {
            let entries = self.base.list(path)?;
            names.extend(entries.into_iter().map(|entry| (entry.name, entry.directory)));
        }
        for (rest, _, node) in self.below(path) {
            match node {
                _ if rest.contains('/') => {}
                Node::Gone => drop(names.remove(rest)),
                _ => drop(names.insert(rest.to_owned(), matches!(node, Node::Directory))),
            }
        }
        Ok(names.into_iter().map(|(name, directory)| Entry { name, directory }).collect())
    }

    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        self.directory(path)?;
        let mut files = BTreeSet::new();
        let based = matches!(self.find(path), Found::Base);
        if based {
            let room = limit.saturating_add(self.nodes.len());
            files.extend(self.base.files(path, ignored, room)?);
        }
        let mut added = Vec::new();
        for (rest, other, node) in self.below(path) {
            // What the base has and leaves out stays left out; of a new file only its name tells.
            let in_base = || based && self.base.kind(other) == Ok(Some(Kind::File));
            let shown = ignored || files.contains(other) || !(is_hidden(rest) || in_base());
            if shown && matches!(node, Node::File { .. } | Node::Moved(_)) {
                added.push(other.clone());
            }
        }
        files.retain(|file| matches!(self.find(file), Found::Base));
        files.extend(added);
        if files.len() > limit {
            return Err(Denied::TooMany { limit });
        }
        Ok(files.into_iter().collect())
    }

    fn unread(&self, path: &FilePath, ignored: bool) -> Vec<(FilePath, Denied)> {
        match self.find(path) {
            Found::Base => self.base.unread(path, ignored),
            Found::Node(_) => Vec::new(),
        }
    }

    fn named(&self, root: usize, name: &str, limit: usize) -> Result<Vec<FilePath>, Denied> {
        let mut files: BTreeSet<FilePath> =
            self.base.named(root, name, limit)?.into_iter().collect();
        let of_name = |(path, _): &(&FilePath, &Node)| path.root == root && path.name() == name;
        for (path, node) in self.nodes.iter().filter(of_name) {
            // As in `files`.
            let in_base = || self.base.kind(path) == Ok(Some(Kind::File));
            let shown = files.contains(path) || !(is_hidden(&path.path) || in_base());
            match node {
                Node::File { .. } | Node::Moved(_) if shown => drop(files.insert(path.clone())),
                _ => drop(files.remove(path)),
            }
        }
        files.retain(|file| self.kind(file) == Ok(Some(Kind::File)));
        Ok(files.into_iter().collect())
    }

    fn details(&self, path: &FilePath) -> Result<Details, Denied> {
        let (size, modified) = match self.find(path) {
            Found::Base => return self.base.details(path),
            Found::Node(Node::Gone) => return Err(Denied::NotFound),
            Found::Node(Node::Directory) => (0, None),
            Found::Node(Node::File { content, .. }) => (content.len() as u64, None),
            Found::Node(Node::Moved(from)) => return self.base.details(from),
        };
        // A file that was written has one name; a caution was raised when it was.
        Ok(Details { size, modified, links: 1 })
    }
}

#[cfg(test)]
mod tests;
