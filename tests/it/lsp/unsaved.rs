//! What was applied in an editor and is not saved, as other programs see it.

use serde_json::{Value, json};

use super::client::Client;
use super::ledger::{APPLIED, BLOCKED, READY, insert, log, start, start_process};
use super::ways::CommandLine;
use super::workspace::{Workspace, block};

/// A client with the one block applied to an open file, which is not saved.
pub fn applied_unsaved() -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let client = apply_unsaved(&workspace);
    let chat = workspace.uri("chat.md");
    (workspace, client, chat)
}

/// The same in a workspace that is there.
fn apply_unsaved(workspace: &Workspace) -> Client {
    let (mut client, chat) = start_process(workspace, &insert());
    client.open(&workspace.uri("a.txt"), "plaintext", "one\n");
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    assert_eq!(client.statuses(&chat), APPLIED);
    log(&mut client);
    assert_eq!(workspace.text("a.txt"), "one\n");
    client
}

/// The client's server is killed, or ends as it is asked to.
pub fn end(mut client: Client, is_killed: bool) {
    match is_killed {
        true => client.kill(),
        false => assert_eq!(client.shut_down(), 0),
    }
}

#[test]
fn what_an_editor_has_not_saved_yet_is_applied_for_the_command_line_too() {
    let (workspace, mut client, chat) = applied_unsaved();
    CommandLine::sharing(&workspace).apply_file("chat.md");
    assert_eq!(workspace.text("a.txt"), "one\n");
    assert_eq!(client.statuses(&chat), APPLIED);
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
}

/// A block that adds `2` after `one`.
pub fn other_insert() -> String {
    let edits = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"one\n","text":"2\n"}]}"#;
    block("i-2", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)])
}

/// The command line does not write a file that the editor has not saved.
#[track_caller]
fn check_unsaved(workspace: &Workspace) {
    workspace.put("other.md", other_insert());
    let said = CommandLine::sharing(workspace).apply_file("other.md");
    assert_eq!(said["results"][0]["error"]["code"], "plan/unsaved", "{said:#}");
    assert_eq!(workspace.text("a.txt"), "one\n");
}

#[test]
fn a_file_that_an_editor_has_not_saved_is_not_written_by_the_command_line() {
    let (workspace, mut client, chat) = applied_unsaved();
    check_unsaved(&workspace);
    let shell = CommandLine::sharing(&workspace);
    let file = workspace.uri("a.txt");
    workspace.put("a.txt", client.text(&file));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    assert_eq!(client.statuses(&chat), APPLIED);
    log(&mut client);
    let said = shell.apply_file("other.md");
    assert_eq!(said["results"][0]["ok"], true, "{said:#}");
    assert_eq!(workspace.text("a.txt"), "one\n2\ntwo\n");
    assert_eq!(shell.apply_file("chat.md")["changed"], json!([]));
}

#[test]
fn a_file_is_written_again_once_the_server_was_killed_whose_editor_had_not_saved_it() {
    let (workspace, client, _) = applied_unsaved();
    check_unsaved(&workspace);
    client.kill();
    let said = CommandLine::sharing(&workspace).apply_file("other.md");
    assert_eq!(said["results"][0]["ok"], true, "{said:#}");
    assert_eq!(workspace.text("a.txt"), "one\n2\n");
}

#[test]
fn a_file_is_written_again_once_an_editor_shows_what_is_on_disk() {
    let (workspace, mut client, chat) = applied_unsaved();
    check_unsaved(&workspace);
    // It is undone, and no editor needs to save what is on disk already.
    client.replace(&workspace.uri("a.txt"), "one\ntwo\n", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    log(&mut client);
    let said = CommandLine::sharing(&workspace).apply_file("other.md");
    assert_eq!(said["results"][0]["ok"], true, "{said:#}");
}

#[test]
fn what_an_editor_has_undone_and_made_again_is_applied_for_the_command_line_too() {
    let (workspace, mut client, chat) = applied_unsaved();
    let file = workspace.uri("a.txt");
    // Nothing looks at the text in between.
    client.close(&chat);
    client.replace(&file, "one\ntwo\n", "one\n");
    log(&mut client);
    client.replace(&file, "one\n", "one\ntwo\n");
    log(&mut client);
    check_unsaved(&workspace);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    assert_eq!(workspace.text("a.txt"), "one\n");
    client.open(&chat, "markdown", &insert());
    assert_eq!(client.statuses(&chat), APPLIED);
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
}

#[test]
fn what_an_editor_has_closed_without_saving_it_is_not_applied() {
    let (workspace, mut client, chat) = applied_unsaved();
    client.close(&workspace.uri("a.txt"));
    assert_eq!(client.statuses(&chat), READY);
    log(&mut client);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

#[test]
fn what_an_editor_has_not_saved_yet_is_applied_for_another_editor_too() {
    let (workspace, mut client, chat) = applied_unsaved();
    let file = workspace.uri("a.txt");
    let (mut other, _) = start(&workspace, &insert());
    other.open(&file, "plaintext", "one\n");
    assert_eq!(other.statuses(&chat), APPLIED);
    assert_eq!(log(&mut other), ["1 lsp fs.applyEdits a.txt"]);
    assert_eq!(client.statuses(&chat), APPLIED);
    // Somebody types there.
    other.replace(&file, "one\n", "one\nthree\n");
    assert_eq!(other.statuses(&chat), APPLIED);
    other.replace(&file, "one\nthree\n", "one\n");
    assert_eq!(other.statuses(&chat), APPLIED);
    assert_eq!(log(&mut other), ["1 lsp fs.applyEdits a.txt"]);
    // The first editor saves, and the other one reads the file anew; its server looks before that.
    workspace.put("a.txt", client.text(&file));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    log(&mut client);
    other.tell_files(&[(file.clone(), 2)]);
    assert_eq!(other.statuses(&chat), APPLIED, "not read yet");
    assert_eq!(log(&mut other), ["1 lsp fs.applyEdits a.txt"]);
    other.change_whole(&file, "one\ntwo\n");
    assert_eq!(other.statuses(&chat), APPLIED);
    other.replace(&file, "one\ntwo\n", "one\n");
    assert_eq!(other.statuses(&chat), READY, "undone by hand");
}

/// Another server, once the one before has ended; its editor shows the file again as it was, which is
/// not saved, and somebody types at once. Somebody may have typed before that, too.
#[track_caller]
fn check_shown_again(is_killed: bool, is_reviewed_before: bool, typed: &str) {
    let (workspace, mut client, chat) = applied_unsaved();
    let file = workspace.uri("a.txt");
    let shown = format!("one\ntwo\n{typed}");
    client.replace(&file, "one\ntwo\n", &shown);
    end(client, is_killed);
    let (mut client, _) = start(&workspace, &insert());
    if is_reviewed_before {
        assert_eq!(client.statuses(&chat), APPLIED, "the editor may show it again");
    }
    client.open(&file, "plaintext", &shown);
    client.replace(&file, &shown, &format!("{shown}three\n"));
    assert_eq!(client.statuses(&chat), APPLIED);
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
    // Once it was shown, what is there without it is an undo.
    client.close(&file);
    assert_eq!(client.statuses(&chat), READY);
}

#[test]
fn what_was_not_saved_is_applied_where_another_server_first_sees_the_disk() {
    check_shown_again(true, false, "");
}

#[test]
fn what_was_not_saved_is_applied_where_another_server_has_reviewed_the_disk() {
    for is_killed in [true, false] {
        for typed in ["", "typed\n"] {
            check_shown_again(is_killed, true, typed);
        }
    }
}

#[test]
fn what_was_not_saved_stays_applied_for_another_editor_once_the_server_has_ended() {
    for is_killed in [true, false] {
        let (workspace, client, chat) = applied_unsaved();
        let (mut other, _) = start(&workspace, &insert());
        assert_eq!(other.statuses(&chat), APPLIED);
        end(client, is_killed);
        // It looks at the disk before the first editor has started a server again.
        other.tell_files(&[(workspace.uri("a.txt"), 2)]);
        assert_eq!(other.statuses(&chat), APPLIED);
        assert_eq!(log(&mut other), ["1 lsp fs.applyEdits a.txt"]);
        other.open(&workspace.uri("a.txt"), "plaintext", "one\n");
        assert_eq!(other.statuses(&chat), READY, "it is not there");
    }
}

#[test]
fn what_was_not_saved_is_applied_for_a_server_that_learns_of_it_once_the_other_has_ended() {
    for is_killed in [true, false] {
        let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
        let (mut other, chat) = start(&workspace, &insert());
        assert_eq!(other.statuses(&chat), READY);
        let client = apply_unsaved(&workspace);
        end(client, is_killed);
        other.tell_files(&[(workspace.uri("a.txt"), 2)]);
        assert_eq!(other.statuses(&chat), APPLIED);
        assert_eq!(log(&mut other), ["1 lsp fs.applyEdits a.txt"]);
    }
}

#[test]
fn what_was_not_saved_and_is_given_up_is_ready_once_the_file_is_opened() {
    let (workspace, client, chat) = applied_unsaved();
    client.kill();
    let (mut client, _) = start_process(&workspace, &insert());
    assert_eq!(client.statuses(&chat), APPLIED, "the editor may show it again");
    client.open(&workspace.uri("a.txt"), "plaintext", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    log(&mut client);
    client.kill();
    let (mut client, _) = start(&workspace, &insert());
    assert_eq!(client.statuses(&chat), READY);
}

/// The one block, and an editor in which somebody has typed when the command line applies it.
fn applied_below_typing() -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start(&workspace, &insert());
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    client.replace(&file, "one\n", "one\nthree\n");
    assert_eq!(client.statuses(&chat), READY);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    client.tell_files(&[(file, 2)]);
    assert_eq!(client.statuses(&chat), APPLIED);
    (workspace, client, chat)
}

#[test]
fn what_another_program_has_applied_is_undone_where_the_typed_text_before_it_is_there_again() {
    let (workspace, mut client, chat) = applied_below_typing();
    let file = workspace.uri("a.txt");
    for _ in 0..2 {
        client.change_whole(&file, "one\ntwo\n");
        assert_eq!(client.statuses(&chat), APPLIED);
        client.change_whole(&file, "one\nthree\n");
        assert_eq!(client.statuses(&chat), READY);
    }
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt undone"]);
}

#[test]
fn what_another_program_has_applied_is_undone_where_an_editor_writes_over_it() {
    let (workspace, mut client, chat) = applied_below_typing();
    let file = workspace.uri("a.txt");
    workspace.put("a.txt", client.text(&file));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    client.tell_files(&[(file, 2)]);
    assert_eq!(client.statuses(&chat), READY);
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt undone"]);
}

#[test]
fn what_another_program_has_applied_is_undone_after_what_was_typed_and_undone_before_it() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start(&workspace, &insert());
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    client.replace(&file, "one\n", "one\nthree\n");
    assert_eq!(client.statuses(&chat), READY);
    client.replace(&file, "one\nthree\n", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    client.replace(&file, "one\n", "one\ntwo\n");
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat), APPLIED);
    client.replace(&file, "one\ntwo\n", "one\n");
    assert_eq!(client.statuses(&chat), READY);
}

#[test]
fn what_another_editor_has_typed_on_its_change_is_with_that_change() {
    for is_told_first in [false, true] {
        let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
        let (mut client, chat) = start(&workspace, &insert());
        let (mut other, _) = start(&workspace, &insert());
        let file = workspace.uri("a.txt");
        for client in [&mut client, &mut other] {
            client.open(&file, "plaintext", "one\n");
            assert_eq!(client.statuses(&chat), READY);
        }
        client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
        assert_eq!(client.statuses(&chat), APPLIED);
        client.append(&file, "typed\n");
        assert_eq!(client.statuses(&chat), APPLIED);
        let text = client.text(&file).to_owned();
        workspace.put("a.txt", &text);
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        log(&mut client);
        if is_told_first {
            other.tell_files(&[(file.clone(), 2)]);
            assert_eq!(other.statuses(&chat), APPLIED);
        }
        other.change_whole(&file, &text);
        other.tell_files(&[(file.clone(), 2)]);
        assert_eq!(other.statuses(&chat), APPLIED);
        for _ in 0..2 {
            other.change_whole(&file, "one\n");
            // Once it is certain that the editor has not saved what it has loaded.
            other.until("it is ready", |it| (it.statuses(&chat) == READY).then_some(()));
            other.change_whole(&file, &text);
            assert_eq!(other.statuses(&chat), APPLIED);
        }
    }
}

#[test]
fn what_is_on_disk_below_unsaved_edits_is_known_to_another_server_with_its_blocks() {
    let both = insert() + &other_insert();
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &both)]);
    let (mut client, chat) = start_process(&workspace, &both);
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    client.append(&file, "typed\n");
    let said = |first: &str, second: &str| {
        format!("0 {first}: fs.applyEdits a.txt\n1 {second}: fs.applyEdits a.txt\n")
    };
    assert_eq!(client.statuses(&chat), said("applied", "ready"));
    let saved = client.text(&file).to_owned();
    workspace.put("a.txt", &saved);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    // The editor does not save this.
    client.replace(&file, "typed\n", "");
    assert_eq!(client.statuses(&chat), said("applied", "ready"));
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(client.text(&file), "one\n");
    client.command("operator.apply", &json!({"uri": chat, "block": 1})).unwrap();
    assert_eq!(client.statuses(&chat), said("ready", "applied"));
    log(&mut client);
    client.kill();
    let (mut client, chat) = start(&workspace, &both);
    client.open(&file, "plaintext", &saved);
    assert_eq!(client.statuses(&chat), said("applied", "ready"));
    assert_eq!(log(&mut client), ["2 lsp fs.applyEdits a.txt undone", "1 lsp fs.applyEdits a.txt"]);
}

/// A block that one editor has applied and not saved, while another one shows the file as it is on disk.
fn unsaved_beside_another() -> (Workspace, Client, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut other, chat) = start(&workspace, &insert());
    let file = workspace.uri("a.txt");
    other.open(&file, "plaintext", "one\n");
    assert_eq!(other.statuses(&chat), READY);
    let client = apply_unsaved(&workspace);
    other.tell_files(&[(file.clone(), 2)]);
    assert_eq!(other.statuses(&chat), APPLIED);
    (workspace, client, other, chat)
}

#[test]
fn what_another_editor_has_not_saved_is_applied_where_the_file_was_open_before() {
    let (workspace, mut client, mut other, chat) = unsaved_beside_another();
    let file = workspace.uri("a.txt");
    for (before, after) in [("one\n", "one\nthree\n"), ("one\nthree\n", "one\n")] {
        other.replace(&file, before, after);
        assert_eq!(other.statuses(&chat), APPLIED);
        assert_eq!(log(&mut other), ["1 lsp fs.applyEdits a.txt"]);
    }
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn what_an_editor_has_made_again_and_not_saved_is_not_undone_where_another_one_reloads_the_file() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let file = workspace.uri("a.txt");
    CommandLine::sharing(&workspace).apply_file("chat.md");
    let [(mut client, chat), (mut other, _)] = [(); 2].map(|()| start(&workspace, &insert()));
    for client in [&mut client, &mut other] {
        client.open(&file, "plaintext", "one\ntwo\n");
        assert_eq!(client.statuses(&chat), APPLIED);
    }
    // One editor undoes it and saves that, and makes it again.
    client.change_whole(&file, "one\n");
    assert_eq!(client.statuses(&chat), READY);
    workspace.put("a.txt", "one\n");
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    assert_eq!(client.statuses(&chat), READY);
    log(&mut client);
    other.tell_files(&[(file.clone(), 2)]);
    assert_eq!(other.statuses(&chat), BLOCKED);
    client.change_whole(&file, "one\ntwo\n");
    assert_eq!(client.statuses(&chat), APPLIED);
    log(&mut client);
    other.tell_files(&[(file.clone(), 2)]);
    // The other one has shown the block all the time, and reloads what is on disk.
    assert_eq!(other.statuses(&chat), APPLIED);
    other.change_whole(&file, "one\n");
    other.tell_files(&[(file.clone(), 2)]);
    assert_eq!(other.statuses(&chat), APPLIED);
    assert_eq!(log(&mut other), ["1 cli fs.applyEdits a.txt"]);
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn what_is_on_disk_below_an_unsaved_undo_is_known_with_its_block() {
    let (workspace, mut client, chat) = applied_unsaved();
    let file = workspace.uri("a.txt");
    // It is saved, and a formatter changes it.
    let saved = "one\ntwo\nformatted\n";
    workspace.put("a.txt", saved);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    client.change_whole(&file, saved);
    assert_eq!(client.statuses(&chat), APPLIED);
    // The editor undoes what the formatter has changed, and starts another server.
    client.change_whole(&file, "one\ntwo\n");
    assert_eq!(client.statuses(&chat), APPLIED);
    end(client, false);
    let (mut client, _) = start(&workspace, &insert());
    client.open(&file, "plaintext", "one\ntwo\n");
    assert_eq!(client.statuses(&chat), APPLIED);
    client.command("operator.undo", &json!({"uri": chat})).unwrap();
    assert_eq!(client.text(&file), "one\n");
    assert_eq!(client.statuses(&chat), READY);
    // Thrown away is the undo.
    client.change_whole(&file, saved);
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn what_a_client_has_made_before_its_server_was_killed_is_known_though_somebody_types_at_once() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start_process(&workspace, &insert());
    let file = workspace.uri("a.txt");
    client.open(&file, "python", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    client.mute = true;
    let apply = json!({"command": "operator.apply", "arguments": [{"uri": chat, "block": 0}]});
    client.send_request("workspace/executeCommand", apply);
    client.asked("workspace/applyEdit");
    client.kill();
    let (mut client, _) = start(&workspace, "");
    client.open(&file, "python", "one\ntwo\n");
    client.append(&file, "typed\n");
    client.change_whole(&chat, &insert());
    assert_eq!(client.statuses(&chat), APPLIED);
    // It is on record by the time that the log is there, and read again.
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn what_an_editor_has_not_saved_when_its_server_is_killed_is_not_undone_by_another_editor() {
    let (workspace, client, mut other, chat) = unsaved_beside_another();
    let file = workspace.uri("a.txt");
    let text = client.text(&file).to_owned() + "typed\n";
    client.kill();
    for _ in 0..3 {
        other.tell_files(&[(file.clone(), 2)]);
        assert_eq!(other.statuses(&chat), APPLIED);
    }
    assert_eq!(log(&mut other), ["1 lsp fs.applyEdits a.txt"]);
    // The editor starts another one, and somebody has typed meanwhile.
    let (mut client, _) = start_process(&workspace, &insert());
    client.open(&file, "plaintext", &text);
    assert_eq!(client.statuses(&chat), APPLIED);
    // What was given up is undone once the other editor saves the file as it is.
    client.kill();
    other.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    other.until("it is ready", |it| (it.statuses(&chat) == READY).then_some(()));
}
