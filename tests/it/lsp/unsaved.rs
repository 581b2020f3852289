//! What was applied in an editor and is not saved, as other programs see it.

use serde_json::{Value, json};

use super::client::{Client, OnEdit, Options};
use super::ledger::{APPLIED, BLOCKED, READY, insert, log, start};
use super::ways::CommandLine;
use super::workspace::{Workspace, block};

/// A client with the one block applied to an open file, which is not saved.
fn applied_unsaved() -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let client = apply_unsaved(&workspace);
    let chat = workspace.uri("chat.md");
    (workspace, client, chat)
}

/// The same in a workspace that is there.
fn apply_unsaved(workspace: &Workspace) -> Client {
    // What a server holds ends with its process.
    let options = Options { process: true, ..Options::new(&[workspace.uri("")]) };
    let mut client = Client::start(options);
    client.set_up();
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &insert());
    client.open(&workspace.uri("a.txt"), "plaintext", "one\n");
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    assert_eq!(client.statuses(&chat), APPLIED);
    log(&mut client);
    assert_eq!(workspace.text("a.txt"), "one\n");
    client
}

/// The client's server is killed, or ends as it is asked to.
fn end(mut client: Client, is_killed: bool) {
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
fn other_insert() -> String {
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
    let (mut client, _) = start(&workspace, &insert());
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

/// An editor that shows an applied block which the command line has undone since; something may be typed
/// before or after that.
fn undone_below(typed: &str) -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start(&workspace, &insert());
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    assert_eq!(client.statuses(&chat), APPLIED);
    workspace.put("a.txt", client.text(&file));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    log(&mut client);
    let type_in = |client: &mut Client, when| {
        if typed == when {
            client.append(&file, "typed\n");
            assert_eq!(client.statuses(&chat).lines().count(), 1);
            log(client);
        }
    };
    type_in(&mut client, "before");
    CommandLine::sharing(&workspace).undo();
    assert_eq!(workspace.text("a.txt"), "one\n");
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat).lines().count(), 1);
    type_in(&mut client, "after");
    (workspace, client, chat)
}

#[test]
fn what_another_program_has_undone_is_not_made_twice_where_the_editor_has_not_reloaded_it() {
    for typed in ["", "before", "after"] {
        let (workspace, mut client, chat) = undone_below(typed);
        let file = workspace.uri("a.txt");
        let shown = client.text(&file).to_owned();
        let said = client.command("operator.apply", &json!({"uri": chat, "block": 0}));
        let message = said.unwrap_err().message;
        assert!(message.contains("another program has changed `a.txt`"), "{message}");
        assert_eq!(client.text(&file), shown);
        assert_eq!(client.statuses(&chat), BLOCKED);
        client.change_whole(&file, "one\n");
        assert_eq!(client.statuses(&chat), READY);
        client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
        assert_eq!(client.text(&file), "one\ntwo\n");
        assert_eq!(client.statuses(&chat), APPLIED);
    }
}

#[test]
fn what_another_program_has_undone_is_applied_where_an_editor_writes_over_it() {
    for typed in ["", "before", "after"] {
        let (workspace, mut client, chat) = undone_below(typed);
        let file = workspace.uri("a.txt");
        assert_eq!(client.statuses(&chat), BLOCKED);
        workspace.put("a.txt", client.text(&file));
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        assert_eq!(client.statuses(&chat), APPLIED, "{typed}");
        assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
        CommandLine::sharing(&workspace).apply_file("chat.md");
        assert_eq!(workspace.text("a.txt"), client.text(&file), "{typed}");
    }
}

#[test]
fn what_an_editor_writes_over_an_undo_is_applied_though_a_formatter_changes_it_at_once() {
    // A review may come in between or not.
    for _ in 0..8 {
        let (workspace, mut client, chat) = undone_below("");
        let file = workspace.uri("a.txt");
        workspace.put("a.txt", "one\ntwo\nformatted\n");
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        client.change_whole(&file, "one\ntwo\nformatted\n");
        assert_eq!(client.statuses(&chat), APPLIED);
        assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
        client.kill();
        let (mut client, _) = start(&workspace, &insert());
        assert_eq!(client.statuses(&chat), APPLIED);
    }
}

#[test]
fn what_an_editor_writes_over_an_undo_is_applied_though_it_is_seen_before_the_editor_says_so() {
    let (workspace, mut client, chat) = undone_below("");
    let file = workspace.uri("a.txt");
    // It is on disk before the server can have looked at what was typed.
    workspace.put("a.txt", "one\ntwo\ntyped\n");
    client.append(&file, "typed\n");
    assert_eq!(client.statuses(&chat), BLOCKED);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    client.until("it is applied", |it| (it.statuses(&chat) == APPLIED).then_some(()));
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
}

#[test]
fn what_another_program_has_done_stays_done_where_a_server_starts_before_the_editor_has_reloaded_it()
 {
    for (is_killed, is_read) in [(false, false), (false, true), (true, false), (true, true)] {
        let start = |workspace: &Workspace| {
            let (mut client, chat) = start(workspace, &insert());
            if is_read {
                // The ledger is read before the file is open.
                client.statuses(&chat);
            }
            client
        };
        // What it has undone.
        let (workspace, client, chat) = undone_below("");
        end(client, is_killed);
        let mut client = start(&workspace);
        let file = workspace.uri("a.txt");
        client.open(&file, "plaintext", "one\ntwo\n");
        assert_eq!(client.statuses(&chat), BLOCKED);
        client.change_whole(&file, "one\n");
        assert_eq!(client.statuses(&chat), READY);
        // What it has applied.
        CommandLine::sharing(&workspace).apply_file("chat.md");
        end(client, is_killed);
        let mut client = start(&workspace);
        client.open(&file, "plaintext", "one\n");
        assert_eq!(client.statuses(&chat), APPLIED);
        let shell = CommandLine::sharing(&workspace);
        assert_eq!(shell.apply_file("chat.md")["changed"], json!([]));
        client.change_whole(&file, "one\ntwo\n");
        assert_eq!(client.statuses(&chat), APPLIED);
        assert_eq!(log(&mut client).len(), 2);
    }
}

#[test]
fn what_is_typed_over_an_undo_is_typed_on_what_the_editor_had_loaded_before_the_server_began() {
    for (typed, is_killed) in
        [("before", false), ("before", true), ("after", false), ("after", true)]
    {
        let (workspace, client, chat) = undone_below(typed);
        let file = workspace.uri("a.txt");
        let text = client.text(&file).to_owned();
        end(client, is_killed);
        let (mut client, _) = start(&workspace, &insert());
        client.open(&file, "plaintext", &text);
        assert_eq!(client.statuses(&chat), BLOCKED);
        workspace.put("a.txt", &text);
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        client.until("it is applied", |it| (it.statuses(&chat) == APPLIED).then_some(()));
        CommandLine::sharing(&workspace).apply_file("chat.md");
        assert_eq!(workspace.text("a.txt"), text);
    }
}

#[test]
fn what_is_typed_and_not_saved_keeps_no_block_back_where_a_server_starts() {
    for is_killed in [false, true] {
        let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
        CommandLine::sharing(&workspace).apply_file("chat.md");
        let both = insert() + &other_insert();
        let wanted = APPLIED.to_owned() + "1 ready: fs.applyEdits a.txt\n";
        let file = workspace.uri("a.txt");
        let options = Options { process: true, ..Options::new(&[workspace.uri("")]) };
        let mut client = Client::start(options);
        client.set_up();
        let chat = workspace.uri("chat.md");
        client.open(&chat, "markdown", &both);
        client.open(&file, "plaintext", "one\ntwo\n");
        assert_eq!(client.statuses(&chat), wanted);
        client.append(&file, "typed\n");
        assert_eq!(client.statuses(&chat), wanted);
        log(&mut client);
        end(client, is_killed);
        let (mut client, _) = start(&workspace, &both);
        client.open(&file, "plaintext", "one\ntwo\ntyped\n");
        assert_eq!(client.statuses(&chat), wanted);
    }
}

#[test]
fn a_file_that_the_editor_has_not_reloaded_says_nothing_of_its_structure_or_to_a_model() {
    let (workspace, mut client, _) = undone_below("");
    let file = workspace.uri("a.txt");
    let (request, asked) = (json!({"op": "outline", "path": "a.txt"}), json!({"paths": ["a.txt"]}));
    let why = "another program has changed it, and the editor has not reloaded it";
    let answer = client.ask("operator/structure", request.clone());
    assert_eq!(answer["error"]["message"], format!("`a.txt`: {why}"));
    let made = client.command("operator.prompt", &asked).unwrap();
    assert_eq!(made["leftOut"], json!([{"path": "a.txt", "reason": why}]));
    client.change_whole(&file, "one\n");
    client.until("it is reloaded", |client| {
        let made = client.command("operator.prompt", &asked).unwrap();
        (made["leftOut"] == json!([])).then_some(())
    });
    let answer = client.ask("operator/structure", request);
    assert!(!answer.to_string().contains(why), "{answer}");
}

#[test]
fn what_another_program_has_undone_and_written_again_is_applied_though_somebody_types_at_once() {
    for is_typed in [false, true] {
        let (workspace, mut client, chat) = undone_below("");
        let file = workspace.uri("a.txt");
        workspace.put("a.txt", "one\ntwo\n");
        client.tell_files(&[(file.clone(), 2)]);
        if is_typed {
            client.append(&file, "typed\n");
        }
        client.until("it is applied", |it| (it.statuses(&chat) == APPLIED).then_some(()));
    }
}

#[test]
fn a_file_is_reloaded_though_somebody_types_over_it_before_that_is_certain() {
    let (workspace, mut client, chat) = undone_below("after");
    let file = workspace.uri("a.txt");
    workspace.put("a.txt", "one\nformatted\n");
    client.change_whole(&file, "one\nformatted\n");
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat), BLOCKED);
    client.append(&file, "typed\n");
    assert_eq!(client.statuses(&chat), BLOCKED);
    client.until("it is ready", |it| (it.statuses(&chat) == READY).then_some(()));
}

#[test]
fn a_file_needs_not_be_reloaded_that_is_on_disk_again_as_the_editor_shows_it() {
    let (workspace, mut client, chat) = undone_below("");
    assert_eq!(client.statuses(&chat), BLOCKED);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(client.statuses(&chat), APPLIED);
    let other = other_insert();
    client.change_whole(&chat, &other);
    assert_eq!(client.statuses(&chat), READY);
}

#[test]
fn a_file_is_reloaded_too_where_the_editor_shows_it_with_its_own_line_endings() {
    let workspace = Workspace::new(&[("a.txt", "one\r\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start(&workspace, &insert());
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    let other = insert().replace("i-1", "i-2");
    client.change_whole(&chat, &other);
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat), BLOCKED);
    client.change_whole(&file, "one\ntwo\n");
    client.until("it is ready", |it| (it.statuses(&chat) == READY).then_some(()));
}

#[test]
fn a_file_needs_not_be_reloaded_once_it_is_closed() {
    let (workspace, mut client, chat) = undone_below("after");
    client.close(&workspace.uri("a.txt"));
    assert_eq!(client.statuses(&chat), READY);
}

#[test]
fn an_editor_that_has_not_reloaded_a_file_undoes_nothing_in_it() {
    let (workspace, mut client, chat) = applied_unsaved();
    let file = workspace.uri("a.txt");
    workspace.put("a.txt", client.text(&file));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    log(&mut client);
    workspace.put("other.md", other_insert());
    CommandLine::sharing(&workspace).apply_file("other.md");
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat), APPLIED);
    let said = client.command("operator.undo", &Value::Null).unwrap_err().message;
    assert!(said.contains("another program has changed it; reload it in the editor"), "{said}");
    assert_eq!(client.text(&file), "one\ntwo\n");
    client.change_whole(&file, "one\n2\ntwo\n");
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(client.text(&file), "one\ntwo\n");
}

#[test]
fn what_is_on_disk_below_unsaved_edits_is_known_to_another_server_with_its_blocks() {
    let both = insert() + &other_insert();
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &both)]);
    let (mut client, chat) = start(&workspace, &both);
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

#[test]
fn a_file_is_reloaded_where_somebody_types_in_it_at_once() {
    for _ in 0..8 {
        let (workspace, mut client, chat) = undone_below("");
        let file = workspace.uri("a.txt");
        workspace.put("a.txt", "one\nformatted\n");
        client.change_whole(&file, "one\nformatted\n");
        client.append(&file, "typed\n");
        client.until("it is ready", |client| (client.statuses(&chat) == READY).then_some(()));
    }
}

#[test]
fn a_file_is_reloaded_where_the_ledger_is_read_once_somebody_has_typed_in_it() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let both = insert() + &other_insert();
    let (mut client, chat) = start(&workspace, &both);
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    client.statuses(&chat);
    // Nobody looks until the chat is open again.
    client.close(&chat);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    client.change_whole(&file, "one\ntwo\n");
    client.append(&file, "typed\n");
    client.open(&chat, "markdown", &both);
    let wanted = APPLIED.to_owned() + "1 ready: fs.applyEdits a.txt\n";
    client.until("one is ready", |client| (client.statuses(&chat) == wanted).then_some(()));
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
    let (mut client, _) = start(&workspace, &insert());
    client.open(&file, "plaintext", &text);
    assert_eq!(client.statuses(&chat), APPLIED);
    // What was given up is undone once the other editor saves the file as it is.
    client.kill();
    other.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    other.until("it is ready", |it| (it.statuses(&chat) == READY).then_some(()));
}
