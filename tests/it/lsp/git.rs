//! Applies as git commits, and moves between commits, from an editor.

use serde_json::{Value, json};

use super::client::{Capabilities, Client, OnEdit, Options, Unopened};
use super::workspace::{Workspace, block};
use crate::git::Git;

const APPLY: &str = "refactor.rewrite.operator.apply";
const BEFORE: &str = "Uncommitted work before an AI edit";

/// A workspace that is a repository with everything committed.
fn repository(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new(files);
    let root = workspace.root();
    Git(&root).init();
    Git(&root).commit("first");
    workspace
}

/// The real binary with these settings, and a client that makes every edit.
fn client(workspace: &Workspace, settings: Value) -> Client {
    let folders = [workspace.uri("")];
    let options =
        Options { settings, process: true, initialization_options: true, ..Options::new(&folders) };
    let mut client = Client::start(options);
    client.set_up();
    client.on_edit = OnEdit::Apply;
    client
}

fn committing(workspace: &Workspace) -> Client {
    client(workspace, json!({"git.commit": true}))
}

/// The same with hooks.
fn with_hooks(workspace: &Workspace) -> Client {
    client(workspace, json!({"git.commit": true, "git.hooks": true}))
}

/// A chat, in no file, with an edit of `a.txt` and a new file.
fn chat(client: &mut Client) -> String {
    let edits = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"one","text":"two"}]}"#;
    let text = [
        block("e", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)]),
        block("w", "fs.write", &[("path", "d/b.txt"), ("content_b64", "b\n")]),
    ];
    let uri = "untitled:chat".to_owned();
    client.open(&uri, "markdown", &text.join("\n"));
    uri
}

fn about(uri: &str, block: usize) -> Value {
    json!({"uri": uri, "block": block})
}

/// Waits until so many commits were announced.
fn announced(client: &mut Client, number: usize) {
    client.until("the commits", |client| {
        let committed = client.logged.iter().filter(|line| line.starts_with("committed "));
        (committed.count() == number).then_some(())
    });
}

/// Writes an open document to disk and says so.
fn save(client: &mut Client, workspace: &Workspace, path: &str) {
    let uri = workspace.uri(path);
    workspace.put(path, client.text(&uri));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
}

#[test]
fn what_is_there_is_committed_before_and_the_result_after() {
    let workspace = repository(&[("a.txt", "one\n"), ("mine.txt", "1\n")]);
    let root = workspace.root();
    workspace.put("mine.txt", "2\n");
    let mut client = committing(&workspace);
    let chat = chat(&mut client);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    announced(&mut client, 1);
    let result = "AI: edit a.txt, create d/b.txt: a.txt d/b.txt";
    let log = Git(&root).log();
    assert_eq!(log, [result, &format!("{BEFORE}: mine.txt"), "first: a.txt mine.txt"]);
    assert_eq!(Git(&root).status(), "");
    assert!(client.shown.is_empty(), "{:?}", client.shown);
}

#[test]
fn one_block_after_the_other() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let mut client = committing(&workspace);
    let chat = chat(&mut client);
    client.command("operator.apply", &about(&chat, 1)).unwrap();
    announced(&mut client, 1);
    let asked = about(&chat, 0);
    let with_reply = json!({"uri": asked["uri"], "block": 0, "reply": true});
    client.command("operator.apply", &with_reply).unwrap();
    announced(&mut client, 2);
    let log = Git(&root).log();
    assert_eq!(log[..2], ["AI: edit a.txt: a.txt", "AI: create d/b.txt: d/b.txt"]);
    assert!(client.text(&chat).contains("OPERATOR_RESULT"));
}

#[test]
fn an_action_commits_too() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let mut client = committing(&workspace);
    let chat = chat(&mut client);
    let action = client.action(&chat, 0, APPLY);
    client.resolve(action).unwrap();
    assert_eq!(Git(&root).log().len(), 1, "looking at an action commits nothing");
    client.take_block_action(&chat, 0, APPLY);
    announced(&mut client, 1);
    assert_eq!(Git(&root).log()[0], "AI: edit a.txt: a.txt");
    client.take_block_action(&chat, 1, "source.operator.applyAll");
    announced(&mut client, 2);
    assert_eq!(Git(&root).log()[0], "AI: create d/b.txt: d/b.txt");
}

#[test]
fn what_is_not_saved_is_committed_once_it_is() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let mut client = committing(&workspace);
    client.unopened = Unopened::Open;
    let chat = chat(&mut client);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(workspace.text("a.txt"), "one\n");
    save(&mut client, &workspace, "d/b.txt");
    client.statuses(&chat);
    // Nothing tells that nothing is committed; this is long enough for one that would be.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(Git(&root).log().len(), 1);
    save(&mut client, &workspace, "a.txt");
    announced(&mut client, 1);
    assert_eq!(Git(&root).log()[0], "AI: edit a.txt, create d/b.txt: a.txt d/b.txt");
}

#[test]
fn the_next_apply_waits_until_the_last_is_saved_or_taken_back() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let mut client = committing(&workspace);
    client.unopened = Unopened::Open;
    let chat = chat(&mut client);
    client.command("operator.apply", &about(&chat, 0)).unwrap();
    let made = client.edits_made.len();
    let error = client.command("operator.apply", &about(&chat, 1)).unwrap_err();
    assert!(error.message.starts_with("save a.txt first"), "{error:?}");
    assert_eq!(client.edits_made.len(), made);
    client.command("operator.undo", &Value::Null).unwrap();
    client.unopened = Unopened::Write;
    client.command("operator.apply", &about(&chat, 1)).unwrap();
    announced(&mut client, 1);
    assert_eq!(Git(&root).log()[0], "AI: create d/b.txt: d/b.txt");
}

#[test]
fn what_is_changed_further_before_it_is_saved_is_no_result() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let mut client = committing(&workspace);
    client.unopened = Unopened::Open;
    let chat = chat(&mut client);
    client.command("operator.apply", &about(&chat, 0)).unwrap();
    client.append(&workspace.uri("a.txt"), "mine\n");
    save(&mut client, &workspace, "a.txt");
    let shown = client.next_shown();
    assert!(shown.contains("a.txt was changed further"), "{shown}");
    assert_eq!(Git(&root).log().len(), 1);
    assert_eq!(workspace.text("a.txt"), "two\nmine\n");
}

/// Nothing may be asked of the client, nothing written and nothing committed.
#[track_caller]
fn refused(client: &mut Client, workspace: &Workspace, says: &str) {
    let before = (workspace.tree(), client.edits_made.len());
    let chat = chat(client);
    for (name, argument) in
        [("operator.apply", about(&chat, 0)), ("operator.applyAll", json!({"uri": chat}))]
    {
        let error = client.command(name, &argument).unwrap_err();
        assert!(error.message.contains(says), "{name}: {error:?}");
    }
    let tree = |tree: super::workspace::Tree| -> Vec<String> {
        tree.into_keys().filter(|path| !path.starts_with(".git/")).collect()
    };
    assert_eq!((tree(workspace.tree()), client.edits_made.len()), (tree(before.0), before.1));
    assert_eq!(workspace.text("a.txt"), "one\n");
    client.close(&chat);
}

#[test]
fn what_cannot_be_committed_is_not_applied() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    refused(&mut committing(&workspace), &workspace, "not in a git repository");
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let mut client = committing(&workspace);
    Git(&root).run(&["config", "--unset", "user.email"]);
    refused(&mut client, &workspace, "git config user.email");
    Git(&root).run(&["config", "user.email", "tester@example.com"]);
    workspace.put(".git/index.lock", "");
    refused(&mut client, &workspace, "another git command");
    std::fs::remove_file(root.join(".git/index.lock")).unwrap();
    Git(&root).run(&["switch", "-q", "--detach"]);
    refused(&mut client, &workspace, "HEAD is detached");
    Git(&root).run(&["switch", "-q", "main"]);
    workspace.put("mine.txt", "m\n");
    Git(&root).failing_hook("no commits on Saturdays");
    let mut client = with_hooks(&workspace);
    refused(&mut client, &workspace, "no commits on Saturdays");
    assert_eq!(Git(&root).status(), "?? mine.txt\n");
}

#[test]
fn a_target_has_to_be_saved_before() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let mut client = committing(&workspace);
    client.open(&workspace.uri("a.txt"), "plaintext", "one\nmine\n");
    refused(&mut client, &workspace, "save a.txt first");
}

#[test]
fn a_result_that_git_refuses_stays_and_is_told() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    Git(&root).failing_hook("no commits on Saturdays");
    let mut client = with_hooks(&workspace);
    let chat = chat(&mut client);
    client.command("operator.apply", &about(&chat, 0)).unwrap();
    let shown = client.next_shown();
    assert!(
        shown.contains("not committed") && shown.contains("no commits on Saturdays"),
        "{shown}"
    );
    assert_eq!(
        (workspace.text("a.txt"), Git(&root).status()),
        ("two\n".into(), " M a.txt\n".into())
    );
}

#[test]
fn a_client_that_takes_no_edits_is_told_that_nothing_is_committed() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let folders = [workspace.uri("")];
    let capabilities = Capabilities::everything().with("/workspace/applyEdit", Value::Null);
    let settings = json!({"git.commit": true});
    let options = Options { capabilities, settings, process: true, ..Options::new(&folders) };
    let mut client = Client::start(options);
    client.set_up();
    let chat = chat(&mut client);
    client.take_block_action(&chat, 0, APPLY);
    assert!(client.next_shown().contains("is not committed (git.commit)"));
    assert_eq!((workspace.text("a.txt"), Git(&root).log().len()), ("two\n".into(), 1));
}

#[test]
fn a_hook_that_changes_a_target_is_noticed() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    workspace.put("mine.txt", "m\n");
    Git(&root).hook(
        "[ -e .git/ran ] || { touch .git/ran; printf 'zero\\none\\n' >a.txt; git add a.txt; }",
    );
    let mut client = with_hooks(&workspace);
    let chat = chat(&mut client);
    // The proposal is planned again on what the hook left.
    client.command("operator.apply", &about(&chat, 0)).unwrap();
    assert_eq!(workspace.text("a.txt"), "zero\ntwo\n");
    announced(&mut client, 1);
    assert_eq!(Git(&root).run(&["show", "HEAD:a.txt"]), "zero\ntwo\n");
}

#[test]
fn without_the_setting_nothing_is_committed() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let mut client = client(&workspace, json!({}));
    let chat = chat(&mut client);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    client.statuses(&chat);
    assert_eq!(Git(&root).log().len(), 1);
    assert_eq!(workspace.text("a.txt"), "two\n");
}

#[test]
fn the_moves_are_commands() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    let mut client = committing(&workspace);
    let names =
        ["undo", "back", "forward", "squash"].map(|name| format!("operator.history.{name}"));
    let listed = client.server["capabilities"]["executeCommandProvider"]["commands"].clone();
    assert!(names.iter().all(|name| listed.as_array().unwrap().contains(&json!(name))), "{listed}");
    let chat = chat(&mut client);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    announced(&mut client, 1);
    let answer = client.command("operator.history.undo", &Value::Null).unwrap();
    assert_eq!((&answer["ok"], &answer["to"]["subject"]), (&json!(true), &json!("first")));
    assert_eq!(workspace.text("a.txt"), "one\n");
    let error = client.command("operator.history.undo", &Value::Null).unwrap_err();
    assert!(error.message.contains("no AI commit"), "{error:?}");
    client.command("operator.history.forward", &json!({"uri": workspace.uri("")})).unwrap();
    assert_eq!(workspace.text("a.txt"), "two\n");
    workspace.put("mine.txt", "m\n");
    let answer = client.command("operator.history.back", &Value::Null).unwrap();
    assert_eq!(answer["stashed_files"], json!(["mine.txt"]));
    let answer = client.command("operator.history.forward", &Value::Null).unwrap();
    assert_eq!(answer["restored_files"], json!(["mine.txt"]));
    Git(&root).run(&["commit", "-q", "--allow-empty", "-m", "AI: more"]);
    let argument = json!({"last": 2, "message": "all of it"});
    let answer = client.command("operator.history.squash", &argument).unwrap();
    assert_eq!(answer["commit"]["subject"], "AI: all of it");
    assert_eq!((Git(&root).log().len(), workspace.text("mine.txt")), (2, "m\n".into()));
    let error = client.command("operator.history.squash", &Value::Null).unwrap_err();
    assert!(error.message.contains("nothing to squash"), "{error:?}");
}

#[test]
fn a_move_is_refused_while_a_buffer_is_not_saved() {
    let workspace = repository(&[("a.txt", "one\n")]);
    let root = workspace.root();
    Git(&root).run(&["commit", "-q", "--allow-empty", "-m", "AI: more"]);
    let mut client = committing(&workspace);
    client.open(&workspace.uri("a.txt"), "plaintext", "not saved\n");
    for name in ["undo", "back", "forward"] {
        let error = client.command(&format!("operator.history.{name}"), &Value::Null).unwrap_err();
        assert!(error.message.starts_with("save a.txt first"), "{error:?}");
    }
    assert_eq!(Git(&root).log().len(), 2);
}

#[test]
fn without_a_folder_the_moves_say_so() {
    let options = Options { process: true, ..Options::new(&[]) };
    let mut client = Client::start(options);
    let error = client.command("operator.history.back", &Value::Null).unwrap_err();
    assert!(error.message.contains("no workspace folder"), "{error:?}");
}
