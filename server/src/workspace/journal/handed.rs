//! Edits that an editor is about to get: they are on record before it can make them, so whoever
//! comes next tells from the files whether it has.

use std::collections::BTreeSet;

use operator_core::ledger::{Event, Operation, OperationId, Transcript, Work};
use operator_core::path::{FilePath, State};
use operator_core::snapshot::Snapshot;

use super::book::Book;
use super::log::{End, Header, Line};
use super::store::Store;
use super::{JournalError, Made, Transaction, catch_up};
use crate::workspace::Workspace;

/// How many edits are on record that nobody has seen made; most of them never are.
const MOST_HANDED: usize = 32;

impl Workspace {
    /// What is on disk of the files of an edit that an editor shows otherwise, as events. It may show
    /// that again: it throws away what it has not saved. `is_shown` says which files to look at.
    pub fn saved(&self, works: &[Work], is_shown: &dyn Fn(&FilePath) -> bool) -> Vec<Event> {
        let mut seen = BTreeSet::new();
        let transitions = works.iter().flat_map(|work| &work.transitions);
        let first = transitions.filter(|it| seen.insert(&it.path) && is_shown(&it.path));
        let texts = first.filter(|it| matches!(it.before, State::File(_)));
        let saved = texts.filter_map(|it| {
            let to = self.state(&it.path).ok().filter(|to| *to != it.before)?;
            Some(Event::Saved { path: it.path.clone(), to, on: None })
        });
        saved.collect()
    }
}

impl Transaction {
    /// Puts on record that an editor is about to get the changes of the blocks, with what it takes
    /// to undo and redo them; or that it may have made them already, where it `has_begun`. It is the
    /// last that is done before `commit`, after `describe` and `add_works`.
    ///
    /// # Errors
    /// Whatever keeps the journal from being written.
    pub fn hand_out(&mut self, made: Option<&Made>, has_begun: bool) -> Result<(), JournalError> {
        self.is_handed = true;
        let Header { door, time, transcript } = self.header.clone().unwrap_or_else(Header::nobodys);
        let works = self.coming.clone();
        if self.book.ledger.find(time, &transcript, &works).is_some() {
            // The attempt before this one has written it.
            self.coming.clear();
            return Ok(());
        }
        self.let_go(&works);
        let operation = Operation { id: self.id, time, door, transcript, works };
        // What a file has shown before, nobody has made.
        let shown = match has_begun {
            true => Vec::new(),
            false => catch_up::all_shown(&self.workspace, &operation.works),
        };
        let shown = shown.into_iter().map(|path| Line::Shown { path: path.clone() });
        let end: Vec<Line> = shown.chain([Line::Handed]).collect();
        if !has_begun {
            self.note(self.workspace.saved(&operation.works, &|_| true));
        }
        let found = self.book.ledger.observe_before(&operation, time, &|_| false);
        let found = catch_up::land(&mut self.book, found);
        // What is only seen is seen again.
        self.events.extend(found.into_iter().filter(|it| !matches!(it, Event::Seen { .. })));
        self.keep_as(made.map_or(&[], |made| &made.steps), end)
    }

    /// Goes on with an operation that is on record, which was made; whether there is nothing more to
    /// be told of it but by `commit`.
    ///
    /// # Errors
    /// Whatever keeps the record from being read.
    pub fn go_on(
        &mut self,
        time: u64,
        transcript: &Transcript,
        works: &[Work],
    ) -> Result<bool, JournalError> {
        let Some(operation) = self.book.ledger.find(time, transcript, works).cloned() else {
            return Ok(false);
        };
        if self.store.end(operation.id.0) != Some(End::Handed) {
            // It was seen, or the attempt before this one has written it.
            return Ok(true);
        }
        let (log, record) = self.store.open(operation.id.0)?;
        self.events.extend(catch_up::made(&mut self.book, &operation, false));
        match record.is_empty() {
            // Nothing is kept by which it could be undone.
            true => self.store.remove(log)?,
            false => (self.id, self.log) = (operation.id, Some(log)),
        }
        Ok(true)
    }

    /// Removes the record of an operation that the client was given and does not make.
    ///
    /// # Errors
    /// Whatever keeps the record from being removed.
    pub fn withdraw(&mut self, operation: &Operation) -> Result<(), JournalError> {
        let Operation { time, transcript, works, .. } = operation;
        let Some(id) = self.book.ledger.find(*time, transcript, works).map(|it| it.id) else {
            return Ok(());
        };
        if self.store.end(id.0) != Some(End::Handed) {
            return Ok(());
        }
        if !self.book.expected.contains_key(&id) {
            // A part of it was seen.
            self.note(vec![Event::Forgotten { operation: id }]);
        }
        forget(&self.store, &mut self.book, id)
    }

    /// Removes what is expected for one of these blocks from before, and the oldest where too many
    /// operations are expected.
    pub(super) fn let_go(&mut self, works: &[Work]) {
        let expected = &self.book.expected;
        let over = (expected.len() + 1).saturating_sub(MOST_HANDED);
        let over = expected.keys().copied().take(over);
        let blocks = works.iter().map(|work| work.block);
        let same =
            self.book.ledger.awaited(blocks).into_iter().filter(|id| expected.contains_key(id));
        let gone: BTreeSet<OperationId> = over.chain(same).filter(|id| *id != self.id).collect();
        for id in gone {
            // What is left on record is not taken for anything: these blocks have a newer operation.
            if let Err(error) = forget(&self.store, &mut self.book, id) {
                tracing::warn!(%error, "the undo journal cannot be written");
            }
        }
    }
}

/// Forgets an operation that only its record tells of.
fn forget(store: &Store, book: &mut Book, id: OperationId) -> Result<(), JournalError> {
    if book.expected.remove(&id).is_some() {
        book.ledger.apply(&Event::Forgotten { operation: id });
    }
    let (log, _) = store.open(id.0)?;
    store.remove(log)
}

/// Has the records of operations that an editor has made say so, which these events tell of.
pub(super) fn close(store: &Store, book: &Book, events: &[Event]) {
    let claimed = events.iter().filter_map(|event| match event {
        Event::Made { owners, .. } => Some(owners.iter().map(|(id, ..)| *id).collect()),
        _ => None,
    });
    let ids: BTreeSet<OperationId> = claimed.flat_map(|ids: Vec<_>| ids).collect();
    let is_made =
        |id: &OperationId| book.ledger.is_made(*id) && store.end(id.0) == Some(End::Handed);
    for id in ids.into_iter().filter(is_made) {
        let closed = store.open(id.0).and_then(|(mut log, record)| match record.is_empty() {
            true => store.remove(log),
            false => log.append(&[Line::Commit]),
        });
        // What fails here, the files still show.
        if let Err(error) = closed {
            tracing::warn!(%error, "the undo journal cannot be written");
        }
    }
}
