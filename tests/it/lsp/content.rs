//! Previews as documents, for clients that ask the server for the text of documents.

use serde_json::{Value, json};

use super::client::{Capabilities, Client, OnEdit, Options};
use super::workspace::{Workspace, block};

const METHOD: &str = "workspace/textDocumentContent";

fn capabilities() -> Capabilities {
    Capabilities::everything()
        .with("/workspace/textDocumentContent", json!({"dynamicRegistration": false}))
        .with("/window/showDocument", json!({"support": true}))
}

fn transcript() -> String {
    let edit = json!({"op": "replaceAll", "find": "one", "text": "two"});
    let edits = json!({"version": 1, "edits": [edit]}).to_string();
    [
        block("edit", "fs.applyEdits", &[("path", "a b.txt"), ("edits_b64", &edits)]),
        block("new", "fs.write", &[("path", "new.txt"), ("content_b64", "new\n")]),
    ]
    .concat()
}

fn started(capabilities: Capabilities, workspace: &Workspace) -> (Client, String) {
    let mut client = Client::with(capabilities, &workspace.uri(""));
    client.set_up();
    let chat = workspace.uri("chat & more.md");
    client.open(&chat, "markdown", &transcript());
    (client, chat)
}

fn workspace() -> Workspace {
    Workspace::new(&[("a b.txt", "zero\none\n")])
}

fn preview(client: &mut Client, chat: &str, block: usize) -> Value {
    client.ask("operator/preview", json!({"textDocument": {"uri": chat}, "block": block}))
}

fn text(client: &mut Client, uri: &Value) -> String {
    let content = client.ask(METHOD, json!({"uri": uri}));
    content["text"].as_str().unwrap().to_owned()
}

#[test]
fn both_sides_and_the_diff_are_documents() {
    let workspace = workspace();
    let (mut client, chat) = started(capabilities(), &workspace);
    let provided = &client.server["capabilities"]["workspace"];
    assert_eq!(provided["textDocumentContent"], json!({"schemes": ["operator-preview"]}));
    assert_eq!(provided["workspaceFolders"]["supported"], true);
    let edit = preview(&mut client, &chat, 0);
    let documents = &edit["files"][0]["documents"];
    let path = |uri: &Value| uri.as_str().unwrap().split('?').next().unwrap().to_owned();
    assert_eq!(path(&documents["after"]), "operator-preview:/a%20b.txt");
    assert_eq!(path(&edit["document"]), "operator-preview:/a%20b.txt.diff");
    assert_eq!(text(&mut client, &documents["before"]), "zero\none\n");
    assert_eq!(text(&mut client, &documents["after"]), "zero\ntwo\n");
    let diff = "--- a/a b.txt\n+++ b/a b.txt\n@@ -1,2 +1,2 @@\n zero\n-one\n+two\n";
    assert_eq!(text(&mut client, &edit["document"]), diff);
    let new = preview(&mut client, &chat, 1);
    assert_eq!(new["files"][0]["documents"]["before"], Value::Null);
    assert_eq!(text(&mut client, &new["files"][0]["documents"]["after"]), "new\n");
}

#[test]
fn a_preview_that_is_another_one_is_asked_for_again() {
    let workspace = workspace();
    let (mut client, chat) = started(capabilities(), &workspace);
    let [edit, new] = [0, 1].map(|block| preview(&mut client, &chat, block)["document"].clone());
    text(&mut client, &edit);
    text(&mut client, &new);
    client.open(&workspace.uri("a b.txt"), "plaintext", "zero\none\none\n");
    client.until("a refresh", |client| (!client.outdated.is_empty()).then_some(()));
    assert_eq!(client.outdated, [edit.as_str().unwrap()], "the other one is as it was");
    assert!(text(&mut client, &edit).ends_with(" zero\n-one\n-one\n+two\n+two\n"));
    client.on_edit = OnEdit::Apply;
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    client.until("a refresh", |client| (client.outdated.len() > 1).then_some(()));
    let says = text(&mut client, &edit);
    assert!(says.starts_with("No preview: ") && says.contains("applied"), "{says}");
}

#[test]
fn a_preview_follows_its_block_and_says_when_it_is_gone() {
    let workspace = workspace();
    let (mut client, chat) = started(capabilities(), &workspace);
    let new = preview(&mut client, &chat, 1);
    let [diff, after] = [&new["document"], &new["files"][0]["documents"]["after"]];
    text(&mut client, diff);
    let first = transcript().split_inclusive("END_OPERATOR_CMD\n").next().unwrap().to_owned();
    client.replace(&chat, &first, "");
    client.until("a refresh", |client| (!client.outdated.is_empty()).then_some(()));
    assert!(text(&mut client, diff).ends_with("+new\n"), "the block is the first one now");
    client.replace(&chat, "id: new", "id: other");
    client.until("a refresh", |client| (client.outdated.len() > 1).then_some(()));
    assert_eq!(text(&mut client, diff), "No preview: the block is not in the chat any more\n");
    assert_eq!(client.fail(METHOD, json!({"uri": after})).code, -32803);
}

#[test]
fn a_person_is_shown_the_diff_by_the_command_of_a_lens() {
    let workspace = workspace();
    let (mut client, chat) = started(capabilities(), &workspace);
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": chat}}));
    let lenses = lenses.as_array().unwrap().iter();
    let mut lens = lenses.filter(|lens| lens["command"]["title"] == "Preview");
    let command = lens.next().unwrap()["command"].clone();
    assert_eq!(lens.count(), 1, "each block has one");
    let preview = client.command("operator.preview", &command["arguments"][0]).unwrap();
    client.until("a document", |client| (!client.opened.is_empty()).then_some(()));
    assert_eq!(client.opened, [preview["document"].as_str().unwrap()]);
}

#[test]
fn a_client_that_does_not_ask_hears_nothing_of_it() {
    let workspace = workspace();
    let shows = Capabilities::everything().with("/window/showDocument", json!({"support": true}));
    let (mut client, chat) = started(shows, &workspace);
    assert_eq!(client.server["capabilities"]["workspace"].get("textDocumentContent"), None);
    let preview = preview(&mut client, &chat, 0);
    assert_eq!(preview.get("document"), None);
    assert_eq!(preview["files"][0].get("documents"), None);
    client.command("operator.preview", &json!({"uri": chat, "block": 0})).unwrap();
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": chat}}));
    assert!(!lenses.to_string().contains("Preview"));
    // It shows no document: the client would fail on that.
    client.drain();
}

#[test]
fn a_document_that_is_not_a_preview_has_no_text() {
    let workspace = workspace();
    let (mut client, chat) = started(capabilities(), &workspace);
    let shown = preview(&mut client, &chat, 0)["document"].as_str().unwrap().to_owned();
    for uri in ["operator-preview:/a", "file:///a.txt", "operator-preview:/a?%7B%22block%22%3A0%7D"]
    {
        assert_eq!(client.fail(METHOD, json!({"uri": uri})).code, -32602, "{uri}");
    }
    // What it shows is not a chat, even where it holds blocks.
    client.open(&shown, "markdown", &transcript());
    assert_eq!(client.proposals(&shown), Vec::<Value>::new());
    client.close(&chat);
    let closed = client.fail(METHOD, json!({"uri": shown}));
    assert_eq!((closed.code, closed.message.as_str()), (-32602, "the document is not open"));
}

#[test]
fn the_process_answers_too() {
    let workspace = workspace();
    let options = Options {
        capabilities: capabilities(),
        process: true,
        ..Options::new(&[workspace.uri("")])
    };
    let mut client = Client::start(options);
    client.set_up();
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &transcript());
    let document = preview(&mut client, &chat, 1)["document"].clone();
    assert!(text(&mut client, &document).ends_with("+new\n"));
}
