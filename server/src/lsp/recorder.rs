//! Tells the ledger what the client has made, one thing after the other, on a thread of its own.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use operator_core::dialect::REFUSED;
use operator_core::ledger::{Answer, BlockId, Door, Event, Observation, Transcript, Work};
use operator_core::review::{Book, Reviewer};
use operator_core::snapshot::FilePath;
use tower_lsp::ls_types::Uri;

use super::context::Context;
use super::programs::Running;
use super::proto;
use super::sites::Site;
use crate::moment;
use crate::workspace::{JournalError, Transaction, Workspace};

/// How long a review waits for the ledger: a command line that asks a person has the workspace for
/// long.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long it takes at first, and at most, until it is tried again to write.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(200)];

/// The thread that writes. It ends with what it was told before. A clone tells the same thread.
#[derive(Clone)]
pub struct Recorder {
    facts: Sender<Message>,
    /// How many facts are not written yet.
    open: Arc<AtomicUsize>,
}

enum Message {
    Fact(Box<Fact>, Option<Running>),
    /// Somebody waits until everything before is written.
    Waiting(SyncSender<()>),
}

/// Something that the ledger has to know.
pub struct Fact {
    /// The workspace as the transcript sees it.
    pub site: Site,
    /// The transcript.
    pub uri: Uri,
    /// What happened.
    pub what: What,
}

/// What happened.
pub enum What {
    /// The client has made the changes of these blocks.
    Applied(Vec<Work>),
    /// The changes of these blocks, which the client made together, were undone.
    Undone(Vec<BlockId>),
    /// These files are not as the ledger has them.
    Look(BTreeSet<FilePath>),
    /// Blocks were answered.
    Answered(Vec<(BlockId, Answer)>),
}

impl Fact {
    /// What happened to a transcript.
    pub fn of(context: &Context, what: What) -> Fact {
        Fact { site: context.site.clone(), uri: context.document.uri.clone(), what }
    }
}

/// The answer to a block that the user has refused.
pub fn refusal() -> Answer {
    Answer { ok: false, refused: true, summary: REFUSED.to_owned() }
}

impl Recorder {
    /// A thread that waits for facts.
    pub fn start() -> Recorder {
        let (facts, queue) = channel();
        let open = Arc::<AtomicUsize>::default();
        let left = open.clone();
        let thread = thread::Builder::new().name("ledger".to_owned());
        if let Err(error) = thread.spawn(move || record(&queue, &left)) {
            tracing::warn!(%error, "nothing is kept of what is applied");
        }
        Recorder { facts, open }
    }

    /// Has a fact written; the server does not end before, while `running` is kept.
    pub fn tell(&self, fact: Fact, running: Option<Running>) {
        self.open.fetch_add(1, Ordering::SeqCst);
        // Without the thread nothing is kept, which the log says.
        let _ = self.facts.send(Message::Fact(Box::new(fact), running));
    }

    /// Waits, on a thread that may, until everything is written that was told before, so that the
    /// ledger is not asked for what it does not know yet.
    pub fn wait(&self) {
        if self.open.load(Ordering::SeqCst) == 0 {
            return;
        }
        let (done, written) = sync_channel(1);
        if self.facts.send(Message::Waiting(done)).is_ok() {
            let _ = written.recv_timeout(PATIENCE);
        }
    }
}

/// Has a review ask the ledger as it is by now, which the command line or another editor may have
/// written to.
pub fn refresh(reviewer: &mut Reviewer, context: &Context) {
    let workspace = context.site.workspace();
    let edition = workspace.ledger_edition();
    if reviewer.book().is_some_and(|book| book.edition == edition) {
        return;
    }
    let ledger = workspace.ledger().unwrap_or_else(|error| {
        // What cannot be read is written again by nobody, so it is said at each change.
        tracing::warn!(%error, "the ledger cannot be read");
        reviewer.book().map(|book| book.ledger.clone()).unwrap_or_default()
    });
    let transcript = transcript(&context.document.uri);
    reviewer.set_book(Book { ledger, transcript, edition, ..Book::default() });
}

/// What the ledger knows a document by: its path, or its URI where it has none.
pub fn transcript(uri: &Uri) -> Transcript {
    let path = proto::path_of(uri);
    let path = path.map(|path| path.canonicalize().unwrap_or(path));
    let name = path.as_deref().and_then(Path::to_str).unwrap_or(uri.as_str());
    Transcript::new(name)
}

fn record(queue: &Receiver<Message>, open: &AtomicUsize) {
    for message in queue {
        match message {
            Message::Fact(fact, running) => {
                if let Err(error) = write(*fact) {
                    tracing::warn!(%error, "the ledger cannot be written");
                }
                open.fetch_sub(1, Ordering::SeqCst);
                drop(running);
            }
            Message::Waiting(done) => _ = done.send(()),
        }
    }
}

fn write(fact: Fact) -> Result<(), JournalError> {
    let Fact { site, uri, what } = fact;
    let name = transcript(&uri);
    let mut transaction = begin(site.workspace())?;
    match what {
        What::Applied(works) => {
            transaction.describe(Door::Lsp, moment::now(), name);
            transaction.add_works(works);
        }
        What::Undone(blocks) => {
            let ledger = transaction.ledger();
            let of = |block: &BlockId| ledger.standing(&name, *block, true).applied;
            let operation = blocks.iter().find_map(of).map(|by| by.operation);
            let undone = operation.map(|operation| Event::Undone { operation });
            transaction.note(undone.into_iter().collect());
        }
        What::Look(paths) => {
            // They may have changed since, and so may the ledger.
            let view = site.view();
            let found: Vec<Observation> =
                paths.iter().filter_map(|path| Observation::of(path, &view)).collect();
            transaction.observe(&found);
        }
        What::Answered(answers) => {
            let event =
                |(block, answer)| Event::Answered { transcript: name.clone(), block, answer };
            transaction.note(answers.into_iter().map(event).collect());
        }
    }
    transaction.commit()
}

/// Waits while the command line has the workspace.
fn begin(workspace: &Workspace) -> Result<Transaction, JournalError> {
    let [mut pause, longest] = PAUSES;
    loop {
        match Transaction::begin(workspace) {
            Err(JournalError::Locked) => {
                thread::sleep(pause);
                pause = longest.min(pause * 2);
            }
            result => return result,
        }
    }
}
