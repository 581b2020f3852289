//! From a transcript to a changed workspace and back to the model, as a user does it.

use operator_core::fingerprint::Fingerprint;
use serde_json::json;

use super::client::{Capabilities, Client, Options, Unopened, titles};
use super::reply::replies;
use super::workspace::{Workspace, block};

const APPLY: &str = "refactor.rewrite.operator.apply";
const APPLY_AND_REPLY: &str = "refactor.rewrite.operator.applyAndReply";
const RUN: &str = "refactor.rewrite.operator.run";
const REJECT: &str = "refactor.rewrite.operator.reject";
const APPLY_ALL: &str = "source.operator.applyAll";

const EDITS: &str = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"two","text":"2"}]}"#;

fn fingerprint(text: &str) -> Fingerprint {
    Fingerprint::of(text.as_bytes())
}

#[test]
fn from_a_damaged_block_to_a_changed_file_and_a_reply() {
    let workspace = Workspace::new(&[("src/a.txt", "one\ntwo\nthree\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let text = block("e1", "fs.applyEdit", &[("path", "src/a.txt"), ("edits_b64", EDITS)]);
    client.open(&chat, "markdown", &format!("Here you are.\n\n{text}\nThat is all.\n"));
    assert_eq!(client.statuses(&chat), "0 invalid: fs.applyEdit src/a.txt\n");
    let near = titles(&client.block_actions(&chat, 0, &["quickfix"]));
    assert_eq!(near, "Use `fs.applyEdits`\n");
    client.take_titled(&chat, 0, "Use `fs.applyEdits`");
    assert_eq!(client.documents[&chat].version, 2);
    assert_eq!(client.statuses(&chat), "0 ready: fs.applyEdits src/a.txt\n");

    client.take_block_action(&chat, 0, APPLY_AND_REPLY);
    assert_eq!(workspace.text("src/a.txt"), "one\n2\nthree\n");
    assert_eq!(client.statuses(&chat), "0 applied: fs.applyEdits src/a.txt\n");
    let after = fingerprint("one\n2\nthree\n");
    assert_eq!(
        replies(client.text(&chat)),
        format!("id: e1\nok: true\nsummary: edited src/a.txt, 3 lines, {after}\n")
    );
    assert!(client.text(&chat).contains("END_OPERATOR_CMD\nOPERATOR_RESULT\n"));
    assert!(client.text(&chat).ends_with("END_OPERATOR_RESULT\n\nThat is all.\n"));
    let expected = "Undo fs.applyEdits src/a.txt\nApply fs.applyEdits src/a.txt again\n";
    assert_eq!(titles(&client.block_actions(&chat, 0, &["refactor"])), expected);
}

#[test]
fn apply_alone_leaves_the_transcript_as_it_is() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("w", "fs.write", &[("path", "a.txt"), ("content", "x")]));
    let before = client.text(&chat).to_owned();
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(workspace.text("a.txt"), "x");
    assert_eq!(client.text(&chat), before);
    assert_eq!(client.statuses(&chat), "0 applied: fs.write a.txt\n");
}

#[test]
fn an_open_buffer_is_what_is_edited() {
    let workspace = Workspace::new(&[("a.txt", "on disk\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open_at(&target, "plaintext", "one 😀\r\ntwo\r\n", 7);
    client.open(
        &chat,
        "markdown",
        &block("e", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]),
    );
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.text(&target), "one 😀\r\n2\r\n");
    assert_eq!(client.documents[&target].version, 8);
    assert_eq!(workspace.text("a.txt"), "on disk\n", "the buffer is not saved");
    assert_eq!(client.statuses(&chat), "0 applied: fs.applyEdits a.txt\n");
    // One undo in the editor, and the proposal can be applied again.
    client.change_whole(&target, "one 😀\r\ntwo\r\n");
    assert_eq!(client.statuses(&chat), "0 ready: fs.applyEdits a.txt\n");
}

#[test]
fn an_editor_that_opens_what_it_edits() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::new(&workspace.uri(""));
    client.unopened = Unopened::Open;
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open(
        &chat,
        "markdown",
        &block("e", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]),
    );
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.text(&target), "one\n2\n");
    assert_eq!(client.statuses(&chat), "0 applied: fs.applyEdits a.txt\n");
}

#[test]
fn every_kind_of_change() {
    let workspace = Workspace::new(&[
        ("a.txt", "one\ntwo\n"),
        ("gone.txt", "x\n"),
        ("old/x.txt", "x\n"),
        ("old/deep/y.txt", "y\n"),
        ("bom.txt", "\u{feff}one\r\ntwo\r\n"),
    ]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    let text = [
        block("1", "fs.write", &[("path", "new/deep/n.txt"), ("content_b64", "n\n")]),
        block("2", "fs.patch", &[("path", "a.txt"), ("patch_b64", patch)]),
        block("3", "fs.delete", &[("path", "gone.txt")]),
        block("4", "fs.move", &[("path", "old/x.txt"), ("path_to", "moved/x.txt")]),
        block("5", "fs.copy", &[("path", "old/deep"), ("path_to", "copy")]),
        block("6", "fs.delete", &[("path", "old/deep")]),
        block("7", "fs.applyEdits", &[("path", "bom.txt"), ("edits_b64", EDITS)]),
        block("8", "fs.write", &[("path", "empty"), ("content", "")]),
    ];
    client.open(&chat, "markdown", &text.join("\n"));
    for index in 0..text.len() {
        client.take_block_action(&chat, index, APPLY);
    }
    let expected = [
        ("a.txt", "one\n2\n"),
        ("bom.txt", "\u{feff}one\r\n2\r\n"),
        ("copy/y.txt", "y\n"),
        ("empty", ""),
        ("moved/x.txt", "x\n"),
        ("new/deep/n.txt", "n\n"),
        ("old/", ""),
    ];
    let tree = workspace.tree();
    let found: Vec<_> = tree
        .iter()
        .map(|(path, bytes)| (path.as_str(), std::str::from_utf8(bytes).unwrap()))
        .collect();
    assert_eq!(found, expected);
    let statuses = client.statuses(&chat);
    assert!(statuses.lines().all(|line| line.contains(" applied: ")), "{statuses}");
}

#[test]
fn a_read_is_run_and_answered_in_place() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n"), ("sub/b.txt", "")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let text = [
        block("r", "fs.read", &[("path", "a.txt")]),
        block("s", "fs.readSlice", &[("path", "a.txt"), ("start", "2"), ("lines", "1")]),
        block("l", "fs.list", &[("path", "sub")]),
        block("q", "fs.search", &[("path", "a.txt"), ("query", "o")]),
    ];
    client.open(&chat, "markdown", &text.join("\n"));
    for index in 0..text.len() {
        client.take_block_action(&chat, index, RUN);
    }
    let now = fingerprint("one\ntwo\n");
    assert_eq!(
        replies(client.text(&chat)),
        format!(
            "id: r\nok: true\nsummary: read a.txt, 2 lines, {now}\n\
             details:\none\ntwo\n\
             id: s\nok: true\nsummary: read a.txt, lines 2-2 of 2, {now}\n\
             details:\n2: two\n\
             id: l\nok: true\nsummary: listed sub, 1 entry\n\
             details:\nb.txt\n\
             id: q\nok: true\nsummary: searched a.txt: 2 matching lines\n\
             details:\n1: one\n2: two\n"
        )
    );
    let statuses = client.statuses(&chat);
    assert!(statuses.lines().all(|line| line.contains(" applied: ")), "{statuses}");
}

#[test]
fn a_reply_at_the_very_end_goes_to_the_end_of_the_last_line() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let text = block("r", "fs.read", &[("path", "a.txt")]);
    let text = text.trim_end();
    for (name, ending, last) in [("1.md", "\n", "\n"), ("2.md", "\r\n", "\r\n"), ("3.md", "\n", "")]
    {
        let chat = workspace.uri(name);
        client.open(&chat, "markdown", &(text.replace('\n', ending) + last));
        let before = client.text(&chat).to_owned();
        client.take_block_action(&chat, 0, RUN);
        let edit = client.edits_made.last().unwrap()["documentChanges"][0]["edits"][0].clone();
        let end = json!({"line": text.lines().count() - 1, "character": "END_OPERATOR_CMD".len()});
        assert_eq!(edit["range"], json!({"start": end, "end": end}), "{name}");
        let after = client.text(&chat);
        let reply = after.strip_prefix(before.trim_end()).unwrap();
        assert!(reply.starts_with(&format!("{ending}OPERATOR_RESULT{ending}")), "{reply:?}");
        assert!(reply.ends_with(&format!("{ending}END_OPERATOR_RESULT{last}")), "{reply:?}");
        assert_eq!(client.statuses(&chat), "0 applied: fs.read a.txt\n");
    }
}

#[test]
fn a_refusal_is_told_to_the_model() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("d", "fs.delete", &[("path", "a.txt")]));
    client.take_block_action(&chat, 0, REJECT);
    assert_eq!(workspace.text("a.txt"), "one\n");
    let refused = "id: d\nok: false\nsummary: refused by the user\n";
    assert_eq!(replies(client.text(&chat)), refused);
    assert_eq!(client.statuses(&chat), "0 rejected: fs.delete a.txt\n");
    assert_eq!(titles(&client.block_actions(&chat, 0, &["refactor"])), "");
}

#[test]
fn all_proposals_are_one_edit() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let three = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"2\n","text":"3\n"}]}"#;
    let text = [
        block("1", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]),
        block("2", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", three)]),
        block("3", "fs.move", &[("path", "a.txt"), ("path_to", "b.txt")]),
        block("4", "fs.delete", &[("path", "none.txt")]),
        block("5", "fs.write", &[("path", "c.txt"), ("content", "c")]),
    ];
    client.open(&chat, "markdown", &text.join("\n"));
    assert_eq!(
        client.statuses(&chat),
        "0 ready: fs.applyEdits a.txt\n\
         1 blocked: fs.applyEdits a.txt\n\
         2 ready: fs.move a.txt\n\
         3 blocked: fs.delete none.txt\n\
         4 ready: fs.write c.txt\n"
    );
    client.take_block_action(&chat, 0, APPLY_ALL);
    assert_eq!(client.edits_made.len(), 1);
    assert_eq!(workspace.text("a.txt"), "(not there)");
    assert_eq!(workspace.text("b.txt"), "one\n2\n3\n");
    assert_eq!(workspace.text("c.txt"), "c");
    assert_eq!(
        client.statuses(&chat),
        "0 applied: fs.applyEdits a.txt\n\
         1 applied: fs.applyEdits a.txt\n\
         2 applied: fs.move a.txt\n\
         3 blocked: fs.delete none.txt\n\
         4 applied: fs.write c.txt\n"
    );
}

#[test]
fn what_cannot_be_applied_says_why() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("1", "fs.delete", &[("path", "none.txt")]));
    assert_eq!(
        titles(&client.block_actions(&chat, 0, &["refactor"])),
        "Apply fs.delete none.txt [blocked: `none.txt` does not exist]\n\
         Apply fs.delete none.txt and insert the reply [blocked: `none.txt` does not exist]\n\
         Reject fs.delete none.txt and insert the reply\n"
    );
}

#[test]
fn a_client_that_cannot_make_files_is_told() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::with(Capabilities::bare(), &workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let text = [
        block("1", "fs.write", &[("path", "new.txt"), ("content", "x")]),
        block("2", "fs.delete", &[("path", "a.txt")]),
        block("3", "fs.move", &[("path", "a.txt"), ("path_to", "b.txt")]),
        block("4", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]),
    ];
    client.open(&chat, "markdown", &text.join("\n"));
    assert_eq!(
        client.statuses(&chat),
        "0 blocked: fs.write new.txt\n\
         1 blocked: fs.delete a.txt\n\
         2 blocked: fs.move a.txt\n\
         3 ready: fs.applyEdits a.txt\n"
    );
    client.expect_diagnostics(
        &chat,
        "3:8-3:16 error plan/client-cannot: this editor does not let a language server create \
         files; `operator-lsp apply` can\n\
         11:8-11:17 error plan/client-cannot: this editor does not let a language server delete \
         files; `operator-lsp apply` can\n\
         18:8-18:15 error plan/client-cannot: this editor does not let a language server rename \
         files; `operator-lsp apply` can\n",
    );
    let action = client.action(&chat, 3, APPLY);
    assert!(action["edit"]["changes"].is_object(), "it cannot resolve: {action:#}");
    client.take_action(action);
    assert_eq!(workspace.text("a.txt"), "one\n2\n");
    assert_eq!(client.statuses(&chat).lines().nth(3), Some("3 applied: fs.applyEdits a.txt"));
}

#[test]
fn what_no_editor_can_do_keeps_nothing_else_from_being_done() {
    let workspace = Workspace::new(&[("a.txt", "a\n"), ("empty/", ""), ("full/f.txt", "f\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let text = [
        block("1", "fs.copy", &[("path", "empty"), ("path_to", "copy")]),
        block("2", "fs.write", &[("path", "a.txt"), ("content", "x")]),
        // These two wait for another, and only then is there something that cannot be done.
        block("3", "fs.move", &[("path", "empty"), ("path_to", "moved")]),
        block("4", "fs.copy", &[("path", "moved"), ("path_to", "again")]),
    ];
    client.open(&chat, "markdown", &text.join("\n"));
    assert_eq!(
        client.statuses(&chat),
        "0 blocked: fs.copy empty\n1 ready: fs.write a.txt\n2 ready: fs.move empty\n\
         3 blocked: fs.copy moved\n"
    );
    client.on_edit = super::client::OnEdit::Apply;
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    let tree: Vec<_> = workspace.tree().into_keys().collect();
    assert_eq!(tree, ["a.txt", "full/f.txt", "moved/"]);
    assert_eq!(workspace.text("a.txt"), "x");
}

#[test]
fn a_client_with_resource_operations_alone() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::with(Capabilities::neovim(), &workspace.uri(""));
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open(&target, "plaintext", "one\ntwo\n");
    let text = [
        block("1", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]),
        block("2", "fs.write", &[("path", "n/new.txt"), ("content", "x")]),
    ];
    client.open(&chat, "markdown", &text.join("\n"));
    client.take_block_action(&chat, 0, APPLY_AND_REPLY);
    client.take_block_action(&chat, 1, APPLY);
    assert_eq!(client.text(&target), "one\n2\n");
    assert_eq!(workspace.text("n/new.txt"), "x");
    // It does not know disabled actions: they are left out.
    client.append(&chat, &block("3", "fs.delete", &[("path", "none")]));
    let offered = titles(&client.block_actions(&chat, 2, &["refactor"]));
    assert_eq!(offered, "Reject fs.delete none and insert the reply\n");
}

#[test]
fn destructive_changes_ask_first() {
    let confirmed = |settings: &str| {
        let workspace = Workspace::new(&[("a.txt", "one\ntwo\n"), ("b.txt", "b\n")]);
        let mut client = Client::start(Options {
            settings: json!({"confirm": settings}),
            ..Options::new(&[workspace.uri("")])
        });
        client.set_up();
        let chat = workspace.uri("chat.md");
        let text = [
            block("1", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]),
            block("2", "fs.write", &[("path", "new.txt"), ("content", "x")]),
            block("3", "fs.write", &[("path", "a.txt"), ("content", "x")]),
            block("4", "fs.delete", &[("path", "b.txt")]),
        ];
        client.open(&chat, "markdown", &text.join("\n"));
        (0..text.len())
            .map(|index| {
                let action = client.action(&chat, index, APPLY);
                let action = client.resolve(action).unwrap();
                let annotations = action["edit"]["changeAnnotations"].as_object().unwrap().clone();
                annotations.values().any(|known| known["needsConfirmation"] == json!(true))
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(confirmed("destructive"), [false, false, true, true]);
    assert_eq!(confirmed("always"), [true, true, true, true]);
    assert_eq!(confirmed("never"), [false, false, false, false]);
}

#[test]
fn an_action_on_what_has_moved_on_is_dropped() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open(&target, "plaintext", "one\ntwo\n");
    client.open(
        &chat,
        "markdown",
        &block("e", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]),
    );
    let old = client.action(&chat, 0, APPLY);
    client.append(&target, "three\n");
    let error = client.resolve(old).unwrap_err();
    assert_eq!(error.code, -32801);
    assert_eq!(error.message, "a target has changed since this was offered");
    let old = client.action(&chat, 0, APPLY);
    client.append(&chat, "\nThanks.\n");
    let error = client.resolve(old).unwrap_err();
    assert_eq!(error.code, -32801);
    assert_eq!(error.message, "the transcript has changed since this was offered");
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.text(&target), "one\n2\nthree\n");
}

#[test]
fn every_fix_at_once() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let text =
        "- OPERATOR_CMD\nversion: 2\nid: a\n\naction: fs.read\npath: a.txt\nEND_OPERATOR_CMD:\n";
    client.open(&chat, "markdown", text);
    let everywhere =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    for _ in 0..4 {
        let fixes = client.actions(&chat, &everywhere, &["source.fixAll"]);
        let Some(fix) = fixes.first() else { break };
        client.take_action(fix.clone());
    }
    assert_eq!(client.text(&chat), block("a", "fs.read", &[("path", "a.txt")]));
    assert_eq!(client.statuses(&chat), "0 ready: fs.read a.txt\n");
}

#[test]
fn the_fixes_of_a_block_are_on_each_of_its_lines() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let text = "- OPERATOR_CMD\nversion: 2\nid: a\naction: fs.read\npath: a.txt\nEND_OPERATOR_CMD:\nprose\n";
    client.open(&chat, "markdown", text);
    let mut titles = |line: u32| {
        let place = json!({"line": line, "character": 0});
        let actions = client.actions(&chat, &json!({"start": place, "end": place}), &["quickfix"]);
        let title = |action: &serde_json::Value| action["title"].as_str().unwrap().to_owned();
        actions.iter().map(title).collect::<Vec<_>>()
    };
    let all = [
        "Make the line exactly OPERATOR_CMD",
        "Set the version to 1",
        "Make the line exactly END_OPERATOR_CMD",
        "Fix all in this block",
    ];
    assert_eq!(titles(3), all);
    // Where a problem is, its own fixes are enough.
    assert_eq!(titles(5), [all[2], all[3]]);
    assert!(titles(7).is_empty());
    let place = json!({"line": 3, "character": 0});
    let actions = client.actions(&chat, &json!({"start": place, "end": place}), &["quickfix"]);
    client.take_action(actions[3].clone());
    assert_eq!(client.text(&chat), block("a", "fs.read", &[("path", "a.txt")]) + "prose\n");
}

#[test]
fn a_file_in_another_encoding_is_left_alone_unless_it_is_open() {
    let workspace = Workspace::new(&[]);
    workspace.put("a.txt", b"caf\xe9\none\n");
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    let chat = workspace.uri("chat.md");
    let block = "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    client.open(&chat, "markdown", block);
    let proposal = &client.proposals(&chat)[0];
    assert_eq!(proposal["status"], "blocked", "{proposal}");
    assert_eq!(client.diagnostics(&chat)[0]["code"], "plan/not-utf8");
    client.open(&workspace.uri("a.txt"), "plaintext", "caf\u{fffd}\none\n");
    assert_eq!(client.proposals(&chat)[0]["status"], "ready");
}
