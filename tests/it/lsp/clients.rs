//! Real editors, as far as the server sees them: their own `initialize` requests, recorded by
//! `tests/editors/record`, and then what each of them does next.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::{Capabilities, Client, OnEdit, Options, Unopened};
use super::workspace::{Workspace, block};

const EDITS: &str = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"two","text":"2"}]}"#;
const APPLY: &str = "refactor.rewrite.operator.apply";

/// What has to come out for an editor, and how it goes about things.
struct Expected {
    /// How positions count.
    encoding: &'static str,
    /// Whether diagnostics are pulled.
    pulls: bool,
    /// Whether the edit of an action is asked for when it is taken.
    resolves: bool,
    /// Whether files can be created by an edit.
    creates: bool,
    /// Whether an edit may go beyond the end of a document, where it is clamped then.
    clamps: bool,
    /// What it calls the language of the transcript.
    language: &'static str,
}

fn expected(editor: &str) -> Expected {
    match editor {
        "neovim" => Expected {
            encoding: "utf-8",
            pulls: false,
            resolves: true,
            creates: true,
            clamps: true,
            language: "markdown",
        },
        // It declares that diagnostics can be asked for again.
        "neovim-0.12" => Expected { pulls: true, ..expected("neovim") },
        "emacs" => Expected {
            encoding: "utf-16",
            pulls: false,
            resolves: false,
            creates: false,
            clamps: true,
            language: "operator",
        },
        // Its eglot counts characters, and resolves.
        "emacs-30" => Expected { encoding: "utf-32", resolves: true, ..expected("emacs") },
        "kakoune" => Expected {
            encoding: "utf-8",
            pulls: false,
            resolves: false,
            creates: true,
            clamps: false,
            language: "markdown",
        },
        "vscode" => Expected {
            encoding: "utf-16",
            pulls: true,
            resolves: true,
            creates: true,
            clamps: true,
            language: "markdown",
        },
        editor => panic!("say here what is expected of {editor}"),
    }
}

/// The editors of which there is a recording.
fn recorded() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/it/clients");
    let mut files: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 2, "{} holds the recordings", folder.display());
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap())
    };
    files.into_iter().map(read).collect()
}

/// Runs a test for every editor; a failure says for which.
fn for_each(test: fn(&str, &Expected, &mut Client, &Workspace)) {
    for (editor, request) in recorded() {
        eprintln!("{editor}");
        let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
        let mut client = start(&request, &workspace);
        test(&editor, &expected(&editor), &mut client, &workspace);
    }
}

/// The real binary after the editor's own handshake, in a workspace.
fn start(request: &Value, workspace: &Workspace) -> Client {
    let root = workspace.uri("");
    let place = root.strip_prefix("file://").unwrap().trim_end_matches('/').to_owned();
    let text = request.to_string().replace("/workspace", &place);
    let mut params: Value = serde_json::from_str(&text).unwrap();
    params["processId"] = std::process::id().into();
    // A work done token belongs to an editor that follows it.
    params.as_object_mut().unwrap().remove("workDoneToken");
    let capabilities = Capabilities(request["capabilities"].clone());
    let options = Options { capabilities, process: true, ..Options::new(&[root]) };
    let mut client = Client::connect(options);
    client.shake_hands(params);
    client
}

#[test]
fn the_answer_fits_the_editor() {
    for_each(|editor, expected, client, _| {
        let can = &client.server["capabilities"];
        assert_eq!(can["positionEncoding"], expected.encoding, "{editor}");
        assert_eq!(can["diagnosticProvider"].is_object(), expected.pulls, "{editor}");
        let sync = json!({"openClose": true, "change": 2, "save": {"includeText": false}});
        assert_eq!(can["textDocumentSync"], sync, "{editor}");
        let actions = &can["codeActionProvider"];
        assert_eq!(actions["resolveProvider"], expected.resolves, "{editor}");
        let kinds = actions["codeActionKinds"].as_array().unwrap();
        assert!(kinds.contains(&json!(APPLY)) && kinds.contains(&json!("quickfix")), "{editor}");
        let commands = can["executeCommandProvider"]["commands"].as_array().unwrap();
        assert!(commands.contains(&json!("operator.apply")), "{editor}");
    });
}

#[test]
fn a_block_is_seen_mended_and_applied() {
    for_each(|editor, expected, client, workspace| {
        client.unopened = Unopened::Open;
        let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
        let text = block("e1", "fs.aplyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]);
        client.open(&chat, expected.language, &format!("\u{1f600}\n{text}"));
        let problem = "`fs.aplyEdits` is no action; did you mean `fs.applyEdits`?".to_owned();
        let line = format!("4:8-4:20 error operator/unknown-action: {problem}\n");
        client.expect_diagnostics(&chat, &line);
        client.take_titled(&chat, 0, "Use `fs.applyEdits`");
        client.take_block_action(&chat, 0, APPLY);
        assert_eq!(client.text(&target), "one\n2\n", "{editor}");
        assert_eq!(client.statuses(&chat), "0 applied: fs.applyEdits a.txt\n", "{editor}");
    });
}

#[test]
fn a_command_asks_the_editor_for_its_edit() {
    for_each(|editor, expected, client, workspace| {
        let chat = workspace.uri("chat.md");
        let text = block("w1", "fs.write", &[("path", "b.txt"), ("content_b64", "new\n")]);
        client.open(&chat, expected.language, &text);
        client.on_edit = OnEdit::Apply;
        let answer = client.command("operator.apply", &json!({"uri": chat, "block": 0}));
        if expected.creates {
            assert_eq!(answer, Ok(json!({"applied": true})), "{editor}");
            assert_eq!(workspace.text("b.txt"), "new\n", "{editor}");
            let content = &client.edits_made[0]["documentChanges"][1]["edits"][0];
            let end = json!({"line": i32::from(expected.clamps), "character": 0});
            assert_eq!(content["range"]["end"], end, "{editor}");
        } else {
            let message = answer.unwrap_err().message;
            assert!(message.contains("does not let a language server create files"), "{message}");
            assert_eq!(workspace.text("b.txt"), "(not there)", "{editor}");
        }
    });
}
