//! What change sets leave on the disk.

use std::fs;

use operator_core::edit::Change;
use operator_core::path::{FilePath, Kind};
use operator_core::snapshot::{Denied, Snapshot};
use operator_core::text::Content;

use super::super::{ApplyError, Transaction, Workspace, WorkspaceOptions};
use super::{Disk, create, delete, edit, path, rename, set, tree};

fn apply<const N: usize>(workspace: &Workspace, changes: [Change; N]) -> Result<(), ApplyError> {
    let mut journal = Transaction::begin(workspace).unwrap();
    let applied = workspace.apply(&set(changes), &mut journal);
    journal.commit().unwrap();
    applied
}

#[cfg(unix)]
fn mode(disk: &Disk, path: &str) -> u32 {
    super::mode(&fs::metadata(disk.at(path)).unwrap())
}

fn chmod(disk: &Disk, path: &str, mode: u32) {
    super::set_mode(&disk.at(path), mode);
}

#[test]
fn bytes_are_written_as_they_are() {
    let disk = Disk::new();
    disk.put("ws/a", "\u{feff}one\r\ntwo");
    let workspace = disk.open();
    let changes = [edit(&workspace, "a", "1\r\n2\n"), create("x/y/b", "new\r")];
    apply(&workspace, changes).unwrap();
    assert_eq!(disk.text("ws/a"), "\u{feff}1\r\n2\n");
    assert_eq!(disk.text("ws/x/y/b"), "new\r");
    let left = tree(&disk.at("ws")).len();
    assert_eq!(left, 5, "no temporary file stays");
}

#[cfg(unix)]
#[test]
fn a_copy_has_the_permissions_of_what_it_is_a_copy_of() {
    let disk = Disk::new();
    disk.put("ws/run", "#!/bin/sh\n");
    chmod(&disk, "ws/run", 0o751);
    let workspace = disk.open();
    let copy = |to: &str, like: &str| Change::Create {
        path: workspace.resolve(to).unwrap(),
        content: Content::plain("#!/bin/sh\n"),
        like: Some(workspace.resolve(like).unwrap()),
    };
    disk.put("ws/usual", "");
    // What it is a copy of may be as new as the copy.
    let changes = [copy("bin/again", "run"), create("fresh", "#!"), copy("second", "fresh")];
    apply(&workspace, changes).unwrap();
    assert_eq!(mode(&disk, "ws/bin/again"), 0o751);
    assert_eq!(mode(&disk, "ws/second"), mode(&disk, "ws/usual"));
}

#[cfg(unix)]
#[test]
fn permissions_are_kept_and_a_new_file_has_the_usual_ones() {
    let disk = Disk::new();
    for (file, bits) in [("run", 0o751), ("private", 0o600)] {
        disk.put(&format!("ws/{file}"), "old");
        chmod(&disk, &format!("ws/{file}"), bits);
    }
    disk.put("ws/usual", "");
    std::os::unix::fs::chown(disk.at("ws/run"), Some(1234), Some(1234)).ok();
    let owner = || std::os::unix::fs::MetadataExt::uid(&fs::metadata(disk.at("ws/run")).unwrap());
    let before = owner();
    let workspace = disk.open();
    let changes =
        [edit(&workspace, "run", "new"), edit(&workspace, "private", "new"), create("new", "n")];
    apply(&workspace, changes).unwrap();
    assert_eq!((mode(&disk, "ws/run"), mode(&disk, "ws/private")), (0o751, 0o600));
    assert_eq!(mode(&disk, "ws/new"), mode(&disk, "ws/usual"));
    assert_eq!(owner(), before);
}

#[test]
fn a_file_that_its_owner_made_read_only_stays() {
    let disk = Disk::new();
    disk.put("ws/a", "old");
    chmod(&disk, "ws/a", 0o444);
    let workspace = disk.open();
    let error = apply(&workspace, [edit(&workspace, "a", "new")]).unwrap_err();
    assert!(matches!(error, ApplyError::Denied { why: Denied::ReadOnly, .. }), "{error}");
    assert_eq!(disk.text("ws/a"), "old");
}

#[test]
fn a_link_is_written_through_and_stays_a_link() {
    let disk = Disk::new();
    disk.put("ws/real/a", "old");
    disk.link("real/a", "ws/link");
    disk.link("real/new", "ws/dangling");
    let workspace = disk.open();
    let real = workspace.resolve("link").unwrap();
    let before = workspace.read(&real).unwrap();
    let changes = [
        Change::Edit { path: real, after: before.with_text("new"), before },
        Change::Create {
            path: workspace.resolve("dangling").unwrap(),
            content: Content::plain("made"),
            like: None,
        },
    ];
    apply(&workspace, changes).unwrap();
    assert_eq!(disk.text("ws/real/a"), "new");
    assert_eq!(disk.text("ws/real/new"), "made");
    assert!(fs::symlink_metadata(disk.at("ws/link")).unwrap().is_symlink());
    assert!(fs::symlink_metadata(disk.at("ws/dangling")).unwrap().is_symlink());
}

#[test]
fn what_changed_since_the_plan_is_not_overwritten() {
    let disk = Disk::new();
    disk.put("ws/a", "old");
    let workspace = disk.open();
    let planned = edit(&workspace, "a", "new");
    disk.put("ws/a", "newer");
    disk.put("ws/b", "there");
    let changed = apply(&workspace, [planned]).unwrap_err();
    assert!(matches!(changed, ApplyError::Changed(_)));
    assert_eq!(disk.text("ws/a"), "newer");
    let exists = apply(&workspace, [create("b", "mine")]).unwrap_err();
    assert!(matches!(exists, ApplyError::Exists(_)));
    let onto = apply(&workspace, [rename("a", "b", Kind::File)]).unwrap_err();
    assert!(matches!(onto, ApplyError::Exists(_)));
    let other = apply(&workspace, [delete("a", Kind::Directory)]).unwrap_err();
    assert!(matches!(other, ApplyError::Changed(_)));
    assert_eq!(disk.text("ws/b"), "there");
}

#[test]
fn a_set_that_fails_midway_leaves_nothing() {
    let disk = Disk::new();
    disk.put("ws/a", "a");
    disk.put("ws/d/x", "x");
    let before = tree(&disk.at("ws"));
    let workspace = disk.open();
    let changes = [
        edit(&workspace, "a", "A"),
        create("n/e/w", "w"),
        delete("d", Kind::Directory),
        rename("a", "b", Kind::File),
        create("b", "there is one"),
    ];
    let error = apply(&workspace, changes).unwrap_err();
    assert!(matches!(error, ApplyError::Exists(_)), "{error}");
    assert_eq!(tree(&disk.at("ws")), before);
}

/// A file that has two names, since one folder of the workspace is in another, is changed by its second
/// name after it was made by its first: as if somebody else had changed it meanwhile.
#[test]
fn a_set_that_fails_and_cannot_be_undone_says_what_is_left() {
    let disk = Disk::new();
    disk.put("ws/inner/taken", "");
    let roots = [disk.at("ws"), disk.at("ws/inner")];
    let workspace = Workspace::open(&roots, WorkspaceOptions::default()).unwrap();
    let workspace = workspace.with_state_directory(disk.at("state"));
    let before = tree(&disk.at("ws"));
    let directory = |name| Change::CreateDirectory { path: path(name) };
    let by_the_second_name = Change::Edit {
        path: FilePath::new(1, "made"),
        before: Content::plain("ours"),
        after: Content::plain("theirs"),
    };
    let changes = [
        create("inner/made", "ours"),
        directory("new"),
        by_the_second_name,
        directory("inner/taken"),
    ];
    match apply(&workspace, changes).unwrap_err() {
        ApplyError::HalfDone { failed, left } => {
            assert!(matches!(*failed, ApplyError::Exists(at) if at == path("inner/taken")));
            let left: Vec<_> = left.iter().map(|left| &*left.path.path).collect();
            assert_eq!(left, ["inner/made"]);
        }
        error => panic!("not said: {error}"),
    }
    assert_eq!(disk.text("ws/inner/made"), "ours", "only that is left");
    assert_eq!(tree(&disk.at("ws")).len(), before.len() + 1);
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before, "undo does the rest");
}

#[test]
fn protected_paths_and_folders_are_not_taken_along() {
    let disk = Disk::new();
    disk.put("ws/sub/.git/config", "c");
    disk.put("ws/sub/a", "a");
    let workspace = disk.open();
    let before = tree(&disk.at("ws"));
    for change in [
        delete("sub", Kind::Directory),
        rename("sub", "other", Kind::Directory),
        delete("", Kind::Directory),
        create("sub/.git/hooks/pre-commit", "x"),
        rename("sub/a", ".git/config", Kind::File),
        rename("sub/a", "sub/a/b", Kind::File),
    ] {
        let error = apply(&workspace, [change]).unwrap_err();
        assert!(matches!(error, ApplyError::Denied { .. }), "{error}");
    }
    assert_eq!(tree(&disk.at("ws")), before);
}

#[test]
fn a_swapped_link_is_not_written_through() {
    let disk = Disk::new();
    disk.put("outside/a", "theirs");
    disk.put("ws/dir/a", "mine");
    let workspace = disk.open();
    let planned = edit(&workspace, "dir/a", "new");
    fs::remove_dir_all(disk.at("ws/dir")).unwrap();
    disk.link(disk.at("outside"), "ws/dir");
    for change in [planned, create("dir/b", "b"), delete("dir/a", Kind::File)] {
        apply(&workspace, [change]).unwrap_err();
    }
    assert_eq!(tree(&disk.at("outside")).len(), 2);
    assert_eq!(disk.text("outside/a"), "theirs");
}

#[test]
fn many_files_at_once() {
    let disk = Disk::new();
    let workspace = disk.open();
    let changes = (0..300).map(|n| create(&format!("d{}/f{n}", n % 7), &n.to_string())).collect();
    let mut journal = Transaction::begin(&workspace).unwrap();
    workspace.apply(&changes, &mut journal).unwrap();
    assert_eq!(disk.text("ws/d5/f299"), "299");
    assert_eq!(journal.rollback().unwrap().len(), 307);
    assert_eq!(tree(&disk.at("ws")).len(), 1);
}
