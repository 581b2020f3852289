//! Nothing outside is reached, whatever paths and links say.

use std::fs;

use operator_core::path::FilePath;
use operator_core::snapshot::{Denied, Snapshot};

use super::super::{Workspace, WorkspaceOptions};
use super::Disk;

fn leads(disk: &Disk, path: &str) -> Result<String, Denied> {
    disk.open().resolve(path).map(|path| path.path.to_string())
}

#[test]
fn dots_and_roots() {
    let disk = Disk::new();
    disk.put("ws/src/a.rs", "a");
    for path in ["src/a.rs", "/src/a.rs", "./src//a.rs", "src\\a.rs", "new/../src/./a.rs"] {
        assert_eq!(leads(&disk, path), Ok("src/a.rs".into()), "{path}");
    }
    assert_eq!(leads(&disk, ""), Ok(String::new()));
    assert_eq!(leads(&disk, "/"), Ok(String::new()));
    assert_eq!(leads(&disk, "new/deep/b.rs"), Ok("new/deep/b.rs".into()));
    for path in ["..", "../x", "src/../../x", "/../../etc/passwd", "C:/x", "c:\\x", "..\\x"] {
        assert_eq!(leads(&disk, path), Err(Denied::Outside), "{path}");
    }
    assert_eq!(leads(&disk, "src/a.rs/b"), Err(Denied::NotADirectory));
    assert!(matches!(leads(&disk, "a\0b"), Err(Denied::Io(_))));
}

#[test]
fn a_folder_whose_name_only_begins_like_the_workspace_is_outside() {
    let disk = Disk::new();
    disk.put("ws-secret/x", "x");
    assert_eq!(leads(&disk, "../ws-secret/x"), Err(Denied::Outside));
}

#[test]
fn links_out_are_refused_and_links_in_are_followed() {
    let disk = Disk::new();
    disk.put("outside/secret", "s");
    disk.put("ws/real/a", "a");
    disk.link(disk.at("outside"), "ws/abs");
    disk.link("../outside/secret", "ws/rel");
    disk.link("rel", "ws/twice");
    disk.link("real/a", "ws/in");
    disk.link(disk.at("ws/real"), "ws/dir");
    disk.link("real/new", "ws/dangling");
    disk.link("../ws/real", "ws/out-and-in");
    for path in ["abs/secret", "abs", "abs/new", "rel", "twice"] {
        assert_eq!(leads(&disk, path), Err(Denied::Outside), "{path}");
    }
    assert_eq!(leads(&disk, "in"), Ok("real/a".into()));
    assert_eq!(leads(&disk, "dir/a"), Ok("real/a".into()));
    assert_eq!(leads(&disk, "dir/../in"), Ok("real/a".into()));
    assert_eq!(leads(&disk, "dangling"), Ok("real/new".into()));
    assert_eq!(leads(&disk, "out-and-in/a"), Ok("real/a".into()));
}

#[test]
fn a_circle_of_links_ends() {
    let disk = Disk::new();
    disk.link("b", "ws/a");
    disk.link("a", "ws/b");
    disk.link("self/x", "ws/self");
    assert!(matches!(leads(&disk, "a"), Err(Denied::Io(why)) if why.contains("circle")));
    assert!(matches!(leads(&disk, "self"), Err(Denied::Io(_))));
}

#[test]
fn a_link_that_is_swapped_in_after_the_check_does_not_lead_out() {
    let disk = Disk::new();
    disk.put("outside/a", "secret");
    disk.put("ws/dir/a", "a");
    let workspace = disk.open();
    let path = workspace.resolve("dir/a").unwrap();
    fs::remove_dir_all(disk.at("ws/dir")).unwrap();
    disk.link(disk.at("outside"), "ws/dir");
    assert!(workspace.read(&path).is_err());
    assert!(workspace.list(&FilePath::new(0, "dir")).is_err());
    fs::remove_file(disk.at("ws/dir")).unwrap();
    fs::create_dir(disk.at("ws/dir")).unwrap();
    disk.link(disk.at("outside/a"), "ws/dir/a");
    assert_eq!(workspace.read(&path), Err(Denied::NotAFile));
}

#[test]
fn paths_made_by_hand_do_not_lead_out_either() {
    let disk = Disk::new();
    disk.put("outside/a", "secret");
    let workspace = disk.open();
    for path in ["../outside/a", "x/../../outside/a"] {
        assert!(workspace.read(&FilePath::new(0, path)).is_err(), "{path}");
    }
    assert!(workspace.list(&FilePath::new(0, "../outside")).is_err());
    assert!(workspace.files(&FilePath::new(0, ".."), true, 9).is_err());
}

#[test]
fn allowed_roots_are_for_absolute_paths_and_links() {
    let disk = Disk::new();
    disk.put("lib/a", "a");
    disk.put("ws/b", "b");
    disk.link(disk.at("lib/a"), "ws/link");
    let options =
        WorkspaceOptions { allowed_roots: vec![disk.at("lib")], ..WorkspaceOptions::default() };
    let workspace = disk.open_with(options);
    let absolute = |path: &str| workspace.resolve_absolute(disk.at(path).to_str().unwrap());
    assert_eq!(absolute("lib/a"), Ok(FilePath::new(1, "a")));
    assert_eq!(workspace.resolve("link"), Ok(FilePath::new(1, "a")));
    assert_eq!(absolute("ws/new/b"), Ok(FilePath::new(0, "new/b")));
    assert_eq!(absolute("other"), Err(Denied::Outside));
    assert_eq!(workspace.resolve_absolute("b"), Err(Denied::Outside));
    assert_eq!(workspace.roots(), [disk.at("ws")]);
    assert_eq!(workspace.absolute(&FilePath::new(1, "a")), disk.at("lib/a"));
}

#[test]
fn several_folders() {
    let disk = Disk::new();
    disk.put("two/a", "2");
    disk.put("ws/a", "1");
    disk.put("ws/inner/a", "3");
    let open = |own: &str, beside: [&str; 2]| {
        let beside = beside.map(|name| disk.at(name)).to_vec();
        let options = WorkspaceOptions { beside, ..WorkspaceOptions::default() };
        Workspace::open(&[disk.at(own)], options).unwrap()
    };
    let (two, outer) = (open("two", ["ws/inner", "ws"]), open("ws", ["ws/inner", "two"]));
    assert_eq!(two.resolve("a"), Ok(FilePath::new(0, "a")));
    assert_eq!(two.roots(), [disk.at("two")]);
    assert_eq!(two.folders(), [disk.at("two"), disk.at("ws/inner"), disk.at("ws")]);
    assert_eq!(two.locate(&disk.at("ws/inner/a")), Some(FilePath::new(2, "inner/a")));
    assert_eq!(outer.resolve("a"), Ok(FilePath::new(0, "a")));
    assert_eq!(outer.locate(&disk.at("ws/inner/a")), Some(FilePath::new(0, "inner/a")));
    let inner = open("ws/inner", ["ws", "two"]);
    assert_eq!(inner.resolve("a"), Ok(FilePath::new(1, "inner/a")));
    let none = Workspace::open(&[], WorkspaceOptions::default()).unwrap();
    assert_eq!(none.resolve("a"), Err(Denied::NoWorkspace));
}

#[test]
fn protected_paths_in_any_case_and_through_links() {
    let disk = Disk::new();
    disk.put("ws/.git/config", "c");
    disk.put("ws/sub/.git/hooks/pre-commit", "c");
    disk.put("ws/.ssh/id", "c");
    disk.link(".git", "ws/open");
    let workspace = disk.open();
    for path in
        [".git", ".git/config", ".GIT/config", "sub/.git/hooks/x", ".ssh/id", "open/config", "open"]
    {
        let refused = matches!(workspace.resolve(path), Err(Denied::Protected(_)));
        assert!(refused, "{path}");
    }
    for path in [".git", ".git/config"].map(|path| FilePath::new(0, path)) {
        assert!(matches!(workspace.read(&path), Err(Denied::Protected(_))));
        assert!(matches!(workspace.list(&path), Err(Denied::Protected(_))));
        assert!(matches!(workspace.kind(&path), Err(Denied::Protected(_))));
    }
    assert_eq!(workspace.resolve(".gitignore"), Ok(FilePath::new(0, ".gitignore")));
    let names = workspace.list(&FilePath::new(0, "")).unwrap();
    assert!(names.iter().all(|entry| entry.name != ".git"));
    let sub = FilePath::new(0, "sub");
    assert!(matches!(workspace.files(&sub, true, 9), Err(Denied::Protected(_))));
    assert_eq!(workspace.locate(&disk.at("ws/.ssh/id")), Some(FilePath::new(0, ".ssh/id")));
}

#[test]
fn a_pattern_with_folders_is_one_of_paths_in_the_workspace() {
    let disk = Disk::new();
    disk.put("ws/docs/own/a", "a");
    let protected = vec!["docs/own/*".into()];
    let options = WorkspaceOptions { protected, ..WorkspaceOptions::default() };
    let workspace = Workspace::open(&[disk.at("ws")], options).unwrap();
    assert!(matches!(workspace.resolve("docs/own/a"), Err(Denied::Protected(_))));
    let path = FilePath::new(0, "docs/own/a");
    assert!(matches!(workspace.read(&path), Err(Denied::Protected(_))));
    assert_eq!(workspace.resolve("docs/a"), Ok(FilePath::new(0, "docs/a")));
}

#[test]
fn a_pattern_that_is_no_glob_is_said() {
    let options = WorkspaceOptions { protected: vec!["a[".into()], ..WorkspaceOptions::default() };
    let error = Workspace::open(&[], options).unwrap_err();
    assert!(error.to_string().contains("a["), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_and_is_not_waited_for() {
    let disk = Disk::new();
    let made = std::process::Command::new("mkfifo").arg(disk.at("ws/pipe")).status().unwrap();
    assert!(made.success());
    let workspace = disk.open();
    let path = workspace.resolve("pipe").unwrap();
    assert_eq!(workspace.read(&path), Err(Denied::NotAFile));
    assert_eq!(workspace.kind(&path), Err(Denied::NotAFile));
    assert_eq!(
        workspace.kind(&FilePath::new(0, "")),
        Ok(Some(operator_core::path::Kind::Directory))
    );
}

#[cfg(unix)]
#[test]
fn a_directory_that_became_a_link_is_not_followed() {
    let disk = Disk::new();
    disk.put("ws/other/a", "a");
    std::os::unix::fs::symlink("other", disk.at("ws/link")).unwrap();
    let workspace = disk.open();
    assert!(workspace.place(&FilePath::new(0, "other/a")).is_ok());
    assert!(workspace.place(&FilePath::new(0, "link/a")).is_err());
}
