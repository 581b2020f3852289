//! What steps leave behind is bounded: kept commits, stashes, and the files that go into a stash.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::history::{history, refused, repository};
use super::*;
use crate::git::Git;

const KEPT: &str = "refs/operator-lsp/kept/";

/// A date as git takes it.
fn days_ago(days: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    format!("@{} +0000", now - days * 24 * 3600)
}

/// Runs a step at a time so many days ago, as far as git is concerned.
fn history_of(world: &World, days: u64, step: &str) -> Ran {
    let arguments: Vec<&str> = std::iter::once("history").chain(step.split(' ')).collect();
    let mut command = world.command(&arguments);
    command.env("GIT_COMMITTER_DATE", days_ago(days));
    command.stdin(Stdio::null()).output().unwrap().into()
}

/// Makes two AI commits with files of their own and squashes them, so many days ago; gives the
/// commit that was the branch's before.
fn squash(world: &World, name: &str, days: u64) -> (String, Ran) {
    let root = world.root();
    for part in ["a", "b"] {
        world.put(&format!("{name}-{part}.txt"), name);
        Git(&root).commit(&format!("AI: {name} {part}"));
    }
    let old = Git(&root).id("HEAD");
    (old, history_of(world, days, "squash --last 2").exits(0))
}

/// Leaves work at the branch's commit, steps back, and commits something else there, so that no
/// step leads to the work any more. Gives the commit that it is at.
fn leave_work(world: &World, name: &str, days: u64) -> (String, Ran) {
    let root = world.root();
    let at = Git(&root).id("HEAD");
    world.put("work.txt", name);
    let ran = history_of(world, days, "back").exits(0);
    world.put(&format!("{name}.txt"), name);
    Git(&root).commit(name);
    (at, ran)
}

fn kept(world: &World) -> Vec<String> {
    let root = world.root();
    let refs = Git(&root).refs(KEPT);
    refs.iter().map(|name| name.strip_prefix(KEPT).unwrap().to_owned()).collect()
}

/// The stashes, the newest first: their commits and their messages.
fn stashes(world: &World) -> Vec<(String, String)> {
    let root = world.root();
    let printed = Git(&root).run(&["stash", "list", "--format=%H %gs"]);
    let pair = |line: &str| line.split_once(' ').map(|(id, says)| (id.to_owned(), says.to_owned()));
    printed.lines().filter_map(pair).collect()
}

/// Whether there is a stash of the work that was left at a commit.
fn has_work_at(world: &World, commit: &str) -> bool {
    stashes(world).iter().any(|(_, says)| says.ends_with(&format!(" at {commit}")))
}

/// Puts something of the user's own into a stash.
fn own_stash(world: &World, message: &str) -> String {
    let root = world.root();
    world.put("own.txt", message);
    Git(&root).run(&["stash", "push", "-q", "-u", "-m", message]);
    Git(&root).id("stash@{0}")
}

#[test]
fn the_oldest_of_21_kept_commits_goes() {
    let world = repository("first");
    let root = world.root();
    // A ref of somebody else's, which is older than all.
    let foreign = Git(&root).id("HEAD");
    Git(&root).run(&["update-ref", &format!("{KEPT}mine"), &foreign]);
    let mut all = Vec::new();
    for number in 0..20 {
        let (old, ran) = squash(&world, &format!("n{number}"), 60 - number);
        assert!(!ran.out.contains("no longer kept"), "{}", ran.all());
        all.push(old);
    }
    assert!(all.iter().all(|old| kept(&world).contains(old)));
    let (last, ran) = squash(&world, "n20", 0);
    let says = format!("  no longer kept   {KEPT}{}\n", all[0]);
    assert!(ran.out.ends_with(&says), "{}", ran.all());
    let mut expected: Vec<_> = all[1..].iter().cloned().chain([last, "mine".into()]).collect();
    expected.sort_unstable();
    assert_eq!(kept(&world), expected);
}

#[test]
fn what_a_squash_replaced_is_kept_while_a_branch_is_near_it() {
    let world = repository("first");
    let root = world.root();
    let git = Git(&root);
    let (old, _) = squash(&world, "main", 200);
    git.run(&["switch", "-q", "-c", "other", "HEAD^"]);
    let (on_other, _) = squash(&world, "other", 0);
    assert!(kept(&world).contains(&old) && kept(&world).contains(&on_other));
    git.run(&["switch", "-q", "main"]);
    for number in 0..20 {
        world.put("more.txt", number.to_string());
        git.commit("more");
    }
    // One step back, and the squash is among the branch's last 20 commits.
    history(&world, "back").exits(0);
    assert!(kept(&world).contains(&old));
    history(&world, "forward").exits(0);
    assert_eq!(kept(&world), [on_other]);
}

#[test]
fn what_forward_leads_to_is_kept() {
    let world = repository("first | second | third");
    let root = world.root();
    let git = Git(&root);
    let third = git.id("HEAD");
    history(&world, "back").exits(0);
    world.put("mine.txt", "m\n");
    git.commit("mine");
    history_of(&world, 89, "back").exits(0);
    assert_eq!(kept(&world), [third.as_str()]);
    let kept_then = git.id(&format!("{KEPT}{third}"));
    // The same, kept 91 days ago.
    let old = git.run(&["cat-file", "tag", &kept_then]);
    let (head, tail) = old.split_once("> ").unwrap();
    let (time, tail) = tail.split_once(' ').unwrap();
    let time = time.parse::<u64>().unwrap() - 2 * 24 * 3600;
    world.put("../tag", format!("{head}> {time} {tail}"));
    let tag = git.run(&["hash-object", "-t", "tag", "-w", "../tag"]);
    git.run(&["update-ref", &format!("{KEPT}{third}"), tag.trim()]);
    git.run(&["reset", "-q", "--hard", &third]);
    history(&world, "back").exits(0);
    assert!(kept(&world).contains(&third), "{:?}", kept(&world));
    history(&world, "forward").exits(0);
    assert_eq!(git.id("HEAD"), third);
    // No step leads there from another branch's place.
    git.run(&["reset", "-q", "--hard", "HEAD^^"]);
    world.put("other.txt", "o\n");
    git.commit("other");
    let ran = history(&world, "back").exits(0);
    assert!(ran.out.contains(&format!("  no longer kept   {KEPT}{third}\n")), "{}", ran.all());
    assert!(!kept(&world).contains(&third));
}

#[test]
fn what_was_staged_is_kept_while_the_commit_that_names_it_is_near() {
    let world = repository("first");
    let root = world.root();
    let git = Git(&root);
    let apply = |id: &str| {
        let path = format!("{id}.txt");
        world.transcript(write(id, &path, "a\n"));
        let mut command = world.command(&["apply", "--yes", "--commit", "../chat.md"]);
        command.env("GIT_COMMITTER_DATE", days_ago(100)).stdin(Stdio::null());
        Ran::from(command.output().unwrap()).exits(0);
    };
    world.put("0.txt", "staged\n");
    git.run(&["add", "0.txt"]);
    world.put("0.txt", "on disk\n");
    apply("one");
    let staged = kept(&world);
    assert_eq!(git.run(&["show", &format!("{KEPT}{}:0.txt", staged[0])]), "staged\n");
    world.put("0.txt", "more\n");
    apply("two");
    assert_eq!(kept(&world), staged);
    for number in 0..20 {
        world.put("more.txt", number.to_string());
        git.commit("more");
    }
    world.put("0.txt", "still more\n");
    apply("three");
    assert_eq!(kept(&world), [""; 0]);
}

#[test]
fn a_commit_that_an_older_version_kept_is_as_old_as_it_is() {
    let world = repository("first | second");
    let root = world.root();
    let git = Git(&root);
    let commit = |days| {
        let mut command = Command::new("git");
        crate::git::isolate(&mut command);
        command.args(["commit-tree", "HEAD^{tree}", "-p", "HEAD^", "-m", "kept"]);
        command.env("GIT_COMMITTER_DATE", days_ago(days)).current_dir(&root);
        let id = String::from_utf8(command.output().unwrap().stdout).unwrap().trim().to_owned();
        git.run(&["update-ref", &format!("{KEPT}{id}"), &id]);
        id
    };
    // Only the newest with the files of a commit of the branch is the way back from that.
    let new = [92, 91, 89].map(commit)[2].clone();
    assert_eq!(kept(&world).len(), 3);
    history(&world, "back").exits(0);
    assert_eq!(kept(&world), [new]);
}

#[test]
fn the_oldest_of_21_stashes_goes_and_those_of_the_user_stay() {
    let world = repository("first | second | third");
    let mine = own_stash(&world, "mine");
    let alike = own_stash(&world, "operator-lsp: work on main at some time");
    let mut left = Vec::new();
    for number in 0..20 {
        let (at, ran) = leave_work(&world, &format!("n{number}"), 60 - number);
        assert!(!ran.out.contains("no longer kept   stash"), "{}", ran.all());
        left.push(at);
    }
    assert!(left.iter().all(|at| has_work_at(&world, at)));
    let before = stashes(&world);
    let (oldest, says) = &before[19];
    assert_eq!(*says, format!("On main: operator-lsp: work on main at {}", left[0]));
    let at = Git(&world.root()).id("HEAD");
    world.put("work.txt", "the 21st");
    let arguments = ["history", "back", "--format", "json"];
    let json = world.run(&arguments).exits(0).json();
    let pruned = json!([{"kind": "stash", "commit": oldest, "branch": "main"}]);
    assert_eq!(json["pruned"], pruned);
    let after = stashes(&world);
    assert_eq!(after.len(), 22);
    assert!(after[0].1.ends_with(&at));
    assert_eq!(after[1..20], before[..19]);
    assert_eq!([&after[20].0, &after[21].0], [&alike, &mine]);
    // What was dropped can be had as long as git has it.
    let root = world.root();
    assert_eq!(Git(&root).run(&["show", &format!("{oldest}^3:work.txt")]), "n0");
}

#[test]
fn work_that_a_step_brings_back_is_never_too_old() {
    let world = repository("first | second | third");
    let root = world.root();
    let git = Git(&root);
    let third = git.id("HEAD");
    let (at, _) = leave_work(&world, "mine", 100);
    assert_eq!(at, third);
    assert!(has_work_at(&world, &third));
    let mine = git.id("HEAD");
    world.put("work.txt", "needed");
    // Forward leads to "mine" from now on, and no longer to "third".
    let ran = history_of(&world, 100, "back").exits(0);
    assert!(ran.out.contains("  no longer kept   stash "), "{}", ran.all());
    assert!(ran.out.contains(" (work on main)\n"), "{}", ran.all());
    assert!(!has_work_at(&world, &third) && has_work_at(&world, &mine));
    // Nor is it dropped by a step on another branch.
    git.run(&["switch", "-q", "-c", "other"]);
    world.put("work.txt", "on other");
    history(&world, "back").exits(0);
    git.run(&["switch", "-q", "main"]);
    assert!(has_work_at(&world, &mine));
    history(&world, "forward").exits(0);
    assert_eq!(world.text("work.txt"), "needed");
}

#[test]
fn the_stash_that_a_step_names_keeps_its_number() {
    let world = repository("first | second | third | fourth");
    let root = world.root();
    let git = Git(&root);
    // Needed, and older than one that is not.
    git.run(&["switch", "-q", "-c", "other"]);
    world.put("new.txt", "needed");
    history_of(&world, 102, "back").exits(0);
    git.run(&["switch", "-q", "main"]);
    world.put("work.txt", "left");
    let fourth = git.id("HEAD");
    history(&world, "back").exits(0);
    let backdated = git.run(&["rev-parse", "stash@{0}^{tree}", "stash@{0}^1", "stash@{0}^2"]);
    let parts: Vec<&str> = backdated.lines().collect();
    let says = format!("On main: operator-lsp: work on main at {fourth}");
    let mut command = Command::new("git");
    crate::git::isolate(&mut command);
    command.args(["commit-tree", parts[0], "-p", parts[1], "-p", parts[2], "-m", &says]);
    command.env("GIT_COMMITTER_DATE", days_ago(101)).current_dir(&root);
    let old = String::from_utf8(command.output().unwrap().stdout).unwrap();
    git.run(&["stash", "drop", "-q"]);
    git.run(&["stash", "store", "-m", &says, old.trim()]);
    git.run(&["update-ref", "-d", "refs/operator-lsp/forward/main"]);
    git.run(&["switch", "-q", "other"]);
    world.put(".git/info/exclude", "new.txt\n");
    world.put("new.txt", "in the way");
    history(&world, "forward").exits(1).says("still in stash@{1}");
    assert_eq!(git.run(&["show", "stash@{1}^3:new.txt"]), "needed");
    // A step that names none drops it.
    let ran = history(&world, "back").exits(0);
    assert!(
        ran.out.contains(&format!("  no longer kept   stash {} (work on main)\n", old.trim())),
        "{}",
        ran.all()
    );
    assert_eq!(git.run(&["show", "stash@{0}^3:new.txt"]), "needed");
}

#[test]
fn work_that_waits_behind_the_branch_is_needed() {
    let world = repository("first | second | third");
    let root = world.root();
    let second = Git(&root).id("HEAD^");
    history(&world, "back").exits(0);
    world.put("work.txt", "at second");
    history_of(&world, 100, "forward").exits(0);
    assert!(has_work_at(&world, &second));
    history(&world, "back").exits(0);
    assert_eq!(world.text("work.txt"), "at second");
}

#[cfg(unix)]
#[test]
fn a_stash_that_is_made_meanwhile_is_not_dropped() {
    use std::os::unix::fs::PermissionsExt;

    /// Stands before git, and adds a stash right before the first one is dropped.
    const WRAPPER: &str = r#"#!/bin/sh
case " $* " in
*" stash drop "*)
  if [ ! -e "$GIT_DONE" ]; then
    : >"$GIT_DONE"
    "$GIT_REAL" stash store -m "On main: meanwhile" "$GIT_MADE"
  fi ;;
esac
exec "$GIT_REAL" "$@"
"#;
    let world = repository("first | second | third");
    let root = world.root();
    let git = Git(&root);
    let made = own_stash(&world, "made");
    git.run(&["stash", "drop", "-q"]);
    let mine = own_stash(&world, "mine");
    let (third, _) = leave_work(&world, "n0", 100);
    let between = own_stash(&world, "between");
    let folder = world.directory.path().join("bin");
    fs::create_dir_all(&folder).unwrap();
    let wrapper = folder.join("git");
    fs::write(&wrapper, WRAPPER).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let real = Command::new("sh").args(["-c", "command -v git"]).output().unwrap().stdout;
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = world.command(&["history", "back"]);
    command.env("PATH", path).env("GIT_REAL", String::from_utf8(real).unwrap().trim());
    command.env("GIT_DONE", world.directory.path().join("done")).env("GIT_MADE", &made);
    let ran = Ran::from(command.stdin(Stdio::null()).output().unwrap()).exits(0);
    assert!(!ran.out.contains("no longer kept   stash"), "{}", ran.all());
    let there: Vec<_> = stashes(&world);
    for (commit, says) in [(&made, "meanwhile"), (&mine, "mine"), (&between, "between")] {
        assert!(there.contains(&(commit.clone(), format!("On main: {says}"))), "{there:?}");
    }
    assert!(has_work_at(&world, &third));
    // The next step drops the one that is meant.
    history(&world, "forward").exits(0);
    assert!(!has_work_at(&world, &third));
    assert_eq!(stashes(&world).len(), 3);
}

#[test]
fn too_many_bytes_for_a_stash_are_refused_before_anything_changes() {
    let world = repository("first | second");
    let root = world.root();
    history(&world, "back").exits(0);
    for (path, size) in [("d/big file", 60 << 20), ("e.bin", 4 << 20), ("f", 2049), ("g", 1)] {
        world.put(path, "");
        let file = fs::File::options().write(true).open(root.join(path)).unwrap();
        file.set_len(size).unwrap();
    }
    world.put("h", "22");
    world.put("i", "");
    world.put("0.txt", "changed\n");
    let says = "error: untracked files would go into a stash, which takes at most 10000 files and \
                64 MiB; here are 6 files with 64.1 MiB, the largest of them: d/big file (60.0 MiB), \
                e.bin (4.0 MiB), f (2.1 KiB), h (2 bytes), g (1 byte); commit them, let git \
                ignore them or move them away first\n";
    let err = |step| {
        refused(&world, step, 1, &[]);
        history(&world, step).err
    };
    assert_eq!(err("forward"), says);
    Git(&root).run(&["switch", "-q", "-f", "-c", "other", "main"]);
    world.put("1.txt", "second\n");
    Git(&root).run(&["add", "1.txt"]);
    Git(&root).run(&["commit", "-q", "-m", "other"]);
    assert_eq!(err("back"), says);
    let json = world.run(&["history", "back", "--format", "json"]).exits(1).json();
    assert_eq!(json["error"]["code"], "git/too-much-untracked");
    // What git ignores does not count, and neither does what is committed.
    world.put(".git/info/exclude", "d\n");
    let ran = history(&world, "back").exits(0);
    assert!(ran.out.contains("put into a stash e.bin\n"), "{}", ran.all());
}

#[test]
fn too_many_files_for_a_stash_are_refused() {
    let world = repository("first | second");
    let root = world.root();
    fs::create_dir(root.join("many")).unwrap();
    for number in 0..10_001 {
        fs::write(root.join(format!("many/{number:05}")), "").unwrap();
    }
    let says = "here are 10001 files with 0 bytes, the largest of them: many/00000 (0 bytes), \
                many/00001 (0 bytes), many/00002 (0 bytes), many/00003 (0 bytes), many/00004 (0 \
                bytes); commit them";
    refused(&world, "back", 1, &[says]);
}
