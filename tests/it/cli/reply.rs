//! `reply`: what to send back to the model.

use serde_json::json;

use super::*;

fn world() -> World {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\nthe total\n")]);
    world.transcript(
        [
            replace("1", "a.txt", "one", "two"),
            replace("2", "b.txt", "the  total", "the sum"),
            read("3", "a.txt"),
        ]
        .concat(),
    );
    world
}

/// The ids that replies name, each with whether it is done.
fn told(replies: &str) -> Vec<&str> {
    replies.lines().filter(|line| line.starts_with("id: ") || line.starts_with("ok: ")).collect()
}

#[test]
fn a_block_that_waits_has_no_reply_yet() {
    let world = world();
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    assert_eq!(told(&ran.out), ["id: 2", "ok: false", "id: 3", "ok: true"]);
    ran.says("no reply yet to 1 block that can still be applied or rejected");
}

#[test]
fn after_apply_all_of_it_is_told_again() {
    let world = world();
    world.run(&["apply", "--yes", "../chat.md"]).exits(1);
    let before = world.text("a.txt");
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    assert_eq!(told(&ran.out), ["id: 1", "ok: true", "id: 2", "ok: false", "id: 3", "ok: true"]);
    assert_eq!(world.text("a.txt"), before, "it changes nothing");
    let json = world.run(&["reply", "--format", "json", "../chat.md"]).exits(1);
    let report: Value = serde_json::from_str(&json.out).unwrap();
    let summary = json!({"blocks": 3, "applied": 2, "waiting": 0, "failed": 1});
    assert_eq!(report["summary"], summary);
    let texts = report["replies"].as_array().unwrap().iter();
    assert_eq!(texts.map(|reply| reply["text"].as_str().unwrap()).collect::<String>(), ran.out);
}

#[test]
fn a_failed_block_is_told_what_is_there_and_what_to_do() {
    let world = world();
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    let failed = ran.out.split("OPERATOR_RESULT").nth(1).unwrap();
    let details = failed.lines().find_map(|line| line.strip_prefix("details_b64: ")).unwrap();
    let details: Value =
        serde_json::from_slice(&BASE64.decode(details.as_bytes()).unwrap()).unwrap();
    assert_eq!(details["details"]["nearest"], json!([{"line": 2, "text": "the total"}]));
    assert_eq!(details["next"], "send the corrected block again, whole, with a new id");
}

#[test]
fn what_the_transcript_answers_already_is_left_out() {
    let world = World::new(&[("a.txt", "one\n")]);
    world.transcript(read("1", "a.txt"));
    let reply = world.run(&["reply", "../chat.md"]).exits(0);
    world.transcript(read("1", "a.txt") + &reply.out);
    let again = world.run(&["reply", "../chat.md"]).exits(0);
    assert_eq!(again.out, "");
    again.says("nothing to send");
}

#[test]
fn what_a_reply_calls_applied_is_told_once_it_was_undone_and_does_not_fit_any_more() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat = replace("1", "a.txt", "one", "two");
    world.transcript(&chat);
    let applied = world.run(&["apply", "--yes", "../chat.md"]).exits(0);
    world.transcript(chat.clone() + &applied.out);
    assert_eq!(world.run(&["reply", "../chat.md"]).exits(0).out, "");
    world.run(&["undo"]).exits(0);
    assert_eq!(world.run(&["reply", "../chat.md"]).exits(1).out, "", "it waits for the user");
    world.put("a.txt", "three\n");
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    assert_eq!(told(&ran.out), ["id: 1", "ok: false"]);
    // Once it is told, it is told.
    world.transcript(chat + &applied.out + &ran.out);
    assert_eq!(world.run(&["reply", "../chat.md"]).exits(1).out, "");
}

#[test]
fn without_a_block_there_is_nothing_to_reply_to() {
    let world = World::new(&[]);
    world.transcript("words\n");
    let ran = world.run(&["reply", "../chat.md"]).exits(1);
    assert_eq!(ran.out, "");
    ran.says("no blocks found");
    world.run(&["reply", "../none.md"]).exits(2).says("no such file");
}

/// A SHAM block; each value is of one line.
fn sham(id: &str, action: &str, fields: &[(&str, &str)]) -> String {
    let fields: String =
        fields.iter().map(|(name, value)| format!("{name} = \"{value}\"\n")).collect();
    format!("#!SHAM [@three-char-SHA-256: {id}]\naction = \"{action}\"\n{fields}#!END_SHAM_{id}\n")
}

/// What `reply` gives after `apply` is what that has given.
fn check_recorded(chat: &str, code: i32) -> String {
    let files = [("a.txt", "one\nmore\n"), ("b.py", "def f():\n    return 1\n"), ("c.txt", "c\n")];
    let world = World::new(&files);
    world.put("chat.md", chat.replace("ROOT", &world.home()));
    let ran = world.run(&["apply", "--yes", "--allow-exec", "chat.md"]).exits(code);
    let again = world.run(&["reply", "chat.md"]);
    assert_eq!(again.out, ran.out, "{}", again.all());
    ran.out
}

#[test]
fn the_replies_to_changes_are_given_again() {
    let patch = "@@ -1,2 +1,2 @@\n-one\n+two\n more\n";
    let moved = [("path", "c.txt"), ("path_to", "d/c.txt")];
    let target =
        [("path", "b.py"), ("target_b64", "def f"), ("content_b64", "def f():\n    return 2\n")];
    for (chat, says) in [
        (write("a", "new.txt", "x\n"), "created new.txt, 1 line, sha256:"),
        (replace("a", "a.txt", "one", "two"), "edited a.txt, 2 lines, sha256:"),
        (block("a", "fs.patch", &[("path", "a.txt"), ("patch_b64", patch)]), "patched a.txt"),
        (delete("a", "c.txt"), "deleted c.txt"),
        (block("a", "fs.move", &moved), "moved c.txt to d/c.txt, sha256:"),
        (block("a", "fs.copy", &moved), "copied c.txt to d/c.txt, sha256:"),
        (block("a", "fs.replaceStructure", &target), "b.py"),
        (write("a", "c.txt", "c\n"), "left unchanged c.txt"),
        (
            format!("{}```diff\n--- a/a.txt\n+++ b/a.txt\n{patch}```\n", write("a", "n", "x")),
            "Applied",
        ),
    ] {
        let out = check_recorded(&chat, 0);
        assert!(out.contains(says) || says == "Applied", "{out}");
    }
}

#[test]
fn the_results_of_sham_blocks_are_given_again() {
    let one = [("path", "ROOT/a.txt"), ("old_text", "one"), ("new_text", "two")];
    let all = [("paths", "ROOT/a.txt\\nROOT/c.txt"), ("old_text", "c"), ("new_text", "d")];
    let chat = [
        sham("abc", "file_replace_all_text", &one),
        sham("abd", "files_replace_all_text", &all),
        sham("abe", "file_write", &[("path", "ROOT/n.txt"), ("content", "x")]),
        sham("abf", "file_move", &[("old_path", "ROOT/n.txt"), ("new_path", "ROOT/m.txt")]),
    ];
    let out = check_recorded(&chat.concat(), 0);
    assert!(out.contains("\"replacements\": 1"), "{out}");
    assert!(out.contains("\"bytesWritten\": 1"), "{out}");
}

#[cfg(unix)]
#[test]
fn the_result_of_a_program_is_given_again() {
    let program =
        |code| sham("abc", "exec", &[("lang", "bash"), ("code", code), ("return_output", "true")]);
    let out = check_recorded(&program("echo boo"), 0);
    assert!(out.contains("boo\\n"), "{out}");
    let out = check_recorded(&program("echo boo; exit 3"), 1);
    assert!(out.contains("boo\\n") && out.contains("exit code 3"), "{out}");
}

#[test]
fn a_read_is_given_again_as_it_was() {
    check_recorded(&[read("r", "a.txt"), replace("w", "a.txt", "one", "two")].concat(), 0);
}

#[test]
fn a_reply_that_is_too_long_to_be_kept_is_made_anew() {
    let long = "long line\n".repeat(10_000);
    let world = World::new(&[("a.txt", &long)]);
    world.put("chat.md", read("r", "a.txt"));
    let ran = world.run(&["apply", "--yes", "chat.md"]).exits(0);
    assert_eq!(world.run(&["reply", "chat.md"]).exits(0).out, ran.out);
}
