//! Files that an editor shows as they were before another program has changed them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::Client;
use super::ledger::{APPLIED, BLOCKED, READY, insert, log, start, start_process};
use super::unsaved::{applied_unsaved, end, other_insert};
use super::ways::CommandLine;
use super::workspace::Workspace;

/// An editor that shows an applied block which the command line has undone since; something may be typed
/// before or after that.
fn undone_below(typed: &str) -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start_process(&workspace, &insert());
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

/// An editor that shows a file with this text on disk, to which the command line has applied a block since.
fn applied_below(on_disk: &str) -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", on_disk), ("chat.md", &insert())]);
    let (mut client, chat) = start(&workspace, &insert());
    client.open(&workspace.uri("a.txt"), "plaintext", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    (workspace, client, chat)
}

/// The time for which a server is in doubt whether an editor has loaded what it shows, or is about to say
/// that it has saved it. A machine with much else to do may take longer for a few messages.
struct Doubt(Instant);

impl Doubt {
    /// Begins no later than the server's own.
    fn begin() -> Doubt {
        Doubt(Instant::now())
    }

    fn may_be_over(&self) -> bool {
        self.0.elapsed() >= Duration::from_millis(100)
    }

    /// What the server says as long as it is in doubt.
    #[track_caller]
    fn check(&self, seen: &str, wanted: &str) {
        assert!(self.may_be_over() || seen == wanted, "{seen}");
    }
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
fn what_an_editor_writes_over_an_undo_is_applied_though_its_server_ends_at_once() {
    // The server may have seen the undo before or not.
    for round in 0..16 {
        let (workspace, mut client, chat) = applied_unsaved();
        let file = workspace.uri("a.txt");
        workspace.put("a.txt", client.text(&file));
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        client.append(&file, "typed\n");
        assert_eq!(client.statuses(&chat), APPLIED);
        log(&mut client);
        CommandLine::sharing(&workspace).undo();
        workspace.put("a.txt", client.text(&file));
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        _ = if round % 2 == 0 { client.shut_down() } else { client.hang_up() };
        let said = CommandLine::sharing(&workspace).apply_file("chat.md");
        assert_eq!(workspace.text("a.txt"), client.text(&file), "{said:#}");
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
            let (mut client, chat) = start_process(workspace, &insert());
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
fn what_was_changed_on_disk_while_no_server_was_there_is_loaded() {
    // The first look at the file may come before or after it is known to be on disk.
    for _ in 0..4 {
        let (workspace, client, chat) = undone_below("");
        end(client, false);
        workspace.put("a.txt", "one\nby hand\n");
        let (mut client, _) = start(&workspace, &insert());
        let file = workspace.uri("a.txt");
        client.open(&file, "plaintext", "one\nby hand\n");
        assert_eq!(client.statuses(&chat), READY);
        // What is typed there and saved is typed on that, and not on what an earlier server has told.
        client.append(&file, "typed\n");
        workspace.put("a.txt", client.text(&file));
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        assert_eq!(client.statuses(&chat), READY);
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
        let (mut client, chat) = start_process(&workspace, &both);
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
    let doubt = Doubt::begin();
    client.change_whole(&file, "one\nformatted\n");
    client.tell_files(&[(file.clone(), 2)]);
    doubt.check(&client.statuses(&chat), BLOCKED);
    client.append(&file, "typed\n");
    doubt.check(&client.statuses(&chat), BLOCKED);
    client.until("it is ready", |it| (it.statuses(&chat) == READY).then_some(()));
}

#[test]
fn a_server_that_ends_before_it_is_certain_what_is_loaded_tells_the_next_one_nothing_of_it() {
    for is_killed in [false, true] {
        let (workspace, mut client, chat) = undone_below("after");
        let file = workspace.uri("a.txt");
        workspace.put("a.txt", "one\nformatted\n");
        let doubt = Doubt::begin();
        client.change_whole(&file, "one\nformatted\n");
        client.tell_files(&[(file.clone(), 2)]);
        doubt.check(&client.statuses(&chat), BLOCKED);
        log(&mut client);
        end(client, is_killed);
        let may_be_certain = doubt.may_be_over();
        let (mut client, _) = start(&workspace, &insert());
        client.open(&file, "plaintext", "one\nformatted\ntyped\n");
        let seen = client.statuses(&chat);
        assert!(may_be_certain || seen == BLOCKED, "{seen}");
        workspace.put("a.txt", client.text(&file));
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        client.until("it is ready", |it| (it.statuses(&chat) == READY).then_some(()));
    }
}

#[test]
fn what_was_loaded_in_doubt_is_known_where_the_editor_undoes_that_and_saves_at_once() {
    let (workspace, mut client, chat) = applied_below("one\n");
    let file = workspace.uri("a.txt");
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat), APPLIED);
    // A formatter has changed it, too.
    workspace.put("a.txt", "one\ntwo\nformatted\n");
    client.change_whole(&file, "one\ntwo\nformatted\n");
    log(&mut client);
    client.change_whole(&file, "one\n");
    workspace.put("a.txt", "one\n");
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    assert_eq!(client.statuses(&chat), READY);
    client.change_whole(&file, "one\ntwo\nformatted\n");
    assert_eq!(client.statuses(&chat), APPLIED);
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
    let (workspace, mut client, chat) = applied_below("one\r\n");
    let file = workspace.uri("a.txt");
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
fn an_editor_undoes_nothing_in_a_file_before_it_is_told_that_another_program_has_changed_it() {
    for is_undone in [false, true] {
        let (workspace, mut client, chat) = applied_unsaved();
        let file = workspace.uri("a.txt");
        workspace.put("a.txt", client.text(&file));
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
        log(&mut client);
        let shell = CommandLine::sharing(&workspace);
        let (name, why) = if is_undone {
            shell.undo();
            ("operator.redo", "a.txt has changed since")
        } else {
            workspace.put("other.md", other_insert());
            shell.apply_file("other.md");
            ("operator.undo", "a.txt: another program has changed it")
        };
        let said = client.command(name, &json!({"uri": chat})).unwrap_err().message;
        assert!(said.contains(why), "{said}");
        assert_eq!(client.text(&file), "one\ntwo\n");
        client.change_whole(&file, &workspace.text("a.txt"));
        client.command(name, &json!({"uri": chat})).unwrap();
    }
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

/// An editor that begins to show the file, types in it and saves it, before the transcript is open. The
/// command line does something before or after that.
fn saved_before_anybody_looks(
    does: impl Fn(&CommandLine),
    is_over: bool,
) -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    if is_over {
        CommandLine::sharing(&workspace).apply_file("chat.md");
    }
    let (mut client, chat) = start(&workspace, &insert());
    assert_eq!(client.statuses(&chat), if is_over { APPLIED } else { READY });
    // Nobody looks until the chat is open again.
    client.close(&chat);
    let file = workspace.uri("a.txt");
    client.open(&file, "python", &workspace.text("a.txt"));
    if is_over {
        does(&CommandLine::sharing(&workspace));
    }
    client.append(&file, "typed\n");
    workspace.put("a.txt", client.text(&file));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    if !is_over {
        does(&CommandLine::sharing(&workspace));
    }
    client.open(&chat, "markdown", &insert());
    (workspace, client, chat)
}

#[test]
fn what_an_editor_has_saved_before_another_program_changes_it_is_not_saved_over_that() {
    let (workspace, mut client, chat) =
        saved_before_anybody_looks(|it| _ = it.apply_file("chat.md"), false);
    assert_eq!(client.statuses(&chat), APPLIED);
    client.change_whole(&workspace.uri("a.txt"), &workspace.text("a.txt"));
    assert_eq!(client.statuses(&chat), APPLIED);
    assert_eq!(log(&mut client).len(), 1);
}

#[test]
fn what_an_editor_writes_over_an_undo_is_applied_though_nobody_has_looked_before() {
    let (_workspace, mut client, chat) = saved_before_anybody_looks(|it| it.undo(), true);
    assert_eq!(client.statuses(&chat), APPLIED);
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt"]);
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

/// An editor that shows a file as it was before another program, of which nobody has told, has changed it;
/// something may be typed before or after that.
fn changed_below(typed: &str) -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start(&workspace, &insert());
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    log(&mut client);
    let type_in = |client: &mut Client, when| {
        if typed == when {
            client.append(&file, "typed\n");
            assert_eq!(client.statuses(&chat), READY);
        }
    };
    type_in(&mut client, "before");
    workspace.put("a.txt", "zero\none\n");
    type_in(&mut client, "after");
    (workspace, client, chat)
}

fn is_refused(said: super::client::Answer) {
    let message = said.unwrap_err().message;
    assert!(message.contains("another program has changed `a.txt`"), "{message}");
}

#[test]
fn a_file_that_any_program_has_changed_is_not_edited_until_the_editor_has_reloaded_it() {
    for (typed, is_all) in ["", "before", "after"].iter().flat_map(|it| [(it, false), (it, true)]) {
        let (workspace, mut client, chat) = changed_below(typed);
        let file = workspace.uri("a.txt");
        let shown = client.text(&file).to_owned();
        let command = if is_all { "operator.applyAll" } else { "operator.apply" };
        is_refused(client.command(command, &json!({"uri": chat, "block": 0})));
        assert_eq!(client.text(&file), shown);
        client.change_whole(&file, "zero\none\n");
        assert_eq!(client.statuses(&chat), READY);
        client.command(command, &json!({"uri": chat, "block": 0})).unwrap();
        assert_eq!(client.text(&file), "zero\none\ntwo\n");
        assert_eq!(client.statuses(&chat), APPLIED);
    }
}

#[test]
fn no_action_structure_operation_or_undo_edits_a_file_that_any_program_has_changed() {
    let (_workspace, mut client, chat) = changed_below("");
    let action = client.action(&chat, 0, "refactor.rewrite.operator.apply");
    let error = client.resolve(action).unwrap_err().message;
    assert!(error.contains("another program has changed `a.txt`"), "{error}");

    let (workspace, mut client, chat) = changed_below("");
    let file = workspace.uri("a.txt");
    client.change_whole(&file, "zero\none\n");
    assert_eq!(client.statuses(&chat), READY);
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    workspace.put("a.txt", client.text(&file));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    log(&mut client);
    workspace.put("a.txt", "zero\n");
    is_refused(client.command("operator.undo", &Value::Null));
    workspace.put("a.txt", client.text(&file));
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(client.text(&file), "zero\none\n");

    let workspace = Workspace::new(&[("a.py", "class C: pass\n")]);
    let (mut client, _) = start(&workspace, &insert());
    client.open(&workspace.uri("a.py"), "python", "class C: pass\n");
    log(&mut client);
    workspace.put("a.py", "class D: pass\n");
    let request = json!({"op": "delete_structure", "path": "a.py", "target": "C"});
    let error = client.request("operator/structure", request).unwrap_err().message;
    assert!(error.contains("another program has changed `a.py`"), "{error}");
}

#[test]
fn a_file_that_any_program_has_changed_is_edited_where_the_editor_saves_over_it_or_closes_it() {
    for is_closed in [false, true] {
        let (workspace, mut client, chat) = changed_below("before");
        let file = workspace.uri("a.txt");
        is_refused(client.command("operator.apply", &json!({"uri": chat, "block": 0})));
        if is_closed {
            client.close(&file);
        } else {
            // It need not be on disk as it is shown.
            workspace.put("a.txt", "one\r\ntyped\r\n");
            client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
            client.append(&file, "more\n");
        }
        assert_eq!(client.statuses(&chat), READY);
        client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    }
}

#[test]
fn a_text_that_is_saved_and_typed_in_by_turns_is_not_one_that_another_program_has_changed() {
    for rounds in 0..8 {
        let (workspace, mut client, chat) = changed_below("");
        let file = workspace.uri("a.txt");
        client.change_whole(&file, "zero\none\n");
        for round in 0..rounds {
            client.append(&file, "typed\n");
            workspace.put("a.txt", client.text(&file));
            client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
            if (round + rounds) % 3 == 0 {
                client.append(&file, "more\n");
            }
            assert_eq!(client.statuses(&chat), READY);
        }
        client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    }
}
