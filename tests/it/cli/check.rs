//! `check`.

use serde_json::json;

use super::*;

#[test]
fn the_blocks_are_listed() {
    let world = World::new(&[("a.txt", "a\n")]);
    let ran = world.run_on(read("r-1", "a.txt"), &["check"]).exits(0);
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str()),
        ("1  ready       fs.read a.txt (id r-1), line 1\n1 block: 1 ready\n", "")
    );
    let ran = world.run_on("Just talk.\n", &["check"]).exits(0);
    assert!(ran.out.starts_with("no blocks found; searched for those of operator, sham, "));
}

#[test]
fn an_error_is_shown_as_a_compiler_shows_it() {
    let world = World::new(&[]);
    let block = "So:\n\nOPERATOR_CMD\nversion: 1\nid: w-1\naction: fs.write\npath: a.txt\n\
                 content_b64: aGV!bG8=\nEND_OPERATOR_CMD\n";
    let ran = world.run_with_input(block, &["check"]).exits(1);
    let place = " --> <stdin>:8:17\n  |\n8 | content_b64: aGV!bG8=\n  |                 ^\n";
    assert!(ran.out.starts_with("error[operator/invalid-base64]: "), "{}", ran.all());
    assert!(ran.out.contains(place), "{}", ran.all());
    assert!(
        ran.out.ends_with(
            "\n1  invalid     fs.write a.txt (id w-1), line 3\n1 block: 1 invalid; 1 error\n"
        ),
        "{}",
        ran.all()
    );
    let unix = ran.out;
    let windows = world.run_with_input(block.replace('\n', "\r\n"), &["check", "-"]).exits(1);
    assert_eq!(windows.out, unix);
}

#[test]
fn colours_are_for_terminals() {
    let world = World::new(&[]);
    let transcript = world.transcript("OPERATOR_CMD\n");
    let run = |variable: &str, value: &str| -> Ran {
        let mut command = world.command(&["check", as_argument(&transcript)]);
        command.env(variable, value).stdin(Stdio::null()).output().unwrap().into()
    };
    assert!(!run("TERM", "xterm-256color").out.contains('\u{1b}'));
    assert!(run("CLICOLOR_FORCE", "1").out.contains('\u{1b}'));
    assert!(!run("NO_COLOR", "1").out.contains('\u{1b}'));
}

#[test]
fn the_json_is_as_documented() {
    let world = World::new(&[("a.txt", "a\n")]);
    let transcript = format!("😀\n{}OPERATOR_CMD\nid: 😀!\n", read("r-1", "a.txt"));
    let path = world.transcript(&transcript);
    let ran = world.run(&["check", as_argument(&path), "--format", "json"]).exits(1);
    assert_eq!(ran.out.matches('\n').count(), 1, "one line, for `jq` and `while read`");
    let json = ran.json();
    assert_eq!(keys(&json), ["transcripts", "summary"]);
    assert_eq!(json["transcripts"][0]["path"], as_argument(&path));
    let block = &json["transcripts"][0]["blocks"][0];
    assert_eq!(
        *block,
        json!({
            "id": "r-1", "dialect": "operator", "action": "fs.read", "path": "a.txt",
            "range": {"start": {"line": 1, "character": 0}, "end": {"line": 6, "character": 16}},
            "status": "ready", "by": null, "after": null, "caution": null, "effect": "read"
        })
    );
    assert_eq!(
        keys(block),
        ["id", "dialect", "action", "path", "range", "status", "by", "after", "caution", "effect"]
    );
    let open = &json["transcripts"][0]["blocks"][1];
    assert_eq!((&open["id"], &open["action"]), (&json!("😀!"), &Value::Null));
    assert_eq!((&open["status"], &open["effect"]), (&json!("invalid"), &Value::Null));
    assert_eq!(open["range"]["end"], json!({"line": 8, "character": 7}), "in UTF-16 units");
    let problems = json["transcripts"][0]["problems"].as_array().unwrap();
    let missing = problems.iter().find(|it| it["code"] == "operator/missing-end").unwrap();
    assert_eq!(keys(missing), ["code", "severity", "message", "range", "block", "dialect"]);
    assert_eq!((&missing["block"], &missing["dialect"]), (&json!(1), &json!("operator")));
    assert_eq!((&missing["severity"]), &json!("error"));
    let errors = problems.iter().filter(|it| it["severity"] == "error").count();
    let warnings = problems.iter().filter(|it| it["severity"] == "warning").count();
    let summary = json!({"blocks": 2, "errors": errors, "warnings": warnings});
    assert_eq!(json["summary"], summary);
}

#[test]
fn a_stray_marker_belongs_to_no_block() {
    let world = World::new(&[]);
    let ran = world.run_on("END_OPERATOR_CMD\n", &["check", "--format", "json"]).exits(1);
    let problem = &ran.json()["transcripts"][0]["problems"][0];
    assert_eq!(problem["code"], "operator/unexpected-end");
    assert_eq!((&problem["block"], &problem["dialect"]), (&Value::Null, &json!("operator")));
}

#[test]
fn a_file_that_cannot_be_read_hides_no_other() {
    let world = World::new(&[("good.md", "talk\n"), ("also.md", "OPERATOR_CMD\n")]);
    world.put("bad.md", b"a\nb\xff\n");
    let files = ["good.md", "bad.md", "nowhere.md", "also.md"];
    let arguments = [&["check"][..], &files].concat();
    let ran = world.run(&arguments).exits(2);
    assert!(ran.out.contains("also.md:1:1"), "{}", ran.all());
    let ran = ran.says("bad.md:2:2: byte 0xff is not UTF-8");
    ran.says("cannot read nowhere.md: no such file");
    let arguments = [&arguments[..], &["--format", "json"]].concat();
    let json = world.run(&arguments).exits(2).says("UTF-8").json();
    let paths: Vec<_> =
        json["transcripts"].as_array().unwrap().iter().map(|it| &it["path"]).collect();
    assert_eq!(paths, ["good.md", "also.md"]);
}

#[test]
fn a_line_of_100_kilobytes_does_not_flood_the_terminal() {
    let world = World::new(&[]);
    let mut block = write("w-1", "a.txt", &"text ".repeat(20_000));
    let at = block.find("content_b64: ").unwrap() + 50_000;
    block.replace_range(at..at + 1, "!");
    let ran = world.run_on(block, &["check"]).exits(1);
    assert!(ran.out.len() < 1000, "{}", ran.out);
    let source = ran.out.lines().find(|line| line.starts_with("6 | ")).unwrap();
    let caret = ran.out.lines().find(|line| line.ends_with('^')).unwrap();
    assert_eq!(source.find('!'), caret.find('^'), "{}", ran.out);
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}
