//! Chooses the operation that is undone, undoes it, and tells the ledger.

use std::collections::BTreeSet;
use std::sync::Arc;

use operator_core::ledger::{Door, Event, InBetween, Operation, OperationId, Transition};
use operator_core::path::{FilePath, State};
use operator_core::snapshot::{Denied, Snapshot};

use super::book::Book;
use super::catch_up::observe;
use super::check;
use super::log::{End, Line};
use super::revert::{Reverted, Reverting, is_lost};
use super::step::Step;
use super::store::Store;
use super::sweep::look_at;
use super::{Undone, open};
use crate::workspace::Workspace;
use crate::workspace::errors::{Changer, JournalError, Left, Reason, Since, UndoError};

/// The files of so many operations are looked at, the newest ones, for a list of them all.
const LOOKED_AT: usize = 200;

/// An operation, and whether it was undone.
#[derive(Debug, Clone)]
pub struct Logged {
    /// The operation.
    pub operation: Arc<Operation>,
    /// Whether all that it changed was undone, by `undo` or by hand.
    pub undone: bool,
}

/// What is to be undone.
enum Choice {
    /// A transaction that has a folder.
    Folder(u64),
    /// An operation that has changed nothing.
    Nothing(OperationId),
}

impl Workspace {
    /// Every operation that has applied blocks, the newest first.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn operations(&self) -> Result<Vec<Logged>, JournalError> {
        let Some(mut book) = self.book()? else { return Ok(Vec::new()) };
        // What somebody has put back by hand is undone, too, as `undo` finds. An editor may not have
        // saved what it has applied.
        let is_shown = |it: &&Arc<Operation>| it.door == Door::Cli && book.ledger.stands(it.id);
        let standing = book.applied().take(LOOKED_AT).filter(is_shown);
        let standing: Vec<Arc<Operation>> = standing.cloned().collect();
        let paths: BTreeSet<&FilePath> = standing.iter().flat_map(|it| it.paths()).collect();
        observe(self, &mut book, &paths.into_iter().collect::<Vec<_>>());
        let logged = |operation: &Arc<Operation>| Logged {
            operation: operation.clone(),
            undone: !book.ledger.stands(operation.id),
        };
        Ok(book.applied().map(logged).collect())
    }

    /// Undoes the newest operation that has changed something and is not undone, or the one with this
    /// number, newest step first. Again, it undoes the one before. One that was killed, and of which
    /// the disk does not show that it has changed anything, is passed over where another one is left.
    ///
    /// With `skip`, files that have changed since are left as they are and the others are undone. What
    /// is left is still applied, and can be undone once its file is as the operation left it; until
    /// then, undo passes the operation over where another one is left. Where nobody knows whether
    /// anything of it is left, it is forgotten, and what the journal kept stays beside the other
    /// journals for a while.
    ///
    /// # Errors
    /// [`UndoError::Changed`] where a file is not as the operation left it; without `skip`
    /// nothing is touched then. [`UndoError::Partly`] where some steps could not be undone.
    pub fn undo(&self, which: Option<OperationId>, skip: bool) -> Result<Vec<Undone>, UndoError> {
        let (store, mut book) = open(self)?;
        let told = store.bounds.told;
        let mut events = Vec::new();
        let number = match self.choose(&store, &mut book, which, &mut events)? {
            Choice::Folder(number) => number,
            Choice::Nothing(operation) => {
                events.push(Event::Undone { operation });
                book.append(&events, told)?;
                return Ok(Vec::new());
            }
        };
        let id = OperationId(number);
        events.extend(self.look_at(&mut book, id));
        let between = book.ledger.can_undo(id).err();
        let (mut log, mut record) = store.open(number)?;
        if record.is_reverted() {
            // Somebody else has made it again.
            log.append(&record.again())?;
            events.push(Event::Redone { operation: id });
            (log, record) = store.open(number)?;
        }
        let mut steps = record.steps(self)?;
        let operation = book.ledger.operation(id).cloned();
        if let Some(operation) = &operation {
            follow_endings(self, operation, &mut steps);
        }
        let known = steps.len();
        // One that did not end is not made again.
        let keeps = record.has_header() && record.is_committed();
        let reverting =
            Reverting { workspace: self, steps: &steps, begun: known, known, keeps, skips: skip };
        if !skip {
            let unsaved = operation.as_deref().map(|it| self.unsaved(&book, it));
            if let Some(unsaved) = unsaved.filter(|it| !it.is_empty() && between.is_none()) {
                return Err(UndoError::NotSaved(id, unsaved));
            }
            let later = between.as_ref().and_then(|it| book.ledger.operation(it.operation?));
            let by = || Some(Changer::of(later.map(|operation| &**operation)));
            match (reverting.check(&mut log).refusal(), between) {
                (Some(UndoError::Changed(mut all)), Some(between)) => {
                    let of = all.iter_mut().find(|since| since.path == between.path);
                    of.into_iter().for_each(|since| since.by = by());
                    return Err(UndoError::Changed(all));
                }
                (Some(refusal), _) => return Err(refusal),
                // The content is the same again, and somebody else's all the same.
                (None, Some(InBetween { path, operation: Some(_) })) => {
                    return Err(UndoError::Changed(vec![Since { path, by: by() }]));
                }
                (None, _) => {}
            }
        }
        let reverted = reverting.run(&mut log);
        let is_over = reverted.is_over();
        let Reverted { undone, left, not_durable, .. } = reverted;
        if !left.is_empty() {
            events.extend(self.tell_of_part(&mut book, id, &left));
        }
        let over = skip && !left.iter().any(|left| matches!(left.why, Reason::Denied(_)));
        if is_over && record.has_header() {
            let trees = operation.map(|it| self.digests(&it)).unwrap_or_default();
            if !trees.is_empty() {
                log.note(Line::Trees(trees));
            }
            log.note(Line::Reverted);
        }
        let stands = !left.is_empty() && book.ledger.stands(id);
        let aside = over && !left.is_empty() && !stands;
        let kept_in = match (is_over && !record.has_header(), aside) {
            (true, _) => {
                // If this fails, the next run finds that nothing of it is left to be undone.
                let _ = store.remove(log);
                None
            }
            (false, true) => Some(store.set_aside(log)?),
            (false, false) => None,
        };
        if (is_over || kept_in.is_some()) && book.ledger.operation(id).is_some() {
            events.push(Event::Undone { operation: id });
        }
        // What cannot be written now is told by the folder.
        let _ = book.append(&events, told);
        match (left.is_empty(), not_durable) {
            (false, _) => {
                let again = (over && stands).then_some(id);
                Err(UndoError::Partly { undone, left, kept_in, again })
            }
            (true, Some((path, why))) => Err(UndoError::NotDurable { undone, path, why }),
            (true, None) => Ok(undone),
        }
    }

    /// Looks at the files of an operation; returns what the ledger was told of them.
    pub(super) fn look_at(&self, book: &mut Book, id: OperationId) -> Vec<Event> {
        let Some(operation) = book.ledger.operation(id).cloned() else { return Vec::new() };
        observe(self, book, &operation.paths())
    }

    /// Tells the ledger what of an operation was undone, where something is left.
    fn tell_of_part(&self, book: &mut Book, id: OperationId, left: &[Left]) -> Vec<Event> {
        let is_left = |path: &FilePath| {
            left.iter().any(|left| left.path.is_within(path) || path.is_within(&left.path))
        };
        let is_back = |path: &FilePath, before: State| match self.state(path) {
            // One directory is like another.
            Ok(State::Directory) => before == State::Directory && !is_left(path),
            Err(Denied::NotADirectory | Denied::NotFound) => before == State::Missing,
            now => now == Ok(before),
        };
        book.ledger.undo_in_part(id, &is_back)
    }

    /// The files of an operation of which the ledger says more than the disk shows, because an
    /// editor has not saved them.
    fn unsaved(&self, book: &Book, operation: &Operation) -> Vec<FilePath> {
        if operation.door == Door::Cli {
            return Vec::new();
        }
        let is_unsaved = |path: &&FilePath| {
            let known = book.ledger.head(path);
            matches!(known, Some(State::File(_))) && self.state(path).ok() != known
        };
        operation.paths().into_iter().filter(is_unsaved).cloned().collect()
    }

    fn choose(
        &self,
        store: &Store,
        book: &mut Book,
        which: Option<OperationId>,
        events: &mut Vec<Event>,
    ) -> Result<Choice, UndoError> {
        if let Some(id) = which {
            let is_kept = book.ledger.operation(id).is_some() || store.has(id.0);
            let is_known = is_kept && !book.expected.contains_key(&id);
            return match self.choice(store, book, id, events)? {
                Some(choice) => Ok(choice),
                None if is_known => Err(UndoError::AlreadyUndone(id)),
                None => Err(UndoError::Unknown(id)),
            };
        }
        let mut all: Vec<u64> = book.applied().map(|operation| operation.id.0).collect();
        all.extend(store.transactions()?);
        all.sort_unstable();
        all.dedup();
        let (mut passed, mut later) = (Vec::new(), None);
        for id in all.into_iter().rev().map(OperationId) {
            if !store.has(id.0) && (!book.ledger.stands(id) || book.is_undone(id)) {
                continue;
            }
            match self.choice(store, book, id, events)? {
                // There is nothing of it that anybody would miss.
                Some(Choice::Nothing(id)) => passed.push(id),
                Some(Choice::Folder(number))
                    if self.shows_nothing_of(store, number) || self.is_skipped(store, book, id) =>
                {
                    later.get_or_insert(number);
                }
                Some(choice @ Choice::Folder(number)) => {
                    // The content that such an operation has found goes with what made it.
                    for operation in passed {
                        if book.meet(operation, OperationId(number)) {
                            events.push(Event::Undone { operation });
                            book.take(&Event::Undone { operation });
                        }
                    }
                    return Ok(choice);
                }
                None => {}
            }
        }
        later.map(Choice::Folder).ok_or(UndoError::Nothing)
    }

    /// Whether a transaction was killed, and the disk does not show that it has changed anything.
    fn shows_nothing_of(&self, store: &Store, number: u64) -> bool {
        let Ok((log, record)) = store.open(number) else { return false };
        let is_killed = record.has_header() && !record.is_committed() && !record.is_handed();
        is_killed
            && !record.is_reverted()
            && look_at(self, &log, &record).is_some_and(|it| it.done == 0)
    }

    /// Whether what is left of an operation was left on purpose, and has not come back since to what
    /// the operation left.
    pub(super) fn is_skipped(&self, store: &Store, book: &Book, id: OperationId) -> bool {
        let Ok((log, record)) = store.open(id.0) else { return false };
        let Ok(mut steps) = record.steps(self) else { return false };
        if !record.is_skipped() || record.is_reverted() {
            return false;
        }
        if let Some(operation) = book.ledger.operation(id) {
            follow_endings(self, operation, &mut steps);
        }
        let steps: Vec<&Step> = steps.iter().map(|(_, step)| step).collect();
        let shown = check::look(self, log.folder(), &steps, steps.len());
        let is_lost = |step: &&Step| is_lost(&log, step).unwrap_or(true);
        shown.done == 0 || !shown.changed.is_empty() || steps.iter().any(is_lost)
    }

    /// How an operation can be undone; `None` where nothing of it is left to be undone.
    fn choice(
        &self,
        store: &Store,
        book: &mut Book,
        id: OperationId,
        events: &mut Vec<Event>,
    ) -> Result<Option<Choice>, UndoError> {
        let end = store.end(id.0);
        if end == Some(End::Handed) {
            events.extend(self.look_at(book, id));
            if !book.ledger.stands(id) {
                return Ok(None);
            }
        }
        if store.has(id.0) && !matches!(end, Some(End::Commit | End::Reverted)) {
            // It was killed, or undone in part.
            return Ok(Some(Choice::Folder(id.0)));
        }
        let Some(operation) = book.ledger.operation(id).cloned() else {
            // An older program has made it.
            let is_there = end == Some(End::Commit);
            return Ok(is_there.then_some(Choice::Folder(id.0)));
        };
        let mut transitions = operation.works.iter().flat_map(|work| &work.transitions).peekable();
        if transitions.peek().is_none() && end == Some(End::Commit) {
            // Only the folder knows what it has changed.
            return Ok(Some(Choice::Folder(id.0)));
        }
        events.extend(self.look_at(book, id));
        if !book.ledger.stands(id) {
            return Ok(None);
        }
        if !transitions.any(|it| it.changes()) {
            return Ok(Some(Choice::Nothing(id)));
        }
        match end {
            Some(End::Commit | End::Reverted) => Ok(Some(Choice::Folder(id.0))),
            _ => Err(UndoError::NotKept(id)),
        }
    }
}

/// Takes a text that an editor has ended with a line ending for the one that a step left.
pub(super) fn follow_endings(
    snapshot: &dyn Snapshot,
    operation: &Operation,
    steps: &mut [(usize, Step)],
) {
    for (_, step) in steps {
        let Step::Write { path, after, .. } = step else { continue };
        let Ok(now @ State::File(fingerprint)) = snapshot.state(path) else { continue };
        let mut transitions = operation.works.iter().flat_map(|work| &work.transitions);
        let is_its = |it: &Transition| it.path == *path && it.after == State::File(*after);
        if transitions.any(|it| is_its(it) && it.leads_to(now)) {
            *after = fingerprint;
        }
    }
}
