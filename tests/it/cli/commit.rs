//! `apply --commit`.

use serde_json::json;

use super::*;
use crate::git::Git;

const APPLY: [&str; 3] = ["apply", "--yes", "--commit"];
const WITH_HOOKS: [&str; 4] = ["apply", "--yes", "--commit", "--hooks"];

/// A workspace that is a repository with these files committed.
fn repository(files: &[(&str, &str)]) -> World {
    let world = World::new(files);
    let root = world.root();
    Git(&root).init();
    Git(&root).commit("first");
    world
}

/// Two edits of which one makes a new file.
fn two() -> String {
    replace("e-1", "a.txt", "one", "two") + &write("w-1", "new/b.txt", "b\n")
}

#[test]
fn what_was_there_is_committed_first_and_then_what_was_done() {
    let world = repository(&[("a.txt", "one\n"), ("mine.txt", "1\n"), (".gitignore", "*.log\n")]);
    let root = world.root();
    let git = Git(&root);
    world.put("mine.txt", "2\n");
    world.put("untracked.txt", "u\n");
    world.put("noise.log", "n\n");
    let ran = world.run_on(two(), &APPLY).exits(0);
    let done = ["AI: edit a.txt, create new/b.txt: a.txt new/b.txt"];
    let before = ["Uncommitted work before an AI edit: mine.txt untracked.txt"];
    assert_eq!(git.log(), [done[0], before[0], "first: .gitignore a.txt mine.txt"]);
    assert_eq!(git.status(), "");
    assert_eq!(git.run(&["show", "HEAD^:a.txt"]), "one\n");
    let (last, first) = (git.id("HEAD"), git.id("HEAD^"));
    ran.says(&format!("committed {} Uncommitted work before an AI edit\n", &first[..10]))
        .says(&format!("committed {} AI: edit a.txt, create new/b.txt\n", &last[..10]));
}

#[test]
fn with_nothing_uncommitted_there_is_the_result_alone() {
    let world = repository(&[("a.txt", "one\n")]);
    let root = world.root();
    let arguments = ["apply", "--yes", "--commit", "--format", "json"];
    let json = world.run_on(two(), &arguments).exits(0).json();
    assert_eq!(Git(&root).log().len(), 2);
    let expected = json!({
        "before": null,
        "commit": {"id": Git(&root).id("HEAD"), "subject": "AI: edit a.txt, create new/b.txt"},
        "left_out": [],
    });
    assert_eq!(json["git"], expected);
}

#[test]
fn where_nothing_changes_nothing_is_committed() {
    let world = repository(&[("a.txt", "one\n")]);
    let root = world.root();
    world.put("mine.txt", "work\n");
    let ran = world.run_on(read("r-1", "a.txt"), &APPLY).exits(0);
    assert!(!ran.err.contains("committed"), "{}", ran.all());
    let failing = replace("e-0", "a.txt", "gone", "two");
    world.run_on(&failing, &APPLY).exits(1);
    world.run_on(failing + &two(), &["apply", "--yes", "--atomic", "--commit"]).exits(1);
    world.run_on(two(), &["apply", "--dry-run", "--commit"]).exits(0);
    assert_eq!(Git(&root).log(), ["first: a.txt"]);
    assert_eq!(Git(&root).status(), "?? mine.txt\n");
}

#[test]
fn without_the_flag_nothing_is_committed() {
    let world = repository(&[("a.txt", "one\n")]);
    let root = world.root();
    let ran = world.run_on(two(), &["apply", "--yes", "--format", "json"]).exits(0);
    assert_eq!(ran.json().get("git"), None);
    assert_eq!(Git(&root).log(), ["first: a.txt"]);
}

#[test]
fn what_is_gone_or_moved_is_committed_as_such() {
    let world = repository(&[("a.txt", "a\n"), ("d/x.txt", "x\n"), ("d/y.txt", "y\n")]);
    let root = world.root();
    let chat = [
        delete("d-1", "a.txt"),
        block("m-1", "fs.move", &[("path", "d"), ("path_to", "e")]),
        write("w-1", "e/x.txt", "other\n"),
    ];
    world.run_on(chat.concat(), &["apply", "--yes", "--atomic", "--commit"]).exits(0);
    let git = Git(&root);
    assert_eq!(git.status(), "");
    let files = git.run(&["ls-tree", "-r", "--name-only", "HEAD"]);
    assert_eq!(files, "e/x.txt\ne/y.txt\n");
    assert!(git.log()[0].starts_with("AI: "), "{:?}", git.log());
}

#[test]
fn a_repository_without_a_commit_gets_its_first() {
    let world = World::new(&[]);
    let root = world.root();
    let git = Git(&root);
    git.init();
    world.run_on(write("w-1", "a.txt", "a\n"), &APPLY).exits(0);
    assert_eq!(git.log(), ["AI: create a.txt: a.txt"]);
}

#[test]
fn a_workspace_below_the_top_commits_to_the_whole_repository() {
    let world = World::new(&[("in/a.txt", "one\n"), ("out.txt", "1\n")]);
    let root = world.root();
    Git(&root).init();
    Git(&root).commit("first");
    world.put("out.txt", "2\n");
    let inside = root.join("in");
    let path = world.transcript(two());
    let arguments = ["apply", "--yes", "--commit", "--root", as_argument(&inside)];
    let ran: Ran =
        world.command(&arguments).arg(path).stdin(Stdio::null()).output().unwrap().into();
    ran.exits(0);
    let log = Git(&root).log();
    assert_eq!(log[0], "AI: edit a.txt, create new/b.txt: in/a.txt in/new/b.txt");
    assert_eq!(log[1], "Uncommitted work before an AI edit: out.txt");
}

// Windows has no such names.
#[cfg(unix)]
#[test]
fn names_are_names_and_no_patterns() {
    let world = repository(&[("*.txt", "one\n"), ("b.txt", "1\n"), ("-x", "1\n")]);
    let root = world.root();
    world.put("ü b\u{301}.txt", "mine\n");
    let chat = replace("e-1", "*.txt", "one", "two") + &write("w-1", ":(top)x", "t\n");
    world.run_on(chat, &APPLY).exits(0);
    let git = Git(&root);
    assert_eq!(git.log()[0], "AI: edit *.txt, create :(top)x: *.txt :(top)x");
    assert_eq!(git.status(), "");
}

#[test]
fn files_that_git_does_not_take_are_named() {
    let world = repository(&[("a.txt", "one\n"), (".gitignore", "*.log\n")]);
    let root = world.root();
    let nested = root.join("nested");
    fs::create_dir(&nested).unwrap();
    Git(&nested).init();
    fs::write(nested.join("n.txt"), "one\n").unwrap();
    Git(&nested).commit("its own");
    world.put("mine.txt", "work\n");
    let chat = [
        write("1", "out.log", "l\n"),
        replace("2", "nested/n.txt", "one", "two"),
        replace("3", "a.txt", "one", "two"),
    ];
    let ran = world.run_on(chat.concat(), &APPLY).exits(1);
    let ran = ran.says("not committed: out.log is ignored by git\n");
    ran.says("not committed: nested/n.txt is in a repository of its own\n");
    let git = Git(&root);
    assert!(git.log()[0].ends_with(": a.txt"), "{:?}", git.log());
    assert_eq!(git.log()[1], "Uncommitted work before an AI edit: mine.txt");
    assert_eq!(git.status(), "?? nested/\n");
    assert_eq!(Git(&nested).log(), ["its own: n.txt"]);
    assert_eq!(world.text("nested/n.txt"), "two\n");
}

#[test]
fn only_ignored_files_make_no_commit() {
    let world = repository(&[(".gitignore", "*.log\n")]);
    let root = world.root();
    let arguments = ["apply", "--yes", "--commit", "--format", "json"];
    let json = world.run_on(write("1", "out.log", "l\n"), &arguments).exits(0).json();
    assert_eq!(json["git"]["commit"], Value::Null);
    let left_out = json!([{"path": "out.log", "reason": "ignored by git"}]);
    assert_eq!(json["git"]["left_out"], left_out);
    assert_eq!(Git(&root).log().len(), 1);
}

#[test]
fn what_was_staged_in_another_state_is_kept() {
    let world = repository(&[("a.txt", "one\n"), ("mine.txt", "1\n")]);
    let root = world.root();
    let git = Git(&root);
    world.put("mine.txt", "staged\n");
    git.run(&["add", "mine.txt"]);
    world.put("mine.txt", "on disk\n");
    world.run_on(two(), &APPLY).exits(0);
    assert_eq!(git.run(&["show", "HEAD^:mine.txt"]), "on disk\n");
    let kept = git.refs("refs/operator-lsp/kept/");
    assert_eq!(git.run(&["show", &format!("{}:mine.txt", kept[0])]), "staged\n");
    assert!(git.run(&["log", "-1", "--format=%b", "HEAD^"]).contains(&kept[0]));
}

// A `git` that waits before the commit makes the order certain.
#[cfg(unix)]
#[test]
fn what_one_run_has_written_is_not_committed_by_another() {
    use std::os::unix::fs::PermissionsExt;

    let world = repository(&[("a.txt", "one\n")]);
    let root = world.root();
    let folder = world.directory.path().join("bin");
    fs::create_dir_all(&folder).unwrap();
    let script = "#!/bin/sh\ncase \" $* \" in *\" add \"*) touch ../begun; sleep 0.7 ;; esac\n\
        PATH=${PATH#*:} exec git \"$@\"\n";
    fs::write(folder.join("git"), script).unwrap();
    fs::set_permissions(folder.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let one = world.transcript(write("1", "1.txt", "1\n"));
    let two = world.directory.path().join("two.md");
    fs::write(&two, write("2", "2.txt", "2\n")).unwrap();
    let mut first = world.command(&APPLY);
    first.arg(one).env("PATH", path).stdin(Stdio::null()).stderr(Stdio::null());
    let mut first = first.spawn().unwrap();
    let begun = world.directory.path().join("begun");
    let start = std::time::Instant::now();
    while !begun.exists() {
        assert!(start.elapsed().as_secs() < 20);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let second: Ran = world.command(&APPLY).arg(two).stdin(Stdio::null()).output().unwrap().into();
    assert!(first.wait().unwrap().success());
    second.exits(0);
    let log = Git(&root).log();
    assert_eq!(log[..2], ["AI: create 2.txt: 2.txt", "AI: create 1.txt: 1.txt"], "{log:?}");
}

#[test]
fn what_was_taken_out_of_the_index_is_kept() {
    let world = repository(&[("a.txt", "one\n"), ("secret.txt", "s\n")]);
    let root = world.root();
    let git = Git(&root);
    git.run(&["rm", "-q", "--cached", "secret.txt"]);
    world.put("mine.txt", "work\n");
    world.run_on(two(), &APPLY).exits(0);
    let kept = git.refs("refs/operator-lsp/kept/");
    assert_eq!(git.run(&["ls-tree", "--name-only", &kept[0]]), "a.txt\n");
    assert!(git.run(&["log", "-1", "--format=%b", "HEAD^"]).contains(&kept[0]));
}

#[test]
fn files_whose_changes_git_does_not_see_are_named() {
    for (mark, reason) in
        [("--skip-worktree", "skip-worktree"), ("--assume-unchanged", "assume-unchanged")]
    {
        let world = repository(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
        let root = world.root();
        Git(&root).run(&["update-index", mark, "b.txt"]);
        world.run_on(two(), &APPLY).exits(0);
        let chat = replace("e-2", "b.txt", "one", "two");
        let ran = world.run_on(chat, &APPLY).exits(1);
        ran.says(&format!("not committed: b.txt is marked {reason} ("));
        assert_eq!(Git(&root).log().len(), 2);
    }
}

/// Nothing may be written, committed or staged, and it must say this and exit with 2.
#[track_caller]
fn refused(world: &World, says: &[&str]) {
    refused_with(world, &APPLY, says);
}

fn refused_with(world: &World, arguments: &[&str], says: &[&str]) {
    let root = world.root();
    let status = Git(&root).output(&["status", "--short"]).stdout;
    let mut ran = world.run_on(two(), arguments).exits(2);
    assert_eq!(ran.out, "", "{}", ran.all());
    for text in says {
        ran = ran.says(text);
    }
    ran.says("nothing is applied");
    assert_eq!(world.text("a.txt"), "one\n");
    assert_eq!(Git(&root).output(&["status", "--short"]).stdout, status);
    world.run(&["undo"]).exits(1).says("nothing to undo");
}

#[test]
fn no_repository() {
    let world = World::new(&[("a.txt", "one\n")]);
    refused(&world, &["not in a git repository", "git init"]);
}

#[test]
fn no_work_tree() {
    let world = World::new(&[("a.txt", "one\n")]);
    Git(&world.root()).run(&["init", "-q", "--bare", "."]);
    refused(&world, &["in no work tree"]);
}

#[test]
fn no_git() {
    let world = repository(&[("a.txt", "one\n")]);
    let path = world.transcript(two());
    let mut command = world.command(&APPLY);
    command.arg(path).stdin(Stdio::null()).env("PATH", world.directory.path());
    let ran: Ran = command.output().unwrap().into();
    ran.exits(2).says("`git` is not on the PATH").says("install git");
    assert_eq!(world.text("a.txt"), "one\n");
}

#[test]
fn no_identity() {
    let world = repository(&[("a.txt", "one\n")]);
    Git(&world.root()).run(&["config", "--unset", "user.email"]);
    refused(&world, &["does not know who commits", "git config user.email"]);
}

#[test]
fn a_merge_that_is_not_finished() {
    let world = repository(&[("a.txt", "one\n"), ("m.txt", "1\n")]);
    let root = world.root();
    let git = Git(&root);
    git.run(&["switch", "-q", "-c", "other"]);
    world.put("m.txt", "2\n");
    git.commit("theirs");
    git.run(&["switch", "-q", "main"]);
    world.put("m.txt", "3\n");
    git.commit("ours");
    assert!(!git.output(&["merge", "other"]).status.success());
    refused(&world, &["a merge is not finished", "git merge --abort"]);
    git.run(&["merge", "--abort"]);
    assert!(!git.output(&["rebase", "other"]).status.success());
    // In a rebase no branch is checked out either; it is what must be ended.
    refused(&world, &["a rebase is not finished", "git rebase --abort"]);
}

#[test]
fn a_locked_index() {
    let world = repository(&[("a.txt", "one\n")]);
    world.put(".git/index.lock", "");
    refused(&world, &["another git command", "index.lock"]);
}

#[test]
fn a_detached_head() {
    let world = repository(&[("a.txt", "one\n")]);
    Git(&world.root()).run(&["switch", "-q", "--detach"]);
    refused(&world, &["HEAD is detached", "git switch -c"]);
}

#[test]
fn a_hook_that_refuses_what_was_there() {
    let world = repository(&[("a.txt", "one\n"), ("mine.txt", "1\n")]);
    let root = world.root();
    world.put("mine.txt", "staged\n");
    Git(&root).run(&["add", "mine.txt"]);
    world.put("mine.txt", "on disk\n");
    world.put("untracked.txt", "u\n");
    Git(&root).failing_hook("no commits on Saturdays");
    refused_with(&world, &WITH_HOOKS, &["no commits on Saturdays"]);
    assert_eq!(Git(&root).run(&["show", ":mine.txt"]), "staged\n");
    assert_eq!(world.text("mine.txt"), "on disk\n");
}

#[test]
fn a_hook_that_refuses_the_result_leaves_it_on_disk() {
    let world = repository(&[("a.txt", "one\n")]);
    let root = world.root();
    Git(&root).failing_hook("no commits on Saturdays");
    let ran = world.run_on(two(), &WITH_HOOKS).exits(1);
    assert!(ran.out.contains("id: e-1\nok: true\n"), "the model is told: {}", ran.all());
    let ran = ran.says("the changes are made, but not committed").says("no commits on Saturdays");
    ran.says("operator-lsp undo");
    assert_eq!(world.text("a.txt"), "two\n");
    assert_eq!(Git(&root).status(), " M a.txt\n?? new/b.txt\n");
    world.run(&["undo"]).exits(0);
    assert_eq!(Git(&root).status(), "");
    let arguments = ["apply", "--yes", "--commit", "--hooks", "--format", "json"];
    let json = world.run_on(two(), &arguments).exits(1).json();
    assert_eq!(json["git"]["error"]["code"], "git/failed");
    assert_eq!(json["results"][0]["ok"], true);
}

#[test]
fn the_variables_of_another_repository_lead_nowhere() {
    let world = repository(&[("a.txt", "one\n")]);
    let root = world.root();
    let other = world.directory.path().join("other");
    fs::create_dir(&other).unwrap();
    Git(&other).init();
    Git(&other).commit("other");
    let path = world.transcript(two());
    let mut command = world.command(&APPLY);
    command.arg(path).stdin(Stdio::null());
    command.env("GIT_DIR", other.join(".git")).env("GIT_WORK_TREE", &other);
    let ran: Ran = command.output().unwrap().into();
    ran.exits(0);
    assert_eq!((Git(&root).log().len(), Git(&other).log().len()), (2, 1));
}

#[test]
fn a_submodule_is_left_alone() {
    let world = repository(&[("a.txt", "one\n")]);
    let root = world.root();
    let other = world.directory.path().join("other");
    Git(&root).add_submodule("sub", &other, ("s.txt", "one\n"));
    world.put("sub/mine.txt", "work\n");
    let chat = replace("1", "sub/s.txt", "one", "two") + &replace("2", "a.txt", "one", "two");
    let ran = world.run_on(chat, &APPLY).exits(1);
    ran.says("not committed: sub/s.txt is in a repository of its own\n");
    assert_eq!(
        Git(&root).log()[..2],
        ["AI: edit sub/s.txt, edit a.txt: a.txt", "with a submodule: .gitmodules sub"]
    );
    assert_eq!(Git(&root.join("sub")).status(), " M s.txt\n?? mine.txt\n");
    // A workspace in the submodule commits there and not above.
    let inside = root.join("sub");
    Git(&inside).run(&["config", "user.name", "A Tester"]);
    Git(&inside).run(&["config", "user.email", "tester@example.com"]);
    Git(&inside).run(&["switch", "-q", "-C", "main"]);
    let arguments = ["apply", "--yes", "--commit", "--root", as_argument(&inside)];
    world.run_on(write("3", "t.txt", "t\n"), &arguments).exits(0);
    assert_eq!(Git(&inside).log()[0], "AI: create t.txt: t.txt");
    assert_eq!(Git(&root).log().len(), 3);
}

#[test]
fn a_linked_work_tree_commits_to_its_own_branch() {
    let world = repository(&[("a.txt", "one\n")]);
    let root = world.root();
    let linked = world.directory.path().join("linked");
    Git(&root).run(&["worktree", "add", "-q", "-b", "linked", as_argument(&linked)]);
    let arguments = ["apply", "--yes", "--commit", "--root", as_argument(&linked)];
    world.run_on(two(), &arguments).exits(0);
    assert_eq!(Git(&linked).log().len(), 2);
    assert_eq!((Git(&root).log().len(), Git(&root).status()), (1, String::new()));
    let arguments = ["history", "undo", "--root", as_argument(&linked)];
    world.run(&arguments).exits(0);
    assert_eq!(Git(&linked).log().len(), 1);
}

#[test]
fn a_hook_that_changes_a_target_is_noticed() {
    let world = repository(&[("a.txt", "one\n"), ("mine.txt", "1\n")]);
    let root = world.root();
    world.put("mine.txt", "2\n");
    // Once, for what was there.
    Git(&root).hook(
        "[ -e .git/ran ] || { touch .git/ran; printf 'zero\\none\\n' >a.txt; git add a.txt; }",
    );
    world.run_on(replace("e-1", "a.txt", "one", "two"), &WITH_HOOKS).exits(0);
    let versions = ["HEAD^", "HEAD"].map(|at| Git(&root).run(&["show", &format!("{at}:a.txt")]));
    assert_eq!(versions, ["zero\none\n", "zero\ntwo\n"]);
}

#[test]
fn what_appears_meanwhile_is_in_no_result() {
    let world = repository(&[("a.txt", "one\n"), ("mine.txt", "1\n")]);
    let root = world.root();
    world.put("mine.txt", "2\n");
    Git(&root).hook("echo 3 >mine.txt; echo new >extra.txt");
    let failing = replace("e-0", "a.txt", "gone", "two");
    world.run_on(failing + &two(), &WITH_HOOKS).exits(1);
    let log = Git(&root).log();
    assert_eq!(log[0], "AI: edit a.txt, create new/b.txt: a.txt new/b.txt");
    assert_eq!(log[1], "Uncommitted work before an AI edit: mine.txt");
    assert_eq!(Git(&root).status(), " M mine.txt\n?? extra.txt\n");
}
