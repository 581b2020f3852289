//! Writes the ledger, one thing after the other, on a thread of its own.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock};
use std::thread;

use operator_core::dialect::REFUSED;
use operator_core::ledger::{Answer, BlockId, Door, Event as Entry, Observation, Transcript, Work};
use operator_core::path::FilePath;
use tokio::sync::mpsc::WeakUnboundedSender;
use tower_lsp::ls_types::Uri;

use super::context::Context;
use super::event::Event;
use super::programs::Running;
use super::proto;
use super::shelf::{Kept, Why};
use super::sites::Site;
use crate::workspace::{JournalError, Made, Reversal, Transaction, Workspace, real_or_same};

/// The thread that writes, which is started when it is first told something. It ends with what it
/// was told before.
pub struct Recorder {
    facts: LazyLock<Sender<Message>, Box<dyn FnOnce() -> Sender<Message> + Send>>,
}

/// What the thread does in turn.
enum Message {
    Write(Box<ToWrite>),
    /// Something that must know all that was written before.
    Then(Box<dyn FnOnce() + Send>),
}

struct ToWrite {
    number: u64,
    site: Site,
    transcript: Transcript,
    what: Arc<What>,
    /// The server does not end while there is one.
    _running: Option<Running>,
}

/// Something that the ledger must know.
pub struct Fact {
    /// The workspace as the transcript sees it.
    pub site: Site,
    /// The transcript.
    pub transcript: Transcript,
    /// What happened.
    pub what: What,
}

/// What happened.
pub enum What {
    /// The changes of these blocks were made.
    Applied {
        /// By which program.
        door: Door,
        /// When, in milliseconds since 1970-01-01 UTC.
        time: u64,
        /// The blocks.
        works: Vec<Work>,
        /// Their bases, as events.
        proposed: Vec<Entry>,
        /// What it takes to undo and redo them, where that is known.
        made: Option<Arc<Made>>,
    },
    /// The client has undone or redone an operation.
    Reversed(Arc<Reversal>),
    /// Files were found that are not as the kept ledger has them.
    Found(Vec<Entry>),
    /// Blocks came in: their bases, as events.
    Proposed(Vec<Entry>),
    /// Blocks were answered.
    Answered(Vec<(BlockId, Answer)>),
}

impl Fact {
    /// What happened to a transcript.
    pub fn of(context: &Context, what: What) -> Fact {
        Fact { site: context.site.clone(), transcript: context.transcript(), what }
    }
}

impl What {
    /// What is added to a ledger that has everything before.
    pub fn events(&self, transcript: &Transcript) -> Vec<Entry> {
        match self {
            What::Reversed(reversal) => {
                let operation = reversal.operation.id;
                vec![match reversal.is_redo {
                    true => Entry::Redone { operation },
                    false => Entry::Undone { operation },
                }]
            }
            What::Answered(answers) => {
                let event = |(block, answer): &(BlockId, Answer)| Entry::Answered {
                    transcript: transcript.clone(),
                    block: *block,
                    answer: answer.clone(),
                };
                answers.iter().map(event).collect()
            }
            What::Found(events) | What::Proposed(events) => events.clone(),
            What::Applied { .. } => Vec::new(),
        }
    }
}

/// The answer to a block that the user has refused.
pub fn refusal() -> Answer {
    Answer { ok: false, refused: true, summary: REFUSED.to_owned() }
}

impl Recorder {
    /// A recorder that tells what it has written.
    pub fn new(events: WeakUnboundedSender<Event>) -> Recorder {
        Recorder { facts: LazyLock::new(Box::new(|| start(events))) }
    }

    /// Has something written, which has this number; the server does not end before, while
    /// `running` is kept.
    pub fn tell(
        &self,
        number: u64,
        site: Site,
        transcript: Transcript,
        what: Arc<What>,
        running: Option<Running>,
    ) {
        // Without the thread nothing is kept, which the log says.
        let write = ToWrite { number, site, transcript, what, _running: running };
        let _ = self.facts.send(Message::Write(Box::new(write)));
    }

    /// Does something once everything is written that was told before.
    pub fn then(&self, work: impl FnOnce() + Send + 'static) {
        let _ = self.facts.send(Message::Then(Box::new(work)));
    }
}

/// What the ledger knows a document by: its path, or its URI where it has none.
pub fn transcript(uri: &Uri) -> Transcript {
    let path = proto::path_of(uri);
    let path = path.map(|path| real_or_same(&path));
    let name = path.as_deref().and_then(Path::to_str).unwrap_or(uri.as_str());
    Transcript::new(name)
}

/// Starts the thread.
fn start(events: WeakUnboundedSender<Event>) -> Sender<Message> {
    let (facts, queue) = channel();
    let thread = thread::Builder::new().name("ledger".to_owned());
    if let Err(error) = thread.spawn(move || record(&queue, &events)) {
        tracing::warn!(%error, "nothing is kept of what is applied");
    }
    facts
}

fn record(queue: &Receiver<Message>, events: &WeakUnboundedSender<Event>) {
    for message in queue {
        let message = match message {
            Message::Write(write) => write,
            Message::Then(work) => {
                // What fails there, fails alone.
                let _ = catch_unwind(AssertUnwindSafe(work));
                continue;
            }
        };
        if let Err(error) = write(&message) {
            tracing::warn!(%error, "the ledger cannot be written");
            continue;
        }
        let workspace = message.site.workspace();
        let edition = workspace.ledger_edition();
        if let (Ok(ledger), Some(events)) = (workspace.ledger(), events.upgrade()) {
            let (folders, why) = (workspace.roots().to_vec(), Why::Written(message.number));
            let _ = events.send(Event::Kept(Box::new(Kept { folders, why, edition, ledger })));
        }
    }
}

fn write(message: &ToWrite) -> Result<(), JournalError> {
    let ToWrite { site, transcript, what, .. } = message;
    let mut transaction = begin(site.workspace())?;
    match &**what {
        What::Applied { door, time, works, proposed, made } => {
            transaction.note(proposed.clone());
            transaction.describe(*door, *time, transcript.clone());
            transaction.add_works(works.clone());
            if let Some(made) = made
                && let Err(error) = transaction.keep_made(made)
            {
                tracing::warn!(%error, "the operation cannot be undone later");
            }
        }
        What::Found(events) => {
            let paths: BTreeSet<&FilePath> = events.iter().flat_map(Entry::paths).collect();
            // They may have changed since, and so may the ledger.
            let view = site.view();
            let found: Vec<Observation> =
                paths.iter().filter_map(|path| Observation::of(path, &view)).collect();
            transaction.observe(&found);
        }
        What::Reversed(reversal) => transaction.add_reversal(reversal)?,
        What::Answered(_) | What::Proposed(_) => transaction.note(what.events(transcript)),
    }
    transaction.commit()
}

/// Waits while the command line has the workspace.
fn begin(workspace: &Workspace) -> Result<Transaction, JournalError> {
    loop {
        match Transaction::begin(workspace) {
            Err(JournalError::Locked) => {}
            result => return result,
        }
    }
}
