//! Targets that change under a proposal.

use serde_json::json;

use super::client::Client;
use super::workspace::{Workspace, block};

const EDITS: &str = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"two","text":"2"}]}"#;
const APPLY: &str = "refactor.rewrite.operator.apply";

fn watched(workspace: &Workspace) -> Client {
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    client
}

/// Two transcripts' worth of proposals on one file: an overwrite, and an edit.
fn overwrite_and_edit() -> String {
    [
        block("w", "fs.write", &[("path", "a.txt"), ("content_b64", "new\n")]),
        block("e", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", EDITS)]),
    ]
    .join("\n")
}

const BEFORE: &str = "0 ready: fs.write a.txt\n1 ready: fs.applyEdits a.txt\n";
const AFTER: &str = "0 stale: fs.write a.txt\n1 ready: fs.applyEdits a.txt\n";

fn expect_stale(client: &mut Client, chat: &str) {
    assert_eq!(client.statuses(chat), AFTER);
    client.expect_diagnostics_but(
        chat,
        "operator/unread-target",
        "4:6-4:11 error plan/stale: a.txt has changed since this block came in; applying it would \
         overwrite those changes\n\
         12:6-12:11 information plan/stale: a.txt has changed since this block came in; planned \
         anew, it still fits\n",
    );
}

#[test]
fn a_buffer_that_changes() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = watched(&workspace);
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open(&target, "plaintext", "one\ntwo\n");
    client.open(&chat, "markdown", &overwrite_and_edit());
    assert_eq!(client.statuses(&chat), BEFORE);
    client.append(&target, "three\n");
    expect_stale(&mut client, &chat);
    // Back as it was: content decides.
    client.replace(&target, "three\n", "");
    assert_eq!(client.statuses(&chat), BEFORE);
    client.append(&target, "three\n");
    client.take_block_action(&chat, 1, APPLY);
    assert_eq!(client.text(&target), "one\n2\nthree\n");
}

#[test]
fn a_file_that_changes_on_disk() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &overwrite_and_edit());
    assert_eq!(client.statuses(&chat), BEFORE);
    workspace.put("a.txt", "one\ntwo\nthree\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    expect_stale(&mut client, &chat);
    // The same bytes again, with another time: nothing has happened.
    workspace.put("a.txt", "one\ntwo\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    assert_eq!(client.statuses(&chat), BEFORE);
}

#[test]
fn a_file_that_changes_behind_the_servers_back_is_not_overwritten() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &overwrite_and_edit());
    assert_eq!(client.statuses(&chat), BEFORE);
    let action = client.action(&chat, 0, APPLY);
    workspace.put("a.txt", "mine\n");
    let error = client.resolve(action).unwrap_err();
    assert_eq!(error.code, -32801, "{error:?}");
    assert!(error.message.contains("a.txt has changed"), "{error:?}");
    assert_eq!(workspace.text("a.txt"), "mine\n");
}

#[test]
fn the_buffer_is_the_truth_while_it_is_open() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = watched(&workspace);
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open(&chat, "markdown", &overwrite_and_edit());
    assert_eq!(client.statuses(&chat), BEFORE);
    client.open(&target, "plaintext", "one\ntwo\n");
    assert_eq!(client.statuses(&chat), BEFORE, "the same text as on disk");
    client.append(&target, "three\n");
    assert_eq!(client.statuses(&chat), AFTER);
    client.close(&target);
    assert_eq!(client.statuses(&chat), BEFORE, "not saved, so disk counts again");
}

#[test]
fn the_current_content_is_taken_as_the_base() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = watched(&workspace);
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open(&target, "plaintext", "one\ntwo\n");
    client.open(&chat, "markdown", &block("w", "fs.write", &[("path", "a.txt"), ("content", "x")]));
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n");
    client.append(&target, "three\n");
    assert_eq!(client.statuses(&chat), "0 stale: fs.write a.txt\n");
    client.take_titled(&chat, 0, "Take the current content as the base");
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n");
    let now = client.fingerprint(&target);
    assert!(client.text(&chat).contains(&format!("\nbase_fingerprint: {now}\n")));
    client.append(&target, "four\n");
    assert_eq!(client.statuses(&chat), "0 stale: fs.write a.txt\n");
    client.take_titled(&chat, 0, "Take the current content as the base");
    assert_eq!(client.text(&chat).matches("base_fingerprint: ").count(), 1);
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.text(&target), "x");
}

#[test]
fn a_stated_base_makes_any_proposal_stale() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    let other = operator_core::fingerprint::Fingerprint::of(b"other").to_string();
    client.open(
        &chat,
        "markdown",
        &block(
            "e",
            "fs.applyEdits",
            &[("path", "a.txt"), ("edits_b64", EDITS), ("base_fingerprint", &other)],
        ),
    );
    assert_eq!(client.statuses(&chat), "0 stale: fs.applyEdits a.txt\n");
    let offered = client.block_actions(&chat, 0, &["refactor"]);
    assert!(offered[0]["disabled"]["reason"].as_str().unwrap().contains(&other), "{offered:#?}");
}

#[test]
fn a_file_that_is_created_or_deleted_is_seen() {
    let workspace = Workspace::new(&[]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("r", "fs.read", &[("path", "sub/new.txt")]));
    assert_eq!(client.statuses(&chat), "0 blocked: fs.read sub/new.txt\n");
    workspace.put("sub/new.txt", "x\n");
    client.tell_files(&[(workspace.uri("sub/new.txt"), 1)]);
    assert_eq!(client.statuses(&chat), "0 ready: fs.read sub/new.txt\n");
    std::fs::remove_dir_all(workspace.root().join("sub")).unwrap();
    client.tell_files(&[(workspace.uri("sub"), 3)]);
    assert_eq!(client.statuses(&chat), "0 blocked: fs.read sub/new.txt\n");
    let params = json!({"textDocument": {"uri": chat}, "block": 0});
    assert!(client.request("operator/preview", params).is_err());
}

#[test]
fn a_buffer_that_changes_right_after_the_block_came_in() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    for round in 0..6 {
        let mut client = watched(&workspace);
        client.open(&target, "plaintext", "one\ntwo\n");
        let text = overwrite_and_edit();
        if round % 2 == 0 {
            client.open(&chat, "markdown", &text);
        } else {
            let (before, end) = text.split_at(text.rfind("END_").unwrap());
            client.open(&chat, "markdown", before);
            client.append(&chat, end);
        }
        client.append(&target, "three\n");
        // What is typed after that is of no concern.
        client.append(&chat, "Prose.\n");
        expect_stale(&mut client, &chat);
    }
}

#[test]
fn a_block_that_comes_in_after_the_change_is_made_for_what_is_there() {
    let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
    let mut client = watched(&workspace);
    let (chat, target) = (workspace.uri("chat.md"), workspace.uri("a.txt"));
    client.open(&target, "plaintext", "one\ntwo\n");
    client.open(&chat, "markdown", "Prose.\n");
    client.append(&target, "three\n");
    client.append(&chat, &overwrite_and_edit());
    assert_eq!(client.statuses(&chat), BEFORE);
}

#[test]
fn a_server_that_ends_right_after_a_review_tells_the_next_one_what_the_files_were() {
    for is_polite in [true, false] {
        let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
        let mut client = watched(&workspace);
        let chat = workspace.uri("chat.md");
        client.open(&chat, "markdown", &overwrite_and_edit());
        assert_eq!(client.statuses(&chat), BEFORE);
        _ = if is_polite { client.shut_down() } else { client.hang_up() };
        drop(client);
        workspace.put("a.txt", "one\ntwo\nthree\n");
        let mut client = watched(&workspace);
        client.open(&chat, "markdown", &overwrite_and_edit());
        expect_stale(&mut client, &chat);
    }
}

#[test]
fn a_transcript_that_is_saved_under_another_name_is_as_stale_as_before() {
    for is_closed_first in [false, true] {
        let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
        let mut client = watched(&workspace);
        let (untitled, target) = ("untitled:Untitled-1", workspace.uri("a.txt"));
        client.open(&target, "plaintext", "one\ntwo\n");
        client.open(untitled, "markdown", &overwrite_and_edit());
        assert_eq!(client.statuses(untitled), BEFORE);
        client.append(&target, "three\n");
        assert_eq!(client.statuses(untitled), AFTER);
        let chat = workspace.uri("chat.md");
        if is_closed_first {
            client.close(untitled);
        }
        client.open(&chat, "markdown", &overwrite_and_edit());
        expect_stale(&mut client, &chat);
        // Another text is another chat.
        let other = workspace.uri("other.md");
        client.open(&other, "markdown", &format!("{}Prose.\n", overwrite_and_edit()));
        assert_eq!(client.statuses(&other), BEFORE);
    }
}
