//! One file's changes in order: who made which, and which were undone.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::form::{pairs, short};
use super::identity::OperationId;
use super::operation::Transition;
use crate::fingerprint::Fingerprint;
use crate::path::State;

/// How many changes that nobody owns are kept apart at each end of a run of them.
const MOST_APART: usize = 32;
/// How many steps a timeline has; older ones are part of its origin.
const MOST_STEPS: usize = 1_000;
/// How many runs of undone changes are known after which something else was done.
const MOST_LEFT: usize = 8;
/// How many states are known that no block made and that may be there again.
const MOST_ASIDE: usize = 32;

/// One block of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owner {
    /// The operation.
    pub operation: OperationId,
    /// The block's number in it.
    pub work: usize,
}

/// One change of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What was there.
    #[serde(with = "short")]
    pub before: State,
    /// What was there afterwards.
    #[serde(with = "short")]
    pub after: State,
    /// Whose change it is; `None` where no block made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// Whether it follows from a change of a directory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// Whether it was seen, and not only claimed.
    seen: bool,
    /// What is there too once an editor has ended the last line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ended: Vec<Fingerprint>,
}

/// The changes of one file or directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// What was there first.
    #[serde(with = "short")]
    origin: State,
    /// The changes not undone, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Step>,
    /// The changes that were undone, the next one to be redone last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    redo: Vec<Step>,
    /// Runs of changes that were undone before something else was done, each from a state of the
    /// steps on. An editor that throws away what it has not saved shows such a state again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left: Vec<Vec<Step>>,
    /// What no block made and may be there again, the newest last, each with the state before it that
    /// is on record: the changes of blocks that are in that one are in this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    aside: Vec<(State, State)>,
    /// Whose the next change is: a directory that holds the file came from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inherited: Option<Owner>,
}

impl Step {
    fn nobody(before: State, after: State) -> Step {
        Step { before, after, owner: None, derived: false, seen: true, ended: Vec::new() }
    }

    /// Whether a directory comes or goes.
    pub fn is_of_directory(&self) -> bool {
        self.before != self.after && [self.before, self.after].contains(&State::Directory)
    }

    fn is_of(&self, operation: OperationId) -> bool {
        self.owner.is_some_and(|owner| owner.operation == operation)
    }

    /// Whether another step was made by the same operation.
    fn is_with(&self, other: &Step) -> bool {
        let operation = |step: &Step| step.owner.map(|owner| owner.operation);
        self.owner.is_some() && operation(self) == operation(other)
    }

    fn leads_to(&self, state: State) -> bool {
        let is_ended = |state| matches!(state, State::File(it) if self.ended.contains(&it));
        self.after == state || is_ended(state)
    }
}

/// What has become of changes since a state was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turned {
    /// Changes were made again.
    Redone,
    /// Changes were undone.
    Undone,
}

impl Timeline {
    /// A timeline without changes.
    pub fn new(origin: State) -> Timeline {
        let (steps, redo, left, aside) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Timeline { origin, steps, redo, left, aside, inherited: None }
    }

    /// What is there.
    pub fn head(&self) -> State {
        self.state_at(self.steps.len())
    }

    /// The changes not undone.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What was there before the step of that number.
    pub fn state_at(&self, number: usize) -> State {
        let before = number.checked_sub(1).and_then(|before| self.steps.get(before));
        before.map_or(self.origin, |step| step.after)
    }

    /// After how many steps a state was there, the last time first.
    fn positions_of(&self, state: State) -> impl Iterator<Item = usize> {
        (0..=self.steps.len()).rev().filter(move |number| self.state_at(*number) == state)
    }

    /// The same without those between the steps of one operation, where nobody has seen the file.
    fn seen_positions_of(&self, state: State) -> impl Iterator<Item = usize> {
        let is_seen = |number: &usize| {
            let around = number.checked_sub(1).map(|before| &self.steps[before..]);
            !around.is_some_and(|steps| matches!(steps, [one, two, ..] if one.is_with(two)))
        };
        self.positions_of(state).filter(is_seen)
    }

    /// After how many steps a state was there last. Where somebody has seen the file comes first.
    pub fn position_of(&self, state: State) -> Option<usize> {
        self.seen_positions_of(state).next().or_else(|| self.positions_of(state).next())
    }

    /// The steps since a state was there last, and since each time before, where blocks have led from
    /// there to the same state: its text does not say which line is which.
    pub fn ways_since(&self, state: State) -> impl Iterator<Item = &[Step]> {
        let last = self.position_of(state);
        let is_other = move |at: &usize| {
            let way = last.and_then(|last| self.steps.get(*at..last));
            way.is_some_and(|way| way.iter().any(|step| step.owner.is_some()))
        };
        let others = self.seen_positions_of(state).filter(is_other);
        last.into_iter().chain(others).map(|at| &self.steps[at..])
    }

    /// The steps that would be undone if a state was there again; `None` where it never did.
    pub fn undone_by(&self, state: State) -> Option<&[Step]> {
        self.position_of(state).map(|at| &self.steps[at..])
    }

    /// What a block's change was made on that would be undone if a state was there again which is not
    /// on record, as no change of a block begins or ends with it.
    pub fn recorded_on_the_way_back(&self, state: State) -> Option<State> {
        let is_owned = |at: usize| self.steps.get(at).is_some_and(|step| step.owner.is_some());
        let at = self.position_of(state).filter(|at| *at > 0 && !is_owned(at - 1))?;
        let first = (at..self.steps.len()).find(|at| is_owned(*at))?;
        Some(self.state_at(first)).filter(|recorded| *recorded != state)
    }

    /// The same for changes that would be made again: what the last block's leads to on the way.
    pub fn recorded_on_the_way_forth(&self, state: State) -> Option<State> {
        let steps = self.redone_by(state)?;
        let is_recorded = self.redo[..self.redo.len() - steps.len()].last();
        let is_recorded = is_recorded.is_some_and(|next| next.owner.is_some());
        let last = steps.iter().find(|step| step.owner.is_some()).filter(|_| !is_recorded)?;
        Some(last.after).filter(|recorded| *recorded != state)
    }

    /// The steps that would be redone if a state was there again; `None` for another state.
    pub fn redone_by(&self, state: State) -> Option<&[Step]> {
        let at = |number: &usize| self.redo[*number].after == state;
        let all = || (0..self.redo.len()).rev();
        let is_seen = |number: &usize| {
            let next = number.checked_sub(1).map(|next| &self.redo[next]);
            !next.is_some_and(|next| next.is_with(&self.redo[*number]))
        };
        let found = all().filter(at).find(is_seen).or_else(|| all().find(at));
        found.map(|at| &self.redo[at..])
    }

    /// Takes over what another timeline has seen that no block made: changes after all that is known
    /// here, and what may be there again.
    pub fn keep_changes(&mut self, of: &Timeline) {
        // What was there when one program began to look was there before another one changed it.
        if of.steps.iter().all(|step| step.owner.is_none()) {
            self.pass(of.origin, Some(self.origin));
        }
        of.aside.iter().for_each(|(state, base)| self.put_aside(*state, *base));
        if of.goes_on_from(self) {
            self.change(of.head(), true);
        }
    }

    /// Whether there are only changes that no block made after those of another timeline.
    fn goes_on_from(&self, other: &Timeline) -> bool {
        // Of whom it was, one that was shortened does not always know any more.
        let said = |step: &Step| (step.before, step.after);
        let Some((first, rest)) = self.steps.split_at_checked(other.steps.len()) else {
            return false;
        };
        self.origin == other.origin
            && rest.iter().all(|step| step.owner.is_none())
            && first.iter().map(said).eq(other.steps.iter().map(said))
    }

    /// The steps that would be undone or made again if a state was there again.
    fn steps_to(&self, state: State) -> Option<&[Step]> {
        let redone = || self.redone_by(state).or_else(|| self.left_by(state));
        self.undone_by(state).or_else(redone)
    }

    /// Whether changes were undone that can be made again.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty() || !self.left.is_empty()
    }

    /// The steps that would be made again if a file were there again as it was before something
    /// else was done; `None` for another state.
    pub fn left_by(&self, state: State) -> Option<&[Step]> {
        self.find_left(state).map(|(number, steps)| &self.left[number][steps])
    }

    /// Which of the runs leads to a state, and by which steps of it: those after the last one whose end
    /// is a state of the steps, or of those to be redone.
    fn find_left(&self, state: State) -> Option<(usize, Range<usize>)> {
        if !matches!(state, State::File(_)) {
            return None;
        }
        let after = |run: &Vec<Step>| run.iter().rposition(|step| step.after == state);
        let mut all = self.left.iter().enumerate().rev();
        all.find_map(|(number, run)| {
            let end = after(run)? + 1;
            let is_start = |state| [self.undone_by(state), self.redone_by(state)] != [None; 2];
            let start = (0..end).rev().find(|at| is_start(run[*at].before))?;
            Some((number, start..end))
        })
    }

    /// Undoes what was done instead of the changes that lead to a state, so that they can be redone;
    /// returns the steps undone, the last first.
    pub fn turn(&mut self, to: State) -> Vec<Step> {
        let Some((number, steps)) = self.find_left(to) else { return Vec::new() };
        let mut run = self.left.remove(number).split_off(steps.start);
        let start = run.first().map(|it| it.before);
        if let Some(start) = start.filter(|start| self.position_of(*start).is_none()) {
            let way: Vec<Step> = self.redone_by(start).into_iter().flatten().cloned().collect();
            run.splice(..0, way.into_iter().rev());
        }
        let Some(at) = run.first().and_then(|it| self.position_of(it.before)) else {
            return Vec::new();
        };
        let gone = self.cut(at);
        self.leave();
        self.redo = run.into_iter().rev().collect();
        gone
    }

    /// Does not expect that what was undone is redone next, as something else was done.
    fn leave(&mut self) {
        if self.redo.is_empty() {
            return;
        }
        let run: Vec<Step> = std::mem::take(&mut self.redo).into_iter().rev().collect();
        let mut left = std::mem::take(&mut self.left);
        for other in &mut left {
            // What began in what is undone now is reached through it.
            let start = other.first().map(|it| it.before);
            let Some(start) = start.filter(|it| self.position_of(*it).is_none()) else { continue };
            if let Some(at) = run.iter().position(|step| step.after == start) {
                other.splice(..0, run[..=at].iter().cloned());
            }
        }
        if run.iter().any(|step| step.owner.is_some() && !step.derived) {
            left.push(run);
        }
        left.drain(..left.len().saturating_sub(MOST_LEFT));
        self.left = left;
    }

    /// Whether the next change belongs to a change of a directory.
    pub fn is_inherited(&self) -> bool {
        self.inherited.is_some()
    }

    /// Whether all changes since `base` was there, done or undone, are ones that `is_known`
    /// accepts.
    pub fn is_fresh(&self, base: State, is_known: impl Fn(Owner) -> bool) -> bool {
        let is_known = |step: &Step| step.owner.is_some_and(&is_known);
        if self.head() == base {
            return true;
        }
        let mut back = self.steps.iter().rev().take_while(|step| is_known(step));
        let mut forth = self.redo.iter().rev().take_while(|step| is_known(step));
        back.any(|step| step.before == base) || forth.any(|step| step.after == base)
    }

    /// Where a transition fits: after it come only changes that nobody owns.
    fn place_of(&self, before: State) -> Option<usize> {
        let unowned = self.steps.iter().rev().take_while(|step| step.owner.is_none()).count();
        let first = self.steps.len() - unowned;
        (first..=self.steps.len()).rev().find(|number| self.state_at(*number) == before)
    }

    /// Whether what nobody owns at the end is exactly this transition.
    pub fn ends_with(&self, transition: &Transition) -> bool {
        transition.leads_to(self.head())
            && self.place_of(transition.before).is_some_and(|at| at < self.steps.len())
    }

    /// Whether the last change leads from one state to another, and no block made it.
    pub fn has_just_become(&self, before: State, after: State) -> bool {
        self.steps.last().is_some_and(|step| {
            step.owner.is_none() && step.before == before && step.after == after
        })
    }

    /// What has become of changes since a state was there, where all of them are of operations before
    /// `later`, and nothing else has happened.
    pub fn turned_since(&self, state: State, later: OperationId) -> Option<Turned> {
        let is_earlier = |step: &Step| step.owner.is_some_and(|owner| owner.operation < later);
        let are_earlier = |steps: &&[Step]| !steps.is_empty() && steps.iter().all(is_earlier);
        if self.head() == state {
            return None;
        }
        let redone = self.undone_by(state).filter(are_earlier).map(|_| Turned::Redone);
        redone.or_else(|| self.redone_by(state).filter(are_earlier).map(|_| Turned::Undone))
    }

    /// Whether a claimed change was not seen yet, and a closed file that shows `state` does not
    /// deny it: an editor may hold it in a buffer that is not saved.
    pub fn is_hidden(&self, state: State) -> bool {
        let first = self.first_unseen();
        // No buffer holds that a file has come or gone.
        let is_of_text = [self.head(), state].iter().all(|it| matches!(it, State::File(_)));
        is_of_text && (first..self.steps.len()).any(|at| self.state_at(at) == state)
    }

    fn first_unseen(&self) -> usize {
        self.steps.len() - self.steps.iter().rev().take_while(|step| !step.seen).count()
    }

    /// Whether the last change leads to a state that differs in the final line ending alone.
    pub fn shows(&self, state: State) -> bool {
        self.steps.last().is_some_and(|step| step.leads_to(state))
    }

    /// Whether seeing a state says something new.
    pub fn is_news(&self, state: State) -> bool {
        self.head() != state || self.first_unseen() < self.steps.len() || self.inherited.is_some()
    }

    /// Takes note that a state was seen.
    pub fn see(&mut self, state: State) {
        self.inherited = None;
        if let Some(last) = self.steps.last_mut().filter(|step| step.leads_to(state)) {
            let before = std::mem::replace(&mut last.after, state);
            let bases = self.aside.iter_mut().map(|(_, base)| base);
            bases.filter(|base| **base == before).for_each(|base| *base = state);
        }
        let Some(at) = self.position_of(state) else { return };
        self.steps[..at].iter_mut().for_each(|step| step.seen = true);
    }

    /// Takes note that blocks' changes have led to a state: what was seen of them half made is no
    /// change of its own.
    pub fn arrive(&mut self, state: State) {
        let last = self.steps.iter().rposition(|step| step.leads_to(state));
        if let Some(next) = last.map(|last| last + 1)
            && self.steps[next..].iter().all(|step| step.owner.is_none())
        {
            let gone = self.steps.split_off(next);
            self.drop_aside(|state| gone.iter().any(|step| step.after == state));
        }
        self.see(state);
    }

    /// Adds a block's change where it fits; returns the steps that it replaces.
    pub fn make(&mut self, owner: Owner, transition: &Transition, seen: bool) -> Vec<Step> {
        let Transition { before, after, ended, .. } = transition;
        let (before, after, ended) = (*before, *after, ended.clone());
        let head = self.head();
        if before == after
            && let Some(at) = (0..self.steps.len()).rev().find(|at| self.state_at(*at) == before)
            && head != before
        {
            // Another change was seen before it was said that this one was made.
            let owner = Some(owner);
            self.steps.insert(at, Step { before, after, owner, derived: false, seen: true, ended });
            self.shorten();
            return Vec::new();
        }
        let place = self.place_of(before);
        if place.is_none() && self.own(owner, before, after) {
            return Vec::new();
        }
        let (mut after, mut rest) = (after, None);
        let mut seen = seen;
        let gone = match place {
            Some(at) => {
                if at < self.steps.len() {
                    // The change was made before those that were seen.
                    seen = true;
                    match transition.leads_to(head) {
                        true => after = head,
                        false => rest = Some(head),
                    }
                }
                self.steps.split_off(at)
            }
            None => {
                let owner = self.inherited.take();
                let step = Step::nobody(head, before);
                self.steps.push(Step { derived: owner.is_some(), owner, ..step });
                Vec::new()
            }
        };
        let owner = Some(owner);
        self.steps.push(Step { before, after, owner, derived: false, seen, ended });
        self.drop_aside(|state| state == after || gone.iter().any(|step| step.after == state));
        if let Some(rest) = rest {
            self.put_aside(rest, after);
            self.steps.push(Step::nobody(after, rest));
        }
        self.leave();
        self.inherited = None;
        self.shorten();
        gone
    }

    /// Makes a change that nobody owns a block's, below later ones; whether there is one. The blocks of
    /// an edit may be told of in two parts whose changes of a file alternate.
    fn own(&mut self, owner: Owner, before: State, after: State) -> bool {
        let is_it =
            |step: &Step| step.owner.is_none() && step.before == before && step.after == after;
        let at = self.steps.iter().rposition(is_it);
        at.into_iter().for_each(|at| self.steps[at].owner = Some(owner));
        at.is_some()
    }

    /// Takes note that a file was in a state before it was as it is: it may be so again.
    /// `on` is what is on record before that; where it is not said, what blocks have led to last.
    pub fn pass(&mut self, state: State, on: Option<State>) {
        if self.steps_to(state).is_none() && (on.is_some() || self.base_of(state).is_none()) {
            self.put_aside(state, on.unwrap_or_else(|| self.recorded()));
        }
    }

    /// What blocks have led to last.
    pub fn recorded(&self) -> State {
        let last = self.steps.iter().rposition(|step| step.owner.is_some());
        self.state_at(last.map_or(0, |last| last + 1))
    }

    /// What was typed after changes that would be undone if a state was there again: the newest first,
    /// each with what is on record before it.
    pub fn typed_since(&self, state: State) -> impl Iterator<Item = (State, State)> {
        let from = self.position_of(state).unwrap_or(self.steps.len());
        let is_undone = move |base| self.position_of(base).is_some_and(|at| at > from);
        self.aside.iter().rev().copied().filter(move |(_, base)| is_undone(*base))
    }

    fn put_aside(&mut self, state: State, base: State) {
        if state != base && [state, base].iter().all(|it| matches!(it, State::File(_))) {
            self.aside.retain(|(other, _)| *other != state);
            self.aside.push((state, base));
            self.aside.drain(..self.aside.len().saturating_sub(MOST_ASIDE));
        }
    }

    /// Forgets that states may be there again, which blocks have led to.
    fn drop_aside(&mut self, is_gone: impl Fn(State) -> bool) {
        self.aside.retain(|(state, _)| !is_gone(*state));
    }

    /// What is on record before a state that no block made and that was there before, or may have been.
    pub fn base_of(&self, state: State) -> Option<State> {
        let base = |state| self.aside.iter().find(|(it, _)| *it == state).map(|(_, base)| *base);
        let bases = std::iter::successors(base(state), |state| base(*state));
        bases.take(MOST_ASIDE).find(|base| self.steps_to(*base).is_some())
    }

    /// The same, where changes of blocks lie between that and what is there.
    pub fn other_base_of(&self, state: State) -> Option<State> {
        let steps = |base: &State| self.steps_to(*base).into_iter().flatten();
        self.base_of(state).filter(|base| steps(base).any(|step| step.owner.is_some()))
    }

    /// Adds a change that no block made; `is_typed` says whether it is known to be on what is there.
    pub fn change(&mut self, to: State, is_typed: bool) {
        let before = self.head();
        if before == to {
            return;
        }
        let mut step = Step::nobody(before, to);
        if let Some(owner) = self.inherited.take() {
            (step.owner, step.derived) = (Some(owner), true);
        }
        if step.owner.is_none() && is_typed {
            self.put_aside(to, self.recorded());
        }
        self.steps.push(step);
        self.leave();
        let run = self.steps.iter().rev().take_while(|step| step.owner.is_none()).count();
        if run > 2 * MOST_APART {
            let middle = self.steps.len() - MOST_APART - 1;
            let merged = self.steps.remove(middle);
            self.steps[middle].before = merged.before;
        }
        self.shorten();
    }

    /// Makes one change of those in the middle of each long run of changes that nobody owns.
    pub fn merge_runs(&mut self) {
        let mut merged: Vec<Step> = Vec::with_capacity(self.steps.len());
        for run in self.steps.chunk_by(|one, other| one.owner.is_none() && other.owner.is_none()) {
            let middle = run.get(MOST_APART..run.len().saturating_sub(MOST_APART));
            match middle.and_then(|middle| middle.first().zip(middle.last())) {
                Some((first, last)) => {
                    merged.extend_from_slice(&run[..MOST_APART]);
                    merged.push(Step { before: first.before, ..last.clone() });
                    merged.extend_from_slice(&run[run.len() - MOST_APART..]);
                }
                None => merged.extend_from_slice(run),
            }
        }
        self.steps = merged;
    }

    fn shorten(&mut self) {
        if let Some(over) = self.steps.len().checked_sub(MOST_STEPS) {
            self.origin = self.state_at(over);
            self.steps.drain(..over);
        }
    }

    /// Takes note that a directory around the file comes, or goes with it.
    pub fn inherit(&mut self, owner: Owner, comes: bool) {
        self.inherited = None;
        if comes {
            // What is made again comes by itself.
            let is_redone = self.redo.last().is_some_and(|step| step.is_of(owner.operation));
            self.inherited = (self.head() == State::Missing && !is_redone).then_some(owner);
        } else if self.head() != State::Missing {
            let step = Step::nobody(self.head(), State::Missing);
            self.steps.push(Step { owner: Some(owner), derived: true, ..step });
            self.leave();
        }
    }

    /// Undoes what follows from a change of a directory.
    pub fn cut_derived(&mut self, owner: Owner) {
        self.inherited = None;
        while self.steps.last().is_some_and(|it| it.derived && it.owner == Some(owner)) {
            self.redo.extend(self.steps.pop());
        }
    }

    /// Undoes the steps from this number on; returns them, the last first.
    pub fn cut(&mut self, at: usize) -> Vec<Step> {
        self.inherited = None;
        let gone: Vec<Step> = self.steps.drain(at.min(self.steps.len())..).rev().collect();
        self.redo.extend(gone.iter().cloned());
        gone
    }

    /// Redoes the steps up to the one that leads to a state; returns them.
    pub fn redo(&mut self, to: State) -> Vec<Step> {
        let count = self.redone_by(to).map_or(0, <[Step]>::len);
        let back: Vec<Step> = self.redo.drain(self.redo.len() - count..).rev().collect();
        self.steps.extend(back.iter().cloned());
        back
    }

    /// Redoes the next step where that owner made it, with what its operation has done to the directory
    /// before that; returns what was redone.
    pub fn redo_one(&mut self, owner: Owner) -> Vec<Step> {
        let mut next = self.redo.iter().rev();
        let own = next.position(|step| !(step.derived && step.is_of(owner.operation)));
        let own = own.filter(|at| self.redo[self.redo.len() - at - 1].owner == Some(owner));
        let Some(own) = own else { return Vec::new() };
        self.inherited = None;
        let back: Vec<Step> = self.redo.drain(self.redo.len() - own - 1..).rev().collect();
        self.steps.extend(back.iter().cloned());
        back
    }

    /// Whether a block's own change was not undone.
    pub fn has(&self, owner: Owner) -> bool {
        self.steps.iter().any(|step| !step.derived && step.owner == Some(owner))
    }

    /// The number of the first step of an operation that it made itself.
    pub fn first_of(&self, operation: OperationId) -> Option<usize> {
        self.steps.iter().position(|step| !step.derived && step.is_of(operation))
    }

    /// Makes a block's steps changes that nobody owns.
    pub fn disown(&mut self, owner: Owner) {
        for step in
            self.steps.iter_mut().chain(&mut self.redo).chain(self.left.iter_mut().flatten())
        {
            if step.owner == Some(owner) {
                step.owner = None;
            }
        }
    }
}
