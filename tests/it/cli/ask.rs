//! `apply` at a terminal.

#![cfg(target_os = "linux")]

use super::*;

/// Runs `apply` with this typed at a terminal; standard output goes elsewhere, as with `| pbcopy`.
fn apply(world: &World, typed: &str, arguments: &str) -> Ran {
    let line = format!("{} apply {arguments} >../out", env!("CARGO_BIN_EXE_operator-lsp"));
    let mut command = Command::new("script");
    command.args(["-qefc", &line, "/dev/null"]).current_dir(world.root());
    command.env("OPERATOR_LSP_STATE_DIR", world.directory.path().join("state"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
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
fn each_change_is_shown_and_asked_about() {
    let world = three();
    let ran = apply(&world, "y\nn\ny\n", "../chat.md").exits(1);
    assert_eq!(texts(&world), ["two\n", "one\n", "two\n"], "{}", ran.all());
    assert_eq!(ran.out.matches("ok: true").count(), 2);
    assert!(ran.out.contains("id: b\nok: false\nsummary: refused by the user\n"), "{}", ran.all());
    let ran = ran.says("(1/3) fs.applyEdits a.txt (id a)\n").says("-one\n+two\n");
    ran.says("(2/3) Apply this [y,n,a,q,?]? ").says("3 blocks: 2 applied, 1 refused\n");
    world.run(&["undo"]).exits(0);
    assert_eq!(texts(&world), ["one\n", "one\n", "one\n"], "one run is one undo");
}

#[test]
fn all_asks_no_more_and_quit_refuses_the_rest() {
    let world = three();
    apply(&world, "n\na\n", "../chat.md").exits(1).says("3 blocks: 2 applied, 1 refused\n");
    assert_eq!(texts(&world), ["one\n", "two\n", "two\n"]);
    let world = three();
    apply(&world, "y\nq\n", "../chat.md").exits(1).says("3 blocks: 1 applied, 2 refused\n");
    assert_eq!(texts(&world), ["two\n", "one\n", "one\n"]);
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
    ran.says("error[plan/text-not-found]").says("(2/2) Apply this [y,n,a,q,?]? ");
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
    let ran = apply(&world, "y\n", "--commit --hooks ../chat.md").exits(2);
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
    let ran = ran.says("(2/4) Needs a look. Apply this [y,n,a,q,?]? ");
    ran.says("(3/4) Needs a look. Apply this").says("4 blocks: 3 applied, 1 refused\n");
}
