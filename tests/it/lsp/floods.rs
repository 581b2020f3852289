//! One document whose text takes long to look through, and the others.

use serde_json::{Value, json};

use super::client::{Client, Options};
use super::workspace::{Workspace, block};

/// Text in which a marker is on every line, so that it takes long to look through.
fn flood(lines: usize) -> String {
    "OPERATOR_CMD\n".repeat(lines)
}

fn process(workspace: &Workspace) -> Client {
    let mut client = Client::start(Options { process: true, ..Options::new(&[workspace.uri("")]) });
    client.set_up();
    client
}

#[test]
fn another_document_is_answered_before_a_flood_is_looked_through() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = process(&workspace);
    let (huge, chat) = (workspace.uri("huge.md"), workspace.uri("chat.md"));
    let reading = block("1", "fs.read", &[("path", "a.txt")]);
    client.open(&chat, "markdown", &reading);
    assert_eq!(client.statuses(&chat), "0 ready: fs.read a.txt\n");

    let id = json!({"textDocument": {"uri": chat}});
    client.open(&huge, "markdown", &flood(100_000));
    let symbols = client.ask("textDocument/documentSymbol", id.clone());
    assert_eq!(symbols[0]["detail"], "ready");
    let hover = client.ask_at("textDocument/hover", &chat, "fs.read", 1);
    assert!(hover["contents"].is_object(), "{hover}");
    client.append(&chat, &block("2", "fs.read", &[("path", "a.txt")]));
    assert_eq!(client.statuses(&chat), "0 ready: fs.read a.txt\n1 ready: fs.read a.txt\n");
    assert!(!client.published.contains_key(&huge), "nothing has waited for the flood");

    // Neither does anything wait when it is typed into, or when the server is to end.
    for _ in 0..10 {
        client.append(&huge, "OPERATOR_CMD\n");
        assert_eq!(client.ask("textDocument/documentSymbol", id.clone())[1]["detail"], "ready");
    }
    client.ask("shutdown", Value::Null);
    assert_eq!(client.exit(), 0);
}

#[test]
fn a_flood_that_is_closed_and_opened_again_is_looked_through_once_more() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = process(&workspace);
    let chat = workspace.uri("chat.md");
    let reading = block("1", "fs.read", &[("path", "a.txt")]);
    for _ in 0..5 {
        client.open(&chat, "markdown", &flood(20_000));
        client.change_whole(&chat, &reading);
        client.append(&chat, &flood(20_000));
        client.close(&chat);
    }
    client.open(&chat, "markdown", &reading);
    assert_eq!(client.statuses(&chat), "0 ready: fs.read a.txt\n");
}

#[test]
fn a_search_right_after_opening_sees_what_was_opened() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = process(&workspace);
    for index in 0..20 {
        let chat = workspace.uri(&format!("chat{index}.md"));
        client.open(&chat, "markdown", &block("1", "fs.read", &[("path", "a.txt")]));
        let found = client.ask("workspace/symbol", json!({"query": "read"}));
        let found = found.as_array().unwrap();
        assert_eq!(found.len(), index + 1);
        assert!(found.iter().all(|it| it["name"] == "ready: fs.read a.txt (1)"), "{found:?}");
    }
}
