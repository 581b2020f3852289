//! What only history knows of a block: what it was made for, and whether it was applied.

use std::sync::{Arc, LazyLock};

use super::Status;
use super::index::Said;
use super::judge::{Base, Depth, Judgement, judge};
use crate::command::Command;
use crate::dialect::{Failure, Told};
use crate::limits::Limits;
use crate::plan::{Outcome, Target};
use crate::scan::{Block, Rank};
use crate::snapshot::{FilePath, Snapshot, State};
use crate::spec::Effect;

/// What is known of a block that was there at the last review.
pub struct Seen {
    /// Keeps the identity from being given to another block.
    block: Arc<Block>,
    /// Where it stood at the last review.
    pub rank: Rank,
    /// What it was made for.
    pub base: Base,
    /// The last judgement.
    pub judgement: Arc<Judgement>,
    /// Whether the judgement has to be made again.
    pub void: bool,
    applied: Option<Applied>,
    /// What came of it, where it was carried out, tried or refused.
    told: Option<Told>,
    /// Whether the reply below the last block says so.
    written: bool,
    /// Whether a reply with other blocks behind it says so.
    settled: bool,
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

/// What is known of a block that is not judged against the workspace; its status is the proposal's.
pub static NOTHING: LazyLock<Arc<Judgement>> =
    LazyLock::new(|| Arc::new(Judgement::empty(Status::Blocked)));

impl Seen {
    fn new(block: &Arc<Block>) -> Seen {
        Seen {
            block: block.clone(),
            rank: 0,
            base: Base::default(),
            judgement: NOTHING.clone(),
            void: false,
            applied: None,
            told: None,
            written: false,
            settled: false,
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

    /// Whether it was applied, as far as is known.
    pub fn is_applied(&self) -> bool {
        self.applied.is_some()
    }

    /// Notes that what it had changed was taken back.
    pub fn take_back(&mut self) {
        self.applied = None;
        self.told = None;
        self.undone = true;
        self.void = true;
    }

    /// Whether it was applied and then taken back.
    pub fn is_taken_back(&self) -> bool {
        self.undone
    }

    /// Takes a change that is the transcript's own as known: it makes nothing stale.
    pub fn rebase(&mut self, target: &Target) {
        if [target.before, target.after].contains(&State::Directory) {
            // What is in a directory that comes or goes is looked at anew.
            let below = |path: &FilePath| path.is_within(&target.path) && *path != target.path;
            self.base.states.retain(|(path, _)| !below(path));
        }
        for (path, state) in &mut self.base.states {
            if *path == target.path && *state == target.before {
                *state = target.after;
            }
        }
    }

    /// Notes what came of it, where that is no change of its targets.
    pub fn tell(&mut self, told: Told) {
        self.told = Some(told);
        self.void = true;
    }

    /// Takes note of what the reply in the transcript says of it, or that it says nothing any more;
    /// gives whether that is news.
    pub fn read(&mut self, said: Option<Told>) -> bool {
        let was_written = std::mem::replace(&mut self.written, said.is_some());
        let news = match said {
            Some(said) if self.told.is_none() && !self.undone => {
                self.told = Some(said);
                true
            }
            None if was_written && self.applied.is_none() => self.told.take().is_some(),
            _ => false,
        };
        self.void |= news;
        news
    }

    /// Takes note of what a reply says of it that other blocks stand behind; gives whether that is
    /// news.
    pub fn settle(&mut self, said: Told) -> bool {
        let news = self.told.is_none() && !self.undone;
        if news {
            self.settled = true;
            self.tell(said);
        }
        news
    }

    /// Whether a reply to several blocks that stands in the transcript says what came of it.
    pub fn is_written(&self) -> bool {
        self.written || self.settled
    }

    /// What came of it, where it was carried out, tried or refused.
    pub fn told(&self) -> Option<&Told> {
        self.told.as_ref()
    }

    /// Notes that its plan was carried out.
    pub fn apply(&mut self, targets: &[Target], outcome: &Outcome) {
        self.applied = Some(Applied { targets: targets.to_vec(), confirmed: false });
        self.told = Some(Ok(outcome.clone()));
        self.undone = false;
        self.void = true;
    }

    /// Where the proposal stands, with what history and the replies below it know.
    pub fn status(&self, reply: Option<Said>) -> Status {
        match reply {
            _ if self.is_applied() => Status::Applied,
            None if self.told == Some(Err(Failure::Refused)) => Status::Rejected,
            None if matches!(self.told, Some(Ok(_))) => Status::Applied,
            Some(reply) if reply.refused => Status::Rejected,
            // Known to be taken back, it may be done again whatever was said then.
            Some(reply) if reply.ok && !self.undone => Status::Applied,
            _ => self.judgement.status,
        }
    }

    /// Finds out whether the last plan is what the targets show now, or no longer; gives the
    /// targets that were changed by that, as they were and as they are.
    pub fn follow(&mut self, snapshot: &dyn Snapshot) -> Vec<Target> {
        if self.is_undone(snapshot) {
            self.undone = true;
            self.told = None;
            let applied = self.applied.take().map(|applied| applied.targets).unwrap_or_default();
            return applied.iter().map(Target::reversed).collect();
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
                let Judgement { summary, data, .. } = self.judgement.as_ref();
                let (summary, data) = (summary.clone(), data.clone());
                self.told = Some(Ok(Outcome { data, ..Outcome::new(summary) }));
                targets
            }
        }
    }

    /// Whether it was applied, and its targets are again as they were before.
    pub fn is_undone(&self, snapshot: &dyn Snapshot) -> bool {
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
pub fn look(
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
