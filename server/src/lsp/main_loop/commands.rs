//! Commands from the loop's side: what the client is asked to change, and whether it was changed.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    ApplyWorkspaceEditParams, DocumentChanges, ExecuteCommandParams, Uri, WorkspaceEdit,
};

use super::{State, Turn, WithClient};
use crate::lsp::apply::{self, PendingApply};
use crate::lsp::context::{Context, request_failed};
use crate::lsp::event::{Event, Refused, Reply};
use crate::lsp::handlers::commands::{self, CommandArgument, Outcome};
use crate::lsp::names::CommandName;
use crate::lsp::proto;
use crate::lsp::requests::Read;
use crate::lsp::reviews::Needs;
use crate::lsp::shelf::Shelf;
use crate::lsp::sites::Site;
use crate::lsp::user_messages;
use crate::workspace::Reversal;

/// How long the answer to a command waits for the ledger to be written.
const KEPT_TIMEOUT: Duration = Duration::from_secs(5);

/// An edit that the client is to be asked for.
pub struct Asked {
    /// The edit.
    pub edit: WorkspaceEdit,
    /// What it is, for a person.
    pub label: String,
    /// What it means once it is made.
    pub meaning: Meaning,
    /// The turn of its command, where that waits for one.
    pub turn: Option<Turn>,
    /// Who waits for it.
    pub reply: Reply<Option<Value>>,
}

/// What an edit means once the client has made it.
pub enum Meaning {
    /// Nothing that must be remembered.
    Nothing,
    /// Proposals were applied.
    Applied(Arc<PendingApply>),
    /// An operation was undone or redone.
    Reversed(Site, Arc<Reversal>),
}

impl State {
    /// Runs a command. On the `first` attempt, a command that finds a file or the ledger changed on disk
    /// runs again after the next review. One that waits for its turn runs in it.
    pub(super) fn execute(
        &mut self,
        mut params: ExecuteCommandParams,
        reply: Reply<Option<Value>>,
        first: bool,
        turn: Option<Turn>,
    ) {
        let reply = match first && self.session.client.actions_are_commands {
            true => user_messages::show_errors(reply, self.outbox.clone()),
            false => reply,
        };
        let Some(name) = CommandName::parse(&params.command) else {
            let _ = reply.send(Err(Error::invalid_params("unknown command")));
            return;
        };
        if name.waits_for_turn() && turn.is_none() {
            return self.wait_for_turn(params, reply);
        }
        if name.is_of_operations() {
            return self.on_operations(name, &params.arguments, reply, turn);
        }
        if name.is_history() {
            return self.move_history(name, &params.arguments, reply);
        }
        if name == CommandName::Prompt {
            return self.prompt(&params.arguments, reply);
        }
        let argument = match commands::argument(&params.arguments) {
            Ok(argument) => argument,
            Err(error) => {
                let _ = reply.send(Err(error));
                return;
            }
        };
        let closed = || Err(Error::invalid_params("the document is not open"));
        if name == CommandName::Scan {
            let found = self.is_chat(&argument.about.uri);
            let _ = reply.send(if found { Ok(None) } else { closed() });
            return;
        }
        if name == CommandName::Applied {
            let extent = self.applied(&argument);
            return self.answer_once_kept(Ok(extent), reply);
        }
        let progress = (name == CommandName::ApplyAll && self.session.client.work_done_progress)
            .then(|| {
                let token = params.work_done_progress_params.work_done_token.take();
                self.outbox.progress("Applying all proposals".to_owned(), token)
            });
        let events = self.events.clone();
        let missing = closed();
        let uri = argument.about.uri.clone();
        let waiting = self.waiting_commits();
        let copied = self.documents.get(&uri).map(|it| it.copied.clone()).unwrap_or_default();
        let (transcript, outbox) = (uri.clone(), self.outbox.clone());
        let work = move |context: &Context| {
            turn.as_ref().map_or(Ok(()), |turn| turn.check(context, &argument))?;
            let outcome = commands::command(context, name, &argument, first, &waiting, &copied)?;
            Ok((outcome, turn))
        };
        let then = move |outcome: Result<_>, reply: Reply<Option<Value>>| {
            drop(progress);
            let (outcome, turn) = match outcome {
                Ok(outcome) => outcome,
                Err(error) => return drop(reply.send(Err(error))),
            };
            match outcome {
                Outcome::Changed { files, version } => {
                    let Some(events) = events.upgrade() else { return };
                    let error = apply::has_changed(&files);
                    let _ = events.send(Event::ChangedOnDisk(files));
                    let argument = params.arguments.first_mut();
                    let takes_hunks = argument.as_ref().is_some_and(|it| !it["hunks"].is_null());
                    if !first || takes_hunks {
                        let _ = reply.send(Err(error));
                        return;
                    }
                    // Of the same text, or of none.
                    if let Some(argument) = argument {
                        argument["version"] = version.into();
                    }
                    let _ = events.send(Event::CommandAgain(params, reply));
                }
                Outcome::Edit { edit, label, sent, fact } => {
                    if let (Some(events), Some(fact)) = (events.upgrade(), fact) {
                        let _ = events.send(Event::Told(fact));
                    }
                    let meaning = sent.map_or(Meaning::Nothing, Meaning::Applied);
                    let asked = Asked { edit, label, meaning, turn, reply };
                    if let Some(events) = events.upgrade() {
                        let _ = events.send(Event::Asked(Box::new(asked)));
                    }
                }
                Outcome::Run(to_run) => {
                    if let Some(events) = events.upgrade() {
                        let _ = events.send(Event::ToRun(to_run, reply));
                    }
                }
                Outcome::News { text, told } => {
                    if let Some(events) = events.upgrade() {
                        let _ = events.send(Event::Copied(transcript, told));
                    }
                    let _ = reply.send(Ok(Some(text.into())));
                }
                Outcome::Answer(value) => {
                    let _ = reply.send(Ok(Some(value)));
                }
                Outcome::Show(value, document) => {
                    document.into_iter().for_each(|document| outbox.show_document(document));
                    let _ = reply.send(Ok(Some(value)));
                }
            }
        };
        self.read(Read::new(uri, Needs::Review, reply, missing, work, then));
    }

    /// Asks the client for an edit, unless whoever wanted it has cancelled meanwhile.
    pub(super) fn ask(&mut self, asked: Asked) {
        let Asked { edit, label, mut meaning, turn, reply } = asked;
        if reply.is_closed() {
            return;
        }
        if is_empty(&edit) {
            // Reads alone: there is nothing that the client would need to do.
            return self.edit_answered(Ok(()), meaning, None, reply);
        }
        if !self.session.client.apply_edit {
            let instead = match self.session.client.code_action_literals {
                true => "a code action",
                false => "`operator-lsp` on the command line",
            };
            let says = "this editor does not take edits from a language server";
            let _ = reply.send(Err(request_failed(format!("{says}: use {instead}"))));
            return;
        }
        let held = match self.hold(&meaning, &edit, turn) {
            Ok(held) => held,
            Err(error) => return drop(reply.send(Err(error))),
        };
        if let Meaning::Applied(sent) = meaning {
            meaning = Meaning::Applied(self.give(Arc::unwrap_or_clone(sent)));
            let (turn, events) = (None, self.events.clone());
            let asked = Asked { edit, label, meaning, turn, reply };
            return self.once_on_record(move || {
                if let Some(events) = events.upgrade() {
                    let _ = events.send(Event::OnRecord(Box::new(asked), held));
                }
            });
        }
        self.ask_now(Asked { edit, label, meaning, turn: None, reply }, held);
    }

    /// Asks the client for an edit that is on record.
    pub(super) fn ask_now(&mut self, asked: Asked, held: WithClient) {
        let Asked { edit, label, meaning, reply, .. } = asked;
        let tells = self.session.client.actions_are_commands;
        let done = tells.then(|| user_messages::done(&meaning, &label, &edit)).flatten();
        let is_open = |uri: &Uri| self.documents.contains_key(uri);
        let edit = match self.session.client.version_when_opened {
            Some(_) => user_messages::unseen_first(edit, is_open),
            None => edit,
        };
        let unseen = user_messages::unseen(&edit, is_open);
        let steps = proto::changed_by_step(&edit);
        let params = ApplyWorkspaceEditParams { label: Some(label), edit };
        self.outbox.apply_edit(params, move |result| {
            let result = result.map_err(|not_made| Refused {
                first: proto::changed_before(&steps, not_made.step),
                why: user_messages::refused(not_made, &unseen),
            });
            Event::EditAnswered { result, meaning, done, reply, held }
        });
    }

    pub(super) fn edit_answered(
        &mut self,
        result: std::result::Result<(), Refused>,
        meaning: Meaning,
        done: Option<String>,
        reply: Reply<Option<Value>>,
    ) {
        if result.is_ok() {
            done.into_iter().for_each(|done| self.outbox.show(done));
        }
        let mut answer = json!({ "applied": true });
        match (meaning, &result) {
            (Meaning::Applied(sent), Ok(())) => {
                answer = extent(&sent);
                if let Some(left) = &sent.left {
                    self.outbox.show(left.clone());
                }
                self.made(sent);
            }
            (Meaning::Applied(sent), Err(refused)) => self.not_made(&sent, &refused.first),
            (Meaning::Reversed(site, reversal), Ok(())) => self.reversed(site, reversal),
            (Meaning::Reversed(site, reversal), Err(_)) => self.not_reversed(&site, &reversal),
            (Meaning::Nothing, _) => {}
        }
        let answer = match result {
            Ok(()) => Ok(Some(answer)),
            Err(refused) => Err(request_failed(refused.why)),
        };
        self.answer_once_kept(answer, reply);
    }

    /// Answers once the ledger has been written, so that a command line which is run then knows
    /// what was done; or after a while, since another run may have the workspace for long.
    fn answer_once_kept(&self, answer: Result<Option<Value>>, reply: Reply<Option<Value>>) {
        let (done, kept) = oneshot::channel::<()>();
        self.recorder.then(move || _ = done.send(()));
        tokio::spawn(async move {
            let _ = tokio::time::timeout(KEPT_TIMEOUT, kept).await;
            let _ = reply.send(answer);
        });
    }

    /// Notes that the client has made an action's edit; gives the result of it, where that is known.
    fn applied(&mut self, argument: &CommandArgument) -> Option<Value> {
        let digest = argument.about.digest.as_deref().unwrap_or_default();
        let site = self.sites.of(&argument.about.uri);
        // The folders may be others than when it was given to the client.
        let mut shelves = self.shelves.iter_mut();
        let action = |(folders, shelf): (&Vec<_>, &mut Shelf)| {
            shelf.action(digest, folders == site.folders())
        };
        let sent = shelves.find_map(action)?;
        let extent = extent(&sent);
        self.made(sent);
        Some(extent)
    }
}

/// What an apply comes to, for the client: whether anything was done, and how much was changed.
fn extent(sent: &PendingApply) -> Value {
    // Where everything was left, nothing was asked of the client.
    let applied = sent.left.is_none() || sent.blocks.iter().any(|it| it.told.is_ok());
    match applied {
        true => json!({ "applied": true, "changes": sent.changes(), "files": sent.files().len() }),
        false => json!({ "applied": false }),
    }
}

fn is_empty(edit: &WorkspaceEdit) -> bool {
    let operations = match &edit.document_changes {
        Some(DocumentChanges::Operations(operations)) => !operations.is_empty(),
        Some(DocumentChanges::Edits(edits)) => !edits.is_empty(),
        None => false,
    };
    !operations && edit.changes.as_ref().is_none_or(|changes| changes.is_empty())
}
