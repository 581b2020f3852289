//! `apply --commit`: what was there before as a commit, and what was done as the next.

use std::cell::OnceCell;
use std::io;

use operator_core::path::FilePath;
use serde::Serialize;

use super::changed::{Changed, Kind};
use crate::cli::complain;
use crate::visible;
use crate::workspace::Workspace;
use crate::workspace::git::{Commit, GitCode, GitError, Hooks, LeftOut, Repository, Summary};

/// Commits what one run does.
pub struct Committer {
    repository: Repository,
    before: OnceCell<Option<Commit>>,
}

/// What was committed, as JSON shows it.
#[derive(Serialize)]
pub struct GitReport {
    /// What was there before; `None` where everything was committed already.
    before: Option<Commit>,
    /// What was done; `None` where nothing was.
    commit: Option<Commit>,
    /// What was done and is not committed.
    left_out: Vec<LeftOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<GitFailure>,
}

#[derive(Serialize)]
struct GitFailure {
    code: GitCode,
    message: String,
}

impl Committer {
    /// For a workspace whose repository can be committed to now.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn new(workspace: &Workspace, hooks: Hooks) -> Result<Committer, GitError> {
        let repository = Repository::open(&workspace.absolute(&FilePath::new(0, "")), hooks)?;
        repository.check()?;
        Ok(Committer { repository, before: OnceCell::new() })
    }

    /// Commits what is there before the first write; later calls do nothing.
    ///
    /// # Errors
    /// A [`GitError`] inside: nothing is to be written then.
    pub fn before(&self) -> io::Result<()> {
        if self.before.get().is_none() {
            let before = self.repository.check().and_then(|()| self.repository.commit_before());
            // Nobody else sets it: a committer stays on one thread.
            let _ = self.before.set(before.map_err(io::Error::other)?);
        }
        Ok(())
    }

    /// Commits what was changed.
    pub fn result(&self, workspace: &Workspace, changed: &[Changed]) -> GitReport {
        let mut summary = Summary::default();
        let mut touched = Vec::new();
        for file in changed {
            if file.kind != Kind::Mkdir {
                let from = file.from.as_ref().map(|from| format!("{from} → "));
                summary.add(file.kind.as_str(), &(from.unwrap_or_default() + &file.path));
            }
            for path in file.from.iter().chain([&file.path]) {
                let absolute = workspace.absolute(&FilePath::new(0, path.as_str()));
                touched.push((absolute, path.clone()));
            }
        }
        let before = self.before.get().cloned().flatten();
        match self.repository.commit_result(&touched, &summary) {
            Ok(result) => {
                let (commit, left_out) = (result.commit, result.left_out);
                GitReport { before, commit, left_out, error: None }
            }
            Err(GitError { code, message }) => {
                let error = Some(GitFailure { code, message });
                GitReport { before, commit: None, left_out: Vec::new(), error }
            }
        }
    }
}

impl GitReport {
    /// Whether what was done is committed, as far as git takes it.
    pub fn is_fine(&self) -> bool {
        self.error.is_none() && self.left_out.iter().all(LeftOut::is_ignored)
    }

    /// Says on standard error what was committed.
    ///
    /// # Errors
    /// Standard error is gone.
    pub fn say(&self, out: &mut dyn io::Write) -> io::Result<()> {
        for commit in self.before.iter().chain(&self.commit) {
            let subject = visible::one_line(&commit.subject);
            writeln!(out, "committed {} {subject}", commit.short())?;
        }
        for file in &self.left_out {
            let path = visible::one_line(&file.path);
            writeln!(out, "not committed: {path} is {}", file.reason)?;
        }
        if let Some(error) = &self.error {
            complain(&format!(
                "the changes are made, but not committed: {}\ncommit them by hand once \
                 that is fixed, or undo them with `operator-lsp undo`",
                error.message
            ));
        }
        Ok(())
    }
}

/// The reason of git's why a run could not go on, if it is one.
pub fn refusal(error: &io::Error) -> Option<&GitError> {
    error.get_ref()?.downcast_ref()
}
