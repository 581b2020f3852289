//! What the ledger says of one block, of one file, and of one operation.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::event::Answer;
use super::identity::{BlockId, OperationId, Transcript};
use super::kept::Kept;
use super::operation::{Door, Operation, Transition, Work};
use super::timeline::{Owner, Step};
use super::{Event, Flight, Ledger};
use crate::fingerprint::Fingerprint;
use crate::path::{FilePath, State};
use crate::plan::Part;

/// How many states are told of that somebody has typed.
const MOST_TYPED: usize = 8;

/// What is known of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// By what it is applied, if it is.
    pub applied: Option<By>,
    /// Whether it was applied, and all of that was undone.
    pub undone: bool,
    /// The answer that was given to it last, where it changes no files or was refused.
    pub answer: Option<Answer>,
    /// Whether the user has refused it, whatever the transcript says.
    pub rejected: bool,
}

/// By what a block was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// The operation.
    pub operation: OperationId,
    /// By which program.
    pub door: Door,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub time: u64,
    /// In which transcript.
    pub transcript: Transcript,
    /// Which hunks of it were made, where the user left some out.
    pub part: Option<Part>,
}

/// What keeps an operation from being undone: somebody changed a file afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InBetween {
    /// The file.
    pub path: FilePath,
    /// The operation that changed it; `None` for a change that no block made.
    pub operation: Option<OperationId>,
}

impl Ledger {
    /// What is known of a block of a transcript. What was done for an equal block of another
    /// transcript counts where `everywhere` says so.
    pub fn standing(&self, transcript: &Transcript, block: BlockId, everywhere: bool) -> Standing {
        self.standing_where(transcript, block, everywhere, |_| true)
    }

    /// The same of those times alone that it was applied of which `counts` says so.
    pub fn standing_where(
        &self,
        transcript: &Transcript,
        block: BlockId,
        everywhere: bool,
        counts: impl Fn(&Work) -> bool,
    ) -> Standing {
        let answer = self.answer(transcript, block).cloned();
        let works = self.works.get(&block).map(|works| works.as_slice()).unwrap_or_default();
        let works = works.iter().filter(|owner| self.work(**owner).is_some_and(&counts));
        let works: Vec<Owner> = works.copied().collect();
        let of = |owner: &Owner| self.operations.get(&owner.operation);
        let is_own = |owner: &&Owner| of(owner).is_some_and(|it| it.transcript == *transcript);
        let stands = |owner: &&Owner| self.standing.get(*owner).is_some_and(|count| *count > 0);
        let own = works.iter().rev().filter(is_own);
        let applied = own.clone().find(stands);
        let applied = applied.or_else(|| works.iter().rev().filter(|_| everywhere).find(stands));
        let is_in_flight = |owner: &&Owner| self.is_in_flight(**owner);
        Standing {
            undone: applied.is_none() && own.clone().any(|owner| !is_in_flight(&owner)),
            applied: applied.and_then(|owner| self.by(*owner)),
            answer,
            rejected: self.told(transcript, block).is_some_and(Kept::is_refusal),
        }
    }

    fn by(&self, owner: Owner) -> Option<By> {
        let Operation { id, door, time, transcript, .. } =
            Operation::clone(self.operations.get(&owner.operation)?);
        let work = self.work(owner)?;
        let part = work.part.clone().or_else(|| self.part_that_stands(owner, work));
        Some(By { operation: id, door, time, transcript, part })
    }

    /// The files in which a work is still made, where it was undone or never made in others.
    fn part_that_stands(&self, owner: Owner, work: &Work) -> Option<Part> {
        let all = work.transitions.iter().filter(|it| it.changes()).count();
        if self.standing.get(&owner).is_none_or(|stands| *stands >= all) {
            return None;
        }
        let stands = |path: &&FilePath| self.timelines.get(path).is_some_and(|it| it.has(owner));
        let paths = work.transitions.iter().map(|it| &it.path).filter(stands).cloned();
        work.made_in(&paths.collect())?.part
    }

    fn is_in_flight(&self, owner: Owner) -> bool {
        let Some(operation) = self.operations.get(&owner.operation) else { return false };
        let transitions = operation.works.get(owner.work).map(|it| it.transitions.as_slice());
        let in_flight = |path: &FilePath| {
            self.in_flight.get(path).is_some_and(|all| all.iter().any(|it| it.owner == owner))
        };
        transitions.unwrap_or_default().iter().any(|it| in_flight(&it.path))
    }

    /// Whether blocks have changed a file, which is `now` like this, since `base` was there.
    pub fn is_changed_since(&self, path: &FilePath, base: State, now: State) -> bool {
        let steps = self.steps_since(path, base, now).unwrap_or_default();
        steps.iter().any(|step| step.owner.is_some() && step.before != step.after)
    }

    /// Where a line of a file is that had this number when `base` was there, both counted from 1. `None`
    /// where that is not known: a block has changed the line, somebody else has changed the file, or
    /// `base` was there more than once and the line has another number since each time.
    pub fn line_since(
        &self,
        path: &FilePath,
        base: State,
        now: State,
        line: usize,
    ) -> Option<usize> {
        let timeline = self.timelines.get(path).filter(|it| it.shows(now));
        let change = |step: &Step| {
            let work = self.work(step.owner?)?;
            let is_it = |it: &&Transition| {
                it.path == *path && it.before == step.before && it.leads_to(step.after)
            };
            work.transitions.iter().find(is_it)?.lines
        };
        let moved = |steps: &[Step]| {
            let mut steps = steps.iter().filter(|step| step.before != step.after);
            steps.try_fold(line, |line, step| change(step)?.line_after(line))
        };
        let ways = timeline.into_iter().flat_map(|it| it.ways_since(base)).map(moved);
        let mut all = (base == now).then_some(Some(line)).into_iter().chain(ways);
        let first = all.next()??;
        all.all(|it| it == Some(first)).then_some(first)
    }

    /// The changes of a file since `base` was there; `None` where the ledger does not know it so.
    fn steps_since(&self, path: &FilePath, base: State, now: State) -> Option<&[Step]> {
        if base == now {
            return Some(&[]);
        }
        let timeline = self.timelines.get(path)?;
        timeline.undone_by(base).filter(|_| timeline.shows(now))
    }

    /// Whether nobody but the blocks of a transcript has changed a file since `base` was there.
    /// `now` is what is there, which the ledger may not have been told of yet.
    pub fn is_fresh(
        &self,
        transcript: &Transcript,
        path: &FilePath,
        base: State,
        now: State,
    ) -> bool {
        if base == now {
            return true;
        }
        let is_own = |owner: Owner| {
            self.operations.get(&owner.operation).is_some_and(|it| it.transcript == *transcript)
        };
        let timeline = self.timelines.get(path).filter(|it| it.head() == now || it.shows(now));
        timeline.is_some_and(|timeline| timeline.is_fresh(base, is_own))
    }

    /// Whether changes of a file were undone that can be made again.
    pub fn can_redo(&self, path: &FilePath) -> bool {
        self.timelines.get(path).is_some_and(|timeline| timeline.can_redo())
    }

    /// The last states of a file since it was in this one that no block has made, the oldest first,
    /// as events that have it known that they may be there again.
    pub fn typed_since(&self, path: &FilePath, state: State) -> Vec<Event> {
        let typed = self.timelines.get(path).into_iter().flat_map(|it| it.typed_since(state));
        let events = typed.filter_map(|(to, base)| {
            let State::File(on) = base else { return None };
            (to != state).then(|| Event::Saved { path: path.clone(), to, on: Some(on) })
        });
        let last: Vec<Event> = events.take(MOST_TYPED).collect();
        last.into_iter().rev().collect()
    }

    /// What is at a path, as far as the ledger was told.
    pub fn head(&self, path: &FilePath) -> Option<State> {
        self.timelines.get(path).map(|timeline| timeline.head())
    }

    /// Whether another ledger tells the same of a path.
    pub fn is_same_at(&self, other: &Ledger, path: &FilePath) -> bool {
        self.timelines.get(path) == other.timelines.get(path)
    }

    /// Whether blocks have changed a path, whether that was undone since or not; or a directory around
    /// it, and nobody has looked at the path since.
    pub fn has_changed(&self, path: &FilePath) -> bool {
        self.timelines.get(path).is_some_and(|it| {
            let is_owned = it.steps().iter().any(|step| step.owner.is_some());
            is_owned || it.can_redo() || it.is_inherited()
        })
    }

    /// What the last change of a block has led to at a path, whatever was done there since.
    pub fn led_to(&self, path: &FilePath) -> Option<State> {
        self.timelines.get(path).map(|timeline| timeline.recorded())
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty() && self.answers.is_empty()
    }

    /// The answer that was given last to a block of a transcript.
    pub fn answer(&self, transcript: &Transcript, block: BlockId) -> Option<&Answer> {
        self.answers.get(&(transcript.clone(), block))
    }

    /// The blocks of a transcript to which an answer was given.
    pub fn answered(&self, transcript: &Transcript) -> impl Iterator<Item = BlockId> {
        let nothing = Answer::default();
        let all = self.answers.iter().filter(move |(_, answer)| **answer != nothing);
        all.filter(move |((of, _), _)| of == transcript).map(|((_, block), _)| *block)
    }

    /// What the model was told of a block of a transcript last, as far as it is kept.
    pub fn told(&self, transcript: &Transcript, block: BlockId) -> Option<&Kept> {
        self.told.get(&(transcript.clone(), block))
    }

    /// Whether a block was applied, or was to be, in whatever transcript, or was answered in this one.
    pub fn knows_block(&self, transcript: &Transcript, block: BlockId) -> bool {
        self.works.contains_key(&block) || self.answer(transcript, block).is_some()
    }

    /// The files and directories that a block changed or was to change, and those that were looked at when
    /// it was first complete.
    pub fn paths_of(
        &self,
        transcript: &Transcript,
        block: BlockId,
    ) -> impl Iterator<Item = &FilePath> {
        let works = self.works.get(&block).into_iter().flat_map(|works| works.iter());
        let works = works.filter_map(|owner| self.work(*owner));
        let changed = works.flat_map(|work| &work.transitions).map(|transition| &transition.path);
        let base = self.base(transcript, block).into_iter().flat_map(|base| base.at.iter());
        changed.chain(base.map(|(path, _)| path))
    }

    /// Whether a file that a block changed had a fingerprint before or after that.
    pub fn has_had(&self, block: BlockId, fingerprint: Fingerprint) -> bool {
        let state = State::File(fingerprint);
        let works = self.works.get(&block).into_iter().flat_map(|works| works.iter());
        let works = works.filter_map(|owner| self.work(*owner));
        let mut transitions = works.flat_map(|work| &work.transitions);
        transitions.any(|it| it.before == state || it.leads_to(state))
    }

    /// Whether some change of an operation is expected, which was handed out and not made yet.
    pub fn awaits(&self, id: OperationId) -> bool {
        let works = self.operations.get(&id).map_or(0, |it| it.works.len());
        (0..works).any(|work| self.is_in_flight(Owner { operation: id, work }))
    }

    /// Whether an editor has made every change of an operation, but for what changes nothing.
    pub fn is_made(&self, id: OperationId) -> bool {
        let Some(operation) = self.operations.get(&id) else { return false };
        let mut changes = operation.transitions().filter(|(_, it, _)| it.changes());
        self.stands(id)
            && !changes.any(|(number, it, owner)| {
                let flights = self.in_flight.get(&it.path);
                let is_it = |flight: &Flight| flight.owner == owner && flight.number == number;
                flights.is_some_and(|all| all.iter().any(is_it))
            })
    }

    /// The operations with one of these blocks that an editor was to get, and has made nothing of.
    pub fn awaited(&self, blocks: impl Iterator<Item = BlockId>) -> Vec<OperationId> {
        let works = blocks.filter_map(|block| self.works.get(&block));
        let ids = works.flat_map(|works| works.iter().map(|owner| owner.operation));
        ids.filter(|id| self.awaits(*id) && !self.stands(*id)).collect()
    }

    /// The operation of a transcript with these works that was begun at this time.
    pub fn find(
        &self,
        time: u64,
        transcript: &Transcript,
        works: &[Work],
    ) -> Option<&Arc<Operation>> {
        let is_it = |it: &&Arc<Operation>| {
            it.time == time && it.transcript == *transcript && it.works == works
        };
        let Some(first) = works.first() else {
            return self.operations.values().rev().find(is_it);
        };
        let same = self.works.get(&first.block)?.iter().rev();
        same.filter_map(|owner| self.operations.get(&owner.operation)).find(is_it)
    }

    /// Where blocks of an operation have changed something, as far as is known: for each of them the
    /// paths of its changes that were made and not undone.
    pub fn made_at(&self, id: OperationId) -> Vec<BTreeSet<FilePath>> {
        let Some(operation) = self.operations.get(&id) else { return Vec::new() };
        let mut made = vec![BTreeSet::new(); operation.works.len()];
        for (_, transition, owner) in operation.transitions() {
            let timeline = self.timelines.get(&transition.path);
            let is_it = |step: &Step| step.owner == Some(owner) && transition.leads_to(step.after);
            if timeline.is_some_and(|timeline| timeline.steps().iter().any(is_it)) {
                made[owner.work].insert(transition.path.clone());
            }
        }
        made
    }

    /// Whether a change of a file is expected.
    pub fn expects(&self, path: &FilePath) -> bool {
        self.in_flight.get(path).is_some_and(|all| all.iter().any(|flight| !flight.expired))
    }

    /// Whether some change of an operation was made and not undone.
    pub fn stands(&self, id: OperationId) -> bool {
        let works = self.operations.get(&id).map_or(0, |it| it.works.len());
        let mut owners = (0..works).map(|work| Owner { operation: id, work });
        owners.any(|owner| self.standing.get(&owner).is_some_and(|count| *count > 0))
    }

    /// The newest operation that applied blocks and can be undone.
    pub fn last_undoable(&self) -> Option<&Arc<Operation>> {
        let mut newest = self.operations.values().rev();
        newest
            .find(|it| it.door != Door::Hand && self.stands(it.id) && self.can_undo(it.id).is_ok())
    }

    /// Whether the files of an operation are as it left them.
    ///
    /// # Errors
    /// The first file that somebody changed afterwards, and who.
    pub fn can_undo(&self, id: OperationId) -> Result<(), InBetween> {
        let Some(operation) = self.operations.get(&id) else { return Ok(()) };
        for path in operation.paths() {
            let Some(timeline) = self.timelines.get(path) else { continue };
            let Some(first) = timeline.first_of(id) else { continue };
            let is_other = |owner: &Option<Owner>| owner.is_none_or(|it| it.operation != id);
            let others = timeline.steps()[first..].iter().map(|step| step.owner).filter(is_other);
            let others: Vec<Option<Owner>> = others.collect();
            // Another operation counts also where the file is as it was left.
            let by_operation = others.iter().find(|owner| owner.is_some());
            if let Some(other) = by_operation.or(others.first()) {
                let operation = other.map(|owner| owner.operation);
                return Err(InBetween { path: path.clone(), operation });
            }
        }
        Ok(())
    }
}
