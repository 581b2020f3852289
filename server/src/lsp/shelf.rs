//! What was done in each workspace, as the main loop has it: the kept ledger, with what is not
//! written to it yet.

mod handed;
mod loaded;
mod opened;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use operator_core::dialect::Told;
use operator_core::edit::Change;
use operator_core::ledger::{BlockId, Event, Ledger, Merged, Observation, Operation, Transcript};
use operator_core::path::{FilePath, State as FileState};
use operator_core::review::Book;

use super::recorder::What;
use super::sites::Site;
use crate::moment;
use crate::workspace::{self, Reading, Reversal};
use handed::Handed;
pub use handed::Made;
use loaded::Loaded;
pub use loaded::{Compared, Looked, Shown};
pub use opened::Opened;

/// The workspaces by their folders.
pub type Shelves = HashMap<Vec<PathBuf>, Shelf>;

/// Which state of the kept ledger something is: its length in bytes and its time.
pub type Edition = (u64, u128);

/// What was done in a workspace. A clone is cheap and does not change.
#[derive(Clone, Default)]
pub struct Shelf {
    book: Book,
    /// The state of the kept ledger that the book begins with; `None` where it was not read yet.
    edition: Option<Edition>,
    /// The kept ledger as it was read, with the bases that it was told since.
    kept: Ledger,
    /// Which reading of its file that was.
    reading: Option<Reading>,
    /// What the kept ledger does not have yet, in order.
    unwritten: Vec<Unwritten>,
    /// What was given to the client and is not made as far as is known, the newest last.
    handed: Vec<Handed>,
    /// The files that other programs have not saved.
    unsaved: Arc<BTreeSet<FilePath>>,
    /// What was on disk of files as the editor showed it last.
    loaded: HashMap<FilePath, Loaded>,
    /// The files that the editor has saved and then closed, the last one last: that another program had changed
    /// them before may come to be known later.
    closed: Vec<(FilePath, Loaded)>,
    /// The files that the editor has begun to show, and that nobody has compared with the disk since, each
    /// with how often it has changed or was saved.
    opened: BTreeMap<FilePath, u64>,
    /// The files of which it is waited whether the editor has saved what it shows, with what it shows.
    in_doubt: BTreeMap<FilePath, Shown>,
    /// What the files of an undo or a redo have before and after it that the client has given up: it
    /// may have changed some of them, and tell of it later.
    reversing: HashMap<FilePath, (FileState, FileState)>,
}

/// Something that the ledger was told, and its number.
#[derive(Clone)]
struct Unwritten {
    number: u64,
    transcript: Transcript,
    what: Arc<What>,
}

/// The kept ledger as it was read.
pub struct Kept {
    /// The workspace's folders.
    pub folders: Vec<PathBuf>,
    /// Whether it was read because of something that was written, and that one's number; else the
    /// state that was known before.
    pub why: Why,
    /// Which state it is.
    pub edition: Edition,
    /// What it says.
    pub ledger: Ledger,
    /// Which reading of its file that was; `None` where it could not be read.
    pub reading: Option<Reading>,
    /// Where it was read for the first time, the files of which it was told since the workspace was
    /// opened; `None` where that is not known.
    pub others: Option<BTreeSet<FilePath>>,
    /// The files that other programs have not saved.
    pub unsaved: Arc<BTreeSet<FilePath>>,
    /// The files that were not saved when a server ended.
    pub left: BTreeSet<FilePath>,
}

/// Why the kept ledger was read.
pub enum Why {
    /// What has this number was written.
    Written(u64),
    /// It is another one than this, which was known.
    Other(Option<Edition>),
}

impl Shelf {
    /// What is known of the workspace by now.
    pub fn ledger(&self) -> &Ledger {
        &self.book.ledger
    }

    /// The state of the kept ledger that is known; `None` where it was not read yet.
    pub fn edition(&self) -> Option<Edition> {
        self.edition
    }

    /// The ledger as a transcript asks it.
    pub fn book(&self, transcript: Transcript) -> Book {
        self.book.for_transcript(transcript, moment::now())
    }

    /// Reads the kept ledger where it is another one than is known: the command line or another
    /// editor may have written to it.
    pub fn read(&self, site: &Site) -> Option<Kept> {
        let workspace = site.workspace();
        let edition = workspace.ledger_edition();
        let unsaved = workspace.look_for_unsaved();
        if self.edition == Some(edition) && self.unsaved == unsaved {
            return None;
        }
        let (ledger, reading) = match workspace.ledger_with_reading() {
            Ok((ledger, reading)) => (ledger, Some(reading)),
            Err(error) => {
                tracing::warn!(%error, "the ledger cannot be read");
                (self.book.ledger.clone(), None)
            }
        };
        // Who tells of a change has told before that it is not saved.
        let unsaved = workspace.look_for_unsaved();
        let is_first = self.edition.is_none();
        let others = is_first.then(|| workspace.told_since(site.kept_end())).flatten();
        let left = workspace.left_unsaved();
        let (folders, why) = (workspace.roots().to_vec(), Why::Other(self.edition));
        Some(Kept { folders, why, edition, ledger, reading, others, unsaved, left })
    }

    /// Takes out what was found in files on disk that no block has led to, where the kept ledger has changed
    /// since this state of it was read: it may be on a change that this state does not know. Returns the
    /// files.
    pub fn take_early(&self, site: &Site, found: &mut Vec<Event>) -> Vec<FilePath> {
        let edition = self.edition.filter(|it| *it != site.workspace().ledger_edition());
        let view = edition.map(|_| site.view());
        let is_early = |event: &mut Event| match event {
            Event::Changed { path, .. } => view.as_ref().is_some_and(|it| !it.is_unsaved(path)),
            _ => false,
        };
        let early = found.extract_if(.., is_early);
        early.flat_map(|it| it.paths().into_iter().cloned().collect::<Vec<_>>()).collect()
    }

    /// Takes in which files other programs have not saved; gives those where that has changed.
    /// `open` are the files that the editor shows.
    pub fn take_unsaved(
        &mut self,
        unsaved: &Arc<BTreeSet<FilePath>>,
        open: &[FilePath],
    ) -> Vec<FilePath> {
        let before = std::mem::replace(&mut self.unsaved, unsaved.clone());
        // They are saved by now, and the editor may still show what was there before.
        for file in open.iter().filter(|file| before.contains(*file) && !unsaved.contains(*file)) {
            if !self.has_loaded(file, &self.book.ledger) {
                self.book.mark_unread(file.clone(), None);
            }
        }
        before.symmetric_difference(unsaved).cloned().collect()
    }

    /// Begins anew with the kept ledger, with what it does not have yet; gives whether that is
    /// another one than is known. `open` are the files that the editor shows.
    pub fn take(&mut self, kept: &Kept, open: &[FilePath]) -> bool {
        self.book.edition += 1;
        match kept.why {
            Why::Written(number) => self.unwritten.retain(|it| it.number != number),
            Why::Other(before) if before != self.edition => return false,
            Why::Other(_) => {}
        }
        let last = |ledger: &Ledger| ledger.operations().next_back().map(|it| it.id);
        let is_first = self.edition.is_none();
        let others = kept.others.as_ref().filter(|_| is_first);
        // Who shows a file that it is to reload, may show what is on disk below the unsaved changes.
        let is_shown = |file: &FilePath| open.contains(file) && !self.book.is_unread(file);
        let left: Vec<_> = kept.left.iter().filter(|file| !is_shown(file)).collect();
        left.into_iter().for_each(|file| self.book.mark_left(file.clone()));
        let before = std::mem::replace(&mut self.kept, kept.ledger.clone());
        let old = std::mem::replace(&mut self.book.ledger, kept.ledger.clone());
        let ledger = &mut self.book.ledger;
        let before_it = std::mem::replace(&mut self.reading, kept.reading);
        ledger.keep_bases(&old, kept.reading.is_some() && kept.reading == before_it);
        self.edition = Some(kept.edition);
        for Unwritten { transcript, what, .. } in &self.unwritten {
            match &**what {
                What::Proposed(bases) => bases.iter().for_each(|it| self.kept.apply(it)),
                What::Applied { door, time, works, proposed, .. } => {
                    proposed.iter().for_each(|event| ledger.apply(event));
                    let (id, transcript, works) =
                        (ledger.next_id(), transcript.clone(), works.clone());
                    let operation = Operation { id, time: *time, door: *door, transcript, works };
                    let operation = expect(ledger, operation, &|_| false).id;
                    ledger.apply(&Event::Claimed { operation });
                }
                What::Withdrawn(operation) => {
                    let Operation { time, transcript, works, .. } = &**operation;
                    if let Some(operation) = ledger.find(*time, transcript, works).map(|it| it.id) {
                        ledger.apply(&Event::Forgotten { operation });
                    }
                }
                what => what.events(transcript, ledger).iter().for_each(|it| ledger.apply(it)),
            }
        }
        for Handed { operation, claimed, .. } in &mut self.handed {
            let Some(operation) = operation else { continue };
            let id = ledger.next_id();
            // What the files have shown of it, they may not show any more.
            let made: BTreeSet<FilePath> =
                old.made_at(operation.id).into_iter().flatten().collect();
            let same = Operation { id, ..Operation::clone(operation) };
            *operation = expect(ledger, same, &|_| false);
            ledger.claim(operation.id, &|transition| {
                let is_claimed = |open: &BTreeSet<_>| !open.contains(&transition.path);
                made.contains(&transition.path) || claimed.as_ref().is_some_and(is_claimed)
            });
        }
        self.book.ledger.keep_changes(&old);
        // The editor may still show what was there before.
        for file in open {
            let is_other = |then: &Ledger, now: &Ledger| then.head(file) != now.head(file);
            let is_told = others.is_none_or(|others| others.iter().any(|it| file.is_within(it)));
            // What was made and undone since has left the file as it was on record.
            let is_news = !before.is_same_at(&kept.ledger, file) && is_other(&old, &kept.ledger);
            if self.has_loaded(file, &old) {
                self.book.mark_read(file);
            } else if is_told && is_news && is_other(&old, &self.book.ledger) {
                let loaded = || self.loaded.get(file).map(Loaded::state);
                self.book.mark_unread(file.clone(), old.head(file).or_else(loaded));
            }
        }
        for (file, loaded) in &self.closed {
            if let Some(before) =
                old.head(file).filter(|it| self.book.ledger.head(file) != Some(*it))
            {
                self.book.mark_unread(file.clone(), Some(before));
                loaded.note_saved_over(file, &mut self.book);
                self.book.mark_read(file);
            }
        }
        last(&old) != last(&self.book.ledger) || matches!(kept.why, Why::Other(_))
    }

    /// Notes that the client has given up an undo or a redo.
    pub fn expect_reversal(&mut self, reversal: &Reversal) {
        let target = |change: &Change| match change {
            Change::Edit { path, before, after } => {
                let [before, after] = [before, after].map(|it| FileState::File(it.fingerprint()));
                Some((path.clone(), (before, after)))
            }
            _ => None,
        };
        self.reversing = reversal.changes.iter().filter_map(target).collect();
    }

    /// Whether a file may come to be as an undo or a redo leaves it that the client has given up.
    pub fn expects_reversal_of(&self, file: &FilePath) -> bool {
        self.reversing.contains_key(file)
    }

    /// Compares what is in an open file with what such an undo or redo leaves there, and returns the
    /// events of a match. Nothing is expected any more once something else is there.
    pub fn see_reversal(&mut self, file: &FilePath, state: Option<FileState>) -> Vec<Event> {
        let Some((before, after)) = self.reversing.get(file).copied() else { return Vec::new() };
        if state == Some(before) {
            return Vec::new();
        }
        self.reversing.remove(file);
        let Some(state) = state.filter(|state| *state == after) else { return Vec::new() };
        self.book.edition += 1;
        let found = Observation { path: file.clone(), state, closed: false };
        self.book.ledger.observe(&[found], moment::now(), &|_| Vec::new())
    }

    /// Whether an open file may come to be as blocks had left it that were undone.
    pub fn can_redo(&self, file: &FilePath) -> bool {
        self.book.ledger.can_redo(file)
    }

    /// Takes in what is in an open file where that is what undone blocks had left there, and returns
    /// the events. A review may come only after the next change, and the blocks would be offered a
    /// second time.
    pub fn see_redo(&mut self, file: &FilePath, state: Option<FileState>) -> Vec<Event> {
        let found = state.map(|state| Observation { path: file.clone(), state, closed: false });
        let found = found.filter(|_| !self.book.is_unread(file));
        let found = found.filter(|it| self.book.ledger.is_redo(it));
        found.map_or_else(Vec::new, |found| self.see_loaded(file, found.state))
    }

    /// Takes in that an open file had a state where changes of blocks were undone or redone, and returns the
    /// events.
    pub fn see_reversed(&mut self, file: &FilePath, state: Option<FileState>) -> Vec<Event> {
        let found = state.map(|state| Observation { path: file.clone(), state, closed: false });
        let found = found.filter(|it| self.book.ledger.is_reversal(it));
        found.map_or_else(Vec::new, |found| self.see_loaded(file, found.state))
    }

    /// Takes in that an open file had a state that the editor does not show any more, and returns the
    /// events.
    pub fn see_loaded(&mut self, file: &FilePath, state: FileState) -> Vec<Event> {
        self.book.edition += 1;
        let found = Observation { path: file.clone(), state, closed: false };
        self.book.ledger.observe(&[found], moment::now(), &|_| Vec::new())
    }

    /// Takes in that the editor shows another text of a file, or has saved or closed it. Gives whether
    /// it was not saved when a server ended.
    pub fn mark_shown(&mut self, file: &FilePath) -> bool {
        let was_left = self.book.is_left(file);
        self.book.mark_shown(file);
        was_left
    }

    /// Takes in what a review found on the ledger as it was `then`. What is on disk of a file that
    /// another program has not saved, or had not when it ended, says nothing: the review may have
    /// begun before that was known, and looked at the file after.
    /// `is_open` says of a file whether the editor shows it.
    pub fn merge(
        &mut self,
        found: &[Event],
        then: &Ledger,
        is_open: impl Fn(&FilePath) -> bool,
    ) -> Merged {
        let is_unsure = |path: &FilePath| {
            !is_open(path) && (self.unsaved.contains(path) || self.book.is_left(path))
        };
        let (unsure, found): (Vec<&Event>, Vec<&Event>) =
            found.iter().partition(|event| match event {
                Event::Back { path, .. } | Event::Forth { path, .. } => is_unsure(path),
                _ => false,
            });
        let found: Vec<Event> = found.into_iter().cloned().collect();
        let mut merged = self.book.ledger.merge(&found, then);
        merged.again.extend(unsure.iter().flat_map(|event| event.paths()).cloned());
        let is_new = |event: &Event| event.is_lasting() && !matches!(event, Event::Proposed { .. });
        self.book.edition += u64::from(merged.events.iter().any(is_new));
        merged
    }

    /// What the kept ledger is told of an operation that was made.
    pub fn applied(&self, operation: &Operation) -> What {
        applied(&self.book.ledger, operation, None)
    }

    /// Whether an event tells of an edit that was on record as given to a client of another server,
    /// or of one that has ended.
    pub fn is_of_others(&self, event: &Event) -> bool {
        let Event::Made { owners, .. } = event else { return false };
        let is_own =
            |id| self.handed.iter().any(|it| it.operation.as_ref().is_some_and(|it| it.id == id));
        owners.iter().any(|(id, ..)| !is_own(*id))
    }

    /// Takes in something that the kept ledger is told with this number.
    pub fn tell(&mut self, number: u64, transcript: &Transcript, what: &Arc<What>) {
        self.book.edition += 1;
        // What was made, found and proposed is in the ledger already.
        if let What::Proposed(bases) = &**what {
            bases.iter().for_each(|base| self.kept.apply(base));
        } else if let What::Reversed(..) | What::Answered(_) = **what {
            let ledger = &mut self.book.ledger;
            what.events(transcript, ledger).iter().for_each(|event| ledger.apply(event));
        }
        let (transcript, what) = (transcript.clone(), what.clone());
        self.unwritten.push(Unwritten { number, transcript, what });
    }

    /// Notes what the model is told of a block of a transcript; nothing any more with `None`.
    pub fn note(&mut self, transcript: &Transcript, block: BlockId, told: Option<Told>) {
        self.book.edition += 1;
        self.book.note(transcript, block, told);
    }

    /// Takes over what the model is told of blocks that a review has found to be made by hand.
    pub fn note_all(&mut self, book: &Book, blocks: impl Iterator<Item = BlockId>) {
        self.book.edition += 1;
        self.book.note_all(book, blocks);
    }

    /// The bases of some blocks of a transcript that the kept ledger does not have, as events.
    pub fn unkept_bases(
        &self,
        transcript: &Transcript,
        blocks: impl Iterator<Item = BlockId>,
    ) -> Vec<Event> {
        let unkept = blocks.filter_map(|block| {
            let base = self.book.ledger.base(transcript, block)?;
            let is_kept = self.kept.base(transcript, block) == Some(base);
            let event = || Event::proposed(transcript.clone(), block, base.clone());
            (!is_kept).then(event)
        });
        unkept.collect()
    }

    /// Copies the bases of the blocks of one transcript to another one.
    pub fn copy_bases(&mut self, of: &Transcript, to: &Transcript) {
        self.book.edition += 1;
        self.book.ledger.copy_bases(of, to);
    }

    /// How many bases of blocks of a transcript were found besides those that the kept ledger tells of.
    pub fn own_bases_of(&self, transcript: &Transcript) -> usize {
        self.book.ledger.own_bases_of(transcript)
    }

    /// Removes those of all blocks of a transcript but the ones of which `is_there` says so.
    pub fn bound(&mut self, transcript: &Transcript, is_there: impl Fn(BlockId) -> bool) {
        self.book.ledger.bound_bases(transcript, is_there);
    }
}

/// What the kept ledger is told of an operation that was made.
fn applied(ledger: &Ledger, operation: &Operation, made: Option<Arc<workspace::Made>>) -> What {
    let Operation { door, time, transcript, works, .. } = operation.clone();
    let proposed = works.iter().filter_map(|work| {
        let base = ledger.base(&transcript, work.block)?;
        Some(Event::proposed(transcript.clone(), work.block, base.clone()))
    });
    let proposed = proposed.collect();
    What::Applied { door, time, works, proposed, made }
}

/// Has the ledger expect an operation, unless its record has told of it already, under whatever
/// number; gives it with that number.
fn expect(
    ledger: &mut Ledger,
    operation: Operation,
    is_closed: &dyn Fn(&FilePath) -> bool,
) -> Arc<Operation> {
    let Operation { time, transcript, works, .. } = &operation;
    if let Some(known) = ledger.find(*time, transcript, works) {
        return known.clone();
    }
    // Whoever was given these blocks before and has made nothing of them, does not now.
    for operation in ledger.awaited(works.iter().map(|work| work.block)) {
        ledger.apply(&Event::Forgotten { operation });
    }
    let operation = Arc::new(operation);
    ledger.hand_over(Operation::clone(&operation), operation.time, is_closed);
    operation
}

#[cfg(test)]
mod tests {
    use operator_core::fingerprint::Fingerprint;
    use operator_core::ledger::Observation;
    use operator_core::path::State;

    use super::*;
    use crate::workspace::tests::store::{chat, write};
    use crate::workspace::tests::{Disk, path};

    /// What a server that has just read the ledger takes the text of an open file for; nothing where the
    /// editor is to reload it.
    fn found(site: &Site, text: &str) -> Vec<Event> {
        let mut shelf = Shelf::default();
        let kept = shelf.read(site).unwrap();
        shelf.take(&kept, &[path("a")]);
        let state = State::File(Fingerprint::of(text.as_bytes()));
        let shown = Observation { path: path("a"), state, closed: false };
        match shelf.book.is_unread(&path("a")) {
            true => Vec::new(),
            false => shelf.book(chat()).observe(&[shown], &|_| Vec::new()),
        }
    }

    #[test]
    fn what_another_program_does_before_the_ledger_is_read_is_not_undone_by_the_text_before() {
        let disk = Disk::new();
        disk.put("ws/a", "0");
        write(&disk.open(), "a", "0", "1");
        let open = || Site::new(disk.open(), &[]);
        let before_write = open();
        write(&disk.open(), "a", "1", "2");
        assert_eq!(found(&before_write, "1"), []);
        let before_undo = open();
        disk.open().undo(None, false).unwrap();
        assert_eq!(found(&before_undo, "2"), []);
        // What was there when the server began, somebody has undone or made again by hand.
        let to = |text: &str| State::File(Fingerprint::of(text.as_bytes()));
        assert_eq!(
            found(&open(), "2"),
            [Event::Forth { path: path("a"), to: to("2"), typed: None }]
        );
        assert_eq!(
            found(&open(), "0"),
            [Event::Back { path: path("a"), to: to("0"), typed: None }]
        );
    }

    #[test]
    fn what_was_made_and_undone_between_two_looks_is_to_be_reloaded() {
        let disk = Disk::new();
        disk.put("ws/a", "0");
        let undo = || _ = disk.open().undo(None, false).unwrap();
        write(&disk.open(), "a", "0", "1");
        undo();
        let site = Site::new(disk.open(), &[]);
        let mut shelf = Shelf::default();
        let kept = shelf.read(&site).unwrap();
        shelf.take(&kept, &[path("a")]);
        // The editor makes an edit, which another program undoes before the server reads its own record.
        let made = write(&disk.open(), "a", "0", "2");
        let made = disk.open().ledger().unwrap().operation(made).unwrap().clone();
        shelf.book.ledger.apply(&Event::Applied(Operation::clone(&made)));
        shelf.book.mark_read(&path("a"));
        undo();
        let kept = shelf.read(&site).unwrap();
        shelf.take(&kept, &[path("a")]);
        assert!(shelf.is_to_reload(&path("a")));
        // What was not known of it at first the ledger does not say later, but the texts that are compared.
        let to = |text: &str| State::File(Fingerprint::of(text.as_bytes()));
        assert_eq!(shelf.book.shown_before(&path("a")), Some(to("2")));
        shelf.book.mark_read(&path("a"));
        shelf.book.mark_unread(path("a"), None);
        shelf.book.mark_unread(path("a"), Some(to("1")));
        assert_eq!(shelf.book.shown_before(&path("a")), None);
        shelf.book.note_shown_before(&path("a"), to("2"));
        shelf.book.note_shown_before(&path("a"), to("1"));
        assert_eq!(shelf.book.shown_before(&path("a")), Some(to("2")));
    }

    #[test]
    fn what_is_on_disk_says_nothing_before_the_ledger_is_read_that_may_tell_of_it() {
        let disk = Disk::new();
        disk.put("ws/a", "0");
        write(&disk.open(), "a", "0", "1");
        let site = Site::new(disk.open(), &[]);
        let mut shelf = Shelf::default();
        let kept = shelf.read(&site).unwrap();
        shelf.take(&kept, &[]);
        let to = State::File(Fingerprint::of(b"2 typed"));
        let found = vec![Event::Changed { path: path("a"), to }];
        let mut left = found.clone();
        assert_eq!((shelf.take_early(&site, &mut left), &left), (Vec::new(), &found));
        write(&disk.open(), "a", "1", "2");
        assert_eq!((shelf.take_early(&site, &mut left), left), (vec![path("a")], Vec::new()));
    }

    #[test]
    fn an_undo_that_is_not_written_yet_does_not_undo_what_another_program_has_done_since() {
        let disk = Disk::new();
        disk.put("ws/a", "0");
        write(&disk.open(), "a", "0", "1");
        let site = Site::new(disk.open(), &[]);
        let to = |text: &str| State::File(Fingerprint::of(text.as_bytes()));
        let mut shelf = Shelf::default();
        let kept = shelf.read(&site).unwrap();
        shelf.take(&kept, &[path("a")]);
        // The editor has undone it, and so has another program, which then does something else.
        let then = shelf.book.ledger.clone();
        let back = Event::Back { path: path("a"), to: to("0"), typed: None };
        shelf.book.ledger.apply(&back);
        shelf.tell(1, &chat(), &Arc::new(What::Found(vec![back], Box::new(then))));
        disk.open().undo(None, false).unwrap();
        let kept = shelf.read(&site).unwrap();
        shelf.take(&kept, &[path("a")]);
        assert_eq!(shelf.book.ledger.head(&path("a")), Some(to("0")));
        let other = write(&disk.open(), "a", "0", "2");
        let kept = shelf.read(&site).unwrap();
        shelf.take(&kept, &[path("a")]);
        assert!(shelf.book.ledger.stands(other));
        assert!(shelf.book.is_unread(&path("a")));
    }
}
