//! Why git does not do what it is asked for, as a person reads it.

use serde::{Serialize, Serializer};

/// What kind of reason it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitCode {
    /// There is no `git` program.
    NoGit,
    /// The workspace is in no work tree.
    NotARepository,
    /// Git does not know who commits.
    NoIdentity,
    /// A merge, a rebase or the like is not finished.
    Unfinished,
    /// Another git command has the index.
    Locked,
    /// No branch is checked out.
    Detached,
    /// The repository has no commit.
    NoCommit,
    /// There is no AI commit to act on.
    NotAi,
    /// Something has changed since the last AI commit.
    Changed,
    /// There is no commit before this one.
    First,
    /// There is no commit to go forward to.
    NoForward,
    /// The branch has other commits than the ones that forward leads along.
    Diverged,
    /// The commits are on a remote branch already.
    Pushed,
    /// What is selected is not a run of commits that ends at the branch's.
    Gap,
    /// A merge is among the commits.
    Merge,
    /// There are fewer commits than asked for.
    TooFew,
    /// A file that git ignores is where a commit has one.
    InTheWay,
    /// More untracked files would go into a stash than it takes.
    TooMuchUntracked,
    /// A file goes through a filter that may run a program of the workspace.
    Filtered,
    /// Whatever git itself says.
    Failed,
}

/// Why git does not do what it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GitError {
    /// The kind of reason.
    pub code: GitCode,
    /// The reason, and what to do.
    pub message: String,
}

impl GitError {
    /// A reason of this kind.
    pub fn new(code: GitCode, message: impl Into<String>) -> GitError {
        GitError { code, message: message.into() }
    }
}

impl GitCode {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            GitCode::NoGit => "git/no-git",
            GitCode::NotARepository => "git/not-a-repository",
            GitCode::NoIdentity => "git/no-identity",
            GitCode::Unfinished => "git/unfinished",
            GitCode::Locked => "git/locked",
            GitCode::Detached => "git/detached-head",
            GitCode::NoCommit => "git/no-commit",
            GitCode::NotAi => "git/not-an-ai-commit",
            GitCode::Changed => "git/changed-since",
            GitCode::First => "git/first-commit",
            GitCode::NoForward => "git/no-forward",
            GitCode::Diverged => "git/diverged",
            GitCode::Pushed => "git/pushed",
            GitCode::Gap => "git/not-contiguous",
            GitCode::Merge => "git/merge-commit",
            GitCode::TooFew => "git/too-few",
            GitCode::InTheWay => "git/in-the-way",
            GitCode::TooMuchUntracked => "git/too-much-untracked",
            GitCode::Filtered => "git/filtered",
            GitCode::Failed => "git/failed",
        }
    }

    /// Whether nothing can be done here now, whatever the commits are.
    pub fn is_failure(self) -> bool {
        use GitCode::{Failed, Locked, NoGit, NoIdentity, NotARepository};
        matches!(self, NoGit | NotARepository | NoIdentity | Locked | Failed)
    }
}

impl Serialize for GitCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
