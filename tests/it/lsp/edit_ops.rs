//! Proposals of edit-ops in an editor, from the first look to the way back.

use serde_json::{Value, json};

use super::client::{Client, OnEdit, titles};
use super::workspace::Workspace;

const CODE: &str = "def run():\n    return 1\n";
const NEW: &str = r#"def run():\n    return 2\n"#;

fn shown(workspace: &Workspace, name: &str, language: &str, text: &str) -> (Client, String) {
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    let chat = workspace.uri(name);
    client.open(&chat, language, text);
    (client, chat)
}

/// A proposal for `tool.py` and the instructions, stating what they are.
fn proposal(client: &mut Client, workspace: &Workspace) -> String {
    let mut fingerprint = |path: &str| client.fingerprint(&workspace.uri(path));
    let (tool, usage) = (fingerprint("tool.py"), fingerprint("usage_instructions.md"));
    format!(
        "{{\"assistant_message\": \"Done.\", \"ops\": [\n\
         {{\"op\": \"replace\", \"target_file\": \"tool.py\", \"target\": {{\"kind\": \"document\"}}, \"content\": \"{NEW}\"}},\n\
         {{\"op\": \"delete\", \"target_file\": \"usage_instructions.md\", \"target\": {{\"kind\": \"document\"}}}}],\n\
         \"base_fingerprints\": {{\"tool.py\": \"{tool}\", \"usage_instructions.md\": \"{usage}\"}}}}"
    )
}

fn workspace() -> Workspace {
    Workspace::new(&[("tool.py", CODE), ("usage_instructions.md", "Use it.\n")])
}

fn ready(workspace: &Workspace) -> (Client, String) {
    let (mut client, chat) = shown(workspace, "chat.md", "markdown", "Here it is:\n\n");
    let proposal = proposal(&mut client, workspace);
    client.append(&chat, &format!("```json\n{proposal}\n```\n"));
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
    (client, chat)
}

#[test]
fn a_proposal_is_applied_answered_and_taken_back() {
    let workspace = workspace();
    let (mut client, chat) = ready(&workspace);
    client.expect_diagnostics(&chat, "");
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.applyAndReply");
    assert_eq!(workspace.text("tool.py"), "def run():\n    return 2\n");
    assert_eq!(workspace.text("usage_instructions.md"), "");
    assert_eq!(client.statuses(&chat), "0 applied: edit-ops.proposal tool.py\n");
    let text = client.text(&chat).to_owned();
    let reply = text.rsplit("```json\n").next().unwrap().strip_suffix("\n```\n").unwrap();
    let reply: Value = serde_json::from_str(reply).unwrap();
    assert_eq!(reply["applied"], true);
    assert_eq!(
        reply["results"][1],
        json!({"op": 1, "target_file": "usage_instructions.md", "ok": true})
    );
    let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(reply["base_fingerprints"]["usage_instructions.md"], empty);
    client.on_edit = OnEdit::Apply;
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(workspace.text("tool.py"), CODE);
    assert_eq!(workspace.text("usage_instructions.md"), "Use it.\n");
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
}

#[test]
fn a_file_that_has_changed_is_not_touched_nor_the_other() {
    let workspace = workspace();
    let (mut client, chat) = ready(&workspace);
    workspace.put("usage_instructions.md", "Use it well.\n");
    client.tell_files(&[(workspace.uri("usage_instructions.md"), 2)]);
    assert_eq!(client.statuses(&chat), "0 stale: edit-ops.proposal tool.py\n");
    client.expect_first(&chat, "plan/stale");
    let actions = client.block_actions(&chat, 0, &["refactor"]);
    assert!(
        titles(&actions).starts_with("Apply edit-ops.proposal tool.py [stale: "),
        "{actions:#?}"
    );
    assert_eq!(workspace.text("tool.py"), CODE);
    client.take_titled(&chat, 0, "Take the current content as the base");
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.apply");
    assert_eq!(workspace.text("usage_instructions.md"), "");
}

#[test]
fn a_refusal_stands_below_in_a_fence_and_counts() {
    let workspace = workspace();
    let (mut client, chat) = ready(&workspace);
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.reject");
    assert_eq!(client.statuses(&chat), "0 rejected: edit-ops.proposal tool.py\n");
    let text = client.text(&chat);
    assert!(text.contains("```\n```json\n{\"applied\":false,"), "{text}");
    assert!(text.contains("\"error\":\"refused by the user\""), "{text}");
    assert!(text.contains("\"base_fingerprints\":{\"tool.py\":\"sha256:"), "{text}");
    assert_eq!(workspace.text("tool.py"), CODE);
}

#[test]
fn a_refusal_after_an_undo_takes_the_place_of_the_reply() {
    let workspace = workspace();
    let (mut client, chat) = ready(&workspace);
    client.on_edit = OnEdit::Apply;
    let before = client.text(&chat).to_owned();
    let apply = json!({"uri": chat, "block": 0, "reply": true});
    client.command("operator.apply", &apply).unwrap();
    client.command("operator.undo", &Value::Null).unwrap();
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.reject");
    assert_eq!(client.statuses(&chat), "0 rejected: edit-ops.proposal tool.py\n");
    let text = client.text(&chat);
    let reply = text.strip_prefix(before.trim_end()).expect("the proposal");
    assert!(reply.starts_with("\n```json\n{\"applied\":false,"), "{reply}");
    assert_eq!(reply.matches("```json").count(), 1, "{reply}");
}

#[test]
fn a_json_document_is_a_proposal() {
    let workspace = workspace();
    let (mut client, chat) = shown(&workspace, "answer.json", "json", "\n");
    let text = proposal(&mut client, &workspace);
    client.append(&chat, &text);
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.apply");
    assert_eq!(workspace.text("tool.py"), "def run():\n    return 2\n");
    // Without the key that makes it one it is any document.
    client.replace(&chat, "\"ops\"", "\"oops\"");
    assert_eq!(client.statuses(&chat), "");
    client.replace(&chat, "\"oops\"", "\"ops\"");
    assert_eq!(client.statuses(&chat), "0 applied: edit-ops.proposal tool.py\n");
}

#[test]
fn the_file_beside_the_transcript_is_meant_once_it_is_there() {
    let workspace = Workspace::new(&[("tool.py", CODE), ("chats/note.txt", "")]);
    let text = format!(
        "{{\"assistant_message\": \"\", \"ops\": [{{\"op\": \"replace\", \"target_file\": \"tool.py\", \
         \"target\": {{\"kind\": \"document\"}}, \"content\": \"{NEW}\"}}]}}"
    );
    let (mut client, chat) = shown(&workspace, "chats/answer.json", "json", &text);
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
    workspace.put("chats/tool.py", "mine = 1\n");
    client.tell_files(&[(workspace.uri("chats/tool.py"), 1)]);
    assert_eq!(client.statuses(&chat), "0 stale: edit-ops.proposal tool.py\n");
    client.take_titled(&chat, 0, "Take the current content as the base");
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.apply");
    assert_eq!(workspace.text("chats/tool.py"), "def run():\n    return 2\n");
    assert_eq!(workspace.text("tool.py"), CODE);
}

#[test]
fn hovers_links_and_folds() {
    let workspace = workspace();
    let (mut client, chat) = ready(&workspace);
    let content = client.ask_at("textDocument/hover", &chat, NEW, 1);
    let content = content["contents"]["value"].as_str().unwrap();
    assert!(content.contains("```python\ndef run():\n    return 2\n```"), "{content}");
    assert!(content.contains("-    return 1\n+    return 2\n"), "{content}");
    let file = client.ask_at("textDocument/hover", &chat, "usage_instructions.md", 1);
    let file = file["contents"]["value"].as_str().unwrap();
    assert!(file.starts_with("`usage_instructions.md`: 8 bytes, 1 line"), "{file}");
    let found = client.ask_at("textDocument/definition", &chat, "tool.py\", \"target\"", 1);
    assert!(found.to_string().contains(&workspace.uri("tool.py")), "{found:#}");
    let about = json!({"textDocument": {"uri": chat}});
    let links = client.ask("textDocument/documentLink", about.clone());
    let links: Vec<_> = links.as_array().unwrap().iter().map(|it| it["target"].clone()).collect();
    assert_eq!(links, [workspace.uri("tool.py"), workspace.uri("usage_instructions.md")]);
    let folds = client.ask("textDocument/foldingRange", about.clone());
    assert_eq!((&folds[0]["startLine"], &folds[0]["endLine"]), (&json!(2), &json!(7)));
    let preview =
        client.ask("operator/preview", json!({"textDocument": {"uri": chat}, "block": 0}));
    assert_eq!(preview["files"][1]["after"], "");
    let tokens = client.ask("textDocument/semanticTokens/full", about);
    assert!(tokens["data"].as_array().unwrap().len() > 50, "{tokens}");
}

#[test]
fn names_are_offered_while_a_proposal_is_written() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", "");
    let mut offered = |line: &str| {
        let start = "```json\n{\"assistant_message\": \"\", \"ops\": [\n  ";
        let (before, after) = line.split_once('|').expect("a cursor");
        client.change_whole(&chat, &format!("{start}{before}{after}\n]}}\n```\n"));
        client.offered(&chat, start.len() + before.len())
    };
    assert_eq!(offered(r#"{"op": "|"}"#), ["insert", "replace", "delete"]);
    assert_eq!(
        offered(r#"{"op": "insert", "target": {"kind": |"#),
        ["document", "selection", "cursor"]
    );
    assert_eq!(offered(r#"{"op": "insert", "target_file": "to|"#).len(), 5);
    assert_eq!(offered(r#"{"op": "insert", "content": "to|"#), Vec::<String>::new());
}
