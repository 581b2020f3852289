//! What the transactions' folders say that the ledger's file does not: a kill may come between.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use operator_core::ledger::{Door, Event, Observation, Operation, OperationId, Transition, Work};
use operator_core::path::{FilePath, State};
use operator_core::snapshot::{Denied, Snapshot};

use super::book::Book;
use super::log::End;
use super::store::Store;
use crate::workspace::Workspace;

/// Tells the ledger what the folders say besides, whose records end in this way; returns the events.
pub(super) fn catch_up(
    workspace: &Workspace,
    store: &Store,
    ends: &[(u64, Option<End>)],
    book: &mut Book,
) -> Vec<Event> {
    let mut events = Vec::new();
    for (number, end) in ends {
        let id = OperationId(*number);
        if !book.has_made(id) {
            events.extend(learn(workspace, store, book, id));
            continue;
        }
        let event = match end {
            Some(End::Reverted) if !book.is_undone(id) => Event::Undone { operation: id },
            Some(End::Commit) if book.is_undone(id) => Event::Redone { operation: id },
            _ => continue,
        };
        book.take(&event);
        events.push(event);
    }
    events.extend(look_at_expected(workspace, book));
    events
}

/// Tells the ledger of an operation of which it does not know that it was made.
fn learn(workspace: &Workspace, store: &Store, book: &mut Book, id: OperationId) -> Vec<Event> {
    // One that cannot be understood is `undo`'s to report.
    let Ok(record) = store.read(id.0) else { return Vec::new() };
    let Ok(Some(operation)) = record.operation(id, workspace) else { return Vec::new() };
    if operation.works.is_empty() {
        return Vec::new();
    }
    if record.is_committed() || record.is_reverted() {
        let mut events = made(book, &operation, operation.door == Door::Cli);
        if record.is_reverted() {
            let event = Event::Undone { operation: id };
            book.take(&event);
            events.push(event);
        }
        return events;
    }
    if record.is_handed() {
        let Ok(shown) = record.shown(workspace) else { return Vec::new() };
        let Some(found) = book.ledger.expect(operation) else { return Vec::new() };
        book.expected.insert(id, shown);
        return land(book, found);
    }
    // It was killed: what the disk shows of it was made.
    let before = book.ledger.clone();
    let mut events = hand_out(book, &operation);
    events.extend(observe(workspace, book, &operation.paths()));
    if !book.ledger.stands(id) {
        book.ledger = before;
        // Another run may have ended it since it was read, and changed the file again.
        return match store.end(id.0) {
            Some(End::Commit | End::Reverted) => learn(workspace, store, book, id),
            _ => Vec::new(),
        };
    }
    // Nobody makes the rest of it.
    let event = Event::Withdrawn { operation: id };
    book.take(&event);
    events.push(event);
    events
}

/// Tells the ledger what the disk shows of the operations that an editor was to get: it may have
/// made them or not, and may yet do so.
fn look_at_expected(workspace: &Workspace, book: &mut Book) -> Vec<Event> {
    let mut made: BTreeSet<FilePath> = BTreeSet::new();
    for (id, shown) in &book.expected {
        let works = book.ledger.operation(*id).map_or(&[][..], |it| &it.works);
        // An editor may hold anything else in a buffer.
        let there = all_shown(workspace, works).into_iter();
        made.extend(there.filter(|path| !shown.contains(path)).cloned());
    }
    observe(workspace, book, &made.iter().collect::<Vec<_>>())
}

/// The files that have the content, on the disk, that these blocks leave.
pub(super) fn all_shown<'a>(workspace: &Workspace, works: &'a [Work]) -> Vec<&'a FilePath> {
    let mut last: BTreeMap<&FilePath, &Transition> = BTreeMap::new();
    for transition in works.iter().flat_map(|work| &work.transitions) {
        last.insert(&transition.path, transition);
    }
    let is_there = |it: &&Transition| {
        it.changes() && state(workspace, &it.path).is_some_and(|now| it.leads_to(now))
    };
    last.into_values().filter(is_there).map(|it| &it.path).collect()
}

/// Takes note of events that the ledger has taken in. What was only expected comes on record with
/// what was seen of it, and as a whole once all of it was.
pub(super) fn land(book: &mut Book, found: Vec<Event>) -> Vec<Event> {
    let mut events = Vec::new();
    for event in found {
        let Event::Made { owners, .. } = &event else {
            book.follow(&event);
            events.push(event);
            continue;
        };
        let ids: BTreeSet<OperationId> = owners.iter().map(|(id, ..)| *id).collect();
        events.extend(ids.iter().flat_map(|id| handed_out(book, *id)));
        book.follow(&event);
        events.push(event);
        for operation in ids {
            if book.ledger.is_made(operation) && book.ledger.awaits(operation) {
                let claimed = Event::Claimed { operation };
                book.take(&claimed);
                events.push(claimed);
            }
        }
    }
    events
}

/// What the file lacks of an operation that was only expected.
fn handed_out(book: &mut Book, id: OperationId) -> Option<Event> {
    let operation = book.ledger.operation(id)?;
    let event = Event::HandedOut(Operation::clone(operation));
    book.expected.remove(&id).map(|_| event)
}

fn hand_out(book: &mut Book, operation: &Operation) -> Vec<Event> {
    if let Some(event) = handed_out(book, operation.id) {
        return vec![event];
    }
    if book.ledger.operation(operation.id).is_some() {
        return Vec::new();
    }
    let events = book.ledger.hand_over(operation.clone(), operation.time, &|_| true);
    events.iter().for_each(|event| book.follow(event));
    events
}

/// Tells the ledger of an operation that was made, and whether the disk shows it; returns the
/// events.
pub(super) fn made(book: &mut Book, operation: &Operation, is_on_disk: bool) -> Vec<Event> {
    if is_on_disk && book.ledger.operation(operation.id).is_none() {
        let mut events = book.ledger.observe_before(operation, operation.time, &|_| true);
        events.iter().for_each(|event| book.follow(event));
        let applied = Event::Applied(operation.clone());
        book.take(&applied);
        events.push(applied);
        return events;
    }
    let mut events = hand_out(book, operation);
    let claimed = Event::Claimed { operation: operation.id };
    book.take(&claimed);
    events.push(claimed);
    if is_on_disk {
        events.extend(seen(book, operation));
    }
    events
}

/// Tells the ledger that the files are as an operation left them.
pub(super) fn seen(book: &mut Book, operation: &Operation) -> Vec<Event> {
    let mut last: HashMap<&FilePath, State> = HashMap::new();
    for transition in operation.works.iter().flat_map(|work| &work.transitions) {
        last.insert(&transition.path, transition.after);
    }
    let paths = operation.paths().into_iter();
    let event = |path: &FilePath| Some(Event::Seen { path: path.clone(), to: *last.get(path)? });
    let events: Vec<Event> = paths.filter_map(event).collect();
    events.iter().for_each(|event| book.take(event));
    events
}

/// Looks at some places, and tells the ledger what is there; returns the events.
pub(super) fn observe(workspace: &Workspace, book: &mut Book, paths: &[&FilePath]) -> Vec<Event> {
    let found = paths.iter().filter_map(|path| {
        let state = state(workspace, path)?;
        Some(Observation { path: (*path).clone(), state, closed: true })
    });
    let found: Vec<Observation> = found.collect();
    let events = book.ledger.observe(&found, 0, &|_| Vec::new());
    land(book, events)
}

/// What is at a path of the disk, where that can be told.
fn state(workspace: &Workspace, path: &FilePath) -> Option<State> {
    match workspace.state(path) {
        Err(Denied::NotADirectory | Denied::NotFound) => Some(State::Missing),
        state => state.ok(),
    }
}
