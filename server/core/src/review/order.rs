//! What the order of blocks means: which are ready once earlier ones are applied.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::check::{CheckResult, Depth, check};
use super::entry::{Entry, Pages};
use super::index::{Index, ancestors};
use super::rivals::Rival;
use super::since::{On, StagedLines};
use super::{Book, Status};
use crate::limits::Limits;
use crate::path::FilePath;
use crate::problem::Severity;
use crate::scan::Rank;
use crate::snapshot::{Snapshot, Staged};
use crate::spec::Effect;

/// The blocks that act on the same files, in document order; a file and a directory around it
/// count as the same.
pub type Group = Vec<(Rank, Arc<Entry>)>;

/// The groups that act on some of the paths, on a directory around one, or on something below.
pub fn groups(paths: BTreeSet<FilePath>, index: &Index, pages: &Pages) -> Vec<Group> {
    let mut search = Search { index, pages, known: BTreeSet::new() };
    let mut groups = Vec::new();
    for path in paths {
        for start in search.near(&path) {
            groups.extend(search.group(start));
        }
    }
    groups
}

/// A walk from path to path by the blocks that bind them together.
struct Search<'a> {
    index: &'a Index,
    pages: &'a Pages,
    /// The paths of the groups that were found.
    known: BTreeSet<FilePath>,
}

impl Search<'_> {
    /// The paths at, around and below a path that something binds.
    fn near(&self, path: &FilePath) -> BTreeSet<FilePath> {
        let binds = |rank: Rank| self.pages.get(rank).is_some_and(|entry| entry.binds());
        let around = ancestors(path).filter(|path| self.index.at(path).any(binds));
        let below = self.index.within(path).filter(|(_, _, rank)| binds(*rank));
        around.chain(below.map(|(path, _, _)| path.clone())).collect()
    }

    /// The group that acts on a path, if it was not found before.
    fn group(&mut self, start: FilePath) -> Option<Group> {
        if self.known.contains(&start) {
            return None;
        }
        let mut members = BTreeSet::new();
        let mut open = vec![start];
        while let Some(path) = open.pop() {
            if !self.known.insert(path.clone()) {
                continue;
            }
            open.extend(self.near(&path));
            for rank in self.index.at(&path) {
                let entry = self.pages.get(rank).filter(|entry| entry.binds());
                if let Some(entry) = entry.filter(|_| members.insert(rank)) {
                    open.extend(entry.check_result.looked_at.iter().cloned());
                }
            }
        }
        let entry = |rank: Rank| Some((rank, self.pages.get(rank)?.clone()));
        Some(members.into_iter().filter_map(entry).collect())
    }
}

/// What the blocks before one mean for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Turn {
    /// The block after which it is ready, where it is blocked alone.
    pub after: Option<Rank>,
    /// Whether such a block needs a look of its own, or it will itself.
    pub looked_after: bool,
}

/// A block of a group that is ready in its turn.
struct Staging {
    rank: Rank,
    looked_at: Vec<FilePath>,
    /// Whether it, or one that it builds on, needs a look of its own.
    needs_a_look: bool,
}

/// Plans a group's blocks one after the other; gives for each that is blocked alone and ready in
/// its turn the block after which it is.
pub fn in_order(group: &Group, book: &Book, snapshot: &dyn Snapshot, limits: &Limits) -> Vec<Turn> {
    if group.len() < 2 || !group.iter().any(|(_, entry)| entry.waits()) {
        return vec![Turn::default(); group.len()];
    }
    let (mut staged, mut lines) = (Staged::new(snapshot), StagedLines::default());
    let mut done: Vec<Staging> = Vec::new();
    let mut found = Vec::with_capacity(group.len());
    for (rank, entry) in group {
        if limits.cancel.is_cancelled() {
            break;
        }
        let mut turn = Turn::default();
        if let Some(command) = &entry.block.parsed.command {
            let (block, base, depth) = (&entry.block, book.base(entry.id()), Depth::Outlook);
            let on = On { snapshot: &staged, now: snapshot, staged: Some(&lines) };
            let (check_result, plan) = check(block, command, on, base, limits, depth);
            let ready = check_result.status == Status::Ready;
            let shared =
                done.iter().rev().filter(|it| touch(&it.looked_at, &check_result.looked_at));
            let is_marked =
                entry.edited_from.is_some() || entry.rival.is_some_and(Rival::needs_a_look);
            let needs_a_look = is_marked || !check_result.cautions.is_empty();
            let (mut needs_a_look, mut last) = (needs_a_look, None);
            for earlier in shared {
                needs_a_look |= earlier.needs_a_look;
                last = last.or(Some(earlier.rank));
            }
            turn.after = last.filter(|_| ready && entry.waits());
            turn.looked_after = turn.after.is_some() && needs_a_look;
            let writes = command.action.effect == Effect::Write;
            if let Some(plan) = plan.filter(|_| ready && writes)
                && staged.stage(&plan.changes).is_ok()
            {
                lines.stage(&check_result.targets);
                done.push(Staging { rank: *rank, looked_at: check_result.looked_at, needs_a_look });
            }
        }
        found.push(turn);
    }
    found
}

/// Whether some path of one list is a path of the other, or lies above or below one.
fn touch(some: &[FilePath], others: &[FilePath]) -> bool {
    some.iter().any(|a| others.iter().any(|b| a.is_within(b) || b.is_within(a)))
}

/// The check result of a block that will be ready; its plan's errors are no errors until then.
pub fn once_applied(check_result: &CheckResult, name: &str) -> CheckResult {
    let mut check_result = check_result.clone();
    for problem in &mut check_result.problems {
        if problem.is_error() {
            problem.severity = Severity::Information;
            problem.message = format!("ready once {name} is applied; alone: {}", problem.message);
            problem.fixes.clear();
        }
    }
    check_result
}
