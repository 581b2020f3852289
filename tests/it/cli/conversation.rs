//! Conversations as a person has them with a chat: paste, check, apply, the reply, the next answer.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::World;
use super::examples::example_world;
use crate::conversation::Conversation;

/// Every file below a directory with its bytes.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut ahead = vec![root.to_owned()];
    while let Some(directory) = ahead.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                ahead.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// What both conversations leave in the files.
fn check_wishes(world: &World) {
    let cli = world.text("greeter/cli.py");
    assert!(cli.contains("{**DEFAULTS, **json.loads("), "{cli}");
    assert!(cli.contains("help=\"language and punctuation\"\n    )\n"), "{cli}");
    let greeter = world.text("greeter/__init__.py");
    assert_eq!(greeter.matches("opening = ").count(), 1, "{greeter}");
    assert_eq!(greeter.matches("\"es\": \"Hola\",").count(), 1, "{greeter}");
    assert!(greeter.ends_with("    return f\"{word}, {name}{punctuation}\"\n"), "{greeter}");
    let main = "import sys\n\nfrom greeter.cli import main\n\nsys.exit(main())\n";
    assert_eq!(world.text("greeter/__main__.py"), main);
    let tests = world.text("tests/test_greeter.py");
    assert_eq!(tests.matches("def test_spanish").count(), 1, "{tests}");
}

/// Both rounds on standard input, and back again; `first` and `second` are what `check` counts.
fn two_rounds(example: &str, first: &str, second: &str) -> World {
    let world = example_world();
    let before = files(&world.root());
    let chat = Conversation::new(example);
    let checked = world.run_with_input(&chat.first, &["check", "-"]).exits(1);
    assert!(checked.out.ends_with(&format!("\n{first}\n")), "{}", checked.all());
    let ran = world.run_with_input(&chat.first, &["apply", "--yes", "-"]).exits(1);
    assert_eq!(ran.out, chat.reply);
    let between = files(&world.root());

    let two = chat.of_two();
    let checked = world.run_with_input(&two, &["check", "-"]).exits(0);
    assert!(checked.out.ends_with(&format!("\n{second}\n")), "{}", checked.all());
    let ran = world.run_with_input(&two, &["apply", "--yes", "-"]).exits(0);
    assert_eq!(ran.out, chat.second_reply);
    check_wishes(&world);

    // Once more, with and without the reply in the transcript: nothing is done twice, and what
    // failed first is not tried again, though a block of it fits now.
    let after = files(&world.root());
    let ran = world.run_with_input(&two, &["apply", "--yes", "-"]).exits(0);
    assert_eq!(ran.out.lines().next(), chat.second_reply.lines().next());
    let ran = world.run_with_input(chat.whole(), &["apply", "--yes", "-"]).exits(0);
    assert_eq!(ran.out, "", "all is said already");
    assert!(files(&world.root()) == after);

    world.run(&["undo"]).exits(0);
    assert!(files(&world.root()) == between);
    world.run(&["undo"]).exits(0);
    assert!(files(&world.root()) == before);
    world
}

#[test]
fn search_replace_blocks_go_from_paste_to_reply_twice() {
    two_rounds(
        "search-replace-conversation.md",
        "7 blocks: 4 ready, 2 blocked, 1 invalid; 3 errors",
        "10 blocks: 3 ready, 4 applied, 3 superseded",
    );
}

#[test]
fn patches_go_from_paste_to_reply_twice() {
    two_rounds(
        "apply-patch-conversation.md",
        "3 blocks: 1 ready, 1 blocked, 1 invalid; 2 errors",
        "5 blocks: 2 ready, 1 applied, 2 superseded",
    );
}

#[test]
fn diffs_go_from_paste_to_reply_twice() {
    two_rounds(
        "diff-conversation.md",
        "5 blocks: 3 ready, 1 blocked, 1 invalid; 2 errors",
        "7 blocks: 2 ready, 3 applied, 2 superseded",
    );
}

#[test]
fn whole_files_go_from_paste_to_reply_twice() {
    two_rounds(
        "files-conversation.md",
        "5 blocks: 3 ready, 2 blocked; 2 errors",
        "7 blocks: 2 ready, 3 applied, 2 superseded",
    );
}

#[test]
fn a_dry_run_and_all_or_nothing_leave_everything() {
    for example in [
        "search-replace-conversation.md",
        "apply-patch-conversation.md",
        "diff-conversation.md",
        "files-conversation.md",
    ] {
        let world = example_world();
        let before = files(&world.root());
        let chat = Conversation::new(example);
        let dry = world.run_with_input(&chat.first, &["apply", "--dry-run", "-"]).exits(1);
        assert_eq!(dry.out, "");
        let ran = world.run_with_input(&chat.first, &["apply", "--yes", "--atomic", "-"]).exits(1);
        assert!(ran.out.starts_with("operator-lsp applied 0 of "), "{}", ran.out);
        assert!(ran.out.contains(": not applied (plan/all-or-nothing): "), "{}", ran.out);
        assert!(files(&world.root()) == before);
        // The second answer alone fits as a whole.
        world.run_with_input(&chat.second, &["apply", "--yes", "--atomic", "-"]).exits(0);
        assert!(files(&world.root()) != before);
    }
}

#[test]
fn single_blocks_are_applied_and_answered() {
    let chat = Conversation::new("search-replace-conversation.md");
    let world = example_world();
    let only = ["apply", "--yes", "--only", "1", "--only", "5", "-"];
    let ran = world.run_with_input(&chat.first, &only).exits(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "operator-lsp applied 2 of 2 blocks.");
    assert!(lines[2].starts_with("1. `greeter/cli.py` ("), "{}", ran.out);
    assert!(lines[3].starts_with("5. `greeter/__main__.py` ("), "{}", ran.out);
    // The rest is still to be had.
    let ran = world.run_with_input(&chat.first, &["apply", "--yes", "-"]).exits(1);
    assert!(ran.err.contains("7 blocks: 2 applied, 2 already applied, 3 failed"), "{}", ran.err);

    let chat = Conversation::new("apply-patch-conversation.md");
    let world = example_world();
    let ran = world.run_with_input(&chat.first, &["apply", "--yes", "--only", "2", "-"]).exits(1);
    assert!(ran.out.starts_with("operator-lsp applied 0 of 1 block.\n"), "{}", ran.out);
    let bad = "no block has the id or number `4`: the blocks have the numbers 1 to 3, and no ids";
    world.run_with_input(&chat.first, &["apply", "--yes", "--only", "4", "-"]).exits(2).says(bad);
}

#[test]
fn what_a_reply_does_not_ask_for_again_can_still_be_applied() {
    let chat = Conversation::new("search-replace-conversation.md");
    let (path, rest) = chat.reply.split_once("1. ").unwrap();
    let reply = format!("{path}1. {}", rest.replacen(": applied.", ": not applied yet.", 1));
    let world = example_world();
    let two = [&*chat.first, &reply, &chat.second].concat();
    let ran = world.run_with_input(&two, &["check", "-"]);
    // Nothing has run, so what else the reply says is not relied on.
    assert!(ran.out.ends_with("\n10 blocks: 7 ready, 3 superseded; 3 warnings\n"), "{}", ran.all());
}

#[test]
fn json_has_one_reply_for_all_blocks_of_chats() {
    for (example, blocks) in [
        ("search-replace-conversation.md", 7),
        ("apply-patch-conversation.md", 3),
        ("diff-conversation.md", 5),
    ] {
        let world = example_world();
        let chat = Conversation::new(example);
        let apply = ["apply", "--yes", "--format", "json", "-"];
        let ran = world.run_with_input(&chat.first, &apply).exits(1).json();
        assert_eq!(ran["replies"], json!([{"dialect": "chat", "text": chat.reply}]));
        let results = ran["results"].as_array().unwrap();
        assert_eq!(results.len(), blocks);
        let codes = |results: &[Value]| -> Vec<String> {
            let failed = results.iter().filter(|it| it["ok"] == false);
            failed.map(|it| it["error"]["code"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(codes(results)[0], "plan/text-ambiguous");
        assert_eq!(results[blocks - 1]["dialect"], example.replace("-conversation.md", ""));

        let ran = world.run_with_input(chat.of_two(), &apply).exits(0).json();
        assert_eq!(ran["replies"], json!([{"dialect": "chat", "text": chat.second_reply}]));
        assert_eq!(codes(ran["results"].as_array().unwrap()), Vec::<String>::new());
        let hints = ran["problems"].as_array().unwrap();
        let known = ["chat/superseded", "diff/wrong-count"];
        let is_known = |it: &Value| known.contains(&it["code"].as_str().unwrap());
        assert!(hints.iter().all(is_known), "{hints:?}");
    }
}
