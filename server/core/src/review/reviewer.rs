//! Reviews one transcript again and again, and remembers what only history knows.

use std::sync::{Arc, LazyLock};

use foldhash::{HashMap, HashMapExt};

use super::judge::{Base, Depth, Judgement, judge, shared};
use super::order;
use super::{Proposal, Review, Status};
use crate::command::Command;
use crate::edit::ChangeSet;
use crate::limits::Limits;
use crate::plan::Target;
use crate::problem::{self, Problem, Replacement};
use crate::scan::{Block, Placed, PlacedReply, Scan};
use crate::snapshot::{Denied, FilePath, Snapshot, Staged, State};
use crate::spec::Effect;

/// Reviews one transcript again and again, and remembers what only history knows: what each
/// proposal was made for, and which were applied.
///
/// Judgements are kept from one review to the next until [`Reviewer::forget`] names one of their
/// files, so that a review costs what changed since the last.
#[derive(Default)]
pub struct Reviewer {
    seen: HashMap<BlockKey, Seen>,
    orders: order::Orders,
}

/// A block's identity, its address: the scan keeps a block that an edit did not touch.
pub(super) type BlockKey = usize;

pub(super) fn key(block: &Arc<Block>) -> BlockKey {
    Arc::as_ptr(block).addr()
}

/// What is known of a block that was there at the last review.
struct Seen {
    /// Keeps the identity from being given to another block.
    block: Arc<Block>,
    base: Base,
    judgement: Arc<Judgement>,
    void: bool,
    applied: Option<Applied>,
    /// Whether it was applied and then taken back.
    undone: bool,
}

/// How a block was applied.
struct Applied {
    targets: Vec<Target>,
    /// Whether the targets were ever seen as the plan left them: only then do targets that are as
    /// before mean that it was undone.
    confirmed: bool,
}

/// Everything that can be applied, in order, as one change set.
pub struct Planned {
    /// Every change, in terms of the snapshot.
    pub changes: ChangeSet,
    /// The proposals that it carries out, with their plans.
    pub done: Vec<Proposal>,
    /// The other proposals that could not be carried out, with their errors.
    pub failed: Vec<Proposal>,
}

impl Reviewer {
    /// Judges every block against the workspace.
    pub fn review(&mut self, scan: &Scan, snapshot: &dyn Snapshot, limits: &Limits) -> Review {
        self.follow(snapshot);
        let placed: Vec<Placed> = scan.blocks().collect();
        let mut seen = HashMap::with_capacity(placed.len());
        let last = last_of_each_id(&placed);
        let replies = replies_by_id(scan);
        let mut proposals = Vec::with_capacity(placed.len());
        for placed in &placed {
            let again = last.get(&id_key(placed)).is_some_and(|last| *last != placed.index);
            let key = key(&placed.block);
            let known = self.seen.remove(&key);
            proposals.push(match open_command(placed, again) {
                Err(status) => Proposal::of(placed, status),
                Ok(command) => {
                    let entry = look(known, &placed.block, command, snapshot, limits);
                    let reply = answered(placed, &replies);
                    let status = entry.status(reply);
                    let answered = status == Status::Applied && reply.is_some_and(|reply| reply.ok);
                    let judgement = entry.judgement.clone();
                    seen.insert(key, entry);
                    Proposal { judgement, answered, ..Proposal::of(placed, status) }
                }
            });
        }
        self.seen = seen;
        order::unread_targets(&mut proposals);
        self.orders.review(&mut proposals, snapshot, limits);
        Review { proposals, problems: scan.problems().collect() }
    }

    /// Forgets judgements that looked at `changed` (or at anything, where it is `None`), so that
    /// the next review makes them again.
    pub fn forget(&mut self, changed: Option<&FilePath>) {
        self.orders.clear();
        for seen in self.seen.values_mut() {
            let looked = &seen.judgement.looked_at;
            seen.void |= changed.is_none_or(|changed| {
                looked.iter().any(|path| path.is_within(changed) || changed.is_within(path))
            });
        }
    }

    /// Notes that the plan of a block was carried out: it counts as applied until its targets say
    /// otherwise, and the other proposals' bases take the change as known.
    pub fn applied(&mut self, placed: &Placed, targets: &[Target]) {
        for target in targets {
            self.rebase(target);
            self.forget(Some(&target.path));
        }
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.applied = Some(Applied { targets: targets.to_vec(), confirmed: false });
            seen.undone = false;
            seen.void = true;
        }
    }

    /// Finds out which blocks were applied or taken back since, by whatever hand.
    fn follow(&mut self, snapshot: &dyn Snapshot) {
        let void = self.seen.values_mut().filter(|seen| seen.void);
        let known: Vec<Target> = void.flat_map(|seen| seen.follow(snapshot)).collect();
        known.iter().for_each(|target| self.rebase(target));
    }

    /// Takes a change that is the transcript's own as known: it makes nothing stale.
    fn rebase(&mut self, target: &Target) {
        for seen in self.seen.values_mut() {
            for (path, state) in &mut seen.base.states {
                if *path == target.path && *state == target.before {
                    *state = target.after;
                }
            }
        }
    }

    /// Judges one block afresh and with its whole plan, as it has to be before it is applied.
    ///
    /// What the neighbours say (superseded, refused) is the review's to know.
    pub fn judge(&self, placed: &Placed, snapshot: &dyn Snapshot, limits: &Limits) -> Proposal {
        self.judge_on(placed, (snapshot, snapshot), limits)
    }

    /// Plans every proposal of a review that can be applied, in document order, each on what the
    /// earlier ones leave. Commands that only read are left out.
    ///
    /// # Errors
    /// Whatever keeps the workspace from being read.
    pub fn plan_all(
        &self,
        review: &Review,
        snapshot: &dyn Snapshot,
        limits: &Limits,
    ) -> Result<Planned, Denied> {
        let mut staged = Staged::new(snapshot);
        let (mut done, mut failed) = (Vec::new(), Vec::new());
        let open = review.proposals.iter().filter(|proposal| {
            proposal.effect() == Some(Effect::Write)
                && matches!(proposal.status, Status::Ready | Status::Blocked | Status::Stale)
        });
        for proposal in open {
            let judged = self.judge_on(&proposal.placed, (&staged, snapshot), limits);
            match (&judged.plan, judged.status) {
                (Some(plan), Status::Ready) => {
                    staged.stage(&plan.changes)?;
                    done.push(judged);
                }
                (_, Status::Applied) => {}
                _ => failed.push(judged),
            }
        }
        Ok(Planned { changes: staged.into_changes(), done, failed })
    }

    fn judge_on(
        &self,
        placed: &Placed,
        snapshots: (&dyn Snapshot, &dyn Snapshot),
        limits: &Limits,
    ) -> Proposal {
        let command = match open_command(placed, false) {
            Err(status) => return Proposal::of(placed, status),
            Ok(command) => command,
        };
        let seen = self.seen.get(&key(&placed.block));
        let base = seen.map(|seen| &seen.base);
        let (judgement, plan) =
            judge(&placed.block, command, snapshots, base, limits, Depth::Whole);
        let mut proposal = Proposal::of(placed, judgement.status);
        if seen.is_some_and(|seen| seen.is_applied() && !seen.is_undone(snapshots.1)) {
            proposal.status = Status::Applied;
        }
        proposal.judgement = Arc::new(judgement);
        proposal.plan = shared(plan);
        proposal
    }
}

impl Seen {
    fn new(block: &Arc<Block>) -> Seen {
        Seen {
            block: block.clone(),
            base: Base::default(),
            judgement: NOTHING.clone(),
            void: false,
            applied: None,
            undone: false,
        }
    }

    /// Takes what stands at a path for what the block was made for, the first time that it is seen.
    fn observe(&mut self, judgement: &Judgement, snapshot: &dyn Snapshot) {
        if self.block.parsed.effect != Some(Effect::Write) {
            return;
        }
        for path in &judgement.looked_at {
            if self.base.states.iter().any(|(known, _)| known == path) {
                continue;
            }
            let target = judgement.targets.iter().find(|target| target.path == *path);
            let state = target.map_or_else(|| snapshot.state(path), |target| Ok(target.before));
            self.base.states.extend(state.ok().map(|state| (path.clone(), state)));
        }
    }

    fn is_applied(&self) -> bool {
        self.applied.is_some()
    }

    /// Where the proposal stands, with what history and the replies below it know.
    fn status(&self, reply: Option<&PlacedReply>) -> Status {
        match reply {
            _ if self.is_applied() => Status::Applied,
            Some(reply) if reply.refused => Status::Rejected,
            // Known to be taken back, it may be done again whatever was said then.
            Some(reply) if reply.ok && !self.undone => Status::Applied,
            _ => self.judgement.status,
        }
    }

    /// Finds out whether the last plan is what the targets show now, or no longer; gives the
    /// targets that were changed by that, as they were and as they are.
    fn follow(&mut self, snapshot: &dyn Snapshot) -> Vec<Target> {
        if self.is_undone(snapshot) {
            self.undone = true;
            let applied = self.applied.take().map(|applied| applied.targets).unwrap_or_default();
            let back =
                |target: Target| Target { before: target.after, after: target.before, ..target };
            return applied.into_iter().map(back).collect();
        }
        match &mut self.applied {
            Some(applied) => {
                applied.confirmed |= all_are(&applied.targets, snapshot, after);
                Vec::new()
            }
            None => {
                let targets = self.judgement.targets.clone();
                let changes = targets.iter().any(|target| target.before != target.after);
                if !changes || !all_are(&targets, snapshot, after) {
                    return Vec::new();
                }
                self.applied = Some(Applied { targets: targets.clone(), confirmed: true });
                targets
            }
        }
    }

    /// Whether it was applied, and its targets are again as they were before.
    fn is_undone(&self, snapshot: &dyn Snapshot) -> bool {
        let applied = self.applied.as_ref().filter(|applied| applied.confirmed);
        applied.is_some_and(|applied| all_are(&applied.targets, snapshot, before))
    }
}

fn before(target: &Target) -> State {
    target.before
}

fn after(target: &Target) -> State {
    target.after
}

fn all_are(targets: &[Target], snapshot: &dyn Snapshot, state: fn(&Target) -> State) -> bool {
    targets.iter().all(|target| snapshot.state(&target.path) == Ok(state(target)))
}

/// What is known of a block, brought up to date.
fn look(
    known: Option<Seen>,
    block: &Arc<Block>,
    command: &Command,
    snapshot: &dyn Snapshot,
    limits: &Limits,
) -> Seen {
    let mut seen = match known {
        Some(seen) if !seen.void => return seen,
        Some(seen) => seen,
        None => Seen::new(block),
    };
    let snapshots = (snapshot, snapshot);
    let (judgement, _) = judge(block, command, snapshots, Some(&seen.base), limits, Depth::Outlook);
    seen.observe(&judgement, snapshot);
    seen.judgement = Arc::new(judgement);
    seen.void = false;
    seen
}

/// What is known of a block that is not judged against the workspace; its status is the proposal's.
static NOTHING: LazyLock<Arc<Judgement>> =
    LazyLock::new(|| Arc::new(Judgement::empty(Status::Blocked)));

impl Proposal {
    /// A proposal of which nothing is known but its block and what the block's own place says.
    pub(super) fn of(placed: &Placed, status: Status) -> Proposal {
        let mut around = Vec::new();
        match (status, placed.inside) {
            (Status::Superseded, _) => around.push(duplicate(placed)),
            (Status::Blocked, Some(outer)) => around.push(inside(placed, outer)),
            _ => {}
        }
        let judgement = NOTHING.clone();
        let placed = placed.clone();
        Proposal {
            placed,
            status,
            plan: None,
            ready_after: None,
            answered: false,
            judgement,
            around,
        }
    }

    pub(super) fn add(&mut self, problem: Problem) {
        self.around.push(problem);
    }

    pub(super) fn set_judgement(&mut self, judgement: Judgement) {
        self.judgement = Arc::new(judgement);
    }
}

/// The command of a block that is to be planned, or the status that keeps it from being.
fn open_command(placed: &Placed, superseded: bool) -> Result<&Command, Status> {
    match &placed.block.parsed.command {
        _ if superseded => Err(Status::Superseded),
        None => Err(Status::Invalid),
        Some(_) if placed.inside.is_some() => Err(Status::Blocked),
        Some(command) => Ok(command),
    }
}

fn id_key(placed: &Placed) -> (&str, &str) {
    (placed.block.dialect.name(), placed.block.parsed.id.as_deref().unwrap_or_default())
}

/// The last block of each id; blocks without an id stand for themselves.
fn last_of_each_id(placed: &[Placed]) -> HashMap<(&str, &str), usize> {
    let named = placed.iter().filter(|placed| placed.block.parsed.id.is_some());
    let unique = named.filter(|placed| placed.block.dialect.ids_are_unique());
    unique.map(|placed| (id_key(placed), placed.index)).collect()
}

/// The replies by the id that they answer, in order.
fn replies_by_id(scan: &Scan) -> HashMap<String, Vec<PlacedReply>> {
    let mut replies: HashMap<String, Vec<PlacedReply>> = HashMap::new();
    for reply in scan.replies() {
        if let Some(id) = &reply.id {
            replies.entry(id.clone()).or_default().push(reply);
        }
    }
    replies
}

/// The last reply below a block that answers it.
fn answered<'a>(
    placed: &Placed,
    replies: &'a HashMap<String, Vec<PlacedReply>>,
) -> Option<&'a PlacedReply> {
    let replies = replies.get(placed.block.parsed.id.as_deref()?)?;
    replies.iter().rev().find(|reply| reply.after > placed.index)
}

fn duplicate(placed: &Placed) -> Problem {
    let parsed = &placed.block.parsed;
    let place = placed.block.dialect.locate(parsed, "id");
    let id = parsed.id.as_deref().unwrap_or_default();
    let says = format!("a later block has the id `{id}` too, and stands in this one's place");
    Problem::new(problem::OPERATOR_DUPLICATE_ID, place, says)
        .choice("Remove this block", vec![Replacement::remove(0..placed.block.whole)])
}

fn inside(placed: &Placed, outer: usize) -> Problem {
    let says = format!(
        "this may be part of the raw text that block {} leaves open, so it is not run: mend that \
         block first",
        outer + 1
    );
    let place = 0..placed.block.len.min(first_line(placed));
    Problem::new(problem::SCAN_INSIDE_UNTERMINATED, place, says).detail("block", outer)
}

fn first_line(placed: &Placed) -> usize {
    placed
        .block
        .parsed
        .fields
        .first()
        .map_or(placed.block.len, |field| field.key.start.saturating_sub(1))
}
