//! Whose change an observed state is: the first rule that fits.

use super::event::Event;
use super::identity::{BlockId, OperationId, Transcript};
use super::operation::{Door, Operation, Transition, Work};
use super::timeline::{Owner, Step, Turned};
use super::{Flight, Ledger};
use crate::fingerprint::Fingerprint;
use crate::path::{FilePath, State};
use crate::snapshot::Snapshot;

/// How many ways to combine transitions are tried.
const MOST_TRIED: usize = 10_000;

/// What was found at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// Where.
    pub path: FilePath,
    /// What is there.
    pub state: State,
    /// Whether it was found on disk while no editor shows the file: an editor may hold a newer
    /// text that it has not saved.
    pub closed: bool,
}

/// A block that somebody may make the change of by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The transcript that it is in.
    pub transcript: Transcript,
    /// The block with its transitions, as they were last planned.
    pub work: Work,
}

impl Observation {
    /// What is at a path, where that can be told.
    pub fn of(path: &FilePath, snapshot: &dyn Snapshot) -> Option<Observation> {
        let state = snapshot.state(path).ok()?;
        Some(Observation { path: path.clone(), state, closed: !snapshot.is_open(path) })
    }
}

impl Ledger {
    /// Takes in what was found at some paths at `time`, in milliseconds since 1970-01-01 UTC;
    /// returns what happened. `candidates` gives the blocks that change a path, in document order.
    pub fn observe(
        &mut self,
        found: &[Observation],
        time: u64,
        candidates: &dyn Fn(&FilePath) -> Vec<Candidate>,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        let mut changed = Vec::new();
        for observation in found {
            let mut event = self.explain(observation, found);
            if matches!(event, Some(Event::Changed { .. }))
                && let Some(half) = self.half_made(observation, found)
            {
                self.apply(&half);
                events.push(half);
                event = self.explain(observation, found);
            }
            if let Some(event) = event {
                if matches!(event, Event::Changed { .. }) {
                    changed.push(&observation.path);
                }
                self.apply(&event);
                self.expire(&observation.path);
                events.push(event);
            }
        }
        for path in changed {
            while let Some(operation) = self.made_by_hand(candidates(path), time) {
                let event = Event::ByHand(operation);
                self.apply(&event);
                events.push(event);
            }
        }
        events
    }

    /// Whether what was found means that changes of its file were undone, or made again.
    pub fn is_reversal(&self, observation: &Observation) -> bool {
        let found = std::slice::from_ref(observation);
        matches!(self.explain(observation, found), Some(Event::Back { .. } | Event::Forth { .. }))
    }

    /// What is on record before a text of a file that no block made.
    pub fn base_of(&self, path: &FilePath, state: State) -> Option<State> {
        self.timelines.get(path)?.base_of(state)
    }

    /// Whether it is known how a file came to have a state, or came back to it.
    pub fn knows(&self, path: &FilePath, state: State) -> bool {
        let found = Observation { path: path.clone(), state, closed: false };
        let explained = self.explain(&found, std::slice::from_ref(&found));
        !matches!(explained, Some(Event::Changed { .. }))
    }

    /// Whether what was found means that changes of its file were made again.
    pub fn is_redo(&self, observation: &Observation) -> bool {
        let found = std::slice::from_ref(observation);
        matches!(self.explain(observation, found), Some(Event::Forth { .. }))
    }

    /// Takes in that an operation is handed out, for which its files were looked at just before;
    /// `is_closed` says which of them no editor shows. Returns what happened.
    pub fn hand_over(
        &mut self,
        operation: Operation,
        time: u64,
        is_closed: &dyn Fn(&FilePath) -> bool,
    ) -> Vec<Event> {
        let mut events = self.observe_before(&operation, time, is_closed);
        let event = Event::HandedOut(operation);
        self.apply(&event);
        events.push(event);
        events
    }

    /// Takes in that an editor was to get an operation's edit, as its record says; what is known may
    /// be newer. Returns what happened; `None` where a newer operation has one of its blocks.
    pub fn expect(&mut self, operation: Operation) -> Option<Vec<Event>> {
        let newer: Vec<_> = self.operations.range(OperationId(operation.id.0 + 1)..).collect();
        let has_block = |it: &Operation, block| it.works.iter().any(|work| work.block == block);
        let is_newer = |block| newer.iter().any(|(_, it)| has_block(it, block));
        if operation.works.iter().any(|work| is_newer(work.block)) {
            return None;
        }
        let found = found_by(&operation, &|_| false);
        let is_last = |path: &FilePath| !newer.iter().any(|(_, it)| it.paths().contains(&path));
        let found: Vec<_> = found.into_iter().filter(|it| is_last(&it.path)).collect();
        let mut events = Vec::new();
        for it in &found {
            // What was undone or redone by hand before is known already.
            if let Some(event @ (Event::Changed { .. } | Event::Made { .. })) =
                self.explain(it, &found)
            {
                self.apply(&event);
                events.push(event);
            }
        }
        self.apply(&Event::HandedOut(operation));
        Some(events)
    }

    /// Takes in how an operation has found its files; `is_closed` says which of them no editor
    /// shows. Returns what happened.
    pub fn observe_before(
        &mut self,
        operation: &Operation,
        time: u64,
        is_closed: &dyn Fn(&FilePath) -> bool,
    ) -> Vec<Event> {
        self.observe(&found_by(operation, is_closed), time, &|_| Vec::new())
    }

    /// The way back from a redo or an undo that was none: the file had half of an edit on its way, which
    /// looks like that, and has all of it now.
    fn half_made(&self, observation: &Observation, found: &[Observation]) -> Option<Event> {
        let Observation { path, state, .. } = observation;
        self.in_flight.get(path)?.iter().find_map(|flight| {
            let (to, turned) = self.before_half(path, flight)?;
            let is_made = !self.longest_chain(path, to, *state, found).is_empty();
            is_made.then(|| match turned {
                Turned::Redone => Event::Back { path: path.clone(), to, typed: None },
                Turned::Undone => Event::Forth { path: path.clone(), to, typed: None },
            })
        })
    }

    /// What a file had when an edit was given to an editor, where only a redo or an undo was seen since:
    /// that may have been half of the edit.
    fn before_half(&self, path: &FilePath, flight: &Flight) -> Option<(State, Turned)> {
        let before = self.transition(flight)?.before;
        let turned = self.timelines.get(path)?.turned_since(before, flight.owner.operation)?;
        Some((before, turned))
    }

    /// What has happened to a file, as it was found. A program that writes a file anew empties it first,
    /// mostly: that it was empty before, too, says nothing of what blocks have done in between.
    fn explain(&self, observation: &Observation, found: &[Observation]) -> Option<Event> {
        match self.explain_state(observation, found)? {
            Event::Back { path, typed: Some(typed), .. }
            | Event::Forth { path, typed: Some(typed), .. }
                if typed == Fingerprint::of(b"") =>
            {
                Some(Event::Changed { path, to: observation.state })
            }
            event => Some(event),
        }
    }

    fn explain_state(&self, observation: &Observation, found: &[Observation]) -> Option<Event> {
        let Observation { path, state: to, closed } = observation.clone();
        let timeline = self.timelines.get(&path).filter(|timeline| timeline.is_news(to))?;
        if timeline.shows(to) || timeline.head() == to {
            return Some(Event::Seen { path, to });
        }
        if closed && timeline.is_hidden(to) {
            return None;
        }
        if timeline.is_inherited() {
            return Some(Event::Changed { path, to });
        }
        let chain = self.longest_chain(&path, timeline.head(), to, found);
        if !chain.is_empty() {
            let owners = chain.iter().map(|flight| {
                let Flight { owner, number, .. } = flight;
                (owner.operation, owner.work, *number)
            });
            return Some(Event::Made { path, owners: owners.collect(), to });
        }
        if let Some(steps) = timeline.undone_by(to) {
            let agrees = |it: &Transition, state| it.before == state;
            let all = steps.iter().all(|step| self.is_backed(step, &path, found, agrees));
            let (to, typed) = by_way_of(timeline.recorded_on_the_way_back(to), to);
            return all.then_some(Event::Back { path, to, typed });
        }
        if let Some(steps) = timeline.redone_by(to).or_else(|| timeline.left_by(to)) {
            let agrees = |it: &Transition, state| it.leads_to(state);
            let all = steps.iter().all(|step| self.is_backed(step, &path, found, agrees));
            let (to, typed) = by_way_of(timeline.recorded_on_the_way_forth(to), to);
            return all.then_some(Event::Forth { path, to, typed });
        }
        // What was typed is there again: so are the changes of blocks that it was typed after.
        let base =
            timeline.other_base_of(to).map(|state| Observation { state, ..observation.clone() });
        Some(match (base.and_then(|base| self.explain(&base, found)), to) {
            (Some(Event::Back { path, to, .. }), State::File(typed)) => {
                Event::Back { path, to, typed: Some(typed) }
            }
            (Some(Event::Forth { path, to, .. }), State::File(typed)) => {
                Event::Forth { path, to, typed: Some(typed) }
            }
            _ => Event::Changed { path, to },
        })
    }

    /// Whether what was found at a path may be the end or the return of a step. One directory is
    /// like another: that one came or went says nothing by itself, where its block changes more; that
    /// one is there again says nothing of what was in it; and one that is gone again may have gone with
    /// the file for which another block had made it.
    fn is_backed(
        &self,
        step: &Step,
        path: &FilePath,
        found: &[Observation],
        agrees: impl Fn(&Transition, State) -> bool,
    ) -> bool {
        let owner = step.owner.filter(|_| step.is_of_directory() && !step.derived);
        let Some(owner) = owner else { return true };
        let Some(work) = self.work(owner) else { return true };
        let others = work.transitions.iter().filter(|it| it.path != *path && it.changes());
        let mut others = others.peekable();
        // One that was there before a block of the operation took away all around it is there again.
        let is_around = |it: &Transition| {
            it.before == State::Directory && it.path != *path && path.is_within(&it.path)
        };
        let is_remade = || {
            let operation = self.operations.get(&owner.operation);
            operation.is_some_and(|it| it.transitions().any(|(_, it, _)| is_around(it)))
        };
        if others.peek().is_none() && (step.before == State::Directory || is_remade()) {
            return false;
        }
        others.all(|it| {
            let seen = found.iter().find(|o| o.path == it.path).map(|o| o.state);
            seen.or_else(|| self.head(&it.path)).is_some_and(|state| agrees(it, state))
        })
    }

    pub(super) fn work(&self, owner: Owner) -> Option<&Work> {
        self.operations.get(&owner.operation)?.works.get(owner.work)
    }

    fn transition(&self, flight: &Flight) -> Option<&Transition> {
        self.work(flight.owner)?.transitions.get(flight.number)
    }

    /// The longest chain of handed-out transitions that leads from one state of a file to another.
    fn longest_chain(
        &self,
        path: &FilePath,
        from: State,
        to: State,
        found: &[Observation],
    ) -> Vec<Flight> {
        let flights = self.in_flight.get(path).map(|it| it.as_slice()).unwrap_or_default();
        let known = flights.iter().filter(|flight| !flight.expired);
        let all = known.filter_map(|flight| Some((*flight, self.transition(flight)?)));
        // What changes nothing shows nothing.
        let all = all.filter(|(_, it)| it.changes());
        let all: Vec<_> = all.filter(|(flight, _)| self.is_supported(flight, found)).collect();
        let begins = |it: &Transition, from| self.begins(path, it, from);
        let mut search = Search { all: &all, begins: &begins, to, tried: 0, longest: Vec::new() };
        search.follow(from, &mut Vec::new());
        search.longest.iter().map(|number| all[*number].0).collect()
    }

    /// Whether a transition may begin where this state is at a path: where it was planned for that
    /// state, or where the file was in the planned one just before. Editors make an edit in several
    /// changes, and tell the server of the first one before they make the others.
    fn begins(&self, path: &FilePath, it: &Transition, now: State) -> bool {
        let known = self.timelines.get(path);
        it.before == now || known.is_some_and(|known| known.has_just_become(it.before, now))
    }

    /// Whether a transition may be taken for what was found at its path; see
    /// [`Ledger::is_backed`].
    fn is_supported(&self, flight: &Flight, found: &[Observation]) -> bool {
        let Flight { owner, number, .. } = *flight;
        let Some(work) = self.work(owner) else { return false };
        let is_directory = |it: &Transition| [it.before, it.after].contains(&State::Directory);
        if !work.transitions.get(number).is_some_and(is_directory) {
            return true;
        }
        let mut others = work
            .transitions
            .iter()
            .enumerate()
            .filter(|(other, it)| *other != number && it.changes());
        others.all(|(number, it)| {
            let was_found = || found.iter().any(|o| o.path == it.path && it.leads_to(o.state));
            let flights = self.in_flight.get(&it.path).map(|all| all.as_slice());
            let is_expected = |f: &Flight| f.owner == owner && f.number == number;
            !flights.unwrap_or_default().iter().any(is_expected) || was_found()
        })
    }

    /// Expects no transition any more that no chain from the head of its file leads to.
    pub(super) fn expire(&mut self, path: &FilePath) {
        let (Some(timeline), mut flights) = (self.timelines.get(path), self.flights(path)) else {
            return;
        };
        let begins = |it: &Transition, from| self.begins(path, it, from);
        let before_half = flights.iter().filter_map(|flight| self.before_half(path, flight));
        let mut reached = vec![timeline.head()];
        reached.extend(before_half.map(|(before, _)| before));
        let mut next = 0;
        while let Some(state) = reached.get(next).copied() {
            next += 1;
            for flight in &flights {
                if let Some(transition) = self.transition(flight)
                    && begins(transition, state)
                    && !reached.contains(&transition.after)
                {
                    reached.push(transition.after);
                }
            }
        }
        let is_reached = |flight: &Flight| {
            let it = self.transition(flight);
            it.is_some_and(|it| reached.iter().any(|state| begins(it, *state)))
        };
        let expired: Vec<bool> = flights.iter().map(|flight| !is_reached(flight)).collect();
        for (flight, expired) in flights.iter_mut().zip(expired) {
            flight.expired |= expired;
        }
        self.set_flights(path, flights);
    }

    /// The first candidate whose whole change was made, as an operation.
    fn made_by_hand(&self, candidates: Vec<Candidate>, time: u64) -> Option<Operation> {
        let is_made = |candidate: &Candidate| {
            let transitions = candidate.work.transitions.iter();
            let mut changes = transitions.filter(|it| it.changes()).peekable();
            let fits = |it: &Transition| {
                self.timelines.get(&it.path).is_some_and(|timeline| timeline.ends_with(it))
            };
            changes.peek().is_some() && changes.all(fits)
        };
        let is_open = |transcript: &Transcript, block: BlockId| {
            self.standing(transcript, block, true).applied.is_none()
        };
        let mut candidates = candidates.into_iter().filter(|it| !self.is_given(&it.work));
        let made = candidates.find(|it| is_open(&it.transcript, it.work.block) && is_made(it))?;
        let Candidate { transcript, work } = made;
        let id = self.next_id();
        Some(Operation { id, time, door: Door::Hand, transcript, works: vec![work] })
    }

    /// Whether an edit that has the same change was given to an editor, which may make it in several
    /// steps. One of them can look as if this block alone had been made.
    fn is_given(&self, work: &Work) -> bool {
        let same = |flight: &Flight| {
            self.work(flight.owner).is_some_and(|given| given.block.text == work.block.text)
        };
        let mut flights = work.transitions.iter().filter_map(|it| self.in_flight.get(&it.path));
        flights.any(|flights| flights.iter().any(same))
    }
}

/// What is on record of the way to a state, and what was typed on that.
fn by_way_of(recorded: Option<State>, to: State) -> (State, Option<Fingerprint>) {
    match (recorded, to) {
        (Some(recorded), State::File(typed)) => (recorded, Some(typed)),
        _ => (to, None),
    }
}

/// How an operation has found its files; `is_closed` says which of them no editor shows.
fn found_by(operation: &Operation, is_closed: &dyn Fn(&FilePath) -> bool) -> Vec<Observation> {
    let mut found: Vec<Observation> = Vec::new();
    let mut directories: Vec<&FilePath> = Vec::new();
    for transition in operation.works.iter().flat_map(|work| &work.transitions) {
        let Transition { path, before: state, after, .. } = transition;
        // What is in a directory that comes with the operation is not there yet.
        let is_to_come = directories.iter().any(|directory| path.is_within(directory));
        if [*state, *after].contains(&State::Directory) {
            directories.push(path);
        }
        if !is_to_come && !found.iter().any(|known| known.path == *path) {
            let closed = is_closed(path);
            found.push(Observation { path: path.clone(), state: *state, closed });
        }
    }
    found
}

/// A search for the longest chain, in bounded time.
struct Search<'a> {
    all: &'a [(Flight, &'a Transition)],
    begins: &'a dyn Fn(&Transition, State) -> bool,
    to: State,
    tried: usize,
    longest: Vec<usize>,
}

impl Search<'_> {
    fn follow(&mut self, from: State, chain: &mut Vec<usize>) {
        // Of two that do the same, the one that was asked for last is most likely to be made.
        for (number, (_, transition)) in self.all.iter().enumerate().rev() {
            let begins = (self.begins)(transition, from);
            if !begins || chain.contains(&number) || self.tried > MOST_TRIED {
                continue;
            }
            self.tried += 1;
            chain.push(number);
            if transition.leads_to(self.to) && chain.len() > self.longest.len() {
                self.longest.clone_from(chain);
            }
            self.follow(transition.after, chain);
            chain.pop();
        }
    }
}
