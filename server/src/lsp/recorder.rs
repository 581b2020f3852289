//! Writes the ledger, one thing after the other, on a thread of its own.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use operator_core::dialect::REFUSED;
use operator_core::ledger::{
    Answer, BlockId, Door, Event as Entry, Ledger, Observation, Operation, Transcript, Work,
};
use operator_core::path::{FilePath, State as FileState};
use operator_core::snapshot::Snapshot;
use tokio::sync::mpsc::WeakUnboundedSender;
use tower_lsp::ls_types::Uri;

use super::context::Context;
use super::event::Event;
use super::programs::Running;
use super::proto;
use super::shelf::{Kept, Why};
use super::sites::Site;
use crate::workspace::{JournalError, Made, Reversal, Transaction, View, Workspace, real_or_same};

/// How often it is tried to write what the disk does not take, and how long it waits in between.
const ATTEMPTS: usize = 4;
const PAUSE: Duration = Duration::from_millis(10);

/// What a person is told where the client gets an edit before it is on record.
pub const NOT_YET: &str = "what is being applied cannot be put on record before it is made; if \
                           the server ends too early, it offers it again";

/// The thread that writes, which is started when it is first told something. It ends with what it
/// was told before.
pub struct Recorder {
    facts: LazyLock<Sender<Message>, Box<dyn FnOnce() -> Sender<Message> + Send>>,
    has_begun: AtomicBool,
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
    _running: Running,
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
    /// The client is about to get an edit, with what it takes to undo and redo it, where that is
    /// known. It comes on record before.
    Handed(Arc<Operation>, Option<Arc<Made>>),
    /// The client has made the first steps of an edit, of which it may tell later: those of this
    /// part of it.
    Begun(Arc<Operation>, Option<Arc<Made>>),
    /// The client has not made an edit that it was given.
    Withdrawn(Arc<Operation>),
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
    /// The client has undone or redone an operation. What was typed after what is undone may be there
    /// again: as events.
    Reversed(Arc<Reversal>, Vec<Entry>),
    /// Files were found that are not as the kept ledger has them, on the ledger as it was then.
    Found(Vec<Entry>, Box<Ledger>),
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
    /// The files that have changed.
    fn changed(&self) -> BTreeSet<&FilePath> {
        match self {
            What::Applied { works, .. } => {
                works.iter().flat_map(|work| &work.transitions).map(|it| &it.path).collect()
            }
            What::Found(events, _) => events.iter().flat_map(Entry::paths).collect(),
            What::Reversed(reversal, _) => reversal.operation.paths().into_iter().collect(),
            _ => BTreeSet::new(),
        }
    }

    /// What is added to a ledger that has everything before, and perhaps more.
    pub fn events(&self, transcript: &Transcript, ledger: &Ledger) -> Vec<Entry> {
        match self {
            What::Reversed(reversal, _) => {
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
            What::Found(events, then) => {
                events.iter().filter(|it| ledger.still_holds(it, then)).cloned().collect()
            }
            What::Proposed(events) => events.clone(),
            What::Applied { .. } | What::Handed(..) | What::Begun(..) | What::Withdrawn(_) => {
                Vec::new()
            }
        }
    }
}

/// The answer to a block that the user has refused.
pub fn refusal() -> Answer {
    Answer { refused: true, summary: REFUSED.to_owned(), ..Answer::default() }
}

impl Recorder {
    /// A recorder that tells what it has written.
    pub fn new(events: WeakUnboundedSender<Event>) -> Recorder {
        let facts: LazyLock<_, Box<dyn FnOnce() -> _ + Send>> =
            LazyLock::new(Box::new(|| start(events)));
        Recorder { facts, has_begun: AtomicBool::new(false) }
    }

    /// Has something written, which has this number; the server does not end before, while
    /// `running` is kept.
    pub fn tell(
        &self,
        number: u64,
        site: Site,
        transcript: Transcript,
        what: Arc<What>,
        running: Running,
    ) {
        self.has_begun.store(true, Ordering::Relaxed);
        // Without the thread nothing is kept, which the log says.
        let write = ToWrite { number, site, transcript, what, _running: running };
        let _ = self.facts.send(Message::Write(Box::new(write)));
    }

    /// Whether it was told something to write.
    pub fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
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
        let written = write(&message);
        if let Some(lost) = lost(&written, &message.what) {
            tracing::warn!("{lost}");
            if let Some(events) = events.upgrade() {
                let _ = events.send(Event::NotKept(lost));
            }
        }
        if written.is_err() {
            continue;
        }
        let workspace = message.site.workspace();
        let edition = workspace.ledger_edition();
        if let (Ok((ledger, reading)), Some(events)) =
            (workspace.ledger_with_reading(), events.upgrade())
        {
            let (folders, why) = (workspace.roots().to_vec(), Why::Written(message.number));
            let (reading, unsaved) = (Some(reading), workspace.look_for_unsaved());
            let left = workspace.left_unsaved();
            let kept = Kept { folders, why, edition, ledger, reading, others: None, unsaved, left };
            let _ = events.send(Event::Kept(Box::new(kept)));
        }
    }
}

/// What the user must know of something that could not be written, or not whole.
fn lost(written: &Result<Option<JournalError>, JournalError>, what: &What) -> Option<String> {
    let is_done = matches!(what, What::Applied { .. } | What::Reversed(..) | What::Answered(_));
    match written {
        Ok(None) => None,
        Ok(Some(error)) => {
            Some(format!("what was applied cannot be undone by operator-lsp later: {error}"))
        }
        Err(error) if matches!(what, What::Handed(..) | What::Begun(..)) => {
            Some(format!("{NOT_YET}: {error}"))
        }
        Err(error) if is_done => Some(format!(
            "what was done cannot be put on record; a server that is started later offers \
             it again: {error}"
        )),
        Err(error) => {
            tracing::warn!(%error, "the ledger cannot be written");
            None
        }
    }
}

/// Writes a fact, with some attempts; gives why it cannot be undone later, if that is so.
fn write(message: &ToWrite) -> Result<Option<JournalError>, JournalError> {
    for _ in 1..ATTEMPTS {
        match write_once(message, false) {
            Ok(lost) => return Ok(lost),
            Err(error) => tracing::warn!(%error, "the ledger cannot be written yet"),
        }
        thread::sleep(PAUSE);
    }
    write_once(message, true)
}

fn write_once(message: &ToWrite, is_last: bool) -> Result<Option<JournalError>, JournalError> {
    let ToWrite { site, transcript, what, .. } = message;
    let mut transaction = begin(site.workspace())?;
    // Whoever has the lock next would find on the disk what was there before.
    let view = site.view();
    for file in what.changed() {
        site.workspace().tell_unsaved(file, view.is_unsaved(file));
    }
    let mut lost = None;
    match &**what {
        What::Applied { door, time, works, proposed, made } => {
            transaction.note(proposed.clone());
            if transaction.go_on(*time, transcript, works)? {
                // The editor shows the change. If it shows the text before it later, the change was
                // undone.
                let ledger = transaction.ledger();
                let open = what.changed().into_iter().filter(|file| view.is_open(file));
                let shown = open.filter_map(|file| Observation::of(file, &view));
                let shown = shown.filter(|it| ledger.head(&it.path) == Some(it.state));
                let shown: Vec<Observation> = shown.collect();
                transaction.observe(&shown);
                return transaction.commit().map(|()| None);
            }
            transaction.describe(*door, *time, transcript.clone());
            transaction.add_works(works.clone());
            lost = keep(&mut transaction, made.as_deref(), is_last)?;
        }
        What::Handed(operation, made) | What::Begun(operation, made) => {
            let Operation { door, time, works, .. } = operation.as_ref().clone();
            transaction.describe(door, time, transcript.clone());
            transaction.add_works(works);
            transaction.hand_out(made.as_deref(), matches!(**what, What::Begun(..)))?;
        }
        What::Withdrawn(operation) => transaction.withdraw(operation)?,
        What::Found(events, then) => {
            let paths: BTreeSet<&FilePath> = events.iter().flat_map(Entry::paths).collect();
            // They may have changed since, and so may the ledger: what was there before another
            // change is not an undo, unless it was found to be one with that change known. A redo stays
            // one: where it is not, the ledger says so by itself.
            let ledger = transaction.ledger();
            let turned = events.iter().filter(|event| {
                matches!(event, Entry::Back { .. } | Entry::Forth { .. })
                    && ledger.still_holds(event, then)
            });
            // What was typed is not on record: neither what was there before all was undone, and may
            // be there again, nor what is there again after that.
            let was = turned.clone().flat_map(|event| match event {
                Entry::Back { path, to, typed } | Entry::Forth { path, to, typed } => {
                    let led_on = typed.map(|_| event.clone());
                    then.typed_since(path, *to).into_iter().chain(led_on).collect()
                }
                _ => Vec::new(),
            });
            let was: Vec<Entry> = was.collect();
            // What was there then may be gone by now: somebody has typed on it. What was redone does not
            // undo what came in since.
            let turned = turned.filter_map(|event| {
                let (path, state) = event.found()?;
                let it = Observation { path: path.clone(), state, closed: false };
                let holds = match event {
                    Entry::Forth { .. } => ledger.is_redo(&it),
                    _ => ledger.is_reversal(&it),
                };
                holds.then_some(it)
            });
            let turned: Vec<Observation> = turned.collect();
            // What was made before somebody typed on it is shown no more.
            let made = events.iter().filter_map(|event| match event {
                Entry::Made { path, to, .. } if ledger.expects(path) => {
                    Some(Observation { path: path.clone(), state: *to, closed: false })
                }
                _ => None,
            });
            let made: Vec<Observation> = made.collect();
            let is_said = |it: &Observation| {
                turned.iter().any(|said| said.path == it.path && said.state == it.state)
            };
            let found = paths.iter().filter_map(|path| Observation::of(path, &view));
            let found: Vec<Observation> =
                found.filter(|it| is_said(it) || !ledger.is_reversal(it)).collect();
            transaction.observe(&made);
            transaction.note(was);
            transaction.observe(&turned);
            transaction.observe(&found);
        }
        What::Reversed(reversal, typed) => {
            let saved = below(reversal, &view, site.workspace(), transaction.ledger());
            transaction.note(saved);
            transaction.note(typed.clone());
            transaction.add_reversal(reversal)?;
        }
        What::Answered(_) | What::Proposed(_) => {
            let events = what.events(transcript, transaction.ledger());
            transaction.note(events);
        }
    }
    transaction.commit().map(|()| lost)
}

/// What is on disk of the files of an undo or a redo that an editor shows otherwise, as events, where it is
/// not on record: it was typed on what was there before, and the editor may show that again.
fn below(reversal: &Reversal, view: &View, workspace: &Workspace, ledger: &Ledger) -> Vec<Entry> {
    let works = &reversal.operation.works;
    let mut saved = workspace.saved(works, &|file| view.is_open(file));
    saved.retain_mut(|event| {
        let Entry::Saved { path, to, on } = event else { return false };
        let mut all = works.iter().flat_map(|work| &work.transitions).filter(|it| it.path == *path);
        let before = match reversal.is_redo {
            true => all.next().map(|it| it.before),
            false => all.next_back().map(|it| it.after),
        };
        if let Some(FileState::File(before)) = before {
            *on = Some(before);
        }
        on.is_some() && !ledger.knows(path, *to)
    });
    saved
}

/// Keeps what it takes to undo an operation; the last attempt goes on without that, and gives why.
fn keep(
    transaction: &mut Transaction,
    made: Option<&Made>,
    is_last: bool,
) -> Result<Option<JournalError>, JournalError> {
    let Some(made) = made else { return Ok(None) };
    match transaction.keep_made(made) {
        Err(error) if is_last => Ok(Some(error)),
        kept => kept.map(|()| None),
    }
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

#[cfg(test)]
mod tests {
    use operator_core::fingerprint::Fingerprint;
    use operator_core::path::State;
    use operator_core::text::Text;

    use super::*;
    use crate::lsp::documents::DocumentSnapshot;
    use crate::workspace::tests::store::{chat, write as change};
    use crate::workspace::tests::{Disk, path};

    fn state(text: &str) -> State {
        State::File(Fingerprint::of(text.as_bytes()))
    }

    /// Writes what was found on a ledger while an editor shows this text of `a`.
    fn write_found(disk: &Disk, shown: &str, found: Entry, then: Ledger) {
        let mut site = Site::new(disk.open(), &[]);
        let place = disk.at("ws/a");
        let (uri, text) = (proto::uri_of(&place).unwrap(), Text::new(shown));
        site.put(&DocumentSnapshot { uri, version: 1, text, unsynced: None }, &place);
        let (transcript, what) = (chat(), Arc::new(What::Found(vec![found], Box::new(then))));
        let running = Arc::<crate::lsp::programs::Programs>::default().write();
        let message = ToWrite { number: 1, site, transcript, what, _running: running };
        write_once(&message, false).unwrap();
    }

    #[test]
    fn what_a_file_was_before_another_edit_is_written_as_an_undo_only_where_it_was_found_to_be_one()
    {
        let (file, to) = (path("a"), state("1"));
        let (seen, back) = (
            Entry::Seen { path: file.clone(), to },
            Entry::Back { path: file.clone(), to, typed: None },
        );
        for (found, is_known, stands) in
            [(seen, true, true), (back.clone(), false, true), (back, true, false)]
        {
            let disk = Disk::new();
            disk.put("ws/a", "0");
            change(&disk.open(), "a", "0", "1");
            // Another program's edit is on record before what was found is written.
            let before = disk.open().ledger().unwrap();
            let other = change(&disk.open(), "a", "1", "2");
            let then = if is_known { disk.open().ledger().unwrap() } else { before };
            write_found(&disk, "1", found, then);
            assert_eq!(disk.open().ledger().unwrap().stands(other), stands);
        }
    }

    #[test]
    fn what_was_undone_or_redone_is_written_though_somebody_has_typed_since() {
        let disk = Disk::new();
        disk.put("ws/a", "0");
        let operation = change(&disk.open(), "a", "0", "1");
        let ledger = || disk.open().ledger().unwrap();
        let back = Entry::Back { path: path("a"), to: state("0"), typed: None };
        write_found(&disk, "0 typed", back, ledger());
        assert!(!ledger().stands(operation));
        let forth = Entry::Forth { path: path("a"), to: state("1"), typed: None };
        write_found(&disk, "1 typed", forth.clone(), ledger());
        assert!(ledger().stands(operation));
        // Another edit is on record by the time that the redo is written.
        let then = ledger();
        let other = change(&disk.open(), "a", "1", "2");
        write_found(&disk, "1", forth, then);
        assert!(ledger().stands(other));
    }
}
