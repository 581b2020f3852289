//! What a user sees of the blocks.

use std::fmt::Write as _;

use operator_lsp::workspace::with_slashes;
use serde_json::{Value, json};

use super::super::client::{Client, lines, titles};
use super::super::workspace::Workspace;
use super::{ask, block, showing};

fn workspace() -> Workspace {
    let code = "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n";
    let page = "# Top\n\n## A\n\nsame\n\n## B\n\nsame\n";
    Workspace::new(&[("src/a.py", code), ("docs/page.md", page), ("c.txt", "c\n")])
}

/// A replacement, a structure, a list of files, and one that cannot be done.
fn transcript(workspace: &Workspace) -> String {
    let replace = [
        ("path", "{w}/src/a.py"),
        ("old_text", "    return 1\n\n"),
        ("new_text", "    return \\\"one\\\"\\n"),
    ];
    let delete = [("path", "{w}/src/a.py"), ("target", "def two():")];
    let read = [("paths", "{w}/src/a.py\n{w}/c.txt\n")];
    let inside = [("path", "{w}/docs/page.md@@## B"), ("old_text", "same"), ("new_text", "new")];
    [
        block(workspace, "aaa", "file_replace_text", &replace),
        block(workspace, "bbb", "delete_structure", &delete),
        block(workspace, "ccc", "files_read", &read),
        block(workspace, "ddd", "file_replace_text", &inside),
        block(workspace, "eee", "file_delete", &[("path", "{w}/none.txt")]),
    ]
    .join("\n")
}

/// A text without the workspace's own path.
fn hide(workspace: &Workspace, text: &str) -> String {
    text.replace(&workspace.home(), "{w}")
}

fn hover(client: &mut Client, workspace: &Workspace, uri: &str, at: (&str, usize)) -> String {
    let hover = client.ask_at("textDocument/hover", uri, at.0, at.1);
    hide(workspace, hover["contents"]["value"].as_str().unwrap_or("(none)"))
}

fn start(range: &Value) -> String {
    format!("{}:{}", range["start"]["line"], range["start"]["character"])
}

#[test]
fn lenses_actions_and_proposals() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    let mut shown = String::new();
    for lens in ask(&mut client, "textDocument/codeLens", &chat) {
        writeln!(shown, "{} {}", start(&lens["range"]), lens["command"]["title"].as_str().unwrap())
            .unwrap();
    }
    assert_eq!(
        hide(&workspace, &shown),
        "0:0 Apply all (3)\n\
         0:1 Apply\n0:2 Apply and reply\n0:3 Reject\n\
         0:4 ready: file_replace_text {w}/src/a.py\n\
         10:0 Apply\n10:1 Apply and reply\n10:2 Reject\n\
         10:3 ready: delete_structure {w}/src/a.py\n\
         16:0 Run\n16:1 Reject\n16:2 ready: files_read {w}/src/a.py\n\
         24:0 Apply\n24:1 Apply and reply\n24:2 Reject\n\
         24:3 ready: file_replace_text {w}/docs/page.md@@## B\n\
         31:0 Reject\n31:1 blocked: `none.txt` does not exist\n"
    );
    let actions = client.block_actions(&chat, 4, &["refactor"]);
    assert_eq!(
        hide(&workspace, &titles(&actions)),
        "Apply file_delete {w}/none.txt [blocked: `none.txt` does not exist]\n\
         Apply file_delete {w}/none.txt and insert the reply [blocked: `none.txt` does not exist]\n\
         Reject file_delete {w}/none.txt and insert the reply\n"
    );
    let proposals = client.proposals(&chat);
    let word = |index: usize, name: &str| proposals[index][name].as_str().unwrap().to_owned();
    assert_eq!((word(0, "id"), word(0, "dialect")), ("aaa".to_owned(), "sham".to_owned()));
    assert_eq!((word(2, "effect"), word(4, "status")), ("read".to_owned(), "blocked".to_owned()));
}

#[test]
fn a_preview_shows_the_diff() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    let params = json!({"textDocument": {"uri": chat}, "block": 3});
    let preview = client.ask("operator/preview", params);
    let file = &preview["files"][0];
    assert_eq!(file["uri"], workspace.uri("docs/page.md").as_str());
    assert_eq!(file["after"], "# Top\n\n## A\n\nsame\n\n## B\n\nnew\n");
}

#[test]
fn problems_have_fixes_in_the_editor_too() {
    let workspace = workspace();
    let text = "#!SHAM [@three-char-SHA-256: k7m]\naction = \"file_reed\"\npath = \"c.txt\"\n";
    let (mut client, chat) = showing(&workspace, &format!("{text}#!END_SHAM_k7m\n"));
    client.take_titled(&chat, 0, "Use `file_read`");
    let absolute = workspace.root().join("c.txt");
    let absolute = with_slashes(absolute.to_str().unwrap());
    client.take_titled(&chat, 0, &format!("Make it {absolute}"));
    client.expect_diagnostics(&chat, "");
    assert!(client.text(&chat).contains(&format!("\"{absolute}\"")), "{}", client.text(&chat));
}

#[test]
fn hovers_explain_decode_and_show_the_change() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    let mut at = |needle: &str, into: usize| hover(&mut client, &workspace, &chat, (needle, into));
    let action = at("file_replace_text", 3);
    assert!(action.starts_with("**file_replace_text**"), "{action}");
    assert!(action.contains("| `old_text` | required | "), "{action}");
    let key = at("path = ", 2);
    assert!(key.starts_with("`{w}/src/a.py`: 62 bytes, 9 lines"), "{key}");
    let value = at("new_text = \"    ret", 14);
    let decoded = "17 bytes, 1 line\n\n```python\n    return \"one\"\n```";
    assert!(value.contains(decoded), "{value}");
    assert!(value.contains("-    return 1\n+    return \"one\"\n"), "{value}");
    let heredoc = at("    return 1", 4);
    assert!(heredoc.starts_with("The text that is there, exact and case sensitive."), "{heredoc}");
    let target = at("def two", 2);
    assert!(target.contains("in `{w}/src/a.py`: 1 structure"), "{target}");
    assert!(target.contains("```python\ndef two():\n    return 2\n```"), "{target}");
    let inside = at("## B\"", 3);
    assert!(inside.starts_with("`## B` in `{w}/docs/page.md`: 1 structure"), "{inside}");
    let second = at("c.txt\nEOT", 2);
    assert!(second.starts_with("`{w}/c.txt`: 2 bytes, 1 line"), "{second}");
    let marker = at("#!SHAM", 2);
    assert!(marker.starts_with("**file_replace_text {w}/src/a.py** — ready"), "{marker}");
}

#[test]
fn definition_leads_to_files_texts_and_structures() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    let mut at = |needle: &str, into: usize| {
        let found = client.ask_at("textDocument/definition", &chat, needle, into);
        let place = |link: &Value| {
            let uri = link["targetUri"].as_str().unwrap();
            let file = uri.strip_prefix(&workspace.uri("")).unwrap();
            format!("{file} {}", start(&link["targetSelectionRange"]))
        };
        let places: Vec<_> = found.as_array().into_iter().flatten().map(place).collect();
        places.join(", ")
    };
    assert_eq!(at("/src/a.py", 2), "/src/a.py 0:0", "a path");
    assert_eq!(at("    return 1", 4), "/src/a.py 4:0", "the text in the file");
    assert_eq!(at("def two():", 3), "/src/a.py 7:0", "the structure");
    assert_eq!(at("c.txt\nEOT", 2), "/c.txt 0:0", "the second of several paths");
    assert_eq!(at("## B\"", 3), "/docs/page.md 6:0", "the structure that a path keeps to");
    assert_eq!(at("\"same\"", 3), "/docs/page.md 8:0", "the text in that structure alone");
    assert_eq!(at("none.txt", 3), "", "nothing is there");
}

#[test]
fn paths_are_links() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    let mut shown = String::new();
    for link in ask(&mut client, "textDocument/documentLink", &chat) {
        let target = link["target"].as_str().unwrap().strip_prefix(&workspace.uri("")).unwrap();
        writeln!(shown, "{} {target}", start(&link["range"])).unwrap();
    }
    assert_eq!(
        shown,
        "2:8 /src/a.py\n12:8 /src/a.py\n19:0 /src/a.py\n20:0 /c.txt\n26:8 /docs/page.md\n"
    );
}

#[test]
fn symbols_are_the_inbox() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    let mut shown = String::new();
    for symbol in ask(&mut client, "textDocument/documentSymbol", &chat).iter().skip(3) {
        let word = |name: &str| symbol[name].as_str().unwrap().to_owned();
        writeln!(shown, "{} {}: {}", start(&symbol["range"]), word("name"), word("detail"))
            .unwrap();
    }
    assert_eq!(
        hide(&workspace, &shown),
        "24:0 file_replace_text {w}/docs/page.md@@## B (ddd): ready\n\
         31:0 file_delete {w}/none.txt (eee): blocked\n"
    );
}

#[test]
fn blocks_and_heredocs_fold() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    let folds = ask(&mut client, "textDocument/foldingRange", &chat);
    let lines =
        |fold: &Value| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap());
    let folds: Vec<_> = folds.iter().map(lines).collect();
    assert_eq!(folds, [(0, 8), (3, 5), (10, 14), (16, 22), (18, 20), (24, 29), (31, 34)]);
}

#[test]
fn markers_keys_values_and_heredocs_have_their_colours() {
    let workspace = Workspace::new(&[]);
    let fields = [("path", "/p"), ("content", "äb\n\nc = \"d\"\n"), ("count", "3"), ("odd", "x")];
    let text = block(&workspace, "k7m", "file_replace_all_text", &fields);
    let (mut client, chat) = showing(&workspace, &text.replace("content", "new_text"));
    let legend = client.server["capabilities"]["semanticTokensProvider"]["legend"].clone();
    let params = json!({"textDocument": {"uri": chat}});
    let tokens = client.ask("textDocument/semanticTokens/full", params);
    let data: Vec<usize> =
        tokens["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
    let text = client.text(&chat).to_owned();
    let (mut line, mut column, mut shown) = (0, 0, String::new());
    for token in data.chunks(5) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let (begins, ends) = lines(&text)[line];
        let word: String = text[begins..ends].chars().skip(column).take(token[2]).collect();
        let kind = legend["tokenTypes"][token[3]].as_str().unwrap();
        writeln!(shown, "{line} {kind} {word}").unwrap();
    }
    assert_eq!(
        shown,
        "0 keyword #!SHAM [@three-char-SHA-256: k7m]\n\
         1 property action\n1 function file_replace_all_text\n\
         2 property path\n2 string /p\n\
         3 property new_text\n3 keyword <<'EOT_SHAM_k7m'\n\
         4 string äb\n6 string c = \"d\"\n\
         7 keyword EOT_SHAM_k7m\n\
         8 property count\n8 number 3\n\
         9 property odd\n\
         10 keyword #!END_SHAM_k7m\n"
    );
}

#[test]
fn hints_say_size_and_lines() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    let mut shown = String::new();
    for hint in ask(&mut client, "textDocument/inlayHint", &chat) {
        let (line, label) = (&hint["position"]["line"], hint["label"].as_str().unwrap());
        writeln!(shown, "{line} {label}").unwrap();
    }
    assert_eq!(
        shown, "2 +1 −1\n12 +0 −4\n26 +1 −1\n",
        "a payload that is written as it is has no hint"
    );
}
