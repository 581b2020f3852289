//! Reviews one transcript again and again, and remembers what only history knows.

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::HashMap;

use super::book::Book;
use super::index::Said;
use super::judge::{Depth, Judgement, judge, shared};
use super::memory::Seen;
use super::place::open_command;
use super::update::{Given, Known, Update};
use super::{Proposal, Review, Status};
use crate::command::Operation;
use crate::dialect::{EarlierReply, Failure, Told};
use crate::edit::{ChangeSet, Needs};
use crate::fingerprint::Fingerprint;
use crate::limits::Limits;
use crate::plan::{self, Outcome, Target};
use crate::problem::Problem;
use crate::scan::{Block, Placed, Rank, Scan};
use crate::snapshot::{ByName, Denied, FilePath, MemorySnapshot, Snapshot, Staged, Through};
use crate::spec::Effect;
use crate::text::Text;

/// Reviews one transcript again and again, and remembers what only history knows: what each
/// proposal was made for, and which were applied.
///
/// A review is the last one with what an edit changes: the blocks in the chunks that the scan has
/// made anew, those whose judgements [`Reviewer::forget`] made void, and those elsewhere that these
/// concern.
#[derive(Default)]
pub struct Reviewer {
    /// What only history knows of the blocks of the last review that were judged.
    pub(super) seen: HashMap<BlockKey, Seen>,
    pub(super) last: Known,
    /// The blocks whose judgements have to be made again.
    pub(super) void: BTreeSet<Rank>,
    /// How far from the transcript's end the reply to a dialect's blocks stood that was read last.
    pub(super) read: HashMap<&'static str, usize>,
    /// Whether something may be known of blocks that the last review did not find.
    pub(super) sweep: bool,
    /// What was done before, where it is kept.
    book: Option<Book>,
}

/// Why a shell around the core cannot carry out a block that is ready; spans count from the start
/// of the block. It says the same of the same block and judgement at all times.
pub type Bar<'a> = &'a dyn Fn(&Block, &Judgement) -> Option<Problem>;

/// A block's identity, its address: the scan keeps a block that an edit did not touch.
pub(super) type BlockKey = usize;

pub(super) fn key(block: &Arc<Block>) -> BlockKey {
    Arc::as_ptr(block).addr()
}

/// How many bytes the answers to reads may have together that are kept at once.
const MOST_ANSWERED: usize = 16 << 20;

/// Everything that can be applied or read, in order, as one change set.
pub struct Planned {
    /// Every change, in terms of the snapshot.
    pub changes: ChangeSet,
    /// The writes that it applies and the reads that it answers, with their plans.
    pub done: Vec<Proposal>,
    /// The other proposals that could not be applied or read, with their errors.
    pub failed: Vec<Proposal>,
    /// The proposals that could be, and need a look of their own.
    pub left: Vec<Proposal>,
}

impl Reviewer {
    /// A reviewer that asks the ledger which blocks were applied before.
    pub fn with_book(book: Book) -> Reviewer {
        Reviewer { book: Some(book), ..Reviewer::default() }
    }

    /// The ledger that is asked, where one is.
    pub fn book(&self) -> Option<&Book> {
        self.book.as_ref()
    }

    /// Takes the ledger as it is by now. The blocks are looked at again of which it says something
    /// else than before.
    pub fn set_book(&mut self, book: Book) {
        let last = self.book.take().unwrap_or_default();
        for (rank, entry) in self.last.review.pages.entries() {
            if !book.says_the_same(&last, &entry.block, entry.nth) {
                self.void.insert(rank);
            }
        }
        self.book = Some(book);
    }

    /// Takes out the files that are not as the kept ledger has them.
    pub fn take_news(&mut self) -> BTreeSet<FilePath> {
        self.book.as_mut().map(|book| std::mem::take(&mut book.news)).unwrap_or_default()
    }

    /// Judges every block against the workspace.
    pub fn review(&mut self, scan: &Scan, snapshot: &dyn Snapshot, limits: &Limits) -> Review {
        self.review_barring(scan, snapshot, limits, &|_, _| None)
    }

    /// Judges every block against the workspace, and blocks those that the shell cannot carry out.
    ///
    /// Where `limits.cancel` is cancelled meanwhile, the review is incomplete and of no use. What
    /// history knows of the blocks is kept, and the next review judges again what is missing.
    pub fn review_barring(
        &mut self,
        scan: &Scan,
        snapshot: &dyn Snapshot,
        limits: &Limits,
        bar: Bar<'_>,
    ) -> Review {
        self.follow(snapshot);
        let (last, void) = (std::mem::take(&mut self.last), std::mem::take(&mut self.void));
        let snapshot = ByName::new(snapshot);
        let given = Given { snapshot: &snapshot, limits, bar };
        (self.last, self.void) =
            Update::new(&mut self.seen, last, void, given, self.book.as_mut()).run(scan);
        if !limits.cancel.is_cancelled() {
            self.sweep();
        }
        self.last.review.clone()
    }

    /// Forgets judgements that looked at `changed` (or at anything, where it is `None`), so that
    /// the next review makes them again.
    pub fn forget(&mut self, changed: Option<&FilePath>) {
        match changed {
            None => self.void.extend(self.last.review.pages.entries().map(|(rank, _)| rank)),
            Some(changed) => self.void.extend(self.last.index.near(changed)),
        }
    }

    /// Notes that the plan of a block was handed to whoever carries it out: if its targets change
    /// to what it leaves, that is its doing, whatever else they have shown before.
    pub fn under_way(&mut self, placed: &Placed, targets: &[Target]) {
        let Known { review, index, .. } = &self.last;
        let near = targets.iter().flat_map(|target| index.near(&target.path));
        for entry in near.filter_map(|rank| review.pages.get(rank)) {
            if let Some(seen) = self.seen.get_mut(&key(&entry.block)) {
                seen.went_on(&placed.block, targets);
            }
        }
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.set_under_way(true);
        }
    }

    /// Notes that the plan of a block that was handed out was not carried out.
    pub fn not_made(&mut self, placed: &Placed) {
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.set_under_way(false);
        }
    }

    /// Notes that the plan of a block was carried out: it counts as applied until its targets say
    /// otherwise, and the other proposals' bases take the change as known.
    pub fn applied(&mut self, placed: &Placed, targets: &[Target], outcome: &Outcome) {
        for target in targets {
            self.rebase(target);
            self.forget(Some(&target.path));
        }
        self.under_way(placed, targets);
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.apply(targets, outcome);
            self.void.insert(seen.rank);
        }
    }

    /// Notes that targets of a block that was applied were seen as its plan left them, whatever
    /// they are by now.
    pub fn saw(&mut self, placed: &Placed, files: &[FilePath]) {
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.saw(files);
        }
    }

    /// Notes that a file is open from now on: what it shows decides which blocks were applied.
    pub fn opened(&mut self, file: &FilePath) {
        self.seen.values_mut().for_each(|seen| seen.opened(file));
    }

    /// Notes what came of a block that changes no file of its own: its program has run, or the user
    /// has refused it.
    pub fn tell(&mut self, placed: &Placed, told: Told) {
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.tell(told);
            self.void.insert(seen.rank);
        }
    }

    /// Whether the reply to a dialect's blocks has to be read: it is another one, or stands
    /// elsewhere, than the one that was read last. `tail` is how much text there is from its place
    /// on, 0 where nothing stands there.
    pub(super) fn has_to_read(&mut self, dialect: &'static str, tail: usize) -> bool {
        self.read.insert(dialect, tail).unwrap_or(0) != tail
    }

    /// Whether the replies to a dialect's blocks were looked for.
    pub(super) fn has_read(&self, dialect: &str) -> bool {
        self.read.contains_key(dialect)
    }

    /// Notes that there is no block of a dialect: the replies are looked for again once there is.
    pub(super) fn unread(&mut self, dialect: &str) {
        self.read.remove(dialect);
    }

    /// Takes note of what a reply that stays says of a block; gives whether that is news.
    pub(super) fn read_of(
        &mut self,
        transcript: &Text,
        placed: &Placed,
        reply: &dyn EarlierReply,
    ) -> bool {
        let Some(said) = reply.said(transcript, placed) else { return false };
        if !self.is_verified(placed, &said) {
            return false;
        }
        let Some(seen) = self.seen.get_mut(&key(&placed.block)) else { return false };
        let news = seen.settle(said);
        if news {
            self.void.insert(seen.rank);
        }
        news
    }

    /// Whether what a reply to several blocks says of one is known to the ledger, where one is
    /// asked.
    fn is_verified(&self, placed: &Placed, said: &Told) -> bool {
        let Some(book) = &self.book else { return true };
        let (ok, refused) = (said.is_ok(), *said == Err(Failure::Refused));
        let acts = matches!(placed.block.parsed.effect, Some(Effect::Write | Effect::Exec));
        let is_known = self.seen.get(&key(&placed.block)).is_some_and(Seen::is_known);
        if !acts || is_known || !ok && !refused {
            return true;
        }
        let data = said.as_ref().map(|outcome| outcome.data.to_string()).unwrap_or_default();
        let stated = Fingerprint::all_in(&data);
        let proposal = self.last.review.proposal(placed.index);
        proposal.is_none_or(|proposal| {
            let said = Said { ok, refused, stated };
            let nothing = MemorySnapshot::default();
            book.verifies(&placed.block, proposal.nth, &said, &proposal.judgement, &nothing)
        })
    }

    /// Takes note of what the reply in a transcript, if there is one, says of a dialect's blocks;
    /// gives whether the next review has to know.
    pub(super) fn read_reply(
        &mut self,
        scan: &Scan,
        transcript: &Text,
        dialect: &'static str,
        reply: Option<&dyn EarlierReply>,
    ) -> bool {
        let mut news = false;
        for placed in scan.blocks().filter(|placed| placed.block.dialect.name() == dialect) {
            let said = reply.and_then(|reply| reply.said(transcript, &placed));
            let said = said.filter(|said| self.is_verified(&placed, said));
            if let Some(seen) = self.seen.get_mut(&key(&placed.block))
                && seen.read(said)
            {
                self.void.insert(seen.rank);
                news = true;
            }
        }
        news
    }

    /// What came of a block, where it is known to have been carried out, tried or refused.
    pub fn told(&self, placed: &Placed) -> Option<&Told> {
        self.seen.get(&key(&placed.block))?.told()
    }

    /// What became of a block in this session, unless the transcript says what came of it.
    pub fn recorded(&self, placed: &Placed) -> Option<&Told> {
        self.seen.get(&key(&placed.block)).filter(|seen| !seen.is_written())?.told()
    }

    /// Notes that what a block had changed was taken back: it may be applied again.
    pub fn taken_back(&mut self, placed: &Placed, targets: &[Target]) {
        for target in targets {
            self.rebase(&target.reversed());
            self.forget(Some(&target.path));
        }
        if let Some(seen) = self.seen.get_mut(&key(&placed.block)) {
            seen.take_back();
            self.void.insert(seen.rank);
        }
    }

    /// Whether a block was applied and then taken back.
    pub fn is_taken_back(&self, placed: &Placed) -> bool {
        self.seen.get(&key(&placed.block)).is_some_and(Seen::is_taken_back)
    }

    /// Finds out which blocks were applied or taken back since, by whatever hand.
    fn follow(&mut self, snapshot: &dyn Snapshot) {
        let mut known: Vec<Target> = Vec::new();
        for entry in self.void.iter().filter_map(|rank| self.last.review.pages.get(*rank)) {
            let covered = self.is_covered(&entry.block, snapshot);
            if let Some(seen) = self.seen.get_mut(&key(&entry.block)) {
                seen.void = true;
                known.extend(seen.follow(snapshot, covered));
            }
        }
        known.iter().for_each(|target| self.rebase(target));
    }

    /// Whether what a block's targets show is the doing of one that was handed out after it.
    fn is_covered(&self, block: &Arc<Block>, snapshot: &dyn Snapshot) -> bool {
        let later = self.seen.get(&key(block)).map(Seen::later).unwrap_or_default();
        later.iter().any(|(by, target)| {
            let stands = self.seen.get(&key(by)).is_some_and(Seen::accounts_for_changes);
            stands && snapshot.state(&target.path) == Ok(target.after)
        })
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

    /// Plans every proposal of a review that can be applied or read, in document order, each on
    /// what the earlier ones leave. Left out are programs, what needs a look of its own, a write that
    /// takes more than `can` says can be done, and reads once their answers are too large to be kept: they stay ready.
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
        let snapshot: &dyn Snapshot = &ByName::new(snapshot);
        let mut staged = Staged::new(snapshot);
        let (mut working_set, mut answers) = (BTreeSet::new(), 0);
        let (mut done, mut failed, mut left) = (Vec::new(), Vec::new(), Vec::new());
        for proposal in review.proposals() {
            if !Self::is_open(&proposal) {
                if proposal.status == Status::Applied {
                    follow_working_set(&mut working_set, &proposal, &staged);
                }
                continue;
            }
            let reads = proposal.effect() != Some(Effect::Write);
            if reads && answers > MOST_ANSWERED {
                continue;
            }
            let now = Through::with_working_set(&staged, &working_set);
            let judged = self.judge_on(&proposal.placed, (&now, snapshot), limits);
            match (&judged.plan, judged.status) {
                (_, Status::Ready) if judged.caution().is_some() => left.push(judged),
                (Some(plan), Status::Ready) if can(judged.judgement.needs) => {
                    follow_working_set(&mut working_set, &judged, &staged);
                    staged.stage(&plan.changes)?;
                    answers += if reads { plan.outcome.size() } else { 0 };
                    done.push(judged);
                }
                (_, Status::Applied | Status::Satisfied) => {}
                _ => failed.push(judged),
            }
        }
        Ok(Planned { changes: staged.into_changes(), done, failed, left })
    }

    /// Whether a proposal may be applied or read together with the others.
    fn is_open(proposal: &Proposal) -> bool {
        match (proposal.effect(), proposal.status) {
            (Some(Effect::Exec) | None, _) => false,
            _ if proposal.barred => false,
            (_, Status::Ready | Status::Blocked | Status::Stale) => true,
            // An earlier one may be about to change the file that is now as it wants.
            (Some(Effect::Write), Status::Satisfied) => true,
            _ => false,
        }
    }

    /// A block's number among the equal blocks of the transcript.
    fn number(&self, placed: &Placed) -> u32 {
        let shown = self.last.review.proposal(placed.index);
        let shown = shown.filter(|shown| shown.placed.block.is(&placed.block));
        shown.map_or(0, |shown| shown.nth)
    }

    fn judge_on(
        &self,
        placed: &Placed,
        snapshots: (&dyn Snapshot, &dyn Snapshot),
        limits: &Limits,
    ) -> Proposal {
        let command = match open_command(&placed.block, placed.inside.is_some(), false) {
            Err(status) => return Proposal::of(placed, status),
            Ok(command) => command,
        };
        let seen = self.seen.get(&key(&placed.block));
        let base = seen.map(|seen| &seen.base);
        let (judgement, plan) =
            judge(&placed.block, command, snapshots, base, limits, Depth::Whole);
        let mut proposal = Proposal::of(placed, judgement.status);
        proposal.nth = self.number(placed);
        let covered = self.is_covered(&placed.block, snapshots.1);
        if seen.is_some_and(|seen| seen.is_applied_in(snapshots.1, covered)) {
            proposal.status = Status::Applied;
        }
        proposal.judgement = Arc::new(judgement);
        proposal.plan = shared(plan);
        proposal
    }
}

/// Takes over what a block that is done changes in the working set.
fn follow_working_set(set: &mut BTreeSet<String>, done: &Proposal, snapshot: &dyn Snapshot) {
    let command = done.placed.block.parsed.command.as_ref();
    if let Some(Operation::Context(change)) = command.map(|command| &command.operation) {
        plan::follow(set, change, snapshot);
    }
}
