//! What only history knows of a block: what it was made for, and whether it was applied.

use std::sync::{Arc, LazyLock};

use super::Status;
use super::applied::{Applied, Turn};
use super::index::Said;
use super::judge::{Base, Depth, Judgement, judge, paths};
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
    /// The blocks that were handed out since, with what each changes of the same targets: that
    /// these are as they were before says nothing of this block where it is one of those's doing.
    later: Vec<(Arc<Block>, Target)>,
    /// Whether its change was handed to whoever makes it, and nothing was heard of it since.
    under_way: bool,
    /// Whether its targets are as they were before it by the doing of one of those.
    covered: bool,
    /// What came of it, where it was carried out, tried or refused.
    told: Option<Told>,
    /// Whether the reply below the last block says so.
    written: bool,
    /// Whether a reply with other blocks behind it says so.
    settled: bool,
    /// Whether it was applied and then taken back.
    undone: bool,
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
            later: Vec::new(),
            under_way: false,
            covered: false,
            told: None,
            written: false,
            settled: false,
            undone: false,
        }
    }

    /// What is known of a block that is judged later: what `state` says of its targets.
    pub fn observed(
        block: &Arc<Block>,
        command: &Command,
        snapshot: &dyn Snapshot,
        limits: &Limits,
        state: &mut dyn FnMut(&FilePath) -> Option<State>,
    ) -> Seen {
        let mut seen = Seen { void: true, ..Seen::new(block) };
        if block.parsed.effect == Some(Effect::Write) {
            let paths = paths(command, snapshot, limits).into_iter();
            seen.base.states = paths
                .filter_map(|path| Some((state(&path)?, path)))
                .map(|(state, path)| (path, state))
                .collect();
        }
        seen
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
        self.applied.as_ref().is_some_and(Applied::stands)
    }

    /// Notes whether its change is about to be made.
    pub fn set_under_way(&mut self, under_way: bool) {
        self.under_way = under_way;
    }

    /// Whether a change of its targets may be its own: it was applied, or is about to be.
    pub fn accounts_for_changes(&self) -> bool {
        self.under_way || self.is_applied()
    }

    /// Notes that what it had changed was taken back.
    pub fn take_back(&mut self) {
        self.applied = None;
        self.told = None;
        self.undone = true;
        self.void = true;
    }

    /// Whether this very program has applied, run or refused it, or undone that.
    pub fn is_known(&self) -> bool {
        self.undone || self.told.is_some() && !self.written && !self.settled
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
            None if was_written && !self.is_applied() => self.told.take().is_some(),
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
        self.applied = Some(Applied::said(targets, outcome));
        self.later.clear();
        self.under_way = false;
        self.told = Some(Ok(outcome.clone()));
        self.undone = false;
        self.void = true;
    }

    /// Notes that another block is carried out after it, and changes these.
    pub fn went_on(&mut self, by: &Arc<Block>, targets: &[Target]) {
        let found = self.applied.as_ref().and_then(|applied| applied.gone_on_by(targets));
        if let Some(target) = found {
            self.later.retain(|(known, _)| !Arc::ptr_eq(known, by));
            self.later.push((by.clone(), target.clone()));
        }
    }

    /// The blocks that were handed out after it, with what each changes of the same targets.
    pub fn later(&self) -> &[(Arc<Block>, Target)] {
        &self.later
    }

    /// Notes that some of its targets were seen as its plan left them.
    pub fn saw(&mut self, files: &[FilePath]) {
        self.applied.iter_mut().for_each(|applied| applied.saw(files));
    }

    /// Notes that a file is open from now on: what it shows decides.
    pub fn opened(&mut self, file: &FilePath) {
        self.applied.iter_mut().for_each(|applied| applied.opened(file));
    }

    /// Where the proposal stands, with what history and the replies below it know.
    pub fn status(&self, reply: Option<&Said>) -> Status {
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
    /// targets that were changed by that, as they were and as they are. `covered` says whether
    /// what they show is a later block's doing.
    pub fn follow(&mut self, snapshot: &dyn Snapshot, covered: bool) -> Vec<Target> {
        // Whose doing it is does not change while nothing else does.
        let is_as_before = self.applied.as_ref().is_some_and(|applied| applied.is_undone(snapshot));
        self.covered = is_as_before && (covered || self.covered);
        let covered = self.covered;
        match self.applied.as_mut().and_then(|applied| applied.follow(snapshot, covered)) {
            Some(Turn::Undone(targets)) => {
                // What it was carried out on once is what it is for.
                for (path, state) in &mut self.base.states {
                    let own = targets.iter().find(|target| target.path == *path);
                    *state = own.map_or(*state, |target| target.after);
                }
                self.applied = None;
                self.undone = true;
                self.told = None;
                targets
            }
            Some(Turn::Denied(targets)) => {
                self.told = None;
                targets
            }
            Some(Turn::Done(targets, outcome)) => {
                self.told = Some(Ok(outcome));
                targets
            }
            None if self.is_applied() => Vec::new(),
            None => self.find_applied(snapshot),
        }
    }

    /// Takes it for applied where its targets are as its plan would leave them; gives them then.
    fn find_applied(&mut self, snapshot: &dyn Snapshot) -> Vec<Target> {
        let Judgement { targets, summary, data, .. } = self.judgement.as_ref();
        let outcome = Outcome { data: data.clone(), ..Outcome::new(summary.clone()) };
        let Some(applied) = Applied::found(targets, &outcome, snapshot) else {
            self.under_way &= targets.iter().all(|it| snapshot.state(&it.path) == Ok(it.before));
            return Vec::new();
        };
        self.under_way = false;
        self.applied = Some(applied);
        self.told = Some(Ok(outcome));
        self.judgement.targets.clone()
    }

    /// Whether it was applied, as far as is known, and its targets do not deny that now.
    pub fn is_applied_in(&self, snapshot: &dyn Snapshot, covered: bool) -> bool {
        let applied = self.applied.as_ref().filter(|applied| applied.stands());
        applied.is_some_and(|applied| {
            (covered || self.covered || !applied.is_undone(snapshot))
                && !applied.is_denied(snapshot)
        })
    }
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
    // A plan that was cancelled says nothing.
    seen.void = limits.cancel.is_cancelled();
    seen
}
