//! Commands, and what the protocol lacks.

use serde_json::{Value, json};

use super::client::{Capabilities, Client, OnEdit};
use super::reply::replies;
use super::workspace::{Workspace, block};

fn about(uri: &str, block: usize) -> Value {
    json!({"uri": uri, "block": block})
}

/// A chat with a write, a read and a delete.
fn chat(client: &mut Client, workspace: &Workspace) -> String {
    let text = [
        block("w", "fs.write", &[("path", "a.txt"), ("content_b64", "new\n")]),
        block("r", "fs.read", &[("path", "b.txt")]),
        block("d", "fs.delete", &[("path", "b.txt")]),
        block("x", "fs.read", &[("path", "none.txt")]),
    ];
    let uri = workspace.uri("chat.md");
    client.open(&uri, "markdown", &text.join("\n"));
    uri
}

fn workspace() -> Workspace {
    Workspace::new(&[("a.txt", "old\n"), ("b.txt", "b\n")])
}

#[test]
fn apply_asks_the_client_for_the_edit_and_undo_takes_it_back() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let before = workspace.tree();
    let chat = chat(&mut client, &workspace);
    client.on_edit = OnEdit::Apply;
    client.command("operator.apply", &about(&chat, 0)).unwrap();
    assert!(client.statuses(&chat).starts_with("0 applied: "));
    client.command("operator.apply", &about(&chat, 2)).unwrap();
    assert!(client.statuses(&chat).contains("2 applied: "));
    assert_eq!(workspace.text("a.txt"), "new\n");
    assert_eq!(workspace.text("b.txt"), "(not there)");
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(workspace.text("b.txt"), "b\n");
    assert_eq!(workspace.text("a.txt"), "new\n");
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(workspace.tree(), before);
    let error = client.command("operator.undo", &Value::Null).unwrap_err();
    assert_eq!(error.message, "nothing to undo");
    assert_eq!(client.statuses(&chat).lines().next(), Some("0 ready: fs.write a.txt"));
}

#[test]
fn progress_ends_when_all_is_applied() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    client.on_edit = OnEdit::Apply;
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    client.until("the end of the progress", |client| (client.progressed == 1).then_some(()));
    assert!(client.progress.is_empty());
}

#[test]
fn what_a_file_happens_to_hold_is_no_reason_to_leave_a_block_out() {
    let text = [
        block("1", "fs.write", &[("path", "a.txt"), ("content_b64", "new\n")]),
        block("2", "fs.write", &[("path", "b.txt"), ("content_b64", "new\n")]),
        block("3", "fs.write", &[("path", "a.txt"), ("content_b64", "old\n")]),
    ];
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let uri = workspace.uri("chat.md");
    client.open(&uri, "markdown", &text.join("\n"));
    client.set_up();
    let words = |client: &mut Client| -> Vec<_> {
        let proposals = client.proposals(&uri);
        proposals.iter().map(|it| it["status"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(words(&mut client), ["ready", "ready", "satisfied"]);
    client.on_edit = OnEdit::Apply;
    client.command("operator.applyAll", &json!({"uri": uri})).unwrap();
    assert_eq!(workspace.text("a.txt"), "old\n");
    assert_eq!(workspace.text("b.txt"), "new\n");
    assert_eq!(words(&mut client), ["applied", "applied", "applied"]);
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(words(&mut client), ["ready", "ready", "satisfied"]);
    for (block, left) in [(0, "new\n"), (2, "old\n")] {
        client.command("operator.apply", &about(&uri, block)).unwrap();
        assert_eq!(workspace.text("a.txt"), left);
    }
    assert_eq!(words(&mut client), ["applied", "ready", "applied"]);
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(words(&mut client), ["applied", "ready", "applied"]);
}

#[test]
fn some_hunks_of_a_block_are_applied_and_the_reply_says_which() {
    let before: String = (1..=12).map(|number| format!("line {number}\n")).collect();
    let workspace = Workspace::new(&[("a.txt", &before)]);
    let mut client = Client::new(&workspace.uri(""));
    let after = before.replace("line 2\n", "two\n").replace("line 11\n", "eleven\n");
    let uri = workspace.uri("chat.md");
    let text = block("w", "fs.write", &[("path", "a.txt"), ("content_b64", &after)]);
    client.open(&uri, "markdown", &text);
    client.on_edit = OnEdit::Apply;
    let argument = |hunks: Value| json!({"uri": uri, "block": 0, "hunks": hunks});
    let error = client.command("operator.apply", &argument(json!([2]))).unwrap_err();
    assert_eq!(error.message, "`hunks` must name some of the 2 hunks, from 0");
    let params = json!({"textDocument": {"uri": uri}, "block": 0, "hunks": [1]});
    let preview = client.request("operator/preview", params).unwrap();
    assert_eq!(preview["files"][0]["after"], before.replace("line 11\n", "eleven\n"));
    let hunk = |line: u32, taken: bool| {
        json!({"uri": workspace.uri("a.txt"), "line": line, "lineAfter": line, "removed": 1,
               "added": 1, "taken": taken})
    };
    assert_eq!(preview["hunks"], json!([hunk(1, false), hunk(10, true)]));
    client.command("operator.apply", &argument(json!([1]))).unwrap();
    assert_eq!(workspace.text("a.txt"), before.replace("line 11\n", "eleven\n"));
    let proposals = client.proposals(&uri);
    assert_eq!(proposals[0]["status"], "applied");
    assert_eq!(proposals[0]["hunks"], json!({"applied": [1], "rejected": [0]}));
    let reply = client.command("operator.reply", &about(&uri, 0)).unwrap();
    let reply = replies(reply.as_str().unwrap());
    assert!(reply.contains("summary: edited a.txt in part, 1 of 2 hunks, 12 lines"), "{reply}");
    let details = "made the change of line 11; the user left out the change of line 2";
    assert!(reply.contains(details), "{reply}");
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(workspace.text("a.txt"), before);
}

#[test]
fn undo_after_a_later_change_takes_nothing_back() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    client.on_edit = OnEdit::Apply;
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    workspace.put("a.txt", "mine\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    let error = client.command("operator.undo", &Value::Null).unwrap_err();
    assert!(
        error.message.starts_with("nothing was undone, because these have changed since: "),
        "{error:?}"
    );
    assert_eq!(workspace.text("a.txt"), "mine\n");
    assert_eq!(workspace.text("b.txt"), "(not there)");
}

#[test]
fn undo_knows_what_stood_before_each_step() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n"), ("d/b.txt", "b\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let before = workspace.tree();
    let chat = workspace.uri("chat.md");
    let edits = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"one","text":"a\nb\nc"}]}"#;
    let text = [
        block("1", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)]),
        block("2", "fs.delete", &[("path", "a.txt")]),
        block("3", "fs.write", &[("path", "d/b.txt"), ("content", "x")]),
        block("4", "fs.move", &[("path", "d"), ("path_to", "e")]),
    ];
    client.open(&chat, "markdown", &text.join("\n"));
    client.on_edit = OnEdit::Apply;
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(workspace.text("a.txt"), "(not there)");
    assert_eq!(workspace.text("e/b.txt"), "x");
    workspace.put("e/b.txt", "mine\n");
    client.tell_files(&[(workspace.uri("e/b.txt"), 2)]);
    let error = client.command("operator.undo", &Value::Null).unwrap_err();
    assert!(
        error.message.starts_with("nothing was undone, because these have changed since: "),
        "{error:?}"
    );
    assert_eq!(workspace.text("e/b.txt"), "mine\n");
    workspace.put("e/b.txt", "x");
    client.tell_files(&[(workspace.uri("e/b.txt"), 2)]);
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(workspace.tree(), before);
}

#[test]
fn undo_takes_back_an_action_too() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let before = workspace.tree();
    let chat = chat(&mut client, &workspace);
    client.take_block_action(&chat, 0, "source.operator.applyAll");
    assert_ne!(workspace.tree(), before);
    client.on_edit = OnEdit::Apply;
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(workspace.tree(), before);
}

#[test]
fn a_refused_edit_counts_for_nothing() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    client.on_edit = OnEdit::Refuse("the user said no".to_owned());
    let error = client.command("operator.apply", &about(&chat, 0)).unwrap_err();
    assert_eq!(error.message, "the user said no");
    assert_eq!(client.statuses(&chat).lines().next(), Some("0 ready: fs.write a.txt"));
    let error = client.command("operator.undo", &Value::Null).unwrap_err();
    assert_eq!(error.message, "nothing to undo");
}

#[test]
fn a_client_that_takes_no_edits_is_told_so() {
    let workspace = workspace();
    let edits = Capabilities::everything().with("/workspace/applyEdit", Value::Null);
    let literals = "/textDocument/codeAction/codeActionLiteralSupport";
    let neither = edits.clone().with(literals, Value::Null);
    for (capabilities, instead) in
        [(edits, "use a code action"), (neither, "use `operator-lsp` on the command line")]
    {
        let mut client = Client::with(capabilities, &workspace.uri(""));
        let chat = chat(&mut client, &workspace);
        let error = client.command("operator.apply", &about(&chat, 0)).unwrap_err();
        assert!(error.message.ends_with(instead), "{error:?}");
    }
}

#[test]
fn reject_inserts_a_refusal() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    client.on_edit = OnEdit::Apply;
    client.command("operator.reject", &about(&chat, 2)).unwrap();
    let refused = "id: d\nok: false\nsummary: refused by the user\n";
    assert_eq!(replies(client.text(&chat)), refused);
    assert_eq!(workspace.text("b.txt"), "b\n");
}

#[test]
fn reply_is_the_text_for_the_model() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    let mut reply = |block: usize| {
        let text = client.command("operator.reply", &about(&chat, block)).unwrap();
        replies(text.as_str().unwrap())
    };
    let read = reply(1);
    assert!(read.starts_with("id: r\nok: true\nsummary: read b.txt, 1 line, sha256:"));
    assert!(read.ends_with("details:\nb\n"), "{read}");
    let failed = reply(3);
    assert!(failed.starts_with("id: x\nok: false\nsummary: "), "{failed}");
    assert!(failed.contains(r#""code":"plan/file-not-found""#), "{failed}");
}

#[test]
fn reply_without_a_block_tells_what_it_has_not_told_yet() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    client.on_edit = OnEdit::Apply;
    let news = |client: &mut Client, more: Value| {
        let mut argument = json!({"uri": chat});
        argument.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let text = client.command("operator.reply", &argument).unwrap();
        let ids = text.as_str().unwrap().lines().filter_map(|line| line.strip_prefix("id: "));
        ids.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(news(&mut client, json!({})), "r x", "the writes wait for the user");
    assert_eq!(news(&mut client, json!({})), "");
    client.command("operator.apply", &about(&chat, 0)).unwrap();
    client.statuses(&chat);
    assert_eq!(news(&mut client, json!({})), "w");
    assert_eq!(news(&mut client, json!({"all": true})), "w r x");
    client.command("operator.reject", &about(&chat, 2)).unwrap();
    client.statuses(&chat);
    assert_eq!(news(&mut client, json!({"all": true})), "w r x", "the refusal is in the chat");
}

#[test]
fn what_came_of_a_block_since_it_was_told_is_told() {
    let before: String = (1..=12).map(|number| format!("line {number}\n")).collect();
    let after = before.replace("line 2\n", "two\n").replace("line 11\n", "eleven\n");
    let workspace = Workspace::new(&[("a.txt", &before)]);
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    let edit = |find: &str, text: &str| json!({"op": "replaceFirst", "find": find, "text": text});
    let edits =
        json!({"version": 1, "edits": [edit("line 2\n", "two\n"), edit("line 11", "eleven")]});
    let fields = [("path", "a.txt"), ("edits_b64", &edits.to_string())];
    client.open(&chat, "markdown", &block("w", "fs.applyEdits", &fields));
    let apply = |client: &mut Client, more: Value| {
        let mut argument = about(&chat, 0);
        argument.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.command("operator.apply", &argument).unwrap();
    };
    let news = |client: &mut Client| {
        client.statuses(&chat);
        let text = client.command("operator.reply", &json!({"uri": chat})).unwrap();
        let text = replies(text.as_str().unwrap());
        let summary = text.lines().find_map(|line| line.strip_prefix("summary: "));
        summary.unwrap_or_default().split(',').next().unwrap_or_default().to_owned()
    };
    let undo = |client: &mut Client| _ = client.command("operator.undo", &Value::Null).unwrap();
    apply(&mut client, json!({}));
    assert_eq!(workspace.text("a.txt"), after);
    assert_eq!(news(&mut client), "edited a.txt");
    undo(&mut client);
    assert_eq!(news(&mut client), "", "it waits for the user");
    apply(&mut client, json!({}));
    assert_eq!(news(&mut client), "", "that is told");
    undo(&mut client);
    apply(&mut client, json!({"hunks": [1]}));
    assert_eq!(news(&mut client), "edited a.txt in part");
    undo(&mut client);
    apply(&mut client, json!({}));
    assert_eq!(news(&mut client), "edited a.txt");
    undo(&mut client);
    workspace.put("a.txt", "other\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    let failed = news(&mut client);
    assert_ne!(failed, "");
    assert_eq!(news(&mut client), "");
    workspace.put("a.txt", &before);
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    apply(&mut client, json!({}));
    assert_eq!(news(&mut client), "edited a.txt");
    undo(&mut client);
    workspace.put("a.txt", "other\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(news(&mut client), failed);
}

#[test]
fn a_read_is_told_as_it_was_on_its_turn() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    let write = block("w", "fs.write", &[("path", "a.txt"), ("content_b64", "new\n")]);
    let reads = ["a.txt", "b.txt"].map(|path| block(&path[..1], "fs.read", &[("path", path)]));
    client.open(&chat, "markdown", &[write, reads.concat()].concat());
    let news = |client: &mut Client| {
        client.statuses(&chat);
        let text = client.command("operator.reply", &json!({"uri": chat})).unwrap();
        replies(text.as_str().unwrap())
    };
    let first = news(&mut client);
    assert!(first.contains("details:\nold\n") && first.contains("details:\nb\n"), "{first}");
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    let then = news(&mut client);
    assert!(then.contains("details:\nnew\n") && !then.contains("details:\nb\n"), "{then}");
    assert_eq!(news(&mut client), "");
}

#[test]
fn a_read_in_a_document_without_a_file_is_not_answered_in_the_next_one_of_its_name() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    client.on_edit = OnEdit::Apply;
    let (uri, read) = ("untitled:Untitled-1", block("r", "fs.read", &[("path", "b.txt")]));
    let ready = "0 ready: fs.read b.txt\n";
    for text in ["b\n", "other\n"] {
        workspace.put("b.txt", text);
        client.tell_files(&[(workspace.uri("b.txt"), 2)]);
        client.open(uri, "markdown", &read);
        assert_eq!(client.statuses(uri), ready);
        client.command("operator.applyAll", &json!({"uri": uri})).unwrap();
        assert_eq!(client.statuses(uri), "0 applied: fs.read b.txt\n");
        let told = client.command("operator.reply", &json!({"uri": uri})).unwrap();
        let told = replies(told.as_str().unwrap());
        assert!(told.ends_with(&format!("details:\n{text}")), "{told}");
        client.close(uri);
    }
    client.shut_down();
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    client.open(uri, "markdown", &read);
    assert_eq!(client.statuses(uri), ready);
}

#[test]
fn preview_shows_both_sides_and_the_diff() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    let params = json!({"textDocument": {"uri": chat}, "block": 0});
    let preview = client.ask("operator/preview", params);
    let expected = json!({"files": [{
        "uri": workspace.uri("a.txt"), "before": "old\n", "after": "new\n",
        "diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n"
    }]});
    assert_eq!(preview["files"], expected["files"]);
    let argument = preview["argument"].clone();
    assert_eq!((&argument["block"], &argument["uri"]), (&json!(0), &json!(chat)));
    assert_eq!(client.command("operator.preview", &about(&chat, 0)).unwrap(), preview);
    let mut diff = |block: usize| {
        let params = json!({"textDocument": {"uri": chat}, "block": block});
        client.ask("operator/preview", params)["files"].clone()
    };
    assert_eq!(diff(1), json!([]), "a read changes nothing");
    assert_eq!(diff(2)[0]["diff"], "--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n");
    assert_eq!(diff(2)[0]["after"], Value::Null);
}

#[test]
fn what_is_applied_is_not_shown_as_if_it_came_again() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    let edits = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"one\n","text":"two\n"}]}"#;
    let edits = block("a", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)]);
    client.open(&chat, "markdown", &edits);
    assert!(client.command("operator.apply", &about(&chat, 0)).is_ok());
    let params = json!({"textDocument": {"uri": chat}, "block": 0});
    assert_eq!(client.fail("operator/preview", params).message, "it is applied already");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

#[test]
fn proposals_are_what_check_prints() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    let first = client.proposals(&chat)[0].clone();
    let expected = json!({
        "id": "w", "dialect": "operator", "action": "fs.write", "path": "a.txt",
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 6, "character": 16}},
        "status": "ready", "effect": "write", "caution": null, "cautionMessage": null,
        "summary": "fs.write a.txt",
        "does": {"kind": "edit", "files": 1, "added": 1, "removed": 1}, "group": "changes",
        "problems": 1,
        "messages": ["nothing earlier in this transcript has read a.txt"],
        "repliesWith": null,
        "offers": ["preview", "apply", "applyAndReply", "reject"], "by": null, "after": null,
    });
    assert_eq!(first, expected);
}

#[test]
fn the_numbers_are_told_when_they_change() {
    let workspace = workspace();
    let mut client = Client::new(&workspace.uri(""));
    let chat = chat(&mut client, &workspace);
    let counts = |ready: u64, blocked: u64, stale: u64, invalid: u64| {
        json!({"uri": workspace.uri("chat.md"), "ready": ready, "blocked": blocked,
               "stale": stale, "invalid": invalid})
    };
    let expect = |client: &mut Client, wanted: Value| {
        client.until(&format!("{wanted}"), |client| {
            (client.counts.get(&chat) == Some(&wanted)).then_some(())
        });
    };
    expect(&mut client, counts(3, 1, 0, 0));
    client.append(&chat, "\nOPERATOR_CMD\nEND_OPERATOR_CMD\n");
    expect(&mut client, counts(3, 1, 0, 1));
    workspace.put("a.txt", "changed\n");
    client.set_up();
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    expect(&mut client, counts(2, 1, 1, 1));
}

#[test]
fn fingerprints_are_of_the_buffer_else_of_the_file() {
    let workspace = Workspace::new(&[("a.txt", "\u{feff}a\n"), ("b.txt", "b\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let of = |text: &str| operator_core::fingerprint::Fingerprint::of(text.as_bytes()).to_string();
    let (a, b) = (workspace.uri("a.txt"), workspace.uri("b.txt"));
    assert_eq!(client.fingerprint(&b), of("b\n"));
    client.open(&b, "plaintext", "buffer\n");
    assert_eq!(client.fingerprint(&b), of("buffer\n"));
    client.close(&b);
    assert_eq!(client.fingerprint(&b), of("b\n"));
    assert_eq!(client.fingerprint(&a), of("\u{feff}a\n"));
    client.open(&a, "plaintext", "a\n");
    assert_eq!(client.fingerprint(&a), of("\u{feff}a\n"), "the mark on disk counts");
    let none = json!({"uri": workspace.uri("none.txt")});
    assert_eq!(client.fail("operator/fingerprint", none).code, -32602);
    let outside = json!({"uri": "file:///etc/passwd"});
    assert_eq!(client.fail("operator/fingerprint", outside).code, -32602);
    client.open("untitled:one", "plaintext", "text");
    assert_eq!(client.fingerprint("untitled:one"), of("text"));
}
