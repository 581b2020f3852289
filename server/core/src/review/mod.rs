//! Proposals: commands under review, and their states.

mod added;
mod afresh;
mod ahead;
mod book;
mod check;
mod does;
mod entry;
mod index;
mod offers;
mod order;
mod place;
mod replies;
mod reply_place;
mod reviewer;
mod rivals;
mod since;
mod status;
mod unmade;
mod unverified;
mod update;
mod verified;
mod working_set;

pub use added::Added;
pub use afresh::Planned;
pub use book::{Base, Book};
pub use check::CheckResult;
pub use does::{Deed, Does, Group};
pub use offers::{Availability, Decided, Limitations, Offer, Offers, WithOthers, offers};
pub use replies::{News, Replies, Reply, Telling, compose};
pub use reply_place::ReplyPlace;
pub use reviewer::{Earlier, Reviewer, Was};
pub use unmade::Unmade;
pub use working_set::WorkingSet;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::dialect::{Answer, Failure, Fault, Told};
use crate::ledger::{BlockId, By, Transition, Work};
use crate::path::FilePath;
use crate::plan::{Caution, Part, Plan};
use crate::problem::{PLAN_NEEDS_A_LOOK, Problem};
use crate::scan::{Placed, Rank, Scan};
use crate::spec::Effect;
use crate::text::Span;
use entry::{Entry, Page, Pages};
use index::Answered;
use rivals::Rival;

/// Where a proposal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Sound, unambiguous and fresh: it can be applied.
    Ready,
    /// The block itself is malformed.
    Invalid,
    /// Well formed, and cannot be planned against the workspace now.
    Blocked,
    /// It could be planned, but the target is not the one that it was proposed for.
    Stale,
    /// It was applied: the ledger, its files, or a reply that can be relied on say so.
    Applied,
    /// The file already has this content, and no block is known to have made it so.
    Satisfied,
    /// The user refused it.
    Rejected,
    /// A later block has the same id.
    Superseded,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 8] = [
        Status::Ready,
        Status::Invalid,
        Status::Blocked,
        Status::Stale,
        Status::Applied,
        Status::Satisfied,
        Status::Rejected,
        Status::Superseded,
    ];

    /// The word in JSON and on screen.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Ready => "ready",
            Status::Invalid => "invalid",
            Status::Blocked => "blocked",
            Status::Stale => "stale",
            Status::Applied => "applied",
            Status::Satisfied => "satisfied",
            Status::Rejected => "rejected",
            Status::Superseded => "superseded",
        }
    }
}

/// One command under review. A clone is cheap.
#[derive(Clone)]
pub struct Proposal {
    /// The block and its place.
    pub placed: Placed,
    /// Where it is.
    pub status: Status,
    /// What it comes to; only a proposal that was checked by itself has it, since plans are large.
    pub plan: Option<Arc<Plan>>,
    /// The block after which it would be ready, where it is blocked alone.
    pub ready_after: Option<After>,
    /// Whether a reply in the transcript says that it was done: it is not done again.
    pub answered: bool,
    /// Its 0-based number among the equal blocks of the transcript, where a ledger is asked.
    pub nth: u32,
    /// By what it was applied, as the ledger says.
    pub by: Option<By>,
    /// Whether it was applied, and all of that was undone.
    pub undone: bool,
    /// Whether the reply below it was not written by this program.
    pub unverified: bool,
    /// Whether a block that was applied was edited to this one.
    edited: bool,
    /// Whether its line numbers may count on a block above that is not applied.
    below_unmade: bool,
    /// Where another block is that replaces the same text, or has overtaken it.
    rival: Option<Rival>,
    /// Whether it is in a message of the person who asks, or was printed by a program.
    is_shown: bool,
    /// Whether a reply in the transcript says something of it, whatever its status.
    is_told: bool,
    /// What a reply in the transcript says of it.
    answer: Option<Answered>,
    check_result: Arc<CheckResult>,
    /// Whether the shell around the core cannot carry it out.
    barred: bool,
    /// What only its neighbours make a problem; spans count from the start of the block.
    around: Vec<Problem>,
}

/// The block that another waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// Its index.
    pub index: usize,
    /// What people call it: `block 3 (edit-1)`.
    pub name: String,
}

/// The whole transcript under review. A clone is cheap: it shares what the next review leaves as
/// it is.
#[derive(Clone, Default)]
pub struct Review {
    scan: Scan,
    /// What is known of the blocks, a page for each chunk of the scan.
    pages: Pages,
}

impl Proposal {
    /// Every problem of the block, of its neighbourhood and of its plan; spans count from the
    /// start of the transcript.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        self.local_problems().map(|problem| problem.clone().shifted(self.placed.span.start))
    }

    /// How many problems there are.
    pub fn problem_count(&self) -> usize {
        self.local_problems().count()
    }

    /// The first error; its spans count from the start of the block.
    pub fn error(&self) -> Option<&Problem> {
        self.local_problems().find(|problem| problem.is_error())
    }

    /// What it does to the world, where the action is known.
    pub fn effect(&self) -> Option<Effect> {
        self.placed.block.parsed.effect
    }

    /// What checking it came to.
    pub fn check_result(&self) -> &CheckResult {
        &self.check_result
    }

    /// Why it needs a look of its own, where it is ready: it is not applied together with others.
    pub fn caution(&self) -> Option<&Caution> {
        self.cautions().first()
    }

    /// All reasons for that, the weightiest first.
    pub fn cautions(&self) -> &[Caution] {
        if self.status == Status::Ready { &self.check_result.cautions } else { &[] }
    }

    /// What is to be looked at, all reasons in one line; empty where it needs no look.
    pub fn reasons_to_look(&self) -> String {
        let reasons: Vec<&str> = self.cautions().iter().map(|it| it.message.as_str()).collect();
        reasons.join("; ")
    }

    /// What the model is told when it is left until somebody has looked at it.
    pub fn left(&self) -> Option<Answer> {
        let caution = self.caution()?;
        let reasons = self.reasons_to_look();
        let message = format!("not applied yet; a person must check it first: {reasons}");
        let details = [("caution".to_owned(), caution.reason.as_str().into())];
        let details = details.into_iter().collect();
        Some(self.told(Err(Failure::new(PLAN_NEEDS_A_LOOK, message, details))))
    }

    /// How it was applied, in JSON: `apply`, `hand`, or `reply` where a reply alone says so.
    pub fn by_word(&self) -> Option<&'static str> {
        let applied = self.status == Status::Applied;
        let known = self.by.as_ref().map(|by| by.door.word());
        applied.then(|| known.unwrap_or(if self.answered { "reply" } else { "apply" }))
    }

    /// What the user has made of it, where it is applied and some hunks were left out, or it was
    /// edited before.
    pub fn part(&self) -> Option<&Part> {
        self.by.as_ref().filter(|_| self.status == Status::Applied)?.part.as_ref()
    }

    /// The proposal with those of its plan's hunks alone whose 0-based numbers are taken; `None`
    /// where its plan has no such hunks.
    pub fn with_hunks(&self, taken: &BTreeSet<usize>) -> Option<Proposal> {
        let plan = self.plan.as_ref()?.with_hunks(taken)?;
        Some(Proposal { plan: Some(Arc::new(plan)), ..self.clone() })
    }

    /// The proposal with the plan of the block that the user has edited its block to; `None` where
    /// that does anything else than change the files that this one changes.
    pub fn as_edited(&self, edited: &Proposal) -> Option<Proposal> {
        let files = |proposal: &Proposal| {
            let plan = proposal.plan.as_ref().filter(|plan| plan.program.is_none())?;
            Some(plan.targets.iter().map(|it| it.path.clone()).collect::<BTreeSet<_>>())
        };
        let (own, other) = (files(self)?, files(edited)?);
        let plan = edited.plan.as_ref().filter(|plan| !plan.changes.is_empty() && own == other)?;
        Some(Proposal { plan: Some(Arc::new(plan.as_edited())), ..self.clone() })
    }

    /// The proposal of another block in its place.
    pub fn replaced_by(&self, placed: &Placed) -> Proposal {
        Proposal::of(placed, self.status)
    }

    /// What the ledger knows it by.
    pub fn id(&self) -> BlockId {
        BlockId { text: self.placed.block.digest, nth: self.nth }
    }

    /// What a reply in the transcript tells of it, where the next reply must tell it again.
    pub fn said(&self) -> Option<&Told> {
        self.answer.as_ref()?.said().told.as_deref()
    }

    /// What it changes, for the ledger, where it has its plan.
    pub fn work(&self) -> Option<Work> {
        let plan = self.plan.as_ref()?;
        let (block, name, part) = (self.id(), self.name(), plan.part.clone());
        let is_edited = part.as_ref().is_some_and(|part| part.edited);
        let title = self.title() + if is_edited { ", as edited" } else { "" };
        Some(Work { block, name, title, transitions: Transition::of_plan(plan), part })
    }

    /// One line that says what it is: `fs.write src/main.rs`.
    pub fn title(&self) -> String {
        self.placed.block.title()
    }

    /// What people call it: its place among the blocks, from 1, and its id, `block 3 (edit-1)`.
    pub fn name(&self) -> String {
        name(self.placed.index, self.placed.block.parsed.id.as_deref())
    }

    /// What the model is told when the proposal is applied now: the plan's outcome, or why it
    /// cannot be.
    pub fn answer(&self) -> Answer {
        let result = match (self.status, &self.plan) {
            (Status::Rejected, _) => Err(Failure::Refused),
            (Status::Ready | Status::Applied | Status::Satisfied, Some(plan)) => {
                Ok(plan.outcome.clone())
            }
            _ => Err(self.failure()),
        };
        self.told(result)
    }

    /// What the model is told when the user says no.
    pub fn refusal(&self) -> Answer {
        self.told(Err(Failure::Refused))
    }

    /// What the model is told when this came of the proposal.
    pub fn told(&self, result: Told) -> Answer {
        Answer { placed: self.placed.clone(), result, states: self.check_result.states.clone() }
    }

    fn failure(&self) -> Failure {
        let mut errors = self.local_problems().filter(|problem| problem.is_error());
        // Blocked alone, its plan's errors are mere remarks while an earlier block can fix them.
        let problem = errors.next().or_else(|| self.local_problems().next());
        let fault = problem.map_or_else(
            || Fault {
                code: self.status.as_str().to_owned(),
                message: format!("this command is {}", self.status.as_str()),
                details: serde_json::Map::new(),
                at: None,
            },
            Fault::of,
        );
        Failure::Problem { fault: Box::new(fault), others: errors.map(Fault::of).collect() }
    }

    /// The same as [`Proposal::problems`]; spans count from the start of the block.
    pub fn local_problems(&self) -> impl Iterator<Item = &Problem> {
        // What is wrong with a block that does not count any more is of no use.
        let counts = self.status != Status::Superseded;
        let own = counts.then_some(&self.placed.block.parsed.problems);
        own.into_iter().flatten().chain(&self.around).chain(&self.check_result.problems)
    }
}

impl Review {
    /// The proposals, one per block, in order.
    pub fn proposals(&self) -> impl Iterator<Item = Proposal> + '_ {
        self.all(|_| true, |_| true)
    }

    /// The proposal of that index.
    pub fn proposal(&self, index: usize) -> Option<Proposal> {
        let pieces = self.scan.pieces();
        let at = pieces.partition_point(|piece| piece.commands <= index).checked_sub(1)?;
        self.on_page(at, |_| true).nth(index - pieces[at].commands)
    }

    /// The proposals whose blocks `span` touches, in order.
    pub fn near(&self, span: &Span) -> impl Iterator<Item = Proposal> + '_ {
        let pieces = self.scan.pieces();
        // The last block before the span may reach into it.
        let first = pieces.partition_point(|piece| piece.origin < span.start).saturating_sub(1);
        let last = pieces.partition_point(|piece| piece.origin <= span.end);
        let span = span.clone();
        let near = (first..last).flat_map(|page| self.on_page(page, |_| true));
        near.filter(move |proposal| {
            let placed = &proposal.placed.span;
            placed.start <= span.end && span.start <= placed.end
        })
    }

    /// The problems of blocks that may be in `span`, each with its block's index.
    ///
    /// A heredoc that nothing ends has problems in the text after its block.
    pub fn problems_near(&self, span: &Span) -> impl Iterator<Item = (usize, Problem)> + '_ {
        let pieces = self.scan.pieces();
        let first = pieces.partition_point(|piece| piece.origin < span.start).saturating_sub(1);
        let last = pieces.partition_point(|piece| piece.origin <= span.end);
        let pages = (0..last).filter(move |page| *page >= first || pieces[*page].chunk.open > 0);
        let span = span.clone();
        let near = pages.flat_map(|page| self.on_page(page, |entry| entry.problem_count() > 0));
        let near = near.filter(move |proposal| {
            let Placed { span: placed, block, .. } = &proposal.placed;
            let end =
                block.raw_until.map_or(placed.end, |until| placed.end.max(placed.start + until));
            placed.start <= span.end && span.start <= end
        });
        near.flat_map(|proposal| {
            let index = proposal.placed.index;
            proposal.problems().map(|problem| (index, problem)).collect::<Vec<_>>()
        })
    }

    /// What was found in the transcript.
    pub fn scan(&self) -> &Scan {
        &self.scan
    }

    /// How many proposals there are.
    pub fn len(&self) -> usize {
        self.pages.iter().map(|page| page.entries().len()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The problems that belong to no block; spans count from the start of the transcript.
    pub fn stray(&self) -> impl Iterator<Item = Problem> + '_ {
        self.scan.problems().chain(unverified::problems(&self.scan, &self.pages))
    }

    /// Every problem of a block with the block's index, in the order of blocks; spans count from
    /// the start of the transcript.
    pub fn of_blocks(&self) -> impl Iterator<Item = (usize, Problem)> + '_ {
        let wrong = self.all(|page| page.sum().problems > 0, |entry| entry.problem_count() > 0);
        wrong.flat_map(|proposal| {
            let index = proposal.placed.index;
            proposal.problems().map(|problem| (index, problem)).collect::<Vec<_>>()
        })
    }

    /// Every problem of the transcript with the block that it belongs to, in the order of blocks,
    /// those of no block first.
    pub fn problems(&self) -> impl Iterator<Item = (Option<usize>, Problem)> + '_ {
        let of_blocks = self.of_blocks().map(|(index, problem)| (Some(index), problem));
        self.stray().map(|problem| (None, problem)).chain(of_blocks)
    }

    /// How many problems there are.
    pub fn problem_count(&self) -> usize {
        let replies = unverified::problems(&self.scan, &self.pages).count();
        self.scan.problem_count()
            + replies
            + self.pages.iter().map(|page| page.sum().problems).sum::<usize>()
    }

    /// Whether a change of `file` may change this review or a later one: whether some plan looked
    /// at it, at a directory around it, or at something below it.
    pub fn looks_at(&self, file: &FilePath) -> bool {
        let mut looked = self.pages.entries().flat_map(|(_, entry)| entry.watched());
        looked.any(|path| path.is_within(file) || file.is_within(path))
    }

    /// How many writes can be applied together in order: those that are ready, and those that will
    /// be once earlier ones are applied; not those that need a look of their own.
    pub fn applicable(&self) -> usize {
        self.pages.iter().map(|page| page.sum().applicable).sum()
    }

    /// How many proposals have that status.
    pub fn count(&self, status: Status) -> usize {
        self.pages.iter().map(|page| page.sum().count(status)).sum()
    }

    /// The proposals of some entries, in order.
    fn all(
        &self,
        page: impl Fn(&Page) -> bool + 'static,
        wanted: impl Fn(&Entry) -> bool + Copy + 'static,
    ) -> impl Iterator<Item = Proposal> + '_ {
        let pages = self.pages.iter().enumerate().filter(move |(_, found)| page(found));
        pages.flat_map(move |(at, _)| self.on_page(at, wanted))
    }

    /// The proposals of some entries of a page, in order.
    fn on_page(
        &self,
        page: usize,
        wanted: impl Fn(&Entry) -> bool + 'static,
    ) -> impl Iterator<Item = Proposal> + '_ {
        let pages = self.pages.iter().nth(page).map(|page| page.entries()).unwrap_or_default();
        let piece = self.scan.pieces().get(page);
        let blocks = piece.into_iter().flat_map(|piece| (piece.commands..).zip(piece.commands()));
        pages.iter().zip(blocks).filter(move |(entry, _)| wanted(entry)).map(
            |(entry, (index, (_, start, block)))| {
                let placed = self.scan.placed(index, start, block);
                let after = entry.after.and_then(|after| self.index_of(after));
                Proposal::shown(placed, entry, after)
            },
        )
    }

    /// The index of the block with that rank, and the block.
    fn index_of(&self, rank: Rank) -> Option<(usize, &Entry)> {
        let (page, slot) = self.pages.find(rank)?;
        let index = self.scan.pieces().get(page)?.commands + slot;
        Some((index, self.pages.get(rank)?))
    }
}

/// What people call a block: its place among the blocks, from 1, and its id, `block 3 (edit-1)`.
fn name(index: usize, id: Option<&str>) -> String {
    let number = index + 1;
    match id {
        Some(id) => format!("block {number} ({id})"),
        None => format!("block {number}"),
    }
}

#[cfg(test)]
mod tests;
