//! What a file has besides its content is kept by a write and given back by undo.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;

use operator_core::edit::Change;
use operator_core::path::Kind;
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;
use rustix::fs::{XattrFlags, fsetxattr};

use super::super::attributes::Attributes;
use super::super::{ApplyError, Transaction, Workspace};
use super::{Disk, create, delete, edit, set};

const ACCESS_LIST: &str = "system.posix_acl_access";
const DEFAULT_LIST: &str = "system.posix_acl_default";

/// An access list: user 1000 may read and write, the owning group may do nothing.
fn access_list() -> Vec<u8> {
    let entry = |tag: u16, permissions: u16, id: u32| {
        [&tag.to_le_bytes()[..], &permissions.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    let any = u32::MAX;
    let entries = [
        entry(0x01, 6, any),
        entry(0x02, 6, 1000),
        entry(0x04, 0, any),
        entry(0x10, 6, any),
        entry(0x20, 0, any),
    ];
    [2u32.to_le_bytes().to_vec(), entries.concat()].concat()
}

fn of(disk: &Disk, path: &str) -> Attributes {
    Attributes::of(File::open(disk.at(path)).unwrap()).unwrap()
}

fn mode(disk: &Disk, path: &str) -> u32 {
    fs::metadata(disk.at(path)).unwrap().permissions().mode() & 0o7777
}

fn chmod(disk: &Disk, path: &str, mode: u32) {
    fs::set_permissions(disk.at(path), fs::Permissions::from_mode(mode)).unwrap();
}

/// Sets extended attributes; whether the file system has them.
fn give(disk: &Disk, path: &str, all: &[(&str, &[u8])]) -> bool {
    let file = File::open(disk.at(path)).unwrap();
    all.iter().all(|(name, value)| fsetxattr(&file, *name, value, XattrFlags::empty()).is_ok())
}

fn apply(workspace: &Workspace, change: Change) -> Result<(), ApplyError> {
    let mut journal = Transaction::begin(workspace).unwrap();
    let applied = workspace.apply(&set([change]), &mut journal);
    journal.commit().unwrap();
    applied
}

#[test]
fn an_access_list_and_extended_attributes_are_kept() {
    let disk = Disk::new();
    disk.put("ws/a", "old");
    let list = access_list();
    if !give(&disk, "ws/a", &[("user.note", b"mine"), (ACCESS_LIST, &list)]) {
        return;
    }
    let before = of(&disk, "ws/a");
    assert_eq!(mode(&disk, "ws/a"), 0o660);
    let workspace = disk.open();
    apply(&workspace, edit(&workspace, "a", "new")).unwrap();
    assert_eq!((disk.text("ws/a").as_str(), of(&disk, "ws/a")), ("new", before.clone()));
    apply(&workspace, delete("a", Kind::File)).unwrap();
    workspace.undo(None, false).unwrap();
    assert_eq!((disk.text("ws/a").as_str(), of(&disk, "ws/a")), ("new", before.clone()));
    workspace.undo(None, false).unwrap();
    assert_eq!((disk.text("ws/a").as_str(), of(&disk, "ws/a")), ("old", before));
}

#[test]
fn a_copy_has_the_access_list_of_its_model() {
    let disk = Disk::new();
    disk.put("ws/a", "text");
    if !give(&disk, "ws/a", &[(ACCESS_LIST, &access_list())]) {
        return;
    }
    let workspace = disk.open();
    let like = Some(workspace.resolve("a").unwrap());
    let Change::Create { path, content, .. } = create("b", "text") else { unreachable!() };
    apply(&workspace, Change::Create { path, content, like }).unwrap();
    assert_eq!(of(&disk, "ws/b"), of(&disk, "ws/a"));
}

#[test]
fn what_a_directory_gives_to_new_files_is_not_given_to_old_ones() {
    let disk = Disk::new();
    disk.put("ws/d/a", "old");
    chmod(&disk, "ws/d/a", 0o640);
    if !give(&disk, "ws/d", &[(DEFAULT_LIST, &access_list())]) {
        return;
    }
    let before = of(&disk, "ws/d/a");
    let workspace = disk.open();
    apply(&workspace, edit(&workspace, "d/a", "new")).unwrap();
    assert_eq!(of(&disk, "ws/d/a"), before);
    apply(&workspace, create("d/b", "new")).unwrap();
    assert_ne!(of(&disk, "ws/d/b"), before, "a new file has what the directory gives");
}

#[test]
fn a_program_with_more_rights_loses_them_until_it_is_as_before() {
    let disk = Disk::new();
    disk.put("ws/a", "old");
    chmod(&disk, "ws/a", 0o6755);
    let workspace = disk.open();
    apply(&workspace, edit(&workspace, "a", "new")).unwrap();
    assert_eq!(mode(&disk, "ws/a"), 0o755);
    workspace.undo(None, false).unwrap();
    assert_eq!((disk.text("ws/a").as_str(), mode(&disk, "ws/a")), ("old", 0o6755));
}

#[test]
fn a_mode_that_was_set_after_a_write_stays_after_undo() {
    let disk = Disk::new();
    disk.put("ws/a", "old");
    chmod(&disk, "ws/a", 0o644);
    let workspace = disk.open();
    apply(&workspace, edit(&workspace, "a", "new")).unwrap();
    chmod(&disk, "ws/a", 0o600);
    workspace.undo(None, false).unwrap();
    assert_eq!((disk.text("ws/a").as_str(), mode(&disk, "ws/a")), ("old", 0o600));
}

#[test]
fn a_copy_of_what_has_gone_is_not_made() {
    let disk = Disk::new();
    let workspace = disk.open();
    let like = Some(workspace.resolve("gone").unwrap());
    let path = workspace.resolve("lost").unwrap();
    let change = Change::Create { path, content: Content::plain("private"), like };
    assert!(matches!(apply(&workspace, change), Err(ApplyError::Changed(_))));
    assert!(!disk.at("ws/lost").exists());
}
