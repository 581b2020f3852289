//! Git from the loop's side: results that wait to be saved, and moves between commits.

use std::sync::Arc;

use serde_json::Value;

use super::State;
use crate::history;
use crate::lsp::commits::{self, Progress, ToCommit};
use crate::lsp::context::request_failed;
use crate::lsp::event::{Event, Reply};
use crate::lsp::handlers::history as handler;
use crate::lsp::names::CommandName;
use crate::workspace::git::ResultCommit;

/// The applies that are to be committed, the oldest first.
#[derive(Default)]
pub struct Commits {
    waiting: Vec<Arc<ToCommit>>,
    /// Whether a thread is at it.
    running: bool,
    /// Whether something was saved since it began.
    again: bool,
}

impl State {
    /// Has an apply committed as soon as it is saved.
    pub(super) fn commit_later(&mut self, commit: Arc<ToCommit>) {
        self.commits.waiting.push(commit);
        self.commit_saved();
    }

    /// Says that an edit which the client has made by itself is in no commit.
    pub(super) fn warn_of_no_commit(&self) {
        if self.session.config.git_commit {
            let says = "the apply is not committed (git.commit): this editor takes no edits from a \
                 language server, so the previous content could not be committed first";
            self.outbox.warn(says.to_owned());
        }
    }

    /// Forgets an apply that is undone.
    pub(super) fn forget_commit(&mut self, commit: &Arc<ToCommit>) {
        self.commits.waiting.retain(|known| !Arc::ptr_eq(known, commit));
    }

    /// Every apply that is not committed yet.
    pub(super) fn waiting_commits(&self) -> Vec<Arc<ToCommit>> {
        self.commits.waiting.clone()
    }

    /// Something was saved: commits what is complete.
    pub(super) fn commit_saved(&mut self) {
        if self.commits.waiting.is_empty() {
            return;
        }
        if self.commits.running {
            self.commits.again = true;
            return;
        }
        let Some(events) = self.events.upgrade() else { return };
        self.commits.running = true;
        let waiting = self.commits.waiting.clone();
        tokio::task::spawn_blocking(move || {
            let looked = waiting.into_iter().map(|commit| {
                let progress = commit.go_on();
                (commit, progress)
            });
            let _ = events.send(Event::Committed(looked.collect()));
        });
    }

    pub(super) fn committed(&mut self, looked: Vec<(Arc<ToCommit>, Progress)>) {
        self.commits.running = false;
        for (commit, progress) in looked {
            if matches!(progress, Progress::Waiting) {
                continue;
            }
            self.forget_commit(&commit);
            self.say_progress(progress);
        }
        if std::mem::take(&mut self.commits.again) {
            self.commit_saved();
        }
    }

    fn say_progress(&self, progress: Progress) {
        match progress {
            Progress::Waiting => {}
            Progress::Changed(files) => self.outbox.warn(format!(
                "the apply is not committed, because {} was changed further before it was saved: \
                 commit it by hand",
                files.join(", ")
            )),
            Progress::Failed(error) => self.outbox.warn(format!(
                "the changes are made, but not committed: {error}\ncommit them by hand \
                 once that is fixed"
            )),
            Progress::Committed(ResultCommit { commit, left_out }) => {
                if let Some(commit) = commit {
                    self.outbox.log(format!("committed {} {}", commit.short(), commit.subject));
                }
                for file in left_out {
                    self.outbox.warn(format!("not committed: {} is {}", file.path, file.reason));
                }
            }
        }
    }

    /// Moves between commits.
    pub(super) fn move_history(
        &mut self,
        name: CommandName,
        arguments: &[Value],
        reply: Reply<Option<Value>>,
    ) {
        let (uri, wanted) = match handler::wanted(name, arguments) {
            Ok(wanted) => wanted,
            Err(error) => {
                let _ = reply.send(Err(error));
                return;
            }
        };
        let site = match &uri {
            Some(uri) => self.sites.of(uri),
            None => self.sites.of_path(""),
        };
        let events = self.events.clone();
        tokio::task::spawn_blocking(move || {
            let done = handler::refuse_unsaved(&site, &wanted).and_then(|()| {
                let folder = commits::folder(&site)?;
                let _alone = commits::alone();
                let done = history::run(&folder, &wanted);
                let done = done.map_err(|error| request_failed(error.message))?;
                Ok(history::answer(&wanted, Ok(&done)))
            });
            if let Some(events) = events.upgrade() {
                let _ = events.send(Event::FilesMoved);
            }
            let _ = reply.send(done.map(Some));
        });
    }
}
