//! Programs that a transcript plants where git would run them: `apply --commit` runs none.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::git::Git;

/// What a planted program leaves.
const MARK: &str = "ran";

/// A script that leaves its mark beside the workspace, and passes its input on as a filter does.
fn script(world: &World) -> String {
    format!("#!/bin/sh\ntouch {}\ncat\n", world.directory.path().join(MARK).display())
}

fn has_run(world: &World) -> bool {
    world.directory.path().join(MARK).exists()
}

fn executable(world: &World, path: &str, text: &str) {
    world.put(path, text);
    let path = world.root().join(path);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A repository in which these scripts are committed, harmless and executable, with this set.
fn repository(scripts: &[&str], config: &[(&str, &str)]) -> World {
    let world = World::new(&[("a.txt", "one\n")]);
    let root = world.root();
    scripts.iter().for_each(|path| executable(&world, path, "#!/bin/sh\ncat\n"));
    Git(&root).init();
    Git(&root).commit("first");
    config.iter().for_each(|(name, value)| drop(Git(&root).run(&["config", name, value])));
    world
}

/// Applies the transcript with everything allowed but hooks; no planted program may run. Says
/// whether git would have run it.
#[track_caller]
fn check(world: &World, transcript: &str) -> Ran {
    let arguments = ["apply", "--yes", "--commit", "--allow-caution"];
    let ran = world.run_on(transcript, &arguments);
    assert!(!has_run(world), "a planted program was run\n{}", ran.all());
    assert_ne!(ran.code, Some(2), "{}", ran.all());
    let arguments = ["apply", "--yes", "--commit"];
    let again = world.run_on(transcript, &arguments);
    assert!(!has_run(world), "a planted program was run\n{}", again.all());
    ran
}

/// Whether git, left to itself, runs what was planted: else the test shows nothing.
#[track_caller]
fn git_would(world: &World) {
    let root = world.root();
    world.put("a.txt", "three\n");
    Git(&root).output(&["add", "-A"]);
    Git(&root).output(&["commit", "-q", "--allow-empty", "-m", "by hand"]);
    assert!(has_run(world), "git does not run it either");
}

fn edit() -> String {
    replace("edit", "a.txt", "one", "two")
}

#[test]
fn a_hook_of_the_workspace_that_is_overwritten() {
    let world = repository(&[".githooks/pre-commit"], &[("core.hooksPath", ".githooks")]);
    check(&world, &(write("h", ".githooks/pre-commit", &script(&world)) + &edit())).exits(0);
    git_would(&world);
}

#[test]
fn a_hook_that_is_copied_from_something_executable() {
    let world = repository(&["tool.sh"], &[("core.hooksPath", "githooks")]);
    let fields = [("path", "tool.sh"), ("path_to", "githooks/pre-commit")];
    let copy = block("c", "fs.copy", &fields);
    check(&world, &(copy + &write("h", "githooks/pre-commit", &script(&world)) + &edit())).exits(0);
    git_would(&world);
}

#[test]
fn what_husky_runs() {
    let runner = "#!/bin/sh\nsh \"$(dirname \"$0\")/../pre-commit\"\n";
    let world = repository(&[], &[("core.hooksPath", ".husky/_")]);
    executable(&world, ".husky/_/pre-commit", runner);
    Git(&world.root()).output(&["add", "-A"]);
    Git(&world.root()).output(&["commit", "-q", "--no-verify", "-m", "husky"]);
    check(&world, &(write("h", ".husky/pre-commit", &script(&world)) + &edit())).exits(0);
    git_would(&world);
}

#[test]
fn a_filter_that_attributes_switch_on() {
    let world = repository(&["tools/clean.sh"], &[("filter.x.clean", "sh tools/clean.sh")]);
    let plant = write("f", "tools/clean.sh", &script(&world));
    let transcript = plant + &write("t", ".gitattributes", "*.txt filter=x\n") + &edit();
    let ran = check(&world, &transcript).exits(1);
    ran.says("the changes are made, but not committed: a.txt goes through the git filter `x`");
    git_would(&world);
}

#[test]
fn a_filter_that_is_on_already() {
    let config = [("filter.x.clean", "python3 -m clean"), ("filter.x.required", "true")];
    let world = repository(&[], &config);
    Git(&world.root()).run(&["config", "filter.x.clean", "sh tools/clean.sh"]);
    executable(&world, "tools/clean.sh", "cat\n");
    world.put(".gitattributes", "*.txt filter=x\n");
    Git(&world.root()).commit("filtered");
    let plant = write("f", "tools/clean.sh", &script(&world));
    check(&world, &(plant + &edit())).exits(1).says("goes through the git filter `x`");
    git_would(&world);
}

#[test]
fn a_script_that_a_hook_calls() {
    let world = repository(&["scripts/check.sh"], &[]);
    Git(&world.root()).hook("sh scripts/check.sh </dev/null");
    check(&world, &(write("s", "scripts/check.sh", &script(&world)) + &edit())).exits(0);
    git_would(&world);
}

#[test]
fn a_new_hook_that_is_not_executable() {
    let world = repository(&[], &[("core.hooksPath", ".githooks")]);
    check(&world, &(write("h", ".githooks/post-commit", &script(&world)) + &edit())).exits(0);
}

#[test]
fn a_program_that_watches_the_workspace() {
    let world = repository(&["tools/watch.sh"], &[("core.fsmonitor", "tools/watch.sh")]);
    check(&world, &(write("w", "tools/watch.sh", &script(&world)) + &edit())).exits(0);
    git_would(&world);
}

#[test]
fn a_program_that_signs_commits() {
    let config = [("commit.gpgSign", "true"), ("gpg.program", "tools/sign.sh")];
    let world = repository(&["tools/sign.sh"], &config);
    let ran = check(&world, &(write("s", "tools/sign.sh", &script(&world)) + &edit())).exits(1);
    ran.says("commits are signed by `tools/sign.sh`");
    git_would(&world);
}

#[test]
fn a_configuration_in_the_workspace() {
    let world = repository(&["shared.inc"], &[("include.path", "../shared.inc")]);
    executable(&world, "own.sh", &script(&world));
    Git(&world.root()).commit("second");
    let config = "[core]\n\tfsmonitor = ./own.sh\n\thooksPath = .\n\tpager = ./own.sh\n\
                  [diff]\n\texternal = ./own.sh\n[filter \"x\"]\n\tclean = ./own.sh\n";
    let transcript = write("c", "shared.inc", config)
        + &write("t", ".gitattributes", "*.txt filter=x\n")
        + &edit();
    check(&world, &transcript).exits(1);
    git_would(&world);
}

#[test]
fn a_git_in_the_workspace() {
    let world = repository(&[], &[]);
    executable(&world, "bin/git", &script(&world));
    let path = world.transcript(edit());
    let mut command = world.command(&["apply", "--yes", "--commit"]);
    let search = std::env::var("PATH").unwrap();
    command.env("PATH", format!("bin:{}/bin:{search}", world.root().display()));
    let ran: Ran = command.arg(path).stdin(Stdio::null()).output().unwrap().into();
    ran.exits(0);
    assert!(!has_run(&world));
}

#[test]
fn with_hooks_they_run() {
    let world = repository(&[".githooks/pre-commit"], &[("core.hooksPath", ".githooks")]);
    let transcript = write("h", ".githooks/pre-commit", &script(&world)) + &edit();
    // The hook that was written is left without a look.
    world.run_on(&transcript, &["apply", "--yes", "--commit", "--hooks"]).exits(1);
    assert!(!has_run(&world));
    let transcript =
        write("h", ".githooks/pre-commit", &script(&world)) + &write("b", "b.txt", "b");
    let arguments = ["apply", "--yes", "--commit", "--hooks", "--allow-caution"];
    world.run_on(&transcript, &arguments).exits(0);
    assert!(has_run(&world), "the user allowed it");
}

/// What makes a directory a repository whose configuration has git run a script.
fn parts(directory: &str, world: &World) -> Vec<(String, String)> {
    let program = world.root().join("own.sh").display().to_string();
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tworktree = {}\n\tfsmonitor = {program}\n",
        world.root().join(directory).display()
    );
    let part = |name: &str, text: &str| (format!("{directory}{name}"), text.to_owned());
    vec![
        part("config", &config),
        part("HEAD", "ref: refs/heads/main\n"),
        part("objects/x", "x\n"),
        part("refs/x", "x\n"),
    ]
}

#[test]
fn a_repository_below_the_workspace() {
    let world = World::new(&[]);
    executable(&world, "own.sh", &script(&world));
    let parts = parts("docs/", &world);
    let blocks = parts.iter().map(|(path, text)| write(&path.replace('/', "-"), path, text));
    let ran = world.run_on(blocks.collect::<String>(), &["apply", "--yes", "--allow-caution"]);
    let ran = ran.exits(1).says("error[plan/makes-repository]");
    ran.says("4 blocks: 3 applied, 1 failed");
    Git(&world.root().join("docs")).output(&["status"]);
    assert!(!has_run(&world));
}

#[test]
fn a_workspace_that_looks_like_a_repository() {
    let world = World::new(&[("a.txt", "one\n")]);
    executable(&world, "own.sh", &script(&world));
    parts("", &world).iter().for_each(|(path, text)| world.put(path, text));
    let ran = world.run_on(edit(), &["apply", "--yes", "--commit"]);
    ran.exits(2).says("in no work tree of git");
    assert!(!has_run(&world));
    git_would(&world);
}

#[test]
fn a_work_tree_folder_that_borrows_from_another() {
    let world = World::new(&[]);
    for (path, text) in parts("box/", &world) {
        if !path.ends_with("HEAD") {
            world.put(&path, text);
        }
    }
    let tree = world.root().join("tree");
    let is_repository = || Git(&tree).output(&["rev-parse", "--git-dir"]).stdout == b".\n";
    let blocks = write("h", "tree/HEAD", "ref: refs/heads/main\n")
        + &write("c", "tree/commondir", "../box\n");
    world.run_on(blocks, &["apply", "--yes"]).exits(1).says("error[plan/makes-repository]");
    assert!(!is_repository());
    world.put("tree/commondir", "../box\n");
    assert!(is_repository(), "git takes it for one");
}
