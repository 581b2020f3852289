//! What the order of blocks means: which are ready once earlier ones are applied, and which change
//! what nothing before them has read.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use super::judge::{Depth, Judgement, judge};
use super::reviewer::{BlockKey, key};
use super::{Proposal, Status};
use crate::command::Operation;
use crate::limits::Limits;
use crate::problem::{self, Problem, Severity};
use crate::scan::Block;
use crate::snapshot::{FilePath, Snapshot, Staged, State};
use crate::spec::Effect;

/// What blocks come to in order, kept from one review to the next.
#[derive(Default)]
pub struct Orders {
    known: HashMap<Vec<BlockKey>, Vec<InOrder>>,
}

/// One block of a group, in order.
#[derive(Clone)]
struct InOrder {
    /// The member of the group after which it is ready, where it was blocked alone.
    after: Option<usize>,
    /// The group's blocks, so that their identities stay theirs.
    _block: Arc<Block>,
}

impl Orders {
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Finds the blocks that are blocked alone and ready in order, and says so.
    ///
    /// Only blocks that share a path with one that is blocked are planned again.
    pub fn review(&mut self, proposals: &mut [Proposal], snapshot: &dyn Snapshot, limits: &Limits) {
        let waits = |proposal: &Proposal| {
            proposal.status == Status::Blocked && proposal.placed.inside.is_none()
        };
        let mut known = HashMap::new();
        if proposals.iter().any(waits) {
            for group in groups(proposals) {
                if !group.iter().any(|index| waits(&proposals[*index])) || group.len() < 2 {
                    continue;
                }
                let keys: Vec<_> = group.iter().map(|i| key(&proposals[*i].placed.block)).collect();
                let found = self.known.remove(&keys);
                let found = found.unwrap_or_else(|| in_order(&group, proposals, snapshot, limits));
                for (index, in_order) in group.iter().zip(&found) {
                    if let Some(after) = in_order.after {
                        let name = proposals[group[after]].name();
                        ready_after(&mut proposals[*index], group[after], &name);
                    }
                }
                known.insert(keys, found);
            }
        }
        self.known = known;
    }
}

/// The blocks that act on the same files, in document order; a file and a directory around it
/// count as the same.
fn groups(proposals: &[Proposal]) -> Vec<Vec<usize>> {
    let open = |proposal: &&Proposal| {
        matches!(proposal.status, Status::Ready | Status::Blocked)
            && proposal.placed.inside.is_none()
    };
    let mut parents: Vec<usize> = (0..proposals.len()).collect();
    let mut first: HashMap<&FilePath, usize> = HashMap::new();
    // A look at files binds nothing together, unless it waits for what it wants to look at.
    let binds = |proposal: &&Proposal| {
        open(proposal)
            && (proposal.status == Status::Blocked || proposal.effect() == Some(Effect::Write))
    };
    for proposal in proposals.iter().filter(binds) {
        for path in &proposal.judgement.looked_at {
            let other = *first.entry(path).or_insert(proposal.placed.index);
            union(&mut parents, other, proposal.placed.index);
        }
    }
    for (path, index) in &first {
        let mut parent = path.parent();
        while let Some(directory) = parent {
            if let Some(other) = first.get(&directory) {
                union(&mut parents, *other, *index);
            }
            parent = directory.parent();
        }
    }
    let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
    for proposal in proposals.iter().filter(binds) {
        let index = proposal.placed.index;
        groups.entry(find(&mut parents, index)).or_default().push(index);
    }
    groups.into_values().collect()
}

fn find(parents: &mut [usize], mut index: usize) -> usize {
    while parents[index] != index {
        parents[index] = parents[parents[index]];
        index = parents[index];
    }
    index
}

fn union(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parents, a), find(parents, b));
    parents[a.max(b)] = a.min(b);
}

/// Plans a group's blocks one after the other.
fn in_order(
    group: &[usize],
    proposals: &[Proposal],
    snapshot: &dyn Snapshot,
    limits: &Limits,
) -> Vec<InOrder> {
    let mut staged = Staged::new(snapshot);
    let mut done: Vec<(usize, Vec<FilePath>)> = Vec::new();
    let mut found = Vec::with_capacity(group.len());
    for (member, index) in group.iter().enumerate() {
        let block = &proposals[*index].placed.block;
        let waits = proposals[*index].status == Status::Blocked;
        let mut after = None;
        if let Some(command) = &block.parsed.command {
            let depth = Depth::Outlook;
            let (judgement, plan) = judge(block, command, (&staged, snapshot), None, limits, depth);
            let ready = judgement.status == Status::Ready;
            let shares = |(_, paths): &&(usize, Vec<FilePath>)| touch(paths, &judgement.looked_at);
            let last = done.iter().rev().find(shares).map(|(member, _)| *member);
            after = last.filter(|_| ready && waits);
            let writes = command.action.effect == Effect::Write;
            if let Some(plan) = plan.filter(|_| ready && writes)
                && staged.stage(&plan.changes).is_ok()
            {
                done.push((member, judgement.looked_at));
            }
        }
        found.push(InOrder { after, _block: block.clone() });
    }
    found
}

/// Whether some path of one list is a path of the other, or lies above or below one.
fn touch(some: &[FilePath], others: &[FilePath]) -> bool {
    some.iter().any(|a| others.iter().any(|b| a.is_within(b) || b.is_within(a)))
}

/// Says that a block will be ready; its plan's errors are no errors until then.
fn ready_after(proposal: &mut Proposal, after: usize, name: &str) {
    proposal.ready_after = Some(after);
    let mut judgement: Judgement = proposal.judgement().clone();
    for problem in &mut judgement.problems {
        if problem.is_error() {
            problem.severity = Severity::Information;
            problem.message = format!("ready once {name} is applied; alone: {}", problem.message);
            problem.fixes.clear();
        }
    }
    proposal.set_judgement(judgement);
}

/// Says of each block that changes a file which nothing earlier in the transcript has read.
pub fn unread_targets(proposals: &mut [Proposal]) {
    let mut read: HashSet<&FilePath> = HashSet::with_capacity(proposals.len());
    let mut trees: Vec<&FilePath> = Vec::new();
    let mut unread = Vec::new();
    for (index, proposal) in proposals.iter().enumerate() {
        let Some(command) = &proposal.placed.block.parsed.command else { continue };
        let Some(path) = proposal.judgement.looked_at.first() else { continue };
        match command.operation {
            Operation::List { .. } => continue,
            Operation::SearchTree { .. } => {
                trees.push(path);
                continue;
            }
            _ => {}
        }
        let known = !read.insert(path) || trees.iter().any(|tree| path.is_within(tree));
        if !known && command.base.is_none() && changes_a_file(proposal) {
            unread.push(index);
        }
    }
    for index in unread {
        let proposal = &mut proposals[index];
        let block = &proposal.placed.block;
        let place = block.dialect.locate(&block.parsed, "path");
        let path = block.parsed.path.as_deref().unwrap_or_default();
        let says = format!("nothing earlier in this transcript has read {path}");
        let problem = Problem::new(problem::OPERATOR_UNREAD_TARGET, place, says);
        proposal.add(problem);
    }
}

/// Whether it could change a file that is there.
fn changes_a_file(proposal: &Proposal) -> bool {
    let command = &proposal.placed.block.parsed.command;
    let changes = command.as_ref().is_some_and(|command| {
        matches!(
            command.operation,
            Operation::Patch { .. } | Operation::ApplyEdits { .. } | Operation::Write { .. }
        )
    });
    let target = proposal.judgement.targets.first();
    changes
        && target.is_some_and(|target| matches!(target.before, State::File(_)))
        && matches!(proposal.status, Status::Ready | Status::Stale)
}
