//! What the record of a transaction says.

use operator_core::snapshot::FilePath;

use super::check::rebase;
use super::log::{Line, VERSION};
use super::step::Step;
use crate::workspace::Workspace;
use crate::workspace::errors::JournalError;

/// What a record says.
#[derive(Debug, Default)]
pub(super) struct Record {
    roots: Vec<String>,
    steps: Vec<Recorded>,
    settled: bool,
}

#[derive(Debug)]
struct Recorded {
    step: Step,
    undone: bool,
}

impl Record {
    /// Takes the next line; whether it can follow those before it.
    pub(super) fn take(&mut self, line: Line) -> bool {
        match line {
            Line::Begin { version, roots } => {
                self.roots = roots;
                return version == VERSION;
            }
            Line::Step(step) => {
                self.steps.push(Recorded { step, undone: false });
                self.settled = false;
            }
            Line::Undone { step } => match self.steps.get_mut(step) {
                Some(recorded) => {
                    recorded.undone = true;
                    self.settled = false;
                }
                None => return false,
            },
            Line::Left { .. } => self.settled = false,
            Line::Back { to } => self.steps.truncate(to),
            Line::Commit | Line::Swept => self.settled = true,
        }
        true
    }

    /// Whether no step is on record that is not undone.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.iter().all(|recorded| recorded.undone)
    }

    /// Whether the transaction has ended, or what it left behind was removed.
    pub(super) fn is_settled(&self) -> bool {
        self.settled
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
        let now = |path: &mut FilePath| -> Result<(), JournalError> {
            let name = self.roots.get(path.root).cloned().unwrap_or_default();
            let mut roots = workspace.inner.paths.iter();
            let found = roots.position(|path| path.to_string_lossy() == name.as_str());
            path.root = found.ok_or(JournalError::OtherRoot(name))?;
            Ok(())
        };
        let recorded = self.steps.iter().map(|recorded| recorded.step.clone());
        let mut steps: Vec<(usize, Step)> = recorded.enumerate().collect();
        steps.iter_mut().flat_map(|(_, step)| step.paths_mut()).try_for_each(now)?;
        self.follow_undone(&mut steps);
        Ok(steps)
    }
}
