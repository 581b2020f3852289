//! An apply as commits: what was there before, then what it did.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::index::Kept;
use super::repository::{Commit, Repository};
use super::status::Entry;
use super::{GitError, Summary, refs};

/// The message of the commit of what was there before.
const BEFORE: &str = "Uncommitted work before an AI edit";

/// The outcome of committing a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResultCommit {
    /// The commit; `None` where there was nothing to commit.
    pub commit: Option<Commit>,
    /// Files that the apply touched and that are not in the commit.
    pub left_out: Vec<LeftOut>,
}

/// A file that was touched and is not committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The path as it was given.
    pub path: String,
    /// Why it is left out.
    pub reason: &'static str,
}

/// Why a file in a repository inside of this one is left out.
const OWN_REPOSITORY: &str = "in a repository of its own";
/// Why a file that git ignores is left out.
const IGNORED: &str = "ignored by git";

impl LeftOut {
    /// Whether it is left out as the user wants it: git ignores it.
    pub fn is_ignored(&self) -> bool {
        self.reason == IGNORED
    }
}

impl Repository {
    /// Commits everything that is uncommitted, tracked or untracked, as one commit; `None` where
    /// there is nothing.
    ///
    /// # Errors
    /// Why it is not committed, a hook's reason for one; then the index is as it was.
    pub fn commit_before(&self) -> Result<Option<Commit>, GitError> {
        self.guarded()?.commit_all()
    }

    fn commit_all(&self) -> Result<Option<Commit>, GitError> {
        let entries = self.status()?;
        if entries.is_empty() {
            return Ok(None);
        }
        let mut message = BEFORE.to_owned();
        if entries.iter().any(|entry| entry.staged_apart) {
            let kept = self.keep_staged()?;
            message.push_str(&format!("\n\nWhat was staged in another state is kept as {kept}."));
        }
        self.refuse_signing()?;
        self.refuse_filtered(&names(&entries))?;
        let index = Kept::new(self)?;
        self.add(&paths(&entries))?;
        if self.nothing_staged()? {
            return Ok(None);
        }
        self.git.run(&["commit", "-q", "--cleanup=whitespace", "-m", &message])?;
        index.let_go();
        self.prune();
        self.tip().map(Some)
    }

    /// Commits what an apply did to the files at `touched` (absolute, with the name that the
    /// report has for each; a directory stands for what is in it), and nothing else.
    ///
    /// # Errors
    /// Why it is not committed, a hook's reason for one; then the index is as it was, and the
    /// files are untouched in any case.
    pub fn commit_result(
        &self,
        touched: &[(PathBuf, String)],
        summary: &Summary,
    ) -> Result<ResultCommit, GitError> {
        self.guarded()?.commit_touched(touched, summary)
    }

    fn commit_touched(
        &self,
        touched: &[(PathBuf, String)],
        summary: &Summary,
    ) -> Result<ResultCommit, GitError> {
        let mut left_out = Vec::new();
        let mut wanted: Vec<(String, &str)> = Vec::new();
        for (path, name) in touched {
            match self.below_top(path) {
                Ok(below) => wanted.push((below, name)),
                Err(reason) => left_out.push(LeftOut { path: name.clone(), reason }),
            }
        }
        left_out.extend(self.ignored(&wanted)?);
        left_out.extend(self.marked(&wanted)?);
        let wanted: HashSet<&[u8]> = wanted.iter().map(|(path, _)| path.as_bytes()).collect();
        let mut entries = self.status()?;
        entries.retain(|entry| is_covered(&entry.path, &wanted));
        if entries.is_empty() {
            return Ok(ResultCommit { commit: None, left_out });
        }
        self.refuse_signing()?;
        self.refuse_filtered(&names(&entries))?;
        let index = Kept::new(self)?;
        let paths = paths(&entries);
        self.add(&paths)?;
        if self.nothing_staged()? {
            return Ok(ResultCommit { commit: None, left_out });
        }
        let message = summary.message();
        let arguments = ["commit", "-q", "--only", "--cleanup=whitespace", "-m", &message];
        let arguments: Vec<&str> = arguments.iter().chain(&FROM_INPUT).copied().collect();
        self.git.run_on(&arguments, Some(&paths))?;
        index.let_go();
        Ok(ResultCommit { commit: Some(self.tip()?), left_out })
    }

    /// Keeps what is staged as it is under a ref, since the next commit takes what is on disk.
    /// Gives the ref.
    fn keep_staged(&self) -> Result<String, GitError> {
        let tree = super::program::line(&self.git.run(&["write-tree"])?);
        let mut arguments = vec!["commit-tree", &tree, "-m", "What was staged"];
        let head = self.head()?;
        if let Some(head) = &head {
            arguments.extend(["-p", head]);
        }
        let commit = super::program::line(&self.git.run(&arguments)?);
        let kept = refs::kept(&commit);
        let keep = self.keep(&self.branch()?, &commit)?;
        self.update_refs("operator-lsp", &[keep])?;
        Ok(kept)
    }

    fn add(&self, paths: &[u8]) -> Result<(), GitError> {
        let arguments: Vec<&str> = ["add", "-A"].iter().chain(&FROM_INPUT).copied().collect();
        self.git.run_on(&arguments, Some(paths)).map(drop)
    }

    fn nothing_staged(&self) -> Result<bool, GitError> {
        let arguments = [
            "diff",
            "--cached",
            "--quiet",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=dirty",
        ];
        Ok(self.git.ask(&arguments)?.is_some())
    }

    /// The path below the top, with `/`; else why it is not part of this repository.
    fn below_top(&self, path: &Path) -> Result<String, &'static str> {
        let below = path.strip_prefix(&self.top).map_err(|_| "outside the repository")?;
        let mut inside = below.ancestors().skip(1).filter(|it| !it.as_os_str().is_empty());
        if inside.any(|parent| self.top.join(parent).join(".git").exists()) {
            return Err(OWN_REPOSITORY);
        }
        let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
        Ok(names.join("/"))
    }

    /// Those of the files whose changes git is told not to see.
    fn marked(&self, files: &[(String, &str)]) -> Result<Vec<LeftOut>, GitError> {
        let printed = self.git.run(&["ls-files", "-v", "-z"])?;
        let lines = printed.split(|byte| *byte == 0);
        let marked: HashMap<&[u8], &'static str> = lines
            .filter_map(|line| {
                let reason = match line.first()? {
                    b'S' | b's' => "marked skip-worktree (`git update-index --no-skip-worktree`)",
                    mark if mark.is_ascii_lowercase() => {
                        "marked assume-unchanged (`git update-index --no-assume-unchanged`)"
                    }
                    _ => return None,
                };
                Some((line.get(2..)?, reason))
            })
            .collect();
        let of = |(path, name): &(String, &str)| {
            let reason = marked.get(path.as_bytes())?;
            Some(LeftOut { path: (*name).to_owned(), reason })
        };
        Ok(files.iter().filter_map(of).collect())
    }

    /// Those of the files that git ignores.
    fn ignored(&self, files: &[(String, &str)]) -> Result<Vec<LeftOut>, GitError> {
        let there: Vec<_> =
            files.iter().filter(|(path, _)| self.top.join(path).is_file()).collect();
        if there.is_empty() {
            return Ok(Vec::new());
        }
        let input: String = there.iter().map(|(path, _)| format!("{HERE}{path}\0")).collect();
        let arguments = ["check-ignore", "-z", "--stdin"];
        let output = self.git.output(&arguments, Some(input.as_bytes()))?;
        // It ends with 1 where none is ignored.
        if !matches!(output.status.code(), Some(0 | 1)) {
            return Err(super::program::failed(&arguments, &output));
        }
        let ignored: HashSet<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
        let is_ignored = |path: &str| ignored.contains(format!("{HERE}{path}").as_bytes());
        let left_out = there.into_iter().filter(|(path, _)| is_ignored(path));
        let reason = IGNORED;
        Ok(left_out.map(|(_, name)| LeftOut { path: (*name).to_owned(), reason }).collect())
    }
}

/// Has a path that begins with `:` be a path for a command that has no other way to say so.
const HERE: &str = "./";
/// Has a path be a path, whatever is in it.
pub(super) const LITERAL: &str = ":(literal)";
const FROM_INPUT: [&str; 2] = ["--pathspec-from-file=-", "--pathspec-file-nul"];

fn paths(entries: &[Entry]) -> Vec<u8> {
    let each = entries.iter().map(|entry| [LITERAL.as_bytes(), &entry.path, b"\0"].concat());
    each.collect::<Vec<_>>().concat()
}

fn names(entries: &[Entry]) -> Vec<u8> {
    let each = entries.iter().map(|entry| [entry.path.as_slice(), b"\0"].concat());
    each.collect::<Vec<_>>().concat()
}

/// Whether a file is one of the paths, or lies in one.
pub(super) fn is_covered(file: &[u8], paths: &HashSet<&[u8]>) -> bool {
    let folders = file.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    paths.contains(b"".as_slice())
        || folders.chain([file.len()]).any(|end| paths.contains(&file[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_covers_what_is_in_it() {
        let check = |path: &'static str, file: &str| {
            is_covered(file.as_bytes(), &HashSet::from([path.as_bytes()]))
        };
        assert!(check("d", "d") && check("d", "d/a") && check("d", "d/a/b") && check("", "x"));
        assert!(!check("d", "da") && !check("d/a", "d") && !check("a", "d/a"));
    }
}
