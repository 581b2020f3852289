//! The one task that owns the server's state: takes events in order, changes state at once.

mod commands;
mod edit_ops;
mod git;
mod notifications;
mod operations;
mod previews;
mod programs;
mod requests;
mod settle;
mod shown;
mod symbols;
mod unanswered;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::BlockId;
use operator_core::review::Telling;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, WeakUnboundedSender};
use tokio::sync::watch;
use tower_lsp::Client;
use tower_lsp::ls_types::Uri;

use super::context::Published;
use super::documents::Document;
use super::event::Event;
use super::made_edits::MadeEdits;
use super::outbox::Outbox;
use super::pending::Edits;
use super::programs::{Busy, Programs};
use super::recorder::Recorder;
use super::reorder::ReorderBuffer;
use super::reviews::ReviewSlot;
use super::session::{Known, Session};
use super::shelf::Shelves;
use super::sites::Sites;
use crate::edit_ops::Service;
pub use commands::{Asked, Meaning};
use git::Commits;
use settle::Unsettled;
use unanswered::Unanswered;
pub use unanswered::{Turn, WithClient};

/// How many events are taken before reviews are started all the same.
const BATCH: usize = 1_024;

/// How many transcripts are reviewed at a time at least: one that waits for a slow disk does not
/// hold up the others.
const MIN_AT_A_TIME: usize = 4;

/// Everything that the server knows; plain, and changed by the main loop alone.
struct State {
    dialects: Known,
    session: Arc<Session>,
    documents: HashMap<Uri, Entry>,
    early: ReorderBuffer,
    published: Arc<Published>,
    sites: Sites,
    shelves: Shelves,
    made_edits: MadeEdits,
    recorder: Recorder,
    programs: Arc<Programs>,
    /// The blocks whose programs run.
    busy: Busy,
    commits: Commits,
    edit_ops: Arc<Service>,
    outbox: Outbox,
    events: WeakUnboundedSender<Event>,
    folders: Vec<PathBuf>,
    /// The `initializationOptions`, which hold where the settings say nothing.
    options: Value,
    /// How often the settings were asked for, and which question was the last to be answered.
    settings_asked: u64,
    settings_answered: u64,
    /// The section that was taken last.
    settings: Option<Value>,
    /// What is wrong with the settings, which is said once.
    setting_problems: Vec<String>,
    serial: u64,
    /// How many transcripts are reviewed at a time.
    at_a_time: usize,
    /// What is done once every review holds.
    unsettled: Vec<Unsettled>,
    /// The edits that are with the client.
    unanswered: Unanswered,
    /// The transcript that was closed last, and the fingerprint of its text.
    closed: Option<(Uri, Fingerprint)>,
}

/// An open document, and its review where it is a transcript.
struct Entry {
    document: Document,
    review: Option<ReviewSlot>,
    /// What the model was told last of its blocks, as far as the client has asked for that.
    copied: Arc<HashMap<BlockId, Telling>>,
    /// The documents of the client that show a preview: of which block, and as it was when.
    previews: HashMap<Uri, (usize, String)>,
    /// Is another one when the text is another: ends the requests that are about the old one.
    unchanged: watch::Sender<()>,
}

impl Entry {
    /// Whether the scan and review of that number are under way; they may be of a document that
    /// was closed.
    fn is_running(&self, serial: u64) -> bool {
        let running = self.review.as_ref().and_then(|slot| slot.running.as_ref());
        running.is_some_and(|running| running.serial == serial)
    }

    /// The text has changed: the review is due again, and nobody waits for the old one.
    fn edited(&mut self, edits: Edits) {
        self.unchanged = watch::Sender::new(());
        if let Some(slot) = &mut self.review {
            slot.pending.push(edits);
            slot.dirty = true;
            slot.edited = true;
            slot.cancel_review();
            slot.reject_waiters();
        }
    }
}

/// Takes events until nobody can send one any more; `dialects` are those that there are.
pub async fn run(
    dialects: Known,
    client: Client,
    mut queue: UnboundedReceiver<Event>,
    events: WeakUnboundedSender<Event>,
    programs: Arc<Programs>,
) {
    let mut state = State {
        dialects,
        session: Arc::default(),
        documents: HashMap::new(),
        early: ReorderBuffer::default(),
        published: Arc::default(),
        sites: Sites::default(),
        shelves: Shelves::default(),
        made_edits: MadeEdits::default(),
        recorder: Recorder::new(events.clone()),
        programs,
        busy: Busy::default(),
        commits: Commits::default(),
        edit_ops: Arc::default(),
        outbox: Outbox::new(client, events.clone()),
        events,
        folders: Vec::new(),
        options: Value::Null,
        settings_asked: 0,
        settings_answered: 0,
        settings: None,
        setting_problems: Vec::new(),
        serial: 0,
        at_a_time: std::thread::available_parallelism().map_or(1, usize::from).max(MIN_AT_A_TIME),
        unsettled: Vec::new(),
        unanswered: Unanswered::default(),
        closed: None,
    };
    while let Some(event) = queue.recv().await {
        state.handle(event);
        // Whatever has queued up meanwhile comes first, so only the newest text is reviewed.
        for _ in 0..BATCH {
            let Ok(event) = queue.try_recv() else { break };
            state.handle(event);
        }
        state.start_reviews();
    }
    // Another server is to know what the files were for the blocks that came in last.
    state.transcripts().iter().for_each(|transcript| state.write_bases(transcript));
}

/// Lets go of what may be large, and takes long to be let go of, on another thread.
fn discard<T: Send + 'static>(large: T) {
    tokio::task::spawn_blocking(move || drop(large));
}

impl State {
    /// A number that nothing else has.
    fn number(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Initialize(params, asks, reply) => self.initialize(&params, asks, reply),
            Event::Initialized => self.initialized(),
            Event::Opened(item) => self.opened(item),
            Event::Changed(params) => self.changed(params),
            Event::Unreadable(uri) => self.unreadable(&uri),
            Event::Saved(uri) => self.saved(&uri),
            Event::Closed(uri) => self.closed(&uri),
            Event::SettingsPushed(settings) => self.settings_pushed(settings),
            Event::Settings { number, settings } => self.settings_answered(number, &settings),
            Event::Folders(change) => self.folders_changed(change),
            Event::Files(changes) => self.files_changed(&changes),
            Event::Reached(reply) => _ = reply.send(()),
            Event::Ending(reply) => self.ending(reply),
            Event::Looked(reply) => self.review_last(reply),
            Event::Read(read) => self.read(read),
            Event::ResolveCodeAction(action, reply) => self.resolve(*action, reply),
            Event::WorkspaceSymbol(params, reply) => self.search(params.query, reply),
            Event::ExecuteCommand(params, reply) => self.execute(params, reply, true, None),
            Event::CommandAgain(params, reply) => self.execute(params, reply, false, None),
            Event::InTurn(params, reply, turn) => {
                self.execute(params, reply, false, Some(turn));
            }
            Event::ChangedOnDisk(files) => self.changed_on_disk(&files),
            Event::Fingerprint(params, reply) => self.fingerprint(params, reply),
            Event::Structure(params, reply) => self.structure(*params, reply),
            Event::EditOps(params, reply) => self.edit_ops(params, reply),
            Event::Scanned { uri, serial, scanned } => self.scanned(&uri, serial, scanned),
            Event::Reviewed(done) => self.reviewed(*done),
            Event::Kept(kept) => self.kept(&kept),
            Event::Shown(folders, shown) => self.shown(&folders, &shown),
            Event::NotKept(lost) => self.outbox.warn(lost),
            Event::NotSaved(folders, shown) => self.not_saved(&folders, &shown),
            Event::Rested { uri, serial } => self.rested(&uri, serial),
            Event::Overdue { uri, number } => self.overdue(uri.as_ref(), number),
            Event::Offered(offered) => offered.into_iter().for_each(|sent| self.offer(sent)),
            Event::Resolved(sent, action, reply) => self.resolved(*sent, *action, reply),
            Event::Asked(asked) => self.ask(*asked),
            Event::OnRecord(asked, held) => self.ask_now(*asked, held),
            Event::Previewed { chat, preview, block, mark } => {
                self.previewed(&chat, preview, block, mark);
            }
            Event::Told(fact) => self.tell(*fact),
            Event::Copied(uri, told) => {
                if let Some(entry) = self.documents.get_mut(&uri) {
                    Arc::make_mut(&mut entry.copied).extend(told);
                }
            }
            // The number of what runs falls after the fact is on its way to the disk.
            Event::Bases(fact, _running) => self.tell(*fact),
            Event::Committed(looked) => self.committed(looked),
            Event::EditOpsAnswered(digest, asked) => {
                self.sites.remember(digest, asked);
                self.forget();
            }
            Event::FilesMoved => self.forget(),
            Event::ToRun(to_run, reply) => self.ask_to_run(*to_run, reply),
            Event::RunAnswered { to_run, consent, reply } => self.run(*to_run, consent, reply),
            Event::Ran(ran, reply) => self.ran(*ran, reply),
            Event::InsertRan(ran, reply) => self.insert_ran(*ran, reply),
            Event::EditAnswered { result, meaning, done, reply, held } => {
                self.edit_answered(result, meaning, done, reply);
                drop(held);
            }
        }
    }
}
