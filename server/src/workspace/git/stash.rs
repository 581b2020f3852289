//! Work that is not committed, put aside at one commit and taken out again there.

use super::program::line;
use super::{GitCode, GitError, Repository};

/// The outcome of work that was put aside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TakenOut {
    /// The files that are back, by their paths below the top.
    pub(super) restored: Vec<String>,
    /// The files that are in the way; then the stash is still there.
    pub(super) conflicts: Vec<String>,
    /// The stash that is still there, as git names it.
    pub(super) stash: Option<String>,
}

/// What the message of a stash of ours begins with, before the branch.
const MESSAGE: &str = "operator-lsp: work on ";
/// What is between the branch and the commit.
const AT: &str = " at ";

/// One stash.
#[derive(Debug)]
pub(super) struct Stash {
    /// `stash@{n}`, as long as the list does not change.
    name: String,
    /// Its own commit.
    pub(super) commit: String,
    /// The commit that the work was put aside at.
    base: String,
    /// When it was made, in seconds since 1970.
    pub(super) time: i64,
    /// What the list says of it.
    subject: String,
}

impl Stash {
    /// The branch, by its short name, and the commit that it belongs to; `None` where it is not one
    /// of ours.
    pub(super) fn owner(&self) -> Option<(&str, &str)> {
        let (_, message) = self.subject.strip_prefix("On ")?.split_once(": ")?;
        let owner = message.strip_prefix(MESSAGE)?.rsplit_once(AT)?;
        (owner.1 == self.base).then_some(owner)
    }
}

impl Repository {
    /// Puts everything aside that is not committed, in a stash that belongs to this commit of this
    /// branch. Gives the files.
    pub(super) fn put_aside(&self, branch: &str, commit: &str) -> Result<Vec<String>, GitError> {
        let before = self.status()?;
        if before.is_empty() {
            return Ok(Vec::new());
        }
        let message = message(branch, commit);
        self.git.run(&["stash", "push", "-q", "--include-untracked", "-m", &message])?;
        // A submodule stays as it is.
        let still = self.status()?;
        let gone = before.iter().filter(|entry| !still.iter().any(|it| it.path == entry.path));
        Ok(gone.map(|entry| entry.name()).collect())
    }

    /// Takes out what was last put aside at this commit of this branch; `None` where nothing was.
    pub(super) fn take_out(
        &self,
        branch: &str,
        commit: &str,
    ) -> Result<Option<TakenOut>, GitError> {
        let Some(stash) = self.stash(branch, commit)? else { return Ok(None) };
        let files = self.stashed(&stash)?;
        let stays = |restored, conflicts| {
            let stash = Some(stash.name.clone());
            Ok(Some(TakenOut { restored, conflicts, stash }))
        };
        // Git would bring back the others and leave these, so that nothing fits any more.
        if !files.in_the_way.is_empty() {
            return stays(Vec::new(), files.in_the_way);
        }
        let output = self.git.output(&["stash", "pop", "-q", "--index", &stash.name], None)?;
        if output.status.success() {
            return Ok(Some(TakenOut { restored: files.all, ..TakenOut::default() }));
        }
        let status = self.status()?;
        let is_back = |file: &String| {
            status.iter().any(|entry| !entry.unmerged && entry.path == file.as_bytes())
        };
        let (restored, conflicts) = files.all.into_iter().partition(is_back);
        stays(restored, conflicts)
    }

    fn stash(&self, branch: &str, commit: &str) -> Result<Option<Stash>, GitError> {
        let ours = message(branch, commit);
        Ok(self.stashes()?.into_iter().find(|stash| stash.subject.ends_with(&ours)))
    }

    /// The stashes that steps have made and that no step has taken out, the newest first.
    pub(super) fn own_stashes(&self) -> Result<Vec<Stash>, GitError> {
        Ok(self.stashes()?.into_iter().filter(|stash| stash.owner().is_some()).collect())
    }

    /// All stashes, the newest first.
    fn stashes(&self) -> Result<Vec<Stash>, GitError> {
        let printed = self.git.run(&["stash", "list", "-z", "--format=%H%x1f%P%x1f%ct%x1f%gs"])?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let parsed = printed.split('\0').enumerate().filter_map(|(number, record)| {
            let mut fields = record.splitn(4, '\u{1f}');
            let mut next = || fields.next().map(str::to_owned);
            let (commit, parents, time, subject) = (next()?, next()?, next()?, next()?);
            let base = parents.split(' ').next()?.to_owned();
            let (name, time) = (format!("stash@{{{number}}}"), time.parse().ok()?);
            Some(Stash { name, commit, base, time, subject })
        });
        Ok(parsed.collect())
    }

    /// Drops a stash, and no other one: it is searched for once more by its commit and its message,
    /// and if the list changes before git drops it, what git has dropped is put back. Whether it is
    /// gone.
    pub(super) fn drop_stash(&self, stash: &Stash) -> Result<bool, GitError> {
        let all = self.stashes()?;
        let is_it = |it: &&Stash| it.commit == stash.commit && it.subject == stash.subject;
        let Some(now) = all.iter().find(is_it) else { return Ok(false) };
        let said = line(&self.git.run(&["stash", "drop", &now.name])?);
        // `Dropped stash@{0} (<commit>)`
        let dropped = said.rsplit_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
        let Some(dropped) = dropped else {
            let message = format!("`git stash drop` does not say which stash it dropped: {said}");
            return Err(GitError::new(GitCode::Failed, message));
        };
        if dropped == stash.commit {
            return Ok(true);
        }
        let subject = match all.into_iter().find(|it| it.commit == dropped) {
            Some(known) => known.subject,
            None => self.commit(dropped)?.subject,
        };
        self.git.run(&["stash", "store", "-q", "-m", &subject, dropped])?;
        Ok(false)
    }

    fn stashed(&self, stash: &Stash) -> Result<Files, GitError> {
        let names = |printed: Vec<u8>| -> Vec<String> {
            let printed = String::from_utf8_lossy(&printed).into_owned();
            printed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
        };
        let commit = &stash.commit;
        let base = format!("{commit}^1");
        let diff = ["diff", "--name-only", "--no-renames", "-z", &base, commit];
        let mut all = names(self.git.run(&diff)?);
        let mut in_the_way = Vec::new();
        let tree = format!("{commit}^3");
        if self.resolve(&tree)?.is_some() {
            let untracked = names(self.git.run(&["ls-tree", "-r", "--name-only", "-z", &tree])?);
            let is_there = |name: &&String| self.top.join(name).symlink_metadata().is_ok();
            in_the_way.extend(untracked.iter().filter(is_there).cloned());
            all.extend(untracked);
        }
        all.sort();
        Ok(Files { all, in_the_way })
    }
}

/// The files of a stash.
struct Files {
    all: Vec<String>,
    /// The untracked ones of them where a file is already.
    in_the_way: Vec<String>,
}

fn message(branch: &str, commit: &str) -> String {
    format!("{MESSAGE}{}{AT}{commit}", short(branch))
}

/// A branch as people name it.
pub(super) fn short(branch: &str) -> &str {
    branch.strip_prefix("refs/heads/").unwrap_or(branch)
}
