//! What is known of each block, in pages that go with the chunks of the scan and are shared like
//! them.

use std::sync::Arc;

use super::Status;
use super::check::{CheckResult, NOTHING};
use super::index::Answered;
use super::offers::{WithOthers, with_others};
use super::rivals::Rival;
use crate::command::{Command, Step};
use crate::ledger::{BlockId, By, Transition};
use crate::path::{FilePath, State};
use crate::problem::Problem;
use crate::scan::{Block, Rank};
use crate::spec::Effect;

/// What is known of one block, wherever it is: edits before it change nothing in it.
#[derive(Clone)]
pub struct Entry {
    pub block: Arc<Block>,
    /// Its 0-based number among the equal blocks of the transcript, where a ledger is asked.
    pub nth: u32,
    /// Where it is, as far as the core can tell.
    pub status: Status,
    /// By what it was applied, as the ledger says.
    pub by: Option<By>,
    /// Whether it was applied, and all of that was undone.
    pub undone: bool,
    /// The block that was applied, where it was edited to this one, which is another.
    pub edited_from: Option<Arc<BlockId>>,
    /// Whether its line numbers may count on a block above that is not applied.
    pub below_unmade: bool,
    /// Where another block is that replaces the same text, or has overtaken it.
    pub rival: Option<Rival>,
    /// Whether it is in a message of the person who asks, or was printed by a program.
    pub is_shown: bool,
    /// Whether the reply below it was not written by this program.
    pub unverified: bool,
    /// Whether a reply below it says that it was done.
    pub answered: bool,
    /// What a reply below it says, to be relied on or not.
    pub answer: Option<Answered>,
    /// Whether a reply below it says something of it, whatever its status.
    pub is_told: bool,
    /// Whether it is in raw text that an earlier block leaves open.
    pub inside: bool,
    /// Whether it is in a thought of which the transcript has only the end.
    pub is_draft: bool,
    /// Whether it changes a file that nothing earlier has read.
    pub unread: bool,
    /// The block after which it is ready, where it is blocked alone.
    pub after: Option<Rank>,
    /// Whether it waits for a block that needs a look of its own, or will need one itself.
    pub looked_after: bool,
    /// Why the shell around the core cannot carry it out.
    pub bar: Option<Arc<Problem>>,
    pub check_result: Arc<CheckResult>,
    /// What planning it came to last, whatever its status.
    pub planned: Option<Arc<CheckResult>>,
    /// What planning it came to on its base: somebody may make that change in many steps.
    pub on_base: Option<Arc<CheckResult>>,
    /// Whether that must be made anew once the block counts again.
    pub void: bool,
}

/// How a block looks at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// It is the file that it reads or changes: what comes later is not a change of an unread file.
    Reads,
    /// It searches all files below it.
    Searches,
    /// It looks at it in another way.
    Other,
}

impl Entry {
    /// A block that was not looked at yet.
    pub fn new(block: Arc<Block>) -> Entry {
        Entry {
            block,
            nth: 0,
            status: Status::Invalid,
            by: None,
            undone: false,
            edited_from: None,
            below_unmade: false,
            rival: None,
            is_shown: false,
            unverified: false,
            answered: false,
            answer: None,
            is_told: false,
            inside: false,
            is_draft: false,
            unread: false,
            after: None,
            looked_after: false,
            bar: None,
            check_result: NOTHING.clone(),
            planned: None,
            on_base: None,
            void: false,
        }
    }

    /// What the ledger knows it by.
    pub fn id(&self) -> BlockId {
        BlockId { text: self.block.digest, nth: self.nth }
    }

    /// Where it is, with what the shell says.
    pub fn shown_status(&self) -> Status {
        if self.bar.is_some() { Status::Blocked } else { self.status }
    }

    /// How many problems it has.
    pub fn problem_count(&self) -> usize {
        let inside = self.status == Status::Blocked && self.inside;
        let around = [
            self.status == Status::Superseded,
            inside,
            self.unread,
            self.is_unverified_by_itself(),
            self.bar.is_some(),
        ];
        let around = around.into_iter().filter(|there| *there).count();
        let own =
            if self.status == Status::Superseded { 0 } else { self.block.parsed.problems.len() };
        own + around + self.check_result.problems.len()
    }

    /// Whether a reply that this program has not written is reported at the block: a reply to several
    /// blocks may be right about the others.
    pub fn is_unverified_by_itself(&self) -> bool {
        self.unverified && self.block.dialect.rules().reply.answers_several()
    }

    /// Whether it cannot be planned alone, and perhaps can after an earlier block.
    pub fn waits(&self) -> bool {
        self.status == Status::Blocked && !self.inside
    }

    /// Whether it binds blocks together that act on the same files. A look at files does not,
    /// unless it waits for what it wants to look at.
    pub fn binds(&self) -> bool {
        let writes = self.block.parsed.effect == Some(Effect::Write);
        self.waits() || writes && self.status == Status::Ready
    }

    /// The changes that it comes to, as it was planned last and on its base.
    pub fn plans(&self) -> impl Iterator<Item = &Arc<CheckResult>> {
        let all = self.planned.iter().chain(&self.on_base);
        all.filter(|it| it.targets.iter().any(Transition::changes))
    }

    /// Whether it counts where it is: the plan of another is kept for when it does again.
    fn counts(&self) -> bool {
        self.status != Status::Superseded && !self.inside
    }

    /// The paths whose change makes its plan void.
    pub fn looked_at(&self) -> &[FilePath] {
        self.planned.as_ref().map_or(&[], |planned| &planned.looked_at)
    }

    /// The paths that it looks at, and how.
    pub fn watched(&self) -> impl Iterator<Item = &FilePath> {
        let listed = self.planned.iter().flat_map(|planned| &planned.listed);
        self.looked_at().iter().chain(listed)
    }

    /// The same with how each is used.
    pub fn uses(&self) -> impl Iterator<Item = (&FilePath, Use)> {
        let command = self.block.parsed.command.as_ref().filter(|_| self.counts());
        let first = match command.and_then(|command| command.steps.first()) {
            Some(Step::List { .. }) | None => Use::Other,
            Some(_) if command.is_some_and(Command::searches) => Use::Searches,
            Some(_) => Use::Reads,
        };
        let uses = std::iter::once(first).chain(std::iter::repeat(Use::Other));
        let listed = self.planned.iter().flat_map(|planned| &planned.listed);
        self.looked_at().iter().zip(uses).chain(listed.map(|path| (path, Use::Other)))
    }

    /// The file that it would change and that is there, where the block does not state what it
    /// was made for.
    pub fn changes(&self) -> Option<&FilePath> {
        let command = self.block.parsed.command.as_ref();
        let command =
            command.filter(|it| it.bases.is_empty() && self.block.dialect.rules().reads_first)?;
        let changes = matches!(
            command.steps.first(),
            Some(Step::Patch { .. } | Step::Edit { .. } | Step::Write { .. })
        );
        let target = self.check_result.targets.first()?;
        let there = matches!(target.before, State::File(_));
        let open = matches!(self.status, Status::Ready | Status::Stale);
        self.check_result.looked_at.first().filter(|_| changes && there && open)
    }
}

/// What a page comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    /// How many blocks are in each state.
    statuses: [usize; Status::ALL.len()],
    /// How many problems they have.
    pub problems: usize,
    /// How many can be applied in order, without a look at each.
    pub applicable: usize,
    /// How many have a reply that this program has not written.
    pub unverified: usize,
}

impl Sum {
    fn add(&mut self, entry: &Entry) {
        self.statuses[entry.shown_status() as usize] += 1;
        self.problems += entry.problem_count();
        self.applicable += usize::from(Sum::is_applicable(entry));
        self.unverified += usize::from(entry.unverified);
    }

    fn subtract(&mut self, entry: &Entry) {
        self.statuses[entry.shown_status() as usize] -= 1;
        self.problems -= entry.problem_count();
        self.applicable -= usize::from(Sum::is_applicable(entry));
        self.unverified -= usize::from(entry.unverified);
    }

    fn is_applicable(entry: &Entry) -> bool {
        let (effect, needs_a_look) =
            (entry.block.parsed.effect, !entry.check_result.cautions.is_empty());
        let with_others =
            with_others(entry.shown_status(), effect, needs_a_look, entry.bar.is_some());
        let will_be_ready = match with_others {
            WithOthers::Now => true,
            WithOthers::InTurn => entry.after.is_some() && !entry.looked_after,
            WithOthers::AfterALook | WithOthers::Never => false,
        };
        will_be_ready && effect == Some(Effect::Write)
    }

    /// How many blocks have that status.
    pub fn count(&self, status: Status) -> usize {
        self.statuses[status as usize]
    }
}

/// What is known of the blocks of one chunk of the scan.
#[derive(Clone)]
pub struct Page {
    /// The rank of the chunk's first item.
    first: Rank,
    ranks: Vec<Rank>,
    entries: Vec<Arc<Entry>>,
    sum: Sum,
}

impl Page {
    /// The page of a chunk whose first item has the rank `first`.
    pub fn new(first: Rank, entries: impl Iterator<Item = (Rank, Arc<Entry>)>) -> Page {
        let (ranks, entries): (Vec<_>, Vec<Arc<Entry>>) = entries.unzip();
        let mut sum = Sum::default();
        entries.iter().for_each(|entry| sum.add(entry));
        Page { first, ranks, entries, sum }
    }

    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    pub fn sum(&self) -> &Sum {
        &self.sum
    }
}

/// The pages of a transcript, in order. A clone shares them.
#[derive(Clone, Default)]
pub struct Pages(Vec<Arc<Page>>);

impl Pages {
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Page>> {
        self.0.iter()
    }

    /// Puts pages in the place of others.
    pub fn splice(&mut self, gone: std::ops::Range<usize>, new: Vec<Arc<Page>>) -> Vec<Arc<Page>> {
        self.0.splice(gone, new).collect()
    }

    /// All entries with their ranks, in order.
    pub fn entries(&self) -> impl Iterator<Item = (Rank, &Arc<Entry>)> {
        self.0.iter().flat_map(|page| page.ranks.iter().copied().zip(&page.entries))
    }

    /// The entries of some pages with their ranks.
    pub fn of(pages: &[Arc<Page>]) -> impl Iterator<Item = (Rank, &Arc<Entry>)> {
        pages.iter().flat_map(|page| page.ranks.iter().copied().zip(&page.entries))
    }

    pub fn get(&self, rank: Rank) -> Option<&Arc<Entry>> {
        let (page, slot) = self.find(rank)?;
        self.0[page].entries.get(slot)
    }

    /// The page of a block, and its place on it.
    pub fn find(&self, rank: Rank) -> Option<(usize, usize)> {
        let page = self.0.partition_point(|page| page.first <= rank).checked_sub(1)?;
        Some((page, self.0[page].ranks.binary_search(&rank).ok()?))
    }

    /// Puts an entry in the place of the one that a block had, and gives that.
    pub fn set(&mut self, rank: Rank, entry: Entry) -> Option<Arc<Entry>> {
        let (page, slot) = self.find(rank)?;
        let page = Arc::make_mut(&mut self.0[page]);
        page.sum.subtract(&page.entries[slot]);
        page.sum.add(&entry);
        Some(std::mem::replace(&mut page.entries[slot], Arc::new(entry)))
    }

    /// Changes what is known of a block.
    pub fn change(&mut self, rank: Rank, change: impl FnOnce(&mut Entry)) {
        let Some(mut entry) = self.get(rank).map(|entry| Entry::clone(entry)) else { return };
        change(&mut entry);
        self.set(rank, entry);
    }
}
