//! The ways back and forth: undo of the last AI commit, and steps to the next or last commit.

use std::collections::HashSet;

use serde::Serialize;

use super::commit::LITERAL;
use super::repository::{Commit, listed};
use super::stash::short;
use super::{GitCode, GitError, Pruned, Repository, refs};

/// Where a step led.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// The branch.
    pub branch: String,
    /// The commit that it was at.
    pub from: Commit,
    /// The commit that it is at now.
    pub to: Commit,
    /// Files with uncommitted work that was put into a stash.
    pub stashed_files: Vec<String>,
    /// Files with work that was in a stash and is back.
    pub restored_files: Vec<String>,
    /// Files of a stash that could not be brought back.
    pub conflicts: Vec<String>,
    /// The stash that they are still in.
    pub stash: Option<String>,
    /// What is not kept any longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<Pruned>,
}

/// A branch and the commit that it is at.
struct Place {
    /// `refs/heads/…`
    branch: String,
    tip: Commit,
}

impl Repository {
    /// Undoes the branch's last commit, which must be an AI commit that nothing has changed
    /// since. `forward` brings it back.
    ///
    /// # Errors
    /// Why not; then nothing is changed.
    pub fn undo(&self) -> Result<Moved, GitError> {
        let place = self.place()?;
        if !place.tip.is_ai() {
            return Err(self.no_ai_commit()?);
        }
        let dirty: Vec<_> = self.status()?.iter().map(|entry| entry.name()).collect();
        if !dirty.is_empty() {
            let message = format!(
                "these files have changed since the last AI commit, {}: {}; commit them or put \
                 them aside first (`history back` does that by itself)",
                place.tip.title(),
                listed(&dirty)
            );
            return Err(GitError::new(GitCode::Changed, message));
        }
        let remotes = self.remotes_with(&place.tip)?;
        if !remotes.is_empty() {
            let (title, short) = (place.tip.title(), place.tip.short());
            let message = format!(
                "{title} is already on {}: `git revert {short}` takes it back with a commit of \
                 its own",
                remotes.join(", ")
            );
            return Err(GitError::new(GitCode::Pushed, message));
        }
        self.step_back(&place)
    }

    /// Moves the branch to the commit before, with work that is not committed put aside.
    ///
    /// # Errors
    /// Why not; then nothing is changed.
    pub fn back(&self) -> Result<Moved, GitError> {
        self.step_back(&self.place()?)
    }

    /// Moves the branch to the commit that it came back from, with what was put aside there.
    ///
    /// # Errors
    /// Why not; then nothing is changed.
    pub fn forward(&self) -> Result<Moved, GitError> {
        let place = self.place()?;
        let forward = refs::forward(&place.branch);
        let end = self.resolve(&forward)?.filter(|end| *end != place.tip.id);
        let Some(end) = end else { return self.last_stash(&place) };
        let next = self.next(&place.tip.id, &end)?.ok_or_else(|| self.diverged(&place, &end))?;
        self.in_the_way(&place.tip.id, &next)?;
        self.refuse_untracked()?;
        let mut moved = self.go(&place, &next)?;
        if next == end {
            self.update_refs("operator-lsp", &[format!("delete {forward} {end}")])?;
        }
        self.prune_after(&mut moved);
        Ok(moved)
    }

    /// The AI commits of the branch, the newest first.
    pub(super) fn ai_commits(&self) -> Result<Vec<Commit>, GitError> {
        let pattern = ["--first-parent", "--basic-regexp", "--grep=^AI: ", "HEAD"];
        Ok(self.commits(&pattern)?.into_iter().filter(Commit::is_ai).collect())
    }

    /// The remote branches that a commit is on.
    pub(super) fn remotes_with(&self, commit: &Commit) -> Result<Vec<String>, GitError> {
        let arguments =
            ["for-each-ref", "--contains", &commit.id, "--format=%(refname:short)", "refs/remotes"];
        let printed = self.git.run(&arguments)?;
        Ok(String::from_utf8_lossy(&printed).lines().map(str::to_owned).collect())
    }

    fn place(&self) -> Result<Place, GitError> {
        self.check()?;
        Ok(Place { branch: self.branch()?, tip: self.tip()? })
    }

    fn no_ai_commit(&self) -> Result<GitError, GitError> {
        let Some(last) = self.ai_commits()?.into_iter().next() else {
            let message = "no AI commit on this branch (one whose message begins with \
                 `AI: `, as `apply --commit` makes it)";
            return Ok(GitError::new(GitCode::NotAi, message));
        };
        let since = self.commits(&["--first-parent", &format!("{}..HEAD", last.id)])?;
        let since: Vec<_> = since.iter().map(Commit::title).collect();
        let message = format!(
            "the last AI commit, {}, is not the last commit of the branch; since then there are: \
             {}. `git revert {}` takes it back with a commit of its own",
            last.title(),
            listed(&since),
            last.short()
        );
        Ok(GitError::new(GitCode::Changed, message))
    }

    fn step_back(&self, place: &Place) -> Result<Moved, GitError> {
        let Some(parent) = place.tip.parents.first() else {
            let message =
                format!("{} is the first commit: nothing is before it", place.tip.title());
            return Err(GitError::new(GitCode::First, message));
        };
        self.in_the_way(&place.tip.id, parent)?;
        self.refuse_untracked()?;
        self.remember_forward(place)?;
        let mut moved = self.go(place, parent)?;
        self.prune_after(&mut moved);
        Ok(moved)
    }

    /// Drops what is not needed any longer.
    fn prune_after(&self, moved: &mut Moved) {
        // The number of the stash that the user is told about is not to change.
        if moved.stash.is_none() {
            moved.pruned = self.prune();
        }
    }

    /// Has forward lead to where the branch is, unless it is on the way already.
    fn remember_forward(&self, place: &Place) -> Result<(), GitError> {
        let (forward, tip) = (refs::forward(&place.branch), &place.tip.id);
        let mut lines = Vec::new();
        if let Some(end) = self.resolve(&forward)? {
            if end == *tip || self.next(tip, &end)?.is_some() {
                return Ok(());
            }
            lines.push(self.keep(&place.branch, &end)?);
        }
        lines.push(format!("update {forward} {tip}"));
        self.update_refs("operator-lsp", &lines)
    }

    /// The commit after `commit` on the way along first parents to `end`; `None` where it is not
    /// on that way.
    fn next(&self, commit: &str, end: &str) -> Result<Option<String>, GitError> {
        let range = format!("{commit}..{end}");
        let printed = self.git.run(&["rev-list", "--first-parent", "--parents", &range])?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let mut last = printed.lines().last().unwrap_or_default().split(' ');
        let (next, parent) = (last.next(), last.next());
        Ok(next.filter(|_| parent == Some(commit)).map(str::to_owned))
    }

    /// Moves the branch to a commit. Work that is not committed is put aside before, and what was
    /// put aside at that commit is taken out.
    fn go(&self, place: &Place, target: &str) -> Result<Moved, GitError> {
        let Place { branch, tip } = place;
        let to = self.commit(target)?;
        let stashed_files = self.put_aside(branch, &tip.id)?;
        // Files that were saved again as they were are no changes, which `reset` does not look up.
        // It says by its exit code that others have changed, and `reset` refuses those by name.
        let _ = self.git.run(&["update-index", "-q", "--refresh"]);
        let reset = self.git.run(&["reset", "-q", "--keep", target]);
        // The branch is moved last: where it is there, what fails after that changes nothing.
        let is_there = || self.resolve("HEAD").is_ok_and(|head| head.as_deref() == Some(target));
        if let Err(error) = reset
            && !is_there()
        {
            if !stashed_files.is_empty() {
                self.take_out(branch, &tip.id)?;
            }
            return Err(error);
        }
        let taken = self.take_out(branch, target)?.unwrap_or_default();
        Ok(Moved {
            branch: short(branch).to_owned(),
            from: tip.clone(),
            to,
            stashed_files,
            restored_files: taken.restored,
            conflicts: taken.conflicts,
            stash: taken.stash,
            pruned: Vec::new(),
        })
    }

    /// Takes out what a step that was cut short has put aside here.
    fn last_stash(&self, place: &Place) -> Result<Moved, GitError> {
        let clean = self.status()?.is_empty();
        let taken = if clean { self.take_out(&place.branch, &place.tip.id)? } else { None };
        let Some(taken) = taken else {
            let message = "no commit to go forward to: forward leads to where `history \
                 back` and `history undo` came from";
            return Err(GitError::new(GitCode::NoForward, message));
        };
        Ok(Moved {
            branch: short(&place.branch).to_owned(),
            from: place.tip.clone(),
            to: place.tip.clone(),
            stashed_files: Vec::new(),
            restored_files: taken.restored,
            conflicts: taken.conflicts,
            stash: taken.stash,
            pruned: Vec::new(),
        })
    }

    fn diverged(&self, place: &Place, end: &str) -> GitError {
        let titles = |range: String| {
            let commits = self.commits(&["--first-parent", &range]).unwrap_or_default();
            listed(&commits.iter().map(Commit::title).collect::<Vec<_>>())
        };
        let since = titles(format!("{end}..HEAD"));
        let since = match since.is_empty() {
            true => "the branch was moved to another commit".to_owned(),
            false => format!("the branch has new commits: {since}"),
        };
        let message = format!(
            "cannot go forward: {since}; the commits that it led to are kept as {}: `git \
             cherry-pick` copies {}",
            refs::forward(&place.branch),
            titles(format!("HEAD..{end}"))
        );
        GitError::new(GitCode::Diverged, message)
    }

    /// Refuses where a file that git ignores is where the other commit has one: git would
    /// overwrite it.
    fn in_the_way(&self, from: &str, to: &str) -> Result<(), GitError> {
        let diff = |filter| {
            // The folder of a submodule is not touched by a move.
            let mut arguments = vec!["diff", "--name-only", "--no-renames", "-z"];
            arguments.extend(["--ignore-submodules=all", "--diff-filter", filter, from, to]);
            Ok(names(&self.git.run(&arguments)?))
        };
        let (added, removed): (Vec<_>, HashSet<_>) = (diff("A")?, diff("D")?.into_iter().collect());
        if added.is_empty() {
            return Ok(());
        }
        // What is not ignored is put aside.
        let stashed: HashSet<_> = self.status()?.iter().map(|entry| entry.name()).collect();
        let mut lost = Vec::new();
        for path in added {
            if self.top.join(&path).is_dir() && !self.top.join(&path).is_symlink() {
                let below = format!("{LITERAL}{path}");
                let inside = names(&self.git.run(&["ls-files", "-o", "-z", "--", &below])?);
                lost.extend(inside.into_iter().filter(|file| !stashed.contains(file)));
                continue;
            }
            // A file in the place of a folder is as much in the way as one in that of a file.
            let upwards = std::iter::successors(Some(path.as_str()), |at| {
                at.rsplit_once('/').map(|(parent, _)| parent)
            });
            let mut upwards = upwards.filter(|at| {
                let there = self.top.join(at).symlink_metadata();
                there.is_ok_and(|there| !there.is_dir())
            });
            lost.extend(upwards.next().map(str::to_owned));
        }
        lost.retain(|file| !stashed.contains(file) && !removed.contains(file));
        lost.dedup();
        if lost.is_empty() {
            return Ok(());
        }
        let message = format!(
            "these files are ignored by git and would be overwritten: {}; move them away first",
            listed(&lost)
        );
        Err(GitError::new(GitCode::InTheWay, message))
    }
}

fn names(printed: &[u8]) -> Vec<String> {
    let printed = String::from_utf8_lossy(printed);
    printed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
