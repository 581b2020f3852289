//! Programs from the loop's side: asked about, run on a thread of their own, and answered where
//! their block is by then.

use std::sync::Arc;

use operator_core::ledger::Answer;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{ErrorCode, Result};
use tower_lsp::ls_types::WorkspaceEdit;

use super::State;
use super::commands::{Asked, Meaning};
use crate::lsp::context::{Context, request_failed};
use crate::lsp::event::{Event, Reply};
use crate::lsp::handlers::code_actions::insertion;
use crate::lsp::programs::{Programs, Ran, ToRun};
use crate::lsp::recorder::{self, Fact, What};
use crate::lsp::replies;
use crate::lsp::requests::Read;
use crate::lsp::reviews::Needs;

const RUN: &str = "Run";
const CANCEL: &str = "Cancel";

impl State {
    /// Asks the user whether a program may be run.
    pub(super) fn ask_to_run(&mut self, to_run: ToRun, reply: Reply<Option<Value>>) {
        if reply.is_closed() {
            return;
        }
        let Some(to_run) = self.busy.with(to_run) else {
            let says = "the program of this block is running, or you are asked about it already";
            return drop(reply.send(Err(request_failed(says))));
        };
        let (own, answer) = oneshot::channel();
        tokio::spawn(pass_on(answer, reply, self.programs.clone()));
        let reply = own;
        let question = to_run.question.clone();
        self.outbox.choose(question, &[RUN, CANCEL], |chosen| {
            let consent = chosen.map(|word| word.as_deref() == Some(RUN));
            Event::RunAnswered { to_run: Box::new(to_run), consent, reply }
        });
    }

    /// Runs a program on a thread of its own, if the user has said yes.
    pub(super) fn run(
        &mut self,
        to_run: ToRun,
        consent: std::result::Result<bool, String>,
        reply: Reply<Option<Value>>,
    ) {
        match consent {
            Ok(true) if !reply.is_closed() => {}
            Ok(true) => return,
            Ok(false) => {
                let _ = reply.send(Ok(Some(json!({ "applied": false }))));
                return;
            }
            Err(reason) => {
                let _ = reply.send(Err(request_failed(reason)));
                return;
            }
        }
        let (Some(running), Some(events)) = (self.programs.start(), self.events.upgrade()) else {
            let _ = reply.send(Err(request_failed("the server is about to end")));
            return;
        };
        let progress = self.session.client.work_done_progress;
        let progress = progress.then(|| self.outbox.progress(to_run.title.clone(), None));
        let thread = std::thread::Builder::new().name("program".to_owned());
        let work = move || {
            let ran = to_run.run(&running, || reply.is_closed());
            drop(progress);
            let _ = events.send(match reply.is_closed() {
                // It may have done something before it was cancelled.
                true => Event::FilesMoved,
                false => Event::Ran(Box::new(ran), reply),
            });
        };
        if let Err(error) = thread.spawn(work) {
            self.outbox.warn(format!("the program was not run: {error}"));
        }
    }

    /// A program has run: the reviews know it from now on, whether or not it is inserted.
    pub(super) fn ran(&mut self, ran: Ran, reply: Reply<Option<Value>>) {
        let (site, transcript) = (self.sites.of(&ran.uri), recorder::transcript(&ran.uri));
        self.shelf(&site).note(&transcript, ran.id, Some(ran.result.clone()));
        let answer = Answer::new(&ran.placed, &ran.result);
        if answer.ok || answer.ran {
            let site = site.clone();
            let what = What::Answered(vec![(ran.id, answer)]);
            self.tell(Fact { site, transcript: transcript.clone(), what });
        }
        self.forget();
        self.insert_ran(ran, reply);
    }

    /// Inserts a program's result under its block, wherever that is by now.
    pub(super) fn insert_ran(&mut self, ran: Ran, reply: Reply<Option<Value>>) {
        let uri = ran.uri.clone();
        let says = "the program has run, but its transcript is not open any more";
        let missing = Err(request_failed(says));
        let events = self.events.clone();
        let ran = Arc::new(ran);
        let known = ran.clone();
        let work = move |context: &Context| insert(context, &known);
        let then = move |edit: Result<WorkspaceEdit>, reply: Reply<Option<Value>>| {
            let Some(events) = events.upgrade() else { return };
            let again = |ran: Arc<Ran>| Box::new(Ran::clone(&ran));
            match edit {
                Ok(edit) => {
                    let (label, meaning) = (ran.title.clone(), Meaning::Nothing);
                    let asked = Asked { edit, label, meaning, turn: None, reply };
                    let _ = events.send(Event::Asked(Box::new(asked)));
                }
                // The transcript is being written meanwhile.
                Err(error) if error.code == ErrorCode::ContentModified => {
                    let _ = events.send(Event::InsertRan(again(ran), reply));
                }
                Err(error) => {
                    let _ = reply.send(Err(error));
                }
            }
        };
        self.read(Read::new(uri, Needs::Review, reply, missing, work, then));
    }
}

/// Hands the answer on, unless the client has cancelled or the server is to end: then nobody waits
/// for it any more, which ends the program.
async fn pass_on(
    answer: oneshot::Receiver<Result<Option<Value>>>,
    mut reply: Reply<Option<Value>>,
    programs: Arc<Programs>,
) {
    let answer = tokio::select! {
        answer = answer => answer.ok(),
        () = reply.closed() => None,
        () = programs.stopped() => Some(Err(request_failed("the server is about to end"))),
    };
    if let Some(answer) = answer {
        let _ = reply.send(answer);
    }
}

fn insert(context: &Context, ran: &Ran) -> Result<WorkspaceEdit> {
    let block = &ran.placed.block;
    let mut proposals = context.review().proposals();
    let found = proposals.find(|proposal| Arc::ptr_eq(&proposal.placed.block, block));
    let Some(proposal) = found else {
        return Err(request_failed("the program has run, but its block was changed meanwhile"));
    };
    let answer = proposal.told(ran.result.clone());
    let reply = replies::of(context, |it| it.written(&proposal, Some(answer)));
    insertion(context, proposal.placed.index, reply)
}
