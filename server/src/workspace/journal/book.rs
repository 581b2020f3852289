//! The ledger's file: one event on each line, the oldest first.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::UNIX_EPOCH;

use cap_fs_ext::MetadataExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use operator_core::ledger::{BlockId, Door, Event, Ledger, Operation, OperationId, Transcript};
use operator_core::path::FilePath;
use rpds::HashTrieSetSync;

use super::regular;
use super::store::{folder, sync};
use crate::workspace::durable::{self, Written};
use crate::workspace::errors::JournalError;

const FILE: &str = "ledger";
/// A file that takes the ledger's place once it is whole.
const NEW: &str = "ledger.new";

/// So many bytes of what the model was told stay in a ledger that is shortened.
const KEPT: usize = 1 << 20;

/// A reading of a ledger's file from its beginning, by this program: what was read later goes on from
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading(u64);

/// How far a ledger's file was written; the default where there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LedgerEnd {
    /// Which file it was: one that was shortened is another one.
    pub(in crate::workspace) file: Option<(u64, u64)>,
    /// Its length in bytes.
    pub(in crate::workspace) length: u64,
}

/// How often this program has read a ledger's file from its beginning.
static READINGS: AtomicU64 = AtomicU64::new(0);

/// What was done in a workspace, as its ledger's file says.
#[derive(Clone, Default)]
pub(super) struct Book {
    folder: PathBuf,
    pub(super) ledger: Ledger,
    /// The operations that were undone by this program and not redone.
    undone: HashTrieSetSync<OperationId>,
    /// Those of them that no later operation on the same files keeps from being redone, the last one last.
    redoable: Vec<OperationId>,
    /// The operations that were made, for a while at least.
    made: HashTrieSetSync<OperationId>,
    /// Those that an editor was to get and that nobody has seen made, each with the files that
    /// already had its result before; the ledger's file does not have them.
    pub(super) expected: BTreeMap<OperationId, Vec<FilePath>>,
    /// Which file it is: one that was shortened is another one.
    file: (u64, u64),
    /// Which reading from the beginning this one goes on from: the number of a file that is gone may
    /// be given to another one.
    reading: u64,
    /// How long the file is up to its last whole line.
    length: u64,
    /// How many lines say what has happened to operations or their files.
    steps: usize,
    /// How many lines tell of anything but operations.
    others: usize,
    /// How many bytes are kept of what the model was told.
    kept: usize,
    /// The highest number of an operation that was told of, also of one that is forgotten.
    highest: u64,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// A ledger that was read, so that the next time only what was added is read. One thread reads at a
/// time: the others go on from what it has read.
#[derive(Default)]
pub struct LastRead(Mutex<Option<Known>>);

struct Known {
    book: Book,
    /// The end of what was read, which must be there still.
    end: Vec<u8>,
}

/// How many bytes of the end are compared.
const END: usize = 256;

impl fmt::Debug for LastRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LastRead").finish_non_exhaustive()
    }
}

impl Known {
    /// Whether it is the beginning of this file: the file's place is after it then.
    fn begins(&self, folder: &Path, file: &mut File) -> io::Result<bool> {
        if self.book.file != identity(file)? || self.book.folder != folder {
            return Ok(false);
        }
        let mut end = vec![0; self.end.len()];
        file.seek(SeekFrom::Start(self.book.length.saturating_sub(end.len() as u64)))?;
        let is_there = file.read_exact(&mut end).is_ok() && end == self.end;
        if !is_there {
            file.rewind()?;
        }
        Ok(is_there)
    }
}

impl Book {
    /// Reads the ledger in a folder; where there is none, it is empty. A line that is not whole or
    /// cannot be understood does not count.
    pub(super) fn read(folder: &Path, last: &LastRead) -> Result<Book, JournalError> {
        let book = Book { folder: folder.to_owned(), ..Book::default() };
        let path = folder.join(FILE);
        match regular::open(&path, OpenOptions::new().read(true)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(book),
            Err(error) => Err(book.failed(error)),
            Ok(file) => Book::go_on(folder, file, last).map_err(|source| book.failed(source)),
        }
    }

    fn go_on(folder: &Path, mut file: File, last: &LastRead) -> io::Result<Book> {
        let mut last = last.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut book, mut end) = match last.take() {
            Some(known) if known.begins(folder, &mut file)? => (known.book, known.end),
            _ => {
                let reading = READINGS.fetch_add(1, Ordering::Relaxed) + 1;
                (Book { folder: folder.to_owned(), reading, ..Book::default() }, Vec::new())
            }
        };
        book.file = identity(&file)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        text.truncate(whole(&text));
        each_event(&text, |event| {
            book.follow(&event);
            book.ledger.take(event);
        });
        book.length += text.len() as u64;
        end.extend_from_slice(&text[text.len().saturating_sub(END)..]);
        let end = end.split_off(end.len().saturating_sub(END));
        *last = Some(Known { book: book.clone(), end });
        Ok(book)
    }

    /// The reading that this one goes on from.
    pub(super) fn reading(&self) -> Reading {
        Reading(self.reading)
    }

    /// How far the file in a folder is written.
    pub(super) fn end(folder: &Path) -> LedgerEnd {
        let file = regular::open(&folder.join(FILE), OpenOptions::new().read(true));
        let end = file.and_then(|file| {
            Ok(LedgerEnd { file: Some(identity(&file)?), length: file.metadata()?.len() })
        });
        end.unwrap_or_default()
    }

    /// The files that the file tells of after it was written so far; `None` where it is another one, or
    /// does not have as many bytes.
    pub(super) fn told_since(&self, end: LedgerEnd) -> io::Result<Option<BTreeSet<FilePath>>> {
        let LedgerEnd { file, length } = end;
        if file.is_some_and(|file| file != self.file) {
            return Ok(None);
        }
        let mut told = BTreeSet::new();
        if self.length == length {
            return Ok(Some(told));
        }
        let text = self.text()?;
        let before = usize::try_from(length).ok().and_then(|length| text.get(..length));
        // A line that was being written then counts as told since.
        let Some(text) = before.map(|before| &text[whole(before)..]) else { return Ok(None) };
        let operation = |id| self.ledger.operation(id).map(|it| it.paths()).unwrap_or_default();
        each_event(text, |event| match &event {
            Event::HandedOut(it) => told.extend(it.paths().into_iter().cloned()),
            Event::Claimed { operation: id }
            | Event::Withdrawn { operation: id }
            | Event::Undone { operation: id }
            | Event::Redone { operation: id } => told.extend(operation(*id).into_iter().cloned()),
            Event::Timeline { path, .. } => _ = told.insert(path.clone()),
            event => told.extend(event.paths().into_iter().cloned()),
        });
        Ok(Some(told))
    }

    /// The length of the file in a folder, and its time in nanoseconds since 1970-01-01 UTC; zero
    /// where there is none.
    pub(super) fn edition(folder: &Path) -> (u64, u128) {
        let Ok(file) = folder.join(FILE).symlink_metadata() else { return (0, 0) };
        let since = file.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
        (file.len(), since.unwrap_or_default().as_nanos())
    }

    /// The whole lines of the file.
    fn text(&self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        match regular::open(&self.folder.join(FILE), OpenOptions::new().read(true)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(text),
            file => _ = file?.read_to_end(&mut text)?,
        }
        text.truncate(whole(&text));
        Ok(text)
    }

    fn failed(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.folder.join(FILE), source }
    }

    /// A number that no operation has had that was told of: what is forgotten is told by its number.
    pub(super) fn next_id(&self) -> OperationId {
        self.ledger.next_id().max(OperationId(self.highest + 1))
    }

    /// Takes an event in, without writing it down.
    pub(super) fn take(&mut self, event: &Event) {
        self.ledger.apply(event);
        self.follow(event);
    }

    /// Takes in what the ledger itself is told too.
    pub(super) fn follow(&mut self, event: &Event) {
        if let Event::HandedOut(it)
        | Event::Applied(it)
        | Event::ByHand(it)
        | Event::Known { operation: it, .. } = event
        {
            self.highest = self.highest.max(it.id.0);
        }
        self.steps += usize::from(is_step(event));
        match event {
            Event::Shortened { highest, made, undone, redoable } => {
                self.highest = highest.0;
                self.made = made.iter().copied().collect();
                self.undone = undone.iter().copied().collect();
                self.redoable.clone_from(redoable);
            }
            Event::Claimed { operation } => self.note_made(*operation, None),
            Event::Applied(operation) => self.note_made(operation.id, Some(operation)),
            Event::Made { owners, .. } => {
                owners.iter().for_each(|(operation, ..)| self.note_made(*operation, None));
            }
            Event::Undone { operation } => {
                self.drop_undone(*operation);
                self.undone.insert_mut(*operation);
                self.redoable.push(*operation);
            }
            Event::Redone { operation } => self.drop_undone(*operation),
            Event::Proposed { .. } | Event::Answered { .. } => self.others += 1,
            Event::Told { blocks, .. } => {
                self.others += blocks.len();
                self.kept += blocks.iter().map(|(_, kept)| kept.size()).sum::<usize>();
            }
            _ => {}
        }
    }

    fn drop_undone(&mut self, id: OperationId) {
        self.undone.remove_mut(&id);
        self.redoable.retain(|other| *other != id);
    }

    /// Takes note that an operation was made, which the ledger may not know yet.
    fn note_made(&mut self, id: OperationId, operation: Option<&Operation>) {
        if self.made.contains(&id) {
            return;
        }
        self.made.insert_mut(id);
        if self.redoable.is_empty() {
            return;
        }
        // What it has changed cannot be changed again as if nothing had happened.
        let known = self.ledger.operation(id).cloned();
        let Some(operation) = operation.or(known.as_deref()) else { return };
        let meets = |other: &OperationId| {
            let other = self.ledger.operation(*other);
            other.is_some_and(|other| touch_the_same(other, operation))
        };
        self.redoable = self.redoable.iter().copied().filter(|other| !meets(other)).collect();
    }

    /// Whether an operation was made, for a while at least.
    pub(super) fn has_made(&self, id: OperationId) -> bool {
        self.made.contains(&id)
    }

    /// Whether two operations have a place in common, or one is in the other's.
    pub(super) fn meet(&self, one: OperationId, other: OperationId) -> bool {
        let operations = self.ledger.operation(one).zip(self.ledger.operation(other));
        operations.is_some_and(|(one, other)| touch_the_same(one, other))
    }

    /// Whether an operation was undone by this program and not redone.
    pub(super) fn is_undone(&self, id: OperationId) -> bool {
        self.undone.contains(&id)
    }

    /// The operation that was undone last and can be redone.
    pub(super) fn last_undone(&self) -> Option<OperationId> {
        self.redoable.last().copied()
    }

    /// Every operation that was made by applying blocks, the newest first.
    pub(super) fn applied(&self) -> impl Iterator<Item = &Arc<Operation>> {
        let all = self.ledger.operations().rev();
        all.filter(|it| it.door != Door::Hand && self.made.contains(&it.id))
    }

    /// Whether an operation made the last change of each of its files.
    pub(super) fn is_head(&self, id: OperationId) -> bool {
        self.ledger.stands(id) && self.ledger.can_undo(id).is_ok()
    }

    /// Writes events down, durably, after those that are there.
    pub(super) fn append(&mut self, events: &[Event], told: usize) -> Result<(), JournalError> {
        let text = lines(events.iter().filter(|event| event.is_lasting()));
        if text.is_empty() {
            return Ok(());
        }
        self.write(&text).map_err(|source| self.failed(source))?;
        // What fails here is tried again by the next run.
        let _ = self.shorten(told);
        Ok(())
    }

    /// Writes what the lines have led to in their place, once there are many more of them than operations.
    /// The oldest of what else is told is left out. So are, once there are more than twice as many operations
    /// as are to be told of, the oldest of those that made no last change of a file.
    fn shorten(&mut self, told: usize) -> io::Result<()> {
        let number = self.ledger.operations().len();
        let is_long =
            self.steps > told.max(number) || self.others > 2 * told || self.kept > 4 * KEPT;
        let is_full = number > 2 * told;
        if !is_long && !is_full {
            return Ok(());
        }
        // What this program knows besides is not on record.
        let mut book = Book::read(&self.folder, &LastRead::default()).map_err(io::Error::other)?;
        let surplus = if is_full { number - told } else { 0 };
        let old = book.ledger.operations().map(|it| it.id).take(surplus);
        // What has a folder would be learned from it again.
        let is_old = |id: &OperationId| !book.is_head(*id) && !folder(&self.folder, id.0).is_dir();
        let gone: HashSet<OperationId> = old.filter(is_old).collect();
        if !is_long && gone.len() < told / 2 {
            return Ok(());
        }
        let mut latest = Latest::new(told);
        let text = book.text()?;
        let newest_first = text.rsplit(|byte| *byte == b'\n').filter_map(Event::from_line);
        let mut rest: Vec<Event> = newest_first.filter_map(|event| latest.of(event)).collect();
        rest.reverse();
        book.ledger.forget_all(&gone);
        let state = book.state();
        let new = self.folder.join(NEW);
        let mut options = OpenOptions::new();
        let mut file = regular::open(&new, options.write(true).create(true).truncate(true))?;
        file.write_all(&lines(state.iter().chain(&rest)))?;
        file.sync_all()?;
        fs::rename(&new, self.folder.join(FILE))?;
        sync(&self.folder)?;
        // They take as much memory as what is read.
        drop((book, text, state, rest));
        *self = Book::read(&self.folder, &LastRead::default()).map_err(io::Error::other)?;
        Ok(())
    }

    /// What is known of operations and of the files that they have changed.
    fn state(&self) -> Vec<Event> {
        let is_left = |id: &OperationId| self.ledger.operation(*id).is_some();
        let sorted = |ids: &HashTrieSetSync<OperationId>| {
            let mut left: Vec<OperationId> = ids.iter().copied().filter(is_left).collect();
            left.sort_unstable();
            left
        };
        let shortened = Event::Shortened {
            highest: OperationId(self.highest),
            made: sorted(&self.made),
            undone: sorted(&self.undone),
            redoable: self.redoable.iter().copied().filter(is_left).collect(),
        };
        std::iter::once(shortened).chain(self.ledger.state()).collect()
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        let path = self.folder.join(FILE);
        let is_new = path.symlink_metadata().is_err();
        let folder = Dir::open_ambient_dir(&self.folder, ambient_authority())?;
        let mut file = regular::open_to_add(&path)?;
        regular::cut(&file, self.length)?;
        let written = file.write_all(text);
        let names = is_new.then_some(Written::Names(&folder));
        let all: Vec<_> = [Written::Data(&file)].into_iter().chain(names).collect();
        if let Err(error) = written.and_then(|()| durable::sync(&all)) {
            // If this fails, what is not whole does not count.
            let _ = file.set_len(self.length);
            return Err(error);
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

/// Of this many bytes on, some lines are parsed while others are taken in.
const LONG: usize = 256 << 10;
/// About so many bytes are parsed at a time.
const PART: usize = 64 << 10;

/// The events of lines; those that cannot be understood are left out.
fn parse(text: &[u8]) -> impl Iterator<Item = Event> {
    let ends = memchr::memchr_iter(b'\n', text).map(|end| end + 1);
    let lines = ends.scan(0, move |start, end| text.get(std::mem::replace(start, end)..end));
    lines.filter_map(Event::from_line)
}

/// Hands over each event of whole lines, in order. Where there are many, another thread is ahead.
fn each_event(text: &[u8], mut take: impl FnMut(Event)) {
    let taken = thread::scope(|scope| {
        if text.len() < LONG {
            return false;
        }
        let (sender, parts) = sync_channel::<Vec<Event>>(4);
        let ahead = move || {
            let mut rest = text;
            while !rest.is_empty() {
                let near = rest.len().min(PART) - 1;
                let end =
                    memchr::memchr(b'\n', &rest[near..]).map_or(rest.len(), |at| near + at + 1);
                let (part, after) = rest.split_at(end);
                rest = after;
                if sender.send(parse(part).collect()).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().spawn_scoped(scope, ahead);
        parts.iter().flatten().for_each(&mut take);
        thread.is_ok()
    });
    if !taken {
        parse(text).for_each(take);
    }
}

/// How long a text is up to its last whole line.
fn whole(text: &[u8]) -> usize {
    text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

/// Which file it is, whatever its name.
fn identity(file: &File) -> io::Result<(u64, u64)> {
    let data = cap_std::fs::Metadata::from_file(file)?;
    Ok((data.dev(), data.ino()))
}

/// Tells the latest proposals, answers and replies from those that others have replaced, newest
/// first.
struct Latest {
    seen: HashSet<(u8, Transcript, BlockId)>,
    left: usize,
    /// How many bytes of replies may still come.
    kept: usize,
}

impl Latest {
    fn new(left: usize) -> Latest {
        Latest { seen: HashSet::new(), left, kept: KEPT }
    }

    /// The event, or what is wanted of it; nothing of one that tells of operations.
    fn of(&mut self, mut event: Event) -> Option<Event> {
        let wanted = match &mut event {
            Event::Proposed { transcript, block, .. } => self.wants(0, transcript, *block),
            Event::Answered { transcript, block, .. } => self.wants(1, transcript, *block),
            Event::Told { transcript, blocks } => {
                blocks.retain(|(block, kept)| {
                    self.kept = self.kept.saturating_sub(kept.size());
                    // A refusal is not known by anything else.
                    let fits = self.kept > 0 || kept.is_refusal();
                    fits && self.wants(2, transcript, *block)
                });
                !blocks.is_empty()
            }
            _ => false,
        };
        wanted.then_some(event)
    }

    fn wants(&mut self, kind: u8, transcript: &Transcript, block: BlockId) -> bool {
        let wanted = self.left > 0 && self.seen.insert((kind, transcript.clone(), block));
        self.left -= usize::from(wanted);
        wanted
    }
}

/// Whether an event says what has happened to operations or their files: neither what that has led to, nor
/// what is known of blocks.
fn is_step(event: &Event) -> bool {
    !matches!(
        event,
        Event::Shortened { .. }
            | Event::Known { .. }
            | Event::Timeline { .. }
            | Event::Proposed { .. }
            | Event::Answered { .. }
            | Event::Told { .. }
    )
}

/// Whether two operations have a place in common, or one is in the other's.
fn touch_the_same(one: &Operation, other: &Operation) -> bool {
    let (one, other) = (one.paths(), other.paths());
    let meet = |a: &FilePath, b: &FilePath| a.is_within(b) || b.is_within(a);
    one.iter().any(|a| other.iter().any(|b| meet(a, b)))
}

fn lines<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<u8> {
    let mut text = Vec::new();
    events.for_each(|event| event.add_line(&mut text));
    text
}
