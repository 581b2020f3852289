//! What a review asks the ledger, and what it adds to it by looking at files.

use std::collections::HashMap;
use std::sync::Arc;

use rpds::{HashTrieMapSync, HashTrieSetSync};
use serde_json::Value;

use super::{CheckResult, Proposal, Status};
use crate::dialect::{Failure, Told};
use crate::fingerprint::Fingerprint;
use crate::ledger::{
    self, BlockId, Candidate, Door, Event, Kept, Ledger, Observation, Operation, Standing,
    Transcript, Transition, Work,
};
use crate::path::{FilePath, State};
use crate::plan::Outcome;
use crate::scan::{Block, Scan};
use crate::spec::Effect;

/// How many equal blocks above a block are asked about.
const MOST_EQUAL: u32 = 16;

/// The ledger, and which transcript asks it. A clone is cheap and does not change.
#[derive(Clone, Default)]
pub struct Book {
    /// What was done in the workspace.
    pub ledger: Ledger,
    /// The transcript under review.
    pub transcript: Transcript,
    /// The time of the review, in milliseconds since 1970-01-01 UTC.
    pub now: u64,
    /// Another number says that something else may be known of blocks.
    pub edition: u64,
    /// What the model is told of blocks that were applied, run or refused since the program began.
    told: HashTrieMapSync<(Transcript, BlockId), Arc<Told>>,
    /// The files that another program has changed while an editor shows them, which has not reloaded
    /// them: what it shows says nothing. With what it showed then, where that is known.
    unread: HashTrieMapSync<FilePath, Option<State>>,
    /// The files that an editor had not saved when its server ended, until it shows them again: what is
    /// on disk says nothing.
    left: HashTrieSetSync<FilePath>,
    /// What reviews have added to the ledger.
    found: Vec<Event>,
}

/// The base of a block: what was at its paths when it was first complete, and who changed it since.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    book: &'a Book,
    block: BlockId,
    /// What was there; `None` where all that is known of the block is that it was applied.
    known: Option<&'a ledger::Base>,
}

impl Base<'_> {
    /// Whether somebody else than the blocks of the transcript has changed a file, which is `now`
    /// like this, since the block was first complete.
    pub fn is_outdated(&self, path: &FilePath, now: State) -> bool {
        let Book { ledger, transcript, .. } = self.book;
        self.of(path).is_some_and(|was| !ledger.is_fresh(transcript, path, was, now))
    }

    /// Whether the block had several places, and blocks have changed a file since, which is `now` like
    /// this: a place that is left over may be another one than is meant.
    pub fn was_ambiguous(&self, path: &FilePath, now: State) -> bool {
        let changed = |was| self.book.ledger.is_changed_since(path, was, now);
        self.known.is_some_and(|base| base.ambiguous) && self.of(path).is_some_and(changed)
    }

    /// Whether the block was applied, and all of that was undone.
    pub fn was_undone(&self) -> bool {
        self.book.ledger.standing(&self.book.transcript, self.block, true).undone
    }

    /// Where a line of a file, which is `now` like this, is that had this number then; `None` where that
    /// is not known.
    pub fn line_since(&self, path: &FilePath, now: State, line: usize) -> Option<usize> {
        if self.known.is_none() {
            return Some(line);
        }
        self.book.ledger.line_since(path, self.of(path)?, now, line)
    }

    /// Whether changes are of what was there when the block was first complete.
    pub fn has(&self, changes: &[Transition]) -> bool {
        !changes.is_empty() && changes.iter().all(|it| self.of(&it.path) == Some(it.before))
    }

    fn of(&self, path: &FilePath) -> Option<State> {
        self.known?.at.iter().find(|(known, _)| known == path).map(|(_, was)| *was)
    }
}

impl Book {
    /// The ledger as a transcript asks it at the time `now`.
    pub fn new(ledger: Ledger, transcript: Transcript, now: u64) -> Book {
        Book { ledger, transcript, now, ..Book::default() }
    }

    /// The same as another transcript asks it at the time `now`.
    pub fn for_transcript(&self, transcript: Transcript, now: u64) -> Book {
        Book { transcript, now, ..self.clone() }
    }

    /// Whether another book is of the same edition, so that it says the same of all blocks.
    pub fn is_as(&self, other: &Book) -> bool {
        self.edition == other.edition && self.transcript == other.transcript
    }

    /// Whether another ledger says the same of a block.
    pub fn says_the_same(&self, other: &Book, block: &Block, nth: u32) -> bool {
        let id = BlockId { text: block.digest, nth };
        let said = |book: &Book| book.ledger.standing(&book.transcript, id, true);
        self.transcript == other.transcript
            && self.told.get(&self.key(id)).map(Arc::as_ptr)
                == other.told.get(&other.key(id)).map(Arc::as_ptr)
            && self.ledger.told(&self.transcript, id) == other.ledger.told(&other.transcript, id)
            && said(self) == said(other)
    }

    /// Whether some block of a transcript was applied or answered before.
    pub fn concerns(&self, scan: &Scan) -> bool {
        let mut equal: HashMap<Fingerprint, u32> = HashMap::new();
        let mut id = |text| {
            let next = equal.entry(text).or_default();
            let nth = *next;
            *next += 1;
            BlockId { text, nth }
        };
        let mut ids = scan.blocks().map(|it| id(it.block.digest));
        !self.ledger.is_empty() && ids.any(|it| self.ledger.knows_block(&self.transcript, it))
    }

    /// Takes in what was found at some files; returns what happened. `candidates` gives the blocks
    /// that change a path, in document order.
    pub fn observe(
        &mut self,
        found: &[Observation],
        candidates: &dyn Fn(&FilePath) -> Vec<Candidate>,
    ) -> Vec<Event> {
        let is_old =
            |it: &Observation| it.closed && self.is_left(&it.path) && self.ledger.is_reversal(it);
        let news: Vec<Observation> = found.iter().filter(|it| !is_old(it)).cloned().collect();
        let events = self.ledger.observe(&news, self.now, candidates);
        self.found.extend(events.iter().cloned());
        events
    }

    /// Takes in that another program has changed a file that an editor shows, as it was `before` where
    /// that is known.
    pub fn mark_unread(&mut self, path: FilePath, before: Option<State>) {
        if !self.is_unread(&path) {
            self.unread.insert_mut(path, before);
        }
    }

    /// Takes in what an editor showed of such a file before that, where that was not known. What the ledger
    /// says when another program changes the file once more, the editor has never shown.
    pub fn note_shown_before(&mut self, path: &FilePath, before: State) {
        if self.is_unread(path) && self.shown_before(path).is_none() {
            self.unread.insert_mut(path.clone(), Some(before));
        }
    }

    /// Whether another program has changed a file that an editor shows and has not reloaded.
    pub fn is_unread(&self, path: &FilePath) -> bool {
        self.unread.contains_key(path)
    }

    /// What an editor showed of such a file before that, as far as is known.
    pub fn shown_before(&self, path: &FilePath) -> Option<State> {
        self.unread.get(path).copied().flatten()
    }

    /// Those files.
    pub fn unread(&self) -> impl Iterator<Item = &FilePath> {
        self.unread.keys()
    }

    /// Takes in that an editor has reloaded a file, saved it or closed it.
    pub fn mark_read(&mut self, path: &FilePath) {
        self.unread.remove_mut(path);
    }

    /// Takes in what somebody has typed in such a file. Where the other program has undone blocks that
    /// are in the text, they are there again once it is saved.
    pub fn note_typed(&mut self, path: &FilePath, typed: State) {
        let Some(before @ State::File(on)) = self.shown_before(path) else { return };
        let is_redo =
            |state| self.ledger.is_redo(&Observation { path: path.clone(), state, closed: false });
        if is_redo(before) && !self.ledger.knows(path, typed) {
            let event = Event::Saved { path: path.clone(), to: typed, on: Some(on) };
            self.ledger.apply(&event);
            self.edition += 1;
        }
    }

    /// Takes in that an editor had not saved a file when its server ended.
    pub fn mark_left(&mut self, path: FilePath) {
        self.left.insert_mut(path);
    }

    /// Takes in that an editor shows a file, or has saved or closed it.
    pub fn mark_shown(&mut self, path: &FilePath) {
        self.left.remove_mut(path);
    }

    /// Whether an editor had not saved a file when its server ended, and has not shown it since.
    pub fn is_left(&self, path: &FilePath) -> bool {
        self.left.contains(path)
    }

    /// Takes out what reviews have added to the ledger.
    pub fn take_found(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.found)
    }

    /// The base of a block; `None` of one that nobody knows.
    pub fn base(&self, block: BlockId) -> Option<Base<'_>> {
        let known = self.ledger.base(&self.transcript, block);
        let is_known = known.is_some() || self.ledger.knows_block(&self.transcript, block);
        is_known.then_some(Base { book: self, block, known })
    }

    /// Adds paths with what is there to the base of a block; a path that it has stays as it is.
    pub fn propose(&mut self, block: BlockId, there: impl Iterator<Item = (FilePath, State)>) {
        let known = self.ledger.base(&self.transcript, block);
        let mut at = known.map_or_else(Vec::new, |base| base.at.to_vec());
        for (path, state) in there {
            if !at.iter().any(|(known, _)| *known == path) {
                at.push((path, state));
            }
        }
        if known.is_none_or(|base| base.at.len() != at.len()) {
            let ambiguous = known.is_some_and(|base| base.ambiguous);
            self.note_base(block, ledger::Base { at: at.into(), ambiguous });
        }
    }

    /// Gives a block that an edit made of another one the base of that one. Whether it has several places
    /// there is to be seen.
    pub fn inherit(&mut self, block: BlockId, from: BlockId) {
        if self.ledger.base(&self.transcript, block).is_none()
            && let Some(base) = self.ledger.base(&self.transcript, from).cloned()
        {
            self.note_base(block, ledger::Base { ambiguous: false, ..base });
        }
    }

    /// Takes in that a block has several places, which counts where its files are as they were.
    pub fn mark_ambiguous(&mut self, block: BlockId, now: impl Fn(&FilePath) -> Option<State>) {
        let Some(base) = self.ledger.base(&self.transcript, block) else { return };
        if !base.ambiguous && base.at.iter().all(|(path, was)| now(path) == Some(*was)) {
            let base = ledger::Base { ambiguous: true, ..base.clone() };
            self.note_base(block, base);
        }
    }

    fn note_base(&mut self, block: BlockId, base: ledger::Base) {
        let event = Event::proposed(self.transcript.clone(), block, base);
        self.ledger.apply(&event);
        self.found.push(event);
    }

    /// What the ledger says of a block. A change of files counts whichever transcript it was in, if
    /// it was one of the files that the block is about, or none of them can be reached any more.
    pub fn standing(&self, block: &Block, nth: u32, about: &[FilePath]) -> Standing {
        let everywhere = block.parsed.effect == Some(Effect::Write);
        let id = BlockId { text: block.digest, nth };
        // The same path may lead to another file in another folder.
        let is_at = |path: &FilePath| about.iter().any(|it| path.is_within(it));
        let is_about =
            |work: &Work| about.is_empty() || work.transitions.iter().any(|it| is_at(&it.path));
        let mut standing = self.ledger.standing_where(&self.transcript, id, everywhere, is_about);
        // Where no reply in the transcript can say so, the ledger does.
        let is_refused = || standing.answer.as_ref().is_some_and(|answer| answer.refused);
        standing.rejected |= block.answered_as().is_none() && is_refused();
        standing
    }

    /// Whether a block that was checked would make the change of one of the first equal blocks above
    /// once more.
    pub(super) fn is_made_above(&self, block: &Block, nth: u32, checked: &CheckResult) -> bool {
        let is_applied = |above| self.standing(block, above, &checked.looked_at).applied.is_some();
        checked.status == Status::Ready
            && !checked.targets.is_empty()
            && (0..nth.min(MOST_EQUAL)).any(is_applied)
    }

    /// Notes what the model is told of a block of a transcript; nothing any more with `None`.
    pub fn note(&mut self, transcript: &Transcript, block: BlockId, told: Option<Told>) {
        let key = (transcript.clone(), block);
        match told {
            Some(told) => self.told.insert_mut(key, Arc::new(told)),
            None => _ = self.told.remove_mut(&key),
        }
    }

    /// Takes over what the model is told of some blocks of the transcript of another book.
    pub fn note_all(&mut self, other: &Book, blocks: impl Iterator<Item = BlockId>) {
        for key in blocks.map(|block| other.key(block)) {
            if let Some(told) = other.told.get(&key) {
                self.told.insert_mut(key, told.clone());
            }
        }
    }

    /// What the model was told of a proposal that was applied, run, tried or refused.
    pub fn told(&self, proposal: &Proposal) -> Option<Told> {
        let own = self.told.get(&self.key(proposal.id())).map(|told| Told::clone(told));
        let told = own.or_else(|| self.kept(proposal))?;
        let is_undone = || proposal.effect() == Some(Effect::Write) && proposal.by.is_none();
        let holds = match told {
            // Whoever removes the refusal from the transcript takes it back.
            Err(Failure::Refused) => proposal.status == Status::Rejected,
            Err(_) => true,
            Ok(_) => !is_undone(),
        };
        holds.then_some(told)
    }

    /// The same as the ledger has it: what was told before the program began.
    fn kept(&self, proposal: &Proposal) -> Option<Told> {
        let id = proposal.id();
        let told = |transcript| self.ledger.told(transcript, id).and_then(Kept::told);
        match (proposal.status, &proposal.by) {
            // Editors and people do not write down what the model is told.
            (Status::Applied, Some(by)) if by.door == Door::Cli => told(&by.transcript),
            (Status::Applied | Status::Rejected, None) => {
                told(&self.transcript).or_else(|| self.ran(proposal))
            }
            _ => None,
        }
    }

    /// What a block that was applied has left in its files, where nothing else is known of it.
    pub fn left_by(&self, proposal: &Proposal) -> Option<Outcome> {
        let work = self.work_of(proposal)?;
        let files = work.transitions.iter().filter_map(|it| match it.after {
            State::File(fingerprint) => Some(format!("{}, {fingerprint}", it.path)),
            _ => None,
        });
        let gone = work.transitions.iter().filter(|it| it.after == State::Missing);
        let mut left: Vec<String> = files.collect();
        if left.is_empty() {
            left.extend(gone.map(|it| format!("{}, deleted", it.path)));
        }
        Some(Outcome::noted(format!("applied {}", left.join(", ")).trim_end()))
    }

    /// What a block has changed that was applied.
    pub fn work_of(&self, proposal: &Proposal) -> Option<&Work> {
        let operation = self.ledger.operation(proposal.by.as_ref()?.operation)?;
        operation.works.iter().find(|work| work.block == proposal.id())
    }

    /// How a program has ended whose output was too long to be kept.
    fn ran(&self, proposal: &Proposal) -> Option<Told> {
        let answer = self.ledger.answer(&self.transcript, proposal.id())?;
        let summary = answer.summary.clone();
        (proposal.effect() == Some(Effect::Exec)).then(|| match answer.ok {
            true => Ok(Outcome::noted(summary)),
            false => Err(Failure::Noted { message: summary, data: Value::Null }),
        })
    }

    fn key(&self, block: BlockId) -> (Transcript, BlockId) {
        (self.transcript.clone(), block)
    }

    /// Takes in that blocks were applied just now, in one step.
    pub fn made(&mut self, door: Door, works: Vec<Work>) {
        let (id, transcript) = (self.ledger.next_id(), self.transcript.clone());
        let operation = Operation { id, time: self.now, door, transcript, works };
        self.ledger.hand_over(operation, self.now, &|_| false);
        self.ledger.apply(&Event::Claimed { operation: id });
    }
}
