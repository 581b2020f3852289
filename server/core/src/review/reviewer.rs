//! Reviews one transcript again and again, and remembers what only history knows.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};

use super::judge::{Depth, judge, shared};
use super::memory::{Seen, look};
use super::order;
use super::place::open_command;
use super::{Proposal, Review, Status};
use crate::edit::{ChangeSet, Needs};
use crate::limits::Limits;
use crate::plan::Target;
use crate::scan::{Block, Placed, PlacedReply, Scan};
use crate::snapshot::{Denied, FilePath, Snapshot, Staged};
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
    /// The last review, as long as nothing but the transcript may have changed since.
    last: Option<Last>,
}

/// A review that holds wherever its blocks have moved to.
struct Last {
    proposals: Vec<Proposal>,
    replies: Vec<PlacedReply>,
}

/// A block's identity, its address: the scan keeps a block that an edit did not touch.
pub(super) type BlockKey = usize;

pub(super) fn key(block: &Arc<Block>) -> BlockKey {
    Arc::as_ptr(block).addr()
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
        let placed: Vec<Placed> = scan.blocks().collect();
        let replies: Vec<PlacedReply> = scan.replies().collect();
        let proposals = match self.last.take().filter(|last| last.is_of(&placed, &replies)) {
            Some(last) => last.moved(placed),
            None => self.judge_all(placed, &replies, snapshot, limits),
        };
        self.last = Some(Last { proposals: proposals.clone(), replies });
        Review { proposals, problems: scan.problems().collect() }
    }

    fn judge_all(
        &mut self,
        placed: Vec<Placed>,
        replies: &[PlacedReply],
        snapshot: &dyn Snapshot,
        limits: &Limits,
    ) -> Vec<Proposal> {
        self.follow(snapshot);
        let mut seen = HashMap::with_capacity(placed.len());
        let last = last_of_each_id(&placed);
        let replies = replies_by_id(replies);
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
                    let judgement = match status == entry.judgement.status {
                        true => entry.judgement.clone(),
                        // What is done or refused is not held against the workspace any more.
                        false => Arc::new(entry.judgement.settled(status)),
                    };
                    seen.insert(key, entry);
                    Proposal { judgement, answered, ..Proposal::of(placed, status) }
                }
            });
        }
        self.seen = seen;
        order::unread_targets(&mut proposals);
        self.orders.review(&mut proposals, snapshot, limits);
        proposals
    }

    /// Forgets judgements that looked at `changed` (or at anything, where it is `None`), so that
    /// the next review makes them again.
    pub fn forget(&mut self, changed: Option<&FilePath>) {
        self.orders.clear();
        self.last = None;
        self.seen.values_mut().for_each(|seen| seen.forget(changed));
    }

    /// Notes that the plan of a block was carried out: it counts as applied until its targets say
    /// otherwise, and the other proposals' bases take the change as known.
    pub fn applied(&mut self, placed: &Placed, targets: &[Target]) {
        for target in targets {
            self.rebase(target);
            self.forget(Some(&target.path));
        }
        self.last = None;
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.apply(targets);
        }
    }

    /// Notes that what a block had changed was taken back: it may be applied again.
    pub fn taken_back(&mut self, placed: &Placed, targets: &[Target]) {
        for target in targets {
            self.rebase(&target.reversed());
            self.forget(Some(&target.path));
        }
        self.last = None;
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.take_back();
        }
    }

    /// Finds out which blocks were applied or taken back since, by whatever hand.
    fn follow(&mut self, snapshot: &dyn Snapshot) {
        let void = self.seen.values_mut().filter(|seen| seen.void);
        let known: Vec<Target> = void.flat_map(|seen| seen.follow(snapshot)).collect();
        known.iter().for_each(|target| self.rebase(target));
    }

    fn rebase(&mut self, target: &Target) {
        self.seen.values_mut().for_each(|seen| seen.rebase(target));
    }

    /// Judges one block afresh and with its whole plan, as it has to be before it is applied.
    ///
    /// What the neighbours say (superseded, refused) is the review's to know.
    pub fn judge(&self, placed: &Placed, snapshot: &dyn Snapshot, limits: &Limits) -> Proposal {
        self.judge_on(placed, (snapshot, snapshot), limits)
    }

    /// Plans every proposal of a review that can be applied, in document order, each on what the
    /// earlier ones leave. Commands that only read are left out, and so is what takes more than
    /// `can` says can be done.
    ///
    /// # Errors
    /// Whatever keeps the workspace from being read.
    pub fn plan_all(
        &self,
        review: &Review,
        snapshot: &dyn Snapshot,
        limits: &Limits,
        can: impl Fn(Needs) -> bool,
    ) -> Result<Planned, Denied> {
        let mut staged = Staged::new(snapshot);
        let (mut done, mut failed) = (Vec::new(), Vec::new());
        let open = review.proposals.iter().filter(|proposal| {
            proposal.effect() == Some(Effect::Write)
                && matches!(proposal.status, Status::Ready | Status::Blocked | Status::Stale)
                && !proposal.barred
        });
        for proposal in open {
            let judged = self.judge_on(&proposal.placed, (&staged, snapshot), limits);
            match (&judged.plan, judged.status) {
                (Some(plan), Status::Ready) if can(judged.judgement.needs) => {
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
fn replies_by_id(replies: &[PlacedReply]) -> HashMap<&str, Vec<&PlacedReply>> {
    let mut by_id: HashMap<&str, Vec<&PlacedReply>> = HashMap::new();
    for reply in replies {
        if let Some(id) = &reply.id {
            by_id.entry(id).or_default().push(reply);
        }
    }
    by_id
}

impl Last {
    /// Whether the same blocks stand in the same order, with the same replies between them.
    fn is_of(&self, placed: &[Placed], replies: &[PlacedReply]) -> bool {
        let same_block = |(proposal, placed): (&Proposal, &Placed)| {
            Arc::ptr_eq(&proposal.placed.block, &placed.block)
                && proposal.placed.inside == placed.inside
        };
        let same_reply = |(old, new): (&PlacedReply, &PlacedReply)| old.says_as(new);
        self.proposals.len() == placed.len()
            && self.replies.len() == replies.len()
            && self.proposals.iter().zip(placed).all(same_block)
            && self.replies.iter().zip(replies).all(same_reply)
    }

    /// The proposals where the blocks stand now.
    fn moved(self, placed: Vec<Placed>) -> Vec<Proposal> {
        let moved = self.proposals.into_iter().zip(placed);
        moved.map(|(proposal, placed)| Proposal { placed, ..proposal }).collect()
    }
}

/// The last reply below a block that answers it.
fn answered<'a>(
    placed: &Placed,
    replies: &HashMap<&str, Vec<&'a PlacedReply>>,
) -> Option<&'a PlacedReply> {
    let replies = replies.get(placed.block.parsed.id.as_deref()?)?;
    replies.iter().rev().copied().find(|reply| reply.after > placed.index)
}
