//! Applies as git commits: what was there before the client is asked, the result once it is saved.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use operator_core::edit::{Change, ChangeSet};
use operator_core::fingerprint::Fingerprint;
use operator_core::path::{FilePath, State};
use operator_core::snapshot::{Snapshot, Staged};
use tower_lsp::jsonrpc::Result;

use super::context::request_failed;
use super::sites::Site;
use crate::workspace::Workspace;
use crate::workspace::git::{GitError, Hooks, Repository, ResultCommit, Summary};

/// An apply that is to be committed once everything that it changes is saved.
pub struct ToCommit {
    workspace: Workspace,
    repository: Repository,
    files: Vec<File>,
    summary: Summary,
}

/// One path that an apply touches.
struct File {
    path: FilePath,
    before: State,
    after: State,
}

/// How far an apply is on its way into a commit.
pub enum Progress {
    /// Not everything is saved yet.
    Waiting,
    /// These were saved as something else, so it is not a result of the apply any more.
    Changed(Vec<String>),
    /// It is committed, as far as git takes it.
    Committed(ResultCommit),
    /// It cannot be committed.
    Failed(GitError),
}

/// Keeps the server's own threads from coming upon each other's locks in a repository.
pub fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder whose repository a transcript's applies are committed to.
///
/// # Errors
/// There is no workspace.
pub fn folder(site: &Site) -> Result<PathBuf> {
    let view = site.view();
    let home = view.resolve(".").map_err(|_| request_failed("no workspace folder is open"))?;
    Ok(view.workspace().absolute(&home))
}

/// Commits what is there before the changes are made. Gives whether hooks have run for that: then
/// the disk may be another one by now.
///
/// # Errors
/// Why it cannot be committed, and what to do: nothing is to be changed then.
pub fn prepare(site: &Site, changes: &ChangeSet, hooks: Hooks) -> Result<(Repository, bool)> {
    let failed = |error: GitError| request_failed(format!("nothing is applied: {error}"));
    let _alone = alone();
    let repository = Repository::open(&folder(site)?, hooks).map_err(failed)?;
    repository.check().map_err(failed)?;
    let view = site.view();
    let workspace = view.workspace().clone();
    let unsaved = files(changes, &view)?;
    let unsaved = unsaved.iter().filter(|file| workspace.state(&file.path) != Ok(file.before));
    let unsaved: Vec<_> = unsaved.map(|file| file.path.to_string()).collect();
    if !unsaved.is_empty() {
        return Err(request_failed(format!(
            "nothing is applied: save {} first, as git can only commit what is saved (the setting \
             git.commit is on)",
            unsaved.join(", ")
        )));
    }
    let before = repository.commit_before().map_err(failed)?;
    Ok((repository, before.is_some() && hooks == Hooks::Run))
}

impl ToCommit {
    /// The changes, which are about to be made.
    ///
    /// # Errors
    /// What they are made to cannot be read.
    pub fn new(site: &Site, repository: Repository, changes: &ChangeSet) -> Result<ToCommit> {
        let view = site.view();
        let files = files(changes, &view)?;
        let workspace = view.workspace().clone();
        Ok(ToCommit { workspace, repository, files, summary: summary(changes) })
    }

    /// Commits it if everything is saved.
    pub fn go_on(&self) -> Progress {
        let mut changed = Vec::new();
        let mut waiting = false;
        for file in &self.files {
            match self.workspace.state(&file.path) {
                Ok(state) if state == file.after => {}
                Ok(state) if self.is_on_the_way(file, state) => waiting = true,
                _ => changed.push(file.path.to_string()),
            }
        }
        if !changed.is_empty() {
            return Progress::Changed(changed);
        }
        if waiting {
            return Progress::Waiting;
        }
        let name = |file: &File| (self.workspace.absolute(&file.path), file.path.to_string());
        let touched: Vec<_> = self.files.iter().map(name).collect();
        let _alone = alone();
        let commit = self.repository.check();
        let commit = commit.and_then(|()| self.repository.commit_result(&touched, &self.summary));
        commit.map_or_else(Progress::Failed, Progress::Committed)
    }

    /// Whether a file is one that the editor has not saved yet. It makes a new file as an empty
    /// one, and a moved one with what it held, and has the rest in its buffer.
    fn is_on_the_way(&self, file: &File, state: State) -> bool {
        let empty = State::File(Fingerprint::of(b""));
        let elsewhere = || self.files.iter().any(|other| other.before == state);
        let is_new = file.before == State::Missing;
        state == file.before || is_new && (state == empty || elsewhere())
    }

    /// The files that the editor has as they are to be committed, and that are not saved.
    pub fn unsaved(&self, site: &Site) -> Vec<String> {
        let view = site.view();
        let is_unsaved = |file: &&File| {
            view.state(&file.path) == Ok(file.after)
                && self.workspace.state(&file.path).is_ok_and(|it| self.is_on_the_way(file, it))
        };
        self.files.iter().filter(is_unsaved).map(|file| file.path.to_string()).collect()
    }
}

/// Every path that the changes touch.
fn files(changes: &ChangeSet, view: &dyn Snapshot) -> Result<Vec<File>> {
    let mut paths: Vec<FilePath> = Vec::new();
    for change in changes.iter() {
        let from = match change {
            Change::Rename { from, .. } => Some(from),
            Change::CreateDirectory { .. } => continue,
            _ => None,
        };
        for path in from.into_iter().chain([change.path()]) {
            if !paths.contains(path) {
                paths.push(path.clone());
            }
        }
    }
    let mut staged = Staged::new(view);
    let unreadable = || request_failed("nothing is applied: the targets cannot be read");
    staged.stage(changes).map_err(|_| unreadable())?;
    let file = |path: FilePath| {
        let (before, after) = (view.state(&path).ok()?, staged.state(&path).ok()?);
        Some(File { path, before, after })
    };
    let files: Option<Vec<File>> = paths.into_iter().map(file).collect();
    // A path that comes and goes again is none that waits for anything.
    let files = files.ok_or_else(unreadable)?;
    Ok(files.into_iter().filter(|file| file.before != file.after).collect())
}

fn summary(changes: &ChangeSet) -> Summary {
    let mut summary = Summary::default();
    for change in changes.iter() {
        let path = change.path().to_string();
        match change {
            Change::Create { .. } => summary.add("create", &path),
            Change::Edit { .. } => summary.add("edit", &path),
            Change::Delete { .. } => summary.add("delete", &path),
            Change::Rename { from, .. } => summary.add("rename", &format!("{from} → {path}")),
            Change::CreateDirectory { .. } => {}
        }
    }
    summary
}
