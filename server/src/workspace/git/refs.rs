//! The refs that keep what a branch no longer leads to.

use super::program::line;
use super::stash::short;
use super::{GitError, Repository};

/// Where the ref of every commit is that a branch had and no longer leads to.
const KEPT: &str = "refs/operator-lsp/kept/";
/// Where the refs are that forward leads to, by branch.
const FORWARD: &str = "refs/operator-lsp/forward/";

/// The name of the ref that keeps a commit.
pub(super) fn kept(commit: &str) -> String {
    format!("{KEPT}{commit}")
}

/// The name of the ref that forward leads to from a branch (`refs/heads/…`, or its short name).
pub(super) fn forward(branch: &str) -> String {
    format!("{FORWARD}{}", short(branch))
}

/// A commit that is kept.
#[derive(Debug)]
pub(super) struct Kept {
    /// The commit.
    pub(super) commit: String,
    /// What its ref leads to: a tag or, where an older version made it, the commit itself.
    pub(super) object: String,
    /// The commit's tree.
    pub(super) tree: String,
    /// When it was kept, in seconds since 1970; of one without a tag, when it was made.
    pub(super) time: i64,
    /// The branch that had it, by its short name, if there is a tag to say so.
    pub(super) branch: Option<String>,
}

/// How a kept commit is printed: what its ref leads to, then the commit and the tree behind a tag,
/// which are empty for a commit.
const FORMAT: &str = "--format=%(refname)%1f%(objectname)%1f%(tree)%1f%(*objectname)%1f%(*tree)\
                      %1f%(creatordate:unix)%1f%(contents:subject)";
/// What the message of the tag of a kept commit begins with, before the branch.
const MESSAGE: &str = "operator-lsp: kept from ";

impl Kept {
    /// What `git for-each-ref` prints of one; `None` where it is not one of ours.
    fn parse(printed: &str) -> Option<Kept> {
        let fields: Vec<&str> = printed.splitn(7, '\u{1f}').collect();
        let &[name, object, tree, commit_behind, tree_behind, time, subject] = &fields[..] else {
            return None;
        };
        let branch = subject.strip_prefix(MESSAGE).filter(|_| !commit_behind.is_empty());
        let (commit, tree) = match branch {
            Some(_) => (commit_behind, tree_behind),
            None => (object, tree),
        };
        let (commit, time) = (commit.to_owned(), time.parse().ok()?);
        let (object, tree, branch) =
            (object.to_owned(), tree.to_owned(), branch.map(str::to_owned));
        (name == kept(&commit)).then_some(Kept { commit, object, tree, time, branch })
    }
}

impl Repository {
    /// Makes the tag that keeps a commit which `branch` (`refs/heads/…`) has had. Gives the line
    /// for [`Repository::update_refs`] that has the commit's ref lead there.
    pub(super) fn keep(&self, branch: &str, commit: &str) -> Result<String, GitError> {
        let who = line(&self.git.run(&["var", "GIT_COMMITTER_IDENT"])?);
        let branch = short(branch);
        let tag =
            format!("object {commit}\ntype commit\ntag kept\ntagger {who}\n\n{MESSAGE}{branch}\n");
        let tag = line(&self.git.run_on(&["mktag"], Some(tag.as_bytes()))?);
        Ok(format!("update {} {tag}", kept(commit)))
    }

    /// The kept commits, the newest first. Refs there that somebody else has made are left out.
    pub(super) fn kept(&self) -> Result<Vec<Kept>, GitError> {
        let printed = self.git.run(&["for-each-ref", "--sort=-creatordate", FORMAT, KEPT])?;
        Ok(String::from_utf8_lossy(&printed).lines().filter_map(Kept::parse).collect())
    }

    /// Changes refs, all or none. Each line is a command of `git update-ref --stdin`.
    pub(super) fn update_refs(&self, message: &str, lines: &[String]) -> Result<(), GitError> {
        let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.git.run_on(&["update-ref", "-m", message, "--stdin"], Some(input.as_bytes()))?;
        Ok(())
    }
}
