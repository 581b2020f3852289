//! The files that blocks were to change and have not: line numbers further down may count on that.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Book, Proposal, Status};
use crate::command::Command;
use crate::limits::Limits;
use crate::path::FilePath;
use crate::scan::Block;
use crate::snapshot::{PathStyle, Snapshot, Through};
use crate::spec::Effect;

/// The files of blocks that are not applied, and of which no reply has told that.
#[derive(Default)]
pub struct Unmade(HashSet<FilePath>);

impl Unmade {
    /// Takes in a block that is not applied. `looked_at` is empty for one that cannot be read.
    pub fn add(&mut self, block: &Block, looked_at: &[FilePath], snapshot: &dyn Snapshot) {
        if !matches!(block.parsed.effect, Some(Effect::Write) | None) {
            return;
        }
        self.0.extend(looked_at.iter().cloned());
        if looked_at.is_empty() {
            let paths = PathStyle::Either;
            let through = Through { inner: snapshot, paths, working_set: None };
            let path = block.parsed.path.as_deref();
            self.0.extend(path.and_then(|path| Snapshot::resolve(&through, path).ok()));
        }
    }

    /// Takes in a proposal, unless it is applied, another one takes its place, or the model was told of it.
    pub fn add_proposal(&mut self, proposal: &Proposal, snapshot: &dyn Snapshot) {
        let is_done =
            matches!(proposal.status, Status::Applied | Status::Satisfied | Status::Superseded);
        if !is_done && !proposal.is_told {
            self.add(&proposal.placed.block, &proposal.check_result.looked_at, snapshot);
        }
    }

    /// Whether a block states line numbers of one of the files.
    pub fn misleads(&self, block: &Block, looked_at: &[FilePath]) -> bool {
        let counts_lines = || block.parsed.command.as_ref().is_some_and(Command::counts_lines);
        !self.0.is_empty() && counts_lines() && looked_at.iter().any(|path| self.0.contains(path))
    }

    /// A proposal, which needs a look of its own where it states line numbers of one of the files.
    pub fn below<'p>(
        &self,
        proposal: &'p Proposal,
        snapshot: &dyn Snapshot,
        limits: &Limits,
    ) -> Cow<'p, Proposal> {
        let paths = || Book::paths(proposal, snapshot, limits);
        match !self.0.is_empty() && self.misleads(&proposal.placed.block, &paths()) {
            true => Cow::Owned(Proposal { below_unmade: true, ..proposal.clone() }),
            false => Cow::Borrowed(proposal),
        }
    }
}
