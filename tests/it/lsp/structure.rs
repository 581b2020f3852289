//! Structures in an editor: `operator/structure`, and what is shown of targets.

use serde_json::{Value, json};

use super::client::{Capabilities, Client, Options};
use super::workspace::{Workspace, block};

const CODE: &str =
    "class A:\n    def run(self):\n        return 1\n\n\nclass B:\n    def run(self): ...\n";

fn client(workspace: &Workspace) -> Client {
    Client::new(&workspace.uri(""))
}

fn replace(target: &str, content: &str) -> Value {
    json!({"op": "replace_structure", "path": "a.py", "target": target, "content": content})
}

/// The shown text of an open transcript at the first `needle`.
fn at(client: &Client, uri: &str, needle: &str) -> Value {
    let text = client.text(uri);
    let found = text.find(needle).unwrap_or_else(|| panic!("{needle:?} is not there"));
    let position = super::client::position(text, found + needle.len(), client.encoding);
    json!({"textDocument": {"uri": uri}, "position": position})
}

/// A client with a transcript of one block about `a.py`.
fn showing(workspace: &Workspace, target: &str) -> (Client, String) {
    let mut client = client(workspace);
    let chat = workspace.uri("chat.md");
    let fields = [("path", "a.py"), ("target_b64", target)];
    client.open(&chat, "markdown", &block("r", "fs.readStructure", &fields));
    (client, chat)
}

#[test]
fn the_open_buffer_is_what_counts() {
    let workspace = Workspace::new(&[("a.py", CODE)]);
    let mut client = client(&workspace);
    let uri = workspace.uri("a.py");
    client.open(&uri, "python", &CODE.replace("class B", "class C"));
    let answer = client.ask("operator/structure", replace("C", "class C: ..."));
    assert_eq!(answer["ok"], true, "{answer:#}");
    assert_eq!(answer["edit"]["documentChanges"][0]["textDocument"]["version"], 1, "{answer:#}");
    client.apply(&answer["edit"]).unwrap();
    assert!(client.text(&uri).ends_with("\n\n\nclass C: ...\n"), "{}", client.text(&uri));
    assert_eq!(workspace.text("a.py"), CODE, "the server writes nothing itself");
    let answer = client.ask("operator/structure", replace("B", "class B: ..."));
    assert_eq!(answer["error"]["error"], "TARGET_NOT_FOUND");
    assert_eq!(answer["edit"], Value::Null);
}

#[test]
fn what_reads_gives_no_edit() {
    let workspace = Workspace::new(&[("a.py", CODE)]);
    let mut client = client(&workspace);
    let read = json!({"op": "read_structure", "path": "a.py", "target": "run"});
    let answer = client.ask("operator/structure", read);
    assert_eq!(answer["result"]["matches"][0]["text"], "def run(self):\n    return 1");
    assert_eq!((&answer["ok"], &answer["edit"]), (&json!(true), &Value::Null));
    let absolute = workspace.root().join("a.py");
    let answer =
        client.ask("operator/structure", json!({"op": "outline", "path": absolute.to_str()}));
    let targets: Vec<_> = answer["result"]["files"][0]["structures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["target"].as_str().unwrap())
        .collect();
    assert_eq!(targets, ["A", "A\nrun", "B", "B\nrun"]);
}

#[test]
fn a_stated_base_has_to_hold() {
    let workspace = Workspace::new(&[("a.py", CODE)]);
    let mut client = client(&workspace);
    let uri = workspace.uri("a.py");
    let base = client.fingerprint(&uri);
    let mut asked = replace("B", "class B: ...");
    asked["base_fingerprint"] = base.into();
    assert_eq!(client.ask("operator/structure", asked.clone())["ok"], true);
    client.open(&uri, "python", &format!("{CODE}\n"));
    let answer = client.ask("operator/structure", asked);
    assert_eq!(answer["error"]["error"], "FILE_CHANGED");
}

#[test]
fn what_is_no_operation_is_an_error() {
    let workspace = Workspace::new(&[("a.py", CODE)]);
    let mut client = client(&workspace);
    let mut unknown = replace("B", "x");
    unknown["op"] = "rename_structure".into();
    let mut more = replace("B", "x");
    more["side"] = "before".into();
    let mut less = replace("B", "x");
    less.as_object_mut().unwrap().remove("content");
    let mut base = replace("B", "x");
    base["base_fingerprint"] = "sha256:0".into();
    for params in [unknown, more, less, base] {
        assert_eq!(client.fail("operator/structure", params).code, -32602);
    }
}

#[test]
fn an_editor_that_cannot_make_a_file_is_not_asked_to() {
    let workspace = Workspace::new(&[("a.py", CODE)]);
    let capabilities =
        Capabilities::everything().with("/workspace/workspaceEdit/resourceOperations", json!([]));
    let options = Options::new(&[workspace.uri("")]);
    let mut client = Client::start(Options { capabilities, ..options });
    let params = json!({
        "op": "move_structure_to_file_end", "source_path": "a.py", "source_target": "B",
        "dest_path": "b.py",
    });
    let error = client.fail("operator/structure", params);
    assert_eq!(error.code, -32803, "{error:?}");
}

#[test]
fn targets_are_offered_by_their_names_and_taken_as_base64() {
    let workspace = Workspace::new(&[("a.py", CODE)]);
    let mut client = client(&workspace);
    let chat = workspace.uri("chat.md");
    let text = "OPERATOR_CMD\nversion: 1\nid: a\naction: fs.readStructure\npath: a.py\ntarget_b64: ru\nEND_OPERATOR_CMD\n";
    client.open(&chat, "markdown", text);
    let params = at(&client, &chat, "target_b64: ru");
    let items = client.ask("textDocument/completion", params);
    let shown: Vec<_> = items
        .as_array()
        .unwrap()
        .iter()
        .map(|item| format!("{} {}", item["label"], item["textEdit"]["newText"]))
        .collect();
    assert_eq!(shown, [r#""A › run" "QQpydW4=""#, r#""B › run" "QgpydW4=""#]);
}

#[test]
fn a_target_shows_what_it_means() {
    let workspace = Workspace::new(&[("a.py", CODE)]);
    let (mut client, chat) = showing(&workspace, "A\nrun");
    let params = at(&client, &chat, "target_b64: ");
    let hover = client.ask("textDocument/hover", params.clone());
    let text = hover["contents"]["value"].as_str().unwrap();
    let expected = "`A › run` in `a.py`: 1 structure\n\nlines 2–3\n\n```python\ndef run(self):\n    return 1\n```";
    assert_eq!(text, expected);
    let found = client.ask("textDocument/definition", params);
    let range = json!({"start": {"line": 1, "character": 4}, "end": {"line": 2, "character": 16}});
    assert_eq!(found[0]["targetRange"], range, "{found:#}");
    assert_eq!(found[0]["targetUri"], workspace.uri("a.py"));
}

#[test]
fn a_target_that_fits_nothing_says_so() {
    let workspace = Workspace::new(&[("a.py", CODE)]);
    let (mut client, chat) = showing(&workspace, "stop");
    let params = at(&client, &chat, "target_b64: ");
    let hover = client.ask("textDocument/hover", params.clone());
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("`stop` in `a.py`\n\n"));
    assert_eq!(client.ask("textDocument/definition", params), Value::Null);
}

#[test]
fn code_has_no_symbols_of_ours() {
    let workspace = Workspace::new(&[("a.py", CODE), ("b.md", "# One\n\ntext\n")]);
    let mut client = client(&workspace);
    for (path, language, text) in [("a.py", "python", CODE), ("b.md", "markdown", "# One\n")] {
        let uri = workspace.uri(path);
        client.open(&uri, language, text);
        let params = json!({"textDocument": {"uri": uri}});
        let symbols = client.ask("textDocument/documentSymbol", params);
        assert!(symbols.is_null() || symbols == json!([]), "{path}: {symbols}");
    }
}
