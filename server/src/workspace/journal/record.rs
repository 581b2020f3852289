//! What the record of a transaction says.

use std::collections::HashMap;

use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{Operation, OperationId, Work};
use operator_core::path::FilePath;

use super::check::rebase;
use super::log::{Header, Line, VERSION};
use super::step::{Saved, Step};
use crate::workspace::Workspace;
use crate::workspace::errors::JournalError;

/// What a record says.
#[derive(Debug, Default)]
pub(super) struct Record {
    roots: Vec<String>,
    header: Option<Header>,
    works: Works,
    steps: Vec<Recorded>,
    /// What the steps left that were undone, by their numbers.
    after: HashMap<usize, Saved>,
    /// The steps as they were undone, while they are made again.
    earlier: Option<(Vec<Recorded>, HashMap<usize, Saved>)>,
    contents: Vec<(Fingerprint, u64, u64)>,
    trees: Vec<String>,
    shown: Vec<FilePath>,
    settled: bool,
    committed: bool,
    reverted: bool,
    handed: bool,
}

#[derive(Debug)]
struct Recorded {
    step: Step,
    undone: bool,
    /// Whether it was left as it is because somebody wants that.
    skipped: bool,
}

/// The blocks of a transaction, each with the number of its first step.
#[derive(Debug, Clone, Default)]
pub(super) struct Works(Vec<(usize, Work)>);

impl Works {
    /// Adds blocks whose first step gets this number.
    pub(super) fn add(&mut self, step: usize, works: impl IntoIterator<Item = Work>) {
        self.0.extend(works.into_iter().map(|work| (step, work)));
    }

    /// Drops the blocks of the steps from this one on.
    pub(super) fn take_back(&mut self, to: usize) {
        self.0.retain(|(step, _)| *step < to);
    }

    /// The blocks in order.
    pub(super) fn all(&self) -> Vec<Work> {
        self.0.iter().map(|(_, work)| work.clone()).collect()
    }
}

impl Record {
    /// Takes the next line; whether it can follow those before it.
    pub(super) fn take(&mut self, line: Line) -> bool {
        match line {
            Line::Begin { version, roots } => {
                self.roots = roots;
                return version == VERSION;
            }
            Line::Operation(header) => self.header = Some(header),
            Line::Work(work) => self.works.add(self.steps.len(), [work]),
            Line::Step(step) => {
                if let Step::Write { before: Some(saved), .. } = &step {
                    self.keeps(saved);
                }
                self.steps.push(Recorded { step, undone: false, skipped: false });
                self.settled = false;
            }
            Line::Undone { step } => match self.steps.get_mut(step) {
                Some(recorded) => {
                    recorded.undone = true;
                    self.settled = false;
                }
                None => return false,
            },
            Line::Left { step, skipped } => {
                if let Some(recorded) = self.steps.get_mut(step) {
                    recorded.skipped = skipped;
                }
                self.settled = false;
            }
            Line::Back { to } => {
                self.steps.truncate(to);
                if self.earlier.is_none() {
                    self.works.take_back(to);
                }
            }
            Line::After { step, saved } => {
                self.keeps(&saved);
                self.after.insert(step, saved);
            }
            Line::Trees(digests) => self.trees = digests,
            Line::Shown { path } => self.shown.push(path),
            Line::Again => {
                let earlier = (std::mem::take(&mut self.steps), std::mem::take(&mut self.after));
                self.earlier = Some(earlier);
                // The next undo leaves other times.
                self.trees.clear();
                (self.settled, self.committed, self.reverted) = (false, false, false);
            }
            Line::Reverted => {
                if let Some((steps, after)) = self.earlier.take() {
                    (self.steps, self.after) = (steps, after);
                    self.committed = true;
                }
                self.steps.iter_mut().for_each(|recorded| recorded.undone = true);
                (self.settled, self.reverted) = (true, true);
            }
            Line::Commit => {
                self.earlier = None;
                (self.settled, self.committed) = (true, true);
            }
            Line::Handed => (self.settled, self.handed) = (true, true),
            Line::Swept => self.settled = true,
        }
        true
    }

    /// Whether no step is on record that is not undone.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.iter().all(|recorded| recorded.undone)
    }

    /// Whether all that an operation has changed is undone, and the record does not say so yet.
    pub(super) fn is_undone(&self) -> bool {
        let has_steps = !self.steps.is_empty() || self.is_again();
        self.has_header() && has_steps && self.is_empty() && !self.reverted
    }

    /// Whether the transaction has ended, or what it left behind was removed.
    pub(super) fn is_settled(&self) -> bool {
        self.settled
    }

    /// Whether the transaction has ended well.
    pub(super) fn is_committed(&self) -> bool {
        self.committed
    }

    /// Whether an editor was to get it, and it is not on record what became of it.
    pub(super) fn is_handed(&self) -> bool {
        self.handed && !self.committed && !self.reverted
    }

    /// Whether all of it was undone, and can be made again.
    pub(super) fn is_reverted(&self) -> bool {
        self.reverted
    }

    /// Whether somebody has left some of it as it is and undone the rest.
    pub(super) fn is_skipped(&self) -> bool {
        self.steps.iter().any(|recorded| recorded.skipped && !recorded.undone)
    }

    /// Whether it was undone, and making it again has not ended.
    pub(super) fn is_again(&self) -> bool {
        self.earlier.is_some()
    }

    /// Whether it says for what its steps are.
    pub(super) fn has_header(&self) -> bool {
        self.header.is_some()
    }

    /// Every content that the folder keeps for it: what it is, where it begins, how long it is.
    pub(super) fn contents(&self) -> &[(Fingerprint, u64, u64)] {
        &self.contents
    }

    fn keeps(&mut self, saved: &Saved) {
        self.contents.push((saved.fingerprint, saved.offset, saved.length));
    }

    /// What is to be added where somebody else has made the steps again.
    pub(super) fn again(&self) -> Vec<Line> {
        let steps = self.steps.iter().map(|recorded| Line::Step(recorded.step.clone()));
        std::iter::once(Line::Again).chain(steps).chain([Line::Commit]).collect()
    }

    /// The digests of the directories that it changes, as the undo left them.
    pub(super) fn trees(&self) -> &[String] {
        &self.trees
    }

    /// The files that already had the content that it leaves before an editor got it.
    pub(super) fn shown(&self, workspace: &Workspace) -> Result<Vec<FilePath>, JournalError> {
        let mut paths = self.shown.clone();
        paths.iter_mut().try_for_each(|path| self.find_root(path, workspace))?;
        Ok(paths)
    }

    /// What a step left that was undone.
    pub(super) fn after(&self, step: usize) -> Option<&Saved> {
        self.after.get(&step)
    }

    /// The operation, in terms of the workspace's roots as they are now; `None` where the record
    /// does not say what its steps are for.
    pub(super) fn operation(
        &self,
        id: OperationId,
        workspace: &Workspace,
    ) -> Result<Option<Operation>, JournalError> {
        let Some(Header { door, time, transcript }) = self.header.clone() else { return Ok(None) };
        let mut works = self.works.all();
        let transitions = works.iter_mut().flat_map(|work| &mut work.transitions);
        transitions.map(|it| &mut it.path).try_for_each(|path| self.find_root(path, workspace))?;
        Ok(Some(Operation { id, time, door, transcript, works }))
    }

    /// The steps that are not known to be undone, with their numbers, in terms of the workspace's
    /// roots as they are now.
    pub(super) fn steps(&self, workspace: &Workspace) -> Result<Vec<(usize, Step)>, JournalError> {
        let mut steps = self.all(workspace)?;
        steps.retain(|(number, _)| !self.steps[*number].undone);
        Ok(steps)
    }

    /// Gives the steps the paths that they have since renames before them were undone.
    fn follow_undone(&self, steps: &mut [(usize, Step)]) {
        for index in (0..steps.len()).rev().filter(|index| self.steps[*index].undone) {
            let (before, after) = steps.split_at_mut(index + 1);
            let Step::Rename { from, to, .. } = &before[index].1 else { continue };
            for path in after.iter_mut().flat_map(|(_, step)| step.paths_mut()) {
                if path.is_within(to) {
                    *path = rebase(path, to, from);
                }
            }
        }
    }

    /// Every step, undone or not.
    pub(super) fn all(&self, workspace: &Workspace) -> Result<Vec<(usize, Step)>, JournalError> {
        let mut steps = self.as_made(workspace)?;
        self.follow_undone(&mut steps);
        Ok(steps)
    }

    /// Every step with the paths that it was made with.
    pub(super) fn as_made(
        &self,
        workspace: &Workspace,
    ) -> Result<Vec<(usize, Step)>, JournalError> {
        let recorded = self.steps.iter().map(|recorded| recorded.step.clone());
        let mut steps: Vec<(usize, Step)> = recorded.enumerate().collect();
        let mut paths = steps.iter_mut().flat_map(|(_, step)| step.paths_mut());
        paths.try_for_each(|path| self.find_root(path, workspace))?;
        Ok(steps)
    }

    /// Gives a path the number that its root has now.
    fn find_root(&self, path: &mut FilePath, workspace: &Workspace) -> Result<(), JournalError> {
        let name = self.roots.get(path.root).cloned().unwrap_or_default();
        let mut roots = workspace.inner.paths.iter();
        let found = roots.position(|path| path.to_string_lossy() == name.as_str());
        path.root = found.ok_or(JournalError::OtherRoot(name))?;
        Ok(())
    }
}
