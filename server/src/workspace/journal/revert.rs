//! Decides which steps are undone, newest first, and which are left as they are.

use std::collections::BTreeMap;
use std::io;

use operator_core::path::{FilePath, State};
use operator_core::snapshot::{Denied, Snapshot};

use super::Undone;
use super::check::{self, holds, rebase};
use super::log::{Line, Log};
use super::reverse::reverse;
use super::step::Step;
use super::sweep::remove_leftovers;
use crate::workspace::Workspace;
use crate::workspace::errors::{Left, Reason, Since, UndoError};
use crate::workspace::resolve::denied;

/// Steps that are to be undone.
pub(super) struct Reverting<'a> {
    pub(super) workspace: &'a Workspace,
    /// The steps with their numbers in the record.
    pub(super) steps: &'a [(usize, Step)],
    /// How many of them were begun; the last one may have failed half way.
    pub(super) begun: usize,
    /// How many of them are known to have been done.
    pub(super) known: usize,
    /// Whether what they have left is kept, so that they can be made again.
    pub(super) keeps: bool,
    /// Whether what has changed since is to be left as it is.
    pub(super) skips: bool,
}

/// The outcome of an attempt to undo steps.
#[derive(Debug, Default)]
pub(in crate::workspace) struct Reverted {
    /// What was undone, in this order.
    pub(in crate::workspace) undone: Vec<Undone>,
    /// What is still done, the newest first.
    pub(in crate::workspace) left: Vec<Left>,
    /// The places that differed from what the steps had left there.
    changed: Vec<FilePath>,
    /// Whether no temporary file was left behind.
    pub(super) is_tidy: bool,
    /// The number of the last step that was undone, while the record does not say so.
    last: Option<usize>,
    /// What was undone, but may not be on the disk yet, and why.
    pub(super) not_durable: Option<(FilePath, Denied)>,
}

/// What the record is told of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Noted {
    Undone,
    Left { skipped: bool },
}

impl Reverted {
    /// Whether the record is not needed any more.
    pub(super) fn is_over(&self) -> bool {
        self.left.is_empty() && self.is_tidy
    }

    /// Takes note on the record of a step that was undone, or that is left: of the last one only
    /// once another one follows, as long as none is left.
    fn note(&mut self, log: &mut Log, number: usize, fate: Noted) {
        let before = match fate == Noted::Undone && self.left.is_empty() {
            true => self.last.replace(number),
            false => self.last.take(),
        };
        if let Some(step) = before {
            log.note(Line::Undone { step });
        }
        match fate {
            Noted::Left { skipped } => log.note(Line::Left { step: number, skipped }),
            Noted::Undone if !self.left.is_empty() => log.note(Line::Undone { step: number }),
            Noted::Undone => {}
        }
    }

    /// Why nothing is to be undone where something would be left.
    pub(super) fn refusal(&self) -> Option<UndoError> {
        let paths = |wanted: &dyn Fn(&Left) -> bool| {
            let left = self.left.iter().filter(|left| wanted(left));
            let mut paths: Vec<FilePath> = left.map(|left| left.path.clone()).collect();
            paths.dedup();
            (!paths.is_empty()).then_some(paths)
        };
        // The others are left because of these.
        let first = paths(&|left| left.why == Reason::Changed && self.changed.contains(&left.path));
        // What is in the way of a step may be where no step is.
        let in_the_way = || (!self.changed.is_empty()).then(|| self.changed.clone());
        let changed = first.or_else(|| {
            let left = paths(&|left| left.why == Reason::Changed)?;
            in_the_way().or(Some(left))
        });
        let since = |paths: Vec<FilePath>| paths.into_iter().map(Since::of).collect();
        changed.map(since).map(UndoError::Changed).or(paths(&|_| true).map(UndoError::Lost))
    }
}

impl Reverting<'_> {
    /// What would be left if each step that can be undone were undone.
    pub(super) fn check(&self, log: &mut Log) -> Reverted {
        self.each(log, true, |_, _, _| Ok(None))
    }

    /// Undoes each step that can be undone. A step goes off the record before the next one is
    /// undone; the last one stays where all are undone, so that no record is empty before it is
    /// removed.
    pub(super) fn run(&self, log: &mut Log) -> Reverted {
        let (mut not_durable, mut moved) = (None, Vec::new());
        // Whether something may be left that was not there, or not at its path, at the beginning.
        let mut may_be_left = false;
        if self.keeps {
            // All that can be kept at once; where it cannot be kept, it is undone all the same.
            let all = self.steps.iter().map(|(number, step)| (*number, step));
            let _ = log.keep_after(all, self.workspace);
        }
        let mut reverted = self.each(log, false, |log, number, step| {
            if self.keeps {
                let _ = log.keep_after(std::iter::once((number, step)), self.workspace);
            }
            let reversed = reverse(self.workspace, log, step);
            may_be_left |= reversed.is_err() || matches!(step, Step::Remove { .. });
            if let (true, Step::Rename { from, to, .. }) = (reversed.is_ok(), step) {
                moved.push((to.clone(), from.clone()));
            }
            match reversed {
                Err(Reason::Denied(why)) if self.is_undone(log, step) => {
                    not_durable = Some((step.path().clone(), why));
                    Ok(Some(Undone::of(step)))
                }
                reversed => reversed,
            }
        });
        if may_be_left {
            reverted.is_tidy = self.tidy(&moved);
        }
        if let (Some(step), false) = (reverted.last.take(), reverted.is_over()) {
            log.note(Line::Undone { step });
        }
        reverted.not_durable = not_durable;
        reverted
    }

    /// Whether the disk shows that a step is undone, although the system has reported an error.
    fn is_undone(&self, log: &Log, step: &Step) -> bool {
        // A file that was moved away goes, or comes back.
        remove_leftovers(self.workspace, step);
        check::look(self.workspace, log.folder(), &[step], 1).done == 0
    }

    /// Removes temporary files, also of directories that have another path since; whether none is
    /// left.
    fn tidy(&self, moved: &[(FilePath, FilePath)]) -> bool {
        let tidy = |(_, step): &(usize, Step)| {
            let mut step = step.clone();
            for (from, to) in moved {
                for path in step.paths_mut().into_iter().filter(|path| path.is_within(from)) {
                    *path = rebase(path, from, to);
                }
            }
            remove_leftovers(self.workspace, &step)
        };
        let tidied: Vec<bool> = self.steps.iter().map(tidy).collect();
        !tidied.contains(&false)
    }

    fn each(
        &self,
        log: &mut Log,
        only_looks: bool,
        mut act: impl FnMut(&mut Log, usize, &Step) -> Result<Option<Undone>, Reason>,
    ) -> Reverted {
        let is_tidy = self.tidy(&[]);
        let begun = &self.steps[..self.begun];
        let steps: Vec<&Step> = begun.iter().map(|(_, step)| step).collect();
        let shown = check::look(self.workspace, log.folder(), &steps, self.known);
        let mut pass = Pass {
            workspace: self.workspace,
            steps: &steps,
            done: shown.done,
            only_looks,
            changed: Places::default(),
            reverted: Reverted { is_tidy, ..Reverted::default() },
        };
        for place in &shown.changed {
            let why = shown.unread.get(place).cloned().map_or(Reason::Changed, Reason::Denied);
            pass.changed.add(place.clone(), why);
        }
        pass.reverted.changed = shown.changed;
        for (index, (number, step)) in begun.iter().enumerate().rev() {
            let fate = if index < shown.done { pass.fate(log, step) } else { pass.late(index) };
            let done = match fate {
                Fate::Undone | Fate::Later => continue,
                Fate::Leave(reason) => Err(reason),
                // Once a step is left, the disk alone does not tell any more which ones are undone.
                Fate::Undo if !pass.reverted.left.is_empty() && !log.is_complete() => {
                    Err(Denied::Io("the undo journal cannot be written".to_owned()).into())
                }
                Fate::Undo => act(log, *number, step),
            };
            if matches!((step, &done), (Step::Directory { .. }, Ok(None))) && !is_tidy {
                // It may hold nothing but temporary files that could not be removed.
                continue;
            }
            if !only_looks {
                let noted = match &done {
                    Ok(_) => Noted::Undone,
                    Err(why) => {
                        Noted::Left { skipped: self.skips && !matches!(why, Reason::Denied(_)) }
                    }
                };
                pass.reverted.note(log, *number, noted);
            }
            pass.settle(step, done);
        }
        pass.reverted
    }
}

/// What is to be done with a step.
enum Fate {
    /// It is not done, or not any more.
    Undone,
    Undo,
    Leave(Reason),
    /// It can be undone once nothing is left in it.
    Later,
}

/// One pass over the steps from the last to the first.
struct Pass<'a> {
    workspace: &'a Workspace,
    steps: &'a [&'a Step],
    /// How many steps the disk shows.
    done: usize,
    /// Whether nothing is moved.
    only_looks: bool,
    /// The places that are not as the steps left them, where they are now.
    changed: Places,
    reverted: Reverted,
}

impl Pass<'_> {
    /// A step that the disk shows.
    fn fate(&mut self, log: &Log, step: &Step) -> Fate {
        if let Step::Directory { path } = step {
            return match self.changed.below(path).first().and_then(|place| self.changed.at(place)) {
                None => Fate::Undo,
                // Whether anybody uses it cannot be known.
                Some(why @ Reason::Denied(_)) if self.reverted.left.is_empty() => Fate::Leave(why),
                // One that somebody else uses stays without a word.
                Some(_) => Fate::Later,
            };
        }
        let Some(why) = self.touched(step) else {
            return match is_lost(log, step) {
                Ok(true) => Fate::Leave(Reason::Lost),
                Ok(false) => Fate::Undo,
                Err(error) => Fate::Leave(denied(error).into()),
            };
        };
        if let Step::Write { path, before, .. } = step
            && !self.has_failed_at(path)
            && holds(self.workspace, path, before.as_ref().map(|saved| saved.fingerprint))
        {
            self.changed.remove(path);
            return Fate::Undone;
        }
        Fate::Leave(why)
    }

    /// Whether a later step of a file could not be undone. What was there before this one may be there all
    /// the same, where a step has put back an earlier text.
    fn has_failed_at(&self, path: &FilePath) -> bool {
        let mut left = self.reverted.left.iter();
        left.any(|left| left.path == *path && matches!(left.why, Reason::Denied(_)))
    }

    /// A step that the disk does not show: it is undone, but for a place that was left out when
    /// the steps before it were undone.
    fn late(&mut self, index: usize) -> Fate {
        let place = |path: &FilePath| {
            self.steps[self.done..index].iter().rev().fold(path.clone(), |place, step| match step {
                Step::Rename { from, to, .. } if place.is_within(to) => rebase(&place, to, from),
                _ => place,
            })
        };
        let step = self.steps[index];
        if let Step::Directory { path } = step {
            return if place(path) == *path { self.late_directory(path) } else { Fate::Undone };
        }
        let (Step::Write { path, .. } | Step::Remove { path, .. }) = step else {
            return Fate::Undone;
        };
        let place = place(path);
        let Some(why) = self.changed.meets(&place) else { return Fate::Undone };
        match step {
            Step::Write { after, .. }
                if place == *path && holds(self.workspace, path, Some(*after)) =>
            {
                self.changed.remove(path);
                Fate::Undo
            }
            _ => Fate::Leave(why),
        }
    }

    /// A new directory that should not be there any more, or not yet: directories are made before
    /// the files of other steps are written.
    fn late_directory(&mut self, path: &FilePath) -> Fate {
        let Some(why) = self.changed.at(path) else { return Fate::Undone };
        match (why, self.workspace.state(path)) {
            (why @ Reason::Denied(_), _) => Fate::Leave(why),
            // One that somebody else uses stays without a word.
            (_, Ok(State::Directory)) if self.changed.below(path).is_empty() => {
                self.changed.remove(path);
                Fate::Undo
            }
            _ => Fate::Undone,
        }
    }

    /// Why the place of a step is not as the step left it, if it is not.
    fn touched(&self, step: &Step) -> Option<Reason> {
        match step {
            Step::Directory { .. } => None,
            Step::Write { path, .. } | Step::Remove { path, .. } => self.changed.meets(path),
            Step::Rename { from, to, .. } => {
                self.changed.above(from).or_else(|| self.changed.above(to))
            }
        }
    }

    /// Takes note of a step that was undone, or that is left.
    fn settle(&mut self, step: &Step, done: Result<Option<Undone>, Reason>) {
        match done {
            Ok(undone) => {
                self.reverted.undone.extend(undone);
                let Step::Rename { from, to, .. } = step else { return };
                self.changed.rename(to, from);
                if self.only_looks {
                    return;
                }
                let left = self.reverted.left.iter_mut().filter(|left| left.path.is_within(to));
                left.for_each(|left| left.path = rebase(&left.path, to, from));
            }
            Err(why) => {
                self.changed.add(step.path().clone(), why.clone());
                if let Step::Rename { from, .. } = step {
                    self.changed.add(from.clone(), why.clone());
                }
                self.reverted.left.push(Left::of(step, why));
            }
        }
    }
}

/// Whether the journal lacks what the step took away.
pub(super) fn is_lost(log: &Log, step: &Step) -> io::Result<bool> {
    match step {
        Step::Write { before: Some(saved), .. } => Ok(log.bytes(saved)?.is_none()),
        Step::Remove { saved, .. } => Ok(!check::is_kept(log.folder(), saved)?),
        _ => Ok(false),
    }
}

/// Places, and why they are not as they were left.
#[derive(Default)]
struct Places(BTreeMap<FilePath, Reason>);

impl Places {
    fn add(&mut self, place: FilePath, why: Reason) {
        self.0.insert(place, why);
    }

    fn remove(&mut self, place: &FilePath) {
        self.0.remove(place);
    }

    /// The reason of the place itself.
    fn at(&self, place: &FilePath) -> Option<Reason> {
        self.0.get(place).cloned()
    }

    /// The reason of the place or of a directory that it is in.
    fn above(&self, place: &FilePath) -> Option<Reason> {
        if self.0.is_empty() {
            return None;
        }
        let mut above = std::iter::successors(Some(place.clone()), FilePath::parent);
        above.find_map(|place| self.0.get(&place).cloned())
    }

    /// What is in a directory.
    fn below(&self, place: &FilePath) -> Vec<FilePath> {
        let below = self.0.range(place.join("")..).map(|(other, _)| other);
        below.take_while(|other| other.is_within(place)).cloned().collect()
    }

    /// The reason of the place, of a directory that it is in, or of something in it.
    fn meets(&self, place: &FilePath) -> Option<Reason> {
        self.above(place).or_else(|| self.0.get(self.below(place).first()?).cloned())
    }

    /// Follows what is in a directory that gets another path.
    fn rename(&mut self, from: &FilePath, to: &FilePath) {
        for place in self.below(from) {
            if let Some(why) = self.0.remove(&place) {
                self.0.insert(rebase(&place, from, to), why);
            }
        }
    }
}
