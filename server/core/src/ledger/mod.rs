//! What was done, known once: a timeline for each file, and which block made which step of it.
//!
//! A state cannot tell who made it, so the ledger remembers changes: each is handed out by an
//! operation, and an observed state is explained by them. Looking more often or less often never
//! changes the answer.

mod bases;
mod event;
mod expected;
mod explain;
mod form;
mod identity;
mod kept;
mod merge;
mod operation;
mod standing;
mod state;
mod timeline;

#[cfg(test)]
mod tests;

pub use bases::Base;
pub use event::{Answer, Event};
pub use expected::Expected;
pub use explain::{Candidate, Observation};
pub use identity::{BlockId, OperationId, Transcript};
pub use kept::Kept;
pub use merge::Merged;
pub use operation::{Door, Operation, Transition, Work};
pub use standing::{By, InBetween, Standing};

use std::sync::Arc;

use foldhash::quality::RandomState;
use rpds::RedBlackTreeMapSync;

use crate::path::{FilePath, State};
use bases::Bases;
use timeline::{Owner, Step, Timeline};

/// A map without an order, with a faster hasher than the standard one.
type HashMap<K, V> = rpds::HashTrieMapSync<K, V, RandomState>;

/// What was done in one workspace. A clone is cheap and does not change.
#[derive(Clone, Default)]
pub struct Ledger {
    operations: RedBlackTreeMapSync<OperationId, Arc<Operation>>,
    /// The works of a block, the oldest first.
    works: HashMap<BlockId, Arc<Vec<Owner>>>,
    timelines: RedBlackTreeMapSync<FilePath, Arc<Timeline>>,
    /// How many steps of a work are in timelines and were not undone.
    standing: HashMap<Owner, usize>,
    /// The transitions that were handed out and neither claimed nor seen.
    in_flight: HashMap<FilePath, Arc<Vec<Flight>>>,
    bases: Bases,
    answers: HashMap<BlockKey, Answer>,
    /// What the model was told of blocks.
    told: HashMap<BlockKey, Kept>,
}

/// A block of a transcript.
type BlockKey = (Transcript, BlockId);

/// A transition that was handed out: the work, and its number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Flight {
    owner: Owner,
    number: usize,
    /// Whether no chain from the head of the file led to it any more.
    expired: bool,
}

impl Ledger {
    /// The number for the next operation.
    pub fn next_id(&self) -> OperationId {
        self.operations.last().map_or(OperationId(1), |(last, _)| OperationId(last.0 + 1))
    }

    /// An operation.
    pub fn operation(&self, id: OperationId) -> Option<&Arc<Operation>> {
        self.operations.get(&id)
    }

    /// Every operation, the oldest first.
    pub fn operations(
        &self,
    ) -> impl DoubleEndedIterator<Item = &Arc<Operation>> + ExactSizeIterator {
        self.operations.values()
    }

    /// Takes in an event that nobody else needs, without a copy of its operation.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::HandedOut(operation) => self.hand_out(Arc::new(operation)),
            Event::Applied(operation) => self.applied(Arc::new(operation)),
            Event::ByHand(operation) => self.by_hand(Arc::new(operation)),
            Event::Known { operation, standing, in_flight } => {
                self.know(Arc::new(operation), &standing, &in_flight);
            }
            Event::Timeline { path, timeline } => {
                self.timelines.insert_mut(path, Arc::new(*timeline));
            }
            event => self.apply(&event),
        }
    }

    /// Takes an event in. The same events in the same order make the same ledger.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Proposed { transcript, block, at, ambiguous } => {
                let base = Base { at: at.clone(), ambiguous: *ambiguous };
                self.propose(transcript, *block, base);
            }
            Event::HandedOut(operation) => self.hand_out(Arc::new(operation.clone())),
            Event::Claimed { operation } => self.claim(*operation, &|_| true),
            Event::Withdrawn { operation } => self.withdraw(*operation),
            Event::Answered { transcript, block, answer } => {
                let key = (transcript.clone(), *block);
                // What was told before is not what this answer says.
                self.told.remove_mut(&key);
                self.answers.insert_mut(key, answer.clone());
            }
            Event::Told { transcript, blocks } => {
                for (block, told) in blocks {
                    self.told.insert_mut((transcript.clone(), *block), told.clone());
                }
            }
            Event::Made { path, owners, to } => self.make_all(path, owners, *to),
            Event::Back { path, to, typed } => {
                self.back(path, *to);
                typed.iter().for_each(|it| self.change(path, State::File(*it)));
            }
            Event::Forth { path, to, typed } => {
                self.forth(path, *to);
                typed.iter().for_each(|it| self.change(path, State::File(*it)));
            }
            Event::Changed { path, to } => self.change(path, *to),
            Event::Seen { path, to } => self.see(path, *to),
            Event::Saved { path, to, on } => {
                let on = on.map(State::File);
                // Of a file that nobody knows it says how the file was before.
                self.change_timeline(path, on.unwrap_or(*to), |timeline| timeline.pass(*to, on));
            }
            Event::Applied(operation) => self.applied(Arc::new(operation.clone())),
            Event::ByHand(operation) => self.by_hand(Arc::new(operation.clone())),
            Event::Undone { operation } => self.undo(*operation),
            Event::Redone { operation } => self.redo(*operation),
            Event::Forgotten { operation } => self.forget(*operation),
            Event::Known { .. } | Event::Timeline { .. } => self.take(event.clone()),
            // It tells of the journal alone.
            Event::Shortened { .. } => {}
        }
    }

    fn propose(&mut self, transcript: &Transcript, block: BlockId, base: Base) {
        base.at.iter().for_each(|(path, state)| self.begin(path, *state));
        self.bases.set(transcript, block, base);
    }

    /// Begins the timeline of a path, if there is none yet.
    fn begin(&mut self, path: &FilePath, origin: State) {
        if !self.timelines.contains_key(path) {
            self.timelines.insert_mut(path.clone(), Arc::new(Timeline::new(origin)));
        }
    }

    fn hand_out(&mut self, operation: Arc<Operation>) {
        self.let_go_of_earlier(&operation);
        self.add(operation.clone());
        for (number, transition, owner) in operation.transitions() {
            let flight = Flight { owner, number, expired: false };
            match self.in_flight.get_mut(&transition.path) {
                Some(flights) => Arc::make_mut(flights).push(flight),
                None => self.in_flight.insert_mut(transition.path.clone(), Arc::new(vec![flight])),
            }
            // A file that nobody has looked at yet is as the plan saw it.
            self.begin(&transition.path, transition.before);
        }
    }

    /// What was handed out before for the blocks of an operation is not expected any more.
    fn let_go_of_earlier(&mut self, operation: &Operation) {
        if self.in_flight.is_empty() {
            return;
        }
        for block in operation.works.iter().map(|work| work.block) {
            let earlier = self.works.get(&block).cloned();
            earlier.iter().flat_map(|all| all.iter()).for_each(|owner| self.land_work(*owner));
        }
    }

    /// Takes in an operation that was handed out, made and seen.
    fn applied(&mut self, operation: Arc<Operation>) {
        self.let_go_of_earlier(&operation);
        self.add(operation.clone());
        for (_, transition, owner) in operation.transitions() {
            self.begin(&transition.path, transition.before);
            self.make(owner, transition, true);
        }
        for path in operation.paths() {
            let mut all = operation.works.iter().flat_map(|work| &work.transitions);
            if let Some(last) = all.rfind(|it| it.path == *path) {
                self.see(path, last.after);
            }
        }
    }

    /// Takes in an operation whose transitions are not made yet.
    fn add(&mut self, operation: Arc<Operation>) {
        for (number, work) in operation.works.iter().enumerate() {
            let owner = Owner { operation: operation.id, work: number };
            match self.works.get_mut(&work.block) {
                Some(works) => Arc::make_mut(works).push(owner),
                None => self.works.insert_mut(work.block, Arc::new(vec![owner])),
            }
        }
        self.operations.insert_mut(operation.id, operation);
    }

    fn flights(&self, path: &FilePath) -> Vec<Flight> {
        self.in_flight.get(path).map(|flights| flights.to_vec()).unwrap_or_default()
    }

    /// Takes a transition out of those that are expected; whether it was one.
    fn land(&mut self, path: &FilePath, owner: Owner, number: usize) -> bool {
        let is_it = |known: &Flight| known.owner == owner && known.number == number;
        let Some(flights) = self.in_flight.get_mut(path) else { return false };
        let Some(at) = flights.iter().position(is_it) else { return false };
        if flights.len() > 1 {
            Arc::make_mut(flights).remove(at);
        } else {
            self.in_flight.remove_mut(path);
        }
        true
    }

    fn set_flights(&mut self, path: &FilePath, flights: Vec<Flight>) {
        if flights.is_empty() {
            self.in_flight.remove_mut(path);
        } else {
            self.in_flight.insert_mut(path.clone(), Arc::new(flights));
        }
    }

    /// Expects no transition of a work any more.
    fn land_work(&mut self, owner: Owner) {
        let Some(operation) = self.operations.get(&owner.operation).cloned() else { return };
        let Some(work) = operation.works.get(owner.work) else { return };
        for (number, transition) in work.transitions.iter().enumerate() {
            self.land(&transition.path, owner, number);
        }
    }

    /// Takes in that whoever was given an operation has made it, at the paths of which `is_made` says
    /// so.
    pub fn claim(&mut self, id: OperationId, is_made: &dyn Fn(&Transition) -> bool) {
        let Some(operation) = self.operations.get(&id).cloned() else { return };
        for (number, transition, owner) in operation.transitions() {
            if is_made(transition) && self.land(&transition.path, owner, number) {
                self.make(owner, transition, false);
            }
        }
    }

    fn withdraw(&mut self, id: OperationId) {
        let Some(operation) = self.operations.get(&id).cloned() else { return };
        let works = 0..operation.works.len();
        works.for_each(|work| self.land_work(Owner { operation: id, work }));
    }

    fn make_all(&mut self, path: &FilePath, owners: &[(OperationId, usize, usize)], to: State) {
        for (operation, work, number) in owners {
            let owner = Owner { operation: *operation, work: *work };
            let known = self.operations.get(operation).cloned();
            let work = known.as_ref().and_then(|known| known.works.get(*work));
            let transition = work.and_then(|work| work.transitions.get(*number));
            if let Some(transition) = transition
                && self.land(path, owner, *number)
            {
                self.make(owner, transition, true);
            }
        }
        self.change_timeline(path, to, |timeline| timeline.arrive(to));
    }

    /// Puts a transition into its file's timeline.
    fn make(&mut self, owner: Owner, transition: &Transition, seen: bool) {
        let Transition { path, before, after, .. } = transition;
        let gone =
            self.change_timeline(path, *before, |timeline| timeline.make(owner, transition, seen));
        gone.iter().for_each(|step| self.count(step, false));
        self.count_owner(owner, true);
        self.derive(owner, path, *before, *after);
    }

    fn by_hand(&mut self, operation: Arc<Operation>) {
        self.add(operation.clone());
        for (_, transition, owner) in operation.transitions() {
            self.make(owner, transition, true);
        }
    }

    fn back(&mut self, path: &FilePath, to: State) {
        let Some(at) = self.timelines.get(path).and_then(|it| it.position_of(to)) else { return };
        self.cut(path, at);
    }

    /// Undoes the steps of a file from the one with this number on.
    fn cut(&mut self, path: &FilePath, at: usize) {
        let Some(head) = self.timelines.get(path).map(|it| it.head()) else { return };
        let gone = self.change_timeline(path, head, |timeline| timeline.cut(at));
        self.uncount(path, &gone);
    }

    /// Counts steps that were undone no more, with those that follow from them.
    fn uncount(&mut self, path: &FilePath, gone: &[Step]) {
        for step in gone {
            self.count(step, false);
            if let Some(owner) = step.owner.filter(|_| step.is_of_directory()) {
                self.cut_derived(owner, path);
            }
        }
    }

    fn forth(&mut self, path: &FilePath, to: State) {
        let Some(timeline) = self.timelines.get(path) else { return };
        let (head, is_next) = (timeline.head(), timeline.redone_by(to).is_some());
        if !is_next && head != to {
            let gone = self.change_timeline(path, head, |timeline| timeline.turn(to));
            self.uncount(path, &gone);
        }
        let back = self.change_timeline(path, head, |timeline| timeline.redo(to));
        self.put_back(path, &back);
    }

    /// Counts steps that were put back, with those that follow from them.
    fn put_back(&mut self, path: &FilePath, steps: &[Step]) {
        for step in steps {
            self.count(step, true);
            if let Some(owner) = step.owner {
                self.derive(owner, path, step.before, step.after);
            }
        }
    }

    fn change(&mut self, path: &FilePath, to: State) {
        // It may be a change that is on its way, and more.
        let is_typed = !self.expects(path);
        self.change_timeline(path, to, |timeline| timeline.change(to, is_typed));
    }

    fn see(&mut self, path: &FilePath, to: State) {
        self.change_timeline(path, to, |timeline| timeline.see(to));
    }

    fn undo(&mut self, id: OperationId) {
        let Some(operation) = self.operations.get(&id).cloned() else { return };
        for (_, transition, owner) in operation.transitions() {
            let path = &transition.path;
            let Some(timeline) = self.timelines.get(path) else { continue };
            let (Some(at), head) = (timeline.first_of(id), timeline.head()) else { continue };
            let is_own = |step: &Step| step.owner.is_some_and(|it| it.operation == id);
            if timeline.steps()[at..].iter().all(is_own) {
                self.cut(path, at);
            } else {
                // The file was left as it is, with what others have done since.
                self.change_timeline(path, head, |timeline| timeline.disown(owner));
                self.standing.remove_mut(&owner);
            }
        }
    }

    /// Takes in that some changes of an operation were undone and others left: those of the paths that
    /// are as they were before it, of which `is_back` says so. Returns what happened.
    pub fn undo_in_part(
        &mut self,
        id: OperationId,
        is_back: &dyn Fn(&FilePath, State) -> bool,
    ) -> Vec<Event> {
        let Some(operation) = self.operations.get(&id).cloned() else { return Vec::new() };
        let mut events = Vec::new();
        let mut back = |ledger: &mut Ledger, path: &FilePath, to: State| {
            let event = Event::Back { path: path.clone(), to, typed: None };
            ledger.apply(&event);
            events.push(event);
        };
        for path in operation.paths() {
            let Some(timeline) = self.timelines.get(path) else { continue };
            let Some(before) = timeline.first_of(id).map(|at| timeline.state_at(at)) else {
                continue;
            };
            if timeline.head() != before && is_back(path, before) {
                back(self, path, before);
            }
        }
        // A directory on the way to a file that is gone says nothing of its block.
        let is_way = |it: &&Transition| it.before == State::Missing && it.after == State::Directory;
        for (number, work) in operation.works.iter().enumerate() {
            let owner = Owner { operation: id, work: number };
            let stands =
                |it: &&Transition| self.timelines.get(&it.path).is_some_and(|all| all.has(owner));
            let left: Vec<&Transition> = work.transitions.iter().filter(stands).collect();
            if left.iter().all(is_way) && !work.transitions.iter().all(|it| is_way(&it)) {
                left.into_iter().for_each(|it| back(self, &it.path, it.before));
            }
        }
        events
    }

    fn redo(&mut self, id: OperationId) {
        let Some(operation) = self.operations.get(&id).cloned() else { return };
        // What an editor has shown before it is said is redone already.
        let is_there =
            |path: &FilePath, owner| self.timelines.get(path).is_some_and(|it| it.has(owner));
        let all = operation.transitions();
        let all: Vec<_> = all.filter(|(_, it, owner)| !is_there(&it.path, *owner)).collect();
        for (_, transition, owner) in all {
            let path = &transition.path;
            let Some(head) = self.timelines.get(path).map(|it| it.head()) else { continue };
            let back = self.change_timeline(path, head, |timeline| timeline.redo_one(owner));
            match back.is_empty() {
                true => self.make(owner, transition, true),
                false => self.put_back(path, &back),
            }
        }
    }

    /// Forgets an operation. Its steps remain changes that somebody made.
    fn forget(&mut self, id: OperationId) {
        let Some(operation) = self.operations.get(&id).cloned() else { return };
        self.withdraw(id);
        for (_, transition, owner) in operation.transitions() {
            let path = &transition.path;
            let Some(head) = self.timelines.get(path).map(|it| it.head()) else { continue };
            self.change_timeline(path, head, |timeline| timeline.disown(owner));
            self.standing.remove_mut(&owner);
        }
        for work in &operation.works {
            let left = self.works.get(&work.block).map(|it| it.to_vec()).unwrap_or_default();
            let left: Vec<Owner> = left.into_iter().filter(|it| it.operation != id).collect();
            match left.is_empty() {
                true => _ = self.works.remove_mut(&work.block),
                false => self.works.insert_mut(work.block, Arc::new(left)),
            }
        }
        self.operations.remove_mut(&id);
    }

    /// Changes the timeline of a path, which begins with `origin` where there is none.
    fn change_timeline<T>(
        &mut self,
        path: &FilePath,
        origin: State,
        change: impl FnOnce(&mut Timeline) -> T,
    ) -> T {
        if let Some(timeline) = self.timelines.get_mut(path) {
            return change(Arc::make_mut(timeline));
        }
        let mut timeline = Timeline::new(origin);
        let result = change(&mut timeline);
        self.timelines.insert_mut(path.clone(), Arc::new(timeline));
        result
    }

    fn count(&mut self, step: &Step, there: bool) {
        if let Some(owner) = step.owner.filter(|_| !step.derived) {
            self.count_owner(owner, there);
        }
    }

    fn count_owner(&mut self, owner: Owner, there: bool) {
        match self.standing.get_mut(&owner) {
            Some(count) if there => *count += 1,
            Some(count) => *count = count.saturating_sub(1),
            None => self.standing.insert_mut(owner, usize::from(there)),
        }
    }

    /// What a step at a path means for the paths around and below it: a step of a directory is one
    /// of everything in it, and what comes to be makes the directories around it.
    fn derive(&mut self, owner: Owner, path: &FilePath, before: State, after: State) {
        if before == after {
            return;
        }
        let is_directory = |state| state == State::Directory;
        // A directory that is made anew is empty: what appears in it is somebody else's.
        let has_content = || is_directory(before) || self.moves_a_directory(owner, path);
        if (is_directory(before) || is_directory(after)) && has_content() {
            for below in self.below(path) {
                self.change_timeline(&below, after, |it| it.inherit(owner, is_directory(after)));
            }
        }
        if before == State::Missing {
            let around = std::iter::successors(path.parent(), FilePath::parent);
            for directory in around.collect::<Vec<_>>() {
                if self.timelines.contains_key(&directory) {
                    self.change_timeline(&directory, after, |it| it.inherit(owner, true));
                }
            }
        }
    }

    /// Whether a block takes what it puts at a path from another directory.
    fn moves_a_directory(&self, owner: Owner, path: &FilePath) -> bool {
        let operation = self.operations.get(&owner.operation);
        let work = operation.and_then(|operation| operation.works.get(owner.work));
        work.is_some_and(|work| {
            let others = work.transitions.iter().filter(|it| it.path != *path);
            others.into_iter().any(|it| it.before == State::Directory)
        })
    }

    /// Undoes what followed from a step of a directory.
    fn cut_derived(&mut self, owner: Owner, directory: &FilePath) {
        for below in self.below(directory) {
            self.change_timeline(&below, State::Missing, |it| it.cut_derived(owner));
        }
    }

    /// The paths below a directory that have a timeline.
    fn below(&self, directory: &FilePath) -> Vec<FilePath> {
        let after = self.timelines.range(directory.clone()..).map(|(path, _)| path);
        // Other names sort between a directory and what is in it.
        let near = after.take_while(|path| {
            path.root == directory.root && path.path.starts_with(&*directory.path)
        });
        near.filter(|path| path.is_within(directory) && *path != directory).cloned().collect()
    }

    /// Every path with the number of its steps, for tests.
    #[cfg(test)]
    pub(crate) fn lengths(&self) -> std::collections::BTreeMap<FilePath, usize> {
        self.timelines.iter().map(|(path, it)| (path.clone(), it.steps().len())).collect()
    }
}
