//! File systems on which a name is the same in any case, as those of Windows and macOS mostly are.

use std::fs;

use operator_core::path::Kind;
use operator_core::snapshot::{Denied, Snapshot};

use super::super::Transaction;
#[cfg(windows)]
use super::super::{Workspace, WorkspaceOptions};
use super::{Disk, path, rename, set, tree};

fn names(disk: &Disk, directory: &str) -> Vec<String> {
    let entries = fs::read_dir(disk.at(directory)).unwrap().map(Result::unwrap);
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_name_is_found_in_any_case_and_has_its_own() {
    let disk = Disk::new();
    disk.put("ws/Src/ReadMe.md", "x");
    let workspace = disk.open();
    assert_eq!(workspace.resolve("src/README.md"), Ok(path("Src/ReadMe.md")));
    assert_eq!(workspace.resolve("SRC/new.md"), Ok(path("Src/new.md")));
    assert_eq!(workspace.kind(&path("Src/ReadMe.md")), Ok(Some(Kind::File)));
    assert_eq!(workspace.kind(&path("Src/README.md")), Ok(None), "nothing has this name");
    // As an editor has it, up to the workspace's own folder.
    let shouted = disk.at("ws").to_str().unwrap().to_uppercase();
    let at = std::path::Path::new(&shouted).join("SRC").join("readme.MD");
    assert_eq!(workspace.locate(&at), Some(path("Src/ReadMe.md")));
}

#[test]
fn a_rename_to_another_case_is_made_undone_and_made_again() {
    for (old, new) in [("readme.md", "README.md"), ("src", "Src")] {
        let disk = Disk::new();
        disk.put("ws/readme.md", "x");
        disk.put("ws/src/a", "y");
        let kind = if old == "src" { Kind::Directory } else { Kind::File };
        let workspace = disk.open();
        let before = tree(&disk.at("ws"));
        let mut journal = Transaction::begin(&workspace).unwrap();
        workspace.apply(&set([rename(old, new, kind)]), &mut journal).unwrap();
        journal.commit().unwrap();
        let has = |name: &str| names(&disk, "ws").iter().any(|it| it == name);
        assert!(has(new) && !has(old), "{:?}", names(&disk, "ws"));
        workspace.undo(None, false).unwrap();
        assert_eq!(tree(&disk.at("ws")), before);
    }
}

#[test]
fn a_protected_path_is_one_in_any_case() {
    let disk = Disk::new();
    disk.put("ws/.git/config", "c");
    let workspace = disk.open();
    for path in [".GIT/config", ".Git/new/hook"] {
        let refused = matches!(workspace.resolve(path), Err(Denied::Protected(_)));
        assert!(refused, "{path}");
    }
}

#[cfg(windows)]
#[test]
fn names_that_mean_another_file_are_refused() {
    let disk = Disk::new();
    disk.put("ws/.git/config", "c");
    disk.put("ws/a.txt", "a");
    let workspace = disk.open();
    for path in [
        ".git./config",
        ".git /config",
        ".git::$INDEX_ALLOCATION/config",
        "a.txt:stream",
        "sub/a.txt::$DATA",
        "trail.",
        "con",
        "sub/NUL.txt",
        "a?",
    ] {
        let refused = workspace.resolve(path);
        assert!(matches!(refused, Err(Denied::Io(_))), "{path}: {refused:?}");
        let absolute = format!(r"{}\{path}", disk.at("ws").display());
        assert!(workspace.resolve_absolute(&absolute).is_err(), "{absolute}");
        assert!(workspace.read(&super::path(path)).is_err(), "{path}");
    }
}

#[cfg(windows)]
#[test]
fn paths_are_as_people_write_them() {
    let disk = Disk::new();
    disk.put("ws/a", "a");
    let workspace = disk.open();
    assert!(!workspace.roots()[0].to_str().unwrap().starts_with(r"\\?\"));
    let home = workspace.home().unwrap().to_owned();
    assert!(!home.contains('\\') && home.ends_with("/ws"), "{home}");
    let small = home[..1].to_lowercase() + &home[1..];
    for root in [home.clone(), home.replace('/', "\\"), small] {
        assert_eq!(workspace.resolve_absolute(&format!("{root}/a")), Ok(path("a")), "{root}");
    }
    assert_eq!(workspace.resolve_absolute("/etc/passwd"), Err(Denied::Outside));
    assert_eq!(workspace.resolve("C:a"), Err(Denied::Outside));
    let verbatim = std::path::PathBuf::from(format!(r"\\?\{}", disk.at("ws").display()));
    let opened = Workspace::open(&[verbatim], WorkspaceOptions::default()).unwrap();
    assert_eq!(opened.roots(), workspace.roots());
}
