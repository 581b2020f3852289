//! Changes that need a look of their own, on the command line.

use super::*;

/// A file that an editor obeys, an ordinary one, and a directory that goes.
fn chat() -> String {
    let tasks = write("tasks", ".vscode/tasks.json", "{\"tasks\": []}\n");
    [tasks, replace("text", "a.txt", "one", "two"), delete("gone", "docs")].concat()
}

fn world() -> World {
    World::new(&[("a.txt", "one\n"), ("docs/x.md", "x\n"), ("docs/y.md", "y\n")])
}

fn states(world: &World) -> (bool, bool, bool) {
    let there = |path: &str| world.root().join(path).exists();
    (there(".vscode/tasks.json"), world.text("a.txt") == "two\n", !there("docs"))
}

#[test]
fn yes_leaves_them_and_says_how_to_take_them() {
    let world = world();
    let ran = world.run_on(chat(), &["apply", "--yes", "--format", "json"]).exits(1);
    assert_eq!(states(&world), (false, true, false), "{}", ran.all());
    let results = ran.json()["results"].clone();
    for (index, reason) in [(0, "trusted-file"), (2, "deletes-directory")] {
        let result = &results[index];
        assert_eq!(result["ok"], false);
        assert_eq!(result["error"]["code"], "plan/needs-a-look");
        assert_eq!(result["error"]["details"]["caution"], reason);
        assert_eq!(result["warnings"][0]["type"], "plan/needs-a-look");
    }
    assert_eq!(results[1]["ok"], true);
    let ran = ran.says("warning[plan/needs-a-look]").says("it deletes the directory `docs`");
    let ran = ran.says("3 blocks: 1 applied, 2 left, needs a look\n");
    ran.says("look at the changes that were left, and apply those that are right with --only 1 --only 3\n");
}

#[cfg(unix)]
#[test]
fn a_write_that_would_part_hard_links_is_left() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let other = world.root().join("other.txt");
    std::fs::hard_link(world.root().join("a.txt"), &other).unwrap();
    let chat = [replace("a", "a.txt", "one", "two"), replace("b", "b.txt", "one", "two")].concat();
    let ran = world.run_on(&chat, &["apply", "--yes", "--format", "json"]).exits(1);
    let result = ran.json()["results"][0].clone();
    assert_eq!(result["error"]["details"]["caution"], "parts-links");
    let ran = ran.says("`a.txt` has 1 other hard link, which would keep the old content");
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("one\n".into(), "two\n".into()));
    ran.says("2 blocks: 1 applied, 1 left, needs a look\n");
    world.run_on(&chat, &["apply", "--yes", "--only", "a"]).exits(0);
    assert_eq!((world.text("a.txt"), world.text("other.txt")), ("two\n".into(), "one\n".into()));
}

#[test]
fn only_and_allow_caution_take_them() {
    let world = world();
    world.run_on(chat(), &["apply", "--yes", "--only", "gone"]).exits(0);
    assert_eq!(states(&world), (false, false, true));
    world.run_on(chat(), &["apply", "--yes", "--only", "1", "--only", "text"]).exits(0);
    assert_eq!(states(&world), (true, true, true));
    let world = self::world();
    world.run_on(chat(), &["apply", "--yes", "--allow-caution"]).exits(0);
    assert_eq!(states(&world), (true, true, true));
}

#[test]
fn a_word_that_is_an_id_and_another_blocks_number_is_refused() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let chat = [replace("2", "a.txt", "one", "two"), replace("b", "b.txt", "one", "two")].concat();
    let states = || (world.text("a.txt"), world.text("b.txt"));
    let ran = world.run_on(&chat, &["apply", "--yes", "--only", "2"]).exits(2);
    ran.says("`--only 2` may mean block 1 (2), by its id, and block 2 (b), by its number; use `--only id:2` or `--only number:2`");
    assert_eq!(states(), ("one\n".into(), "one\n".into()));
    world.run_on(&chat, &["apply", "--yes", "--only", "id:2"]).exits(0);
    assert_eq!(states(), ("two\n".into(), "one\n".into()));
    world.run_on(&chat, &["apply", "--yes", "--only", "number:2"]).exits(0);
    assert_eq!(states(), ("two\n".into(), "two\n".into()));
    for wrong in ["3", "0", "02", "+1", "id:1", "number:3", "id:"] {
        let ran = world.run_on(&chat, &["apply", "--yes", "--only", wrong]).exits(2);
        ran.says("the blocks have the numbers 1 to 2, and the ids 2, b");
    }
}

#[test]
fn what_is_said_to_take_a_block_takes_that_block() {
    let world = World::new(&[("Makefile", "x\n")]);
    let chat = [write("2", "Makefile", "new\n"), write("1", "other.txt", "new\n")].concat();
    let says = "apply it with --only number:1\n";
    let ran = world.run_on(&chat, &["apply", "--dry-run"]).exits(1).says(says);
    let words = ran.err.lines().last().unwrap().rsplit("with ").next().unwrap();
    let words: Vec<&str> = words.split(' ').collect();
    world.run_on(&chat, &[&["apply", "--yes"], &words[..]].concat()).exits(0);
    assert_eq!(world.text("Makefile"), "new\n");
    assert_eq!(world.text("other.txt"), "(not there)");
}

#[test]
fn all_or_nothing_is_nothing_where_one_is_left() {
    let world = world();
    let ran = world.run_on(chat(), &["apply", "--yes", "--atomic"]).exits(1);
    assert_eq!(states(&world), (false, false, false), "{}", ran.all());
    assert!(ran.out.contains("block 1 (tasks) needs a look of its own"), "{}", ran.all());
    world.run_on(chat(), &["apply", "--yes", "--atomic", "--allow-caution"]).exits(0);
    assert_eq!(states(&world), (true, true, true));
}

#[test]
fn a_dry_run_is_what_yes_would_do() {
    let world = world();
    let ran = world.run_on(chat(), &["apply", "--dry-run"]).exits(1);
    assert_eq!(states(&world), (false, false, false));
    ran.says("{\"tasks\": []}").says("3 blocks: 1 would be applied, 2 left, needs a look\n");
}

#[test]
fn what_is_built_on_one_that_was_left_fails() {
    let world = World::new(&[]);
    let chat = [write("1", ".envrc", "a\n"), replace("2", ".envrc", "a", "b")].concat();
    let ran = world.run_on(chat, &["apply", "--yes"]).exits(1);
    assert_eq!(world.text(".envrc"), "(not there)", "{}", ran.all());
    ran.says("error[plan/file-not-found]");
}

#[test]
fn warnings_are_printed_whatever_the_flags() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat = write("1", "new.py", "x = 1\n# ... rest of the code unchanged ...\n");
    for flags in [&["--dry-run"][..], &["--yes"], &["--yes", "--format", "json"]] {
        let ran = world.run_on(&chat, &[&["apply"][..], flags].concat()).exits(0);
        ran.says("warning[plan/placeholder]");
        let _ = fs::remove_file(world.root().join("new.py"));
    }
}

#[test]
fn check_names_the_reason() {
    let world = world();
    let json = world.run_on(chat(), &["check", "--format", "json"]).exits(0).json();
    let blocks = &json["transcripts"][0]["blocks"];
    let cautions: Vec<_> = blocks.as_array().unwrap().iter().map(|it| &it["caution"]).collect();
    let (file, directory) = (Value::from("trusted-file"), Value::from("deletes-directory"));
    assert_eq!(cautions, [&file, &Value::Null, &directory]);
    assert_eq!(json["summary"]["warnings"], 2);
}

#[test]
fn check_names_the_caution_of_a_block_that_was_undone() {
    let world = World::new(&[("a.py", "import json\n\nx = 1\n")]);
    let chat = replace("a", "a.py", "import json", "import json\nimport logging");
    world.run_on(&chat, &["apply", "--yes"]).exits(0);
    world.run(&["undo"]).exits(0);
    world.put("a.py", "import json\nimport logging\n\nx = 1\n# hand\n");
    for _ in 0..2 {
        let json = world.run_on(&chat, &["check", "--format", "json"]).json();
        assert_eq!(json["transcripts"][0]["blocks"][0]["caution"], "adds-again", "{json}");
    }
    world.run_on(&chat, &["apply", "--dry-run"]).says("this block was undone");
}
