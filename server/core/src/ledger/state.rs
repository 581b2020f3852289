//! The ledger as it is, in the form in which it is kept once the events that have led to it are left out.

use std::collections::HashSet;
use std::sync::Arc;

use super::identity::OperationId;
use super::timeline::Owner;
use super::{Event, Flight, Ledger, Operation};
use crate::path::FilePath;

impl Ledger {
    /// The operations and the changes of their files, as events that make the same of an empty ledger. Bases
    /// and answers are not included, nor are files that no block has changed.
    pub fn state(&self) -> Vec<Event> {
        let known = self.operations.values().map(|operation| Event::Known {
            operation: Operation::clone(operation),
            standing: self.standing_of(operation),
            in_flight: self.in_flight_of(operation),
        });
        let changed: HashSet<&FilePath> =
            self.operations.values().flat_map(|operation| operation.paths()).collect();
        let is_of_blocks = |path: &FilePath| changed.contains(path) || self.has_changed(path);
        let timelines = self.timelines.iter().filter(|(path, _)| is_of_blocks(path));
        let timelines = timelines.map(|(path, timeline)| Event::Timeline {
            path: path.clone(),
            timeline: Box::new(timeline.as_ref().clone()),
        });
        known.chain(timelines).collect()
    }

    /// How many steps of each block of an operation are still made; `None` for one of which none was made.
    fn standing_of(&self, operation: &Operation) -> Vec<Option<usize>> {
        let owners = (0..operation.works.len()).map(|work| Owner { operation: operation.id, work });
        owners.map(|owner| self.standing.get(&owner).copied()).collect()
    }

    /// The transitions of an operation that are expected, each as block, number, and whether no chain led
    /// to it any more.
    fn in_flight_of(&self, operation: &Operation) -> Vec<(usize, usize, bool)> {
        let all = operation.paths().into_iter().flat_map(|path| self.flights(path));
        let own = all.filter(|flight| flight.owner.operation == operation.id);
        own.map(|flight| (flight.owner.work, flight.number, flight.expired)).collect()
    }

    /// Takes in an operation as it was.
    pub(super) fn know(
        &mut self,
        operation: Arc<Operation>,
        standing: &[Option<usize>],
        in_flight: &[(usize, usize, bool)],
    ) {
        let id = operation.id;
        let owner = |work| Owner { operation: id, work };
        for (work, count) in standing.iter().enumerate() {
            count.iter().for_each(|count| self.standing.insert_mut(owner(work), *count));
        }
        for (work, number, expired) in in_flight {
            let transition = operation.works.get(*work).and_then(|it| it.transitions.get(*number));
            let Some(path) = transition.map(|it| &it.path) else { continue };
            let mut flights = self.flights(path);
            flights.push(Flight { owner: owner(*work), number: *number, expired: *expired });
            self.set_flights(path, flights);
        }
        self.add(operation);
    }

    /// Takes out the operations with these numbers; their steps remain changes that somebody made.
    pub fn forget_all(&mut self, gone: &HashSet<OperationId>) {
        for operation in gone {
            self.apply(&Event::Forgotten { operation: *operation });
        }
        let paths: Vec<FilePath> = self.timelines.keys().cloned().collect();
        for path in paths {
            if let Some(timeline) = self.timelines.get_mut(&path) {
                Arc::make_mut(timeline).merge_runs();
            }
        }
    }
}
