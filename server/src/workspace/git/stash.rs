//! Work that is not committed, put aside at one commit and taken out again there.

use super::{GitError, Repository};

/// What became of work that was put aside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TakenOut {
    /// The files that are back, by their paths below the top.
    pub(super) restored: Vec<String>,
    /// The files that stand in the way; then the stash is still there.
    pub(super) conflicts: Vec<String>,
    /// The stash that is still there, as git names it.
    pub(super) stash: Option<String>,
}

/// One stash of ours.
struct Stash {
    /// `stash@{n}`
    name: String,
    commit: String,
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
        let printed = self.git.run(&["stash", "list", "-z", "--format=%H%x1f%gs"])?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let ours = message(branch, commit);
        let found = printed.split('\0').enumerate().find_map(|(number, record)| {
            let (commit, subject) = record.split_once('\u{1f}')?;
            let name = format!("stash@{{{number}}}");
            subject.ends_with(&ours).then(|| Stash { name, commit: commit.to_owned() })
        });
        Ok(found)
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
    /// The untracked ones of them where a file stands already.
    in_the_way: Vec<String>,
}

fn message(branch: &str, commit: &str) -> String {
    format!("operator-lsp: work on {} at {commit}", short(branch))
}

/// A branch as people name it.
pub(super) fn short(branch: &str) -> &str {
    branch.strip_prefix("refs/heads/").unwrap_or(branch)
}
