//! Many messages at once, messages out of step, and messages that are undone.

use operator_core::fingerprint::Fingerprint;
use serde_json::{Value, json};

use super::client::{Capabilities, Client};
use super::workspace::{Workspace, block};

fn of(text: &str) -> String {
    Fingerprint::of(text.as_bytes()).to_string()
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    json!({"start": {"line": start.0, "character": start.1},
           "end": {"line": end.0, "character": end.1}})
}

fn insert(text: &str) -> Value {
    json!({"range": range((0, 0), (0, 0)), "text": text})
}

#[test]
fn three_thousand_changes_and_requests_keep_their_order() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("1", "fs.read", &[("path", "a.txt")]));
    let id = json!({"textDocument": {"uri": chat}});
    let mut asked = Vec::new();
    for index in 0..3_000_usize {
        let text = client.text(&chat);
        let at = (0..=(index * 7) % text.len()).rfind(|at| text.is_char_boundary(*at)).unwrap();
        let at = super::client::position(text, at, client.encoding);
        let new = ["x", "é", "\n", "😀", "OPERATOR_CMD\n", ""][index % 6];
        let end =
            if index % 5 == 0 { json!({"line": at["line"], "character": 99}) } else { at.clone() };
        client.change(&chat, &[json!({"range": {"start": at, "end": end}, "text": new})]);
        let method = ["operator/proposals", "textDocument/codeLens", "textDocument/foldingRange"];
        if index % 10 == 0 {
            asked.push(client.send_request(method[index / 10 % 3], id.clone()));
        }
        if index % 100 == 0 {
            let fingerprint = client.fingerprint(&chat);
            assert_eq!(fingerprint, of(client.text(&chat)), "after {index} changes");
        }
    }
    for request in asked {
        if let Err(error) = client.wait(request) {
            assert_eq!(error.code, -32801, "outrun, and nothing else: {error:?}");
        }
    }
    assert_eq!(client.fingerprint(&chat), of(client.text(&chat)));
    let version = client.documents[&chat].version;
    assert_eq!(version, 3_001);
    client.until("the diagnostics of the last version", |client| {
        let last = client.published.get(&chat)?.version;
        (last == Some(version)).then_some(())
    });
}

#[test]
fn a_request_sees_what_was_sent_before_it_and_nothing_later() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let target = workspace.uri("a.txt");
    client.open(&target, "plaintext", "");
    let mut expected = Vec::new();
    for index in 0..300 {
        client.append(&target, &format!("{index}\n"));
        let request = client.send_request("operator/fingerprint", json!({"uri": target}));
        expected.push((request, of(client.text(&target))));
    }
    for (request, fingerprint) in expected {
        assert_eq!(client.wait(request).unwrap()["fingerprint"], fingerprint);
    }
}

/// A transcript whose server copy is out of step after a change.
fn unsynced(change: impl FnOnce(&mut Client, &str)) -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open_at(&chat, "markdown", &block("1", "fs.delete", &[("path", "a.txt")]), 5);
    assert_eq!(client.statuses(&chat), "0 ready: fs.delete a.txt\n");
    client.expect_diagnostics(&chat, "");
    change(&mut client, &chat);
    let items = client.until("a diagnostic that it is out of step", |client| {
        let items = &client.published.get(&chat)?.items;
        items.iter().any(|item| item["code"] == "plan/unsynced").then(|| items.clone())
    });
    assert_eq!((items.len(), &items[0]["severity"]), (1, &json!(1)));
    assert_eq!(client.statuses(&chat), "");
    let params = json!({"textDocument": {"uri": chat}, "range": range((0, 0), (9, 0)),
                        "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", params);
    assert!(actions.is_null() || actions == json!([]), "nothing is offered: {actions}");
    assert!(client.command("operator.applyAll", &json!({"uri": chat})).is_err());
    assert!(client.request("operator/fingerprint", json!({"uri": chat})).is_err());
    (workspace, client, chat)
}

fn old_version(client: &mut Client, chat: &str) {
    client.documents.get_mut(chat).unwrap().version = 3;
    client.change(chat, &[insert("Text.\n")]);
}

fn inverted(client: &mut Client, chat: &str) {
    client.documents.get_mut(chat).unwrap().version += 1;
    let version = client.documents[chat].version;
    let change = json!({"range": range((2, 0), (1, 0)), "text": "x"});
    let id = json!({"uri": chat, "version": version});
    let params = json!({"textDocument": id, "contentChanges": [change]});
    client.notify("textDocument/didChange", params);
}

#[test]
fn an_old_version_is_mended_by_the_whole_text() {
    let (_workspace, mut client, chat) = unsynced(old_version);
    client.change(&chat, &[insert("More.\n")]);
    assert_eq!(client.statuses(&chat), "", "still out of step");
    client.change_whole(&chat, &block("2", "fs.read", &[("path", "a.txt")]));
    assert_eq!(client.statuses(&chat), "0 ready: fs.read a.txt\n");
    assert_eq!(client.fingerprint(&chat), of(client.text(&chat)));
    client.expect_diagnostics(&chat, "");
}

#[test]
fn an_inverted_range_is_mended_by_opening_anew() {
    let (_workspace, mut client, chat) = unsynced(inverted);
    let document = client.close(&chat);
    client.open_at(&chat, "markdown", &document.text, document.version);
    assert_eq!(client.statuses(&chat), "0 ready: fs.delete a.txt\n");
    assert_eq!(client.fingerprint(&chat), of(client.text(&chat)));
}

#[test]
fn a_change_that_cannot_be_read_is_mended_by_the_whole_text() {
    let (_workspace, mut client, chat) = unsynced(|client, chat| {
        let id = json!({"uri": chat, "version": 6});
        let params = json!({"textDocument": id, "contentChanges": [{"range": 7, "text": []}]});
        client.notify("textDocument/didChange", params);
        client.documents.get_mut(chat).unwrap().version = 6;
    });
    client.change_whole(&chat, "Text.\n");
    assert_eq!(client.statuses(&chat), "");
    assert_eq!(client.fingerprint(&chat), of("Text.\n"));
    client.expect_diagnostics(&chat, "");
}

#[test]
fn nothing_is_edited_where_the_target_is_out_of_step() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open(&target, "plaintext", "one\n");
    client.open(&chat, "markdown", &block("1", "fs.write", &[("path", "a.txt"), ("content", "x")]));
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n");
    inverted(&mut client, &target);
    assert_eq!(client.statuses(&chat), "0 blocked: fs.write a.txt\n");
    client.change_whole(&target, "one\n");
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n");
}

#[test]
fn a_slow_request_can_be_cancelled() {
    let workspace = Workspace::new(&[]);
    for index in 0..400 {
        workspace.put(&format!("d{}/f{index}.txt", index % 20), "needle\n".repeat(2_000));
    }
    let mut client = Client::with(Capabilities::everything(), &workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let text = block("s", "fs.searchTree", &[("path", "."), ("query", "nowhere to be found")]);
    client.open(&chat, "markdown", &text);
    assert_eq!(client.statuses(&chat), "0 ready: fs.searchTree .\n");
    let argument = json!([{"uri": chat, "block": 0}]);
    let params = json!({"command": "operator.reply", "arguments": argument});
    let slow: Vec<_> =
        (0..8).map(|_| client.send_request("workspace/executeCommand", params.clone())).collect();
    for request in &slow {
        client.notify("$/cancelRequest", json!({"id": request}));
    }
    let answers: Vec<_> = slow.into_iter().map(|request| client.wait(request)).collect();
    let cancelled =
        |answer: &super::client::Answer| answer.as_ref().is_err_and(|error| error.code == -32800);
    assert!(answers.iter().any(cancelled), "RequestCancelled: {answers:?}");
    let other = |answer: &super::client::Answer| answer.is_err() && !cancelled(answer);
    assert!(!answers.iter().any(other), "and no other error: {answers:?}");
    client.notify("$/cancelRequest", json!({"id": 4711}));
    client.notify("$/cancelRequest", json!({"id": "x"}));
    assert_eq!(client.statuses(&chat), "0 ready: fs.searchTree .\n", "it goes on");
}

#[test]
fn an_edit_that_the_client_never_answers_holds_nothing_up() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("1", "fs.write", &[("path", "a.txt"), ("content", "x")]));
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n");
    client.mute = true;
    let params = json!({"command": "operator.apply", "arguments": [{"uri": chat, "block": 0}]});
    let slow = client.send_request("workspace/executeCommand", params);
    client.asked("workspace/applyEdit");
    for index in 0..500 {
        client.append(&chat, &format!("{index}\n"));
    }
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n");
    client.on_edit = super::client::OnEdit::Apply;
    client.speak();
    client.wait(slow).unwrap();
    assert_eq!(workspace.text("a.txt"), "x");
    assert_eq!(client.statuses(&chat), "0 applied: fs.write a.txt\n");
}
