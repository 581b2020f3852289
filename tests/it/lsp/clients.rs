//! Real editors, as far as the server sees them: their own `initialize` requests, recorded by
//! `tests/editors/record`, and then what each of them does next.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::{Capabilities, Client, OnEdit, Options, Unopened, titles};
use super::workspace::{Workspace, block};

const EDITS: &str = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"two","text":"2"}]}"#;
const APPLY: &str = "refactor.rewrite.operator.apply";

/// What must come out for an editor, and how it goes about things.
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
    /// Whether it leaves what an action does to the server, and what is said of it.
    by_command: bool,
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
            by_command: false,
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
            by_command: false,
        },
        "helix" => Expected {
            encoding: "utf-8",
            pulls: false,
            resolves: false,
            creates: true,
            clamps: true,
            language: "markdown",
            by_command: true,
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
            by_command: false,
        },
        "vscode" => Expected {
            encoding: "utf-16",
            pulls: true,
            resolves: true,
            creates: true,
            clamps: true,
            language: "markdown",
            by_command: false,
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
        let expected = expected(&editor);
        if expected.by_command {
            client.on_edit = OnEdit::Apply;
            client.version_when_opened = Some(0);
        }
        test(&editor, &expected, &mut client, &workspace);
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
        let problem = "unknown action `fs.aplyEdits`; did you mean `fs.applyEdits`?".to_owned();
        let line = format!("4:8-4:20 error operator/unknown-action: {problem}\n");
        client.expect_diagnostics(&chat, &line);
        client.take_titled(&chat, 0, "Use `fs.applyEdits`");
        client.take_block_action(&chat, 0, APPLY);
        assert_eq!(client.text(&target), "one\n2\n", "{editor}");
        assert_eq!(client.statuses(&chat), "0 applied: fs.applyEdits a.txt\n", "{editor}");
        if expected.by_command {
            assert_eq!(client.next_shown(), "applied fs.applyEdits a.txt, not saved yet");
        }
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
            assert_eq!(answer, Ok(json!({"applied": true, "changes": 1, "files": 1})), "{editor}");
            assert_eq!(workspace.text("b.txt"), "new\n", "{editor}");
            let content = &client.edits_made[0]["documentChanges"][1]["edits"][0];
            let end = json!({"line": i32::from(expected.clamps), "character": 0});
            assert_eq!(content["range"]["end"], end, "{editor}");
        } else {
            let message = answer.unwrap_err().message;
            assert!(message.contains("does not let a language server create files"), "{message}");
            assert_eq!(workspace.text("b.txt"), "(not there)", "{editor}");
        }
        if expected.by_command {
            assert_eq!(client.next_shown(), "applied fs.write b.txt, not saved yet");
        }
    });
}

/// Runs a test as Helix, in a workspace with a transcript of one edit of `a.txt`.
fn as_helix(test: fn(&mut Client, &Workspace, &str)) {
    let (_, request) = recorded().into_iter().find(|(editor, _)| editor == "helix").unwrap();
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n"), ("gone.txt", "x\n")]);
    let mut client = start(&request, &workspace);
    client.on_edit = OnEdit::Apply;
    client.version_when_opened = Some(0);
    let chat = workspace.uri("chat.md");
    let edits = block("e1", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]);
    client.open(&chat, "markdown", &(edits + &block("d1", "fs.delete", &[("path", "gone.txt")])));
    test(&mut client, &workspace, &chat);
}

#[test]
fn helix_gets_commands_and_is_told_what_comes_of_them() {
    as_helix(|client, workspace, chat| {
        let actions = client.block_actions(chat, 0, &[]);
        for action in &actions {
            assert!(action["edit"].is_null() && action["command"].is_object(), "{action:#}");
        }
        let expected = "Apply fs.applyEdits a.txt\nApply fs.applyEdits a.txt and insert the reply\n\
             Reject fs.applyEdits a.txt and insert the reply\n\
             Apply all changes in this chat (2)\n";
        assert_eq!(titles(&actions), expected);
        client.take_action(actions[0].clone());
        assert_eq!(client.next_shown(), "applied fs.applyEdits a.txt, not saved yet");
        client.take_block_action(chat, 0, "source.operator.applyAll");
        assert_eq!(client.next_shown(), "applied 1 proposal");
        assert_eq!(client.progressed + client.progress.len(), 0, "it would hide the message");
        assert!(client.command("operator.undo", &Value::Null).is_ok());
        assert_eq!(client.next_shown(), "undid fs.delete gone.txt, not saved yet");
        // It says nothing of a file that is gone.
        client.take_block_action(chat, 1, APPLY);
        assert_eq!(client.next_shown(), "applied fs.delete gone.txt");
        assert_eq!(workspace.text("gone.txt"), "(not there)");
        let expected = "0 applied: fs.applyEdits a.txt\n1 applied: fs.delete gone.txt\n";
        assert_eq!(client.statuses(chat), expected);
        assert!(client.command("operator.undo", &Value::Null).is_ok());
        assert_eq!(client.next_shown(), "undid fs.delete gone.txt, not saved yet");
        assert_eq!(workspace.text("gone.txt"), "x\n");
        client.take_block_action(chat, 1, "refactor.rewrite.operator.reject");
        assert!(client.text(chat).contains("summary: refused by the user\n"));
    });
}

#[test]
fn helix_is_told_what_is_refused() {
    as_helix(|client, workspace, chat| {
        let offered = client.action(chat, 0, APPLY);
        workspace.put("a.txt", "one\nthree\n");
        let command = &offered["command"];
        let error = client.command(command["command"].as_str().unwrap(), &command["arguments"][0]);
        let says = error.unwrap_err().message;
        assert_eq!(says, "a target has changed since this was offered");
        assert_eq!(client.next_shown(), says);
        assert!(client.edits_made.is_empty());
        let error = client.command("operator.undo", &Value::Null).unwrap_err();
        assert_eq!(error.message, "nothing to undo");
        assert_eq!(client.next_shown(), error.message);
    });
}

#[test]
fn what_is_typed_where_helix_does_not_show_it_is_not_edited() {
    as_helix(|client, workspace, chat| {
        client.unseen.insert(workspace.uri("a.txt"), 3);
        let argument = json!({"uri": chat, "block": 0});
        let error = client.command("operator.apply", &argument).unwrap_err();
        let advice = "edits in a.txt are not seen by the server: save and close it, then try again";
        assert!(error.message.contains(advice), "{}", error.message);
        assert_eq!(client.next_shown(), error.message);
        assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
        client.unseen.clear();
        assert!(client.command("operator.apply", &argument).is_ok());
        assert_eq!(client.next_shown(), "applied fs.applyEdits a.txt, not saved yet");
        assert_eq!(workspace.text("a.txt"), "one\n2\n");
    });
}

#[test]
fn helix_is_asked_first_for_what_it_may_refuse() {
    as_helix(|client, workspace, _| {
        workspace.put("c.txt", "one\ntwo\n");
        client.open(&workspace.uri("a.txt"), "text", "one\ntwo\n");
        let edits = |id: &str, path: &str| {
            block(id, "fs.applyEdits", &[("path", path), ("edits_b64", EDITS)])
        };
        let both = workspace.uri("both.md");
        client.open(&both, "markdown", &(edits("e1", "a.txt") + &edits("e2", "c.txt")));
        client.unseen.insert(workspace.uri("c.txt"), 3);
        let argument = json!({"uri": both});
        let error = client.command("operator.applyAll", &argument).unwrap_err();
        assert!(
            error.message.contains("edits in c.txt are not seen by the server"),
            "{}",
            error.message
        );
        assert_eq!(client.next_shown(), error.message);
        assert_eq!(client.text(&workspace.uri("a.txt")), "one\ntwo\n");
        client.unseen.clear();
        assert!(client.command("operator.applyAll", &argument).is_ok());
        assert_eq!(client.next_shown(), "applied 2 proposals, not saved yet");
        assert_eq!(client.text(&workspace.uri("a.txt")), "one\n2\n");
        assert_eq!(workspace.text("c.txt"), "one\n2\n");
    });
}

/// Says that a line was put into a document before another.
fn insert_line(client: &mut Client, uri: &str, version: i32, line: u32, text: &str) {
    let place = json!({"line": line, "character": 0});
    let changes = json!([{"range": {"start": place, "end": place}, "text": text}]);
    let document = json!({"uri": uri, "version": version});
    let params = json!({"textDocument": document, "contentChanges": changes});
    client.notify("textDocument/didChange", params);
}

#[test]
fn changes_of_helix_that_overtake_others_wait_for_them() {
    as_helix(|client, workspace, _| {
        let (uri, other) = (workspace.uri("b.zig"), workspace.uri("c.zig"));
        insert_line(client, &uri, 1, 1, "two\n");
        insert_line(client, &uri, 3, 3, "four\n");
        let opened = json!({"uri": uri, "languageId": "zig", "version": 0, "text": "one\n"});
        client.notify("textDocument/didOpen", json!({"textDocument": opened}));
        insert_line(client, &uri, 2, 2, "three\n");
        client.open(&other, "zig", "one\ntwo\nthree\nfour\n");
        let (now, expected) = (client.fingerprint(&uri), client.fingerprint(&other));
        assert_eq!(now, expected);
    });
}
