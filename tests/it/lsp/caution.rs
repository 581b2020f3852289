//! Changes that need a look of their own, in an editor.

use serde_json::{Value, json};

use super::client::{Client, OnEdit};
use super::workspace::{Workspace, block};

/// A file that a build runs, an ordinary one, and one that is built on the first.
fn chat(client: &mut Client, workspace: &Workspace) -> String {
    let edits = |find: &str, text: &str| {
        let edit = json!({"op": "replaceAll", "find": find, "text": text});
        json!({"version": 1, "edits": [edit]}).to_string()
    };
    let text = [
        block("m", "fs.write", &[("path", "Makefile"), ("content_b64", "all:\n")]),
        block("a", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &edits("old", "new"))]),
        block("n", "fs.applyEdits", &[("path", "Makefile"), ("edits_b64", &edits("all", "any"))]),
        block("b", "fs.applyEdits", &[("path", "b.txt"), ("edits_b64", &edits("old", "new"))]),
    ];
    let uri = workspace.uri("chat.md");
    client.open(&uri, "markdown", &text.join("\n"));
    uri
}

fn workspace() -> Workspace {
    Workspace::new(&[("a.txt", "old\n"), ("b.txt", "old\n")])
}

fn titles(items: &Value) -> Vec<&str> {
    let items = items.as_array().unwrap().iter();
    items.filter_map(|it| it["command"]["title"].as_str().or(it["title"].as_str())).collect()
}

#[test]
fn all_at_once_leaves_them_and_names_them() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    client.set_up();
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": chat}}));
    assert_eq!(titles(&lenses)[0], "Apply all (2)", "{lenses:#}");
    assert!(titles(&lenses).iter().any(|title| {
        title.starts_with("ready, needs a look: `Makefile` is a file that a build tool")
    }));
    client.on_edit = OnEdit::Apply;
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(client.next_shown(), "block 1 (m) needs a look and is to be applied by itself");
    assert_eq!(
        (workspace.text("a.txt"), workspace.text("b.txt")),
        ("new\n".into(), "new\n".into())
    );
    assert_eq!(workspace.text("Makefile"), "(not there)");
    let reply = client.command("operator.reply", &json!({"uri": chat, "block": 0})).unwrap();
    assert!(reply.as_str().unwrap().contains("ok: false\nsummary: not applied yet; a person must"));
    let answer = client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(answer, json!({"applied": false}), "there is nothing but what is left again");
    assert_eq!(client.next_shown(), "block 1 (m) needs a look and is to be applied by itself");
}

#[test]
fn the_block_by_itself_is_confirmed_with_the_reason() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    client.set_up();
    let proposal = client.proposals(&chat)[0].clone();
    assert_eq!(proposal["caution"], "trusted-file");
    let says = proposal["cautionMessage"].as_str().unwrap().to_owned();
    assert_eq!(says, "`Makefile` is a file that a build tool or a test runner runs");
    let action = client.action(&chat, 0, "refactor.rewrite.operator.apply");
    let title = action["title"].as_str().unwrap();
    assert_eq!(title, format!("Apply fs.write Makefile (needs a look: {says})"));
    assert_ne!(action["isPreferred"], true, "no key applies it unseen");
    let edit = client.resolve(action).unwrap()["edit"].clone();
    let annotations: Vec<&Value> =
        edit["changeAnnotations"].as_object().unwrap().values().collect();
    assert_eq!(annotations.len(), 1, "{edit:#}");
    assert_eq!(annotations[0]["needsConfirmation"], true);
    let label = annotations[0]["label"].as_str().unwrap();
    assert!(label.starts_with("fs.write Makefile (+") && label.ends_with(" −0)"), "{label}");
    assert_eq!(annotations[0]["description"], format!("needs a look: {says}"));
    let other = client.action(&chat, 1, "refactor.rewrite.operator.apply");
    assert_eq!(other["isPreferred"], true);
    client.on_edit = OnEdit::Apply;
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    assert_eq!(workspace.text("Makefile"), "all:\n");
}

#[test]
fn the_setting_adds_files() {
    let workspace = workspace();
    let settings = json!({"trustedFiles": ["a.*", "[", "/none/**"], "confirm": "never"});
    let options = super::client::Options {
        settings: settings.clone(),
        ..super::client::Options::new(&[workspace.uri("")])
    };
    let mut client = Client::start(options);
    let chat = chat(&mut client, &workspace);
    client.set_up();
    let shown = client.next_shown();
    assert!(shown.contains("operator.trustedFiles must be a list of file patterns"), "{shown}");
    let proposal = client.proposals(&chat)[1].clone();
    let says = "`a.txt` is a file that the setting `trustedFiles` names (+1 −1)";
    assert_eq!(
        (&proposal["caution"], &proposal["cautionMessage"]),
        (&json!("trusted-file"), &json!(says))
    );
    let action = client.action(&chat, 1, "refactor.rewrite.operator.apply");
    let edit = client.resolve(action).unwrap()["edit"].clone();
    assert!(!edit.to_string().contains("\"needsConfirmation\":true"), "the user wants no question");
}

#[test]
fn lines_that_are_in_the_file_though_their_block_was_undone() {
    let insert = json!({"op": "insertAfter", "anchor": "old\n", "text": "the second line\n}\n"});
    let edits = json!({"version": 1, "edits": [insert]}).to_string();
    let text = block("a", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &edits)]);
    let workspace = workspace();
    let (mut client, chat) = (Client::new(&workspace.uri("")), workspace.uri("chat.md"));
    client.set_up();
    client.on_edit = OnEdit::Apply;
    client.open(&chat, "markdown", &text);
    let is = |text: &str, status: &str, caution: Value, client: &mut Client| {
        workspace.put("a.txt", text);
        client.tell_files(&[(workspace.uri("a.txt"), 2)]);
        let is = &client.proposals(&chat)[0];
        assert_eq!((&is["status"], &is["caution"]), (&json!(status), &caution), "{text}");
    };
    // Nobody has applied it.
    is("old\nthe second line\n}\nmore\n", "ready", json!(null), &mut client);
    is("old\n", "ready", json!(null), &mut client);
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    is("old\nthe second line\n}\n", "applied", json!(null), &mut client);
    client.command("operator.undo", &Value::Null).unwrap();
    is("old\n", "ready", json!(null), &mut client);
    is("old\n}\n", "ready", json!(null), &mut client);
    is("old\nmore\nthe second line\n\n}\n", "ready", json!("adds-again"), &mut client);
    let answer = client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(answer, json!({"applied": false}));
    assert_eq!(client.next_shown(), "block 1 (a) needs a look and is to be applied by itself");
    let warnings = client.diagnostics(&chat);
    let is_it = |it: &&Value| it["code"] == "plan/needs-a-look";
    let warning = &warnings.iter().find(is_it).unwrap()["message"];
    let says =
        "needs a look: this block was undone, but the lines that it adds are in `a.txt`, at line 3";
    assert_eq!(warning, says);
}

#[test]
fn line_numbers_below_a_block_that_is_not_applied() {
    let edits = |edit: Value| json!({"version": 1, "edits": [edit]}).to_string();
    let insert = edits(json!({"op": "insertBefore", "anchor": "old", "text": "zero\n"}));
    let range = edits(json!({"op": "replaceRange", "startLine": 2, "endLine": 2, "text": "x"}));
    let a = block("a", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &insert)]);
    let text = [&a, &block("b", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &range)])];
    let text = text.map(String::as_str).join("\n");
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let (mut client, chat) = (Client::new(&workspace.uri("")), workspace.uri("chat.md"));
    client.set_up();
    client.on_edit = OnEdit::Apply;
    client.open(&chat, "markdown", &text);
    let cautions = |client: &mut Client| {
        let all = client.proposals(&workspace.uri("chat.md"));
        let word = |it: &Value| format!("{} {}", it["status"], it["caution"]).replace('"', "");
        all.iter().map(word).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(cautions(&mut client), "blocked null, ready counts-lines");
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(client.next_shown(), "block 2 (b) needs a look and is to be applied by itself");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    // Without the block above, and with one that is ready.
    client.replace(&chat, &a, "");
    assert_eq!(cautions(&mut client), "ready null");
    client.replace(&chat, "OPERATOR_CMD\nv", &format!("{a}\nOPERATOR_CMD\nv"));
    assert_eq!(cautions(&mut client), "blocked null, ready counts-lines");
    workspace.put("a.txt", "old\ntwo\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(cautions(&mut client), "ready null, ready null");
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(workspace.text("a.txt"), "zero\nx\ntwo\n");
}

#[test]
fn line_numbers_below_a_block_whose_failure_was_told() {
    let edits = json!({"version": 1, "edits": [{"op": "replaceRange", "startLine": 2, "endLine": 2, "text": "x"}]});
    let a = block("a", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", "no")]);
    let edits = edits.to_string();
    let b = block("b", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &edits)]);
    let told = "OPERATOR_RESULT\nid: a\nok: false\nsummary: not applied\nEND_OPERATOR_RESULT\n\n";
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let (mut client, chat) = (Client::new(&workspace.uri("")), workspace.uri("chat.md"));
    client.set_up();
    for (between, caution) in [("", json!("counts-lines")), (told, json!(null))] {
        client.open(&chat, "markdown", &format!("{a}\n{between}{b}"));
        assert_eq!(client.proposals(&chat)[1]["caution"], caution, "{between}");
        client.close(&chat);
    }
}
