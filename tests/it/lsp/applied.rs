//! What counts as applied: the targets' content where the client shows it, else the client's word.

use serde_json::{Value, json};

use super::client::{Client, OnEdit};
use super::workspace::{Workspace, block};

const APPLY: &str = "refactor.rewrite.operator.apply";
const APPLY_ALL: &str = "source.operator.applyAll";
const TWO: &str = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"two","text":"2"}]}"#;
const ONE: &str = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"one","text":"1"}]}"#;

fn edits(id: &str, edits: &str) -> String {
    block(id, "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)])
}

fn workspace() -> Workspace {
    Workspace::new(&[("a.txt", "one\ntwo\n")])
}

fn start(workspace: &Workspace, transcript: &str) -> (Client, String) {
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", transcript);
    (client, chat)
}

/// The same with `a.txt` open; gives its URI too.
fn start_open(workspace: &Workspace, transcript: &str) -> (Client, String, String) {
    let (mut client, chat) = start(workspace, transcript);
    let target = workspace.uri("a.txt");
    client.open(&target, "plaintext", "one\ntwo\n");
    (client, chat, target)
}

/// Two blocks: one writes something else into `a.txt`, the other what was there.
fn there_and_back() -> String {
    let write = |id: &str, content: &str| {
        block(id, "fs.write", &[("path", "a.txt"), ("content_b64", content)])
    };
    [write("1", "new\n"), write("2", "one\ntwo\n")].join("\n")
}

/// Says that an action's edit was made, as clients do that have made it, and those that have not.
fn say_done(client: &mut Client, action: &Value) {
    let command = &action["command"];
    let params = json!({"command": command["command"], "arguments": command["arguments"]});
    client.ask("workspace/executeCommand", params);
}

const READY: &str = "0 ready: fs.applyEdits a.txt\n";
const APPLIED: &str = "0 applied: fs.applyEdits a.txt\n";

#[test]
fn an_open_target_that_never_got_the_edit_is_not_applied() {
    let workspace = workspace();
    let (mut client, chat, target) = start_open(&workspace, &edits("1", TWO));
    let action = client.action(&chat, 0, APPLY);
    let action = client.resolve(action).unwrap();
    say_done(&mut client, &action);
    assert_eq!(client.statuses(&chat), READY);
    let error = client.command("operator.undo", &Value::Null).unwrap_err();
    assert_eq!(error.message, "nothing to undo");
    // The next time the client takes it.
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.text(&target), "one\n2\n");
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn a_change_that_comes_after_the_word_counts_when_it_comes() {
    let workspace = workspace();
    let both = [edits("1", TWO), edits("2", ONE)].join("\n");
    let (mut client, chat, target) = start_open(&workspace, &both);
    let ready = client.statuses(&chat);
    let action = client.action(&chat, 0, APPLY_ALL);
    let action = client.resolve(action).unwrap();
    say_done(&mut client, &action);
    assert_eq!(client.statuses(&chat), ready);
    client.apply(&action["edit"]).unwrap();
    assert_eq!(client.statuses(&chat), ready.replace("ready", "applied"));
    client.on_edit = OnEdit::Apply;
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(client.text(&target), "one\ntwo\n");
    assert_eq!(client.statuses(&chat), ready);
}

#[test]
fn blocks_that_were_applied_together_are_undone_together() {
    let workspace = workspace();
    let both = [edits("1", TWO), edits("2", ONE)].join("\n");
    let (mut client, chat, target) = start_open(&workspace, &both);
    let ready = client.statuses(&chat);
    client.take_block_action(&chat, 0, APPLY_ALL);
    assert_eq!(client.text(&target), "1\n2\n");
    assert_eq!(client.statuses(&chat), ready.replace("ready", "applied"));
    // By the editor's own undo.
    client.change_whole(&target, "one\ntwo\n");
    assert_eq!(client.statuses(&chat), ready);
}

#[test]
fn what_a_later_block_puts_back_is_not_undone() {
    let both = |first: &str, second: &str| {
        format!("0 {first}: fs.write a.txt\n1 {second}: fs.write a.txt\n")
    };
    for (open, by_command) in [(true, true), (true, false), (false, true), (false, false)] {
        let workspace = workspace();
        let (mut client, chat) = start(&workspace, &there_and_back());
        let target = workspace.uri("a.txt");
        if open {
            client.open(&target, "plaintext", "one\ntwo\n");
        }
        client.on_edit = OnEdit::Apply;
        let apply = |client: &mut Client, index: usize| {
            if by_command {
                let about = json!({"uri": chat, "block": index});
                client.command("operator.apply", &about).unwrap();
            } else {
                client.take_block_action(&chat, index, APPLY);
            }
        };
        assert_eq!(client.statuses(&chat), both("ready", "satisfied"));
        apply(&mut client, 0);
        assert_eq!(client.statuses(&chat), both("applied", "ready"));
        apply(&mut client, 1);
        assert_eq!(client.statuses(&chat), both("applied", "applied"));
        if !open {
            continue;
        }
        // By the editor's own undo, step by step.
        client.change_whole(&target, "new\n");
        assert_eq!(client.statuses(&chat), both("applied", "ready"));
        client.change_whole(&target, "one\ntwo\n");
        assert_eq!(client.statuses(&chat), both("ready", "satisfied"));
    }
}

#[test]
fn an_edit_counts_whatever_is_typed_right_after_it() {
    let write = [("path", "a.txt"), ("content_b64", "new\n")];
    let moved = [("path", "a.txt"), ("path_to", "b.txt")];
    let ended = [("path", "a.txt"), ("content_b64", "no end")];
    for (action, fields, target, text) in [
        ("fs.write", write, "a.txt", "new\n"),
        ("fs.write", ended, "a.txt", "no end\r\n"),
        ("fs.move", moved, "b.txt", "one\ntwo\n"),
    ] {
        let workspace = workspace();
        let (mut client, chat, _) = start_open(&workspace, &block("1", action, &fields));
        let shown = client.statuses(&chat);
        let resolved = client.action(&chat, 0, APPLY);
        let resolved = client.resolve(resolved).unwrap();
        client.apply(&resolved["edit"]).unwrap();
        let target = workspace.uri(target);
        client.change_whole(&target, text);
        client.append(&target, "mine\n");
        assert_eq!(client.statuses(&chat), shown.replace("ready", "applied"), "{text:?}");
        // It is one operation, and the client says at last that it has made it.
        say_done(&mut client, &resolved);
        assert_eq!(client.statuses(&chat), shown.replace("ready", "applied"), "{text:?}");
        let log = client.command("operator.log", &Value::Null).unwrap();
        assert_eq!(log["operations"].as_array().unwrap().len(), 1, "{log:#}");
    }
}

#[test]
fn an_action_that_another_took_the_place_of_counts_once_the_client_says_so() {
    let workspace = workspace();
    let (mut client, chat) = start(&workspace, &edits("1", TWO));
    let action = client.action(&chat, 0, APPLY);
    let action = client.resolve(action).unwrap();
    let all = client.action(&chat, 0, APPLY_ALL);
    client.resolve(all).unwrap();
    client.apply(&action["edit"]).unwrap();
    for _ in 0..2 {
        say_done(&mut client, &action);
        assert_eq!(client.statuses(&chat), APPLIED);
        let log = client.command("operator.log", &Value::Null).unwrap();
        assert_eq!(log["operations"].as_array().unwrap().len(), 1, "{log:#}");
    }
}

#[test]
fn an_edit_that_the_client_refuses_explains_no_change() {
    let workspace = workspace();
    let (mut client, chat, target) = start_open(&workspace, &there_and_back());
    client.take_block_action(&chat, 0, APPLY);
    client.on_edit = OnEdit::Refuse("no".to_owned());
    client.command("operator.apply", &json!({"uri": chat, "block": 1})).unwrap_err();
    client.change_whole(&target, "one\ntwo\n");
    let shown = client.statuses(&chat);
    assert_eq!(shown, "0 ready: fs.write a.txt\n1 satisfied: fs.write a.txt\n");
}

#[test]
fn a_command_whose_edit_the_open_target_did_not_get_is_not_applied() {
    let workspace = workspace();
    let (mut client, chat, target) = start_open(&workspace, &edits("1", TWO));
    client.on_edit = OnEdit::Pretend;
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    assert_eq!(client.statuses(&chat), READY);
    client.change_whole(&target, "one\n2\n");
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn the_word_counts_for_a_target_that_is_not_open_whatever_the_disk_says() {
    let workspace = workspace();
    let (mut client, chat) = start(&workspace, &edits("1", TWO));
    let action = client.action(&chat, 0, APPLY);
    let action = client.resolve(action).unwrap();
    say_done(&mut client, &action);
    assert_eq!(client.statuses(&chat), APPLIED);
    workspace.put("a.txt", "one\ntwo\nthree\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(client.statuses(&chat), APPLIED, "nothing says that it was undone");
    // What the client had all the time, saved at last.
    workspace.put("a.txt", "one\n2\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(client.statuses(&chat), APPLIED);
    workspace.put("a.txt", "one\n2\nthree\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(client.statuses(&chat), APPLIED, "what comes on top of it is no undo");
}

#[test]
fn the_word_counts_until_the_target_is_opened() {
    let workspace = workspace();
    let (mut client, chat) = start(&workspace, &edits("1", TWO));
    let action = client.action(&chat, 0, APPLY);
    let action = client.resolve(action).unwrap();
    say_done(&mut client, &action);
    assert_eq!(client.statuses(&chat), APPLIED);
    let target = workspace.uri("a.txt");
    client.open(&target, "plaintext", "one\ntwo\n");
    assert_eq!(client.statuses(&chat), READY);
    client.replace(&target, "two", "2");
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn an_editor_that_ends_the_last_line_has_made_the_edit() {
    let workspace = workspace();
    let text = block("1", "fs.write", &[("path", "new.txt"), ("content_b64", "no end")]);
    let (mut client, chat) = start(&workspace, &text);
    let action = client.action(&chat, 0, APPLY);
    let action = client.resolve(action).unwrap();
    workspace.put("new.txt", "");
    let target = workspace.uri("new.txt");
    client.open(&target, "plaintext", "no end\n");
    say_done(&mut client, &action);
    assert_eq!(client.statuses(&chat), "0 applied: fs.write new.txt\n");
    workspace.put("new.txt", "no end\n");
    client.tell_files(&[(target, 2)]);
    assert_eq!(client.statuses(&chat), "0 applied: fs.write new.txt\n");
}

#[test]
fn what_is_applied_says_just_that() {
    let workspace = workspace();
    let base = operator_core::fingerprint::Fingerprint::of(b"one\ntwo\n").to_string();
    let fields = [("path", "a.txt"), ("edits_b64", TWO), ("base_fingerprint", &base)];
    let (mut client, chat) = start(&workspace, &block("1", "fs.applyEdits", &fields));
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.statuses(&chat), APPLIED);
    let about = json!({"uri": chat, "block": 0});
    for command in ["operator.apply", "operator.preview"] {
        let error = client.command(command, &about).unwrap_err();
        assert_eq!(error.message, "it is applied already", "{command}");
    }
}

#[test]
fn a_file_that_is_deleted_while_it_is_open() {
    let workspace = workspace();
    let (mut client, chat, _) =
        start_open(&workspace, &block("1", "fs.delete", &[("path", "a.txt")]));
    let action = client.action(&chat, 0, APPLY);
    let action = client.resolve(action).unwrap();
    say_done(&mut client, &action);
    assert_eq!(client.statuses(&chat), "0 ready: fs.delete a.txt\n");
    client.apply(&action["edit"]).unwrap();
    assert_eq!(client.statuses(&chat), "0 applied: fs.delete a.txt\n");
    client.on_edit = OnEdit::Apply;
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    assert_eq!(client.statuses(&chat), "0 ready: fs.delete a.txt\n");
}

/// A block is applied and saved, undone, and something is typed; then the editor shows what was saved.
fn check_thrown_away(show_saved: impl Fn(&mut Client, &str, &str)) {
    let workspace = workspace();
    let insert = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"one\n","text":"new\n"}]}"#;
    let (mut client, chat, target) = start_open(&workspace, &edits("1", insert));
    client.take_block_action(&chat, 0, APPLY);
    let saved = client.text(&target).to_owned();
    assert_eq!(saved, "one\nnew\ntwo\n");
    workspace.put("a.txt", &saved);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": target}}));
    assert_eq!(client.statuses(&chat), APPLIED);
    client.replace(&target, "new\n", "");
    assert_eq!(client.statuses(&chat), READY);
    client.append(&target, "typed\n");
    assert_eq!(client.statuses(&chat), READY);
    show_saved(&mut client, &target, &saved);
    assert_eq!(client.statuses(&chat), APPLIED);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
}

#[test]
fn what_is_undone_and_thrown_away_unsaved_is_applied_as_before() {
    check_thrown_away(|client, target, _| _ = client.close(target));
    check_thrown_away(|client, target, saved| client.change_whole(target, saved));
    check_thrown_away(|client, target, saved| {
        client.close(target);
        client.open(target, "plaintext", saved);
    });
}

/// A block is applied, a line is typed, and both are saved; then another branch is checked out, and
/// this one again.
#[test]
fn what_is_typed_onto_what_was_applied_comes_back_with_it() {
    for is_open in [true, false] {
        let workspace = workspace();
        let (mut client, chat, target) = start_open(&workspace, &edits("1", TWO));
        client.take_block_action(&chat, 0, APPLY);
        client.append(&target, "typed\n");
        workspace.put("a.txt", "one\n2\ntyped\n");
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": target}}));
        assert_eq!(client.statuses(&chat), APPLIED);
        if !is_open {
            client.close(&target);
        }
        let mut show = |text: &str, status: &str| {
            workspace.put("a.txt", text);
            if is_open {
                client.change_whole(&target, text);
            }
            client.tell_files(&[(target.clone(), 2)]);
            assert_eq!(client.statuses(&chat), status);
            // What was found is written.
            client.command("operator.log", &json!({"uri": chat})).unwrap();
        };
        show("one\ntwo\n", READY);
        show("one\n2\ntyped\n", APPLIED);
    }
}

/// A block is applied to a text that is not saved; then the editor shows what was saved.
fn check_unsaved_thrown_away(typed_first: bool, show_saved: impl Fn(&mut Client, &str, &str)) {
    let workspace = workspace();
    let block = edits("1", TWO);
    let (mut client, chat, target) = start_open(&workspace, if typed_first { "" } else { &block });
    client.append(&target, "typed\n");
    if typed_first {
        assert_eq!(client.statuses(&chat), "");
        client.append(&chat, &block);
    }
    assert_eq!(client.statuses(&chat), READY);
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.text(&target), "one\n2\ntyped\n");
    assert_eq!(client.statuses(&chat), APPLIED);
    show_saved(&mut client, &target, "one\ntwo\n");
    assert_eq!(client.statuses(&chat), READY);
    client.shut_down();
    let (mut client, chat) = start(&workspace, &block);
    assert_eq!(client.statuses(&chat), READY);
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(workspace.text("a.txt"), "one\n2\n");
}

#[test]
fn what_is_applied_to_an_unsaved_text_and_thrown_away_with_it_is_ready_again() {
    for typed_first in [false, true] {
        check_unsaved_thrown_away(typed_first, |client, target, _| _ = client.close(target));
        check_unsaved_thrown_away(typed_first, |client, target, saved| {
            client.change_whole(target, saved);
        });
        check_unsaved_thrown_away(typed_first, |client, target, saved| {
            client.close(target);
            client.open(target, "plaintext", saved);
        });
    }
}
