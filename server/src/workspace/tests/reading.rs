//! What a snapshot of the disk, and of the buffers before it, shows.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use operator_core::fingerprint::Fingerprint;
use operator_core::limits::Limits;
use operator_core::path::{FilePath, Kind, State};
use operator_core::snapshot::{Denied, Snapshot};
use operator_core::text::{Content, Text};

use super::super::{OpenDocument, WorkspaceOptions};
use super::Disk;

fn path(path: &str) -> FilePath {
    FilePath::new(0, path)
}

fn names(snapshot: &dyn Snapshot, directory: &str, ignored: bool) -> Vec<String> {
    let files = snapshot.files(&path(directory), ignored, 99).unwrap();
    files.into_iter().map(|file| file.to_string()).collect()
}

#[test]
fn bytes_as_they_are() {
    let disk = Disk::new();
    disk.put("ws/bom", "\u{feff}a\r\nb");
    disk.put("ws/latin", b"ab\xe9");
    let workspace = disk.open();
    let bom = workspace.read(&path("bom")).unwrap();
    assert_eq!(bom, Content::new(true, "a\r\nb"));
    assert_eq!(workspace.state(&path("bom")), Ok(State::File(bom.fingerprint())));
    assert_eq!(workspace.read(&path("latin")), Err(Denied::NotUtf8(2)));
    assert_eq!(workspace.state(&path("latin")), Ok(State::File(Fingerprint::of(b"ab\xe9"))));
    assert_eq!(workspace.state(&path("no")), Ok(State::Missing));
    assert_eq!(workspace.state(&path("no/such")), Ok(State::Missing));
    assert_eq!(workspace.state(&path("")), Ok(State::Directory));
    assert_eq!(workspace.read(&path("")), Err(Denied::NotAFile));
    assert_eq!(workspace.read(&path("no")), Err(Denied::NotFound));
}

#[test]
fn the_size_is_looked_at_before_the_file() {
    let disk = Disk::new();
    disk.put("ws/a", "12345");
    let limits = Limits { file_bytes: 4, ..Limits::default() };
    let workspace = disk.open_with(WorkspaceOptions { limits, ..WorkspaceOptions::default() });
    assert_eq!(workspace.read(&path("a")), Err(Denied::TooLarge { size: 5, limit: 4 }));
    assert!(matches!(workspace.state(&path("a")), Ok(State::Large { size: 5, .. })));
}

/// Most programs empty a file before they write it anew.
#[test]
fn a_file_that_was_emptied_just_now_is_looked_at_once_more() {
    let disk = Disk::new();
    let workspace = disk.open();
    let written = State::File(Fingerprint::of(b"anew"));
    // Whoever writes may come too late.
    let is_seen_written = || {
        disk.put("ws/a", "");
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(10));
                disk.put("ws/a", "anew");
            });
            workspace.state(&path("a")) == Ok(written)
        })
    };
    assert!((0..20).any(|_| is_seen_written()));
    disk.put("ws/a", "");
    assert_eq!(workspace.state(&path("a")), Ok(State::File(Fingerprint::of(b""))));
}

#[cfg(unix)]
fn not_utf8() -> &'static std::ffi::OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(b"f\xff")
}

#[test]
fn a_list_is_sorted_and_says_what_is_a_directory() {
    let disk = Disk::new();
    disk.put("ws/b/x", "");
    disk.put("ws/a", "");
    disk.link("b", "ws/c");
    disk.link("gone", "ws/d");
    disk.link(disk.at("."), "ws/e");
    #[cfg(unix)]
    std::fs::write(disk.at("ws").join(not_utf8()), "").unwrap();
    let entries = disk.open().list(&path("")).unwrap();
    let shown: Vec<(&str, bool)> =
        entries.iter().map(|entry| (entry.name.as_str(), entry.directory)).collect();
    let mut expected = vec![("a", false), ("b", true), ("c", true), ("d", false), ("e", false)];
    expected.extend(cfg!(unix).then_some(("f\u{fffd}", false)));
    assert_eq!(shown, expected);
    assert_eq!(disk.open().list(&path("a")), Err(Denied::NotADirectory));
    assert_eq!(disk.open().list(&path("no")), Err(Denied::NotFound));
}

#[test]
fn files_below_a_directory() {
    let disk = Disk::new();
    disk.put("ws/.gitignore", "*.log\n/out\n!keep.log\n");
    for file in ["a.rs", "b.log", "keep.log", "out/x", "sub/out/y", "sub/z.tmp", ".hidden/h"] {
        disk.put(&format!("ws/{file}"), "");
    }
    disk.put("ws/sub/.gitignore", "*.tmp\n!*.log");
    disk.put("ws/sub/c.log", "");
    disk.put("ws/.git/HEAD", "");
    disk.link("a.rs", "ws/link");
    let workspace = disk.open();
    let found = names(&workspace, "", false);
    assert_eq!(found, ["a.rs", "keep.log", "sub/c.log", "sub/out/y"]);
    assert_eq!(names(&workspace, "sub", false), ["sub/c.log", "sub/out/y"]);
    let all = ["sub/.gitignore", "sub/c.log", "sub/out/y", "sub/z.tmp"];
    assert_eq!(names(&workspace, "sub", true), all);
    assert_eq!(names(&workspace, "a.rs", false), ["a.rs"]);
    assert_eq!(workspace.files(&path(""), false, 3), Err(Denied::TooMany { limit: 3 }));
    assert_eq!(workspace.files(&path("no"), false, 3), Err(Denied::NotFound));
}

#[test]
fn open_buffers_stand_before_the_disk() {
    let disk = Disk::new();
    disk.put("ws/a", "\u{feff}old");
    disk.put("ws/u", "u");
    disk.put("ws/.gitignore", "*.log");
    let text = |text: &str| OpenDocument::Text(Text::new(text));
    let open: HashMap<FilePath, OpenDocument> = [
        (path("a"), text("new")),
        (path("u"), OpenDocument::Unsynced),
        (path("dir/only"), text("open")),
        (path("dir/x.log"), text("open")),
        (path(".git/config"), text("secret")),
    ]
    .into();
    let view = disk.open().view(Arc::new(open));
    assert_eq!(view.read(&path("a")), Ok(Content::new(true, "new")));
    let fingerprint = Fingerprint::of("\u{feff}new".as_bytes());
    assert_eq!(view.state(&path("a")), Ok(State::File(fingerprint)));
    assert_eq!(view.read(&path("u")), Err(Denied::Unsynced));
    assert_eq!(view.state(&path("u")), Err(Denied::Unsynced));
    assert_eq!(view.read(&path("dir/only")), Ok(Content::plain("open")));
    assert_eq!(view.kind(&path("dir")), Ok(Some(Kind::Directory)));
    assert_eq!(view.state(&path("dir")), Ok(State::Directory));
    assert_eq!(view.list(&path("dir")).unwrap().len(), 2);
    assert!(matches!(view.read(&path(".git/config")), Err(Denied::Protected(_))));
    assert_eq!(names(&view, "", false), ["a", "dir/only", "u"]);
    assert_eq!(names(&view, "dir", true), ["dir/only", "dir/x.log"]);
    assert_eq!(view.list(&path("no")), Err(Denied::NotFound));
}

#[test]
fn a_folder_that_is_read_may_be_moved_and_deleted() {
    let disk = Disk::new();
    disk.put("ws/new/deep/a", "x");
    let workspace = disk.open();
    let read = workspace.directory(&path("new")).unwrap();
    let listed = workspace.entries(&path("new/deep")).unwrap();
    let place = workspace.place_to_read(&path("new/deep/a")).unwrap();
    fs::rename(disk.at("ws/new/deep"), disk.at("ws/moved")).unwrap();
    assert_eq!(place.read(9), Ok(b"x".to_vec()));
    assert_eq!(listed.len(), 1);
    fs::remove_dir_all(disk.at("ws/new")).unwrap();
    drop(read);
    assert_eq!(workspace.kind(&path("new")), Ok(None));
}
