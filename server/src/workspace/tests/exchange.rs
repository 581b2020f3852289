//! What somebody else writes in the moment of a write or of its undo is not lost, where the system
//! can exchange two files: Windows cannot.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use operator_core::edit::Change;
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;

use super::super::{Transaction, UndoError, Workspace};
use super::{Disk, create, edit, path, set, tree};

/// Replaces a file again and again by one that holds the next number, until told to stop; gives
/// the last number. A number that is not there any more when the next one is put in place has been
/// overwritten by somebody else.
fn write_numbers(file: PathBuf, stop: &AtomicBool) -> usize {
    let new = file.with_extension("new");
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        fs::write(&new, format!("theirs {number}")).unwrap();
        fs::rename(&new, &file).unwrap();
        thread::yield_now();
    }
    number
}

fn apply(workspace: &Workspace, change: Change) -> bool {
    let mut journal = Transaction::begin(workspace).unwrap();
    let applied = workspace.apply(&set([change]), &mut journal).is_ok();
    journal.commit().unwrap();
    applied
}

#[test]
fn the_last_write_of_somebody_else_is_there_or_was_read_before() {
    let disk = Disk::new();
    disk.put("ws/a", "theirs 0");
    let workspace = disk.open();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let theirs = scope.spawn(|| write_numbers(disk.at("ws/a"), &stop));
        for _ in 0..60 {
            let Ok(before) = workspace.read(&path("a")) else { continue };
            let after = before.with_text(format!("{}, ours", before.text));
            apply(&workspace, Change::Edit { path: path("a"), before, after });
            let _ = workspace.undo(None, false);
        }
        stop.store(true, Ordering::Relaxed);
        let last = theirs.join().unwrap();
        let text = disk.text("ws/a");
        let expected = [format!("theirs {last}"), format!("theirs {last}, ours")];
        assert!(expected.contains(&text), "{text} after {last}");
    });
    let names = tree(&disk.at("ws"));
    assert_eq!(names.len(), 2, "{names:?}");
}

/// Puts `theirs` in place of `a` as soon as an undo has begun to write the old file beside it, which is
/// after it has looked at what is there; whether that came to be.
fn write_in_the_last_moment(folder: &Path, theirs: &Path, stop: &AtomicBool) -> bool {
    let is_new = |entry: fs::DirEntry| entry.file_name().to_string_lossy().ends_with("-undo");
    let has_begun = || fs::read_dir(folder).unwrap().flatten().any(is_new);
    while !stop.load(Ordering::Relaxed) {
        if has_begun() {
            fs::rename(theirs, folder.join("a")).unwrap();
            return true;
        }
    }
    false
}

#[test]
fn what_somebody_else_writes_in_the_last_moment_of_an_undo_stays() {
    let old = "old\n".repeat(1 << 19);
    let mut written = 0;
    for _ in 0..10 {
        let disk = Disk::new();
        disk.put("ws/a", &old);
        disk.put("theirs", "theirs");
        let workspace = disk.open();
        assert!(apply(&workspace, edit(&workspace, "a", "new")));
        let (folder, theirs, stop) = (disk.at("ws"), disk.at("theirs"), AtomicBool::new(false));
        let (has_written, undone) = thread::scope(|scope| {
            let writer = scope.spawn(|| write_in_the_last_moment(&folder, &theirs, &stop));
            let undone = workspace.undo(None, false);
            stop.store(true, Ordering::Relaxed);
            (writer.join().unwrap(), undone)
        });
        let expected = if has_written { "theirs" } else { &*old };
        assert!(disk.text("ws/a") == expected, "lost: {undone:?}");
        written += usize::from(has_written && undone.is_err());
    }
    assert!(written > 0, "nobody has written in time");
}

#[test]
fn what_came_out_of_an_exchange_that_was_cut_short_is_put_back() {
    let disk = Disk::new();
    disk.put("ws/a", "old");
    let workspace = disk.open();
    for (undo, record) in [(false, "00000001/log"), (true, "00000002/log")] {
        let mut journal = Transaction::begin(&workspace).unwrap();
        workspace.apply(&set([edit(&workspace, "a", "new")]), &mut journal).unwrap();
        drop(journal);
        let folder = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
        let log = fs::read_to_string(folder.join(record)).unwrap();
        let start = log.find(".operator-lsp-").unwrap();
        let name = log[start..].split('"').next().unwrap();
        // As after a kill right after the exchange with what somebody else had just written.
        let (copy, ours) = match undo {
            false => (format!("ws/{name}"), "new"),
            true => (format!("ws/{name}-undo"), "old"),
        };
        disk.put(&copy, "theirs");
        disk.put("ws/a", ours);
        workspace.sweep().unwrap();
        assert_eq!(disk.text("ws/a"), "theirs");
        assert_eq!(tree(&disk.at("ws")).len(), 2);
        assert!(matches!(workspace.undo(None, false), Err(UndoError::Changed(_))));
        disk.put("ws/a", "new");
        workspace.undo(None, false).unwrap();
        assert_eq!(disk.text("ws/a"), "old");
    }
}

#[test]
fn a_file_that_undo_had_moved_away_is_put_back() {
    let disk = Disk::new();
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([create("a", "new")]), &mut journal).unwrap();
    drop(journal);
    let folder = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    let log = fs::read_to_string(folder.join("00000001/log")).unwrap();
    let start = log.find(".operator-lsp-").unwrap();
    let name = log[start..].split('"').next().unwrap();
    fs::remove_file(disk.at("ws/a")).unwrap();
    disk.put(&format!("ws/{name}-undo"), "theirs");
    workspace.sweep().unwrap();
    assert_eq!(disk.text("ws/a"), "theirs");
    assert_eq!(tree(&disk.at("ws")).len(), 2);
}

#[test]
fn two_runs_with_journals_of_their_own_do_not_overwrite_each_other() {
    let disk = Disk::new();
    disk.put("ws/a", "");
    let counted: usize = thread::scope(|scope| {
        let runs: Vec<_> = ["one", "two"]
            .map(|name| {
                let workspace = disk.open().with_state_directory(disk.at(name));
                scope.spawn(move || {
                    let add = |_: &usize| {
                        let Ok(before) = workspace.read(&path("a")) else { return false };
                        let after = Content::plain(format!("{}{name}\n", before.text));
                        apply(&workspace, Change::Edit { path: path("a"), before, after })
                    };
                    (0..60).filter(add).count()
                })
            })
            .into_iter()
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).sum()
    });
    assert_eq!(disk.text("ws/a").lines().count(), counted);
    assert_eq!(tree(&disk.at("ws")).len(), 2);
}
