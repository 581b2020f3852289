//! What was done in a workspace, kept outside of it: the undo journal, with what was there before
//! each change, and the ledger, which tells who made it.
//!
//! A transaction has a folder, and its number is the operation's. The record in the folder is the
//! truth: what the ledger's file lacks of it is added by the next run.

mod again;
mod book;
mod bounds;
mod catch_up;
mod check;
mod ends;
mod handed;
mod log;
mod made;
mod record;
mod regular;
mod reversal;
mod reverse;
mod revert;
mod step;
mod store;
mod sweep;
mod taken;
#[cfg(test)]
mod tests;
mod undo;
mod unsaved;

pub(super) use book::LastRead;
pub use book::{LedgerEnd, Reading};
pub use bounds::History;
pub(super) use ends::Ends;
pub use made::Made;
pub use reversal::Reversal;
pub(super) use step::{Saved, Step};
pub(super) use store::{REMOVED, state_directory};
pub use undo::Logged;
pub(super) use unsaved::OfOthers;
pub use unsaved::{LastLoaded, Unsaved};

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{
    BlockId, Door, Event, Ledger, Observation, Operation, OperationId, Transcript, Transition, Work,
};
use operator_core::path::{FilePath, State};
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;

use super::attributes::Attributes;
use super::errors::{JournalError, UndoError};
use super::{Workspace, errors};
use crate::moment;
use book::Book;
use log::{End, Header, Line, Log};
use record::Works;
use revert::{Reverted, Reverting};
use store::Store;

/// Changes that are undone together. While it lives no other run changes the workspace.
///
/// Dropped without `commit` it leaves what was done, and `undo` takes that back.
#[derive(Debug)]
pub struct Transaction {
    workspace: Workspace,
    store: Store,
    book: Book,
    log: Option<Log>,
    id: OperationId,
    header: Option<Header>,
    /// Whether nobody says for which blocks the steps are.
    is_anonymous: bool,
    /// What `log` says of the steps where they are for no block.
    title: String,
    works: Works,
    /// The blocks whose steps come next on record.
    coming: Vec<Work>,
    /// What the ledger's file is to be told at the end.
    events: Vec<Event>,
    /// Whether the record says for what it is.
    is_described: bool,
    /// Whether it makes what was undone again.
    is_again: bool,
    /// The attributes of files that are made again.
    attributes: HashMap<FilePath, Attributes>,
    steps: Vec<Step>,
    /// How many of the steps are done for sure.
    done: usize,
    /// Whether the next run has something to remove.
    is_open: bool,
    /// Whether its record says already that it has ended.
    is_closed: bool,
    /// Whether its operation is an editor's that has not made it yet.
    is_handed: bool,
}

/// One thing that was undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The file or directory, where it is now.
    pub path: FilePath,
    /// What happened to it.
    pub action: UndoAction,
}

/// What taking back does to a file or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoAction {
    /// It holds again what it held.
    Restored,
    /// It had been made, and is gone.
    Removed,
    /// It had been deleted, and is back.
    Returned,
    /// It has its old path again.
    MovedBack,
}

impl fmt::Display for UndoAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UndoAction::Restored => "restored",
            UndoAction::Removed => "removed",
            UndoAction::Returned => "brought back",
            UndoAction::MovedBack => "moved back",
        })
    }
}

impl Transaction {
    /// Takes the workspace's lock, which it waits for for 2 seconds, and removes what a run that was killed left behind.
    ///
    /// # Errors
    /// [`JournalError::Locked`] while another run has it, and whatever keeps the journal from
    /// being written.
    pub fn begin(workspace: &Workspace) -> Result<Transaction, JournalError> {
        let (store, book) = open(workspace)?;
        Transaction::with(workspace, store, book)
    }

    fn with(workspace: &Workspace, store: Store, book: Book) -> Result<Transaction, JournalError> {
        let folders = store.transactions()?.pop().map_or(1, |last| last + 1);
        Ok(Transaction {
            workspace: workspace.clone(),
            id: book.next_id().max(OperationId(folders)),
            store,
            book,
            log: None,
            header: None,
            is_anonymous: false,
            title: String::new(),
            works: Works::default(),
            coming: Vec::new(),
            events: Vec::new(),
            is_described: false,
            is_again: false,
            attributes: HashMap::new(),
            steps: Vec::new(),
            done: 0,
            is_open: false,
            is_closed: false,
            is_handed: false,
        })
    }

    /// What was done in the workspace before, and what was noted since.
    pub fn ledger(&self) -> &Ledger {
        &self.book.ledger
    }

    /// The number that its operation has, once it changes anything.
    pub fn id(&self) -> OperationId {
        self.id
    }

    /// Says for what it is; `time` is in milliseconds since 1970-01-01 UTC. Without it, before the
    /// first write, what it changes is an operation of no block.
    pub fn describe(&mut self, door: Door, time: u64, transcript: Transcript) {
        if self.log.is_none() {
            self.header = Some(Header { door, time, transcript });
        }
    }

    /// Says what it does, where that is for no block.
    pub fn entitle(&mut self, title: String) {
        self.title = title;
    }

    /// Says for which blocks the next write is. A write that fails is for none.
    pub fn add_works(&mut self, works: Vec<Work>) {
        self.coming.extend(works);
    }

    /// Adds other events to the ledger; they are kept once it is committed.
    pub fn note(&mut self, events: Vec<Event>) {
        for mut event in events {
            if let Event::ByHand(operation) = &mut event {
                // The number of this operation is not in the ledger yet.
                operation.id = self.book.next_id().max(OperationId(self.id.0 + 1));
            }
            self.book.take(&event);
            self.events.push(event);
        }
    }

    /// Tells the ledger what was found at some places.
    pub fn observe(&mut self, found: &[Observation]) {
        let events = self.book.ledger.observe(found, 0, &|_| Vec::new());
        self.events.extend(catch_up::land(&mut self.book, events));
    }

    /// Ends it. `undo` still takes it back as long as nothing changed since.
    ///
    /// # Errors
    /// Whatever keeps the journal from being written; the changes are there all the same.
    pub fn commit(mut self) -> Result<(), JournalError> {
        self.close()
    }

    /// The same, and no other run changes the workspace until the value is dropped. Nothing more is
    /// to be changed in it.
    ///
    /// # Errors
    /// As those of [`Transaction::commit`].
    pub fn close(&mut self) -> Result<(), JournalError> {
        let written = match &mut self.log {
            Some(log) if !self.is_open && !self.is_closed => {
                if self.steps.iter().any(|step| matches!(step, Step::Remove { .. })) {
                    self.store.note_size(log);
                }
                log.write(&[Line::Commit])
            }
            _ => Ok(()),
        };
        self.close_others();
        handed::close(&self.store, &self.book, &self.events);
        // Where the record is not closed, the next run tells the ledger what the disk shows.
        if written.is_ok() {
            self.tell();
        }
        let mut tell = || self.book.append(&self.events, self.store.bounds.told);
        let (closed, told) = match &mut self.log {
            Some(log) => log.sync_beside(tell),
            None => (Ok(()), tell()),
        };
        written.and(closed).and(told)
    }

    /// Has the records of other operations say that they were undone, or redone, by somebody else.
    fn close_others(&self) {
        for event in &self.events {
            let (Event::Undone { operation } | Event::Redone { operation }) = event else {
                continue;
            };
            // What fails here, the record still says, and the next run believes it.
            let closed = match (event, self.store.end(operation.0)) {
                (Event::Undone { .. }, Some(End::Commit)) => self.close_undone(operation.0),
                (Event::Redone { .. }, Some(End::Reverted)) => self.close_redone(operation.0),
                _ => Ok(()),
            };
            if let Err(error) = closed {
                tracing::warn!(%error, "the undo journal cannot be written");
            }
        }
    }

    fn close_undone(&self, number: u64) -> Result<(), JournalError> {
        let (mut log, record) = self.store.open(number)?;
        let steps = record.steps(&self.workspace)?;
        // The disk may show it until the editor saves.
        let all = steps.iter().map(|(number, step)| (*number, step));
        let _ = log.keep_after(all, &self.workspace);
        log.append(&[Line::Reverted])
    }

    fn close_redone(&self, number: u64) -> Result<(), JournalError> {
        let (mut log, record) = self.store.open(number)?;
        log.append(&record.again())
    }

    /// Tells the ledger of its operation.
    fn tell(&mut self) {
        if self.is_again {
            let event = Event::Redone { operation: self.id };
            self.book.take(&event);
            self.events.push(event);
            if let Some(operation) = self.book.ledger.operation(self.id).cloned() {
                self.events.extend(catch_up::seen(&mut self.book, &operation));
            }
            return;
        }
        // Blocks that changed nothing were not put on record.
        self.works.add(self.steps.len(), std::mem::take(&mut self.coming));
        let works = self.works.all();
        if works.is_empty() || self.is_handed {
            return;
        }
        self.let_go(&works);
        let Header { door, time, transcript } = self.header.clone().unwrap_or_else(Header::nobodys);
        let operation = Operation { id: self.id, time, door, transcript, works };
        // An editor may not have saved what it has changed.
        let is_on_disk = operation.door == Door::Cli;
        self.events.extend(catch_up::made(&mut self.book, &operation, is_on_disk));
    }

    /// Undoes everything that was done in it, as far as it can be undone.
    ///
    /// # Errors
    /// [`UndoError::Partly`]; `undo` can undo the rest later.
    pub fn rollback(mut self) -> Result<Vec<Undone>, UndoError> {
        let Reverted { undone, left, .. } = self.take_back(0);
        if !left.is_empty() {
            return Err(UndoError::Partly { undone, left, kept_in: None, again: None });
        }
        if let Some(mut log) = self.log.take().filter(|_| !self.is_open) {
            // If this fails, the next run does it.
            match self.is_again {
                true => _ = log.append(&[Line::Reverted]),
                false => _ = self.store.remove(log),
            }
        }
        Ok(undone)
    }

    /// How many steps are on record.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Records steps and the old bytes of the files that they write, durably, before they are
    /// applied. Gives the folder where what they delete goes.
    pub(super) fn record(
        &mut self,
        steps: Vec<(Step, Option<&Content>)>,
    ) -> Result<&Dir, JournalError> {
        let mut first = self.first_lines(steps.iter().map(|(step, _)| step))?;
        let log = self.log.as_mut().ok_or(JournalError::NoPlace)?;
        let (steps, lines) = log.keep(steps)?;
        first.extend(lines);
        log.append(&first)?;
        self.done = self.steps.len();
        self.has_recorded(steps);
        Ok(self.log.as_ref().ok_or(JournalError::NoPlace)?.folder())
    }

    /// What goes on record before these steps: for what they are.
    fn first_lines<'a>(
        &mut self,
        steps: impl Iterator<Item = &'a Step>,
    ) -> Result<Vec<Line>, JournalError> {
        let mut first = Vec::new();
        if self.log.is_none() {
            let is_head = |number| self.book.is_head(OperationId(number));
            self.log = Some(self.store.create(self.id.0, &self.workspace, &is_head)?);
        }
        if self.header.is_none() && !self.is_again {
            self.is_anonymous = true;
            self.header = Some(Header::nobodys());
        }
        if !self.is_described {
            match (self.is_again, &self.header) {
                (true, _) => first.push(Line::Again),
                (false, Some(header)) => first.push(Line::Operation(header.clone())),
                (false, None) => {}
            }
        }
        if self.is_anonymous && self.coming.is_empty() {
            self.coming.push(self.nobodys_work(steps));
        }
        first.extend(self.coming.iter().cloned().map(Line::Work));
        Ok(first)
    }

    /// Takes note of steps that are on record.
    fn has_recorded(&mut self, steps: Vec<Step>) {
        self.is_described = true;
        self.works.add(self.steps.len(), std::mem::take(&mut self.coming));
        self.steps.extend(steps);
    }

    /// What steps change, where nobody says for which block.
    fn nobodys_work<'a>(&self, steps: impl Iterator<Item = &'a Step>) -> Work {
        let mut transitions = Vec::new();
        let mut add = |path: &FilePath, before: State, after: State| {
            transitions.push(Transition::new(path.clone(), before, after));
        };
        let now = |path: &FilePath| self.workspace.state(path).unwrap_or(State::Missing);
        for step in steps {
            match step {
                Step::Write { path, before, after, .. } => {
                    let before = before.as_ref().map(|saved| State::File(saved.fingerprint));
                    add(path, before.unwrap_or(State::Missing), State::File(*after));
                }
                Step::Directory { path } => add(path, State::Missing, State::Directory),
                Step::Remove { path, .. } => add(path, now(path), State::Missing),
                Step::Rename { from, to, .. } => {
                    let moved = now(from);
                    add(from, moved, State::Missing);
                    add(to, State::Missing, moved);
                }
            }
        }
        let text = Fingerprint::of_parts(&[
            b"no block",
            &self.id.0.to_be_bytes(),
            &self.steps.len().to_be_bytes(),
        ]);
        let block = BlockId { text, nth: 0 };
        Work { block, name: String::new(), title: self.title.clone(), transitions, part: None }
    }

    /// Takes note that the next steps on record, this many, are done.
    pub(super) fn have_done(&mut self, steps: usize) {
        self.done += steps;
    }

    /// Leaves it to the next run to remove temporary files.
    pub(super) fn leave_open(&mut self) {
        self.is_open = true;
    }

    /// The attributes that a file had when it was made before.
    pub(super) fn attributes_of(&self, path: &FilePath) -> Option<&Attributes> {
        self.attributes.get(path)
    }

    /// Undoes the steps from `start` on, as far as they can be undone.
    pub(super) fn take_back(&mut self, start: usize) -> Reverted {
        self.coming.clear();
        let Some(log) = &mut self.log else { return Reverted::default() };
        // The one after those that are done may have failed half way; the rest was not begun.
        let steps: Vec<(usize, Step)> =
            self.steps.iter().cloned().enumerate().skip(start).collect();
        let known = self.done.saturating_sub(start);
        let begun = steps.len().min(known + 1);
        let workspace = &self.workspace;
        let reverting =
            Reverting { workspace, steps: &steps, begun, known, keeps: false, skips: false };
        let reverted = reverting.run(log);
        if reverted.is_over() && self.steps.len() > start {
            self.steps.truncate(start);
            self.works.take_back(start);
            log.note(Line::Back { to: start });
        }
        self.is_open |= !reverted.is_over();
        self.done = self.steps.len();
        reverted
    }
}

impl Header {
    /// Of what nobody says for what it is.
    fn nobodys() -> Header {
        Header { door: Door::Cli, time: moment::now(), transcript: Transcript::default() }
    }
}

/// Takes the workspace's lock, removes what a run that was killed left behind, and has the ledger
/// tell all that was done.
fn open(workspace: &Workspace) -> Result<(Store, Book), JournalError> {
    let store = Store::wait(workspace)?;
    let ends = sweep::sweep(workspace, &store)?;
    workspace.look_for_unsaved();
    unsaved::sweep(&store);
    let mut book = Book::read(store.path(), &workspace.inner.last_read)?;
    let events = catch_up::catch_up(workspace, &store, &ends, &mut book);
    handed::close(&store, &book, &events);
    // What cannot be written now is written by the next run.
    let _ = book.append(&events, store.bounds.told);
    Ok((store, book))
}

impl Workspace {
    /// What was done in the workspace, as the store says right now. Nothing is written, and
    /// another run may go on meanwhile.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn ledger(&self) -> Result<Ledger, JournalError> {
        Ok(self.book()?.map(|book| book.ledger).unwrap_or_default())
    }

    /// The same, with the reading of the ledger's file that it goes on from.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn ledger_with_reading(&self) -> Result<(Ledger, Reading), JournalError> {
        let book = self.book()?.unwrap_or_default();
        let reading = book.reading();
        Ok((book.ledger, reading))
    }

    /// Which state of the ledger's file is there: its length in bytes, and when it was written, in
    /// nanoseconds since 1970-01-01 UTC. Another one means that the ledger may say something else.
    pub fn ledger_edition(&self) -> (u64, u128) {
        Store::look(self).map(|store| Book::edition(store.path())).unwrap_or_default()
    }

    /// How far the ledger's file is written.
    pub fn ledger_end(&self) -> LedgerEnd {
        Store::look(self).map(|store| Book::end(store.path())).unwrap_or_default()
    }

    /// The files that the ledger's file tells of since it was written so far; `None` where that is not
    /// known.
    pub fn told_since(&self, end: LedgerEnd) -> Option<BTreeSet<FilePath>> {
        self.book().ok()??.told_since(end).ok()?
    }

    fn book(&self) -> Result<Option<Book>, JournalError> {
        let Some(store) = Store::look_or_fail(self)? else { return Ok(None) };
        self.look_for_unsaved();
        let mut book = Book::read(store.path(), &self.inner.last_read)?;
        catch_up::catch_up(self, &store, &store.ends()?, &mut book);
        Ok(Some(book))
    }

    /// Removes what a run that was killed left behind: temporary files that its journal names.
    /// While another run has the workspace nothing is done.
    ///
    /// # Errors
    /// Whatever keeps the journal from being read.
    pub fn sweep(&self) -> Result<(), JournalError> {
        match Store::lock(self) {
            Ok(store) => sweep::sweep(self, &store).map(drop),
            Err(errors::JournalError::Locked) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
