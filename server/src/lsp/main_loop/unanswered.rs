//! The edits that the client was asked for and has not answered: another one of the same files is
//! refused until then, and a command that must know what they lead to waits for its turn.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;

use operator_core::ledger::BlockId;
use operator_core::path::FilePath;
use serde_json::Value;
use tokio::sync::watch;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{ExecuteCommandParams, Uri, WorkspaceEdit};

use super::{Meaning, State};
use crate::lsp::context::{Context, content_modified, request_failed};
use crate::lsp::event::{Event, Reply};
use crate::lsp::handlers::commands::{self, CommandArgument};
use crate::lsp::proto;

/// How long a command waits for each edit before it, which a person may have to confirm.
const TURN_TIMEOUT: Duration = Duration::from_secs(2);

/// The edits that are with the client, and the commands that make the next ones.
#[derive(Default)]
pub struct Unanswered(Vec<Weak<Files>>);

/// An edit that is with the client, as long as somebody has this.
pub struct WithClient {
    _files: Arc<Files>,
    _turn: Option<Turn>,
}

/// The turn of a command whose edit is made on what the earlier ones leave. Others wait as long as
/// somebody has this.
pub struct Turn {
    _own: Arc<Files>,
    /// The earlier ones that are not settled.
    before: Vec<Weak<Files>>,
    /// The block that the command was about when it came.
    block: Option<BlockId>,
}

/// The files that an edit changes, in the workspace with these folders.
#[derive(Default)]
struct Files {
    folders: Vec<PathBuf>,
    paths: BTreeSet<FilePath>,
    /// The documents among them and others, transcripts above all.
    documents: HashSet<Uri>,
    /// Ends with this.
    settled: watch::Sender<()>,
}

impl Unanswered {
    /// A file of those that an edit is with the client for.
    fn find(&self, files: &Files) -> Option<FilePath> {
        let known = self.0.iter().filter_map(Weak::upgrade);
        let mut known = known.filter(|known| known.folders == files.folders);
        known.find_map(|known| known.paths.intersection(&files.paths).next().cloned())
    }

    /// A document of those that an edit is with the client for.
    fn find_document(&self, files: &Files) -> Option<Uri> {
        let mut known = self.0.iter().filter_map(Weak::upgrade);
        known.find_map(|known| known.documents.intersection(&files.documents).next().cloned())
    }

    fn add(&mut self, files: Files) -> Arc<Files> {
        self.0.retain(|files| files.strong_count() > 0);
        let files = Arc::new(files);
        self.0.push(Arc::downgrade(&files));
        files
    }

    /// The turn of a command, after all that is not settled.
    fn turn(&mut self, block: Option<BlockId>) -> Turn {
        let own = self.add(Files::default());
        let before = self.0[..self.0.len() - 1].to_vec();
        Turn { _own: own, before, block }
    }
}

impl Turn {
    /// Whether there is nothing to wait for.
    fn has_come(&self) -> bool {
        self.before.is_empty()
    }

    /// Waits until it has come, or long enough: the edit then counts by itself, as one of other files.
    async fn come(&mut self) {
        for files in &self.before {
            let settled = files.upgrade().map(|files| files.settled.subscribe());
            if let Some(mut settled) = settled {
                let _ = tokio::time::timeout(TURN_TIMEOUT, settled.changed()).await;
            }
        }
        self.before.retain(|files| files.strong_count() > 0);
    }

    /// Whether something was settled that it has not waited for.
    fn is_past(&self) -> bool {
        self.before.iter().any(|files| files.strong_count() == 0)
    }

    /// Holds the block of a command against the one that it was about when it came.
    ///
    /// # Errors
    /// It is another one.
    pub fn check(&self, context: &Context, argument: &CommandArgument) -> Result<(), Error> {
        let (Some(then), Some(block)) = (self.block, argument.about.block) else { return Ok(()) };
        match context.proposal(block)?.id() == then {
            true => Ok(()),
            false => Err(content_modified("the transcript has changed since this was asked for")),
        }
    }
}

impl Files {
    fn of(meaning: &Meaning, edit: &WorkspaceEdit) -> Files {
        let files = Files { documents: proto::documents(edit), ..Files::default() };
        let (site, operations) = match meaning {
            Meaning::Nothing => return files,
            Meaning::Applied(sent) => (&sent.context.site, sent.works()),
            Meaning::Reversed(site, reversal) => (site, reversal.operation.works.clone()),
        };
        let transitions = operations.iter().flat_map(|work| &work.transitions);
        let paths = transitions.map(|it| it.path.clone()).collect();
        Files { folders: site.folders().to_vec(), paths, ..files }
    }
}

/// Says that an edit cannot be asked for.
fn not_answered(path: &dyn Display) -> Error {
    let says = "finish it there, or cancel it";
    request_failed(format!("the editor has not answered to the last edit of {path} yet: {says}"))
}

impl State {
    /// Runs a command once its turn has come: it must know what the edits before it have led to.
    pub(super) fn wait_for_turn(
        &mut self,
        params: ExecuteCommandParams,
        reply: Reply<Option<Value>>,
    ) {
        let block = self.block_of(&params);
        let mut turn = self.unanswered.turn(block);
        if turn.has_come() {
            return self.execute(params, reply, false, Some(turn));
        }
        let events = self.events.clone();
        tokio::spawn(async move {
            turn.come().await;
            if let Some(events) = events.upgrade() {
                let _ = events.send(Event::InTurn(params, reply, turn));
            }
        });
    }

    /// The block that a command is about, where that is known by now.
    fn block_of(&mut self, params: &ExecuteCommandParams) -> Option<BlockId> {
        let about = commands::argument(&params.arguments).ok()?.about;
        let context = self.context(&about.uri).filter(|_| self.is_settled(&about.uri))?;
        Some(context.proposal(about.block?).ok()?.id())
    }

    /// Notes that an edit is given to the client, whose command has this turn.
    ///
    /// # Errors
    /// The client has not answered to an edit of one of its files, which this one was made without;
    /// or what it is to do was done since it was made.
    pub(super) fn hold(
        &mut self,
        meaning: &Meaning,
        edit: &WorkspaceEdit,
        turn: Option<Turn>,
    ) -> Result<WithClient, Error> {
        let files = Files::of(meaning, edit);
        if let Some(path) = self.unanswered.find(&files) {
            return Err(not_answered(&path));
        }
        if let Some(uri) = self.unanswered.find_document(&files).filter(|_| turn.is_some()) {
            return Err(not_answered(&proto::file_name(&uri)));
        }
        if turn.as_ref().is_some_and(Turn::is_past) {
            return Err(content_modified("the editor has made another edit meanwhile"));
        }
        if let Some(path) = self.shown_and_gone(meaning, &files) {
            let says =
                format!("the editor still shows {path}, which is gone: close it there first");
            return Err(request_failed(says));
        }
        if self.was_done(meaning) {
            return Err(content_modified("it was applied meanwhile"));
        }
        Ok(WithClient { _files: self.unanswered.add(files), _turn: turn })
    }

    /// A document of the files of an edit that the client has not closed, though its file was deleted
    /// or moved: an edit that makes the file again would mix with what it shows.
    fn shown_and_gone(&self, meaning: &Meaning, files: &Files) -> Option<FilePath> {
        let site = match meaning {
            Meaning::Nothing => return None,
            Meaning::Applied(sent) => &sent.context.site,
            Meaning::Reversed(site, _) => site,
        };
        let shown = self.documents.keys().filter(|uri| site.file_of(uri).is_none());
        let mut shown = shown.filter_map(|uri| site.file(uri));
        shown.find(|file| {
            site.version(file).is_none() && files.paths.iter().any(|path| file.is_within(path))
        })
    }

    /// Whether a block of an edit was applied while the edit was made.
    fn was_done(&mut self, meaning: &Meaning) -> bool {
        let Meaning::Applied(sent) = meaning else { return false };
        let then = &sent.context.book().ledger;
        let transcript = sent.context.transcript();
        let now = self.shelf(&sent.context.site).ledger();
        sent.writes().any(|block| {
            let [then, now] =
                [then, now].map(|ledger| ledger.standing(&transcript, block.id, true).applied);
            now.is_some() && then.map(|by| by.operation) != now.map(|by| by.operation)
        })
    }
}
