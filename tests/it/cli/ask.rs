//! `apply` at a terminal.

#![cfg(target_os = "linux")]

use std::io::Read;
use std::process::Child;

use operator_lsp::workspace::real_path;

use super::*;

/// Runs `apply` with this typed at a terminal; standard output goes elsewhere, as with `| pbcopy`.
fn apply(world: &World, typed: &str, arguments: &str) -> Ran {
    apply_with(world, "", typed, arguments)
}

/// The same with a script for an editor, which has the name of the file in `$1`.
fn apply_with(world: &World, editor: &str, typed: &str, arguments: &str) -> Ran {
    end(world, start(world, editor, arguments), typed)
}

fn start(world: &World, editor: &str, arguments: &str) -> Child {
    let line = format!("{} apply {arguments} >../out", env!("CARGO_BIN_EXE_operator-lsp"));
    let mut command = Command::new("script");
    command.args(["-qefc", &line, "/dev/null"]).current_dir(world.root());
    command.env("OPERATOR_LSP_STATE_DIR", world.directory.path().join("state"));
    command.env_remove("VISUAL").env_remove("EDITOR");
    if !editor.is_empty() {
        let path = world.directory.path().join("my editor");
        fs::write(&path, format!("test -t 0 && test -t 1 || exit 9\n{editor}\n")).unwrap();
        command.env("EDITOR", format!("sh '{}'", path.display()));
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().unwrap()
}

/// What it shows up to a text.
fn read_until(child: &mut Child, text: &str) -> String {
    let mut shown = String::new();
    let mut byte = [0];
    while !shown.ends_with(text) {
        assert_eq!(child.stdout.as_mut().unwrap().read(&mut byte).unwrap(), 1, "{shown}");
        shown.push(char::from(byte[0]));
    }
    shown
}

fn end(world: &World, mut child: Child, typed: &str) -> Ran {
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    Ran {
        code: output.status.code(),
        out: fs::read_to_string(world.directory.path().join("out")).unwrap(),
        err: anstream::adapter::strip_str(&shown).to_string().replace("\r\n", "\n"),
    }
}

/// Runs something whose standard output is the terminal, and gives what that is sent.
fn at_terminal(world: &World, arguments: &str) -> String {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_operator-lsp"));
    let mut command = Command::new("script");
    command.args(["-qefc", &line, "/dev/null"]).current_dir(world.root());
    command.env("OPERATOR_LSP_STATE_DIR", world.directory.path().join("state"));
    let output = command.stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_terminal_is_sent_no_control_characters_of_others() {
    let evil = "\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}";
    let python = format!("def f():\n    return '{evil}'\n");
    let world = World::new(&[("a.py", &python)]);
    let chat = [
        read(&format!("r{evil}"), "a.py"),
        read("s", &format!("{evil}.txt")),
        format!("<<<FILE>>>\nno{evil}.txt\n<<<SEARCH>>>\na\n<<<REPLACE>>>\nb\n<<<END>>>\n"),
    ];
    world.transcript(chat.concat());
    for command in [
        "apply --yes ../chat.md",
        "apply --yes --format json ../chat.md",
        "apply --dry-run ../chat.md",
        "check ../chat.md",
        "check --format json ../chat.md",
        "structure outline a.py",
        "structure outline a.py --format json",
        "structure read a.py --target f",
        "structure read a.py --target f --format json",
    ] {
        let sent = at_terminal(&world, command);
        let odd =
            ["\u{1b}]", "\u{7}", "\u{9b}", "\u{202e}"].into_iter().find(|it| sent.contains(it));
        assert_eq!(odd, None, "{command}:\n{sent:?}");
    }
    // Elsewhere the bytes are what they are.
    let read = world.run(&["structure", "read", "a.py", "--target", "f"]).exits(0);
    assert_eq!(read.out, python);
}

#[test]
fn a_program_is_shown_whole_before_it_is_run() {
    let world = World::new(&[]);
    let lines: String = (1..=40).map(|number| format!("echo {number}\n")).collect();
    let code = format!("{lines}echo a{}; rm -rf ~ \u{202e}\u{1b}[2J\n", " ".repeat(200));
    world.transcript(format!(
        "#!SHAM [@three-char-SHA-256: exe]\naction = \"exec\"\nlang = \"bash\"\n\
         code = <<'EOT_SHAM_exe'\n{code}EOT_SHAM_exe\n#!END_SHAM_exe\n"
    ));
    let ran = apply(&world, "n\n", "--allow-exec ../chat.md").exits(1);
    ran.says(&lines).says("echo a⟨200 blanks⟩; rm -rf ~ \\u{202e}\\u{1b}[2J\n");
}

fn three() -> World {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n"), ("c.txt", "one\n")]);
    let chat = ["a", "b", "c"].map(|id| replace(id, &format!("{id}.txt"), "one", "two"));
    world.transcript(chat.concat());
    world
}

fn texts(world: &World) -> [String; 3] {
    ["a.txt", "b.txt", "c.txt"].map(|path| world.text(path))
}

#[test]
fn replies_are_kept_off_a_terminal_unless_they_are_asked_for() {
    let world = three();
    let shown = at_terminal(&world, "apply --yes ../chat.md");
    assert!(shown.contains("3 replies for the model, which `| "), "{shown}");
    assert!(shown.contains("` copies, and --replies prints"), "{shown}");
    assert!(!shown.contains("OPERATOR_RESULT"), "{shown}");
    let shown = at_terminal(&three(), "apply --yes --replies ../chat.md");
    assert_eq!(shown.matches("END_OPERATOR_RESULT").count(), 3, "{shown}");
}

#[test]
fn a_file_that_another_run_changes_while_this_one_asks_is_not_taken_away() {
    let moved = block("gone", "fs.move", &[("path", "b.txt"), ("path_to", "c.txt")]);
    for gone in [delete("gone", "b.txt"), moved] {
        let world = World::new(&[("b.txt", "one\n")]);
        world.transcript(gone + &replace("b", "b.txt", "one", "one\nmore"));
        let mut child = start(&world, "", "../chat.md");
        let asked = read_until(&mut child, "Apply this");
        world.run(&["apply", "--yes", "--only", "2", "../chat.md"]).exits(0);
        let ran = end(&world, child, "y\nn\n").exits(1);
        ran.says("b.txt has changed");
        assert!(asked.contains("(1/2)"), "{asked}");
        assert_eq!(world.text("b.txt"), "one\nmore\n");
        let log = world.run(&["log"]).exits(0).out;
        assert_eq!(log.matches("undone").count(), 0, "{log}");
    }
}

#[test]
fn what_another_run_applies_while_this_one_asks_is_not_applied_again() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let chat = ["a", "b"].map(|id| replace(id, &format!("{id}.txt"), "one", "one\nmore"));
    world.transcript(chat.concat());
    // The editor that the first block is opened in is where the other run comes in.
    let other =
        format!("{} apply --yes --only 2 ../chat.md >../other", env!("CARGO_BIN_EXE_operator-lsp"));
    let ran = apply_with(&world, &other, "e\ny\ny\n", "../chat.md").exits(0);
    let ran = ran.says("2 blocks: 1 applied, 1 already applied");
    assert!(!ran.all().contains("(2/2)"), "not asked about: {}", ran.all());
    assert_eq!(world.text("a.txt"), "one\nmore\n");
    assert_eq!(world.text("b.txt"), "one\nmore\n");
    // With the other run's word in the ledger it counts as done.
    world.run(&["apply", "--yes", "../chat.md"]).exits(0).says("2 already applied");
}

#[test]
fn what_another_run_applies_while_a_question_waits_is_applied_already() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let chat = ["a", "b"].map(|id| replace(id, &format!("{id}.txt"), "one", "one\nmore"));
    world.transcript(chat.concat());
    let mut child = start(&world, "", "../chat.md");
    read_until(&mut child, "Apply this");
    world.run(&["apply", "--yes", "../chat.md"]).exits(0);
    let ran = end(&world, child, "y\n").exits(0);
    let ran = ran.says("2 blocks: 2 already applied");
    assert_eq!(ran.out.matches("ok: true").count(), 2, "{}", ran.all());
    assert!(!ran.all().contains("(2/2)"), "not asked about: {}", ran.all());
    assert_eq!(
        (world.text("a.txt"), world.text("b.txt")),
        ("one\nmore\n".into(), "one\nmore\n".into())
    );
}

#[test]
fn a_missing_file_is_said_before_a_missing_terminal() {
    let world = three();
    world.run(&["apply", "none.md"]).exits(2).says("cannot read none.md: no such file");
    world.run(&["apply", "../chat.md"]).exits(2).says("no terminal to ask on");
}

#[test]
fn each_change_is_shown_and_asked_about() {
    let world = three();
    let ran = apply(&world, "y\nn\ny\n", "../chat.md").exits(1);
    assert_eq!(texts(&world), ["two\n", "one\n", "two\n"], "{}", ran.all());
    assert_eq!(ran.out.matches("ok: true").count(), 2);
    assert!(ran.out.contains("id: b\nok: false\nsummary: refused by the user\n"), "{}", ran.all());
    let ran = ran.says("(1/3) fs.applyEdits a.txt (id a)\n").says("-one\n+two\n");
    ran.says("(2/3) Apply this [y,n,a,d,e,q,?]? ").says("3 blocks: 2 applied, 1 rejected\n");
    world.run(&["undo"]).exits(0);
    assert_eq!(texts(&world), ["one\n", "one\n", "one\n"], "one run is one undo");
}

#[test]
fn all_and_none_ask_no_more_and_quit_decides_nothing() {
    let world = three();
    apply(&world, "n\na\n", "../chat.md").exits(1).says("3 blocks: 2 applied, 1 rejected\n");
    assert_eq!(texts(&world), ["one\n", "two\n", "two\n"]);
    let world = three();
    apply(&world, "y\nd\n", "../chat.md").exits(1).says("3 blocks: 1 applied, 2 rejected\n");
    assert_eq!(texts(&world), ["two\n", "one\n", "one\n"]);
    let world = three();
    let ran = apply(&world, "y\nq\n", "../chat.md").exits(1);
    let ran = ran.says("3 blocks: 1 applied, 2 not decided\n");
    assert_eq!(texts(&world), ["two\n", "one\n", "one\n"]);
    // The model is told of what was decided alone, and the rest is asked about the next time.
    assert_eq!((ran.out.matches("ok: true").count(), ran.out.matches("id: ").count()), (1, 1));
    let ran = apply(&world, "y\ny\n", "../chat.md").exits(0);
    ran.says("3 blocks: 2 applied, 1 already applied\n");
    let world = three();
    let ran = apply(&world, "y\nq\n", "../chat.md --atomic").exits(1);
    assert_eq!(texts(&world), ["one\n", "one\n", "one\n"]);
    assert_eq!(ran.out, "", "nothing is decided, so there is nothing to tell");
}

#[test]
fn refusing_one_refuses_all_where_it_is_all_or_nothing() {
    let world = three();
    let ran = apply(&world, "y\nn\ny\n", "../chat.md --atomic").exits(1);
    assert_eq!(texts(&world), ["one\n", "one\n", "one\n"]);
    assert!(!ran.out.contains("ok: true"), "{}", ran.all());
    let world = three();
    apply(&world, "a\n", "../chat.md --atomic").exits(0).says("3 blocks: 3 applied\n");
    assert_eq!(texts(&world), ["two\n", "two\n", "two\n"]);
}

#[test]
fn a_block_that_cannot_be_applied_is_shown_and_not_asked_about() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat = [replace("1", "a.txt", "gone", "two"), replace("2", "a.txt", "one", "two")];
    world.transcript(chat.concat());
    let ran = apply(&world, "y\n", "../chat.md").exits(1);
    assert_eq!(world.text("a.txt"), "two\n", "{}", ran.all());
    ran.says("error[plan/text-not-found]").says("(2/2) Apply this [y,n,a,d,e,q,?]? ");
}

#[test]
fn the_transcript_can_be_piped_while_answers_are_typed() {
    let world = three();
    let ran = apply(&world, "y\n", "--only a - <../chat.md").exits(0);
    assert_eq!(texts(&world), ["two\n", "one\n", "one\n"], "{}", ran.all());
}

#[test]
fn what_is_there_is_committed_only_before_something_is_written() {
    use crate::git::Git;

    let world = three();
    let root = world.root();
    Git(&root).init();
    Git(&root).commit("first");
    world.put("mine.txt", "m\n");
    apply(&world, "q\n", "--commit ../chat.md").exits(1);
    assert_eq!(Git(&root).log().len(), 1);
    let ran = apply(&world, "n\ny\nn\n", "--commit ../chat.md").exits(1);
    let before = "Uncommitted work before an AI edit: mine.txt";
    assert_eq!(Git(&root).log()[..2], ["AI: edit b.txt: b.txt", before], "{}", ran.all());
    Git(&root).failing_hook("no commits on Saturdays");
    world.put("mine.txt", "more\n");
    // The first yes is the last question: nothing can be written.
    let ran = apply(&world, "y\n", "--again --commit --hooks ../chat.md").exits(2);
    let ran = ran.says("nothing is applied").says("no commits on Saturdays");
    assert_eq!(
        (texts(&world), ran.out),
        (["one\n", "two\n", "one\n"].map(str::to_owned), String::new())
    );
}

#[test]
fn all_does_not_cover_what_needs_a_look() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n"), ("docs/x", "x")]);
    let chat = [
        replace("a", "a.txt", "one", "two"),
        delete("d", "docs"),
        write("m", "Makefile", "all:\n"),
        replace("b", "b.txt", "one", "two"),
    ];
    world.transcript(chat.concat());
    let ran = apply(&world, "a\nn\ny\n", "../chat.md").exits(1);
    let there = |path: &str| world.root().join(path).exists();
    assert_eq!(
        (world.text("b.txt").as_str(), there("docs"), there("Makefile")),
        ("two\n", true, true)
    );
    let ran = ran.says("it deletes the directory `docs` with 1 file");
    let ran = ran.says("(2/4) Needs a look. Apply this [y,n,a,d,e,q,?]? ");
    ran.says("(3/4) Needs a look. Apply this").says("4 blocks: 3 applied, 1 rejected\n");
}

#[test]
fn a_block_is_split_into_hunks_and_applied_in_part() {
    let before: String = (1..=20).map(|number| format!("line {number}\n")).collect();
    let world = World::new(&[("a.txt", &before)]);
    let after = before.replace("line 3\n", "three\n").replace("line 10\n", "");
    let after = after.replace("line 17\n", "line 17\nmore\n");
    world.transcript(write("w", "a.txt", &after));
    let ran = apply(&world, "s\ny\nn\ny\n", "../chat.md").exits(0);
    let expected = before.replace("line 3\n", "three\n").replace("line 17\n", "line 17\nmore\n");
    assert_eq!(world.text("a.txt"), expected, "{}", ran.all());
    assert!(
        ran.out
            .contains("ok: true\nsummary: edited a.txt in part, 2 of 3 hunks, 21 lines, sha256:")
    );
    let ran = ran
        .says("(1/1) Apply this [y,n,a,d,s,e,q,?]? ")
        .says("(hunk 2/3) Apply this [y,n,a,d,q,?]? ");
    let ran = ran.says("@@ -7,7 +7,6 @@").says("1 block: 1 applied\n");
    // The ledger knows of it, whoever asks.
    let check = world.run(&["check", "--format", "json", "../chat.md"]).exits(0);
    let check: Value = serde_json::from_str(&check.out).unwrap();
    let block = &check["transcripts"][0]["blocks"][0];
    let hunks = serde_json::json!({"applied": [0, 2], "rejected": [1]});
    assert_eq!((&block["status"], &block["hunks"]), (&"applied".into(), &hunks));
    let reply = world.run(&["reply", "../chat.md"]).exits(0);
    assert_eq!(reply.out, ran.out);
    world.run(&["undo"]).exits(0);
    assert_eq!(world.text("a.txt"), before);
    world.run(&["redo"]).exits(0);
    assert_eq!(world.text("a.txt"), expected);
}

#[test]
fn the_reply_to_a_patch_in_part_names_the_lines_of_each_file() {
    let world = World::new(&[("a.txt", "one\nkeep\ntwo\n"), ("b.txt", "three\n")]);
    world.transcript(
        "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n keep\n-two\n+TWO\n\
         *** Update File: b.txt\n@@\n-three\n+THREE\n*** End Patch\n",
    );
    let ran = apply(&world, "s\ny\nn\nn\n", "../chat.md").exits(0);
    assert_eq!(
        (world.text("a.txt"), world.text("b.txt")),
        ("ONE\nkeep\ntwo\n".into(), "three\n".into())
    );
    let says = "applied in part: in a.txt made the change of line 1; the user left out the change of \
                line 3 (lines of the file before); in b.txt made nothing; the user left out the change \
                of line 1 (lines of the file before).";
    assert!(ran.out.contains(says), "{}", ran.all());
    // Later, and for another program, it is not the whole either.
    let reply = world.run(&["reply", "../chat.md"]).exits(0);
    assert_eq!(reply.out, ran.out);
}

#[test]
fn all_hunks_of_a_block_are_the_block() {
    let world = World::new(&[("a.txt", "one\nkeep\ntwo\n")]);
    world.transcript(write("w", "a.txt", "ONE\nkeep\nTWO\n"));
    let ran = apply(&world, "s\ny\ny\n", "../chat.md").exits(0);
    assert!(ran.out.contains("summary: wrote a.txt, 3 lines"), "{}", ran.all());
}

#[test]
fn an_edit_ops_proposal_in_part_is_not_told_as_a_whole() {
    let world = World::new(&[("tool.py", "one\nkeep\ntwo\n")]);
    let ops = serde_json::json!({
        "assistant_message": "", "ops": [
            {"op": "replace", "target_file": "tool.py", "target": {"kind": "document"},
             "content": "ONE\nkeep\nTWO\n"}],
        "base_fingerprints": {"tool.py": fingerprint("one\nkeep\ntwo\n")},
    });
    world.transcript(format!("```json\n{ops}\n```\n"));
    let ran = apply(&world, "s\ny\nn\n", "../chat.md");
    assert_eq!(world.text("tool.py"), "ONE\nkeep\ntwo\n", "{}", ran.all());
    assert!(
        ran.out.contains("\"in_part\":\"made the change of line 1; the user left out"),
        "{}",
        ran.all()
    );
}

fn search_replace(path: &str, old: &str, new: &str) -> String {
    format!("{path}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n")
}

fn with_one_edit() -> World {
    let world = World::new(&[("a.txt", "one\nkeep\n"), ("b.txt", "one\n")]);
    world.transcript(
        [("a.txt", "two\n"), ("b.txt", "two\n")]
            .map(|(path, new)| search_replace(path, "one\n", new))
            .concat(),
    );
    world
}

#[test]
fn a_block_is_edited_shown_again_and_applied_as_edited() {
    let world = with_one_edit();
    let ran =
        apply_with(&world, "sed -i 's/two/THREE/' \"$1\"", "e\ny\nn\n", "../chat.md").exits(1);
    assert_eq!(
        (world.text("a.txt"), world.text("b.txt")),
        ("THREE\nkeep\n".into(), "one\n".into())
    );
    let says = "applied as edited: the user edited the block before it was applied: read the file \
                before you change it again.";
    assert!(ran.out.contains(says), "{}", ran.all());
    // What is asked about is what is applied.
    let order = ["+two", "[y,n,a,d,e,q,?]? (1/2)", "+THREE", "Apply this [y,n,d,e,q,?]? ", "(2/2)"];
    let at = order.map(|text| ran.err.find(text));
    assert!(at.iter().all(Option::is_some) && at.is_sorted(), "{at:?}\n{}", ran.all());
}

#[test]
fn an_edited_block_is_applied_once_told_of_and_undone() {
    let world = with_one_edit();
    apply_with(&world, "sed -i 's/two/THREE/' \"$1\"", "e\ny\nq\n", "../chat.md").exits(1);
    // The block in the file is known as applied, though its own change was never made.
    let again = world.run(&["apply", "--yes", "../chat.md"]).exits(0);
    again.says("2 blocks: 1 applied, 1 already applied\n");
    assert_eq!(world.text("a.txt"), "THREE\nkeep\n");
    let check = world.run(&["check", "--format", "json", "../chat.md"]).exits(0).json();
    let block = &check["transcripts"][0]["blocks"][0];
    assert_eq!((&block["status"], &block["edited"]), (&"applied".into(), &true.into()));
    assert_eq!(block.get("hunks"), None);
    let reply = world.run(&["reply", "../chat.md"]).exits(0);
    assert!(reply.out.contains("applied as edited: the user edited the block"), "{}", reply.all());
    let log = world.run(&["log"]).exits(0);
    assert!(log.all().contains("a.txt, as edited"), "{}", log.all());
    world.run(&["undo"]).exits(0);
    world.run(&["undo"]).exits(0);
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("one\nkeep\n".into(), "one\n".into()));
    // Undone it is as it was before.
    world.run(&["apply", "--yes", "../chat.md"]).exits(0).says("2 blocks: 2 applied\n");
    assert_eq!(world.text("a.txt"), "two\nkeep\n");
}

#[test]
fn what_cannot_be_applied_after_an_edit_is_said_and_edited_on() {
    for (script, says) in [
        ("sed -i 's/=======/===/' \"$1\"", "error[search-replace/"),
        ("sed -i 's/^one$/none/' \"$1\"", "error[plan/text-not-found]"),
        (": >\"$1\"", "what was edited is not one block in the place of this one"),
        ("cat \"$1\" \"$1\" >\"$1.2\"; mv \"$1.2\" \"$1\"", "what was edited is not one block"),
        ("exit 3", "the editor failed: exit status: 3"),
    ] {
        let world = with_one_edit();
        let ran = apply_with(&world, script, "e\ny\nq\n", "../chat.md").exits(1).says(says);
        let ran = ran.says("not edited: the question is about what was shown before");
        assert_eq!(world.text("a.txt"), "two\nkeep\n", "{script}: {}", ran.all());
        assert!(!ran.out.contains("as edited"), "{}", ran.all());
    }
    // The next edit goes on from what was typed.
    let world = with_one_edit();
    let script = "grep -q ===== \"$1\" && sed -i 's/=======/===/; s/two/four/' \"$1\" ||
                  sed -i 's/^===$/=======/' \"$1\"";
    let ran = apply_with(&world, script, "e\ne\ny\nq\n", "../chat.md").exits(1);
    assert_eq!(world.text("a.txt"), "four\nkeep\n", "{}", ran.all());
}

#[test]
fn an_edit_changes_no_other_file() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    world.transcript(write("w", "a.txt", "two\n"));
    let ran = apply_with(&world, "sed -i 's/a\\.txt/b.txt/' \"$1\"", "e\nq\n", "../chat.md");
    ran.exits(1).says("an edited block must change the files that it changed before");
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("one\n".into(), "one\n".into()));
}

#[test]
fn without_an_editor_nothing_is_edited() {
    let world = with_one_edit();
    let ran = apply(&world, "e\nq\n", "../chat.md").exits(1);
    ran.says("no editor: set VISUAL or EDITOR").says("2 blocks: 2 not decided\n");
    assert_eq!(world.text("a.txt"), "one\nkeep\n");
}

#[test]
fn a_piped_transcript_is_edited_at_the_terminal() {
    let world = with_one_edit();
    let script = "sed -i 's/two/THREE/' \"$1\"";
    apply_with(&world, script, "e\ny\nq\n", "- <../chat.md").exits(1);
    assert_eq!(world.text("a.txt"), "THREE\nkeep\n");
}

#[test]
fn each_dialect_says_that_a_block_was_edited() {
    let says =
        "the user edited the block before it was applied: read the file before you change it again";
    let sham = "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_write\"\npath = \"ROOT/a.txt\"\n\
                content = \"two\"\n#!END_SHAM_abc\n";
    for (chat, old, reply) in [
        (
            "<<<FILE>>>\na.txt\n<<<SEARCH>>>\none\n<<<REPLACE>>>\ntwo\n<<<END>>>\n",
            "two",
            "ok a.txt\n  as edited: SAYS\n",
        ),
        (sham, "\"two\"", "\"in_part\": \"SAYS\""),
        (
            &write("w", "a.txt", "two"),
            &BASE64.encode(b"two"),
            "ok: true\nsummary: applied as the user edited the block\n",
        ),
    ] {
        let world = World::new(&[("a.txt", "one")]);
        let root = real_path(&world.root()).unwrap();
        world.transcript(chat.replace("ROOT", root.to_str().unwrap()));
        let new = old.replace("two", "new").replace(&BASE64.encode(b"two"), &BASE64.encode(b"new"));
        let script = format!("sed -i 's/{old}/{new}/' \"$1\"");
        let ran = apply_with(&world, &script, "e\ny\n", "../chat.md").exits(0);
        assert_eq!(world.text("a.txt").trim_end(), "new", "{}", ran.all());
        assert!(ran.out.contains(&reply.replace("SAYS", says)), "{reply}: {}", ran.all());
    }
}

#[test]
fn what_was_rejected_stays_rejected() {
    let world = World::new(&[]);
    world.transcript([write("a", "a.txt", "hi\n"), write("b", "b.txt", "hi\n")].concat());
    apply(&world, "n\nq\n", "../chat.md").exits(1);
    let check = || world.run(&["check", "../chat.md"]).exits(0).out;
    assert!(check().ends_with("2 blocks: 1 ready, 1 rejected\n"), "{}", check());
    let reply = world.run(&["reply", "../chat.md"]).exits(1).out;
    assert_eq!(
        reply,
        "OPERATOR_RESULT\nid: a\nok: false\nsummary: refused by the user\nEND_OPERATOR_RESULT\n"
    );

    world.run(&["apply", "--yes", "../chat.md"]).exits(1).says("2 blocks: 1 applied, 1 rejected\n");
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("(not there)".into(), "hi\n".into()));
    apply(&world, "", "../chat.md").exits(1).says("1 already applied, 1 rejected");

    let again = ["apply", "--yes", "--again", "--only", "a", "../chat.md"];
    world.run(&again).exits(0).says("1 block: 1 applied\n");
    assert!(check().ends_with("2 blocks: 2 applied\n"), "{}", check());
    world.run(&["undo"]).exits(0);
    assert!(check().ends_with("2 blocks: 1 ready, 1 applied\n"), "{}", check());
    apply(&world, "d\n", "../chat.md").exits(1);
    assert!(check().ends_with("2 blocks: 1 applied, 1 rejected\n"), "{}", check());
}

#[test]
fn what_is_refused_with_all_others_stays_rejected() {
    let world = World::new(&[]);
    world.transcript([write("a", "a.txt", "hi\n"), write("b", "b.txt", "hi\n")].concat());
    apply(&world, "y\nn\n", "--atomic ../chat.md").exits(1);
    let check = world.run(&["check", "../chat.md"]).exits(0).out;
    assert!(check.ends_with("2 blocks: 2 rejected\n"), "{check}");
}
