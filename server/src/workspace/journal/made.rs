//! Changes that somebody else makes, with what was before them and what they leave.

use std::collections::{BTreeMap, BTreeSet};

use operator_core::edit::{Change, ChangeSet};
use operator_core::ledger::Work;
use operator_core::path::{FilePath, Kind, State};
use operator_core::snapshot::{Snapshot, Staged};
use operator_core::text::Content;

use super::log::Line;
use super::step::{Saved, Step};
use super::store::REMOVED;
use super::taken::{Taken, Taking};
use super::{JournalError, Transaction};
use crate::workspace::Workspace;
use crate::workspace::replace::temporary_name;

/// How many bytes, and how many files, of what is deleted are kept in memory.
pub(super) const MOST_BYTES: u64 = 64 << 20;
pub(super) const MOST_ENTRIES: usize = 20_000;

/// Changes that an editor makes, with all that it takes to undo and redo them.
#[derive(Debug, Clone)]
pub struct Made {
    pub(super) steps: Vec<MadeStep>,
}

#[derive(Debug, Clone)]
pub(super) struct MadeStep {
    pub(super) step: Step,
    pub(super) before: Option<Content>,
    pub(super) after: Option<Content>,
    pub(super) taken: Option<Taken>,
}

impl Made {
    /// What `changes` do to what `view` shows. It must be asked before they are made: what they
    /// delete is read here. `None` where something of that cannot be kept.
    pub fn new(changes: &ChangeSet, workspace: &Workspace, view: &dyn Snapshot) -> Option<Made> {
        let mut making = Making { steps: Vec::new(), renames: Vec::new() };
        let mut staged = Staged::new(view);
        let (mut bytes, mut entries) = (MOST_BYTES, MOST_ENTRIES);
        for change in changes.iter() {
            match change {
                Change::Create { path, content, .. } => {
                    making.parents(path, &staged)?;
                    making.write(path, None, content);
                }
                Change::Edit { path, before, after } => making.write(path, Some(before), after),
                Change::Delete { path, .. } => {
                    let (now, renames) = (&staged, &making.renames);
                    let mut taking = Taking { workspace, now, renames, bytes, entries };
                    let taken = taking.take(path)?;
                    (bytes, entries) = (taking.bytes, taking.entries);
                    making.remove(path, taken);
                }
                Change::Rename { from, to, .. } => {
                    let (file, size) = match staged.state(from).ok()? {
                        State::File(fingerprint) => (Some(fingerprint), None),
                        State::Large { size, .. } => (None, Some(size)),
                        State::Directory => (None, None),
                        State::Missing => return None,
                    };
                    making.parents(to, &staged)?;
                    making.add(Step::Rename { from: from.clone(), to: to.clone(), file, size });
                    making.renames.push((from.clone(), to.clone()));
                }
                Change::CreateDirectory { path } => {
                    making.parents(path, &staged)?;
                    if staged.kind(path).ok()?.is_none() {
                        making.add(Step::Directory { path: path.clone() });
                    }
                }
            }
            staged.stage(&ChangeSet::one(change.clone())).ok()?;
        }
        Some(Made { steps: making.steps })
    }

    /// The part of it that undoes and redoes these works alone; `None` where they cannot be told from
    /// the others.
    pub fn with_works(&self, works: &[Work]) -> Option<Made> {
        let transitions = || works.iter().flat_map(|work| &work.transitions);
        let files: BTreeSet<FilePath> =
            transitions().filter(|it| it.changes()).map(|it| it.path.clone()).collect();
        let is_kept = |step: &Step| match step {
            Step::Directory { path } => files.iter().any(|file| file.is_within(path)),
            Step::Rename { from, to, .. } => files.contains(from) && files.contains(to),
            Step::Write { path, .. } | Step::Remove { path, .. } => files.contains(path),
        };
        let kept = self.steps.iter().filter(|it| is_kept(&it.step)).cloned();
        let steps: Vec<MadeStep> = kept.collect();
        let leaves = |file: &FilePath, state: State| {
            let last = steps.iter().rev().map(|it| &it.step).find(|step| step.is_about(file));
            last.is_some_and(|step| match step {
                Step::Write { after, .. } => state == State::File(*after),
                _ => true,
            })
        };
        let last: BTreeMap<&FilePath, State> =
            transitions().filter(|it| it.changes()).map(|it| (&it.path, it.after)).collect();
        last.into_iter().all(|(file, state)| leaves(file, state)).then_some(Made { steps })
    }
}

struct Making {
    steps: Vec<MadeStep>,
    renames: Vec<(FilePath, FilePath)>,
}

impl Making {
    fn add(&mut self, step: Step) {
        self.steps.push(MadeStep { step, before: None, after: None, taken: None });
    }

    fn write(&mut self, path: &FilePath, before: Option<&Content>, after: &Content) {
        // What else the file has is the editor's to keep, and undo leaves it as it is then.
        let saved = before.map(Saved::of_text);
        let (path, temporary) = (path.clone(), temporary_name());
        let step = Step::Write { path, before: saved, after: after.fingerprint(), temporary };
        let (before, after) = (before.cloned(), Some(after.clone()));
        self.steps.push(MadeStep { step, before, after, taken: None });
    }

    fn remove(&mut self, path: &FilePath, taken: Taken) {
        let saved = format!("{REMOVED}{}", self.steps.len());
        let step = Step::Remove { path: path.clone(), saved, temporary: temporary_name() };
        self.steps.push(MadeStep { step, before: None, after: None, taken: Some(taken) });
    }

    /// The directories above a path that come with it, the outermost first.
    fn parents(&mut self, path: &FilePath, now: &dyn Snapshot) -> Option<()> {
        let mut missing = Vec::new();
        for parent in std::iter::successors(path.parent(), FilePath::parent) {
            match now.kind(&parent).ok()? {
                Some(Kind::Directory) => break,
                Some(Kind::File) => return None,
                None => missing.push(parent),
            }
        }
        missing.into_iter().rev().for_each(|path| self.add(Step::Directory { path }));
        Some(())
    }
}

impl Transaction {
    /// Keeps what was before changes that somebody else has made, so that they can be undone and
    /// redone like those of [`Workspace::apply`]. It is the last that is done before `commit`,
    /// after `describe` and `add_works`, and nothing is written in such a transaction.
    ///
    /// # Errors
    /// Whatever keeps the journal from being written. The ledger is told of the operation all the
    /// same by `commit`, but it cannot be undone.
    pub fn keep_made(&mut self, made: &Made) -> Result<(), JournalError> {
        if made.steps.is_empty() {
            return Ok(());
        }
        self.keep_as(&made.steps, vec![Line::Commit])
    }

    /// Keeps steps that somebody else makes, with lines that settle what they are.
    pub(super) fn keep_as(
        &mut self,
        steps: &[MadeStep],
        end: Vec<Line>,
    ) -> Result<(), JournalError> {
        let coming = self.coming.clone();
        let kept = self.try_keep(steps, end);
        if kept.is_err() {
            self.coming = coming;
            if let Some(log) = self.log.take() {
                // What is left has no step, so that the next run removes it.
                let _ = self.store.remove(log);
            }
        }
        kept
    }

    fn try_keep(&mut self, steps: &[MadeStep], end: Vec<Line>) -> Result<(), JournalError> {
        let mut lines = self.first_lines(steps.iter().map(|it| &it.step))?;
        let log = self.log.as_mut().ok_or(JournalError::NoPlace)?;
        let removes = steps.iter().filter_map(|it| match &it.step {
            Step::Remove { saved, .. } => Some((saved, it.taken.as_ref()?)),
            _ => None,
        });
        let mut has_removed = false;
        for (saved, taken) in removes {
            taken.write(log.folder(), saved).map_err(|source| log.failed(source))?;
            has_removed = true;
        }
        if has_removed {
            log.sync_names().map_err(|source| log.failed(source))?;
            self.store.note_size(log);
        }
        let (steps, kept) = log.keep_made(steps)?;
        lines.extend(kept);
        // At once, so that there is no moment in which it would count as killed half way.
        lines.extend(end);
        log.append(&lines)?;
        self.has_recorded(steps);
        (self.done, self.is_closed) = (self.steps.len(), true);
        Ok(())
    }
}
