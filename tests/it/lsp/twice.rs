//! What could apply an edit twice: it is asked for again before the editor has answered, or told of together
//! with what was typed after it.

use serde_json::{Value, json};

use super::client::{Capabilities, Client, OnEdit};
use super::ledger::{APPLIED, APPLY, READY, insert, log, start};
use super::workspace::{Workspace, block};

const NOT_ANSWERED: &str =
    "the editor has not answered to the last edit of a.txt yet: finish it there, or cancel it";

/// Asks for a command, and for another one while the editor has the edit of the first; the second
/// is refused.
#[track_caller]
fn check_refused(client: &mut Client, first: (&str, Value), second: (&str, Value)) {
    client.mute = true;
    let ask = |(name, argument): (&str, Value)| json!({"command": name, "arguments": [argument]});
    let first = client.send_request("workspace/executeCommand", ask(first));
    client.asked("workspace/applyEdit");
    let error = client.request("workspace/executeCommand", ask(second)).unwrap_err();
    assert_eq!(error.message, NOT_ANSWERED);
    client.speak();
    client.wait(first).unwrap();
}

fn workspace() -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let (client, chat) = start(&workspace, &insert());
    (workspace, client, chat)
}

#[test]
fn a_block_is_not_applied_while_the_editor_has_its_edit() {
    for second in ["operator.apply", "operator.applyAll"] {
        let (workspace, mut client, chat) = workspace();
        let apply = json!({"uri": chat, "block": 0});
        check_refused(&mut client, ("operator.apply", apply.clone()), (second, apply));
        assert_eq!(client.statuses(&chat), APPLIED);
        assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
        assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
    }
}

#[test]
fn an_equal_block_of_another_transcript_is_not_applied_meanwhile() {
    let (workspace, mut client, chat) = workspace();
    let other = workspace.uri("other.md");
    client.open(&other, "markdown", &insert());
    let apply = |uri: &str| ("operator.apply", json!({"uri": uri, "block": 0}));
    check_refused(&mut client, apply(&chat), apply(&other));
    assert_eq!(client.statuses(&other), APPLIED);
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

#[test]
fn an_operation_is_not_undone_or_redone_while_the_editor_does_that() {
    let (workspace, mut client, chat) = workspace();
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    for (command, then) in [("operator.undo", "one\n"), ("operator.redo", "one\ntwo\n")] {
        let ask = || (command, json!({"uri": chat}));
        check_refused(&mut client, ask(), ask());
        assert_eq!(workspace.text("a.txt"), then);
    }
}

#[test]
fn an_edit_that_the_editor_refuses_can_be_asked_for_again() {
    let (workspace, mut client, chat) = workspace();
    let apply = json!({"uri": chat, "block": 0});
    client.on_edit = OnEdit::Refuse("not now".to_owned());
    client.command("operator.apply", &apply).unwrap_err();
    client.on_edit = OnEdit::Apply;
    client.command("operator.apply", &apply).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

/// A change that puts a text in the place of whole lines; `to` is the line after the last of them.
fn put(from: usize, to: usize, text: &str) -> Value {
    let at = |line: usize| json!({"line": line, "character": 0});
    json!({"range": {"start": at(from), "end": at(to)}, "text": text})
}

/// The client says that it has made the edit, and tells of it together with what was typed then.
#[track_caller]
fn check_told_together(undone_before: bool) {
    let (_workspace, mut client, chat) = workspace();
    let file = client.documents.keys().next().unwrap().replace("chat.md", "a.txt");
    client.open(&file, "plaintext", "one\n");
    let apply = json!({"uri": chat, "block": 0});
    if undone_before {
        client.command("operator.apply", &apply).unwrap();
        client.replace(&file, "one\ntwo\n", "one\n");
        assert_eq!(client.statuses(&chat), READY);
    } else {
        client.on_edit = OnEdit::Pretend;
        client.command("operator.apply", &apply).unwrap();
    }
    client.change(&file, &[put(1, 1, "two\n"), put(0, 0, "x")]);
    assert_eq!(client.text(&file), "xone\ntwo\n");
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn an_edit_is_seen_that_is_told_of_together_with_what_was_typed_after_it() {
    check_told_together(false);
}

#[test]
fn a_redo_is_seen_that_is_told_of_together_with_what_was_typed_after_it() {
    check_told_together(true);
}

/// Undoes an edit, redoes it and types, before anybody has looked at the file in between.
#[track_caller]
fn check_undone_and_redone(are_told_together: bool) {
    for _ in 0..8 {
        let (workspace, mut client, chat) = workspace();
        let file = workspace.uri("a.txt");
        client.open(&file, "plaintext", "one\n");
        client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
        assert_eq!(client.statuses(&chat), APPLIED);
        client.change(&file, &[put(1, 2, "")]);
        let rest = [put(1, 1, "two\n"), put(0, 0, "x")];
        match are_told_together {
            true => client.change(&file, &rest),
            false => rest.into_iter().for_each(|part| client.change(&file, &[part])),
        }
        assert_eq!(client.text(&file), "xone\ntwo\n");
        assert_eq!(client.statuses(&chat), APPLIED);
    }
}

#[test]
fn an_edit_that_is_undone_and_redone_at_once_counts_as_applied() {
    check_undone_and_redone(false);
}

#[test]
fn an_edit_is_seen_that_is_undone_and_then_redone_together_with_what_was_typed_after_it() {
    check_undone_and_redone(true);
}

/// The client makes the edit of an action on disk, and tells of nothing.
fn made_in_silence() -> (Workspace, Client, String) {
    let (workspace, mut client, chat) = workspace();
    client.registered.clear();
    let action = client.action(&chat, 0, APPLY);
    let edit = client.resolve(action).unwrap()["edit"].clone();
    client.apply(&edit).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    (workspace, client, chat)
}

#[test]
fn what_a_client_has_made_and_tells_nothing_of_is_not_made_again() {
    for (command, argument) in [("operator.apply", Some(0)), ("operator.applyAll", None)] {
        let (workspace, mut client, chat) = made_in_silence();
        client.command(command, &json!({"uri": chat, "block": argument})).unwrap_err();
        assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
        assert_eq!(client.statuses(&chat), APPLIED);
    }
}

#[test]
fn an_action_of_what_has_changed_on_disk_is_not_given() {
    let (workspace, mut client, chat) = workspace();
    client.registered.clear();
    let action = client.action(&chat, 0, APPLY);
    workspace.put("a.txt", "zero\none\n");
    let error = client.resolve(action).unwrap_err();
    assert_eq!(error.message, "a.txt has changed on disk since it was looked at");
    // The command looks again by itself.
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    assert_eq!(workspace.text("a.txt"), "zero\none\ntwo\n");
}

/// The client keeps a document open whose file a block deletes.
#[track_caller]
fn check_kept_open(path: &str) {
    let workspace = Workspace::new(&[("d/x.txt", "x\n"), ("d/z.txt", "z\n")]);
    let (mut client, chat) = start(&workspace, &block("d1", "fs.delete", &[("path", path)]));
    client.keeps_deleted = true;
    let file = workspace.uri("d/x.txt");
    client.open(&file, "plaintext", "x\n");
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    assert_eq!(workspace.text("d/x.txt"), "(not there)");
    assert_eq!(client.statuses(&chat), format!("0 applied: fs.delete {path}\n"));
    let error = client.command("operator.undo", &json!({"uri": chat})).unwrap_err();
    let says = "the editor still shows d/x.txt, which is gone: close it there first";
    assert_eq!(error.message, says);
    client.close(&file);
    client.command("operator.undo", &json!({"uri": chat})).unwrap();
    assert_eq!(
        (workspace.text("d/x.txt"), workspace.text("d/z.txt")),
        ("x\n".into(), "z\n".into())
    );
    assert_eq!(client.statuses(&chat), format!("0 ready: fs.delete {path}\n"));
}

#[test]
fn a_file_that_the_editor_still_shows_is_not_made_again_under_it() {
    check_kept_open("d/x.txt");
}

#[test]
fn a_directory_with_a_file_that_the_editor_still_shows_is_deleted_and_comes_back() {
    check_kept_open("d");
}

#[test]
fn a_part_of_an_edit_is_not_taken_for_a_redo() {
    let insert = |id: &str, anchor: &str, text: &str| {
        let edit = json!({"op": "insertAfter", "anchor": anchor, "text": text});
        let edits = json!({"version": 1, "edits": [edit]}).to_string();
        block(id, "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &edits)])
    };
    let workspace = Workspace::new(&[("a.txt", "one\nx\n")]);
    let text = insert("i-1", "one\n", "two\n") + &insert("i-2", "x\n", "y\n");
    let (mut client, chat) = start(&workspace, &text);
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\nx\n");
    client.command("operator.apply", &json!({"uri": chat, "block": 1})).unwrap();
    client.replace(&file, "one\nx\ny\n", "one\nx\n");
    let ready = "0 ready: fs.applyEdits a.txt\n1 ready: fs.applyEdits a.txt\n";
    assert_eq!(client.statuses(&chat), ready);
    // Editors make the last part first, which leaves what the undone block had left.
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(client.text(&file), "one\ntwo\nx\ny\n");
    assert_eq!(client.statuses(&chat), ready.replace("ready", "applied"));
    let expected = ["2 lsp fs.applyEdits a.txt", "1 lsp fs.applyEdits a.txt undone"];
    assert_eq!(log(&mut client), expected);
}

/// A client without versions, with a file open.
fn unversioned(text: &str, transcript: &str) -> (Workspace, Client, [String; 2]) {
    let workspace = Workspace::new(&[("a.txt", text)]);
    let capabilities = Capabilities::everything().with("/workspace/workspaceEdit", json!({}));
    let mut client = Client::with(capabilities, &workspace.uri(""));
    client.on_edit = OnEdit::Apply;
    let uris = [workspace.uri("chat.md"), workspace.uri("a.txt")];
    client.open(&uris[1], "plaintext", text);
    client.open(&uris[0], "markdown", transcript);
    client.statuses(&uris[0]);
    (workspace, client, uris)
}

/// Sends a command as a key that is held down does, and says what each comes to.
fn hold_down(client: &mut Client, times: usize, command: &str, argument: &Value) -> Vec<String> {
    let params = json!({"command": command, "arguments": [argument]});
    let send = |_| client.send_request("workspace/executeCommand", params.clone());
    let sent: Vec<i64> = (0..times).map(send).collect();
    let answers = sent.into_iter().map(|id| match client.wait(id) {
        Ok(_) => "made".to_owned(),
        Err(error) => error.message,
    });
    answers.collect()
}

/// Blocks that each put a line into `a.txt`, and the file with the first of them applied.
fn lines(count: usize) -> (String, Vec<String>) {
    let insert = |line: usize| {
        let edit = json!({"op": "insertAfter", "anchor": "one\n", "text": format!("{line}\n")});
        let edits = json!({"version": 1, "edits": [edit]}).to_string();
        block(&format!("l-{line}"), "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &edits)])
    };
    let text = |count: usize| {
        let lines = (0..count).rev().map(|line| format!("{line}\n")).collect::<String>();
        format!("one\n{lines}three\n")
    };
    ((0..count).map(insert).collect(), (0..=count).map(text).collect())
}

/// Undoes, then redoes three times at once where so many operations were made.
#[track_caller]
fn check_held_down(operations: usize) {
    let (transcript, texts) = lines(operations);
    let (_workspace, mut client, [chat, file]) = unversioned(&texts[0], &transcript);
    for block in 0..operations {
        client.command("operator.apply", &json!({"uri": chat, "block": block})).unwrap();
    }
    assert_eq!(client.text(&file), texts[operations]);
    let expected = |what: &str| {
        let answer = |at: usize| if at < operations { "made".to_owned() } else { what.to_owned() };
        (0..3).map(answer).collect::<Vec<_>>()
    };
    let argument = json!({"uri": chat});
    let undone = hold_down(&mut client, 3, "operator.undo", &argument);
    assert_eq!(undone, expected("nothing to undo"));
    assert_eq!(client.text(&file), texts[0]);
    let redone = hold_down(&mut client, 3, "operator.redo", &argument);
    assert_eq!(redone, expected("nothing to redo"));
    assert_eq!(client.text(&file), texts[operations]);
}

#[test]
fn an_operation_is_undone_and_redone_once_where_the_key_is_held_down() {
    for _ in 0..4 {
        check_held_down(1);
    }
}

#[test]
fn each_undo_undoes_an_operation_of_its_own() {
    check_held_down(3);
}

#[test]
fn a_block_is_rejected_once_where_the_key_is_held_down() {
    let (transcript, texts) = lines(2);
    for _ in 0..4 {
        let (_workspace, mut client, [chat, _]) = unversioned(&texts[0], &transcript);
        let argument = json!({"uri": chat, "block": 0});
        let refused = hold_down(&mut client, 3, "operator.reject", &argument);
        let already = "it was refused already";
        assert_eq!(refused, ["made", already, already]);
        assert_eq!(client.text(&chat).matches("refused by the user").count(), 1);
    }
}

#[test]
fn an_edit_that_the_editor_does_not_answer_does_not_keep_another_operation_from_its_undo() {
    let insert = |path: &str| {
        let edit = json!({"op": "insertAfter", "anchor": "one\n", "text": "two\n"});
        let edits = json!({"version": 1, "edits": [edit]}).to_string();
        block(&path.replace('.', "-"), "fs.applyEdits", &[("path", path), ("edits_b64", &edits)])
    };
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let (mut client, chat) = start(&workspace, &(insert("a.txt") + &insert("b.txt")));
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    client.mute = true;
    let ask = |block: usize| json!({"command": "operator.apply", "arguments": [{"uri": chat, "block": block}]});
    let first = client.send_request("workspace/executeCommand", ask(1));
    client.asked("workspace/applyEdit");
    let undo = json!({"command": "operator.undo", "arguments": [{"uri": chat, "id": 1}]});
    let undo = client.send_request("workspace/executeCommand", undo);
    client.until("the edit of the undo", |client| (client.unanswered_edits() == 2).then_some(()));
    client.speak();
    client.wait(first).unwrap();
    client.wait(undo).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\n");
    assert_eq!(workspace.text("b.txt"), "one\ntwo\n");
}
