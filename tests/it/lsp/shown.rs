//! What a user sees: lenses, hovers, completions, links, symbols, folds, colours and hints.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::client::{Capabilities, Client, lines};
use super::workspace::{Workspace, block};

const EDITS: &str = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"two","text":"2"},{"op":"insertAfter","anchor":"one\n","text":"1.5\n"}]}"#;

fn workspace() -> Workspace {
    Workspace::new(&[("src/a.py", "one\ntwo\n"), ("src/b.txt", "b\n"), ("c.txt", "c\n")])
}

/// A client with one transcript.
fn showing(workspace: &Workspace, text: &str) -> (Client, String) {
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", text);
    (client, chat)
}

/// A write, an edit, a read, and one that cannot be done.
fn transcript() -> String {
    [
        block("w", "fs.write", &[("path", "src/a.py"), ("content_b64", "print('x')\n")]),
        block("e", "fs.applyEdits", &[("path", "src/a.py"), ("edits_b64", EDITS)]),
        block("r", "fs.read", &[("path", "src/b.txt")]),
        block("d", "fs.delete", &[("path", "none.txt")]),
    ]
    .join("\n")
}

/// The position of the first `needle` in the document, `after` characters into it.
fn at(client: &Client, uri: &str, needle: &str, after: usize) -> Value {
    let text = client.text(uri);
    let found = text.find(needle).unwrap_or_else(|| panic!("{needle:?} is not there"));
    super::client::position(text, found + after, client.encoding)
}

fn ask_at(client: &mut Client, method: &str, uri: &str, needle: &str) -> Value {
    let position = at(client, uri, needle, needle.len());
    client.ask(method, json!({"textDocument": {"uri": uri}, "position": position}))
}

fn hover(client: &mut Client, uri: &str, needle: &str) -> String {
    let hover = ask_at(client, "textDocument/hover", uri, needle);
    assert_eq!(hover["contents"]["kind"], "markdown");
    hover["contents"]["value"].as_str().unwrap().to_owned()
}

fn start(range: &Value) -> String {
    format!("{}:{}", range["start"]["line"], range["start"]["character"])
}

#[test]
fn lenses_show_status_and_actions() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": chat}}));
    let mut shown = String::new();
    for lens in lenses.as_array().unwrap() {
        let title = lens["command"]["title"].as_str().unwrap();
        let name = lens["command"]["command"].as_str().unwrap();
        writeln!(shown, "{} {title} -> {name}", start(&lens["range"])).unwrap();
    }
    assert_eq!(
        shown,
        "0:0 Apply all (2) -> operator.applyAll\n\
         0:1 Apply -> operator.apply\n\
         0:2 Apply and reply -> operator.apply\n\
         0:3 Reject -> operator.reject\n\
         0:4 ready: fs.write src/a.py -> \n\
         8:0 Apply -> operator.apply\n\
         8:1 Apply and reply -> operator.apply\n\
         8:2 Reject -> operator.reject\n\
         8:3 ready: fs.applyEdits src/a.py -> \n\
         16:0 Run -> operator.apply\n\
         16:1 Reject -> operator.reject\n\
         16:2 ready: fs.read src/b.txt -> \n\
         23:0 Reject -> operator.reject\n\
         23:1 blocked: `none.txt` does not exist -> \n"
    );
    assert_eq!(
        lenses[1]["data"],
        json!({"block": 0, "offers": ["preview", "apply", "applyAndReply", "reject"]})
    );
    // A lens is a command that works.
    client.on_edit = super::client::OnEdit::Apply;
    let lens = lenses.as_array().unwrap().iter();
    let lens = lens.filter(|lens| lens["command"]["title"] == "Apply and reply").nth(1).unwrap();
    let command = &lens["command"];
    let params = json!({"command": command["command"], "arguments": command["arguments"]});
    client.ask("workspace/executeCommand", params);
    assert_eq!(workspace.text("src/a.py"), "one\n1.5\n2\n");
    assert!(client.text(&chat).contains("OPERATOR_RESULT\nid: e\nok: true\n"));
}

#[test]
fn without_edits_from_the_server_lenses_show_status_alone() {
    let workspace = workspace();
    let mut client = Client::with(Capabilities::bare(), &workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &transcript());
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": chat}}));
    assert_eq!(lenses.as_array().unwrap().len(), 4);
}

#[test]
fn payloads_are_decoded_on_hover() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let content = hover(&mut client, &chat, "content_b64: ");
    assert_eq!(
        content,
        "11 bytes, 1 line\n\n```python\nprint('x')\n```\n\n```diff\n--- a/src/a.py\n\
         +++ b/src/a.py\n@@ -1,2 +1 @@\n-one\n-two\n+print('x')\n```"
    );
    let edits = hover(&mut client, &chat, "edits_b64: ");
    assert!(edits.contains("| 1 | replace | `two` | `2` |"), "{edits}");
    assert!(edits.contains("| 2 | insert after | `one\\n` | `1.5\\n` |"), "{edits}");
    assert!(edits.contains("\n one\n-two\n+1.5\n+2\n"), "{edits}");
}

#[test]
fn an_action_explains_itself() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let action = hover(&mut client, &chat, "action: fs.write");
    assert!(action.starts_with("**fs.write**"), "{action}");
    assert!(action.contains("| `path` | required | "), "{action}");
    assert!(action.contains("| `content_b64` | one of these | "), "{action}");
}

#[test]
fn an_action_states_limits_and_defaults() {
    let workspace = workspace();
    let text = block("s", "fs.readSlice", &[("path", "c.txt")]);
    let (mut client, chat) = showing(&workspace, &text);
    let action = hover(&mut client, &chat, "action: fs.readSlice");
    assert!(action.contains(" *1 to 400; default 120* |"), "{action}");
    assert!(action.contains(" *at least 1; default 1* |"), "{action}");
    let text = "#!SHAM [@three-char-SHA-256: abc]\naction = \"exec\"\n#!END_SHAM_abc\n";
    let (mut client, chat) = showing(&workspace, text);
    let action = hover(&mut client, &chat, "action = \"exec");
    assert!(action.contains(" *`python`, `javascript`, `bash`* |"), "{action}");
}

#[test]
fn a_path_shows_what_stands_there() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let there = hover(&mut client, &chat, "path: src/b.txt");
    let of = operator_core::fingerprint::Fingerprint::of(b"b\n");
    assert_eq!(there, format!("`src/b.txt`: 2 bytes, 1 line\n\n`{of}`"));
    let none = hover(&mut client, &chat, "path: none.txt");
    assert_eq!(none, "`none.txt`: nothing is there");
}

#[test]
fn a_marker_shows_the_block() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let marker = hover(&mut client, &chat, "OPERATOR_CMD");
    let says = "if it is applied now, the reply says: wrote src/a.py";
    let start = format!("**fs.write src/a.py** — ready\n\n{says}");
    assert!(marker.starts_with(&start), "{marker}");
    assert!(marker.ends_with("\n-one\n-two\n+print('x')\n```"), "{marker}");
}

#[test]
fn a_hover_has_no_markdown_of_the_model() {
    let workspace = workspace();
    let image = "![x](https://evil.example/p.png)";
    let action = block("l", "fs.wr[ite](command:x)", &[("path", "a")]);
    let text = block("r", "fs.read", &[("path", image)]) + &action;
    let (mut client, chat) = showing(&workspace, &text);
    let marker = hover(&mut client, &chat, "END_OPERATOR_CMD");
    let title = r"**fs.read !\[x\](https\://evil.example/p.png)** — blocked";
    assert!(marker.starts_with(title), "{marker}");
    let path = hover(&mut client, &chat, "path: ![x");
    assert!(path.starts_with(&format!("`{image}`: ")), "{path}");
    let marker = hover(&mut client, &chat, "END_OPERATOR_CMD\nOPERATOR_CMD");
    let says = "`operator/unknown-action` unknown action `fs.wr[ite](command:x)`";
    let title = r"**fs.wr\[ite\](command:x) a** — invalid";
    assert!(marker.starts_with(&format!("{title}\n\n{says}; ")), "{marker}");
}

#[test]
fn a_client_without_markdown_is_given_plain_text() {
    let workspace = workspace();
    let mut client = Client::with(Capabilities::bare(), &workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &transcript());
    let mut hover = |needle: &str| {
        let hover = ask_at(&mut client, "textDocument/hover", &chat, needle);
        assert_eq!(hover["contents"]["kind"], "plaintext");
        hover["contents"]["value"].as_str().unwrap().to_owned()
    };
    assert!(hover("path: src/b.txt").starts_with("src/b.txt: 2 bytes, 1 line\n\nsha256:"));
    let content = hover("content_b64: ");
    assert!(content.starts_with("11 bytes, 1 line\n\nprint('x')\n\n--- a/src/a.py\n"), "{content}");
    let edits = hover("edits_b64: ");
    assert!(edits.contains("insert after  one\\n  1.5\\n\n"), "{edits}");
    let action = hover("action: fs.write");
    assert!(action.contains("\npath  required  "), "{action}");
}

/// The labels that completion offers at the end of a text.
fn labels(client: &mut Client, uri: &str, text: &str) -> Vec<String> {
    client.change_whole(uri, text);
    client.offered(uri, text.len())
}

#[test]
fn completion_offers_keys_actions_and_paths() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, "");
    let open = "OPERATOR_CMD\nversion: 1\nid: a\n";
    let actions = labels(&mut client, &chat, &format!("{open}action: fs.re"));
    assert!(actions.contains(&"fs.read".to_owned()), "{actions:?}");
    assert!(actions.contains(&"fs.readSlice".to_owned()), "{actions:?}");
    let keys = labels(&mut client, &chat, &format!("{open}action: fs.readSlice\npath: c.txt\n"));
    assert!(keys.contains(&"start".to_owned()), "{keys:?}");
    assert!(keys.contains(&"lines".to_owned()), "{keys:?}");
    assert!(!keys.contains(&"path".to_owned()), "it is there already: {keys:?}");
    assert!(!keys.contains(&"content_b64".to_owned()), "not of this action: {keys:?}");
    let paths = labels(&mut client, &chat, &format!("{open}action: fs.read\npath: src/"));
    assert_eq!(paths, ["a.py", "b.txt"]);
    let skeletons = labels(&mut client, &chat, "Text.\n\nOPER");
    assert!(!skeletons.is_empty());
}

#[test]
fn completion_offers_skeletons_on_an_empty_line_where_it_is_asked_for() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, "Text.\n\n");
    let mut ask = |context: Value| {
        let at = json!({"line": 1, "character": 0});
        let params = json!({"textDocument": {"uri": chat}, "position": at, "context": context});
        client.ask("textDocument/completion", params)
    };
    let items = ask(json!({"triggerKind": 1}));
    let labels: Vec<_> =
        items.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    for label in ["OPERATOR_CMD fs.read", "#!SHAM file_write"] {
        assert!(labels.contains(&label), "{label}: {labels:?}");
    }
    assert_eq!(ask(json!({"triggerKind": 2, "triggerCharacter": "\""})), Value::Null);
}

#[test]
fn a_skeleton_is_a_block_that_can_be_filled() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, "OPER");
    let params = json!({"textDocument": {"uri": chat}, "position": {"line": 0, "character": 4}});
    let answer = client.ask("textDocument/completion", params);
    let items = answer.get("items").unwrap_or(&answer).as_array().unwrap().clone();
    let read = items.iter().find(|item| item["label"].as_str().unwrap().contains("fs.read"));
    let item = read.unwrap_or_else(|| panic!("{items:#?}"));
    let edit = &item["textEdit"];
    let text = edit["newText"].as_str().unwrap();
    assert!(text.starts_with("OPERATOR_CMD\nversion: 1\nid: "), "{text}");
    assert!(text.contains("END_OPERATOR_CMD"), "{text}");
}

#[test]
fn definition_leads_to_the_file_and_to_the_text() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let place = |answer: &Value| {
        let first = if answer.is_array() { &answer[0] } else { answer };
        let uri = first.get("targetUri").unwrap_or(&first["uri"]).as_str().unwrap().to_owned();
        let range = first.get("targetSelectionRange").unwrap_or(&first["range"]);
        (uri, start(range))
    };
    let path = ask_at(&mut client, "textDocument/definition", &chat, "path: src/a.py");
    assert_eq!(place(&path), (workspace.uri("src/a.py"), "0:0".to_owned()));
    let find = ask_at(&mut client, "textDocument/definition", &chat, "edits_b64: ");
    assert_eq!(place(&find), (workspace.uri("src/a.py"), "1:0".to_owned()));
    let none = ask_at(&mut client, "textDocument/definition", &chat, "path: none.txt");
    assert!(none.is_null() || none == json!([]), "{none}");
}

#[test]
fn paths_are_links() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let links = client.ask("textDocument/documentLink", json!({"textDocument": {"uri": chat}}));
    let mut shown = String::new();
    for link in links.as_array().unwrap() {
        let target = link["target"].as_str().unwrap().strip_prefix(&workspace.uri("")).unwrap();
        writeln!(shown, "{} {target}", start(&link["range"])).unwrap();
    }
    assert_eq!(shown, "4:6 /src/a.py\n12:6 /src/a.py\n20:6 /src/b.txt\n");
}

#[test]
fn a_path_is_a_link_where_the_action_is_not_known() {
    let workspace = workspace();
    let sham = format!(
        "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_reed\"\npath = \"{}/c.txt\"\n\
         #!END_SHAM_abc\n",
        workspace.home()
    );
    let text = format!("{}\n{sham}", block("x", "fs.reed", &[("path", "c.txt")]));
    let (mut client, chat) = showing(&workspace, &text);
    let links = client.ask("textDocument/documentLink", json!({"textDocument": {"uri": chat}}));
    let targets: Vec<_> = links.as_array().unwrap().iter().map(|it| it["target"].clone()).collect();
    assert_eq!(targets, [workspace.uri("c.txt"), workspace.uri("c.txt")]);
}

#[test]
fn symbols_are_the_inbox() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let symbols = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": chat}}));
    let mut shown = String::new();
    for symbol in symbols.as_array().unwrap() {
        let word = |name: &str| symbol[name].as_str().unwrap().to_owned();
        writeln!(shown, "{} {}: {}", start(&symbol["range"]), word("name"), word("detail"))
            .unwrap();
    }
    assert_eq!(
        shown,
        "0:0 fs.write src/a.py (w): ready\n\
         8:0 fs.applyEdits src/a.py (e): ready\n\
         16:0 fs.read src/b.txt (r): ready\n\
         23:0 fs.delete none.txt (d): blocked\n"
    );
    let found = client.ask("workspace/symbol", json!({"query": "DELnone"}));
    assert_eq!(found[0]["name"], "blocked: fs.delete none.txt (d)");
    assert_eq!(found[0]["location"]["uri"], chat.as_str());
}

#[test]
fn blocks_and_replies_fold() {
    let workspace = workspace();
    let text = format!(
        "{}OPERATOR_RESULT\nid: d\nok: true\nsummary: x\nEND_OPERATOR_RESULT\n",
        transcript()
    );
    let (mut client, chat) = showing(&workspace, &text);
    let folds = client.ask("textDocument/foldingRange", json!({"textDocument": {"uri": chat}}));
    let folds: Vec<_> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(folds, [(0, 6), (8, 14), (16, 21), (23, 28), (29, 33)]);
}

#[test]
fn every_token_lies_on_its_word() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &format!("Prose 😀.\n\n{}", transcript()));
    let legend = client.server["capabilities"]["semanticTokensProvider"]["legend"].clone();
    let tokens =
        client.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": chat}}));
    let data: Vec<usize> =
        tokens["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
    let text = client.text(&chat).to_owned();
    let lines = lines(&text);
    let (mut line, mut column, mut shown) = (0, 0, Vec::new());
    for token in data.chunks(5) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let (start, end) = lines[line];
        let word = text[start..end].get(column..column + token[2]).unwrap();
        let kind = legend["tokenTypes"][token[3]].as_str().unwrap();
        shown.push(format!("{line} {word} {kind}"));
    }
    let first: Vec<_> =
        shown.iter().filter(|token| token.starts_with("4 ") || token.starts_with("2 ")).collect();
    assert_eq!(first.len(), 3, "{shown:#?}");
    assert!(first[0].starts_with("2 OPERATOR_CMD "), "{shown:#?}");
    assert!(first[1].starts_with("4 id "), "{shown:#?}");
    assert!(first[2].starts_with("4 w "), "{shown:#?}");
    let range = json!({"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}});
    let params = json!({"textDocument": {"uri": chat}, "range": range});
    let part = client.ask("textDocument/semanticTokens/range", params);
    let part = part["data"].as_array().unwrap();
    assert!(part.len() >= 2 * 5 && part.len() < data.len(), "about the range: {part:?}");
}

#[test]
fn hints_say_size_and_lines() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript());
    let end = json!({"line": 99, "character": 0});
    let range = json!({"start": {"line": 0, "character": 0}, "end": end});
    let params = json!({"textDocument": {"uri": chat}, "range": range});
    let hints = client.ask("textDocument/inlayHint", params);
    let mut shown = String::new();
    for hint in hints.as_array().unwrap() {
        let label = hint["label"].as_str().unwrap();
        writeln!(shown, "{} {label}", hint["position"]["line"]).unwrap();
    }
    assert_eq!(shown, "5 11 bytes, 1 line\n4 +1 −2\n13 122 bytes, 1 line\n12 +2 −1\n");
}

#[test]
fn hints_say_the_status_where_no_lens_does() {
    let workspace = workspace();
    let without = Capabilities::everything().with("/textDocument/codeLens", Value::Null);
    let mut client = Client::with(without, &workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("r", "fs.read", &[("path", "src/b.txt")]));
    let end = json!({"line": 9, "character": 0});
    let range = json!({"start": {"line": 0, "character": 0}, "end": end});
    let params = json!({"textDocument": {"uri": chat}, "range": range});
    let hints = client.ask("textDocument/inlayHint", params);
    assert_eq!(hints[0]["label"], "ready");
}

#[test]
fn diagnostics_hold_what_the_client_takes() {
    let workspace = workspace();
    for name in ["dataSupport", "codeDescriptionSupport"] {
        let pointer = format!("/textDocument/publishDiagnostics/{name}");
        let capabilities = Capabilities::everything().with(&pointer, Value::Null);
        let mut client = Client::with(capabilities, &workspace.uri(""));
        let chat = workspace.uri("chat.md");
        client.open(
            &chat,
            "markdown",
            "OPERATOR_CMD\nversion: 1\nid: a\naction: fs.list\npath: .\n",
        );
        let found = client.diagnostics(&chat);
        assert_eq!(found[0]["code"], "operator/missing-end");
        assert_eq!(found[0].get("data").is_none(), name == "dataSupport", "{found:?}");
        let described = found[0].get("codeDescription").is_some();
        assert_eq!(described, name == "dataSupport", "{found:?}");
        let fixes = client.actions(&chat, &found[0]["range"], &["quickfix"]);
        assert_eq!(fixes[0]["title"], "Insert END_OPERATOR_CMD");
    }
}

#[test]
fn diagnostics_lead_to_their_explanation_and_to_the_lines() {
    let workspace = Workspace::new(&[("a.txt", "x\ny\nx\n")]);
    let edits = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"x","text":"2"}]}"#;
    let text = block("e", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)]);
    let (mut client, chat) = showing(&workspace, &text);
    let found = client.diagnostics(&chat);
    let ambiguous = found.iter().find(|found| found["code"] == "plan/text-ambiguous").unwrap();
    assert_eq!(ambiguous["severity"], 1);
    assert_eq!(ambiguous["data"], json!({"version": 1, "block": 0, "fixes": 0}));
    let href = ambiguous["codeDescription"]["href"].as_str().unwrap();
    let (_, line) = href.split_once("/spec/problems.toml#L").unwrap();
    let page = include_str!("../../../spec/problems.toml");
    let line = page.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
    assert_eq!(line, r#"code = "plan/text-ambiguous""#);
    let related = ambiguous["relatedInformation"].as_array().unwrap();
    let lines: Vec<_> = related.iter().map(|place| start(&place["location"]["range"])).collect();
    assert_eq!(lines, ["0:0", "2:0"]);
    assert_eq!(related[0]["location"]["uri"], workspace.uri("a.txt"));
}

#[test]
fn an_earlier_block_of_the_same_id_fades() {
    let workspace = workspace();
    let text =
        [block("x", "fs.read", &[("path", "c.txt")]), block("x", "fs.list", &[("path", ".")])];
    let (mut client, chat) = showing(&workspace, &text.join("\n"));
    assert_eq!(client.statuses(&chat), "0 superseded: fs.read c.txt\n1 ready: fs.list .\n");
    let found = client.diagnostics(&chat);
    assert_eq!(found[0]["code"], "operator/duplicate-id");
    assert_eq!((&found[0]["severity"], &found[0]["tags"]), (&json!(4), &json!([1])));
}

#[test]
fn beyond_a_thousand_problems_their_number_is_said() {
    let workspace = workspace();
    let text = "END_OPERATOR_CMD\n".repeat(1_500);
    let (mut client, chat) = showing(&workspace, &text);
    let items = client.diagnostics(&chat);
    let more: Vec<_> = items.iter().filter(|item| item["code"] == "scan/more-problems").collect();
    assert_eq!((items.len(), more.len()), (1_001, 1));
    let message = more[0]["message"].as_str().unwrap();
    assert!(message.contains("1500"), "{message}");
}
