//! The handshake with clients of every kind, and the end.

use serde_json::{Value, json};

use super::client::{Capabilities, Client, Options};
use super::workspace::{Workspace, block};

/// Opens a transcript and sees that the server does its work for it.
fn works(client: &mut Client, workspace: &Workspace) {
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("a", "fs.read", &[("path", "a.txt")]));
    assert_eq!(client.statuses(&chat), "0 ready: fs.read a.txt\n");
    client.expect_diagnostics(&chat, "");
}

fn workspace() -> Workspace {
    Workspace::new(&[("a.txt", "one\ntwo\n")])
}

#[test]
fn a_client_that_can_do_everything() {
    let workspace = workspace();
    let mut client = Client::with(Capabilities::pulling(), &workspace.uri(""));
    let can = client.server["capabilities"].clone();
    assert_eq!(client.server["serverInfo"]["name"], "operator-lsp");
    assert_eq!(can["positionEncoding"], "utf-16");
    assert_eq!(can["textDocumentSync"]["change"], 2, "incremental");
    assert_eq!(can["diagnosticProvider"]["interFileDependencies"], true);
    assert_eq!(can["codeActionProvider"]["resolveProvider"], true);
    works(&mut client, &workspace);
    client.until("two registrations", |client| (client.registered.len() >= 2).then_some(()));
    let registered: Vec<_> = client.registered.keys().map(String::as_str).collect();
    assert_eq!(registered, ["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"]);
}

#[test]
fn a_client_that_can_do_almost_nothing() {
    let workspace = workspace();
    let mut client = Client::with(Capabilities::bare(), &workspace.uri(""));
    let can = client.server["capabilities"].clone();
    assert_eq!(can["positionEncoding"], "utf-16");
    assert_eq!(can["diagnosticProvider"], Value::Null, "it pushes");
    assert_eq!(can["codeActionProvider"]["resolveProvider"], false);
    works(&mut client, &workspace);
    assert!(client.registered.is_empty());
}

#[test]
fn a_client_that_declares_nothing_at_all() {
    let workspace = workspace();
    let mut client = Client::with(Capabilities(json!({})), &workspace.uri(""));
    works(&mut client, &workspace);
}

#[test]
fn a_client_that_declares_what_is_not_known() {
    for (pointer, declared) in [
        ("/textDocument/semanticTokens/requests", json!({"range": {}, "full": {"delta": true}})),
        ("/textDocument/foldingRange/foldingRangeKind", json!({"valueSet": ["region", "custom"]})),
        ("/workspace/workspaceEdit/failureHandling", json!("as well as it can")),
        ("/textDocument/hover/contentFormat", json!(["html", "markdown"])),
        ("/textDocument/rename", json!({"prepareSupportDefaultBehavior": 2})),
        ("/general", json!(1)),
    ] {
        let workspace = workspace();
        let capabilities = Capabilities::everything().with(pointer, declared);
        let mut client = Client::with(capabilities, &workspace.uri(""));
        let can = &client.server["capabilities"];
        assert_eq!(can["codeActionProvider"]["resolveProvider"], true, "{pointer}");
        works(&mut client, &workspace);
    }
    let mut client = Client::connect(Options::new(&[]));
    client.shake_hands(json!({"capabilities": {}, "trace": "compact"}));
}

#[test]
fn a_client_without_refreshes_is_pushed_its_diagnostics() {
    let workspace = workspace();
    let mut client = Client::with(Capabilities::neovim(), &workspace.uri(""));
    assert_eq!(client.server["capabilities"]["diagnosticProvider"], Value::Null);
    works(&mut client, &workspace);
}

#[test]
fn the_clients_first_encoding_is_taken() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let workspace = workspace();
        let capabilities = Capabilities::everything().encoding(encoding);
        let mut client = Client::with(capabilities, &workspace.uri(""));
        assert_eq!(client.server["capabilities"]["positionEncoding"], encoding);
        works(&mut client, &workspace);
    }
}

#[test]
fn requests_are_answered_before_the_client_answers() {
    let workspace = workspace();
    let mut client = Client::connect(Options::new(&[]));
    client.mute = true;
    client.initialize(&[workspace.uri("")], Value::Null);
    works(&mut client, &workspace);
    client.speak();
    client.set_up();
}

#[test]
fn the_real_binary() {
    let workspace = workspace();
    let folders = [workspace.uri("")];
    let mut client = Client::start(Options { process: true, ..Options::new(&folders) });
    works(&mut client, &workspace);
    assert_eq!(client.shut_down(), 0, "its input is still open");
}

#[test]
fn exit_without_shutdown_is_no_success() {
    let workspace = workspace();
    let folders = [workspace.uri("")];
    let mut client = Client::start(Options { process: true, ..Options::new(&folders) });
    assert_eq!(client.exit(), 1, "its input is still open");
}

#[test]
fn a_client_that_is_gone_ends_the_server() {
    let mut client = Client::start(Options { process: true, ..Options::new(&[]) });
    assert_eq!(client.hang_up(), 1);
}

#[test]
fn exit_before_anything_ends_the_server() {
    let mut client = Client::connect(Options { process: true, ..Options::new(&[]) });
    assert_eq!(client.exit(), 1);
}
