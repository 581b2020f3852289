//! What the disk shows of a record that could not be written.

mod bounds;

use operator_core::edit::Change;
use operator_core::path::{FilePath, Kind};
use operator_core::snapshot::Snapshot;

use super::revert::Reverting;
use super::step::Step;
use super::store::Store;
use super::{Transaction, UndoError};
use crate::workspace::Workspace;
use crate::workspace::tests::{Disk, create, delete, edit, rename, set, tree};

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

const PLACES: [&str; 8] = ["a", "b", "c", "d", "d/a", "d/b", "e", "e/a"];

/// A change that may be possible.
fn some_change(workspace: &Workspace, numbers: &mut Numbers) -> Change {
    let place = PLACES[numbers.below(PLACES.len())];
    let other = PLACES[numbers.below(PLACES.len())];
    let text = numbers.below(100).to_string();
    let kind = workspace.kind(&FilePath::new(0, place)).ok().flatten();
    match (numbers.below(5), kind) {
        (0, _) | (_, None) => create(place, &text),
        (1, Some(kind)) => delete(place, kind),
        (2, Some(kind)) => rename(place, other, kind),
        (_, Some(Kind::File)) => edit(workspace, place, &text),
        (_, Some(Kind::Directory)) => create(&format!("{place}/{text}"), &text),
    }
}

/// Makes the changes of a seed in one transaction; the workspace before and the steps on record.
fn changed(seed: u64) -> (Disk, Vec<String>, usize) {
    let disk = Disk::new();
    for (path, text) in [("a", "a"), ("d/a", "da"), ("e/a", "ea"), ("e/deep/x", "x")] {
        disk.put(&format!("ws/{path}"), text);
    }
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    let mut numbers = Numbers(seed);
    let mut journal = Transaction::begin(&workspace).unwrap();
    for _ in 0..8 {
        let change = some_change(&workspace, &mut numbers);
        // One that is not possible leaves nothing.
        let _ = workspace.apply(&set([change]), &mut journal);
    }
    let steps = journal.len();
    drop(journal);
    (disk, before, steps)
}

/// Undoes the last steps without a word about it in the record.
fn undo_in_silence(disk: &Disk, workspace: &Workspace, steps: usize) {
    let store = Store::lock(workspace).unwrap();
    let (mut log, record) = store.open(1).unwrap();
    let path = log.path().join("log");
    let text = std::fs::read(&path).unwrap();
    let all = record.steps(workspace).unwrap();
    let last = &all[all.len() - steps..];
    let reverting = Reverting {
        workspace,
        steps: last,
        begun: steps,
        known: steps,
        keeps: false,
        skips: false,
    };
    let reverted = reverting.run(&mut log);
    assert!(reverted.left.is_empty(), "{:?} in {:?}", reverted.left, tree(&disk.at("ws")));
    std::fs::write(path, text).unwrap();
}

#[test]
fn steps_that_were_undone_are_seen_whether_or_not_the_record_says_so() {
    for seed in 0..12 {
        let all = changed(seed).2;
        for undone in 0..=all {
            let (disk, before, steps) = changed(seed);
            if steps == 0 {
                continue;
            }
            let workspace = disk.open();
            undo_in_silence(&disk, &workspace, undone);
            match workspace.undo(None, false) {
                Ok(_) | Err(UndoError::Nothing) => {}
                Err(error) => panic!("seed {seed}, {undone} of {steps} undone: {error}"),
            }
            assert_eq!(tree(&disk.at("ws")), before, "seed {seed}, {undone} of {steps} undone");
        }
    }
}

/// Where the journal is on another file system, what was deleted is copied back, and the journal
/// still has it. A kill right after that leaves it to the disk to tell.
#[test]
fn what_was_copied_back_is_not_taken_for_a_directory_that_was_made() {
    let disk = Disk::new();
    disk.put("ws/d/a", "a");
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    let changes = set([delete("d", Kind::Directory), create("d/new", "new")]);
    workspace.apply(&changes, &mut journal).unwrap();
    let folder = journal.log.as_ref().unwrap().path().clone();
    drop(journal);
    std::fs::remove_dir_all(disk.at("ws/d")).unwrap();
    disk.put("ws/d/a", "a");
    std::fs::rename(folder.join("removed-0"), folder.join("removed-0.back")).unwrap();
    match workspace.undo(None, false) {
        Ok(_) | Err(UndoError::Nothing) => assert_eq!(tree(&disk.at("ws")), before),
        Err(error) => panic!("{error}"),
    }
}

/// A run was killed while it wrote the new file, and somebody has made the change by hand since.
#[test]
fn a_new_file_that_is_not_whole_does_not_take_the_place_of_the_same_text() {
    let new = "one\ntwo\nthree\n";
    let beside = |copy: &str| {
        let disk = Disk::new();
        disk.put("ws/a", "one\n");
        let workspace = disk.open();
        let mut journal = Transaction::begin(&workspace).unwrap();
        workspace.apply(&set([edit(&workspace, "a", new)]), &mut journal).unwrap();
        drop(journal);
        let (_, record) = Store::lock(&workspace).unwrap().open(1).unwrap();
        let steps = record.steps(&workspace).unwrap();
        let [(_, Step::Write { temporary, .. })] = &steps[..] else { panic!("{steps:?}") };
        disk.put(&format!("ws/{temporary}"), copy);
        drop(Transaction::begin(&disk.open()).unwrap());
        let names = std::fs::read_dir(disk.at("ws")).unwrap();
        assert_eq!(names.count(), 1, "{copy:?}: {:?}", tree(&disk.at("ws")));
        std::fs::read_to_string(disk.at("ws/a")).unwrap()
    };
    for copy in ["", "one\n", "one\ntwo\nthree", "one\n\0\0\0\0three\n", "\0\0\0\0"] {
        assert_eq!(beside(copy), new, "{copy:?}");
    }
    // What somebody has written in the moment of the exchange comes back.
    for copy in ["mine\n", "one\nmine\n", "one\ntwo\nthree\nmine\n"] {
        assert_eq!(beside(copy), copy, "{copy:?}");
    }
}

/// What `undo` and `redo` do, against the trees that were there after each operation.
#[test]
fn undo_and_redo_go_back_and_forth_whatever_was_done() {
    for seed in 0..40 {
        let (disk, before, steps) = changed(seed);
        let workspace = disk.open();
        // The trees before and after each operation not undone, and of those to be redone.
        let now = || tree(&disk.at("ws"));
        let mut done = Vec::new();
        if steps > 0 {
            done.push((before, now(), false));
        }
        let mut undone: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        let mut numbers = Numbers(seed + 1_000);
        for round in 0..24 {
            let context = format!("seed {seed}, round {round}");
            match numbers.below(5) {
                0 | 1 => {
                    let before = now();
                    let mut journal = Transaction::begin(&workspace).unwrap();
                    for _ in 0..numbers.below(4) {
                        let change = some_change(&workspace, &mut numbers);
                        let _ = workspace.apply(&set([change]), &mut journal);
                    }
                    if journal.len() > 0 {
                        let ends = numbers.below(4) > 0;
                        match ends {
                            true => journal.commit().unwrap(),
                            false => drop(journal),
                        }
                        done.push((before, now(), ends));
                        undone.clear();
                    }
                }
                2 | 3 => match done.pop() {
                    Some((before, after, ends)) => {
                        let undo = workspace.undo(None, false);
                        assert!(undo.is_ok(), "{context}: {undo:?}");
                        assert_eq!(now(), before, "{context}");
                        match ends {
                            true => undone.push((before, after)),
                            // What was killed is not made again, nor what was undone before it.
                            false => undone.clear(),
                        }
                    }
                    None => {
                        let undo = workspace.undo(None, false);
                        assert!(matches!(undo, Err(UndoError::Nothing)), "{context}: {undo:?}");
                    }
                },
                _ => {
                    if let Some((before, after)) = undone.pop() {
                        let redo = workspace.redo();
                        assert!(redo.is_ok(), "{context}: {redo:?}");
                        assert_eq!(now(), after, "{context}");
                        done.push((before, after, true));
                    }
                }
            }
        }
    }
}
