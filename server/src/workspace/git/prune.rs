//! How much of what steps leave behind is kept: commits below `refs/operator-lsp/kept/`, and stashes.

use std::collections::{HashMap, HashSet};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::repository::Commit;
use super::stash::short;
use super::{GitError, Repository, refs};

/// How many there are of each kind, as many as the journal has transactions; and how many commits
/// back a branch's place reaches, see [`Repository::prune`].
const KEPT: usize = 20;
/// For how many days each is kept.
const DAYS: u64 = 90;

/// What is not kept any longer. Git still has the commit until its next garbage collection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Pruned {
    /// A commit that a branch had before.
    Kept {
        /// The commit.
        commit: String,
        /// The ref that kept it.
        #[serde(rename = "ref")]
        name: String,
    },
    /// A stash of a step.
    Stash {
        /// The stash's own commit, which `git stash apply` takes.
        commit: String,
        /// The branch that the work was done on.
        branch: String,
    },
}

/// The commits that steps can reach from the branches' places, looked up once for each branch.
struct Places<'a> {
    repository: &'a Repository,
    known: HashMap<String, Vec<Commit>>,
}

impl Repository {
    /// Drops the kept commits and the stashes of steps that are older than [`DAYS`], and the
    /// oldest ones until [`KEPT`] of each kind are left. Gives what was dropped.
    ///
    /// What is needed to come back is not dropped, whatever its age and number. The *place* of a
    /// branch is its last [`KEPT`] commits along first parents and the commits that `forward`
    /// leads along. Needed is
    ///
    /// * a kept commit that its branch's place has: a step leads there;
    /// * the newest kept commit with the files of a commit of that place: what a squash replaced
    ///   is the only way back from the squash;
    /// * a kept commit that the message of a commit of that place names: what was staged is the
    ///   only way back to that;
    /// * a stash whose commit its branch's place has: a step that arrives there takes it out.
    ///
    /// A branch that is gone has only what forward leads to. What somebody else has put there is neither counted nor dropped. Where git fails, the next
    /// step tries again.
    pub(super) fn prune(&self) -> Vec<Pruned> {
        let mut places = Places { repository: self, known: HashMap::new() };
        let mut pruned = self.prune_kept(&mut places).unwrap_or_default();
        // Each is gone for itself, so that those before a failure are told.
        let _ = self.prune_stashes(&mut places, &mut pruned);
        pruned
    }

    fn prune_kept(&self, places: &mut Places) -> Result<Vec<Pruned>, GitError> {
        let (mut lines, mut pruned, mut trees) = (Vec::new(), Vec::new(), HashSet::new());
        for (number, kept) in self.kept()?.into_iter().enumerate() {
            let is_newest = trees.insert(kept.tree.clone());
            if number < KEPT && !is_old(kept.time) {
                continue;
            }
            let name = refs::kept(&kept.commit);
            let is_needed = places.of(kept.branch.as_deref())?.iter().any(|it| {
                it.id == kept.commit
                    || is_newest && it.tree == kept.tree
                    || it.message.contains(&name)
            });
            if !is_needed {
                // Only as it is: a step of another process may have just kept it again.
                lines.push(format!("delete {name} {}", kept.object));
                pruned.push(Pruned::Kept { commit: kept.commit, name });
            }
        }
        if !lines.is_empty() {
            self.update_refs("operator-lsp", &lines)?;
        }
        Ok(pruned)
    }

    fn prune_stashes(&self, places: &mut Places, pruned: &mut Vec<Pruned>) -> Result<(), GitError> {
        for (number, stash) in self.own_stashes()?.iter().enumerate() {
            if number < KEPT && !is_old(stash.time) {
                continue;
            }
            let Some((branch, commit)) = stash.owner() else { continue };
            let is_needed = places.of(Some(branch))?.iter().any(|it| it.id == commit);
            if !is_needed && self.drop_stash(stash)? {
                let (commit, branch) = (stash.commit.clone(), branch.to_owned());
                pruned.push(Pruned::Stash { commit, branch });
            }
        }
        Ok(())
    }
}

impl Places<'_> {
    /// The place of a branch by its short name; of the one that is checked out where it is not
    /// known.
    fn of(&mut self, branch: Option<&str>) -> Result<&[Commit], GitError> {
        let branch = match branch {
            Some(branch) => branch.to_owned(),
            None => short(&self.repository.branch()?).to_owned(),
        };
        if !self.known.contains_key(&branch) {
            let place = self.look_up(&branch)?;
            self.known.insert(branch.clone(), place);
        }
        Ok(self.known.get(&branch).map(Vec::as_slice).unwrap_or_default())
    }

    fn look_up(&self, branch: &str) -> Result<Vec<Commit>, GitError> {
        let repository = self.repository;
        let last = format!("--max-count={KEPT}");
        let tip = repository.resolve(&format!("refs/heads/{branch}"))?;
        let mut place = match &tip {
            Some(tip) => repository.commits(&["--first-parent", &last, tip])?,
            None => Vec::new(),
        };
        if let Some(end) = repository.resolve(&refs::forward(branch))? {
            // Without the branch, nothing says where its way begins.
            let from = tip.map_or(last, |tip| format!("^{tip}"));
            place.extend(repository.commits(&["--first-parent", &end, &from])?);
        }
        Ok(place)
    }
}

/// Whether a time, in seconds since 1970, is too long ago.
fn is_old(time: i64) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let oldest = now.saturating_sub(DAYS * 24 * 3600);
    time < i64::try_from(oldest).unwrap_or(i64::MAX)
}
