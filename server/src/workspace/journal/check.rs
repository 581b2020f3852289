//! Whether everything still is as a transaction left it.

use std::collections::HashSet;

use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;
use operator_core::snapshot::{FilePath, Kind, Snapshot, State};

use super::log::Step;
use crate::workspace::Workspace;

/// The steps that were carried out: a kill, or an earlier attempt to take them back, leaves the
/// last ones undone.
pub(super) fn carried_out<'a>(
    workspace: &Workspace,
    folder: &Dir,
    steps: &'a [Step],
) -> &'a [Step] {
    let undone = steps.iter().rev().take_while(|step| is_undone(workspace, folder, step)).count();
    &steps[..steps.len() - undone]
}

/// Whether all is as before a step, and not as after it.
fn is_undone(workspace: &Workspace, folder: &Dir, step: &Step) -> bool {
    let missing = |path: &FilePath| workspace.state(path) == Ok(State::Missing);
    match step {
        Step::Write { path, before, after, .. } => {
            let before = before.as_ref().map(|saved| saved.fingerprint);
            before != Some(*after) && holds(workspace, path, before)
        }
        Step::Directory { path } => missing(path),
        // As long as the journal has it, what stands there is somebody else's.
        Step::Remove { path, saved, .. } => {
            folder.symlink_metadata(saved).is_err() && !missing(path)
        }
        Step::Rename { from, to, .. } => missing(to) && !missing(from),
    }
}

fn holds(workspace: &Workspace, path: &FilePath, file: Option<Fingerprint>) -> bool {
    workspace.state(path) == Ok(file.map_or(State::Missing, State::File))
}

/// The places that are not as the steps left them.
pub(super) fn changed(workspace: &Workspace, steps: &[Step]) -> Vec<FilePath> {
    let mut check = Check { workspace, renames: Vec::new(), known: HashSet::new(), gone: vec![] };
    steps.iter().rev().filter_map(|step| check.step(step)).collect()
}

/// Goes through the steps from the last to the first and looks at each place once, where the
/// later steps have put it.
struct Check<'a> {
    workspace: &'a Workspace,
    /// The renames after the step at hand, the latest first.
    renames: Vec<(FilePath, FilePath)>,
    known: HashSet<FilePath>,
    gone: Vec<FilePath>,
}

impl Check<'_> {
    fn step(&mut self, step: &Step) -> Option<FilePath> {
        match step {
            Step::Directory { path } => {
                let at = self.now(path);
                self.settle(&at);
                None
            }
            Step::Write { path, after, .. } => {
                let at = self.now(path);
                let as_left = self.settle(&at) || holds(self.workspace, &at, Some(*after));
                (!as_left).then_some(at)
            }
            Step::Remove { path, .. } => {
                let at = self.now(path);
                let as_left = self.settle(&at) || holds(self.workspace, &at, None);
                self.gone.push(at.clone());
                (!as_left).then_some(at)
            }
            Step::Rename { from, to, file } => {
                let (source, target) = (self.now(from), self.now(to));
                let there = self.settle(&target) || self.is_there(&target, *file);
                let free = self.settle(&source) || holds(self.workspace, &source, None);
                self.renames.push((from.clone(), to.clone()));
                (!there).then_some(target).or((!free).then_some(source))
            }
        }
    }

    /// Where what a step left at `path` is now.
    fn now(&self, path: &FilePath) -> FilePath {
        let mut at = path.clone();
        for (from, to) in self.renames.iter().rev() {
            if at.is_within(from) {
                let rest = at.path.get(from.path.len()..).unwrap_or_default();
                at = FilePath::new(to.root, format!("{}{rest}", to.path));
            }
        }
        at
    }

    /// Whether a later step answers for the place; from now on one does.
    fn settle(&mut self, at: &FilePath) -> bool {
        let gone = self.gone.iter().any(|gone| at.is_within(gone));
        !self.known.insert(at.clone()) || gone
    }

    fn is_there(&self, at: &FilePath, file: Option<Fingerprint>) -> bool {
        match file {
            Some(file) => holds(self.workspace, at, Some(file)),
            None => self.workspace.kind(at) == Ok(Some(Kind::Directory)),
        }
    }
}
