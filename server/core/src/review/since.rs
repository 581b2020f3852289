//! The workspace as a block sees it that was written for files as they were when it came in.

use std::collections::HashMap;

use super::book::Base;
use crate::edit::Hunk;
use crate::ledger::Transition;
use crate::path::FilePath;
use crate::snapshot::{Layer, Snapshot};

/// What a block is planned on.
#[derive(Clone, Copy)]
pub struct On<'a> {
    /// The workspace with what earlier blocks are about to do.
    pub snapshot: &'a dyn Snapshot,
    /// The same without that: the observed base is held against it, so that it makes nothing stale.
    pub now: &'a dyn Snapshot,
    /// What the earlier blocks are about to do to lines.
    pub staged: Option<&'a StagedLines>,
}

impl<'a> On<'a> {
    /// The workspace as it is.
    pub fn now(snapshot: &'a dyn Snapshot) -> On<'a> {
        On { snapshot, now: snapshot, staged: None }
    }
}

/// How blocks that are staged change the lines of files, in order; `None` where that is not known.
#[derive(Default)]
pub struct StagedLines(HashMap<FilePath, Option<Vec<Hunk>>>);

impl StagedLines {
    /// Takes in what a block is about to change.
    pub fn stage(&mut self, targets: &[Transition]) {
        for Transition { path, lines, .. } in targets.iter().filter(|it| it.changes()) {
            let all = self.0.entry(path.clone()).or_insert_with(|| Some(Vec::new()));
            match (all.as_mut(), lines) {
                (Some(known), Some(lines)) => known.push(*lines),
                _ => *all = None,
            }
        }
    }
}

/// A snapshot that knows where lines are now whose numbers a block states.
pub struct Since<'a> {
    /// What the block is planned on.
    pub on: On<'a>,
    /// The base of the block, where it is known.
    pub base: Option<Base<'a>>,
}

impl Layer for Since<'_> {
    fn inner(&self) -> &dyn Snapshot {
        self.on.snapshot
    }

    fn line_now(&self, path: &FilePath, line: usize) -> Option<usize> {
        let On { snapshot, now, staged } = self.on;
        let (planned, now) = (snapshot.state(path).ok()?, now.state(path).ok()?);
        let line = match self.base {
            Some(base) => base.line_since(path, now, line)?,
            None => line,
        };
        // What is staged may lead back to what is there: that has moved lines all the same.
        match staged.and_then(|staged| staged.0.get(path)) {
            Some(changes) => {
                changes.as_ref()?.iter().try_fold(line, |line, it| it.line_after(line))
            }
            None => (planned == now).then_some(line),
        }
    }
}
