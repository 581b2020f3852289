//! A transcript's working set as the blocks before a block leave it.

use std::collections::BTreeSet;

use super::Proposal;
use crate::plan;
use crate::snapshot::{PathStyle, Snapshot, Through};

/// The working set of a transcript, followed from block to block.
#[derive(Default)]
pub struct WorkingSet(BTreeSet<String>);

impl WorkingSet {
    /// The workspace with this working set.
    pub fn on<'a>(&'a self, snapshot: &'a dyn Snapshot) -> Through<'a> {
        Through { inner: snapshot, paths: PathStyle::Relative, working_set: Some(&self.0) }
    }

    /// Takes over what a block that is done changes in it.
    pub fn follow(&mut self, done: &Proposal, snapshot: &dyn Snapshot) {
        if let Some(command) = &done.placed.block.parsed.command {
            plan::follow(&mut self.0, command, snapshot);
        }
    }
}
