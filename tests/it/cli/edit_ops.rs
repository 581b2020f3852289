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
        ("tools.py=a.py", "`tools.py` is not a virtual file"),
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
    assert!(reply["results"][0]["error"].as_str().unwrap().starts_with("this is based on sha256:"));
    assert_eq!(world.text("tool.py"), "old\n");
}

const TOOL: &str = "def run():\n    return 1\n";

/// A request about these files, the others empty, with what else it says.
fn request(tool: &str, more: &str) -> String {
    format!(
        r#"{{"tool_id": "0b9c5b0e-6a0c-4c43-9b8b-6f1e8a2d3c4d", "instruction": "Go on.",
 "conversation": [], "active_file": "tool.py", {more}, "virtual_files": {{"tool.py": {tool:?},
 "entrypoint.txt": "", "settings_schema.json": "", "input_schema.json": "",
 "usage_instructions.md": ""}}}}"#
    )
}

/// The response to that request, with one op on the tool.
fn response(tool: &str, op: &str, kind: &str, content: &str) -> String {
    let empty = fingerprint("");
    let tool = fingerprint(tool);
    format!(
        r#"{{"enabled": true, "assistant_message": "Done.", "ops": [{{"op": "{op}",
 "target_file": "tool.py", "target": {{"kind": "{kind}"}}, "content": {content:?}}}],
 "base_fingerprints": {{"tool.py": "{tool}", "entrypoint.txt": "{empty}",
 "settings_schema.json": "{empty}", "input_schema.json": "{empty}",
 "usage_instructions.md": "{empty}"}}}}"#
    )
}

/// A world with the tool, and a request beside it.
fn asked(more: &str) -> World {
    let world = World::new(&[("tool.py", TOOL)]);
    world.put("request.json", request(TOOL, more));
    world
}

const WITH: [&str; 2] = ["--request", "request.json"];

#[test]
fn text_is_inserted_where_the_cursor_of_the_request_is() {
    let world = asked(r#""cursor": {"pos": 10}"#);
    let insert = response(TOOL, "insert", "cursor", "\n    # one");
    world.run_with_input(&insert, &["apply", "--yes"]).exits(1).says("is not known here");
    assert_eq!(world.text("tool.py"), TOOL);
    world.run_with_input(&insert, &["check"]).exits(1);
    world.run_with_input(&insert, &[&["check"], &WITH[..]].concat()).exits(0);
    world.run_with_input(&insert, &[&["apply", "--yes"], &WITH[..]].concat()).exits(0);
    assert_eq!(world.text("tool.py"), "def run():\n    # one\n    return 1\n");
}

#[test]
fn what_was_selected_in_the_request_is_replaced() {
    let world = asked(r#""selection": {"from": 22, "to": 23}"#);
    let replace = response(TOOL, "replace", "selection", "2");
    let apply = [&["apply", "--yes"], &WITH[..]].concat();
    world.run_with_input(&replace, &apply).exits(0);
    assert_eq!(world.text("tool.py"), "def run():\n    return 2\n");
    world.run(&["undo"]).exits(0);
    let insert = response(TOOL, "insert", "cursor", "x");
    world.run_with_input(&insert, &apply).exits(1).says("edit-ops/needs-cursor");
    assert_eq!(world.text("tool.py"), TOOL);
}

#[test]
fn the_request_counts_for_the_files_that_it_is_about_and_no_others() {
    let replace = response(TOOL, "replace", "selection", "2");
    let apply = [&["apply", "--yes"], &WITH[..]].concat();
    let world = World::new(&[("tool.py", TOOL)]);
    world.put("request.json", request("other\n", r#""selection": {"from": 0, "to": 1}"#));
    let ran = world.run_with_input(&replace, &apply).exits(1);
    ran.says("the request that is given is about other files than the proposal");
    assert_eq!(world.text("tool.py"), TOOL);

    let world = asked(r#""selection": {"from": 22, "to": 23}"#);
    world.put("tool.py", "# mine\ndef run():\n    return 1\n");
    world.run_with_input(&replace, &apply).exits(1).says("plan/stale");
    assert_eq!(world.text("tool.py"), "# mine\ndef run():\n    return 1\n");
}

#[test]
fn what_is_no_request_is_refused_with_the_place() {
    let replace = response(TOOL, "replace", "selection", "2");
    let world = World::new(&[("tool.py", TOOL)]);
    let refused = |request: &str, says: &str| {
        world.put("request.json", request);
        for command in [&["apply", "--yes"][..], &["check"]] {
            let ran = world.run_with_input(&replace, &[command, &WITH].concat()).exits(2);
            assert_eq!(ran.out, "", "{}", ran.all());
            ran.says(says);
        }
    };
    refused("{\"tool_id\":\n1,}", "request.json is not an edit-ops request: line 2, column 3: ");
    refused("[]", "request.json is not an edit-ops request: an object is expected");
    let without = request(TOOL, r#""cursor": {}"#);
    refused(&without, "/cursor/pos: it is missing; a whole number is expected");
    let beyond = request(TOOL, r#""cursor": {"pos": 99}"#);
    refused(
        &beyond,
        "request.json cannot be used: The cursor is not in the text of the active file",
    );
    std::fs::remove_file(world.root().join("request.json")).unwrap();
    let ran = world.run_with_input(&replace, &[&["apply", "--yes"], &WITH[..]].concat());
    ran.exits(2).says("cannot read request.json: no such file");
    let ran = world.run_with_input(&replace, &["apply", "--yes", "--request", "-"]);
    ran.exits(2).says("give --request a file");
    assert_eq!(world.text("tool.py"), TOOL);
}
