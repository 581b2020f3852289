//! Whole conversations with the language server: a person who pastes blocks, applies, undoes and
//! types, with a small editor. Every request is answered, every range lies in its text, an edit is
//! made once, and what an undo gives back is what was there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::duplex;

use crate::choices::Choices;
use crate::client::Client;
use crate::world::world;
use crate::{blocks, runtime};

const CHAT: &str = "chat.md";
/// How many things happen at most.
const MOST: usize = 24;

/// Checks one input: each thing that happens is a few bytes.
pub fn run(input: &[u8]) {
    let root = fresh();
    runtime::run(async {
        let (to, input_end) = duplex(1 << 20);
        let (output_end, from) = duplex(1 << 20);
        let mut client = Client::new(to, from, &root);
        let mut choices = Choices::new(input);
        let talk = async {
            client.begin().await;
            let text = blocks::transcript(&mut choices);
            client.open(CHAT, "markdown", text).await;
            for _ in 0..MOST {
                if choices.is_over() {
                    break;
                }
                act(&mut client, &mut choices, &root).await;
            }
            proposals(&mut client).await;
            client.end().await;
        };
        tokio::join!(talk, operator_lsp::lsp::serve(input_end, output_end));
    });
}

/// The folders of this process: a workspace as at the beginning, and an empty undo journal.
fn fresh() -> PathBuf {
    static PLACE: OnceLock<TempDir> = OnceLock::new();
    let place = PLACE.get_or_init(|| {
        let place = tempfile::tempdir().expect("a temporary folder can be made");
        // SAFETY: no other thread is there yet that reads or writes the environment.
        unsafe { std::env::set_var("OPERATOR_LSP_STATE_DIR", place.path().join("state")) };
        place
    });
    let root = fs::canonicalize(place.path()).expect("it is there").join("ws");
    let _ = fs::remove_dir_all(place.path().join("state"));
    let _ = fs::remove_dir_all(&root);
    for (path, bytes) in world().files {
        let at = root.join(path);
        let parent = at.parent().expect("it is in a folder");
        fs::create_dir_all(parent).expect("a folder can be made");
        fs::write(at, bytes).expect("a file can be written");
    }
    root
}

async fn act(client: &mut Client, choices: &mut Choices<'_>, root: &Path) {
    match choices.below(12) {
        0 => paste(client, choices).await,
        1 => cut(client, choices).await,
        2 | 3 => take_action(client, choices).await,
        4 => apply(client, choices, root).await,
        5 => _ = command(client, "operator.applyAll", json!({"uri": client.uri(CHAT)})).await,
        6 => _ = command(client, "operator.undo", Value::Null).await,
        7 => _ = command(client, "operator.redo", Value::Null).await,
        8 => open_or_type(client, choices, root).await,
        9 => {
            let paths: Vec<String> = client.documents.keys().cloned().collect();
            let path = choices.pick(&paths).clone();
            client.save(&path).await;
        }
        10 => written_by_others(client, choices, root).await,
        _ => look(client, choices).await,
    }
}

/// Pastes a block at the beginning of a line.
async fn paste(client: &mut Client, choices: &mut Choices<'_>) {
    let Some(document) = client.documents.get(CHAT) else { return };
    let at = document.text.floor_char_boundary(choices.large().min(document.text.len()));
    let at = document.text[..at].rfind('\n').map_or(0, |end| end + 1);
    let text = blocks::transcript(choices);
    client.edit(CHAT, at, at, &text).await;
}

/// Takes some of the transcript away, or types into it.
async fn cut(client: &mut Client, choices: &mut Choices<'_>) {
    let Some(document) = client.documents.get(CHAT) else { return };
    let text = &document.text;
    let start = text.floor_char_boundary(choices.large() % (text.len() + 1));
    let end = text.floor_char_boundary((start + choices.below(40)).min(text.len()));
    let new = choices.raw(8);
    client.edit(CHAT, start, end.max(start), &new).await;
}

async fn command(client: &mut Client, name: &str, argument: Value) -> Result<Value, Value> {
    let arguments = if argument.is_null() { json!([]) } else { json!([argument]) };
    client.ask("workspace/executeCommand", json!({"command": name, "arguments": arguments})).await
}

/// The statuses of the blocks; their ranges lie in the text.
async fn proposals(client: &mut Client) -> Vec<String> {
    let about = json!({"textDocument": {"uri": client.uri(CHAT)}});
    let Ok(Value::Array(all)) = client.ask("operator/proposals", about).await else {
        return Vec::new();
    };
    let text = client.documents.get(CHAT).map(|it| it.text.clone()).unwrap_or_default();
    for one in &all {
        client.hold_range(&text, &one["range"]);
    }
    all.iter().map(|it| it["status"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Takes one of the actions that are offered for the whole transcript.
async fn take_action(client: &mut Client, choices: &mut Choices<'_>) {
    let Some(document) = client.documents.get(CHAT) else { return };
    let lines = document.text.split(['\n', '\r']).count();
    let end = json!({"line": lines, "character": 0});
    let range = json!({"start": {"line": 0, "character": 0}, "end": end});
    let document = json!({"uri": client.uri(CHAT)});
    let context = json!({"diagnostics": []});
    let params = json!({"textDocument": document, "range": range, "context": context});
    let Ok(Value::Array(actions)) = client.ask("textDocument/codeAction", params).await else {
        return;
    };
    if actions.is_empty() {
        return;
    }
    let action = choices.pick(&actions).clone();
    let action = match action["edit"].is_null() && !action["data"].is_null() {
        true => client.ask("codeAction/resolve", action).await,
        false => Ok(action),
    };
    let Ok(action) = action else { return };
    let made = client.make(&action["edit"]).await;
    if made && let Some(name) = action["command"]["command"].as_str() {
        let argument = action["command"]["arguments"][0].clone();
        let _ = command(client, name, argument).await;
    }
}

/// What the files hold for a person: open documents before the disk.
fn shown(client: &Client, root: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    read(root, root, &mut all);
    all.extend(client.documents.iter().map(|(path, it)| (path.clone(), it.text.clone())));
    all
}

fn read(root: &Path, at: &Path, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(at).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(root, &path, all);
        } else if let Ok(bytes) = fs::read(&path) {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let text = String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned();
            all.insert(name, text);
        }
    }
}

/// Applies a block by the command. It is applied then, and may not be applied again. Sometimes it is
/// undone at once, and all is as it was.
async fn apply(client: &mut Client, choices: &mut Choices<'_>, root: &Path) {
    let statuses = proposals(client).await;
    let ready: Vec<usize> = (0..statuses.len()).filter(|it| statuses[*it] == "ready").collect();
    if ready.is_empty() {
        return;
    }
    let block = *choices.pick(&ready);
    let argument = json!({"uri": client.uri(CHAT), "block": block});
    let before = shown(client, root);
    let done = command(client, "operator.apply", argument.clone()).await;
    let changes = done.ok().and_then(|it| it["changes"].as_u64()).unwrap_or(0);
    if changes == 0 || shown(client, root) == before {
        return;
    }
    let after = shown(client, root);
    let now = proposals(client).await;
    assert_eq!(now[block], "applied", "block {block} of {now:?}");
    let again = command(client, "operator.apply", argument).await;
    assert!(again.is_err(), "applied twice: {again:?}");
    assert_eq!(shown(client, root), after, "nothing is done again");
    if choices.rarely(2) && command(client, "operator.undo", Value::Null).await.is_ok() {
        assert_eq!(shown(client, root), before, "an undo gives back what was there");
        let now = proposals(client).await;
        assert_ne!(now[block], "applied", "block {block} of {now:?}");
    }
}

async fn open_or_type(client: &mut Client, choices: &mut Choices<'_>, root: &Path) {
    let path = blocks::PATHS[choices.below(8)];
    if let Some(document) = client.documents.get(path) {
        let at = document.text.floor_char_boundary(choices.below(64).min(document.text.len()));
        let text = choices.raw(6);
        match choices.rarely(4) {
            true => client.close(path).await,
            false => client.edit(path, at, at, &text).await,
        }
    } else if let Ok(text) = fs::read_to_string(root.join(path)) {
        let text = text.trim_start_matches('\u{feff}').to_owned();
        client.open(path, "plaintext", text).await;
    }
}

/// Another program writes or removes a file, and the editor tells.
async fn written_by_others(client: &mut Client, choices: &mut Choices<'_>, root: &Path) {
    let path = blocks::PATHS[choices.below(8)];
    let at = root.join(path);
    let kind = match choices.rarely(4) {
        true => fs::remove_file(&at).map(|()| 3),
        false => fs::write(&at, choices.raw(20)).map(|()| 2),
    };
    if let Ok(kind) = kind {
        let changes = json!([{"uri": client.uri(path), "type": kind}]);
        client.tell("workspace/didChangeWatchedFiles", json!({"changes": changes})).await;
    }
}

/// One of the requests that change nothing.
async fn look(client: &mut Client, choices: &mut Choices<'_>) {
    const METHODS: [&str; 8] = [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/definition",
        "textDocument/documentSymbol",
        "textDocument/codeLens",
        "textDocument/foldingRange",
        "textDocument/semanticTokens/full",
        "operator/preview",
    ];
    let method = *choices.pick(&METHODS);
    let position = json!({"line": choices.below(40), "character": choices.below(12)});
    let document = json!({"uri": client.uri(CHAT)});
    let params = json!({"textDocument": document, "position": position, "block": choices.below(4)});
    let _ = client.ask(method, params).await;
}
