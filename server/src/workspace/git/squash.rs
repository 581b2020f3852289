//! Several AI commits as one.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::program::line;
use super::repository::{Commit, listed};
use super::stash::short;
use super::{AI, GitCode, GitError, Pruned, Repository, refs};

/// Which AI commits are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// Those since the last commit that is not one of them.
    SinceOwn,
    /// The newest ones, so many of them.
    Last(usize),
    /// Those of the last so many hours.
    Hours(u64),
    /// Those of the last so many days of 24 hours.
    Days(u64),
    /// Those whose message holds this text, case and all.
    Contains(String),
}

/// The outcome of several commits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Squashed {
    /// The branch.
    pub branch: String,
    /// The commit that stands for them.
    pub commit: Commit,
    /// The commits that it stands for, the newest first.
    pub replaced: Vec<Commit>,
    /// The ref that keeps them.
    pub kept: String,
    /// What is not kept any longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<Pruned>,
}

impl Repository {
    /// Puts one commit in the place of the AI commits that are selected, which must be the
    /// branch's last. The old ones are kept under a ref; files and index are not touched.
    ///
    /// # Errors
    /// Why not, with the commits that prevent it; then nothing is changed.
    pub fn squash(
        &self,
        selection: &Selection,
        message: Option<&str>,
    ) -> Result<Squashed, GitError> {
        self.check()?;
        let (branch, tip) = (self.branch()?, self.tip()?);
        let replaced = self.selected(selection)?;
        let Some(oldest) = replaced.last() else {
            let message = format!("no AI commit of this branch {}", selection.wants());
            return Err(GitError::new(GitCode::NotAi, message));
        };
        self.refuse_gaps(&replaced, oldest)?;
        refuse("merge commits cannot be squashed", GitCode::Merge, &replaced, |commit| {
            Ok(commit.parents.len() > 1)
        })?;
        if replaced.len() < 2 {
            let message = format!("only {} is selected: nothing to squash", oldest.title());
            return Err(GitError::new(GitCode::TooFew, message));
        }
        let remotes = self.remotes_with(oldest)?;
        if !remotes.is_empty() {
            let says = format!("commits that are already on {} stay", remotes.join(", "));
            refuse(&says, GitCode::Pushed, &replaced, |commit| {
                Ok(!self.remotes_with(commit)?.is_empty())
            })?;
        }
        let message = message.map_or_else(|| default_message(&replaced), ai_message);
        let commit = self.commit_tree(&tip.id, oldest.parents.first(), &message)?;
        let kept = refs::kept(&tip.id);
        let keep = self.keep(&branch, &tip.id)?;
        let lines = [keep, format!("update {branch} {commit} {}", tip.id)];
        self.update_refs("operator-lsp history squash", &lines)?;
        let (branch, commit) = (short(&branch).to_owned(), self.commit(&commit)?);
        Ok(Squashed { branch, commit, replaced, kept, pruned: self.prune() })
    }

    fn selected(&self, selection: &Selection) -> Result<Vec<Commit>, GitError> {
        let mut commits = self.ai_commits()?;
        match selection {
            Selection::SinceOwn => {
                commits = self.commits(&["--first-parent", "HEAD"])?;
                let own = commits.iter().position(|commit| !commit.is_ai());
                commits.truncate(own.unwrap_or(commits.len()));
            }
            Selection::Last(number) => {
                if commits.len() < *number {
                    let (number, s) = (commits.len(), if commits.len() == 1 { "" } else { "s" });
                    let message = format!("the branch has only {number} AI commit{s}");
                    return Err(GitError::new(GitCode::TooFew, message));
                }
                commits.truncate(*number);
            }
            Selection::Hours(hours) => commits.retain(|commit| commit.is_within(*hours)),
            Selection::Days(days) => {
                commits.retain(|commit| commit.is_within(days.saturating_mul(24)));
            }
            Selection::Contains(text) => commits.retain(|commit| commit.message.contains(text)),
        }
        Ok(commits)
    }

    /// Refuses where a commit that is not selected is on one that is.
    fn refuse_gaps(&self, selected: &[Commit], oldest: &Commit) -> Result<(), GitError> {
        let range = match oldest.parents.first() {
            Some(parent) => format!("{parent}..HEAD"),
            None => "HEAD".to_owned(),
        };
        let all = self.commits(&["--first-parent", &range])?;
        let is_other = |commit: &Commit| !selected.iter().any(|known| known.id == commit.id);
        refuse(
            "only AI commits that follow one another up to the last commit of the branch can be \
             squashed; these are in between",
            GitCode::Gap,
            &all,
            |commit| Ok(is_other(commit)),
        )
    }

    /// A commit of the same tree as `tip`.
    fn commit_tree(
        &self,
        tip: &str,
        parent: Option<&String>,
        message: &str,
    ) -> Result<String, GitError> {
        let tree = format!("{tip}^{{tree}}");
        let mut arguments = vec!["commit-tree", &tree, "-F", "-"];
        if let Some(parent) = parent {
            arguments.extend(["-p", parent]);
        }
        let sign = self.git.ask(&["config", "--type=bool", "commit.gpgSign"])?;
        if sign.as_deref() == Some("true") {
            arguments.push("-S");
        }
        Ok(line(&self.git.run_on(&arguments, Some(message.as_bytes()))?))
    }
}

impl Commit {
    /// Whether it was made in the last so many hours.
    fn is_within(&self, hours: u64) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let start = now.saturating_sub(hours.saturating_mul(3600));
        self.time >= i64::try_from(start).unwrap_or(i64::MAX)
    }
}

impl Selection {
    fn wants(&self) -> String {
        match self {
            Selection::SinceOwn => "comes after the last commit of a person".to_owned(),
            Selection::Last(number) => format!("is among the last {number}"),
            Selection::Hours(hours) => format!("is from the last {hours} hours"),
            Selection::Days(days) => format!("is from the last {days} days"),
            Selection::Contains(text) => format!("has {text:?} in its message"),
        }
    }
}

/// Refuses with the commits that are of a kind.
fn refuse(
    says: &str,
    code: GitCode,
    commits: &[Commit],
    is_wrong: impl Fn(&Commit) -> Result<bool, GitError>,
) -> Result<(), GitError> {
    let mut wrong = Vec::new();
    for commit in commits {
        if is_wrong(commit)? {
            wrong.push(commit.title());
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(GitError::new(code, format!("{says}: {}", listed(&wrong))))
}

/// A message that makes an AI commit.
fn ai_message(text: &str) -> String {
    let text = text.trim();
    if text.starts_with(AI) { text.to_owned() } else { format!("{AI}{text}") }
}

/// How many commits, and what each says of itself, the oldest first.
fn default_message(replaced: &[Commit]) -> String {
    let mut message = format!("{AI}{} commits squashed\n", replaced.len());
    for commit in replaced.iter().rev() {
        let subject = commit.subject.strip_prefix(AI).unwrap_or(&commit.subject);
        message.push_str(&format!("\n* {subject}"));
    }
    message
}
