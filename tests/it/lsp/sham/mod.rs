//! Blocks of the dialect `sham` in an editor.

mod exec;
mod replies;
mod shown;
mod written;

use serde_json::{Value, json};

use super::client::Client;
use super::workspace::Workspace;

/// One block; a value of several lines is a heredoc, and `{w}` is the workspace.
fn block(workspace: &Workspace, id: &str, action: &str, fields: &[(&str, &str)]) -> String {
    let mut text = format!("#!SHAM [@three-char-SHA-256: {id}]\naction = \"{action}\"\n");
    for (name, value) in fields {
        text += &match value.contains('\n') {
            true => format!("{name} = <<'EOT_SHAM_{id}'\n{value}EOT_SHAM_{id}\n"),
            false => format!("{name} = \"{value}\"\n"),
        };
    }
    text += &format!("#!END_SHAM_{id}\n");
    text.replace("{w}", &workspace.home())
}

/// A client with one transcript.
fn showing(workspace: &Workspace, text: &str) -> (Client, String) {
    let mut client = Client::new(&workspace.uri(""));
    client.on_edit = super::client::OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", text);
    (client, chat)
}

/// Asks about the whole document.
fn ask(client: &mut Client, method: &str, uri: &str) -> Vec<Value> {
    let end = json!({"line": 9999, "character": 0});
    let range = json!({"start": {"line": 0, "character": 0}, "end": end});
    let answer = client.ask(method, json!({"textDocument": {"uri": uri}, "range": range}));
    answer.as_array().cloned().unwrap_or_default()
}

/// The JSON objects that are in a text, each from a line `{` to a line `}`.
fn results(text: &str) -> Vec<Value> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = lines.iter().enumerate().filter(|(_, line)| **line == "{").map(|(at, _)| at);
    let object = |start: usize| {
        let end = lines[start..].iter().position(|line| *line == "}").unwrap();
        serde_json::from_str(&lines[start..=start + end].join("\n")).unwrap()
    };
    starts.map(object).collect()
}

/// What the only result in a text says of each block, a line each: id, success, error, data.
fn told(text: &str) -> String {
    let results = results(text);
    assert_eq!(results.len(), 1, "{text}");
    let one = |result: &Value| {
        let id = result["blockId"].as_str().unwrap();
        match result["error"].as_str() {
            Some(error) => format!("{id}: {error}\n"),
            None => format!("{id} {}\n", result["data"]),
        }
    };
    results[0]["results"].as_array().unwrap().iter().map(one).collect()
}
