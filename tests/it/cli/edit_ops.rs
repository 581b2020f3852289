//! Proposals of edit-ops: where their files are, and answers that go to a pipe.

use serde_json::Value;

use super::*;

const PROPOSAL: &str = r#"{"assistant_message": "", "ops": [
 {"op": "replace", "target_file": "tool.py", "target": {"kind": "document"}, "content": "new\n"}]}
"#;

#[test]
fn the_answer_is_one_line_of_json() {
    let world = World::new(&[("tool.py", "old\n")]);
    let ran = world.run_with_input(PROPOSAL, &["apply", "--yes"]).exits(0);
    assert_eq!(ran.out.matches('\n').count(), 1, "{}", ran.all());
    assert_eq!(ran.json()["base_fingerprints"]["tool.py"], fingerprint("new\n"));
    assert_eq!(world.text("tool.py"), "new\n");
    world.run(&["undo"]).exits(0);
    assert_eq!(world.text("tool.py"), "old\n");
}

#[test]
fn a_flag_says_where_a_file_is_else_the_transcripts_directory_else_the_root() {
    let apply = |world: &World, flags: &[&str]| {
        let chat = world.root().join("chats/answer.json");
        let arguments = [&["apply", as_argument(&chat), "--yes"], flags].concat();
        world.run(&arguments).exits(0);
        ["tool.py", "chats/tool.py", "src/tool.py"].map(|path| world.text(path).trim().to_owned())
    };
    let files = [("tool.py", "1"), ("src/tool.py", "3"), ("chats/answer.json", PROPOSAL)];
    assert_eq!(apply(&World::new(&files), &[]), ["new", "(not there)", "3"]);
    let beside = World::new(&files);
    beside.put("chats/tool.py", "2");
    assert_eq!(apply(&beside, &[]), ["1", "new", "3"]);
    assert_eq!(apply(&beside, &["--virtual-file", "tool.py=src/tool.py"]), ["1", "new", "new"]);
}

#[test]
fn a_flag_that_names_no_virtual_file_is_refused() {
    let world = World::new(&[("tool.py", "old\n")]);
    for (flag, says) in [
        ("tools.py=a.py", "`tools.py` is no virtual file"),
        ("tool.py", "write ID=PATH"),
        ("tool.py=", "the path of tool.py is missing"),
    ] {
        let ran = world.run_with_input(PROPOSAL, &["apply", "--yes", "--virtual-file", flag]);
        ran.exits(2).says(says);
    }
    assert_eq!(world.text("tool.py"), "old\n");
}

#[test]
fn a_stale_proposal_writes_nothing_and_says_what_the_file_is() {
    let world = World::new(&[("tool.py", "old\n")]);
    let stated =
        format!("{{\"base_fingerprints\": {{\"tool.py\": \"{}\"}},", fingerprint("other\n"));
    let ran = world.run_with_input(PROPOSAL.replacen('{', &stated, 1), &["apply", "--yes"]);
    let reply: Value = ran.exits(1).json();
    assert_eq!(reply["applied"], false);
    assert_eq!(reply["base_fingerprints"]["tool.py"], fingerprint("old\n"));
    assert!(
        reply["results"][0]["error"].as_str().unwrap().starts_with("this was made for sha256:")
    );
    assert_eq!(world.text("tool.py"), "old\n");
}
