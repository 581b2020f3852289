//! The repository of a workspace, and whether it can be committed to now.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::program::{self, Hooks, Program, line};
use super::{AI, GitCode, GitError};
use crate::workspace::real_or_same;

/// A repository's work tree that holds a folder of the workspace.
#[derive(Debug, Clone)]
pub struct Repository {
    pub(super) git: Program,
    /// The top of the work tree, its symlinks followed.
    pub(super) top: PathBuf,
    /// The work tree's own folder of the repository.
    pub(super) folder: PathBuf,
}

/// A commit, as people name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Commit {
    /// The object's name, in full.
    pub id: String,
    /// The first line of the message.
    pub subject: String,
    /// The name of its tree, in full.
    #[serde(skip)]
    pub tree: String,
    /// The parents' names, in full.
    #[serde(skip)]
    pub parents: Vec<String>,
    /// When it was made, in seconds since 1970.
    #[serde(skip)]
    pub time: i64,
    /// The whole message.
    #[serde(skip)]
    pub message: String,
}

/// Files and folders in the repository's own folder while something is going on; what that is, and
/// how it is ended.
const UNFINISHED: [(&str, &str, &str); 7] = [
    ("MERGE_HEAD", "a merge", "`git merge --continue` or `git merge --abort`"),
    ("rebase-merge", "a rebase", "`git rebase --continue` or `git rebase --abort`"),
    ("rebase-apply", "a rebase", "`git rebase --continue` or `git rebase --abort`"),
    ("CHERRY_PICK_HEAD", "a cherry-pick", "`git cherry-pick --continue` or `… --abort`"),
    ("REVERT_HEAD", "a revert", "`git revert --continue` or `git revert --abort`"),
    ("sequencer", "a cherry-pick or revert", "`git cherry-pick --continue` or `… --quit`"),
    ("BISECT_LOG", "a bisection", "`git bisect reset`"),
];
/// How a commit is printed, so that it can be taken apart; `%B` is last, as it may hold anything.
const FORMAT: &str = "--format=%H%x1f%T%x1f%P%x1f%ct%x1f%s%x1f%B";

impl Repository {
    /// The repository whose work tree holds `folder`.
    ///
    /// # Errors
    /// There is no `git` program, or the folder is in no work tree.
    pub fn open(folder: &Path, hooks: Hooks) -> Result<Repository, GitError> {
        let git = Program::new(folder, hooks);
        let inside = git.output(&["rev-parse", "--is-inside-work-tree"], None)?;
        let no_work_tree = |says: &str| {
            let message = format!(
                "{} is {says}: run `git init` there, or do without commits",
                folder.display()
            );
            GitError::new(GitCode::NotARepository, message)
        };
        if !inside.status.success() {
            let said = program::said(&inside);
            return Err(if said.contains("not a git repository") {
                no_work_tree("not in a git repository")
            } else if said.contains("safe.bareRepository") {
                no_work_tree("in no work tree of git")
            } else {
                program::failed(&["rev-parse"], &inside)
            });
        }
        if line(&inside.stdout) != "true" {
            return Err(no_work_tree("in no work tree of git"));
        }
        let path = |argument| Ok(path_in_line(git.run(&["rev-parse", argument])?));
        let top = path("--show-toplevel")?;
        let top = real_or_same(&top);
        let folder = path("--absolute-git-dir")?;
        Ok(Repository { git: Program::new(&top, hooks), top, folder })
    }

    /// The top of the work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Whether it can be committed to: a branch is checked out, nothing is half done, nobody else
    /// is at it, and git knows who commits.
    ///
    /// # Errors
    /// Why not, and what to do.
    pub fn check(&self) -> Result<(), GitError> {
        for (name, what, end) in UNFINISHED {
            if self.folder.join(name).exists() {
                let message = format!("{what} is not finished: end it with {end} first");
                return Err(GitError::new(GitCode::Unfinished, message));
            }
        }
        self.branch()?;
        let lock = self.folder.join("index.lock");
        if lock.exists() {
            let message = format!(
                "another git command is at work; wait for it or, if there is none (one may have \
                 been killed), remove {}",
                lock.display()
            );
            return Err(GitError::new(GitCode::Locked, message));
        }
        for who in ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"] {
            if !self.git.output(&["var", who], None)?.status.success() {
                let message = "git does not know who commits: run `git config user.name \"Your \
                     Name\"` and `git config user.email you@example.com`";
                return Err(GitError::new(GitCode::NoIdentity, message));
            }
        }
        let unmerged: Vec<_> = self
            .guarded()?
            .status()?
            .iter()
            .filter(|entry| entry.unmerged)
            .map(|it| it.name())
            .collect();
        if !unmerged.is_empty() {
            let message = format!(
                "these files have conflicts that are not resolved: {}; resolve them, then `git \
                 add` them",
                listed(&unmerged)
            );
            return Err(GitError::new(GitCode::Unfinished, message));
        }
        Ok(())
    }

    /// The branch that is checked out, as `refs/heads/…`.
    pub(super) fn branch(&self) -> Result<String, GitError> {
        self.git.ask(&["symbolic-ref", "-q", "HEAD"])?.ok_or_else(|| {
            let message = "no branch is checked out (HEAD is detached): check one out, or make one \
                 here with `git switch -c NAME`";
            GitError::new(GitCode::Detached, message)
        })
    }

    /// The commit that is checked out, if there is any yet.
    pub(super) fn head(&self) -> Result<Option<String>, GitError> {
        self.resolve("HEAD")
    }

    /// The commit that a name means, if there is one.
    pub(super) fn resolve(&self, name: &str) -> Result<Option<String>, GitError> {
        self.git.ask(&["rev-parse", "-q", "--verify", &format!("{name}^{{commit}}")])
    }

    /// The commit that is checked out.
    pub(super) fn tip(&self) -> Result<Commit, GitError> {
        let none = || GitError::new(GitCode::NoCommit, "the repository has no commit yet");
        let head = self.head()?.ok_or_else(none)?;
        self.commit(&head)
    }

    /// A commit by its name.
    pub(super) fn commit(&self, name: &str) -> Result<Commit, GitError> {
        let mut found = self.commits(&["--no-walk", name])?;
        found.pop().ok_or_else(|| {
            GitError::new(GitCode::Failed, format!("git does not show the commit {name}"))
        })
    }

    /// The commits that `git log` gives with these arguments, in its order.
    pub(super) fn commits(&self, arguments: &[&str]) -> Result<Vec<Commit>, GitError> {
        let all = ["log", "-z", "--no-show-signature", "--encoding=UTF-8", FORMAT];
        let all: Vec<&str> = all.iter().chain(arguments).copied().collect();
        let printed = self.git.run(&all)?;
        let records = printed.split(|byte| *byte == 0).filter(|record| !record.is_empty());
        Ok(records.filter_map(|record| Commit::parse(&String::from_utf8_lossy(record))).collect())
    }
}

impl Commit {
    fn parse(record: &str) -> Option<Commit> {
        let mut fields = record.splitn(6, '\u{1f}');
        let mut next = || fields.next().map(str::to_owned);
        let (id, tree) = (next()?, next()?);
        let (parents, time, subject) = (next()?, next()?, next()?);
        let parents = parents.split_whitespace().map(str::to_owned).collect();
        let time = time.parse().ok()?;
        let message = next().unwrap_or_default();
        Some(Commit { id, subject, tree, parents, time, message })
    }

    /// Whether it is the result of an apply.
    pub fn is_ai(&self) -> bool {
        self.subject.starts_with(AI)
    }

    /// The commit for people: `1a2b3c4d5e "AI: edit a.txt"`.
    pub fn title(&self) -> String {
        format!("{} \"{}\"", self.short(), self.subject)
    }

    /// The first digits of its name.
    pub fn short(&self) -> &str {
        self.id.get(..10).unwrap_or(&self.id)
    }
}

/// Some names, and how many more there are.
pub(super) fn listed(names: &[String]) -> String {
    const MOST: usize = 10;
    let more = names.len().saturating_sub(MOST);
    let names = names[..names.len() - more].join(", ");
    if more == 0 { names } else { format!("{names} and {more} more") }
}

/// The path that git printed, in a line of its own.
fn path_in_line(mut printed: Vec<u8>) -> PathBuf {
    if printed.last() == Some(&b'\n') {
        printed.pop();
    }
    #[cfg(not(unix))]
    if printed.last() == Some(&b'\r') {
        printed.pop();
    }
    path_of(printed)
}

/// A path as git has it.
#[cfg(unix)]
pub(super) fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

/// A path as git has it.
#[cfg(not(unix))]
pub(super) fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
