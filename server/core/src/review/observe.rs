//! The base of new blocks: the state of their targets when the text came in.

use foldhash::{HashMap, HashSet};

use super::memory::Seen;
use super::place::open_command;
use super::reviewer::{Reviewer, key};
use super::update::unchanged;
use crate::limits::Limits;
use crate::scan::Scan;
use crate::snapshot::{ByName, FilePath, Snapshot, State};

impl Reviewer {
    /// Records the state of the targets of new blocks as their base. The snapshot may be a later one
    /// when the blocks are checked.
    pub fn observe(&mut self, scan: &Scan, snapshot: &dyn Snapshot, limits: &Limits) {
        let snapshot = ByName::new(snapshot);
        let mut known: HashMap<FilePath, Option<State>> = HashMap::default();
        let mut state = |path: &FilePath| {
            *known.entry(path.clone()).or_insert_with(|| snapshot.state(path).ok())
        };
        let (first, end) = unchanged(&self.last.review.scan, scan);
        for piece in &scan.pieces()[first..scan.pieces().len() - end] {
            for (_, _, block) in piece.commands().take(scan.looked_at(piece)) {
                if limits.cancel.is_cancelled() {
                    return;
                }
                if let Ok(command) = open_command(block, false, false)
                    && !self.seen.contains_key(&key(block))
                {
                    let seen = Seen::observed(block, command, &snapshot, limits, &mut state);
                    self.seen.insert(key(block), seen);
                    self.sweep = true;
                }
            }
        }
    }

    /// Makes the next review afresh, with what history knows of the blocks.
    pub fn start_over(&mut self) {
        self.last = Default::default();
        self.void.clear();
        self.read.clear();
        self.seen.values_mut().for_each(|seen| seen.void = true);
        self.sweep = true;
    }

    /// Forgets what history knows of blocks that a complete review did not find.
    pub(super) fn sweep(&mut self) {
        if std::mem::take(&mut self.sweep) {
            let entries = self.last.review.pages.entries();
            let there: HashSet<_> = entries.map(|(_, entry)| key(&entry.block)).collect();
            self.seen.retain(|key, _| there.contains(key));
        }
    }
}
