//! `log`, `undo ID` and `redo`.

use operator_core::edit::{Change, ChangeSet};
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{BlockId, Door, Transcript, Transition, Work};
use operator_core::path::{FilePath, State};
use operator_core::text::Content;
use operator_lsp::workspace::{Made, Transaction, Workspace, WorkspaceOptions};
use serde_json::json;

use super::*;

/// Applies blocks to `files` that are not there yet, as some program does.
fn applied(world: &World, door: Door, transcript: &str, time: u64, files: &[&str]) {
    let workspace = Workspace::open(&[world.root()], WorkspaceOptions::default()).unwrap();
    let workspace = workspace.with_state_directory(world.directory.path().join("state"));
    let mut transaction = Transaction::begin(&workspace).unwrap();
    transaction.describe(door, time, Transcript::new(transcript));
    for (number, file) in files.iter().enumerate() {
        let path = FilePath::new(0, *file);
        let after = State::File(Fingerprint::of(b"x\n"));
        let text = Fingerprint::of(file.as_bytes());
        transaction.add_works(vec![Work {
            block: BlockId { text, nth: 0 },
            name: format!("block {} (w-{number})", number + 1),
            title: format!("fs.write {file}"),
            transitions: vec![Transition::new(path.clone(), State::Missing, after)],
            part: None,
        }]);
        let change = Change::Create { path, content: Content::plain("x\n"), like: None };
        workspace.apply(&ChangeSet::one(change), &mut transaction).unwrap();
    }
    transaction.commit().unwrap();
}

/// A file of three operations, the newest first in the log.
fn world() -> World {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let edits = [("a.txt", "one", "two"), ("b.txt", "one", "two"), ("a.txt", "two", "three")];
    for (number, (path, find, text)) in edits.iter().enumerate() {
        let chat = replace(&format!("e-{number}"), path, find, text);
        world.run_on(chat, &["apply", "--yes"]).exits(0);
    }
    world
}

/// The numbers in the log, and whether they are undone.
fn listed(world: &World) -> Vec<(u64, bool)> {
    let json = world.run(&["log", "--format", "json"]).exits(0).json();
    let all = json["operations"].as_array().unwrap().iter();
    all.map(|it| (it["id"].as_u64().unwrap(), it["undone"].as_bool().unwrap())).collect()
}

#[test]
fn the_log_lists_what_was_done() {
    let world = World::new(&[]);
    let empty = world.run(&["log"]).exits(0);
    assert_eq!(empty.out, "");
    empty.says("no operations in ");
    assert_eq!(world.run(&["log", "--format", "json"]).exits(0).json(), json!({"operations": []}));
    let time = 1_795_350_665_123;
    applied(&world, Door::Cli, "chat.md", time, &["new/a.txt", "b.txt"]);
    applied(&world, Door::Lsp, "file:///other.md", time + 60_000, &["c", "d", "e", "f", "g"]);
    world.run(&["undo"]).exits(0);
    let json = world.run(&["log", "--format", "json"]).exits(0).json();
    let all = json["operations"].as_array().unwrap();
    assert_eq!(
        all[1],
        json!({
            "id": 1, "time": "2026-11-22T12:31:05Z", "door": "cli", "transcript": "chat.md",
            "blocks": [
                {"name": "block 1 (w-0)", "title": "fs.write new/a.txt"},
                {"name": "block 2 (w-1)", "title": "fs.write b.txt"},
            ],
            "files": ["new/a.txt", "b.txt"], "undone": false,
        })
    );
    assert_eq!((&all[0]["door"], &all[0]["undone"]), (&json!("lsp"), &json!(true)));
    let text = world.run(&["log"]).exits(0).out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[0].starts_with("2  "), "{text}");
    let what = "fs.write c, fs.write d, fs.write e, and 2 more (undone)";
    assert!(lines[0].ends_with(what), "{text}");
    assert_eq!(lines[1], "   file:///other.md (editor): c, d, e, and 2 more");
    assert!(lines[2].ends_with("fs.write new/a.txt, fs.write b.txt"), "{text}");
    assert_eq!(lines[3], "   chat.md");
}

#[test]
fn what_was_put_back_by_hand_is_listed_as_undone() {
    let world = world();
    world.put("b.txt", "one\n");
    assert_eq!(listed(&world), [(3, false), (2, true), (1, false)]);
    world.run(&["undo", "2"]).exits(1).says("operation 2 is undone already");
}

#[test]
fn an_operation_is_undone_by_its_number() {
    let world = world();
    assert_eq!(listed(&world), [(3, false), (2, false), (1, false)]);
    world.run(&["undo", "2"]).exits(0);
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("three\n".into(), "one\n".into()));
    assert_eq!(listed(&world), [(3, false), (2, true), (1, false)]);
    world.run(&["undo", "2"]).exits(1).says("operation 2 is undone already");
    world.run(&["undo", "9"]).exits(2).says("no operation has the number 9");
    let wrong = "operations have numbers, which `operator-lsp log` lists";
    world.run(&["undo", "nine"]).exits(2).says(wrong);
    let refused = world.run(&["undo", "1"]).exits(1).says("a.txt (by operation 3: ");
    assert_eq!((refused.out.as_str(), world.text("a.txt").as_str()), ("", "three\n"));
    // Those that are undone already are passed over.
    world.run(&["undo"]).exits(0);
    world.run(&["undo"]).exits(0);
    assert_eq!(world.text("a.txt"), "one\n");
    world.run(&["undo"]).exits(1).says("nothing to undo");
}

#[test]
fn the_one_who_came_in_between_is_named() {
    let world = World::new(&[]);
    applied(&world, Door::Cli, "chat.md", 1_795_350_665_123, &["a.txt"]);
    world.put("a.txt", "typed\n");
    world.run(&["undo"]).exits(1).says("a.txt (by hand)").says("--skip-changed");
    assert_eq!(world.text("a.txt"), "typed\n");
    world.put("a.txt", "x\n");
    let chat = replace("e", "a.txt", "x", "y");
    world.run_on(chat, &["apply", "--yes"]).exits(0);
    world.run(&["undo", "1"]).exits(1).says("a.txt (by operation 2: ");
}

/// What `check` says of each block.
fn statuses(world: &World, chat: &str) -> Vec<String> {
    let json = world.run_on(chat, &["check", "--format", "json"]).json();
    let blocks = json["transcripts"][0]["blocks"].as_array().unwrap().iter();
    blocks.map(|it| it["status"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_skipped_stays_applied_and_can_be_undone_later() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let two = "one\ntwo";
    let chat = replace("a", "a.txt", "one", two) + &replace("b", "b.txt", "one", two);
    world.run_on(&chat, &["apply", "--yes"]).exits(0);
    world.put("a.txt", "one\ntwo\nhand\n");
    let ran = world.run(&["undo", "--skip-changed"]).exits(1);
    assert_eq!(ran.out, "  restored     b.txt\n1 change undone\n");
    ran.says("could not be undone: a.txt (it has changed since)")
        .says("the rest of operation 1 is still applied; `undo 1` undoes it");
    assert_eq!(world.text("b.txt"), "one\n");
    assert_eq!(listed(&world), [(1, false)]);
    assert_eq!(statuses(&world, &chat), ["applied", "ready"]);
    world.run(&["undo"]).exits(1).says("a.txt (by hand)");
    world.run_on(&chat, &["apply", "--yes"]).says("2 blocks: 1 applied, 1 already applied");
    assert_eq!(world.text("a.txt"), "one\ntwo\nhand\n");
    assert_eq!(world.text("b.txt"), "one\ntwo\n");
    // What is done since is undone first.
    world.run(&["undo"]).exits(0);
    assert_eq!(world.text("b.txt"), "one\n");
    world.put("a.txt", "one\ntwo\n");
    let undone = world.run(&["undo"]).exits(0);
    assert_eq!(undone.out, "  restored     a.txt\n1 change undone\n");
    assert_eq!(listed(&world), [(2, true), (1, true)]);
    assert_eq!(statuses(&world, &chat), ["ready", "ready"]);
    world.run(&["undo"]).exits(1).says("nothing to undo");
    world.run(&["redo"]).exits(0);
    assert_eq!(
        (world.text("a.txt"), world.text("b.txt")),
        (two.to_owned() + "\n", two.to_owned() + "\n")
    );
}

#[test]
fn what_is_skipped_is_not_in_the_way_of_older_operations() {
    let world = world();
    world.put("a.txt", "three\nhand\n");
    world.run(&["undo", "--skip-changed"]).exits(1).says("a.txt (it has changed since)");
    world.run(&["undo"]).exits(0);
    assert_eq!(listed(&world), [(3, false), (2, true), (1, false)]);
    world.put("a.txt", "three\n");
    for text in ["two\n", "one\n"] {
        world.run(&["undo"]).exits(0);
        assert_eq!(world.text("a.txt"), text);
    }
    world.run(&["undo"]).exits(1).says("nothing to undo");
}

#[test]
fn a_block_that_is_undone_in_one_of_its_files_is_applied_in_part() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let file = |path: &str| format!("*** Update File: {path}\n@@\n one\n+two\n");
    let chat = format!("*** Begin Patch\n{}{}*** End Patch\n", file("a.txt"), file("b.txt"));
    world.run_on(&chat, &["apply", "--yes"]).exits(0);
    world.put("a.txt", "one\ntwo\nhand\n");
    world.run(&["undo", "--skip-changed"]).exits(1);
    assert_eq!(world.text("b.txt"), "one\n");
    assert_eq!(statuses(&world, &chat), ["applied"]);
    world.run_on(&chat, &["apply", "--yes"]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\nhand\n");
}

#[test]
fn a_new_directory_that_is_still_needed_does_not_keep_a_block_applied() {
    let world = World::new(&[]);
    let chat = write("a", "new/a.txt", "a\n") + &write("b", "new/b.txt", "b\n");
    world.run_on(&chat, &["apply", "--yes"]).exits(0);
    world.put("new/b.txt", "b\nhand\n");
    world.run(&["undo", "--skip-changed"]).exits(1);
    assert!(!world.root().join("new/a.txt").exists());
    assert_eq!(statuses(&world, &chat), ["ready", "applied"]);
    world.put("new/b.txt", "b\n");
    world.run(&["undo"]).exits(0);
    assert!(!world.root().join("new").exists());
    assert_eq!(statuses(&world, &chat), ["ready", "ready"]);
}

#[test]
fn redo_makes_again_what_undo_took() {
    let world = world();
    world.run(&["redo"]).exits(1).says("nothing to redo");
    for text in ["two\n", "two\n", "one\n"] {
        world.run(&["undo"]).exits(0);
        assert_eq!(world.text("a.txt"), text);
    }
    assert_eq!(listed(&world), [(3, true), (2, true), (1, true)]);
    let ran = world.run(&["redo"]).exits(0);
    assert_eq!(ran.out, "  made again   a.txt\noperation 1 redone\n", "{}", ran.all());
    world.put("b.txt", "mine\n");
    world.run(&["redo"]).exits(1).says("b.txt has changed since");
    assert_eq!(world.text("b.txt"), "mine\n");
    world.put("b.txt", "one\n");
    world.run(&["redo"]).exits(0);
    world.run(&["redo"]).exits(0);
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("three\n".into(), "two\n".into()));
    world.run(&["redo"]).exits(1).says("nothing to redo");
    assert_eq!(listed(&world), [(3, false), (2, false), (1, false)]);
    // What is applied to the same file ends it.
    world.run(&["undo", "3"]).exits(0);
    world.run_on(replace("e-4", "a.txt", "two", "four"), &["apply", "--yes"]).exits(0);
    world.run(&["redo"]).exits(1).says("nothing to redo");
}

#[test]
fn files_that_came_or_went_come_and_go() {
    let world = World::new(&[("a.txt", "one\r\n"), ("d/x.txt", "x"), ("e.txt", "e")]);
    let chat = [
        replace("e-1", "a.txt", "one", "two"),
        write("w-1", "new/b.txt", "b"),
        delete("d-1", "d"),
        replace("e-2", "a.txt", "two", "three"),
        block("m-1", "fs.move", &[("path", "e.txt"), ("path_to", "f.txt")]),
    ];
    world.run_on(chat.concat(), &["apply", "--yes", "--allow-caution"]).exits(0);
    let texts = |world: &World| {
        ["a.txt", "d/x.txt", "e.txt", "f.txt", "new/b.txt"].map(|path| world.text(path))
    };
    let after = texts(&world);
    for _ in 0..2 {
        world.run(&["undo"]).exits(0);
        let before = ["one\r\n", "x", "e", "(not there)", "(not there)"];
        assert_eq!(texts(&world), before);
        world.run(&["redo"]).exits(0);
        assert_eq!(texts(&world), after);
    }
}

/// What the client of a language server has made and saved, as the server tells it.
fn made_in_editor(world: &World, path: &str, before: &str, after: &str) {
    let workspace = Workspace::open(&[world.root()], WorkspaceOptions::default()).unwrap();
    let workspace = workspace.with_state_directory(world.directory.path().join("state"));
    let at = FilePath::new(0, path);
    let (one, two) = (Content::of_file(before), Content::of_file(after));
    let states = [&one, &two].map(|content| State::File(content.fingerprint()));
    let change = Change::Edit { path: at.clone(), before: one, after: two };
    let made = Made::new(&ChangeSet::one(change), &workspace, &workspace).unwrap();
    let mut transaction = Transaction::begin(&workspace).unwrap();
    transaction.describe(Door::Lsp, 1_795_350_665_123, Transcript::new("chat.md"));
    transaction.add_works(vec![Work {
        block: BlockId { text: Fingerprint::of(after.as_bytes()), nth: 0 },
        name: "block 1 (e-1)".to_owned(),
        title: format!("fs.write {path}"),
        transitions: vec![Transition::new(at, states[0], states[1])],
        part: None,
    }]);
    transaction.keep_made(&made).unwrap();
    transaction.commit().unwrap();
}

#[test]
fn what_an_editor_made_is_undone_and_redone_once_it_is_saved() {
    let world = World::new(&[("a.txt", "\u{feff}one\r\n"), ("b.txt", "one\n")]);
    world.run_on(replace("e-0", "b.txt", "one", "two"), &["apply", "--yes"]).exits(0);
    made_in_editor(&world, "a.txt", "\u{feff}one\r\n", "\u{feff}two\r\n");
    assert_eq!(listed(&world), [(2, false), (1, false)]);
    let refused = world.run(&["undo"]).exits(1).says("not saved since operation 2: a.txt");
    assert!(refused.err.contains("save them in the editor and try again"), "{}", refused.all());
    assert_eq!(world.text("b.txt"), "two\n");
    world.put("a.txt", "\u{feff}two\r\n");
    for text in ["\u{feff}one\r\n", "\u{feff}two\r\n"].repeat(2) {
        let command = if text.contains("one") { "undo" } else { "redo" };
        world.run(&[command]).exits(0);
        assert_eq!(world.text("a.txt"), text);
    }
    world.put("a.txt", "typed\n");
    world.run(&["undo"]).exits(1).says("a.txt (by hand)");
    world.put("a.txt", "\u{feff}two\r\n");
    world.run(&["undo", "2"]).exits(0);
    world.run(&["undo"]).exits(0);
    assert_eq!(
        (world.text("a.txt"), world.text("b.txt")),
        ("\u{feff}one\r\n".into(), "one\n".into())
    );
    assert_eq!(listed(&world), [(2, true), (1, true)]);
}

#[cfg(unix)]
#[test]
fn a_ledger_that_cannot_be_looked_at_is_not_an_empty_one() {
    use std::os::unix::fs::PermissionsExt;

    let world = World::new(&[]);
    let chat = write("1", "a.txt", "one\n");
    world.run_on(&chat, &["apply", "--yes"]).exits(0);
    let state = world.directory.path().join("state");
    let allow = |mode| fs::set_permissions(&state, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o000);
    // Root may read everywhere; then there is nothing to see.
    let is_root = fs::read_dir(&state).is_ok();
    let (log, reply) = (world.run(&["log"]), world.run_on(&chat, &["reply"]));
    allow(0o755);
    if !is_root {
        log.exits(2).says("Permission denied");
        reply.exits(2).says("Permission denied");
    }
}
