//! What programs tell each other of files that an editor has not saved.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

use operator_core::fingerprint::Fingerprint;
use operator_core::path::FilePath;
use operator_core::snapshot::{Denied, Snapshot};
use operator_core::text::Text;

use super::super::{LastLoaded, OpenDocument, Workspace};
use super::store::{store, write};
use super::{Disk, path};

/// Two programs in one workspace, with files `a` and `b` that have `one`.
fn two() -> (Disk, Workspace, Workspace) {
    let disk = Disk::new();
    disk.put("ws/a", "one");
    disk.put("ws/b", "one");
    let first = disk.open();
    // The store is there once something was applied.
    write(&first, "c", "-", "x");
    let second = disk.open();
    (disk, first, second)
}

fn told(workspace: &Workspace) -> Vec<FilePath> {
    workspace.look_for_unsaved().iter().cloned().collect()
}

#[test]
fn what_another_program_has_not_saved_is_neither_read_nor_written() {
    let (_disk, first, second) = two();
    first.tell_unsaved(&path("a"), true);
    assert_eq!((told(&first), told(&second)), (Vec::new(), vec![path("a")]));
    assert_eq!(second.state(&path("a")), Err(Denied::Unsaved));
    assert!(second.read(&path("a")) == Err(Denied::Unsaved));
    assert_eq!(second.writable(&path("a")), Err(Denied::Unsaved));
    assert!(first.state(&path("a")).is_ok() && second.state(&path("b")).is_ok());
    first.tell_unsaved(&path("a"), false);
    assert_eq!(told(&second), Vec::new());
    assert!(second.state(&path("a")).is_ok());
    first.tell_unsaved(&path("b"), true);
    assert_eq!(told(&second), vec![path("b")]);
    drop(first);
    assert_eq!(told(&second), Vec::new(), "it has ended");
}

#[test]
fn a_file_is_saved_or_not_whatever_another_program_says() {
    let (_disk, first, second) = two();
    first.tell_unsaved(&path("a"), true);
    told(&second);
    let shows = |text: &str| {
        let open = OpenDocument::Text(Text::new(text));
        second.view(Arc::new(HashMap::from([(path("a"), open)]))).is_unsaved(&path("a"))
    };
    assert!(!shows("one") && shows("two") && shows("longer"));
}

#[test]
fn what_could_not_be_told_is_told_the_next_time() {
    let (disk, first, second) = two();
    first.tell_unsaved(&path("a"), true);
    let folder = store(&disk).join("unsaved");
    let names = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path());
    let lock = names.into_iter().find(|it| it.extension().is_some_and(|it| it == "lock"));
    let blocker = lock.unwrap().with_extension("new");
    fs::create_dir(&blocker).unwrap();
    first.tell_unsaved(&path("b"), true);
    assert_eq!(told(&second), vec![path("a")]);
    fs::remove_dir(&blocker).unwrap();
    first.tell_unsaved(&path("b"), true);
    assert_eq!(told(&second), vec![path("a"), path("b")]);
}

#[test]
fn what_an_editor_had_loaded_is_known_once_its_server_has_ended() {
    let (_disk, first, second) = two();
    let [text, led_to] = [b"1", b"2"].map(|text| Fingerprint::of(text));
    let loaded = LastLoaded { text, led_to };
    ["a", "b"].iter().for_each(|name| first.tell_loaded(&path(name), Some(loaded)));
    first.tell_loaded(&path("b"), None);
    assert_eq!(second.left_loaded(&path("a")), [], "it lives");
    drop(first);
    assert_eq!(second.left_loaded(&path("a")), [loaded]);
    assert_eq!(second.left_loaded(&path("b")), []);
    assert!(second.left_unsaved().is_empty());
    // Another program tells of the file.
    second.tell_loaded(&path("a"), Some(loaded));
    assert_eq!(second.left_loaded(&path("a")), []);
}

#[test]
fn what_a_program_had_not_saved_is_known_until_it_is_shown_again() {
    let (disk, first, second) = two();
    ["a", "b"].iter().for_each(|name| first.tell_unsaved(&path(name), true));
    assert!(second.left_unsaved().is_empty(), "it lives");
    drop(first);
    let left = |names: &[&str]| names.iter().map(|name| path(name)).collect();
    assert_eq!(second.left_unsaved(), left(&["a", "b"]));
    // A run that removes what others have left keeps it.
    write(&second, "c", "x", "y");
    second.forget_left(&path("a"));
    assert_eq!(disk.open().left_unsaved(), left(&["b"]));
    second.forget_left(&path("b"));
    assert_eq!(second.left_unsaved(), left(&[]));
    assert_eq!(fs::read_dir(store(&disk).join("unsaved")).unwrap().count(), 0);
}
