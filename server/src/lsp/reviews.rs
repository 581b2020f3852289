//! Reviews: when a transcript is scanned and reviewed, and who waits for it.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use operator_core::ledger::{Event, Ledger};
use operator_core::limits::Cancel;
use operator_core::path::FilePath;
use operator_core::review::{Book, Review, Reviewer};
use operator_core::scan::Scan;
use operator_core::snapshot::Snapshot;
use operator_core::text::Text;
use tower_lsp::ls_types::{Diagnostic, Uri};

use super::context::Context;
use super::documents::DocumentSnapshot;
use super::notifications_out::ProposalCounts;
use super::pending::Pending;
use super::shelf::{Compared, Kept};
use super::sites::Site;
use crate::workspace::View;

/// How many texts are kept at most that files had while a review was under way.
const MOST_SHOWN: usize = 64;
/// How many bytes these have at most, where each has as many as the last.
const MOST_BYTES: usize = 1 << 26;

/// A text, and what is found in it.
pub struct Scanned {
    /// The document.
    pub document: Arc<DocumentSnapshot>,
    /// What is found in its text.
    pub scan: Scan,
}

/// A review of one version, and what is shown of it.
#[derive(Clone, Default)]
pub struct Reviewed {
    /// The document.
    pub uri: Option<Uri>,
    /// The version that was reviewed.
    pub version: i32,
    /// The review.
    pub review: Arc<Review>,
    /// The diagnostics.
    pub diagnostics: Arc<Vec<Diagnostic>>,
    /// How many proposals are in which state.
    pub counts: ProposalCounts,
    /// The document as it was reviewed.
    pub document: Option<Arc<DocumentSnapshot>>,
    /// Which review of the session it is; a pulled report's result id.
    pub serial: u64,
    /// Whether it was ended before it was complete.
    pub cancelled: bool,
    /// The ledger as the review left it.
    pub book: Book,
}

/// A review that is done.
pub struct Done {
    /// What is shown of it.
    pub reviewed: Reviewed,
    /// What the next review goes on from; `None` where the review has failed.
    pub reviewer: Option<Box<Reviewer>>,
    /// What it has added to the ledger.
    pub found: Found,
    /// The kept ledger, where it was another one than was known.
    pub kept: Option<Kept>,
}

/// What a review has found in the files.
pub struct Found {
    /// What it has added to the ledger.
    pub events: Vec<Event>,
    /// The files on disk that were looked at too early: another program has written to the kept ledger
    /// since that was read.
    pub early: Vec<FilePath>,
    /// What the editor shows of files.
    pub compared: Compared,
    /// The ledger that it began with.
    pub then: Ledger,
    /// The workspace as it was then.
    pub site: Site,
}

impl Found {
    /// Takes out the undos that were found on disk in files that the editor shows by `now`, and
    /// returns their files. The editor may show what it has not saved.
    pub fn take_hidden(&mut self, now: &View) -> Vec<FilePath> {
        let before = self.site.view();
        let is_shown_now = |path: &FilePath| !before.is_open(path) && now.is_open(path);
        let is_hidden =
            |event: &mut Event| matches!(event, Event::Back { path, .. } if is_shown_now(path));
        let hidden = self.events.extract_if(.., is_hidden);
        hidden.flat_map(|event| event.paths().into_iter().cloned().collect::<Vec<_>>()).collect()
    }
}

/// A request that waits for a scan or a review.
pub type Job = Box<dyn FnOnce(Result<Context, Unavailable>) + Send>;

/// Why a request gets nothing to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unavailable {
    /// The document is not open.
    NotOpen,
    /// The document has changed since the request came.
    Changed,
}

/// What a request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// What is found in the text as it is.
    Scan,
    /// The review of the text as it is.
    Review,
    /// The same for a while, and then what is found in the text.
    ReviewSoon,
}

/// A request that waits, and the number by which it can be found again.
struct Waiting {
    needs: Needs,
    number: u64,
    job: Job,
}

/// A document as it was before it changed, and the transcript then.
#[derive(Clone)]
pub struct Earlier {
    /// The document's text.
    pub text: Text,
    /// The transcript's.
    pub transcript: Text,
}

/// A scan and review under way.
pub struct Running {
    /// Its number.
    pub serial: u64,
    /// Ends all of it.
    pub all: Cancel,
    /// Ends the review.
    pub review: Cancel,
}

/// The scan and review of one transcript, and everything that waits for them.
pub struct ReviewSlot {
    /// What the next review goes on from; `None` while one is under way.
    pub reviewer: Option<Box<Reviewer>>,
    /// The files whose plans the next review makes anew; `None` for all.
    pub changed: HashSet<Option<FilePath>>,
    /// The documents that have changed before the transcript could be reviewed, as they were: what
    /// the blocks were made for that were there then.
    pub earlier: HashMap<FilePath, Earlier>,
    /// Whether something has changed since the last review began.
    pub dirty: bool,
    /// The one that is under way.
    pub running: Option<Running>,
    /// Whether the document itself has changed since the last review was shown.
    pub edited: bool,
    /// What `scanned` does not know yet, and no scan under way.
    pub pending: Pending,
    /// The last scan.
    pub scanned: Option<Arc<Scanned>>,
    /// The last review that was still right when it was done.
    pub current: Arc<Reviewed>,
    /// What the client was told last.
    pub counts: ProposalCounts,
    waiting: Vec<Waiting>,
    changed_meanwhile: HashSet<FilePath>,
    /// What the editor has shown of files since the review under way began, the oldest first.
    shown_meanwhile: Vec<(FilePath, Text)>,
    /// The number of the last one that was started.
    started: u64,
}

impl ReviewSlot {
    /// A slot for this text, whose first review is due.
    pub fn new(text: Text) -> ReviewSlot {
        ReviewSlot {
            reviewer: Some(Box::default()),
            changed: HashSet::new(),
            earlier: HashMap::new(),
            dirty: true,
            running: None,
            edited: true,
            pending: Pending::whole(text),
            scanned: None,
            current: Arc::default(),
            counts: ProposalCounts::default(),
            waiting: Vec::new(),
            changed_meanwhile: HashSet::new(),
            shown_meanwhile: Vec::new(),
            started: 0,
        }
    }

    /// Whether the last review holds for the document and the workspace as they are known.
    pub fn is_settled(&self) -> bool {
        !self.dirty && self.running.is_none()
    }

    /// Whether a review can begin that must.
    pub fn is_due(&self) -> bool {
        self.dirty && self.running.is_none()
    }

    /// Whose turn it is among the transcripts that are due: the least comes first. Whoever waits
    /// is served first, then who types, then who was served longest ago.
    pub fn turn(&self) -> (bool, bool, u64) {
        (self.waiting.is_empty(), !self.edited, self.started)
    }

    /// A review begins.
    pub fn start(&mut self, running: Running) {
        self.dirty = false;
        self.started = running.serial;
        self.running = Some(running);
        self.shown_meanwhile.clear();
    }

    /// The editor shows a text of a file. The review under way may tell that a change of it is undone, and
    /// this text may have it again.
    pub fn note_shown(&mut self, file: &FilePath, text: &Text) {
        let shown = &mut self.shown_meanwhile;
        let is_room = shown.len() < MOST_SHOWN && (shown.len() + 1) * text.len() <= MOST_BYTES;
        if self.running.is_some() && is_room {
            shown.push((file.clone(), text.clone()));
        }
    }

    /// Takes out what the editor has shown since the review under way began, the oldest first.
    pub fn take_shown(&mut self) -> Vec<(FilePath, Text)> {
        std::mem::take(&mut self.shown_meanwhile)
    }

    /// The scan of this document, where it is done.
    pub fn scan_of(&self, document: &Arc<DocumentSnapshot>) -> Option<&Arc<Scanned>> {
        self.scanned.as_ref().filter(|scanned| Arc::ptr_eq(&scanned.document, document))
    }

    /// Ends the review under way, whose result is of no use any more.
    pub fn cancel_review(&self) {
        if let Some(running) = &self.running {
            running.review.cancel();
        }
    }

    /// Ends everything that is under way or waits.
    pub fn close(&mut self) {
        if let Some(running) = self.running.take() {
            running.all.cancel();
            running.review.cancel();
        }
        self.reject_waiters();
    }

    /// A document is about to change that is a file to the transcript, whose text is `transcript`.
    pub fn keep_earlier(&mut self, file: &FilePath, text: &Text, transcript: &Text) {
        if !self.is_settled() && !self.earlier.contains_key(file) {
            let earlier = Earlier { text: text.clone(), transcript: transcript.clone() };
            self.earlier.insert(file.clone(), earlier);
        }
    }

    /// Has the next review make the plans anew that look at a file, if any does.
    ///
    /// What a review under way looks at is known when it is done; a review that is due all the
    /// same finds out by itself whether it must.
    pub fn forget(&mut self, file: &FilePath) {
        if self.dirty {
            self.changed.insert(Some(file.clone()));
        } else if self.running.is_some() {
            self.changed_meanwhile.insert(file.clone());
        } else if self.current.review.looks_at(file) {
            self.changed.insert(Some(file.clone()));
            self.dirty = true;
        }
    }

    /// The review under way is done: what has changed meanwhile counts for what it looked at.
    pub fn finish(&mut self, review: &Review) {
        self.running = None;
        for file in std::mem::take(&mut self.changed_meanwhile) {
            if review.looks_at(&file) || self.current.review.looks_at(&file) {
                self.changed.insert(Some(file));
                self.dirty = true;
            }
        }
    }

    /// Makes a request wait for the next scan or review that holds.
    pub fn wait(&mut self, needs: Needs, number: u64, job: Job) {
        self.waiting.push(Waiting { needs, number, job });
    }

    /// Takes out everyone who waits.
    pub fn take_waiting(&mut self) -> Vec<Job> {
        self.waiting.drain(..).map(|waiting| waiting.job).collect()
    }

    /// Takes out everyone who waits for the scan alone.
    pub fn take_waiting_for_scan(&mut self) -> Vec<Job> {
        let scan = self.waiting.extract_if(.., |waiting| waiting.needs == Needs::Scan);
        scan.map(|waiting| waiting.job).collect()
    }

    /// Has a request wait for the scan alone from now on.
    pub fn give_up_review(&mut self, number: u64) {
        let waiting = self.waiting.iter_mut().find(|waiting| waiting.number == number);
        waiting.into_iter().for_each(|waiting| waiting.needs = Needs::Scan);
    }

    /// Answers everyone who waits that the document has changed.
    pub fn reject_waiters(&mut self) {
        for job in self.take_waiting() {
            job(Err(Unavailable::Changed));
        }
    }
}

#[cfg(test)]
mod tests {
    use operator_core::fingerprint::Fingerprint;
    use operator_core::path::State;

    use super::*;
    use crate::lsp::proto;
    use crate::workspace::tests::{Disk, path};

    #[test]
    fn an_undo_on_disk_says_nothing_once_the_editor_shows_the_file() {
        let disk = Disk::new();
        let show = |site: &mut Site, name: &str| {
            let place = disk.at(&format!("ws/{name}"));
            let (uri, text) = (proto::uri_of(&place).unwrap(), Text::new("2"));
            site.put(&DocumentSnapshot { uri, version: 1, text, unsynced: None }, &place);
        };
        let to = State::File(Fingerprint::of(b"1"));
        let back = |name: &str| Event::Back { path: path(name), to, typed: None };
        let forth = Event::Forth { path: path("a"), to, typed: None };
        let mut site = Site::new(disk.open(), &[]);
        show(&mut site, "was shown");
        let events = vec![back("a"), back("was shown"), back("closed"), forth.clone()];
        let (compared, then) = Default::default();
        let mut found = Found { events, early: Vec::new(), compared, then, site: site.clone() };
        show(&mut site, "a");
        assert_eq!(found.take_hidden(&site.view()), [path("a")]);
        assert_eq!(found.events, [back("was shown"), back("closed"), forth]);
    }

    #[test]
    fn who_waits_comes_first_and_then_who_was_reviewed_longest_ago() {
        let slot = |started: u64, edited: bool| ReviewSlot {
            started,
            edited,
            ..ReviewSlot::new(Text::new(""))
        };
        let mut waited_for = slot(9, false);
        waited_for.wait(Needs::Review, 1, Box::new(|_| {}));
        let slots = [slot(3, false), slot(7, true), slot(5, true), waited_for];
        let mut started: Vec<_> = slots.iter().map(|it| (it.turn(), it.started)).collect();
        started.sort_unstable();
        assert_eq!(started.iter().map(|(_, started)| *started).collect::<Vec<_>>(), [9, 5, 7, 3]);
    }
}
