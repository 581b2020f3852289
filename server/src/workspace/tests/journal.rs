//! Everything can be undone, after a kill too, and only what is as it was left.

use std::fs;

use operator_core::edit::ChangeSet;
use operator_core::ledger::OperationId;
use operator_core::path::{FilePath, Kind};
use operator_core::snapshot::{Denied, Snapshot};

use super::super::{
    JournalError, LeftChange, Since, Transaction, UndoAction, UndoError, Workspace,
};
use super::{Disk, create, delete, edit, path, rename, set, set_mode, tree};

/// A directory with everything that can be lost: a link, an empty directory, bytes, a mode.
fn furnished() -> Disk {
    let disk = Disk::new();
    disk.put("ws/a", "\u{feff}one\r\ntwo");
    disk.put("ws/d/bin", b"\x00\xff\xfe");
    disk.put("ws/d/deep/run", "#!");
    set_mode(&disk.at("ws/d/deep/run"), 0o755);
    fs::create_dir(disk.at("ws/d/empty")).unwrap();
    set_mode(&disk.at("ws/d/empty"), 0o700);
    disk.link("../a", "ws/d/link");
    disk.link("/nowhere", "ws/d/broken");
    disk
}

fn paths(all: &[Since]) -> Vec<FilePath> {
    all.iter().map(|since| since.path.clone()).collect()
}

fn everything(workspace: &Workspace) -> ChangeSet {
    set([
        edit(workspace, "a", "1"),
        create("new/deep/file", "n"),
        rename("new", "moved", Kind::Directory),
        rename("a", "moved/b", Kind::File),
        delete("d", Kind::Directory),
        create("d/again", "other"),
    ])
}

#[test]
fn undo_brings_back_byte_for_byte() {
    let disk = furnished();
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&everything(&workspace), &mut journal).unwrap();
    journal.commit().unwrap();
    assert_eq!(disk.text("ws/moved/b"), "\u{feff}1");
    assert_eq!(disk.text("ws/d/again"), "other");
    let undone = workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
    assert!(
        undone.iter().any(|done| done.path == path("d") && done.action == UndoAction::Returned)
    );
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
}

#[test]
fn each_undo_goes_one_further_back() {
    let disk = Disk::new();
    let workspace = disk.open();
    for n in 0..25 {
        let mut journal = Transaction::begin(&workspace).unwrap();
        let changes = set([create(&format!("f{n}"), "x")]);
        workspace.apply(&changes, &mut journal).unwrap();
        journal.commit().unwrap();
    }
    let undone = (0..).take_while(|_| workspace.undo(None, false).is_ok()).count();
    assert_eq!(undone, 25);
    assert_eq!(tree(&disk.at("ws")).len(), 1 + 25 - undone);
}

#[test]
fn a_run_that_was_killed_is_taken_back() {
    let disk = furnished();
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    let changes = everything(&workspace);
    for steps in 1..=changes.len() {
        let mut journal = Transaction::begin(&workspace).unwrap();
        let part = changes.iter().take(steps).cloned().collect();
        workspace.apply(&part, &mut journal).unwrap();
        drop(journal);
        assert_ne!(tree(&disk.at("ws")), before);
        disk.open().undo(None, false).unwrap();
        assert_eq!(tree(&disk.at("ws")), before, "killed after {steps}");
    }
}

/// As after a kill while a line was written, and before the step of the line above was begun.
#[test]
fn steps_on_record_that_were_not_begun_are_left_alone() {
    let disk = furnished();
    let workspace = disk.open();
    let before = tree(&disk.at("ws"));
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([edit(&workspace, "a", "1")]), &mut journal).unwrap();
    drop(journal);
    let folder = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    let log = folder.join("00000001/log");
    let text = fs::read_to_string(&log).unwrap();
    let deletion = r#"{"step":{"step":"remove","path":{"root":0,"path":"d"},"saved":"removed-7","temporary":".operator-lsp-1-8"}}"#;
    fs::write(&log, format!("{text}{deletion}\n{{\"step\":{{\"st")).unwrap();
    disk.put("ws/.operator-lsp-1-8/half", "left");
    let undone = workspace.undo(None, false).unwrap();
    assert_eq!(undone.len(), 1);
    assert_eq!(tree(&disk.at("ws")), before, "and the leftover is gone");
}

/// Makes two operations: one on `a` that has ended, and one on `b` that was killed before it has
/// changed anything.
fn killed_before_it_changed_anything() -> Disk {
    let disk = Disk::new();
    disk.put("ws/a", "1");
    disk.put("ws/b", "1");
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([edit(&workspace, "a", "2")]), &mut journal).unwrap();
    journal.commit().unwrap();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([edit(&workspace, "b", "2")]), &mut journal).unwrap();
    drop(journal);
    disk.put("ws/b", "1");
    disk
}

#[test]
fn what_was_killed_before_it_changed_anything_is_not_in_the_way_of_undo() {
    let check = |change: fn(&Disk)| {
        let disk = killed_before_it_changed_anything();
        change(&disk);
        disk.open().undo(None, false).unwrap();
        assert_eq!(disk.text("ws/a"), "1");
    };
    check(|_| {});
    check(|disk| {
        disk.open().sweep().unwrap();
        disk.put("ws/b", "hand");
    });
    check(|disk| disk.put("ws/b", "hand"));
}

#[test]
fn a_killed_run_whose_file_has_changed_since_is_named_where_nothing_else_is_left() {
    let disk = killed_before_it_changed_anything();
    disk.put("ws/b", "hand");
    disk.open().undo(None, false).unwrap();
    let Err(UndoError::Changed(since)) = disk.open().undo(None, false) else { panic!() };
    assert_eq!(paths(&since), [path("b")]);
    assert!(matches!(disk.open().undo(None, true), Err(UndoError::Partly { .. })));
    assert!(matches!(disk.open().undo(None, false), Err(UndoError::Nothing)));
}

/// The name of the first temporary file that the first transaction has on record.
fn first_temporary(disk: &Disk) -> String {
    let folder = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(folder.join("00000001/log")).unwrap();
    let start = text.find(".operator-lsp-").unwrap();
    text[start..].split('"').next().unwrap().to_owned()
}

#[test]
fn the_next_run_removes_what_a_killed_one_left_and_nothing_else() {
    let disk = Disk::new();
    disk.put("ws/a", "old");
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([edit(&workspace, "a", "new")]), &mut journal).unwrap();
    drop(journal);
    let name = first_temporary(&disk);
    // As after a kill before the new file was whole.
    disk.put("ws/a", "old");
    disk.put(&format!("ws/{name}"), "half");
    disk.put("ws/.operator-lsp-of-another", "theirs");
    workspace.sweep().unwrap();
    assert!(!disk.at(&format!("ws/{name}")).exists());
    assert_eq!(disk.text("ws/.operator-lsp-of-another"), "theirs");
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
    assert_eq!(disk.text("ws/a"), "old");
}

#[test]
fn what_is_left_in_a_directory_that_comes_back_is_removed() {
    let disk = Disk::new();
    disk.put("ws/d/a", "old");
    let (workspace, before) = (disk.open(), tree(&disk.at("ws")));
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([edit(&workspace, "d/a", "new")]), &mut journal).unwrap();
    // As where the old file could not be removed from beside the new one.
    let name = first_temporary(&disk);
    disk.put(&format!("ws/d/{name}"), "old");
    workspace.apply(&set([delete("d", Kind::Directory)]), &mut journal).unwrap();
    journal.commit().unwrap();
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
}

#[test]
fn what_changed_since_is_not_taken_back() {
    let disk = furnished();
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&everything(&workspace), &mut journal).unwrap();
    journal.commit().unwrap();
    disk.put("ws/moved/b", "mine");
    disk.put("ws/d/again", "mine");
    let after = tree(&disk.at("ws"));
    match workspace.undo(None, false) {
        Err(UndoError::Changed(all)) => {
            let mut paths = paths(&all);
            paths.sort();
            assert_eq!(paths, [path("d/again"), path("moved/b")]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(tree(&disk.at("ws")), after);
}

#[test]
fn a_deleted_file_that_was_made_anew_is_not_overwritten() {
    let disk = furnished();
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    let changes = set([delete("a", Kind::File), create("b", "b")]);
    workspace.apply(&changes, &mut journal).unwrap();
    journal.commit().unwrap();
    disk.put("ws/a", "mine");
    assert!(
        matches!(workspace.undo(None, false), Err(UndoError::Changed(all)) if paths(&all) == [path("a")])
    );
    assert_eq!(disk.text("ws/a"), "mine");
}

#[test]
fn what_others_put_into_a_new_directory_stays() {
    let disk = Disk::new();
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([create("n/e/w", "w")]), &mut journal).unwrap();
    journal.commit().unwrap();
    disk.put("ws/n/mine", "m");
    workspace.undo(None, false).unwrap();
    assert_eq!(disk.text("ws/n/mine"), "m");
    assert!(!disk.at("ws/n/e").exists());
}

#[test]
fn an_undo_that_cannot_go_on_loses_nothing_and_goes_on_later() {
    let disk = furnished();
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    let changes = set([delete("d", Kind::Directory), create("d/again", "x")]);
    workspace.apply(&changes, &mut journal).unwrap();
    journal.commit().unwrap();
    disk.put("ws/d/mine", "m");
    for _ in 0..2 {
        workspace.undo(None, false).unwrap_err();
        assert_eq!(disk.text("ws/d/mine"), "m");
    }
    fs::remove_dir_all(disk.at("ws/d")).unwrap();
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
}

#[test]
fn a_rollback_takes_back_everything_in_the_transaction() {
    let disk = furnished();
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([edit(&workspace, "a", "1")]), &mut journal).unwrap();
    workspace.apply(&set([edit(&workspace, "a", "2")]), &mut journal).unwrap();
    workspace.apply(&set([create("a", "no")]), &mut journal).unwrap_err();
    workspace.apply(&set([delete("a", Kind::File)]), &mut journal).unwrap();
    journal.rollback().unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
}

#[test]
fn what_somebody_else_changed_is_no_reason_to_leave_the_rest() {
    let disk = furnished();
    disk.put("ws/other", "other");
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&everything(&workspace), &mut journal).unwrap();
    workspace.apply(&set([edit(&workspace, "other", "written")]), &mut journal).unwrap();
    disk.put("ws/other", "written, and mine");
    let Err(UndoError::Partly { left, undone, .. }) = journal.rollback() else { panic!() };
    let left: Vec<_> = left.into_iter().map(|left| (left.path, left.change)).collect();
    assert_eq!(left, [(path("other"), LeftChange::Edited)]);
    assert!(!undone.is_empty());
    let refused = workspace.undo(None, false).unwrap_err();
    assert!(matches!(&refused, UndoError::Changed(all) if paths(all) == [path("other")]));
    assert_eq!(disk.text("ws/other"), "written, and mine");
    // As the transaction left it, it can be undone.
    disk.put("ws/other", "written");
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
}

#[test]
fn a_file_that_has_changed_is_skipped_on_demand() {
    let disk = furnished();
    disk.put("ws/first", "1");
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    for changes in [set([edit(&workspace, "first", "2")]), everything(&workspace)] {
        let mut journal = Transaction::begin(&workspace).unwrap();
        workspace.apply(&changes, &mut journal).unwrap();
        journal.commit().unwrap();
    }
    disk.put("ws/d/again", "mine");
    workspace.undo(None, false).unwrap_err();
    let Err(UndoError::Partly { left, again, .. }) = workspace.undo(None, true) else { panic!() };
    assert_eq!(left[0].path, path("d/again"));
    assert_eq!(disk.text("ws/d/again"), "mine");
    assert_eq!(disk.text("ws/a"), "\u{feff}one\r\ntwo");
    assert_eq!(again, Some(OperationId(2)));
    workspace.undo(None, false).unwrap();
    assert_eq!(disk.text("ws/first"), "1");
    // What was deleted cannot come back to where something is; the journal still has it.
    fs::remove_dir_all(disk.at("ws/d")).unwrap();
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
}

#[test]
fn a_run_waits_for_one_that_is_short() {
    let disk = Disk::new();
    let (workspace, first) = (disk.open(), Transaction::begin(&disk.open()).unwrap());
    std::thread::scope(|scope| {
        let second = scope.spawn(|| Transaction::begin(&workspace).map(|_| ()));
        std::thread::sleep(std::time::Duration::from_millis(20));
        drop(first);
        second.join().unwrap().unwrap();
    });
}

#[test]
fn two_runs_do_not_meet() {
    let disk = Disk::new();
    let workspace = disk.open();
    let first = Transaction::begin(&workspace).unwrap();
    let second = Transaction::begin(&disk.open()).unwrap_err();
    assert!(matches!(second, JournalError::Locked), "{second}");
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Journal(JournalError::Locked))));
    workspace.sweep().unwrap();
    drop(first);
    Transaction::begin(&workspace).unwrap();
}

#[cfg(unix)]
#[test]
fn a_journal_on_another_file_system_keeps_whole_directories() {
    let disk = furnished();
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else { return };
    let device =
        |path: &std::path::Path| std::os::unix::fs::MetadataExt::dev(&fs::metadata(path).unwrap());
    if device(other.path()) == device(&disk.at("ws")) {
        return;
    }
    let before = tree(&disk.at("ws"));
    let workspace = disk.open().with_state_directory(other.path().to_owned());
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([delete("d", Kind::Directory)]), &mut journal).unwrap();
    journal.commit().unwrap();
    assert_eq!(tree(&disk.at("ws")).len(), 2);
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
}

#[test]
fn a_journal_inside_the_workspace_is_protected() {
    let disk = Disk::new();
    let workspace = disk.open().with_state_directory(disk.at("ws/.state"));
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&set([create("a", "a")]), &mut journal).unwrap();
    assert!(matches!(workspace.resolve(".state/x"), Err(Denied::Protected(_))));
    workspace.apply(&set([delete(".state", Kind::Directory)]), &mut journal).unwrap_err();
    journal.rollback().unwrap();
}
