//! Three ways to carry a transcript out on a tree: the command line, action by action, and all
//! at once.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::client::{Capabilities, Client, OnEdit};
use super::workspace::{Tree, Workspace, path_of};

/// The transcript's URI: no file, so that it is in no tree.
pub const CHAT: &str = "untitled:chat";

/// The real binary with a state of its own, in a workspace.
pub struct CommandLine<'a> {
    workspace: &'a Workspace,
    /// Its own state; `None` for the one of servers in this process.
    state: Option<tempfile::TempDir>,
}

impl CommandLine<'_> {
    /// The binary in a workspace.
    pub fn new(workspace: &Workspace) -> CommandLine<'_> {
        CommandLine { workspace, state: Some(tempfile::tempdir().unwrap()) }
    }

    /// The binary with the state of servers in this process.
    pub fn sharing(workspace: &Workspace) -> CommandLine<'_> {
        CommandLine { workspace, state: None }
    }

    /// `apply --yes` of a transcript in the workspace; returns what it prints as JSON.
    pub fn apply_file(&self, path: &str) -> Value {
        let file = self.workspace.root().join(path);
        let file = file.to_str().unwrap();
        serde_json::from_slice(&self.run(&["apply", file, "--yes", "--format", "json"])).unwrap()
    }

    /// `apply --yes`; gives what it prints with `--format json`.
    pub fn apply(&self, transcript: &str) -> Value {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("chat.md");
        std::fs::write(&file, transcript).unwrap();
        let output = self.run(&["apply", file.to_str().unwrap(), "--yes", "--format", "json"]);
        serde_json::from_slice(&output).unwrap()
    }

    /// `reply` of a transcript in the workspace.
    pub fn reply(&self, path: &str) -> String {
        String::from_utf8(self.run(&["reply", path])).unwrap()
    }

    /// `undo`
    pub fn undo(&self) {
        self.run(&["undo"]);
    }

    fn run(&self, arguments: &[&str]) -> Vec<u8> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_operator-lsp"));
        command.args(arguments).arg("--root").arg(self.workspace.root()).stdin(Stdio::null());
        command.current_dir(self.workspace.root());
        if let Some(state) = &self.state {
            command.env("OPERATOR_LSP_STATE_DIR", state.path());
        }
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {said}");
        output.stdout
    }
}

/// A client on a workspace, with some of its files open.
pub fn client(workspace: &Workspace, capabilities: Capabilities, open: &[String]) -> Client {
    let mut client = Client::with(capabilities, &workspace.uri(""));
    client.set_up();
    for path in open {
        let text = workspace.text(path);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        client.open(&workspace.uri(path), "plaintext", text);
    }
    client
}

/// Takes every apply action in order, as long as there is one; each must come to what its
/// preview shows.
pub fn one_by_one(client: &mut Client, transcript: &str) {
    client.open(CHAT, "markdown", transcript);
    let mut done = Vec::new();
    for index in 0..client.proposals(CHAT).len() {
        let proposal = client.proposals(CHAT)[index].clone();
        assert_ne!(proposal["status"], "applied", "before its turn: {proposal:#}");
        if proposal["status"] != "ready" || proposal["effect"] != "write" {
            continue;
        }
        let params = json!({"textDocument": {"uri": CHAT}, "block": index});
        let preview = client.ask("operator/preview", params);
        client.take_block_action(CHAT, index, "refactor.rewrite.operator.apply");
        for file in preview["files"].as_array().unwrap() {
            let uri = file["uri"].as_str().unwrap();
            assert_eq!(file["after"], current(client, uri), "{uri} after {proposal:#}");
        }
        let now = client.proposals(CHAT)[index]["status"].clone();
        assert_eq!(now, "applied", "{proposal:#}");
        done.push(index);
    }
    // What was done stays so, whatever the blocks after it did with the same files.
    let now = client.proposals(CHAT);
    for index in done {
        assert_eq!(now[index]["status"], "applied", "{:#}", now[index]);
    }
}

/// A file's text as the editor has it.
fn current(client: &Client, uri: &str) -> Value {
    if let Some(document) = client.documents.get(uri) {
        return json!(document.text);
    }
    let text = std::fs::read_to_string(path_of(uri));
    text.map_or(Value::Null, |text| json!(text.strip_prefix('\u{feff}').unwrap_or(&text)))
}

/// Applies everything that can be as one edit.
pub fn all_at_once(client: &mut Client, transcript: &str) {
    client.open(CHAT, "markdown", transcript);
    client.on_edit = OnEdit::Apply;
    if let Err(error) = client.command("operator.applyAll", &json!({"uri": CHAT})) {
        assert_eq!(error.message, "no proposal of this transcript can be applied");
    }
}

/// Writes every open file to disk, as saving all does, and gives the tree.
pub fn saved(client: &mut Client, workspace: &Workspace) -> Tree {
    let open: Vec<_> =
        client.documents.keys().filter(|uri| uri.starts_with("file:")).cloned().collect();
    for uri in open {
        let path = path_of(&uri);
        let old = std::fs::read(&path).unwrap();
        let mark = if old.starts_with("\u{feff}".as_bytes()) { "\u{feff}" } else { "" };
        std::fs::write(&path, format!("{mark}{}", client.text(&uri))).unwrap();
    }
    workspace.tree()
}
