//! `history undo`, `back`, `forward` and `squash`.

use serde_json::json;

use super::*;
use crate::git::Git;

/// A repository with these commits, each with a file of its own name; `|` begins the next.
pub(super) fn repository(commits: &str) -> World {
    let world = World::new(&[]);
    let root = world.root();
    Git(&root).init();
    commits.split(" | ").enumerate().for_each(|(number, message)| {
        world.put(&format!("{number}.txt"), format!("{message}\n"));
        Git(&root).commit(message);
    });
    world
}

/// The subjects of the branch's commits, the newest first.
fn subjects(world: &World) -> String {
    let root = world.root();
    let printed = Git(&root).run(&["log", "--format=%s"]);
    printed.lines().collect::<Vec<_>>().join(" | ")
}

pub(super) fn history(world: &World, step: &str) -> Ran {
    let arguments: Vec<&str> = std::iter::once("history").chain(step.split(' ')).collect();
    world.run(&arguments)
}

/// Nothing may change, and it must say these with this exit code.
#[track_caller]
pub(super) fn refused(world: &World, step: &str, code: i32, says: &[&str]) {
    let root = world.root();
    let state = || {
        let all = ["for-each-ref", "--format=%(refname) %(objectname)"];
        let of = |arguments: &[&str]| String::from_utf8(Git(&root).output(arguments).stdout);
        (of(&all).unwrap(), of(&["status", "--short"]).unwrap(), of(&["stash", "list"]).unwrap())
    };
    let before = state();
    let mut ran = history(world, step).exits(code);
    assert_eq!(ran.out, "", "{}", ran.all());
    for text in says {
        ran = ran.says(text);
    }
    assert_eq!(state(), before, "{}", ran.all());
}

/// Every commit of `before` must be reachable from some ref.
#[track_caller]
fn nothing_lost(world: &World, before: &str) {
    let root = world.root();
    let all = Git(&root).run(&["rev-list", "--all"]);
    assert!(before.lines().all(|commit| all.contains(commit)), "{before}\nnot in\n{all}");
}

#[test]
fn undo_takes_back_what_apply_committed_and_forward_brings_it_back() {
    let world = repository("first");
    let root = world.root();
    world.put("mine.txt", "work\n");
    world.run_on(write("1", "a.txt", "a\n"), &["apply", "--yes", "--commit"]).exits(0);
    let tip = Git(&root).id("HEAD");
    let ran = history(&world, "undo").exits(0);
    assert!(ran.out.starts_with(&format!("undid {} \"AI: create a.txt\"\n", &tip[..10])));
    assert!(ran.out.contains("main is at "), "{}", ran.all());
    assert_eq!(subjects(&world), "Uncommitted work before an AI edit | first");
    assert_eq!(
        (world.text("a.txt"), world.text("mine.txt")),
        ("(not there)".into(), "work\n".into())
    );
    assert_eq!(Git(&root).status(), "");
    nothing_lost(&world, &tip);
    // What it was on is the user's.
    refused(&world, "undo", 1, &["no AI commit on this branch"]);
    history(&world, "forward").exits(0);
    assert_eq!((Git(&root).id("HEAD"), world.text("a.txt")), (tip, "a\n".into()));
    assert_eq!(Git(&root).refs("refs/operator-lsp/"), [""; 0]);
}

#[test]
fn a_file_that_is_saved_again_as_it_was_is_no_change() {
    let world = repository("first | AI: one");
    // Another time of change, which git compares before it compares contents.
    let text = world.text("1.txt");
    let path = world.root().join("1.txt");
    fs::remove_file(&path).unwrap();
    world.put("1.txt", text);
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    history(&world, "back").exits(0);
    assert_eq!(subjects(&world), "first");
}

#[test]
fn undo_takes_back_one_after_the_other() {
    let world = repository("first | AI: one | AI: two");
    let root = world.root();
    let tip = Git(&root).id("HEAD");
    history(&world, "undo").exits(0);
    history(&world, "undo").exits(0);
    assert_eq!(subjects(&world), "first");
    nothing_lost(&world, &tip);
    history(&world, "forward").exits(0);
    assert_eq!(subjects(&world), "AI: one | first");
    history(&world, "forward").exits(0);
    assert_eq!(Git(&root).id("HEAD"), tip);
    refused(&world, "forward", 1, &["no commit to go forward to"]);
}

#[test]
fn undo_is_refused_where_something_changed_since() {
    let world = repository("first | AI: one");
    for (path, text) in [("1.txt", "changed\n"), ("new.txt", "n\n")] {
        let before = world.text(path);
        world.put(path, text);
        refused(&world, "undo", 1, &["changed since the last AI commit", path]);
        if before == "(not there)" {
            fs::remove_file(world.root().join(path)).unwrap();
        } else {
            world.put(path, before);
        }
    }
    world.put("mine.txt", "m\n");
    Git(&world.root()).commit("mine");
    refused(
        &world,
        "undo",
        1,
        &["is not the last commit", "\"mine\"", "\"AI: one\"", "git revert"],
    );
}

#[test]
fn undo_is_refused_where_the_commit_is_on_a_remote_branch() {
    let world = repository("first | AI: one");
    let root = world.root();
    push(&world);
    refused(&world, "undo", 1, &["already on origin/main", "git revert"]);
    history(&world, "back").exits(0);
    assert_eq!(subjects(&world), "first");
    assert_eq!(Git(&root).refs("refs/remotes/").len(), 1);
}

#[test]
fn undo_of_the_first_commit_is_refused() {
    refused(&repository("AI: one"), "undo", 1, &["is the first commit"]);
    refused(&repository("one"), "back", 1, &["is the first commit"]);
}

#[test]
fn back_puts_work_aside_and_forward_brings_it_back() {
    let world = repository("first | second | third");
    let root = world.root();
    let git = Git(&root);
    world.put("0.txt", "changed\n");
    world.put("d/new file.txt", "n\n");
    world.put("2.txt", "staged\n");
    git.run(&["add", "2.txt"]);
    let status = git.status();
    let ran = history(&world, "back").exits(0);
    for file in ["0.txt", "2.txt", "d/new file.txt"] {
        assert!(ran.out.contains(&format!("put into a stash {file}\n")), "{}", ran.all());
    }
    assert_eq!((subjects(&world), git.status()), ("second | first".into(), String::new()));
    let after = ["0.txt", "2.txt", "d/new file.txt"].map(|path| world.text(path));
    assert_eq!(after, ["first\n", "(not there)", "(not there)"]);
    let ran = history(&world, "forward").exits(0);
    assert!(ran.out.contains("brought back     d/new file.txt\n"), "{}", ran.all());
    assert_eq!(git.status(), status);
    let after = ["0.txt", "2.txt", "d/new file.txt"].map(|path| world.text(path));
    assert_eq!(after, ["changed\n", "staged\n", "n\n"]);
    assert_eq!(git.run(&["stash", "list"]), "");
}

#[test]
fn work_belongs_to_the_commit_where_it_was_put_aside() {
    let world = repository("first | second | third");
    let root = world.root();
    world.put("0.txt", "at third\n");
    history(&world, "back").exits(0);
    world.put("0.txt", "at second\n");
    history(&world, "back").exits(0);
    assert_eq!(world.text("0.txt"), "first\n");
    history(&world, "forward").exits(0);
    assert_eq!(world.text("0.txt"), "at second\n");
    let ran = history(&world, "forward").exits(0);
    assert!(ran.out.contains("put into a stash 0.txt\n  brought back     0.txt"), "{}", ran.all());
    assert_eq!(world.text("0.txt"), "at third\n");
    history(&world, "back").exits(0);
    assert_eq!(world.text("0.txt"), "at second\n");
    history(&world, "forward").exits(0);
    assert_eq!(Git(&root).run(&["stash", "list"]).lines().count(), 1);
}

#[test]
fn a_stash_of_another_branch_or_of_the_user_stays() {
    let world = repository("first | second");
    let root = world.root();
    let git = Git(&root);
    world.put("mine.txt", "m\n");
    git.run(&["stash", "push", "-q", "-u", "-m", "mine"]);
    git.run(&["switch", "-q", "-c", "other"]);
    world.put("0.txt", "on other\n");
    history(&world, "back").exits(0);
    git.run(&["switch", "-q", "main"]);
    history(&world, "back").exits(0);
    history(&world, "forward").exits(0);
    assert_eq!((world.text("0.txt"), git.status()), ("first\n".into(), String::new()));
    git.run(&["switch", "-q", "other"]);
    history(&world, "forward").exits(0);
    assert_eq!(world.text("0.txt"), "on other\n");
    assert!(git.run(&["stash", "list"]).ends_with(": mine\n"));
}

#[test]
fn what_does_not_fit_any_more_is_named_and_stays_in_the_stash() {
    let world = repository("first | second");
    let root = world.root();
    let git = Git(&root);
    world.put("0.txt", "changed\n");
    world.put("new.txt", "mine\n");
    history(&world, "back").exits(0);
    world.put(".git/info/exclude", "new.txt\n");
    world.put("new.txt", "in the way\n");
    let arguments = ["history", "forward", "--format", "json"];
    let json = world.run(&arguments).exits(1).json();
    assert_eq!(json["ok"], false);
    assert_eq!((&json["conflicts"], &json["stash"]), (&json!(["new.txt"]), &json!("stash@{0}")));
    assert_eq!(json["restored_files"], json!([]));
    assert_eq!((subjects(&world), git.status()), ("second | first".into(), String::new()));
    assert_eq!(world.text("new.txt"), "in the way\n");
    assert_eq!(git.run(&["show", "stash@{0}^3:new.txt"]), "mine\n");
    assert_eq!(git.run(&["show", "stash@{0}:0.txt"]), "changed\n");
    // The same in words, once more.
    let ran = history(&world, "forward").exits(1).says("still in stash@{0}").says("new.txt");
    ran.says("git stash pop --index stash@{0}");
    fs::remove_file(root.join("new.txt")).unwrap();
    history(&world, "forward").exits(0);
    assert_eq!((world.text("0.txt"), world.text("new.txt")), ("changed\n".into(), "mine\n".into()));
}

#[test]
fn a_step_that_was_cut_short_is_taken_up_again() {
    let world = repository("first | second");
    let root = world.root();
    let git = Git(&root);
    world.put("0.txt", "changed\n");
    history(&world, "back").exits(0);
    // As if it had been killed before the branch moved.
    let second = git.refs("refs/operator-lsp/forward/")[0].clone();
    git.run(&["reset", "-q", "--hard", &second]);
    history(&world, "forward").exits(0);
    assert_eq!(world.text("0.txt"), "changed\n");
    history(&world, "back").exits(0);
    // As if it had been killed before the work came back.
    git.run(&["reset", "-q", "--hard", &second]);
    history(&world, "back").exits(0);
    history(&world, "forward").exits(0);
    assert_eq!(world.text("0.txt"), "changed\n");
}

#[test]
fn forward_after_a_new_commit_is_refused_and_loses_nothing() {
    let world = repository("first | second | third");
    let root = world.root();
    let git = Git(&root);
    let old = git.run(&["rev-list", "HEAD"]);
    history(&world, "back").exits(0);
    world.put("mine.txt", "m\n");
    git.commit("mine");
    let says = ["cannot go forward", "\"mine\"", "\"third\"", "refs/operator-lsp/forward/main"];
    refused(&world, "forward", 1, &says);
    let mine = git.id("HEAD");
    history(&world, "back").exits(0);
    nothing_lost(&world, &(old + &mine));
    history(&world, "forward").exits(0);
    assert_eq!(git.id("HEAD"), mine);
}

#[test]
fn a_merge_is_a_step_along_the_first_parent() {
    let world = repository("first | second");
    let root = world.root();
    let git = Git(&root);
    git.run(&["switch", "-q", "-c", "side", "HEAD^"]);
    world.put("side.txt", "s\n");
    git.commit("side");
    git.run(&["switch", "-q", "main"]);
    git.run(&["merge", "-q", "--no-edit", "-m", "merged", "side"]);
    let merge = git.id("HEAD");
    history(&world, "back").exits(0);
    assert_eq!(
        (subjects(&world).as_str(), world.text("side.txt").as_str()),
        ("second | first", "(not there)")
    );
    history(&world, "back").exits(0);
    history(&world, "forward").exits(0);
    history(&world, "forward").exits(0);
    assert_eq!(git.id("HEAD"), merge);
}

#[test]
fn an_ignored_file_is_not_overwritten() {
    let world = repository("first | second");
    history(&world, "back").exits(0);
    world.put(".git/info/exclude", "1.txt\n");
    world.put("1.txt", "precious\n");
    refused(&world, "forward", 1, &["ignored by git and would be overwritten: 1.txt"]);
    assert_eq!(world.text("1.txt"), "precious\n");
    fs::remove_file(world.root().join("1.txt")).unwrap();
    world.put("1.txt/precious", "p\n");
    refused(&world, "forward", 1, &["would be overwritten: 1.txt/precious"]);
    fs::remove_dir_all(world.root().join("1.txt")).unwrap();
    history(&world, "forward").exits(0);
}

#[test]
fn an_untracked_file_in_the_place_of_a_commits_is_put_aside() {
    let world = repository("first | second");
    let root = world.root();
    history(&world, "back").exits(0);
    world.put("1.txt", "mine\n");
    history(&world, "forward").exits(0);
    assert_eq!(world.text("1.txt"), "second\n");
    assert_eq!(Git(&root).run(&["show", "stash@{0}^3:1.txt"]), "mine\n");
    history(&world, "back").exits(0);
    assert_eq!(world.text("1.txt"), "mine\n");
}

#[test]
fn a_repository_inside_is_left_alone() {
    let world = repository("first | second");
    let root = world.root();
    let nested = root.join("nested");
    fs::create_dir(&nested).unwrap();
    Git(&nested).init();
    fs::write(nested.join("n.txt"), "n\n").unwrap();
    world.put("mine.txt", "m\n");
    let ran = history(&world, "back").exits(0);
    assert!(!ran.out.contains("nested"), "{}", ran.all());
    assert_eq!(
        (world.text("nested/n.txt"), world.text("mine.txt")),
        ("n\n".into(), "(not there)".into())
    );
}

#[test]
fn the_folder_of_a_submodule_stays_where_it_is() {
    let world = repository("first");
    let root = world.root();
    let other = world.directory.path().join("other");
    Git(&root).add_submodule("sub", &other, ("s.txt", "s\n"));
    world.put("sub/s.txt", "work\n");
    history(&world, "back").exits(0);
    history(&world, "forward").exits(0);
    assert_eq!(
        (subjects(&world).as_str(), world.text("sub/s.txt").as_str()),
        ("with a submodule | first", "work\n")
    );
}

#[test]
fn what_keeps_every_step_from_being_done() {
    for step in ["undo", "back", "forward", "squash --last 2"] {
        let world = repository("first | AI: one | AI: two");
        let root = world.root();
        world.put(".git/index.lock", "");
        refused(&world, step, 2, &["another git command"]);
        fs::remove_file(root.join(".git/index.lock")).unwrap();
        world.put(".git/MERGE_HEAD", format!("{}\n", Git(&root).id("HEAD^")));
        refused(&world, step, 1, &["a merge is not finished"]);
        fs::remove_file(root.join(".git/MERGE_HEAD")).unwrap();
        Git(&root).run(&["config", "--unset", "user.email"]);
        refused(&world, step, 2, &["git config user.email"]);
        Git(&root).run(&["config", "user.email", "tester@example.com"]);
        Git(&root).run(&["switch", "-q", "--detach"]);
        refused(&world, step, 1, &["HEAD is detached"]);
        let empty = World::new(&[]);
        refused(&empty, step, 2, &["not in a git repository"]);
        Git(&empty.root()).init();
        refused(&empty, step, 1, &["no commit yet"]);
    }
}

#[test]
fn the_json_of_a_step_is_as_documented() {
    let world = repository("first | AI: one");
    let root = world.root();
    let (tip, first) = (Git(&root).id("HEAD"), Git(&root).id("HEAD^"));
    let json = world.run(&["history", "undo", "--format", "json"]).exits(0).json();
    let expected = json!({
        "ok": true, "action": "undo", "branch": "main",
        "from": {"id": tip, "subject": "AI: one"}, "to": {"id": first, "subject": "first"},
        "stashed_files": [], "restored_files": [], "conflicts": [], "stash": null,
    });
    assert_eq!(json, expected);
    let json = world.run(&["history", "undo", "--format", "json"]).exits(1).json();
    assert_eq!(
        (&json["ok"], &json["error"]["code"]),
        (&json!(false), &json!("git/not-an-ai-commit"))
    );
}

#[test]
fn squash_makes_one_of_the_last() {
    let world = repository("first | AI: one | AI: two | AI: three");
    let root = world.root();
    let git = Git(&root);
    let (old, tree) = (git.id("HEAD"), git.id("HEAD^{tree}"));
    world.put("0.txt", "changed\n");
    world.put("1.txt", "staged\n");
    git.run(&["add", "1.txt"]);
    let status = git.status();
    let ran = history(&world, "squash --last 2").exits(0);
    assert_eq!(subjects(&world), "AI: 2 commits squashed | AI: one | first");
    assert_eq!(git.run(&["log", "-1", "--format=%b"]).trim(), "* two\n* three");
    assert_eq!((git.id("HEAD^{tree}"), git.status()), (tree, status));
    nothing_lost(&world, &old);
    for said in ["\"AI: two\"", "\"AI: three\"", &format!("refs/operator-lsp/kept/{old}")] {
        assert!(ran.out.contains(said), "{}", ran.all());
    }
    assert!(!ran.out.contains("\"AI: one\""), "{}", ran.all());
}

#[test]
fn squash_takes_all_since_the_last_commit_of_a_person_where_none_are_selected() {
    let world = repository("first | AI: zero | mine | AI: one | AI: two");
    history(&world, "squash").exits(0);
    assert_eq!(subjects(&world), "AI: 2 commits squashed | mine | AI: zero | first");
    refused(&world, "squash", 1, &["nothing to squash"]);
    Git(&world.root()).commit("mine again");
    refused(&world, "squash", 1, &["no AI commit of this branch comes after"]);
    let world = repository("AI: one | AI: two");
    history(&world, "squash").exits(0);
    assert_eq!(subjects(&world), "AI: 2 commits squashed");
}

#[test]
fn squash_by_time_by_text_and_with_a_message() {
    let world = repository("first | AI: one | AI: two");
    let root = world.root();
    let git = Git(&root);
    let ran = world.run(&["history", "squash", "--hours", "1", "--message", "both\n\nin one"]);
    ran.exits(0);
    assert_eq!(subjects(&world), "AI: both | first");
    assert_eq!(git.run(&["log", "-1", "--format=%b"]).trim(), "in one");
    for text in ["AI: alpha x", "AI: beta x"] {
        git.commit(text);
    }
    let arguments = ["history", "squash", "--contains", " x", "--message", "AI: x"];
    let json = world.run(&[&arguments[..], &["--format", "json"]].concat()).exits(0).json();
    assert_eq!(subjects(&world), "AI: x | AI: both | first");
    assert_eq!(json["commit"], json!({"id": git.id("HEAD"), "subject": "AI: x"}));
    let replaced: Vec<_> =
        json["replaced"].as_array().unwrap().iter().map(|it| it["subject"].clone()).collect();
    assert_eq!(replaced, ["AI: beta x", "AI: alpha x"]);
    history(&world, "squash --days 1").exits(0);
    assert_eq!(subjects(&world), "AI: 2 commits squashed | first");
}

#[test]
fn old_commits_are_not_of_the_last_hours() {
    let world = repository("first | AI: old");
    let root = world.root();
    let mut command = std::process::Command::new("git");
    crate::git::isolate(&mut command);
    command.args(["commit", "-q", "--amend", "--no-edit"]).current_dir(&root);
    command.env("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z");
    assert!(command.status().unwrap().success());
    refused(
        &world,
        "squash --hours 5",
        1,
        &["no AI commit of this branch is from the last 5 hours"],
    );
    Git(&root).commit("AI: new");
    refused(&world, "squash --days 30", 1, &["only", "\"AI: new\"", "nothing to squash"]);
    history(&world, "squash --last 2").exits(0);
}

#[test]
fn squash_refuses_what_is_not_one_run_at_the_end() {
    let world = repository("first | AI: one x | mine | AI: two | AI: three x");
    refused(&world, "squash --last 3", 1, &["follow one another", "\"mine\""]);
    let gap = ["follow one another", "\"AI: two\"", "\"mine\""];
    refused(&world, "squash --contains x", 1, &gap);
    refused(&world, "squash --days 1", 1, &["\"mine\""]);
    refused(&world, "squash --last 4", 1, &["only 3 AI commits"]);
    refused(&world, "squash --contains nowhere", 1, &["has \"nowhere\" in its message"]);
    refused(&world, "squash --last 0", 1, &["no AI commit"]);
    history(&world, "squash --last 2").exits(0);
    Git(&world.root()).commit("on top");
    refused(&world, "squash --last 1", 1, &["\"on top\""]);
}

#[test]
fn squash_refuses_merges_and_what_is_on_a_remote_branch() {
    let world = repository("first | AI: one");
    let root = world.root();
    let git = Git(&root);
    git.run(&["switch", "-q", "-c", "side", "HEAD^"]);
    git.commit("side");
    git.run(&["switch", "-q", "main"]);
    git.run(&["merge", "-q", "--no-ff", "-m", "AI: merged", "side"]);
    refused(&world, "squash --last 2", 1, &["merge commits", "\"AI: merged\""]);
    let world = repository("first | AI: one");
    push(&world);
    Git(&world.root()).commit("AI: two");
    let error = history(&world, "squash --last 2").exits(1).says("origin/main").says("\"AI: one\"");
    assert!(!error.err.contains("AI: two"), "{}", error.all());
}

#[test]
fn squash_reaches_the_first_commit() {
    let world = repository("AI: one | AI: two");
    history(&world, "squash --last 2").exits(0);
    assert_eq!(subjects(&world), "AI: 2 commits squashed");
}

#[test]
fn squash_wants_at_most_one_selection() {
    let world = repository("first");
    history(&world, "squash --last 1 --days 1").exits(2).says("--days");
    history(&world, "squash --last some").exits(2);
    world.run(&["history"]).exits(2);
}

fn push(world: &World) {
    let root = world.root();
    let remote = world.directory.path().join("remote.git");
    let git = Git(&root);
    git.run(&["remote", "add", "origin", as_argument(&remote)]);
    // What a push leaves here; the push itself needs a shell, which not every system has.
    git.run(&["update-ref", "refs/remotes/origin/main", "main"]);
    git.run(&["branch", "-q", "--set-upstream-to=origin/main"]);
}

#[test]
fn what_a_stash_cannot_give_back_is_not_put_into_one() {
    let check = |change: &str, says: &str| {
        let world = repository("first | second");
        let root = world.root();
        let script = format!("{change}; true");
        let ran = Command::new("sh").args(["-c", &script]).current_dir(&root).status();
        assert!(ran.unwrap().success());
        refused(&world, "back", 1, &["something untracked is at their paths", says]);
    };
    check("git rm -q --cached 0.txt", "0.txt");
    check("git rm -q --cached 0.txt; echo mine >>0.txt", "0.txt");
    check("rm 0.txt; mkdir 0.txt; echo mine >0.txt/in", "0.txt/in");
}

#[test]
fn the_folder_of_journals_is_neither_committed_nor_put_into_a_stash() {
    let world = repository("first | second");
    let root = world.root();
    let chat = world.transcript(replace("e-1", "0.txt", "first", "two"));
    let run = |arguments: &[&str]| -> Ran {
        let mut command = world.command(arguments);
        command.env("OPERATOR_LSP_STATE_DIR", root.join(".state")).stdin(Stdio::null());
        command.output().unwrap().into()
    };
    run(&["apply", "--yes", "--commit", as_argument(&chat)]).exits(0);
    assert_eq!(Git(&root).run(&["ls-files"]), "0.txt\n1.txt\n");
    assert_eq!(Git(&root).status(), "");
    let ran = run(&["history", "back"]).exits(0);
    assert!(!ran.all().contains(".state"), "{}", ran.all());
    assert!(run(&["log"]).exits(0).out.contains("0.txt"));
}
