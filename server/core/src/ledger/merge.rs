//! Takes in what a look at the files has found on an earlier state of the ledger.

use std::collections::BTreeSet;

use super::event::Event;
use super::explain::Observation;
use super::{Arc, Ledger};
use crate::path::{FilePath, State};

/// The outcome of the events that were found.
#[derive(Default)]
pub struct Merged {
    /// The events that were taken in.
    pub events: Vec<Event>,
    /// The files that must be looked at again: something else has happened to them meanwhile.
    pub again: BTreeSet<FilePath>,
}

impl Ledger {
    /// Takes in events that were found on the ledger as it was `then`. What has happened to a file
    /// since comes first: events about it are left out.
    pub fn merge(&mut self, found: &[Event], then: &Ledger) -> Merged {
        let paths: BTreeSet<&FilePath> = found.iter().flat_map(Event::paths).collect();
        let moved = paths.into_iter().filter(|path| !self.agrees(then, path));
        let mut moved: BTreeSet<FilePath> = moved.cloned().collect();
        // Another transcript's look may have found the same change, which only this one can explain.
        let changes = found.iter().filter(|it| matches!(it, Event::Changed { .. }));
        let mut known: Vec<&Event> = changes.filter(|it| moved.contains(it.paths()[0])).collect();
        known.retain(|event| {
            let mut then = then.clone();
            then.apply(event);
            then.expire(event.paths()[0]);
            self.agrees(&then, event.paths()[0])
        });
        known.iter().for_each(|event| _ = moved.remove(event.paths()[0]));
        let mut merged = Merged::default();
        for event in found.iter().filter(|event| !known.contains(event)) {
            if event.paths().iter().any(|path| moved.contains(*path)) {
                merged.again.extend(event.paths().into_iter().cloned());
                continue;
            }
            let mut event = event.clone();
            if let Event::ByHand(operation) = &mut event {
                operation.id = self.next_id();
            }
            self.apply(&event);
            event.paths().into_iter().for_each(|path| self.expire(path));
            merged.events.push(event);
        }
        merged
    }

    /// Whether two ledgers say the same of a file.
    fn agrees(&self, other: &Ledger, path: &FilePath) -> bool {
        self.is_same_at(other, path) && self.in_flight.get(path) == other.in_flight.get(path)
    }

    /// Whether blocks have changed a file in the same way as far as two ledgers know, which number
    /// operations each by itself.
    pub fn knows_same(&self, other: &Ledger, path: &FilePath) -> bool {
        let owned = |ledger: &Ledger| -> Vec<State> {
            let steps = ledger.timelines.get(path).map_or(&[][..], |timeline| timeline.steps());
            steps.iter().filter(|it| it.owner.is_some()).map(|it| it.after).collect()
        };
        owned(self) == owned(other)
    }

    /// Whether an event that was found on a ledger as it was `then` still holds. What was there before a
    /// change that came in since does not undo that change. A redo is a redo in any case.
    pub fn still_holds(&self, event: &Event, then: &Ledger) -> bool {
        let Event::Back { path, to, .. } = event else { return true };
        let shown = Observation { path: path.clone(), state: *to, closed: false };
        self.knows_same(then, path) || self.is_redo(&shown)
    }

    /// Takes over what another ledger has seen of files: changes that no block made are not on record.
    pub fn keep_changes(&mut self, of: &Ledger) {
        for (path, theirs) in &of.timelines {
            let Some(own) = self.timelines.get_mut(path) else { continue };
            if own != theirs {
                Arc::make_mut(own).keep_changes(theirs);
            }
        }
    }
}
