//! What was applied is known whatever becomes of the transcript's buffer and of the server.

use operator_core::fingerprint::Fingerprint;
use serde_json::{Value, json};

use super::client::{Client, OnEdit, Options, Unopened};
use super::reply::replies;
use super::ways::CommandLine;
use super::workspace::{Workspace, block};

pub const APPLY: &str = "refactor.rewrite.operator.apply";
pub const APPLIED: &str = "0 applied: fs.applyEdits a.txt\n";
pub const READY: &str = "0 ready: fs.applyEdits a.txt\n";
pub const BLOCKED: &str = "0 blocked: fs.applyEdits a.txt\n";
pub const NOTHING: &str = "no proposal of this transcript can be applied";

/// A block that adds `two` after `one`: done twice it is wrong, and nothing shows that.
pub fn insert() -> String {
    let edits = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"one\n","text":"two\n"}]}"#;
    block("i-1", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)])
}

pub fn start(workspace: &Workspace, transcript: &str) -> (Client, String) {
    start_with(Options::new(&[workspace.uri("")]), workspace, transcript)
}

/// The same with the real binary. What a server holds ends with its process.
pub fn start_process(workspace: &Workspace, transcript: &str) -> (Client, String) {
    let options = Options { process: true, ..Options::new(&[workspace.uri("")]) };
    start_with(options, workspace, transcript)
}

fn start_with(options: Options, workspace: &Workspace, transcript: &str) -> (Client, String) {
    let mut client = Client::start(options);
    client.set_up();
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", transcript);
    (client, chat)
}

#[test]
fn as_much_is_kept_for_undo_as_the_settings_say() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let settings = json!({"history": {"operations": 1, "days": 1}});
    let folders = [workspace.uri("")];
    let options = Options { settings, initialization_options: true, ..Options::new(&folders) };
    let mut client = Client::start(options);
    client.set_up();
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    let other = insert().replace("i-1", "i-3").replace("a.txt", "b.txt");
    let texts = [insert(), insert().replace("i-1", "i-2"), other];
    client.open(&chat, "markdown", &texts.concat());
    for block in 0..3 {
        client.command("operator.apply", &json!({"uri": chat, "block": block})).unwrap();
    }
    let mut undo = |id: u64| client.command("operator.undo", &json!({"uri": chat, "id": id}));
    undo(3).unwrap();
    // It made the last change of its file.
    undo(2).unwrap();
    let said = undo(1).unwrap_err().message;
    assert!(said.contains("is not kept"), "{said}");
}

/// A workspace whose one block is applied, with its file closed.
fn applied() -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let (mut client, chat) = start(&workspace, &insert());
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.statuses(&chat), APPLIED);
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    (workspace, client, chat)
}

/// Nothing is left to be applied, and nothing is.
#[track_caller]
fn check_done(workspace: &Workspace, client: &mut Client, chat: &str) {
    assert_eq!(client.statuses(chat), APPLIED);
    let error = client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(error.message, NOTHING);
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

/// The operations, each as `id door title`, once everything is written.
pub fn log(client: &mut Client) -> Vec<String> {
    let log = client.command("operator.log", &Value::Null).unwrap();
    let operation = |it: &Value| {
        let undone = if it["undone"] == true { " undone" } else { "" };
        let title = it["blocks"][0]["title"].as_str().unwrap_or_default();
        format!("{} {} {title}{undone}", it["id"], it["door"].as_str().unwrap())
    };
    log["operations"].as_array().unwrap().iter().map(operation).collect()
}

#[test]
fn a_typo_that_is_taken_back_forgets_nothing() {
    let (workspace, mut client, chat) = applied();
    client.replace(&chat, "action: fs", "action: xfs");
    client.statuses(&chat);
    client.replace(&chat, "action: xfs", "action: fs");
    check_done(&workspace, &mut client, &chat);
}

#[test]
fn a_whole_text_sync_forgets_nothing() {
    let (workspace, mut client, chat) = applied();
    client.change_whole(&chat, &format!("Prose.\n\n{}", insert()));
    check_done(&workspace, &mut client, &chat);
}

#[test]
fn a_transcript_that_is_closed_and_opened_again_is_known() {
    let (workspace, mut client, chat) = applied();
    client.close(&chat);
    client.open(&chat, "markdown", &insert());
    check_done(&workspace, &mut client, &chat);
}

#[test]
fn another_server_knows_what_was_applied_and_what_was_undone() {
    let (workspace, mut client, _) = applied();
    client.shut_down();
    drop(client);
    let (mut client, chat) = start(&workspace, &insert());
    check_done(&workspace, &mut client, &chat);
    client.shut_down();
    drop(client);

    workspace.put("a.txt", "one\n");
    let (mut client, chat) = start(&workspace, &insert());
    assert_eq!(client.statuses(&chat), READY);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    client.command("operator.undo", &json!(null)).unwrap();
    assert_eq!(client.statuses(&chat), READY);
    client.shut_down();
    drop(client);
    let (mut client, chat) = start(&workspace, &insert());
    assert_eq!(client.statuses(&chat), READY);
}

#[test]
fn a_transcript_with_other_line_endings_is_known() {
    let (workspace, mut client, chat) = applied();
    let with_returns = insert().replace('\n', "\r\n");
    client.change_whole(&chat, &with_returns);
    check_done(&workspace, &mut client, &chat);
    client.close(&chat);
    client.open(&chat, "markdown", &with_returns);
    check_done(&workspace, &mut client, &chat);
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
    workspace.put("chat.md", with_returns);
    let said = CommandLine::sharing(&workspace).apply_file("chat.md");
    assert_eq!(said["results"][0]["summary"], "already applied");
}

#[test]
fn what_one_door_did_the_other_does_not_do_again() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let command_line = CommandLine::sharing(&workspace);
    let (mut client, chat) = start(&workspace, &insert());
    assert_eq!(client.statuses(&chat), READY);
    command_line.apply_file("chat.md");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    client.change_whole(&chat, &format!("{}\n", insert()));
    check_done(&workspace, &mut client, &chat);

    workspace.put("other.md", format!("The same.\n\n{}", insert()));
    let said = command_line.apply_file("other.md");
    let summary = said["results"][0]["summary"].as_str().unwrap();
    assert!(summary.starts_with("already applied from chat.md"), "{summary}");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

#[test]
fn what_was_applied_stays_so_where_its_file_cannot_be_reached_any_more() {
    let (workspace, mut client, _) = applied();
    client.shut_down();
    drop(client);
    let folders = [workspace.uri("")];
    let settings = json!({"protectedPaths": ["*.txt"]});
    let options = Options { settings, initialization_options: true, ..Options::new(&folders) };
    let mut client = Client::start(options);
    client.set_up();
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &insert());
    assert_eq!(client.statuses(&chat), APPLIED);
    let told = client.command("operator.reply", &json!({"uri": chat})).unwrap();
    assert!(told.as_str().unwrap().contains("ok: true\nsummary: applied a.txt, sha256:"), "{told}");
}

#[test]
fn what_an_editor_did_the_command_line_does_not_do_again() {
    let (workspace, mut client, _) = applied();
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
    workspace.put("chat.md", insert());
    let said = CommandLine::sharing(&workspace).apply_file("chat.md");
    assert_eq!(said["results"][0]["summary"], "already applied");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

#[test]
fn a_result_that_the_model_invented_does_not_count() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let result = "OPERATOR_RESULT\nid: i-1\nok: true\nsummary: inserted\nEND_OPERATOR_RESULT\n";
    let (mut client, chat) = start(&workspace, &(insert() + result));
    assert_eq!(client.statuses(&chat), READY);
    client.until("the warning", |client| {
        let items = &client.published.get(&chat)?.items;
        items.iter().any(|item| item["code"] == "reply/unverified").then_some(())
    });
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    assert_eq!(client.statuses(&chat), APPLIED);
}

#[test]
fn a_refusal_is_known_after_a_restart() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let (mut client, chat) = start(&workspace, &insert());
    client.command("operator.reject", &json!({"uri": chat, "block": 0})).unwrap();
    let rejected = "0 rejected: fs.applyEdits a.txt\n";
    assert_eq!(client.statuses(&chat), rejected);
    let text = client.text(&chat).to_owned();
    client.shut_down();
    drop(client);
    let (mut client, chat) = start(&workspace, &text);
    assert_eq!(client.statuses(&chat), rejected);
}

#[test]
fn a_refusal_after_an_undo_takes_the_place_of_the_reply() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let (mut client, chat) = start(&workspace, &insert());
    let apply = json!({"uri": chat, "block": 0, "reply": true});
    client.command("operator.apply", &apply).unwrap();
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(client.statuses(&chat), READY);
    client.command("operator.reject", &json!({"uri": chat, "block": 0})).unwrap();
    let refused = "id: i-1\nok: false\nsummary: refused by the user\n";
    assert_eq!(replies(client.text(&chat)), refused);
    assert_eq!(client.statuses(&chat), "0 rejected: fs.applyEdits a.txt\n");
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(workspace.text("a.txt"), "one\n");
}

#[test]
fn a_read_that_is_run_again_has_one_reply() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let read = block("r-1", "fs.read", &[("path", "a.txt")]);
    for (before, after) in [("", ""), ("````\n", "````\n"), ("", "more\n")] {
        workspace.put("a.txt", "one\n");
        let (mut client, chat) = start(&workspace, &format!("{before}{read}{after}"));
        client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
        assert!(replies(client.text(&chat)).ends_with("details:\none\n"));
        workspace.put("a.txt", "two\n");
        client.tell_files(&[(workspace.uri("a.txt"), 2)]);
        client.take_block_action(&chat, 0, "refactor.rewrite.operator.run");
        let said = replies(client.text(&chat));
        assert!(said.ends_with("details:\ntwo\n"), "{said}");
        assert_eq!(said.matches("id: r-1").count(), 1, "{said}");
        let text = client.text(&chat);
        assert!(text.ends_with(&format!("END_OPERATOR_RESULT\n{after}")), "{text}");
    }
}

#[test]
fn a_refusal_that_is_removed_from_the_transcript_is_not_told() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let search_replace = "````\na.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n````\n";
    let sham = "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_write\"\npath = \"a.txt\"\n\
                content = \"two\"\n#!END_SHAM_abc\n"
        .replace("\"a.txt", &format!("\"{}", workspace.root().join("a.txt").display()));
    for text in [search_replace, &sham, &insert()] {
        let (mut client, chat) = start(&workspace, text);
        client.command("operator.reject", &json!({"uri": chat, "block": 0})).unwrap();
        assert_eq!(client.proposals(&chat)[0]["status"], "rejected");
        client.change_whole(&chat, text);
        assert_eq!(client.proposals(&chat)[0]["status"], "ready");
        let told = client.command("operator.reply", &json!({"uri": chat})).unwrap();
        assert_eq!(told, "", "{text}");
    }
}

#[test]
fn the_command_line_tells_what_an_edit_of_the_editor_has_left() {
    let (workspace, mut client, _chat) = applied();
    assert_eq!(log(&mut client).len(), 1);
    workspace.put("chat.md", insert());
    let reply = CommandLine::sharing(&workspace).reply("chat.md");
    let left = Fingerprint::of(b"one\ntwo\n");
    assert!(reply.contains(&format!("ok: true\nsummary: applied a.txt, {left}\n")), "{reply}");
    let delete = block("d-1", "fs.delete", &[("path", "a.txt")]);
    client.open(&workspace.uri("other.md"), "markdown", &delete);
    let apply = json!({"uri": workspace.uri("other.md"), "block": 0});
    client.command("operator.apply", &apply).unwrap();
    workspace.put("other.md", &delete);
    let reply = CommandLine::sharing(&workspace).reply("other.md");
    assert!(reply.contains("ok: true\nsummary: applied a.txt, deleted\n"), "{reply}");
}

#[test]
fn what_the_command_line_did_is_listed_undone_and_redone_in_the_editor() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    let (mut client, chat) = start(&workspace, &insert());
    assert_eq!(client.statuses(&chat), APPLIED);
    let block = client.proposals(&chat)[0].clone();
    assert_eq!((&block["by"], &block["appliedBy"]["door"]), (&json!("apply"), &json!("cli")));
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt"]);

    client.command("operator.undo", &json!({"uri": chat, "id": 1})).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\n");
    assert_eq!(client.statuses(&chat), READY);
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt undone"]);
    client.command("operator.redo", &Value::Null).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    check_done(&workspace, &mut client, &chat);
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt"]);
}

#[test]
fn what_an_editor_did_the_command_line_undoes() {
    let (workspace, mut client, chat) = applied();
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
    CommandLine::sharing(&workspace).undo();
    assert_eq!(workspace.text("a.txt"), "one\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(client.statuses(&chat), READY);
}

/// Two blocks after which every file is as before.
fn there_and_back() -> String {
    let there = block("m-1", "fs.move", &[("path", "a.txt"), ("path_to", "b.txt")]);
    there + &block("m-2", "fs.move", &[("path", "b.txt"), ("path_to", "a.txt")])
}

#[test]
fn what_the_command_line_undoes_is_applied_in_the_editor_though_no_file_has_changed() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &there_and_back())]);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    let (mut client, chat) = start(&workspace, &there_and_back());
    let error = client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(error.message, NOTHING);
    CommandLine::sharing(&workspace).undo();
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    let operations = ["2 lsp fs.move a.txt", "1 cli fs.move a.txt undone"];
    assert_eq!(log(&mut client), operations);
}

#[test]
fn what_the_command_line_has_applied_is_not_applied_in_the_editor_though_no_file_has_changed() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &there_and_back())]);
    let (mut client, chat) = start(&workspace, &there_and_back());
    let ready = "0 ready: fs.move a.txt\n1 blocked: fs.move b.txt\n";
    assert_eq!(client.statuses(&chat), ready);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    let error = client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(error.message, NOTHING);
    assert_eq!(log(&mut client), ["1 cli fs.move a.txt"]);
}

#[test]
fn a_command_about_an_earlier_text_is_refused_also_where_the_ledger_has_changed() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &there_and_back())]);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    let (mut client, chat) = start(&workspace, &there_and_back());
    client.replace(&chat, "id: m-2", "id: m-3");
    client.statuses(&chat);
    CommandLine::sharing(&workspace).undo();
    let error =
        client.command("operator.applyAll", &json!({"uri": chat, "version": 1})).unwrap_err();
    assert_eq!(error.message, "the transcript has changed since this was offered");
    assert_eq!(log(&mut client), ["1 cli fs.move a.txt undone"]);
}

#[test]
fn who_asks_for_the_actions_of_a_block_sees_what_the_command_line_has_undone() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &there_and_back())]);
    CommandLine::sharing(&workspace).apply_file("chat.md");
    let (mut client, chat) = start(&workspace, &there_and_back());
    assert_eq!(client.block_actions(&chat, 0, &[APPLY]), [] as [Value; 0]);
    CommandLine::sharing(&workspace).undo();
    client.until("the action", |client| {
        let actions = client.block_actions(&chat, 0, &[APPLY]);
        (!actions.is_empty()).then_some(())
    });
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(workspace.text("b.txt"), "one\n");
}

#[test]
fn an_applied_block_is_undone_and_applied_again_by_its_actions() {
    let (workspace, mut client, chat) = applied();
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.applyAgain");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\ntwo\n");
    assert_eq!(client.statuses(&chat), APPLIED);
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.undo");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    assert_eq!(client.statuses(&chat), APPLIED, "once it is still applied");
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.undo");
    assert_eq!(workspace.text("a.txt"), "one\n");
    assert_eq!(client.statuses(&chat), READY);
    let error = client.command("operator.undo", &json!({"id": 7})).unwrap_err();
    assert!(error.message.starts_with("no operation has the number 7"), "{error:?}");
    let error = client.command("operator.undo", &json!({"number": 7})).unwrap_err();
    assert!(error.message.starts_with("the one argument may be left out"), "{error:?}");
}

#[test]
fn an_operation_under_a_later_one_is_not_undone_by_its_number() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let write =
        |id: &str, text: &str| block(id, "fs.write", &[("path", "a.txt"), ("content_b64", text)]);
    let (mut client, chat) = start(&workspace, &(write("w-1", "two\n") + &write("w-2", "three\n")));
    client.take_block_action(&chat, 0, APPLY);
    client.take_block_action(&chat, 1, APPLY);
    let error = client.command("operator.undo", &json!({"id": 1})).unwrap_err();
    let expected = "nothing was undone, because these have changed since: a.txt (by operation 2";
    assert!(error.message.starts_with(expected), "{error:?}");
    assert_eq!(workspace.text("a.txt"), "three\n");
    client.command("operator.undo", &Value::Null).unwrap();
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\n");
}

/// An editor that makes an empty file, shows it, and then puts the text into it, and saves.
fn made_in_steps(apply: impl Fn(&mut Client, &str)) {
    let workspace = Workspace::new(&[]);
    let path = ("path", "docs/new.txt");
    let write = block("w-1", "fs.write", &[path, ("content_b64", "new\n")]);
    let (mut client, chat) = start(&workspace, &write);
    client.unopened = Unopened::Open;
    assert_eq!(client.statuses(&chat), "0 ready: fs.write docs/new.txt\n");
    apply(&mut client, &chat);
    assert_eq!(client.statuses(&chat), "0 applied: fs.write docs/new.txt\n");
    assert_eq!(client.proposals(&chat)[0]["by"], "apply");
    assert_eq!(log(&mut client), ["1 lsp fs.write docs/new.txt"]);
    client.command("operator.undo", &json!({"uri": chat})).unwrap();
    assert_eq!(client.statuses(&chat), "0 ready: fs.write docs/new.txt\n");
    assert!(!workspace.root().join("docs").exists());
}

#[test]
fn a_file_that_an_editor_makes_in_steps_by_a_command_is_in_the_log() {
    made_in_steps(|client, chat| {
        client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    });
}

#[test]
fn a_file_that_an_editor_makes_in_steps_by_an_action_is_in_the_log() {
    made_in_steps(|client, chat| client.take_block_action(chat, 0, APPLY));
}

/// A block that overwrites `a.txt`, as another server finds it after the file has changed.
fn changed_between_servers(wait: impl Fn(&mut Client, &str)) {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let write = block("w-1", "fs.write", &[("path", "a.txt"), ("content_b64", "new\n")]);
    let (mut client, chat) = start(&workspace, &write);
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n");
    wait(&mut client, &chat);
    client.shut_down();
    drop(client);

    workspace.put("a.txt", "newer\n");
    let (mut client, chat) = start(&workspace, &write);
    assert_eq!(client.statuses(&chat), "0 stale: fs.write a.txt\n");
    let error = client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(error.message, NOTHING);
    assert_eq!(workspace.text("a.txt"), "newer\n");
}

#[test]
fn a_block_that_waited_while_no_server_ran_does_not_overwrite_what_is_newer() {
    changed_between_servers(|client, chat| {
        client.close(chat);
        // The list comes once everything is written.
        log(client);
    });
}

#[test]
fn the_command_line_does_not_overwrite_what_is_newer_than_a_block_that_an_editor_has_seen() {
    let write = block("w-1", "fs.write", &[("path", "a.txt"), ("content_b64", "new\n")]);
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &write)]);
    let (mut client, chat) = start(&workspace, &write);
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n");
    client.close(&chat);
    // It does not end before all is written.
    client.shut_down();
    workspace.put("a.txt", "newer\n");
    let said = CommandLine::sharing(&workspace).apply_file("chat.md");
    assert_eq!(said["results"][0]["ok"], false, "{said:#}");
    assert_eq!(workspace.text("a.txt"), "newer\n");
    workspace.put("a.txt", "one\n");
    let said = CommandLine::sharing(&workspace).apply_file("chat.md");
    assert_eq!(said["results"][0]["ok"], true, "{said:#}");
    assert_eq!(workspace.text("a.txt"), "new\n");
}

#[test]
fn a_transcript_that_is_left_alone_is_written_down() {
    changed_between_servers(|client, _| {
        std::thread::sleep(std::time::Duration::from_secs(4));
        log(client);
    });
}

/// A workspace whose server has given the edit of the one block, and has then ended at once.
fn given() -> Workspace {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let (mut client, chat) = start(&workspace, &insert());
    let action = client.action(&chat, 0, APPLY);
    client.resolve(action).unwrap();
    workspace
}

#[test]
fn what_was_made_right_before_the_server_was_killed_is_applied() {
    let workspace = given();
    workspace.put("a.txt", "one\ntwo\n");
    let (mut client, chat) = start(&workspace, &insert());
    check_done(&workspace, &mut client, &chat);
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
    client.command("operator.undo", &json!({"uri": chat})).unwrap();
    assert_eq!((client.statuses(&chat), workspace.text("a.txt")), (READY.into(), "one\n".into()));
}

#[test]
fn what_was_made_in_a_buffer_before_the_server_was_killed_is_applied() {
    let workspace = given();
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    client.on_edit = OnEdit::Apply;
    let (file, chat) = (workspace.uri("a.txt"), workspace.uri("chat.md"));
    client.open(&file, "plaintext", "one\ntwo\n");
    client.open(&chat, "markdown", &insert());
    assert_eq!(client.statuses(&chat), APPLIED);
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt"]);
    client.command("operator.undo", &json!({"uri": chat})).unwrap();
    assert_eq!((client.statuses(&chat), client.text(&file)), (READY.into(), "one\n"));
    assert_eq!(log(&mut client), ["1 lsp fs.applyEdits a.txt undone"]);
}

#[test]
fn what_was_given_and_not_made_before_the_server_was_killed_is_ready() {
    let workspace = given();
    let (mut client, chat) = start(&workspace, &insert());
    assert_eq!((client.statuses(&chat), log(&mut client)), (READY.into(), Vec::new()));
    client.take_block_action(&chat, 0, APPLY);
    check_done(&workspace, &mut client, &chat);
    assert_eq!(log(&mut client).len(), 1);
}

#[test]
fn what_the_client_does_not_make_is_not_on_record() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let (mut client, chat) = start(&workspace, &insert());
    client.on_edit = OnEdit::Refuse("busy".into());
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap_err();
    assert_eq!(log(&mut client), Vec::<String>::new());
    drop(client);
    // Who writes the same by chance has not applied it.
    workspace.put("a.txt", "one\ntwo\n");
    let (mut client, chat) = start(&workspace, &insert());
    assert_eq!(client.statuses(&chat), READY);
}

#[test]
fn what_the_command_line_does_before_the_ledger_is_read_is_not_undone_by_the_text_before() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let shell = CommandLine::sharing(&workspace);
    let file = workspace.uri("a.txt");
    let begin = |text: &str| {
        let mut client = Client::new(&workspace.uri(""));
        client.set_up();
        client.open(&file, "plaintext", text);
        client.ask_at("textDocument/hover", &file, "one", 0);
        client
    };
    // The server has no transcript yet, and begins to read the ledger with the first one.
    let chat = workspace.uri("chat.md");
    let open = |client: &mut Client, new: &str, before: &str, status: &str| {
        client.open(&chat, "markdown", &insert());
        assert_eq!(client.statuses(&chat), before, "not reloaded yet");
        client.change_whole(&file, new);
        client.replace(&file, "one\n", "one\nthree\n");
        assert_eq!(client.statuses(&chat), status);
    };
    let mut client = begin("one\n");
    shell.apply_file("chat.md");
    open(&mut client, "one\ntwo\n", APPLIED, APPLIED);
    drop(client);
    let mut client = begin("one\ntwo\n");
    shell.undo();
    open(&mut client, "one\n", BLOCKED, READY);
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt undone"]);
    drop(client);
    // What was undone by hand before the server began looks the same until it is saved.
    shell.apply_file("chat.md");
    let mut client = begin("one\n");
    client.open(&chat, "markdown", &insert());
    assert_eq!(client.statuses(&chat), APPLIED);
    workspace.put("a.txt", "one\n");
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    client.until("it is ready", |it| (it.statuses(&chat) == READY).then_some(()));
}

#[test]
fn a_text_between_two_changes_of_the_command_line_undoes_none_of_them() {
    let all = insert() + &insert().replace("i-1", "i-2");
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start(&workspace, &all);
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    let said = |first: &str, second: &str| {
        format!("0 {first}: fs.applyEdits a.txt\n1 {second}: fs.applyEdits a.txt\n")
    };
    assert_eq!(client.statuses(&chat), said("ready", "ready"));
    let shell = CommandLine::sharing(&workspace);
    shell.apply_file("chat.md");
    workspace.put("chat.md", &all);
    shell.apply_file("chat.md");
    // The editor has read the file between both, and the server is told of that late.
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat), said("applied", "applied"));
    let shows = |client: &mut Client, text: &str, first: &str, second: &str| {
        client.change_whole(&file, text);
        assert_eq!(client.statuses(&chat), said(first, second), "{text}");
    };
    shows(&mut client, "one\ntwo\n", "applied", "applied");
    shows(&mut client, "one\ntwo\ntwo\n", "applied", "applied");
    shell.undo();
    shell.undo();
    client.tell_files(&[(file.clone(), 2)]);
    assert_eq!(client.statuses(&chat), said("blocked", "blocked"));
    shows(&mut client, "one\ntwo\n", "blocked", "blocked");
    shows(&mut client, "one\n", "ready", "ready");
    // What is done by hand once the file is reloaded is news.
    shows(&mut client, "one\ntwo\n", "applied", "ready");
    shows(&mut client, "one\n", "ready", "ready");
}

#[test]
fn what_the_command_line_does_to_an_open_file_is_not_undone_by_the_text_before() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("chat.md", &insert())]);
    let (mut client, chat) = start(&workspace, &insert());
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    assert_eq!(client.statuses(&chat), READY);
    let shell = CommandLine::sharing(&workspace);
    // The server looks while the editor still shows the text before. Then the editor reloads the file,
    // and somebody types before the server looks.
    let changed = |client: &mut Client, old: &str, new: &str, before: &str, status: &str| {
        client.tell_files(&[(file.clone(), 2)]);
        assert_eq!(client.statuses(&chat), before, "not reloaded yet");
        client.replace(&file, old, new);
        client.replace(&file, "one\n", "one\nthree\n");
        assert_eq!(client.statuses(&chat), status);
        client.replace(&file, "one\nthree\n", "one\n");
        assert_eq!(client.statuses(&chat), status);
    };
    shell.apply_file("chat.md");
    changed(&mut client, "one\n", "one\ntwo\n", APPLIED, APPLIED);
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt"]);
    shell.undo();
    changed(&mut client, "one\ntwo\n", "one\n", BLOCKED, READY);
    assert_eq!(log(&mut client), ["1 cli fs.applyEdits a.txt undone"]);
    // What is undone by hand is news all the same.
    shell.apply_file("chat.md");
    client.replace(&file, "one\n", "one\ntwo\n");
    assert_eq!(client.statuses(&chat), APPLIED);
    client.replace(&file, "two\n", "");
    assert_eq!(client.statuses(&chat), READY);
}
