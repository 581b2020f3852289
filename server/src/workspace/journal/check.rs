//! How many of the recorded steps the disk shows, and which places somebody else has changed.
//!
//! Steps are undone newest first, so the disk is as it was after some number of them, even where
//! the record could not be written meanwhile. That number is the one at which the fewest places
//! differ from what the steps left or found there; a place that differs even then was changed by
//! somebody else.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;

use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;
use operator_core::path::{FilePath, State};
use operator_core::snapshot::{Denied, Snapshot};

use super::step::Step;
use crate::workspace::Workspace;
use crate::workspace::tree::{self, back_name, copy_name};

/// What is expected at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Missing,
    File(Fingerprint),
    /// A file that was too large to be read.
    Large(u64),
    Directory,
    /// Anything but nothing.
    Something,
    /// In the journal: what was deleted is kept there.
    Kept,
    /// In the journal: what was deleted is not there any more.
    Returned,
    /// Others may use a directory that a step made, or have removed it.
    Unknown,
}

/// Whether the journal has what a step has deleted.
pub(super) fn is_kept(folder: &Dir, saved: &str) -> io::Result<bool> {
    let names = [saved.to_owned(), back_name(saved), copy_name(saved)];
    names.iter().try_fold(false, |kept, name| Ok(kept || is_there(folder, name)?))
}

fn is_there(folder: &Dir, name: &str) -> io::Result<bool> {
    match folder.symlink_metadata(name) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The root of the places in the journal itself.
const JOURNAL: usize = usize::MAX;

/// What the disk shows of some steps.
#[derive(Debug)]
pub(super) struct Shown {
    /// How many of the steps are done.
    pub(super) done: usize,
    /// The places that differ from what they were after that many steps.
    pub(super) changed: Vec<FilePath>,
    /// Those of them that could not be looked at, and why.
    pub(super) unread: HashMap<FilePath, Denied>,
}

/// Compares the disk with what the steps left. `known` is how many of them are known to have been
/// done; where the disk does not tell, it is that many.
pub(super) fn look(workspace: &Workspace, folder: &Dir, steps: &[&Step], known: usize) -> Shown {
    let disk = Disk { workspace, folder, steps, states: RefCell::default() };
    let (world, dropped) = World::after(steps);
    let mut fewest = (steps.len(), usize::MAX);
    rewind(world.clone(), steps, &dropped, &disk, |done, world| {
        let wrong = world.wrong.len();
        if wrong < fewest.1 || (wrong == fewest.1 && done >= known) {
            fewest = (done, world.wrong.len());
        }
        true
    });
    let mut changed = Vec::new();
    rewind(world, steps, &dropped, &disk, |done, world| {
        if done == fewest.0 {
            let places = world.wrong.iter().filter(|place| place.root != JOURNAL);
            changed = places.cloned().collect();
        }
        done > fewest.0
    });
    let unread = disk.states.into_inner().into_iter();
    let unread = unread.filter_map(|(place, state)| Some((place, state.err()?)));
    let unread = unread.filter(|(place, _)| changed.contains(place)).collect();
    Shown { done: fewest.0, changed, unread }
}

/// Whether a file is there with this fingerprint, or, without one, nothing is there.
pub(super) fn holds(workspace: &Workspace, path: &FilePath, file: Option<Fingerprint>) -> bool {
    workspace.state(path) == Ok(file.map_or(State::Missing, State::File))
}

/// Goes back from after the last step to before the first, and shows the world at each number of
/// steps until it is not wanted any more.
fn rewind(
    mut world: World,
    steps: &[&Step],
    dropped: &[Vec<(FilePath, Expected)>],
    disk: &Disk,
    mut show: impl FnMut(usize, &World) -> bool,
) {
    world.compare(disk);
    let mut wanted = show(steps.len(), &world);
    for done in (0..steps.len()).rev() {
        if !wanted {
            return;
        }
        world.undo(steps[done], &dropped[done], disk);
        wanted = show(done, &world);
    }
}

/// The states of places, each looked at once.
struct Disk<'a> {
    workspace: &'a Workspace,
    folder: &'a Dir,
    steps: &'a [&'a Step],
    states: RefCell<HashMap<FilePath, Result<State, Denied>>>,
}

impl Disk<'_> {
    /// Whether what a step has deleted is back, or was not deleted yet.
    fn is_returned(&self, saved: &str) -> bool {
        let is_gone = |name: &str| matches!(is_there(self.folder, name), Ok(false));
        is_gone(saved) && (is_gone(&back_name(saved)) || self.is_copied_back(saved))
    }

    /// Whether a copy of what a step has deleted is back: the journal still has it, too.
    fn is_copied_back(&self, saved: &str) -> bool {
        let copy = back_name(saved);
        let names = (is_there(self.folder, saved), is_there(self.folder, &copy));
        if !matches!(names, (Ok(false), Ok(true))) {
            return false;
        }
        let of =
            |step: &&&Step| matches!(step, Step::Remove { saved: other, .. } if other == saved);
        let Some(step) = self.steps.iter().find(of) else { return false };
        let place = self.workspace.place_to_read(step.path());
        place.is_ok_and(|at| {
            tree::is_same(self.folder, copy.as_ref(), &at.dir, at.name.as_ref()).unwrap_or(false)
        })
    }

    fn shows(&self, path: &FilePath, expected: Expected) -> bool {
        match expected {
            Expected::Unknown => return true,
            Expected::Kept => {
                let is_kept = is_kept(self.folder, &path.path).unwrap_or(true);
                return is_kept && !self.is_copied_back(&path.path);
            }
            Expected::Returned => return self.is_returned(&path.path),
            _ => {}
        }
        let mut states = self.states.borrow_mut();
        let state = match states.get(path) {
            Some(state) => state,
            None => states.entry(path.clone()).or_insert(self.workspace.state(path)),
        };
        match (expected, state) {
            // Nothing is below a file.
            (Expected::Missing, Ok(State::Missing) | Err(Denied::NotADirectory)) => true,
            (Expected::File(one), Ok(State::File(other))) => one == *other,
            (Expected::Large(one), Ok(State::Large { size, .. })) => one == *size,
            (Expected::Directory, Ok(State::Directory)) => true,
            (Expected::Something, Ok(state)) => *state != State::Missing,
            _ => false,
        }
    }
}

/// What is expected after a number of steps, at every place that the steps name.
#[derive(Clone)]
struct World {
    places: BTreeMap<FilePath, Expected>,
    /// The places where the disk shows something else.
    wrong: BTreeSet<FilePath>,
}

impl World {
    /// The world after all the steps, and what each of them made unknown: what was in a directory
    /// that it deleted.
    fn after(steps: &[&Step]) -> (World, Vec<Vec<(FilePath, Expected)>>) {
        let mut places = BTreeMap::new();
        let mut dropped = Vec::new();
        for step in steps {
            let mut gone = Vec::new();
            match step {
                Step::Write { path, after, .. } => {
                    places.insert(path.clone(), Expected::File(*after));
                }
                Step::Directory { path } => {
                    places.insert(path.clone(), Expected::Unknown);
                }
                Step::Remove { path, saved, .. } => {
                    gone = take_within(&mut places, path);
                    places.insert(path.clone(), Expected::Missing);
                    places.insert(in_journal(saved), Expected::Kept);
                }
                Step::Rename { from, to, .. } => {
                    take_within(&mut places, to);
                    let moved = take_within(&mut places, from);
                    places.extend(
                        moved.into_iter().map(|(place, it)| (rebase(&place, from, to), it)),
                    );
                    places.insert(to.clone(), renamed(step));
                    places.insert(from.clone(), Expected::Missing);
                }
            }
            dropped.push(gone);
        }
        (World { places, wrong: BTreeSet::new() }, dropped)
    }

    fn compare(&mut self, disk: &Disk) {
        let wrong = self.places.iter().filter(|(place, it)| !disk.shows(place, **it));
        self.wrong = wrong.map(|(place, _)| place.clone()).collect();
    }

    fn expect(&mut self, place: &FilePath, expected: Expected, disk: &Disk) {
        self.places.insert(place.clone(), expected);
        match disk.shows(place, expected) {
            true => self.wrong.remove(place),
            false => self.wrong.insert(place.clone()),
        };
    }

    fn take(&mut self, path: &FilePath) -> Vec<(FilePath, Expected)> {
        let taken = take_within(&mut self.places, path);
        for (place, _) in &taken {
            self.wrong.remove(place);
        }
        taken
    }

    fn undo(&mut self, step: &Step, dropped: &[(FilePath, Expected)], disk: &Disk) {
        match step {
            Step::Write { path, before, .. } => {
                let before = before.as_ref().map(|saved| Expected::File(saved.fingerprint));
                self.expect(path, before.unwrap_or(Expected::Missing), disk);
            }
            Step::Directory { path } => self.expect(path, Expected::Missing, disk),
            Step::Remove { path, saved, .. } => {
                self.expect(&in_journal(saved), Expected::Returned, disk);
                // What comes back may have anything in it.
                self.take(path);
                self.expect(path, Expected::Something, disk);
                dropped.iter().for_each(|(place, it)| self.expect(place, *it, disk));
            }
            Step::Rename { from, to, .. } => {
                self.take(from);
                for (place, expected) in self.take(to) {
                    self.expect(&rebase(&place, to, from), expected, disk);
                }
                self.expect(from, renamed(step), disk);
                self.expect(to, Expected::Missing, disk);
            }
        }
    }
}

/// The place of what a step has deleted.
fn in_journal(saved: &str) -> FilePath {
    FilePath::new(JOURNAL, saved)
}

/// What a rename leaves at its end.
fn renamed(step: &Step) -> Expected {
    match step {
        Step::Rename { file: Some(file), .. } => Expected::File(*file),
        Step::Rename { size: Some(size), .. } => Expected::Large(*size),
        _ => Expected::Directory,
    }
}

fn take_within(
    places: &mut BTreeMap<FilePath, Expected>,
    path: &FilePath,
) -> Vec<(FilePath, Expected)> {
    let below = places.range(path.join("")..).take_while(|(place, _)| place.is_within(path));
    let mut keys: Vec<FilePath> = below.map(|(place, _)| place.clone()).collect();
    keys.push(path.clone());
    keys.into_iter().filter_map(|key| places.remove_entry(&key)).collect()
}

/// The path that something within `from` has once `from` is `to`.
pub(super) fn rebase(path: &FilePath, from: &FilePath, to: &FilePath) -> FilePath {
    let rest = path.path.get(from.path.len()..).unwrap_or_default();
    FilePath::new(to.root, format!("{}{rest}", to.path))
}
