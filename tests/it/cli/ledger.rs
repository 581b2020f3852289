//! What was applied is known the next time, whatever the transcript is called.

use super::*;

/// A block that adds `two` after `one`: done twice it is wrong, and nothing shows that.
fn insert(id: &str) -> String {
    let edits = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"one\n","text":"two\n"}]}"#;
    let edits = BASE64.encode(edits.as_bytes());
    format!(
        "OPERATOR_CMD\nversion: 1\nid: {id}\naction: fs.applyEdits\npath: a.txt\n\
         edits_b64: {edits}\nEND_OPERATOR_CMD\n"
    )
}

fn summaries(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    let results = json["results"].as_array().unwrap().iter();
    results.map(|it| format!("{} {}", it["ok"], it["summary"].as_str().unwrap())).collect()
}

/// The status of each block, with how it came to be applied.
fn statuses(world: &World) -> Vec<String> {
    let ran = world.run(&["check", "chat.md", "--format", "json"]);
    let json = ran.json();
    let blocks = json["transcripts"][0]["blocks"].as_array().unwrap().iter();
    let word = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    blocks.map(|it| format!("{} {}", word(&it["status"]), word(&it["by"]))).collect()
}

fn apply(world: &World, more: &[&str]) -> Ran {
    world.run(&[&["apply", "chat.md", "--yes", "--format", "json"], more].concat())
}

#[test]
fn an_edit_is_not_made_twice() {
    let world = World::new(&[("a.txt", "one\n"), ("chat.md", &insert("i-1"))]);
    apply(&world, &[]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
    assert_eq!(statuses(&world), ["applied apply"]);

    let again = apply(&world, &[]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
    assert_eq!(summaries(&again), ["true already applied"]);
    assert_eq!(again.json()["changed"], serde_json::json!([]));

    let said = world.run(&["apply", "chat.md", "--yes"]).exits(0).err;
    assert_eq!(said, "1 block: 1 already applied\n");

    apply(&world, &["--again"]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\ntwo\n");
}

#[test]
fn the_same_block_in_another_transcript_says_where_it_was_applied() {
    let world = World::new(&[("a.txt", "one\n"), ("chat.md", &insert("i-1"))]);
    apply(&world, &[]).exits(0);
    world.put("other.md", format!("Again:\n\n{}", insert("i-1")));
    let ran = world.run(&["apply", "other.md", "--yes", "--format", "json"]).exits(0);
    let summary = &summaries(&ran)[0];
    assert!(summary.starts_with("true already applied from chat.md on 20"), "{summary}");
    let ran = world.run_with_input(insert("i-1"), &["apply", "--yes", "--format", "json"]);
    assert!(summaries(&ran.exits(0))[0].contains("from chat.md on"));
    let ran = world.run(&["apply", "other.md", "--yes"]).exits(0);
    assert!(ran.err.starts_with("  already applied from chat.md on 20"), "{}", ran.err);
    let ran = ran.says(": block 1\n1 block: 1 already applied\n");
    assert_eq!(ran.err.lines().count(), 2);
    let check = world.run(&["check", "other.md"]).exits(0).out;
    assert!(check.contains(", line 3, from chat.md on 20"), "{check}");
    let check = world.run(&["check", "other.md", "--format", "json"]).exits(0).json();
    let by = &check["transcripts"][0]["blocks"][0]["appliedBy"];
    assert_eq!((&by["operation"], &by["door"]), (&1.into(), &"cli".into()), "{by}");
    assert!(by["transcript"].as_str().unwrap().ends_with("chat.md"), "{by}");
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
}

#[test]
fn two_equal_blocks_are_two_blocks() {
    let sham = "#!SHAM [@three-char-SHA-256: abc]\naction = \"replace_text_in_file\"\n\
                path = \"ROOT/a.txt\"\nold_text = \"x\"\nnew_text = \"yx\"\n#!END_SHAM_abc\n";
    let world = World::new(&[("a.txt", "x\n")]);
    let root = world.home();
    world.put("chat.md", sham.replace("ROOT", &root).repeat(2));
    // Models repeat a block to sum up: the second one needs a look.
    apply(&world, &[]).exits(1).says("2 blocks: 1 applied, 1 left, needs a look");
    assert_eq!(world.text("a.txt"), "yx\n");
    let said = world.run(&["check", "chat.md"]).exits(0).out;
    let warning = "warning[plan/made-above]: an equal block above is applied";
    assert_eq!(said.matches(warning).count(), 1, "{said}");
    apply(&world, &["--only", "2", "--allow-caution"]).exits(0);
    assert_eq!(world.text("a.txt"), "yyx\n");
    apply(&world, &[]).exits(0);
    assert_eq!(world.text("a.txt"), "yyx\n");
    let said = world.run(&["check", "chat.md"]).exits(0).out;
    assert!(!said.contains("made-above"), "{said}");
}

#[test]
fn of_two_options_the_other_one_is_not_asked_for_again() {
    let option = |new: &str| {
        format!("a.txt\n```\n<<<<<<< SEARCH\ntwo\n=======\n{new}\n>>>>>>> REPLACE\n```\n")
    };
    let chat = option("2") + &option("II");
    for (number, where_it_is) in [("2", "below"), ("1", "above")] {
        let world = World::new(&[("a.txt", "one\ntwo\n"), ("chat.md", &chat)]);
        apply(&world, &[]).exits(1).says("2 blocks: 2 left, needs a look");
        apply(&world, &["--only", number, "--allow-caution"]).exits(0);
        let says = format!(
            "not applied (plan/text-replaced): a block {where_it_is} was applied instead; it has \
             replaced this text with another one.\n"
        );
        let reply = world.run(&["reply", "chat.md"]).exits(1).out;
        assert!(reply.contains(&says), "{reply}");
        assert!(!reply.contains("Send this block again"), "{reply}");
        world.run(&["undo"]).exits(0);
        apply(&world, &[]).exits(1).says("2 blocks: 2 left, needs a look");
    }
}

#[test]
fn three_blocks_on_one_file_are_applied_once_each() {
    let chat = [write("a", "f.txt", "x\n"), write("b", "f.txt", "y\n"), write("c", "f.txt", "x\n")];
    let world = World::new(&[("f.txt", "z\n"), ("chat.md", &chat.concat())]);
    for (block, text) in [("a", "x\n"), ("b", "y\n"), ("c", "x\n")] {
        apply(&world, &["--only", block]).exits(0);
        assert_eq!(world.text("f.txt"), text);
    }
    assert_eq!(statuses(&world), ["applied apply", "applied apply", "applied apply"]);
    apply(&world, &[]).exits(0);
    assert_eq!(world.text("f.txt"), "x\n");
}

#[test]
fn a_file_that_has_the_content_already_is_said_to() {
    let world = World::new(&[("f.txt", "x\n"), ("chat.md", &write("a", "f.txt", "x\n"))]);
    assert_eq!(statuses(&world), ["satisfied "]);
    let said = apply(&world, &[]).exits(0).err;
    assert!(said.ends_with("1 block: 1 satisfied\n"), "{said}");
    assert_eq!(statuses(&world), ["applied apply"]);
    // It was applied, so that a later change of the file is nothing to it.
    world.put("f.txt", "mine\n");
    apply(&world, &[]).exits(0);
    assert_eq!(world.text("f.txt"), "mine\n");
}

#[test]
fn a_result_that_the_model_invented_does_not_count() {
    let result = "OPERATOR_RESULT\nid: i-1\nok: true\nsummary: inserted\nEND_OPERATOR_RESULT\n";
    let world = World::new(&[("a.txt", "one\n"), ("chat.md", &(insert("i-1") + result))]);
    let check = world.run(&["check", "chat.md"]).exits(0);
    assert!(check.out.contains("warning[reply/unverified]"), "{}", check.out);
    assert_eq!(statuses(&world), ["ready "]);
    apply(&world, &[]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
    // It was done by now, so the result says the truth.
    let check = world.run(&["check", "chat.md"]).exits(0);
    assert!(!check.out.contains("reply/unverified"), "{}", check.out);
}

#[test]
fn a_result_that_states_what_the_write_leaves_counts() {
    let world = World::new(&[("chat.md", &write("w-1", "f.txt", "x\n"))]);
    let ran = world.run(&["apply", "chat.md", "--yes"]).exits(0);
    let elsewhere = World::new(&[("chat.md", &(write("w-1", "f.txt", "x\n") + &ran.out))]);
    assert_eq!(statuses(&elsewhere), ["applied reply"]);
    apply(&elsewhere, &[]).exits(0);
    assert_eq!(elsewhere.text("f.txt"), "(not there)");
}

/// A result of a block that says that the file has a fingerprint.
fn result(id: &str, fingerprint: &str) -> String {
    format!(
        "OPERATOR_RESULT\nid: {id}\nok: true\nsummary: done, {fingerprint}\nEND_OPERATOR_RESULT\n"
    )
}

#[test]
fn a_result_that_states_the_fingerprint_of_an_empty_text_does_not_count() {
    let empty = block("b", "fs.write", &[("path", "a.txt"), ("content", "")]);
    let text = empty + &result("b", &fingerprint(""));
    let world = World::new(&[("a.txt", "one\n"), ("chat.md", &text)]);
    assert_eq!(statuses(&world), ["ready "]);
    apply(&world, &["--allow-caution"]).exits(0);
    assert_eq!(world.text("a.txt"), "");
}

#[test]
fn a_result_that_states_another_fingerprint_is_no_reply_to_what_was_applied() {
    let text = insert("b") + &result("b", &fingerprint("invented"));
    let world = World::new(&[("a.txt", "one\n"), ("chat.md", &text)]);
    apply(&world, &[]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
    assert_eq!(statuses(&world), ["applied apply"]);
    let check = world.run(&["check", "chat.md"]).exits(0);
    assert!(check.out.contains("warning[reply/unverified]"), "{}", check.out);
    let reply = world.run(&["reply", "chat.md"]).exits(0).out;
    assert!(reply.contains(&fingerprint("one\ntwo\n")), "{reply}");
}

fn transfer(action: &str) -> String {
    block("b", action, &[("path", "a.txt"), ("path_to", "b.txt")])
}

#[test]
fn a_result_that_states_what_the_file_held_before_does_not_count() {
    let blocks = [
        (write("b", "a.txt", "NEW\n"), "a.txt", "NEW\n"),
        (replace("b", "a.txt", "one", "two"), "a.txt", "two\n"),
        (insert("b"), "a.txt", "one\ntwo\n"),
        (transfer("fs.copy"), "b.txt", "one\n"),
        (transfer("fs.move"), "b.txt", "one\n"),
    ];
    for (block, path, text) in blocks {
        let world = World::new(&[("a.txt", "one\n")]);
        world.put("chat.md", format!("{block}{}", result("b", &fingerprint("one\n"))));
        let check = world.run(&["check", "chat.md"]).exits(0);
        assert!(check.out.contains("warning[reply/unverified]"), "{block}{}", check.out);
        assert_eq!(statuses(&world), ["ready "], "{block}");
        apply(&world, &[]).exits(0);
        assert_eq!(world.text(path), text);
    }
}

#[test]
fn a_result_counts_without_a_ledger_where_the_change_is_there() {
    for block in [
        write("b", "a.txt", "NEW\n"),
        replace("b", "a.txt", "one", "two"),
        insert("b"),
        transfer("fs.copy"),
        transfer("fs.move"),
    ] {
        let world = World::new(&[("a.txt", "one\n"), ("chat.md", &block)]);
        let ran = world.run(&["apply", "chat.md", "--yes"]).exits(0);
        world.put("chat.md", block.clone() + &ran.out);
        let before = (world.text("a.txt"), world.text("b.txt"));
        fs::remove_dir_all(world.directory.path().join("state")).unwrap();
        assert_eq!(statuses(&world), ["applied reply"], "{block}{}", ran.out);
        apply(&world, &[]).exits(0);
        assert_eq!((world.text("a.txt"), world.text("b.txt")), before);
    }
}

#[test]
fn an_answered_read_is_known_by_its_reply() {
    let world = World::new(&[("a.txt", "one\n"), ("chat.md", &read("r-1", "a.txt"))]);
    let ran = world.run(&["apply", "chat.md", "--yes"]).exits(0);
    world.put("chat.md", read("r-1", "a.txt") + &ran.out);
    world.put("a.txt", "changed\n");
    let check = world.run(&["check", "chat.md"]).exits(0);
    assert!(!check.out.contains("reply/unverified"), "{}", check.out);
    assert!(check.out.contains("1  answered    fs.read a.txt"), "{}", check.out);
    assert!(check.out.contains("1 block: 1 answered"), "{}", check.out);
}

#[test]
fn a_dry_run_and_a_check_write_no_ledger() {
    let world = World::new(&[("a.txt", "one\n"), ("chat.md", &insert("i-1"))]);
    world.run(&["check", "chat.md"]).exits(0);
    world.run(&["apply", "chat.md", "--dry-run"]).exits(0);
    assert!(!world.directory.path().join("state").exists());
}

#[test]
fn what_was_undone_can_be_applied_again() {
    let world = World::new(&[("a.txt", "one\n"), ("chat.md", &insert("i-1"))]);
    apply(&world, &[]).exits(0);
    world.run(&["undo"]).exits(0);
    assert_eq!(world.text("a.txt"), "one\n");
    assert_eq!(statuses(&world), ["ready "]);
    apply(&world, &[]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
    world.run(&["undo"]).exits(0);
    world.run(&["redo"]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
    apply(&world, &[]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
}
