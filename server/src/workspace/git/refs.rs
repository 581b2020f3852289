//! The refs that keep what a branch no longer leads to.

use super::{GitError, Repository};

/// Where the ref of every commit is that a branch had and no longer leads to.
const KEPT: &str = "refs/operator-lsp/kept/";
/// Where the refs are that forward leads to, by branch.
const FORWARD: &str = "refs/operator-lsp/forward/";

/// The name of the ref that keeps a commit.
pub(super) fn kept(commit: &str) -> String {
    format!("{KEPT}{commit}")
}

/// The name of the ref that forward leads to from a branch (`refs/heads/…`).
pub(super) fn forward(branch: &str) -> String {
    format!("{FORWARD}{}", branch.strip_prefix("refs/heads/").unwrap_or(branch))
}

impl Repository {
    /// Changes refs, all or none. Each line is a command of `git update-ref --stdin`.
    pub(super) fn update_refs(&self, message: &str, lines: &[String]) -> Result<(), GitError> {
        let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.git.run_on(&["update-ref", "-m", message, "--stdin"], Some(input.as_bytes()))?;
        Ok(())
    }
}
