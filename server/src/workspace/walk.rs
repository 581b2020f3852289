//! Every file below a directory, with or without what `.gitignore` excludes.

use std::ffi::OsStr;

use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use operator_core::path::FilePath;
use operator_core::snapshot::Denied;

use super::Workspace;
use super::place::open_file;
use super::resolve::{denied, place_of};

const GITIGNORE: &str = ".gitignore";
/// Nobody writes an ignore file larger than this by hand.
const MAX_GITIGNORE_BYTES: u64 = 1 << 20;

/// The files below `path`, or `path` itself where it is one, sorted.
pub(super) fn files(
    workspace: &Workspace,
    path: &FilePath,
    ignored: bool,
    limit: usize,
) -> Result<Vec<FilePath>, Denied> {
    let start =
        workspace.place_to_read(path)?.metadata().map_err(denied)?.ok_or(Denied::NotFound)?;
    if start.is_file() {
        return Ok(vec![path.clone()]);
    }
    let mut walk = FileWalk::new(workspace, ignored, limit);
    // Whoever wants everything wants to take it along.
    walk.run(path, |walk, directory, refusal| {
        if ignored || directory == path {
            return Err(refusal);
        }
        walk.pass_over(directory.clone(), refusal);
        Ok(())
    })?;
    walk.found.sort();
    Ok(walk.found)
}

/// What is passed over below a directory, sorted, and why.
pub(super) fn unread(
    workspace: &Workspace,
    path: &FilePath,
    ignored: bool,
) -> Vec<(FilePath, Denied)> {
    let mut walk = FileWalk::new(workspace, ignored, usize::MAX);
    // What ends the walk is said by whoever asks for the files.
    let _ = walk.run(path, |walk, directory, refusal| {
        walk.pass_over(directory.clone(), refusal);
        Ok(())
    });
    walk.unread.sort_by(|(one, _), (other, _)| one.cmp(other));
    walk.unread
}

/// Whether a search leaves a file out.
pub(super) fn is_excluded(workspace: &Workspace, path: &FilePath) -> bool {
    let is_hidden = path.path.split('/').any(|name| name.starts_with('.'));
    is_hidden || is_ignored(workspace, path, false)
}

/// Whether a `.gitignore` file excludes a file or directory, or one that it is in.
pub(super) fn is_ignored(workspace: &Workspace, path: &FilePath, directory: bool) -> bool {
    let mut at = FilePath::new(path.root, "");
    let mut excludes = Excludes::default();
    for name in path.path.split('/').filter(|name| !name.is_empty()) {
        if let Ok(directory) = workspace.directory(&at) {
            excludes = excludes.with(&directory, &at);
        }
        at = at.join(name);
        if excludes.ignore(&at, directory || at != *path) {
            return true;
        }
    }
    false
}

struct FileWalk<'a> {
    workspace: &'a Workspace,
    ignored: bool,
    limit: usize,
    found: Vec<FilePath>,
    unread: Vec<(FilePath, Denied)>,
    ahead: Vec<(FilePath, Excludes)>,
}

impl FileWalk<'_> {
    fn new(workspace: &Workspace, ignored: bool, limit: usize) -> FileWalk<'_> {
        let (found, unread, ahead) = (Vec::new(), Vec::new(), Vec::new());
        FileWalk { workspace, ignored, limit, found, unread, ahead }
    }

    /// Looks through a directory; `refused` is told of each in it that cannot be read.
    fn run(
        &mut self,
        start: &FilePath,
        refused: impl Fn(&mut Self, &FilePath, Denied) -> Result<(), Denied>,
    ) -> Result<(), Denied> {
        self.ahead.push((start.clone(), Excludes::above(self.workspace, start, self.ignored)?));
        while let Some((path, excludes)) = self.ahead.pop() {
            match self.directory(&path, excludes) {
                Err(refusal @ (Denied::Permission | Denied::Io(_))) => {
                    refused(self, &path, refusal)?;
                }
                walked => walked?,
            }
        }
        Ok(())
    }

    fn pass_over(&mut self, path: FilePath, refusal: Denied) {
        self.unread.push((path, refusal));
    }

    fn directory(&mut self, path: &FilePath, mut excludes: Excludes) -> Result<(), Denied> {
        if !self.ignored {
            excludes = excludes.with(&self.workspace.directory(path)?, path);
        }
        for entry in self.workspace.entries(path)? {
            let file_type = entry.file_type().map_err(denied)?;
            let written = entry.file_name();
            let name = written.to_string_lossy();
            let child = path.join(&name);
            if !self.ignored && excludes.exclude(&child, &name, file_type.is_dir()) {
                continue;
            }
            if let Err(refusal) = self.workspace.guard(&child) {
                // Whoever wants everything wants to take it along, and this must not go along.
                if self.ignored {
                    return Err(refusal);
                }
                continue;
            }
            if written.to_str().is_none() {
                // It cannot be addressed, so it is not a file of the workspace.
                self.pass_over(child, Denied::Io("its name is not UTF-8".to_owned()));
            } else if file_type.is_dir() {
                self.ahead.push((child, excludes.clone()));
            } else if file_type.is_file() {
                self.add(child)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: FilePath) -> Result<(), Denied> {
        if self.found.len() >= self.limit {
            return Err(Denied::TooMany { limit: self.limit });
        }
        // Where roots lie in one another, the path that the file has everywhere else.
        let place = place_of(self.workspace, &self.workspace.absolute(&path))?;
        self.found.push(place.unwrap_or(path));
        Ok(())
    }
}

/// The `.gitignore` files that hold at a place, the innermost last.
#[derive(Clone, Default)]
struct Excludes {
    files: Vec<(std::sync::Arc<Gitignore>, usize)>,
}

impl Excludes {
    /// Those of the directories above `path`.
    fn above(workspace: &Workspace, path: &FilePath, none: bool) -> Result<Excludes, Denied> {
        let mut parents: Vec<FilePath> =
            std::iter::successors(path.parent(), FilePath::parent).collect();
        parents.reverse();
        let mut excludes = Excludes::default();
        for parent in parents.iter().filter(|_| !none) {
            excludes = excludes.with(&workspace.directory(parent)?, parent);
        }
        Ok(excludes)
    }

    /// These and the one in `directory`, if it has one that can be read.
    fn with(mut self, directory: &Dir, path: &FilePath) -> Excludes {
        if let Some(text) = read_gitignore(directory) {
            let mut builder = GitignoreBuilder::new("");
            for line in text.lines() {
                // A line that is not a pattern excludes nothing, as in git.
                let _ = builder.add_line(None, line);
            }
            if let Ok(file) = builder.build() {
                let prefix = if path.path.is_empty() { 0 } else { path.path.len() + 1 };
                self.files.push((file.into(), prefix));
            }
        }
        self
    }

    fn exclude(&self, path: &FilePath, name: &str, directory: bool) -> bool {
        name.starts_with('.') || self.ignore(path, directory)
    }

    fn ignore(&self, path: &FilePath, directory: bool) -> bool {
        let verdicts = self.files.iter().rev().map(|(file, prefix)| {
            file.matched(path.path.get(*prefix..).unwrap_or_default(), directory)
        });
        let verdict = verdicts.into_iter().find(|verdict| !verdict.is_none());
        matches!(verdict, Some(Match::Ignore(_)))
    }
}

fn read_gitignore(directory: &Dir) -> Option<String> {
    let (file, _) = open_file(directory, OsStr::new(GITIGNORE)).ok()?;
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(file, MAX_GITIGNORE_BYTES), &mut text)
        .ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}
