//! Whatever is killed half way leaves every commit and every bit of work to be found again.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::git::Git;

/// Stands before git and kills whoever runs it, at the call whose number is in the environment.
/// Calls that only look are not counted: to be killed there is to be killed before the next.
const WRAPPER: &str = r#"#!/bin/sh
skip=0
for word; do
  case "$skip$word" in
  0-c) skip=1 ;;
  1*) skip=0 ;;
  *) break ;;
  esac
done
case "$word" in
add | commit | commit-tree | write-tree | update-ref | reset | stash) ;;
*) exec "$GIT_REAL" "$@" ;;
esac
number=$(($(cat "$GIT_CALLS" 2>/dev/null || echo 0) + 1))
echo $number >"$GIT_CALLS"
if [ $number = "$GIT_KILL" ]; then kill -9 $PPID; exit 1; fi
exec "$GIT_REAL" "$@"
"#;

/// Runs a command that is killed at its `call`th call of git that changes
/// something; whether it was.
fn run_until(world: &World, arguments: &[&str], call: usize) -> bool {
    let folder = world.directory.path().join("bin");
    fs::create_dir_all(&folder).unwrap();
    let wrapper = folder.join("git");
    fs::write(&wrapper, WRAPPER).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let real = Command::new("sh").args(["-c", "command -v git"]).output().unwrap().stdout;
    let real = String::from_utf8(real).unwrap().trim().to_owned();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let calls = world.directory.path().join("calls");
    let _ = fs::remove_file(&calls);
    let mut command = world.command(arguments);
    command.env("PATH", path).env("GIT_REAL", real).env("GIT_CALLS", calls);
    command.env("GIT_KILL", call.to_string()).stdin(Stdio::null());
    let ran = command.output().unwrap();
    assert!(ran.status.code().is_none_or(|code| code == 0), "{}", Ran::from(ran).all());
    ran.status.code().is_none()
}

/// Two commits of the user's and two AI commits, and work that is not committed.
fn world() -> World {
    let world = World::new(&[("a.txt", "one\n"), ("mine.txt", "1\n")]);
    let root = world.root();
    Git(&root).init();
    for (message, text) in [("first", "1\n"), ("AI: one", "2\n"), ("AI: two", "3\n")] {
        world.put("mine.txt", text);
        Git(&root).commit(message);
    }
    world.put("mine.txt", "work\n");
    world.put("new.txt", "new work\n");
    world
}

fn work(world: &World) -> [String; 2] {
    ["mine.txt", "new.txt"].map(|path| world.text(path))
}

/// Kills a command at each of its calls of git that change something in turn, in a world of its own.
fn at_every_call(arguments: &[&str], prepare: impl Fn(&World), check: impl Fn(&World, &str)) {
    for call in 1.. {
        let world = world();
        let root = world.root();
        prepare(&world);
        // What was in a stash is in the files once it is taken out.
        let commits = Git(&root).run(&["rev-list", "--exclude=refs/stash", "--all"]);
        let killed = run_until(&world, arguments, call);
        let all = Git(&root).run(&["rev-list", "--all"]);
        for commit in commits.lines() {
            assert!(all.contains(commit), "call {call}: {commit} is lost");
        }
        check(&world, &format!("killed at call {call}"));
        if !killed {
            assert!(call > 2, "git was called {call} times only");
            return;
        }
    }
}

/// Goes forward as long as it leads anywhere; then everything must be as it was.
#[track_caller]
fn all_found_again(world: &World, tip: &str, when: &str) {
    let root = world.root();
    for _ in 0..3 {
        let done = Git(&root).id("HEAD") == tip && work(world) == ["work\n", "new work\n"];
        if done {
            return;
        }
        world.run(&["history", "forward"]).exits(0);
    }
    panic!("{when}: {:?} at {}", work(world), Git(&root).run(&["log", "--oneline"]));
}

#[test]
fn a_step_back() {
    at_every_call(
        &["history", "back"],
        |_| (),
        |world, when| {
            let tip = Git(&world.root()).run(&["log", "--all", "--format=%H", "--grep=^AI: two"]);
            all_found_again(world, tip.trim(), when);
        },
    );
}

#[test]
fn a_step_forward() {
    let back = |world: &World| drop(world.run(&["history", "back"]).exits(0));
    at_every_call(&["history", "forward"], back, |world, when| {
        let tip = Git(&world.root()).run(&["log", "--all", "--format=%H", "--grep=^AI: two"]);
        all_found_again(world, tip.trim(), when);
    });
}

#[test]
fn a_squash() {
    at_every_call(
        &["history", "squash", "--last", "2"],
        |_| (),
        |world, when| {
            assert_eq!(work(world), ["work\n", "new work\n"], "{when}");
            assert_eq!(Git(&world.root()).status(), " M mine.txt\n?? new.txt\n", "{when}");
        },
    );
}

#[test]
fn an_apply() {
    let prepare = |world: &World| {
        world.transcript(replace("e-1", "a.txt", "one", "two"));
    };
    at_every_call(&["apply", "--yes", "--commit", "../chat.md"], prepare, |world, when| {
        assert_eq!(work(world), ["work\n", "new work\n"], "{when}");
        let before = world.text("a.txt");
        assert!(["one\n", "two\n"].contains(&before.as_str()), "{when}: {before}");
        // The next run goes on from there.
        world.put("b.txt", "one\n");
        let chat = replace("e-2", "b.txt", "one", "two");
        world.run_on(chat, &["apply", "--yes", "--commit"]).exits(0);
        let root = world.root();
        assert_eq!(Git(&root).status(), "", "{when}");
        assert_eq!(Git(&root).log()[0], "AI: edit b.txt: b.txt", "{when}");
        assert_eq!(
            (work(world), world.text("a.txt")),
            (["work\n", "new work\n"].map(str::to_owned), before)
        );
    });
}
