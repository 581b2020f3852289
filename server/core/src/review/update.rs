//! Makes the review of a transcript from the one before it, from what has changed alone.
//!
//! A fresh review is an update of an empty one. What a block comes to hangs on the block, on the
//! workspace, and on other blocks by what they share with it: an id, a path. The index leads from
//! a block that has changed to those that share something with it, and to no others.

mod marks;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;

use super::ahead::{Ahead, check_ahead};
use super::book::Book;
use super::check::{CheckResult, Depth, check};
use super::entry::{Entry, Page, Pages};
use super::index::Index;
use super::place::open_command;
use super::reviewer::{Bar, Earlier};
use super::since::On;
use super::verified::{self, Now};
use super::{Review, Status, name, status};
use crate::command::Command;
use crate::dialect::{Claim, Parsed};
use crate::fingerprint::Fingerprint;
use crate::ledger::{BlockId, Candidate, Event, Observation, Operation, Standing, Work};
use crate::limits::Limits;
use crate::parts::Parts;
use crate::path::{FilePath, State};
use crate::scan::{Block, Piece, Rank, Scan};
use crate::snapshot::Snapshot;
use crate::spec::Effect;

/// What blocks are checked by.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub snapshot: &'a dyn Snapshot,
    pub limits: &'a Limits,
    pub bar: Bar<'a>,
    /// What was at some files when the text of new blocks came in.
    pub earlier: &'a Earlier,
    /// How the new blocks are shared among threads.
    pub parts: Parts,
}

/// The last review, and where everything is in it.
#[derive(Default)]
pub struct Known {
    pub review: Review,
    pub index: Index,
    /// The entries that were replaced by reviews that were cancelled before they looked at what
    /// that means for the order of blocks.
    unordered: Vec<Arc<Entry>>,
}

/// An update under way.
pub struct Update<'a> {
    known: Known,
    given: Given<'a>,
    /// What was done before.
    book: &'a mut Book,
    /// The blocks that must be looked at.
    due: BTreeSet<Rank>,
    /// Those of them that must be planned anew.
    void: BTreeSet<Rank>,
    /// The blocks that are gone or, with another rank, are there again, by their addresses; and
    /// whether they must be planned anew.
    left: HashMap<usize, (Arc<Entry>, bool)>,
    /// From which block an edit made a block.
    from: HashMap<Rank, Arc<Entry>>,
    /// The blocks that are in unended raw text now and were not, or the other way round.
    turned: BTreeSet<Rank>,
    /// The same for drafts.
    redrafted: BTreeSet<Rank>,
    /// The entries in whose place others are now, or none.
    replaced: Vec<Arc<Entry>>,
    /// The files that were looked at.
    looked: BTreeSet<FilePath>,
    /// What new blocks come to, where they are many.
    ahead: Ahead,
}

impl<'a> Update<'a> {
    /// An update of what is `known` that plans the `void` blocks anew.
    pub fn new(
        known: Known,
        void: BTreeSet<Rank>,
        given: Given<'a>,
        book: &'a mut Book,
    ) -> Update<'a> {
        let (left, from, turned, redrafted, looked, ahead) = Default::default();
        let mut known = known;
        let replaced = std::mem::take(&mut known.unordered);
        let due = void.clone();
        Update {
            known,
            given,
            book,
            due,
            void,
            left,
            from,
            turned,
            redrafted,
            replaced,
            looked,
            ahead,
        }
    }

    /// The review of `scan`, and the blocks that the next one must look at because this one was
    /// cancelled.
    pub fn run(mut self, scan: &Scan) -> (Known, BTreeSet<Rank>) {
        self.take_in(scan);
        self.number();
        let mut concerned = self.known.index.concerned();
        concerned.retain(|rank| !self.stays_superseded(*rank));
        self.due.extend(concerned);
        self.check_ahead();
        let mut done = BTreeSet::new();
        while !self.due.is_empty() {
            self.look();
            for rank in std::mem::take(&mut self.due) {
                if self.check(rank) {
                    done.insert(rank);
                }
            }
        }
        self.due = done;
        self.look_for_reads();
        self.mark_rivals();
        self.put_in_order();
        self.mark_ambiguous();
        self.mark_below_unmade();
        self.known.index.settle();
        match self.is_cancelled() {
            true => (Known { unordered: self.replaced, ..self.known }, self.due),
            false => (self.known, BTreeSet::new()),
        }
    }

    /// Numbers the blocks whose text has come or gone somewhere among those that are equal.
    fn number(&mut self) {
        let Known { review, index, .. } = &mut self.known;
        for (rank, nth) in index.numbered() {
            let Some(old) = review.pages.get(rank).map(|entry| entry.id()) else { continue };
            if old.nth != nth {
                review.pages.change(rank, |entry| entry.nth = nth);
                self.book.inherit(BlockId { nth, ..old }, old);
                // The ledger may know another base by that number.
                self.due.insert(rank);
                self.void.insert(rank);
            }
        }
    }

    /// Looks at the files of the blocks that are due, as far as the ledger knows of them: what was
    /// done there may have been undone, and somebody may have made a block's change by hand.
    fn look(&mut self) {
        let mut paths: BTreeSet<FilePath> = BTreeSet::new();
        for rank in &self.due {
            let Some(entry) = self.known.review.pages.get(*rank) else { continue };
            if entry.planned.is_some() && !entry.void && !self.void.contains(rank) {
                continue;
            }
            let Book { ledger, transcript, .. } = &*self.book;
            paths.extend(ledger.paths_of(transcript, entry.id()).cloned());
            let planned = entry.planned.iter().filter(|_| is_write(&entry.block));
            paths.extend(planned.flat_map(|it| &it.looked_at).cloned());
        }
        paths.retain(|path| self.looked.insert(path.clone()));
        let snapshot = self.given.snapshot;
        let found = paths.iter().filter_map(|path| Observation::of(path, snapshot));
        let found: Vec<Observation> = found.collect();
        self.observe(&found);
    }

    /// Has the ledger know what was found at some files. Blocks are due about which it says
    /// something else by that.
    fn observe(&mut self, found: &[Observation]) {
        let Known { review, index, .. } = &self.known;
        let transcript = self.book.transcript.clone();
        let candidates = |path: &FilePath| {
            let works = index.at(path).flat_map(|rank| candidates(review, rank));
            works.map(|work| Candidate { transcript: transcript.clone(), work }).collect()
        };
        let events = self.book.observe(found, &candidates);
        for event in &events {
            for path in event.paths() {
                let near = index.near(path);
                self.due.extend(&near);
                self.void.extend(near);
            }
            if let Event::ByHand(operation) = event {
                tell(self.book, review, index, operation);
            }
        }
    }

    /// Checks the blocks that are due of which nothing is known.
    fn check_ahead(&mut self) {
        let (Known { review, index, .. }, book) = (&self.known, &*self.book);
        let due = || self.due.iter().filter_map(|rank| Some((*rank, review.pages.get(*rank)?)));
        let Given { snapshot, limits, parts, .. } = self.given;
        let count = parts.count(due().map(|(_, entry)| entry.block.len).sum());
        if count < 2 {
            return;
        }
        let new = due().filter(|(rank, entry)| {
            let is_known = entry.planned.is_some() || book.base(entry.id()).is_some();
            !is_known && !index.is_superseded(*rank, &entry.block)
        });
        let new: Vec<_> = new.map(|(rank, entry)| (rank, &entry.block)).collect();
        self.ahead = check_ahead(&new, snapshot, limits, count);
    }

    fn is_cancelled(&self) -> bool {
        self.given.limits.cancel.is_cancelled()
    }

    /// Takes in the chunks of a scan that the last review does not know; their blocks are due.
    fn take_in(&mut self, scan: &Scan) {
        let last = std::mem::replace(&mut self.known.review.scan, scan.clone());
        let (first, end) = unchanged(&last, scan);
        let old = first..last.pieces().len() - end;
        let new = &scan.pieces()[first..scan.pieces().len() - end];

        self.take_replies(&last.pieces()[old.clone()], false);
        self.take_replies(new, true);
        self.take_blocks(scan, old, new);
        if last.has_open() || scan.has_open() {
            let inside = |index, start| scan.inside(index, start).is_some();
            self.turned = self.turned_in(scan, |entry| entry.inside, inside);
            self.due.extend(&self.turned);
        }
        if last.has_drafts() || scan.has_drafts() {
            let is_draft = |_, start| scan.is_draft(start);
            self.redrafted = self.turned_in(scan, |entry| entry.is_draft, is_draft);
            self.due.extend(&self.redrafted);
        }
        if last.model_heads() != scan.model_heads() {
            let entries = self.known.review.pages.entries();
            let turned = entries.filter(|(_, entry)| entry.is_shown != scan.is_shown(&entry.block));
            self.due.extend(turned.map(|(rank, _)| rank));
        }
    }

    /// Takes in the replies of some chunks, or out where they are not `there` any more.
    fn take_replies(&mut self, pieces: &[Piece], there: bool) {
        for (rank, _, reply) in pieces.iter().flat_map(Piece::replies) {
            self.known.index.set_reply(rank, reply, there);
        }
    }

    /// Takes in the blocks of the chunks `new`, in the place of the pages `old`.
    fn take_blocks(&mut self, scan: &Scan, old: Range<usize>, new: &[Piece]) {
        let Known { review, index, .. } = &mut self.known;
        let first = old.start;
        let gone = review.pages.splice(old, Vec::new());
        let mut gone: HashMap<Rank, Arc<Entry>> =
            Pages::of(&gone).map(|(rank, entry)| (rank, entry.clone())).collect();
        let mut come = Vec::new();
        let mut entry = |rank: Rank, block: &Arc<Block>| {
            let is_known = gone.get(&rank).is_some_and(|entry| Arc::ptr_eq(&entry.block, block));
            let kept = if is_known { gone.remove(&rank) } else { None };
            kept.unwrap_or_else(|| {
                come.push((rank, block.clone()));
                Arc::new(Entry::new(block.clone()))
            })
        };
        let page = |piece: &Piece| {
            let blocks = piece.commands().take(scan.looked_at(piece));
            let entries = blocks.map(|(rank, _, block)| (rank, entry(rank, block)));
            Arc::new(Page::new(piece.rank(), entries))
        };
        review.pages.splice(first..first, new.iter().map(page).collect());

        if come.len() == review.len() {
            index.note_nothing();
        }
        for (rank, entry) in gone {
            index.set_block(rank, &entry.block, false);
            index.set_entry(rank, &entry, false);
            let is_void = self.void.remove(&rank);
            self.left.insert(address(&entry.block), (entry.clone(), is_void));
            self.replaced.push(entry);
        }
        self.from = edited(&self.left, &come);
        for (rank, block) in come {
            index.set_block(rank, &block, true);
            self.due.insert(rank);
        }
    }

    fn stays_superseded(&self, rank: Rank) -> bool {
        let Known { review, index, .. } = &self.known;
        let entry = review.pages.get(rank);
        let entry = entry.filter(|entry| entry.status == Status::Superseded);
        entry.is_some_and(|entry| {
            // What a reply says of one that is asked for again counts all the same.
            let is_answered_so = || match (index.reply(rank, &entry.block), &entry.answer) {
                (Some(now), Some(then)) => now.is(then),
                (now, then) => now.is_none() && then.is_none(),
            };
            index.is_superseded(rank, &entry.block)
                || index.is_asked_again(rank, &entry.block) && is_answered_so()
        })
    }

    /// The blocks of which something is so now, by their index and start, and was not, or the other
    /// way round.
    fn turned_in(
        &self,
        scan: &Scan,
        was: impl Fn(&Entry) -> bool,
        is: impl Fn(usize, usize) -> bool,
    ) -> BTreeSet<Rank> {
        let blocks = scan.pieces().iter().flat_map(|piece| piece.commands()).enumerate();
        let entries = self.known.review.pages.entries().zip(blocks);
        let turned =
            entries.filter(|((_, entry), (index, (_, start, _)))| was(entry) != is(*index, *start));
        turned.map(|((rank, _), _)| rank).collect()
    }

    /// Finds out where a block is, by what the index says of the others; gives whether there
    /// is such a block.
    fn check(&mut self, rank: Rank) -> bool {
        let Some(old) = self.known.review.pages.get(rank).cloned() else { return false };
        let Given { limits, bar, .. } = self.given;
        let block = &old.block;
        let inside = old.inside != self.turned.remove(&rank);
        let is_draft = old.is_draft != self.redrafted.remove(&rank);
        let is_void = self.void.remove(&rank);
        let is_shown = self.known.review.scan.is_shown(block);
        let mut new =
            Entry { inside, is_draft, is_shown, nth: old.nth, ..Entry::new(block.clone()) };
        new.is_told = self.known.index.reply(rank, block).is_some();
        let moved = self.left.remove(&address(block));
        new.edited_from.clone_from(&old.edited_from);
        if let Some(from) = moved.as_ref().map(|(entry, _)| entry).or(self.from.get(&rank)) {
            self.book.inherit(new.id(), from.id());
            let was_applied = || from.by.is_some().then(|| Arc::new(from.id()));
            new.edited_from = new.edited_from.or(from.edited_from.clone()).or_else(was_applied);
        }
        // It may have come back to what it was.
        let id = new.id();
        new.edited_from = new.edited_from.filter(|applied| **applied != id);
        let (known, is_void) = match &moved {
            Some((entry, is_void)) => (entry, *is_void || entry.nth != new.nth),
            None => (&old, is_void),
        };
        let is_void = is_void || known.void || known.is_shown != is_shown;
        let planned = known.planned.clone();
        new.on_base = known.on_base.clone();
        let is_set_aside = is_draft || self.known.index.is_asked_again(rank, block);
        // What was applied nevertheless is known of commands alone.
        let is_superseded = self.known.index.is_superseded(rank, block)
            || is_set_aside && block.parsed.command.is_none();
        match open_command(block, inside, is_superseded) {
            Err(status) => {
                (new.status, new.planned, new.void) = (status, planned, is_void);
            }
            // It is due again.
            Ok(_) if limits.cancel.is_cancelled() => {
                (new.status, new.planned) = (Status::Blocked, planned);
            }
            Ok(command) => {
                let planned = match planned.filter(|_| !is_void) {
                    Some(planned) => planned,
                    None => self.plan(rank, &new, command),
                };
                if self.book.base(new.id()).is_some_and(|base| base.has(&planned.targets)) {
                    new.on_base = Some(planned.clone());
                }
                let standing = self.book.standing(block, new.nth, &planned.looked_at);
                new.answer = self.known.index.reply(rank, block).cloned();
                let reply = self.claim(rank, &new, command);
                let has_had = |it| self.book.ledger.has_had(new.id(), it);
                new.unverified =
                    self.is_unverified(command, reply.as_ref(), &standing, &planned, &has_had);
                let reply = reply.filter(|_| !new.unverified);
                new.status = status::of(&standing, reply.as_ref(), is_set_aside, planned.status);
                let is_applied = new.status == Status::Applied;
                new.answered = is_applied && reply.is_some_and(|reply| reply.ok);
                (new.by, new.undone) = (standing.applied, standing.undone);
                let is_made_above = || self.book.is_made_above(block, new.nth, &planned);
                new.check_result = match new.status == planned.status {
                    true if is_made_above() => {
                        let mut check_result = CheckResult::clone(&planned);
                        check_result.made_above(block);
                        Arc::new(check_result)
                    }
                    true => planned.clone(),
                    // What is done or refused is not held against the workspace any more.
                    false => Arc::new(planned.settled(new.status)),
                };
                if new.status == Status::Ready {
                    new.bar = bar(block, &new.check_result).map(Arc::new);
                }
                new.planned = Some(planned);
            }
        }
        let Known { review, index, .. } = &mut self.known;
        index.set_entry(rank, &old, false);
        index.set_entry(rank, &new, true);
        self.replaced.extend(review.pages.set(rank, new));
        true
    }

    /// Plans a block, and takes the files as they are for what it was made for, the first time that
    /// they are seen.
    fn plan(&mut self, rank: Rank, entry: &Entry, command: &Command) -> Arc<CheckResult> {
        let Given { snapshot, limits, earlier, .. } = self.given;
        let mut ahead = self.ahead.remove(&rank);
        let mut checked = |book: &Book| {
            let base = book.base(entry.id());
            let ahead = ahead.take().filter(|_| base.is_none());
            let on = On::now(snapshot);
            let check = || check(&entry.block, command, on, base, limits, Depth::Outlook).0;
            let mut checked = ahead.unwrap_or_else(check);
            if entry.edited_from.is_some() {
                checked.after_an_edit(&entry.block);
            }
            if entry.is_shown {
                checked.is_shown(&entry.block);
            }
            checked
        };
        let planned = checked(self.book);
        // A plan that was cancelled says nothing.
        if !is_write(&entry.block) || limits.cancel.is_cancelled() {
            return Arc::new(planned);
        }
        let now = |path: &FilePath| {
            let target = planned.targets.iter().find(|target| target.path == *path);
            target.map_or_else(|| snapshot.state(path), |target| Ok(target.before)).ok()
        };
        let there = planned.looked_at.iter().filter_map(|path| Some((path.clone(), now(path)?)));
        let there: Vec<(FilePath, State)> = there.collect();
        let earlier = |path: &FilePath| {
            let (state, there) = (**earlier.get(path)?).as_ref()?;
            there.contains(&entry.block.digest).then_some(*state)
        };
        let was = |(path, now): &(FilePath, State)| (path.clone(), earlier(path).unwrap_or(*now));
        self.book.propose(entry.id(), there.iter().map(was));
        let has_changed = there.iter().any(|(path, _)| earlier(path).is_some());
        let unseen = there.into_iter().filter(|(path, _)| self.looked.insert(path.clone()));
        let unseen = unseen.map(|(path, state)| {
            let closed = !snapshot.is_open(&path);
            Observation { path, state, closed }
        });
        let unseen: Vec<_> = unseen.collect();
        self.observe(&unseen);
        Arc::new(if has_changed { checked(self.book) } else { planned })
    }

    /// What a reply claims of a block, without the fingerprints that may have been copied.
    fn claim(&self, rank: Rank, entry: &Entry, command: &Command) -> Option<Claim> {
        let mut claim = entry.answer.as_ref()?.said().claim.clone();
        let index = &self.known.index;
        // A fingerprint that is stated above may have been copied from there. That of an empty text
        // is known to everybody.
        let empty = Fingerprint::of(b"");
        let states = |it: &Fingerprint| command.bases.iter().any(|base| base.fingerprint == *it);
        claim.stated.retain(|it| *it != empty && !states(it) && !index.is_stated_before(rank, *it));
        Some(claim)
    }

    /// Whether a reply claims what nothing shows. A look at files can be had again at any time, and
    /// hides nothing.
    fn is_unverified(
        &self,
        command: &Command,
        reply: Option<&Claim>,
        standing: &Standing,
        planned: &CheckResult,
        has_had: &dyn Fn(Fingerprint) -> bool,
    ) -> bool {
        let acts = matches!(command.action.effect, Effect::Write | Effect::Exec);
        let Some(said) = reply.filter(|it| acts && (it.ok || it.refused)) else { return false };
        let Given { snapshot, limits, .. } = self.given;
        let now = Now { command, planned, snapshot, limits };
        !verified::by_ledger(standing, said, has_had) && !verified::by_files(said, &now)
    }
}

/// How many chunks two scans have in common at their beginning, and how many more at their end.
pub fn unchanged(old: &Scan, new: &Scan) -> (usize, usize) {
    // Where blocks come or go, the limit may fall on others.
    let same = |(a, b): &(&Piece, &Piece)| {
        Arc::ptr_eq(&a.chunk, &b.chunk) && old.looked_at(a) == new.looked_at(b)
    };
    let (old, new) = (old.pieces(), new.pieces());
    let first = old.iter().zip(new).take_while(same).count();
    let ends = old[first..].iter().rev().zip(new[first..].iter().rev());
    (first, ends.take_while(same).count())
}

fn address(block: &Arc<Block>) -> usize {
    Arc::as_ptr(block).addr()
}

fn is_write(block: &Block) -> bool {
    block.parsed.effect == Some(Effect::Write)
}

/// How many bytes a few typed characters add to a block or take from it.
const TYPED: usize = 16;

/// What blocks have in common of which an edit has made one of the other.
type Common<'a> = Option<(&'a str, Option<&'a str>, Option<&'a str>)>;

/// Which blocks an edit has made of which: of those that came and went, the only one with the same
/// id, or else with the same action and path, where a few characters were typed; or with all three of
/// them. Another block in its place is a new one.
fn edited(
    left: &HashMap<usize, (Arc<Entry>, bool)>,
    come: &[(Rank, Arc<Block>)],
) -> HashMap<Rank, Arc<Entry>> {
    let mut from = HashMap::default();
    pair(left, come, &mut from, |it| {
        Some((it.dialect.name(), Some(it.parsed.id.as_deref()?), None))
    });
    pair(left, come, &mut from, |it| {
        let Parsed { action, path, .. } = &it.parsed;
        Some((it.dialect.name(), action.as_deref(), path.as_deref()))
    });
    from
}

/// Finds the blocks of each kind of which one came and one went.
fn pair<'a>(
    left: &'a HashMap<usize, (Arc<Entry>, bool)>,
    come: &'a [(Rank, Arc<Block>)],
    from: &mut HashMap<Rank, Arc<Entry>>,
    common: impl Fn(&'a Block) -> Common<'a>,
) {
    let mut gone: HashMap<_, Vec<&Arc<Entry>>> = HashMap::default();
    for (entry, _) in left.values() {
        gone.entry(common(&entry.block)).or_default().push(entry);
    }
    let mut here: HashMap<_, Vec<&(Rank, Arc<Block>)>> = HashMap::default();
    for one in come {
        here.entry(common(&one.1)).or_default().push(one);
    }
    for (of, here) in here.iter().filter(|(of, _)| of.is_some()) {
        let gone = gone.get(of).map(Vec::as_slice).unwrap_or_default();
        let ([entry], [(rank, block)]) = (gone, here.as_slice()) else { continue };
        let of = |block: &Block| (block.parsed.action.clone(), block.parsed.path.clone());
        let [old, new] = [&entry.block, block];
        let same_id = old.parsed.id.is_some() && old.parsed.id == new.parsed.id;
        if old.len.abs_diff(new.len) <= TYPED || same_id && of(old) == of(new) {
            from.entry(*rank).or_insert_with(|| Arc::clone(entry));
        }
    }
}

/// What a block changes, as it was planned last and on its base.
fn candidates(review: &Review, rank: Rank) -> Vec<Work> {
    let Some((index, entry)) = review.index_of(rank) else { return Vec::new() };
    if entry.planned.is_none() || entry.inside || entry.status == Status::Superseded {
        return Vec::new();
    }
    let work = |planned: &Arc<CheckResult>| {
        let name = name(index, entry.block.parsed.id.as_deref());
        let (block, title) = (entry.id(), entry.block.title());
        Work { block, name, title, transitions: planned.targets.clone(), part: None }
    };
    entry.plans().map(work).collect()
}

/// Notes what the model is told of blocks that somebody has made by hand.
fn tell(book: &mut Book, review: &Review, index: &Index, operation: &Operation) {
    for work in &operation.works {
        let near = work.transitions.iter().flat_map(|it| index.at(&it.path));
        let mut near = near.filter_map(|rank| review.pages.get(rank));
        let entry = near.find(|entry| entry.id() == work.block);
        let mut plans = entry.into_iter().flat_map(|entry| entry.plans());
        if let Some(planned) = plans.find(|it| it.targets == work.transitions) {
            let outcome = planned.outcome.clone();
            book.note(&operation.transcript, work.block, Some(Ok(outcome)));
        }
    }
}
