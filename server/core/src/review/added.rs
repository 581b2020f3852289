//! What the blocks above have changed in one run: a block that makes the same change again needs a look, as
//! models show a change once more to sum up.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::{Proposal, Status};
use crate::edit::added_lines;
use crate::fingerprint::Fingerprint;
use crate::path::FilePath;
use crate::plan::caution::{Caution, edited};

/// The blocks that are made in this run, and the lines that they have added to files, without the blanks
/// around them.
#[derive(Default)]
pub struct Added {
    blocks: HashSet<Fingerprint>,
    lines: HashMap<FilePath, HashSet<String>>,
}

impl Added {
    /// Takes in a block that is made.
    pub fn add(&mut self, made: &Proposal) {
        let Some(plan) = made.plan.as_ref().filter(|plan| !plan.changes.is_empty()) else { return };
        self.blocks.insert(made.placed.block.digest);
        for (path, before, after) in plan.changes.iter().filter_map(edited) {
            let lines = self.lines.entry(path.clone()).or_default();
            lines.extend(added_lines(before, after).map(str::to_owned));
        }
    }

    /// A proposal, which needs a look where an equal block is made, or where the lines that it adds were
    /// added by others and are near their place.
    #[must_use]
    pub fn above(&self, checked: Proposal) -> Proposal {
        let is_sound = checked.status == Status::Ready && checked.caution().is_none();
        let Some(plan) = checked.plan.as_ref().filter(|_| is_sound) else { return checked };
        let block = &checked.placed.block;
        let has_added =
            |path: &FilePath, line: &str| self.lines.get(path).is_some_and(|it| it.contains(line));
        let mut check_result = checked.check_result.clone();
        if self.blocks.contains(&block.digest) {
            Arc::make_mut(&mut check_result).made_above(block);
        } else if let Some(caution) = Caution::repeats(plan, has_added) {
            Arc::make_mut(&mut check_result).look_at(block, caution);
        }
        Proposal { check_result, ..checked }
    }
}
