//! Edits that a client gives up after it has made a part of them.

use serde_json::json;

use super::client::{Client, OnEdit, Unopened};
use super::ledger::{NOTHING, insert, log, start};
use super::ways::CommandLine;
use super::workspace::{Workspace, block};

#[test]
fn what_a_client_made_before_it_gave_up_is_applied_and_the_rest_is_not() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let write = |id: &str, path| block(id, "fs.write", &[("path", path), ("content_b64", "new\n")]);
    let (mut client, chat) = start(&workspace, &(write("w-1", "a.txt") + &write("w-2", "b.txt")));
    client.unopened = Unopened::Open;
    client.on_edit = OnEdit::ChangeFirst(None);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(client.statuses(&chat), "0 applied: fs.write a.txt\n1 ready: fs.write b.txt\n");
    assert_eq!(log(&mut client), ["1 lsp fs.write a.txt"]);
    client.on_edit = OnEdit::Apply;
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(client.statuses(&chat), "0 applied: fs.write a.txt\n1 applied: fs.write b.txt\n");
    assert_eq!(log(&mut client), ["2 lsp fs.write b.txt", "1 lsp fs.write a.txt"]);
}

/// A client with a block for each of two files, which has made the first one's change and given up
/// at the second, and has not told of the change yet.
fn gave_up() -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let write = |id: &str, path| block(id, "fs.write", &[("path", path), ("content_b64", "new\n")]);
    let chat = write("w-1", "a.txt") + &write("w-2", "b.txt");
    workspace.put("chat.md", &chat);
    let (mut client, uri) = start(&workspace, &chat);
    client.on_edit = OnEdit::RefuseAt(1);
    client.command("operator.applyAll", &json!({"uri": uri})).unwrap_err();
    client.on_edit = OnEdit::Apply;
    (workspace, client, uri)
}

const BOTH_READY: &str = "0 ready: fs.write a.txt\n1 ready: fs.write b.txt\n";
const FIRST_APPLIED: &str = "0 applied: fs.write a.txt\n1 ready: fs.write b.txt\n";
const BOTH_APPLIED: &str = "0 applied: fs.write a.txt\n1 applied: fs.write b.txt\n";

#[test]
fn what_a_client_made_before_it_gave_up_is_applied_also_where_it_tells_of_it_afterwards() {
    let (workspace, mut client, chat) = gave_up();
    let file = workspace.uri("a.txt");
    client.open(&file, "plaintext", "one\n");
    client.replace(&file, "one", "new");
    assert_eq!(client.statuses(&chat), FIRST_APPLIED);
    assert_eq!(log(&mut client), ["1 lsp fs.write a.txt"]);
    client.unopened = Unopened::Open;
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(client.statuses(&chat), BOTH_APPLIED);
    assert_eq!(log(&mut client), ["2 lsp fs.write b.txt", "1 lsp fs.write a.txt"]);
}

#[test]
fn what_a_client_made_before_it_gave_up_is_applied_also_where_it_tells_of_it_file_by_file() {
    let files = ["a.txt", "b.txt", "c.txt"];
    let workspace = Workspace::new(&files.map(|file| (file, "one\n")));
    let write = |path| block(path, "fs.write", &[("path", path), ("content_b64", "new\n")]);
    let (mut client, chat) = start(&workspace, &files.map(write).concat());
    client.on_edit = OnEdit::RefuseAt(2);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    // The rest is on record by now.
    log(&mut client);
    for (number, file) in files[..2].iter().enumerate() {
        let file = workspace.uri(file);
        client.open(&file, "plaintext", "one\n");
        client.replace(&file, "one", "new");
        // Another program writes to the ledger, and somebody types before it is read again.
        let name = format!("other-{number}.md");
        workspace.put(&name, block("w", "fs.write", &[("path", "d.txt"), ("content_b64", &name)]));
        CommandLine::sharing(&workspace).apply_file(&name);
        client.replace(&file, "new", "new, and typed");
        client.statuses(&chat);
    }
    let [a, b, c] =
        ["0 applied: fs.write a.txt", "1 applied: fs.write b.txt", "2 ready: fs.write c.txt"];
    assert_eq!(client.statuses(&chat), format!("{a}\n{b}\n{c}\n"));
    let operations = log(&mut client);
    assert_eq!(operations.iter().filter(|it| it.contains(" lsp ")).count(), 1, "{operations:?}");
}

#[test]
fn what_a_client_saved_before_it_gave_up_is_applied_for_others_once_the_command_is_answered() {
    let (workspace, write) = (Workspace::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]), insert());
    let chat = write.clone() + &write.replace("a.txt", "b.txt").replace("i-1", "i-2");
    workspace.put("chat.md", &chat);
    let (mut client, uri) = start(&workspace, &chat);
    client.on_edit = OnEdit::ChangeFirst(Some(1));
    client.command("operator.applyAll", &json!({"uri": uri})).unwrap_err();
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n", "and the server was not told");
    CommandLine::sharing(&workspace).apply_file("chat.md");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    assert_eq!(workspace.text("b.txt"), "one\ntwo\n");
}

#[test]
fn what_a_client_made_before_it_gave_up_is_known_to_the_next_server() {
    let (workspace, client, _) = gave_up();
    drop(client);
    workspace.put("a.txt", "new\n");
    // It was not made, whatever is there.
    workspace.put("b.txt", "new\n");
    let (mut client, chat) = start(&workspace, &workspace.text("chat.md"));
    let statuses = FIRST_APPLIED.replace("1 ready", "1 satisfied");
    assert_eq!(client.statuses(&chat), statuses);
    assert_eq!(log(&mut client), ["1 lsp fs.write a.txt"]);
}

/// A client that gave up within a block for two files, after it had changed the first, which it has
/// told of where `tells` says so.
fn gave_up_within(tells: bool) -> (Workspace, Client, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let update = |file: &str| format!("*** Update File: {file}\n@@\n one\n+two\n");
    let patch = update("a.txt") + &update("b.txt");
    let chat = format!("*** Begin Patch\n{patch}*** End Patch\n");
    workspace.put("chat.md", &chat);
    let (mut client, uri) = start(&workspace, &chat);
    client.unopened = Unopened::Open;
    client.on_edit = if tells { OnEdit::ChangeFirst(None) } else { OnEdit::RefuseAt(1) };
    client.command("operator.applyAll", &json!({"uri": uri})).unwrap_err();
    client.on_edit = OnEdit::Apply;
    (workspace, client, uri)
}

#[test]
fn a_block_that_a_client_has_made_in_part_is_not_made_again() {
    for tells in [true, false] {
        let (workspace, mut client, chat) = gave_up_within(tells);
        let file = workspace.uri("a.txt");
        if !tells {
            client.open(&file, "plaintext", "one\n");
            client.replace(&file, "one\n", "one\ntwo\n");
        }
        assert_eq!(client.statuses(&chat), "0 applied: apply-patch.patch a.txt\n");
        let proposals = client.proposals(&chat);
        assert_eq!(proposals[0]["files"], json!({"applied": [0], "rejected": [1]}));
        let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": chat}}));
        let says = "applied in 1 of 2 files: apply-patch.patch a.txt";
        let mut lenses = lenses.as_array().unwrap().iter();
        assert!(lenses.any(|lens| lens["command"]["title"] == says), "{lenses:#?}");
        let error = client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
        assert_eq!(error.message, NOTHING);
        let reply = client.command("operator.reply", &json!({"uri": chat})).unwrap();
        let says = "made in 1 of 2 files; the others do not have its changes";
        assert!(reply.as_str().unwrap().contains(says), "{reply}");
        client.command("operator.undo", &json!({"uri": chat})).unwrap();
        assert_eq!(client.text(&file), "one\n");
        client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
        assert_eq!(client.text(&file), "one\ntwo\n");
        assert_eq!(client.text(&workspace.uri("b.txt")), "one\ntwo\n");
        assert!(client.proposals(&chat)[0].get("files").is_none());
    }
}

#[test]
fn what_a_client_has_made_again_in_part_is_applied() {
    for is_late in [true, false] {
        let (workspace, mut client, chat) = gave_up_within(true);
        let file = workspace.uri("a.txt");
        client.command("operator.undo", &json!({"uri": chat})).unwrap();
        client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
        client.command("operator.undo", &json!({"uri": chat})).unwrap();
        assert_eq!(client.statuses(&chat), "0 ready: apply-patch.patch a.txt\n");
        client.on_edit = if is_late { OnEdit::RefuseAt(1) } else { OnEdit::ChangeFirst(None) };
        client.command("operator.redo", &json!({"uri": chat})).unwrap_err();
        if is_late {
            client.replace(&file, "one\n", "one\ntwo\n");
        }
        // Somebody types at once.
        client.replace(&file, "one\n", "one\nthree\n");
        assert_eq!(client.statuses(&chat), "0 applied: apply-patch.patch a.txt\n");
        let error = client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
        assert_eq!(error.message, NOTHING);
        log(&mut client);
        drop(client);
        workspace.put("a.txt", "one\nthree\ntwo\n");
        let (mut client, chat) = start(&workspace, &workspace.text("chat.md"));
        assert_eq!(client.statuses(&chat), "0 applied: apply-patch.patch a.txt\n");
    }
}

#[test]
fn what_is_applied_after_a_refused_redo_is_an_operation_of_its_own() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let (mut client, chat) = start(&workspace, &insert());
    client.open(&workspace.uri("a.txt"), "plaintext", "one\n");
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    client.command("operator.undo", &json!({"uri": chat})).unwrap();
    client.on_edit = OnEdit::Refuse("no".to_owned());
    client.command("operator.redo", &json!({"uri": chat})).unwrap_err();
    client.on_edit = OnEdit::Apply;
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    let operations = ["2 lsp fs.applyEdits a.txt", "1 lsp fs.applyEdits a.txt undone"];
    assert_eq!(log(&mut client), operations);
}

#[test]
fn half_of_an_edit_is_no_redo_that_the_client_has_refused() {
    for looks in [false, true] {
        let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
        let insert = |anchor: &str, text: &str| {
            let edits = format!("{anchor}\n=======\n{anchor}\n{text}");
            format!("a.txt\n```\n<<<<<<< SEARCH\n{edits}\n>>>>>>> REPLACE\n```\n\n")
        };
        let (mut client, chat) =
            start(&workspace, &(insert("one", "first") + &insert("two", "last")));
        let file = workspace.uri("a.txt");
        client.open(&file, "plaintext", "one\ntwo\n");
        client.command("operator.apply", &json!({"uri": chat, "block": 1})).unwrap();
        client.command("operator.undo", &json!({"uri": chat})).unwrap();
        client.on_edit = OnEdit::Refuse("no".to_owned());
        client.command("operator.redo", &json!({"uri": chat})).unwrap_err();
        // It makes both changes, the last one first, and tells of each by itself.
        client.on_edit = OnEdit::Pretend;
        client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
        client.replace(&file, "two\n", "two\nlast\n");
        if looks {
            client.statuses(&chat);
        }
        client.replace(&file, "one\n", "one\nfirst\n");
        let edit = "search-replace.edit a.txt";
        let applied = format!("0 applied: {edit}\n1 applied: {edit}\n");
        assert_eq!(client.statuses(&chat), applied, "{looks}");
        let operations = [format!("2 lsp {edit}"), format!("1 lsp {edit} undone")];
        assert_eq!(log(&mut client), operations, "{looks}");
        let transcript = client.text(&chat).to_owned();
        drop(client);
        workspace.put("a.txt", "one\nfirst\ntwo\nlast\n");
        let (mut client, chat) = start(&workspace, &transcript);
        assert_eq!(client.statuses(&chat), applied, "{looks}");
        assert_eq!(log(&mut client), operations, "{looks}");
    }
}

#[test]
fn what_a_client_might_have_made_before_it_gave_up_is_ready_until_it_shows() {
    let (workspace, mut client, chat) = gave_up();
    assert_eq!(client.statuses(&chat), BOTH_READY);
    assert_eq!(log(&mut client), Vec::<String>::new());
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(client.statuses(&chat), BOTH_APPLIED);
    assert_eq!(log(&mut client), ["2 lsp fs.write a.txt"]);
    assert_eq!(
        (workspace.text("a.txt"), workspace.text("b.txt")),
        ("new\n".into(), "new\n".into())
    );
}

/// A block for two files, and what it says of itself: in which of them it is still made.
fn in_two_files() -> (Workspace, String) {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let update = |file: &str| format!("*** Update File: {file}\n@@\n one\n+two\n");
    let patch = update("a.txt") + &update("b.txt");
    (workspace, format!("*** Begin Patch\n{patch}*** End Patch\n"))
}

#[test]
fn what_a_client_has_written_before_it_gave_up_is_applied_though_it_tells_nothing() {
    let (workspace, patch) = in_two_files();
    let (mut client, chat) = start(&workspace, &patch);
    client.on_edit = OnEdit::ChangeFirst(None);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    assert_eq!(client.statuses(&chat), "0 applied: apply-patch.patch a.txt\n");
    let proposals = client.proposals(&chat);
    assert_eq!(proposals[0]["files"], json!({"applied": [0], "rejected": [1]}));
    client.on_edit = OnEdit::Apply;
    let error = client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(error.message, NOTHING);
}

#[test]
fn a_block_that_is_undone_in_one_of_its_files_is_applied_in_the_other() {
    for is_open in [true, false] {
        let (workspace, patch) = in_two_files();
        let (mut client, chat) = start(&workspace, &patch);
        let (a, b) = (workspace.uri("a.txt"), workspace.uri("b.txt"));
        if is_open {
            client.open(&a, "plaintext", "one\n");
            client.open(&b, "plaintext", "one\n");
        }
        client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
        assert!(client.proposals(&chat)[0].get("files").is_none());
        let show = |client: &mut Client, text: &str| match is_open {
            true => client.change_whole(&a, text),
            false => {
                workspace.put("a.txt", text);
                client.tell_files(&[(a.clone(), 2)]);
            }
        };
        show(&mut client, "one\n");
        let proposals = client.proposals(&chat);
        assert_eq!(proposals[0]["status"], "applied");
        assert_eq!(proposals[0]["files"], json!({"applied": [1], "rejected": [0]}));
        let reply = client.command("operator.reply", &json!({"uri": chat})).unwrap();
        let says = "made in 1 of 2 files; the others do not have its changes";
        assert!(reply.as_str().unwrap().contains(says), "{reply}");
        show(&mut client, "one\ntwo\n");
        assert!(client.proposals(&chat)[0].get("files").is_none());
    }
}

#[test]
fn a_file_that_a_client_says_it_has_deleted_and_that_is_there_is_not_deleted() {
    let (workspace, _) = in_two_files();
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n+two\n*** Delete File: b.txt\n*** End Patch\n";
    let (mut client, chat) = start(&workspace, patch);
    client.open(&workspace.uri("a.txt"), "plaintext", "one\n");
    client.on_edit = OnEdit::Pretend;
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    client.replace(&workspace.uri("a.txt"), "one\n", "one\ntwo\n");
    let proposals = client.proposals(&chat);
    assert_eq!(proposals[0]["status"], "applied");
    assert_eq!(proposals[0]["files"], json!({"applied": [0], "rejected": [1]}));
}
