//! What a review asks the ledger: whether a block was applied before, by whatever program.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt};

use super::index::Said;
use super::judge::Judgement;
use crate::fingerprint::Fingerprint;
use crate::ledger::{BlockId, By, Event, Ledger, Observation, Transcript, Work};
use crate::scan::{Block, Piece, Rank, Scan};
use crate::snapshot::{FilePath, Snapshot, State};
use crate::spec::Effect;

/// The ledger, and which transcript is asked about.
#[derive(Clone, Default)]
pub struct Book {
    /// What was done in the workspace.
    pub ledger: Ledger,
    /// The transcript under review.
    pub transcript: Transcript,
    /// Which state of the kept ledger it is: its length in bytes and its time.
    pub edition: (u64, u128),
    /// The files that are not as the kept ledger has them.
    pub news: BTreeSet<FilePath>,
}

impl Book {
    /// Whether nothing was ever done, so that nothing has to be asked.
    pub fn is_empty(&self) -> bool {
        self.ledger.is_empty()
    }

    /// Whether another ledger says the same of a block.
    pub fn says_the_same(&self, other: &Book, block: &Block, nth: u32) -> bool {
        let id = BlockId { text: block.digest, nth };
        let said = |book: &Book| book.ledger.standing(&book.transcript, id, true);
        self.transcript == other.transcript && said(self) == said(other)
    }

    /// Whether some block of a transcript was applied before.
    pub fn concerns(&self, scan: &Scan) -> bool {
        let mut blocks = scan.blocks();
        !self.is_empty() && blocks.any(|it| self.ledger.has_text(it.block.digest))
    }

    /// Looks at the files of blocks that were applied before: whether what was done there stands.
    pub fn look(&mut self, blocks: &[BlockId], snapshot: &dyn Snapshot) {
        let paths: BTreeSet<&FilePath> =
            blocks.iter().flat_map(|block| self.ledger.paths_of(*block)).collect();
        let found: Vec<Observation> =
            paths.into_iter().filter_map(|path| Observation::of(path, snapshot)).collect();
        let events = self.ledger.observe(&found, 0, &|_| Vec::new());
        if events.iter().any(Event::is_lasting) {
            self.news.extend(found.into_iter().map(|it| it.path));
        }
    }

    /// By what a block was applied; a change of files counts whichever transcript it was in.
    pub fn applied(&self, block: &Block, nth: u32, looked_at: &[FilePath]) -> Option<By> {
        let everywhere = block.parsed.effect == Some(Effect::Write);
        let id = BlockId { text: block.digest, nth };
        // The same path may lead to another file in another folder.
        let is_about = |work: &Work| {
            work.transitions.iter().any(|it| looked_at.iter().any(|path| it.path.is_within(path)))
        };
        self.ledger.standing_where(&self.transcript, id, everywhere, is_about).applied
    }

    /// Whether a reply says what this program has done: the ledger knows of it, or the reply states
    /// the fingerprint that the command leaves.
    pub fn verifies(
        &self,
        block: &Block,
        nth: u32,
        said: &Said,
        judgement: &Judgement,
        snapshot: &dyn Snapshot,
    ) -> bool {
        let everywhere = block.parsed.effect == Some(Effect::Write);
        let id = BlockId { text: block.digest, nth };
        let standing = self.ledger.standing(&self.transcript, id, everywhere);
        let answered = standing
            .answer
            .as_ref()
            .is_some_and(|it| (it.ok, it.refused) == (said.ok, said.refused));
        let was_done = standing.applied.is_some() || standing.undone;
        answered || said.ok && (was_done || self.states_what_is_there(said, judgement, snapshot))
    }

    fn states_what_is_there(
        &self,
        said: &Said,
        judgement: &Judgement,
        snapshot: &dyn Snapshot,
    ) -> bool {
        said.stated.iter().map(|fingerprint| State::File(*fingerprint)).any(|state| {
            judgement.targets.iter().any(|target| target.after == state)
                || judgement
                    .looked_at
                    .iter()
                    .any(|path| self.ledger.knows(path, state) || snapshot.state(path) == Ok(state))
        })
    }
}

/// The numbers of blocks among equal ones, but for the first of each.
pub fn numbers(scan: &Scan) -> HashMap<Rank, u32> {
    let mut seen: HashMap<Fingerprint, u32> = HashMap::new();
    let mut numbers = HashMap::new();
    for (rank, _, block) in scan.pieces().iter().flat_map(Piece::commands) {
        let count = seen.entry(block.digest).or_insert(0);
        if *count > 0 {
            numbers.insert(rank, *count);
        }
        *count += 1;
    }
    numbers
}
