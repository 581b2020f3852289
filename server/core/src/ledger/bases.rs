//! What was there when blocks were first complete, by transcript.

use std::sync::Arc;

use super::identity::{BlockId, Transcript};
use super::{HashMap, Ledger};
use crate::path::{FilePath, State};

/// What was there when a block was first complete.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Base {
    /// What was at each of its paths; the events that tell of it share it.
    pub at: Arc<[(FilePath, State)]>,
    /// Whether it had several places in these files.
    pub ambiguous: bool,
}

type ByBlock = HashMap<Transcript, HashMap<BlockId, Base>>;

/// The bases of blocks. A kept ledger has tens of thousands, so they are not added to those that a
/// server has found besides, but lie below them.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Bases {
    own: ByBlock,
    /// Those that a kept ledger has told of; one of the same block above counts.
    told: ByBlock,
}

impl Bases {
    fn get(&self, transcript: &Transcript, block: BlockId) -> Option<&Base> {
        let all = [&self.own, &self.told].into_iter();
        all.filter_map(|all| all.get(transcript)).find_map(|bases| bases.get(&block))
    }

    pub(super) fn set(&mut self, transcript: &Transcript, block: BlockId, base: Base) {
        match self.own.get_mut(transcript) {
            Some(bases) => bases.insert_mut(block, base),
            None => {
                let bases = [(block, base)].into_iter().collect();
                self.own.insert_mut(transcript.clone(), bases);
            }
        }
    }

    /// Adds a base to a block that has none.
    fn add(&mut self, transcript: &Transcript, block: BlockId, base: &Base) {
        if self.get(transcript, block).is_none() {
            self.set(transcript, block, base.clone());
        }
    }
}

impl Ledger {
    /// What was there when a block was first complete.
    pub fn base(&self, transcript: &Transcript, block: BlockId) -> Option<&Base> {
        self.bases.get(transcript, block)
    }

    /// Puts the bases of this ledger, which was just read, below those that an earlier state of it has
    /// and this one does not. Where it goes on from what was read then, that takes no time for those
    /// that it tells of.
    pub fn keep_bases(&mut self, of: &Ledger, goes_on: bool) {
        let told = std::mem::take(&mut self.bases.own);
        let own = of.bases.own.iter().map(|(transcript, bases)| {
            let told = told.get(transcript);
            let is_told = |block, base| told.is_some_and(|told| told.get(block) == Some(base));
            let rest = bases.iter().filter(|(block, base)| !is_told(*block, *base));
            let rest: HashMap<_, _> = rest.map(|(block, base)| (*block, base.clone())).collect();
            (transcript.clone(), rest)
        });
        let own = own.filter(|(_, bases)| !bases.is_empty()).collect();
        self.bases = Bases { own, told };
        if goes_on {
            return;
        }
        for (transcript, bases) in &of.bases.told {
            bases.iter().for_each(|(block, base)| self.bases.add(transcript, *block, base));
        }
    }

    /// Gives the blocks of a transcript the bases of those of another one, whose copy it is.
    pub fn copy_bases(&mut self, of: &Transcript, to: &Transcript) {
        let Bases { own, told } = self.bases.clone();
        for bases in [own, told].iter().filter_map(|all| all.get(of)) {
            bases.iter().for_each(|(block, base)| self.bases.add(to, *block, base));
        }
    }

    /// How many bases of blocks of a transcript were found besides those that a kept ledger tells of.
    pub fn own_bases_of(&self, transcript: &Transcript) -> usize {
        self.bases.own.get(transcript).map_or(0, |bases| bases.size())
    }

    /// Removes those of all blocks of a transcript but the ones of which `is_there` says so.
    pub fn bound_bases(&mut self, transcript: &Transcript, is_there: impl Fn(BlockId) -> bool) {
        let Some(bases) = self.bases.own.get(transcript) else { return };
        let there = bases.iter().filter(|(block, _)| is_there(**block));
        let there = there.map(|(block, base)| (*block, base.clone())).collect();
        self.bases.own.insert_mut(transcript.clone(), there);
    }
}
