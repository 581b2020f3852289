//! The one result for all blocks of a transcript: what it says, and where it is.

use serde_json::json;

use super::super::client::{Client, OnEdit};
use super::super::workspace::Workspace;
use super::{block, results, showing, told};

const APPLY: &str = "refactor.rewrite.operator.apply";
const APPLY_AND_REPLY: &str = "refactor.rewrite.operator.applyAndReply";
const RUN: &str = "refactor.rewrite.operator.run";
const REJECT: &str = "refactor.rewrite.operator.reject";

fn workspace() -> Workspace {
    Workspace::new(&[("a.txt", "one\n"), ("b.txt", "two\n"), ("c.txt", "c\n")])
}

fn replace(workspace: &Workspace, id: &str, path: &str, old: &str, new: &str) -> String {
    let fields = [("path", path), ("old_text", old), ("new_text", new)];
    block(workspace, id, "file_replace_text", &fields)
}

/// Two replacements, and a look at a file.
fn transcript(workspace: &Workspace) -> String {
    replace(workspace, "aaa", "{w}/a.txt", "one", "1")
        + &replace(workspace, "bbb", "{w}/b.txt", "two", "2")
        + &block(workspace, "ccc", "ls", &[("path", "{w}/none")])
}

/// What is told, without the workspace's own path.
fn said(client: &Client, workspace: &Workspace, chat: &str) -> String {
    told(client.text(chat)).replace(&workspace.home(), "{w}")
}

const A: &str = "aaa {\"path\":\"{w}/a.txt\",\"replacements\":1}\n";
const B: &str = "bbb {\"path\":\"{w}/b.txt\",\"replacements\":1}\n";
const C: &str = "ccc: ENOENT: no such file or directory, scandir '{w}/none'\n";

#[test]
fn a_later_result_takes_the_place_of_the_earlier_and_keeps_what_it_says() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &(transcript(&workspace) + "\nGoodbye.\n"));
    client.take_block_action(&chat, 0, APPLY_AND_REPLY);
    assert_eq!(said(&client, &workspace, &chat), format!("{A}{C}"));
    client.take_block_action(&chat, 1, APPLY_AND_REPLY);
    assert_eq!(said(&client, &workspace, &chat), format!("{A}{B}{C}"));
    assert_eq!((workspace.text("a.txt"), workspace.text("b.txt")), ("1\n".into(), "2\n".into()));
    assert!(client.text(&chat).ends_with("}\n\nGoodbye.\n"), "{}", client.text(&chat));
    assert!(client.text(&chat).contains("#!END_SHAM_ccc\n{\n"), "right below the last block");
    assert_eq!(client.statuses(&chat).matches("applied").count(), 2);
}

#[test]
fn what_was_applied_without_a_reply_is_in_the_next_result_with_its_data() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    client.take_block_action(&chat, 0, APPLY);
    client.take_block_action(&chat, 1, APPLY_AND_REPLY);
    assert_eq!(said(&client, &workspace, &chat), format!("{A}{B}{C}"));
    // What is undone is not told any more.
    client.command("operator.undo", &json!(null)).unwrap();
    let argument = json!({"uri": chat, "block": 0});
    let reply = client.command("operator.reply", &argument).unwrap();
    assert!(!reply.as_str().unwrap().contains("\"bbb\""), "{reply:#}");
    assert!(reply.as_str().unwrap().contains("\"aaa\""), "{reply:#}");
}

#[test]
fn a_result_of_another_session_is_read_back() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    client.take_block_action(&chat, 0, APPLY_AND_REPLY);
    let text = client.close(&chat).text;
    drop(client);
    let (mut client, chat) = showing(&workspace, &text);
    assert!(client.statuses(&chat).starts_with("0 applied"), "{}", client.statuses(&chat));
    client.take_block_action(&chat, 1, APPLY_AND_REPLY);
    assert_eq!(said(&client, &workspace, &chat), format!("{A}{B}{C}"));
}

#[test]
fn a_chat_that_is_pasted_is_read_like_one_that_is_opened() {
    let workspace = workspace();
    let (mut client, chat) =
        showing(&workspace, &replace(&workspace, "aaa", "{w}/a.txt", "one", "1"));
    client.take_block_action(&chat, 0, APPLY_AND_REPLY);
    let text = client.close(&chat).text + &replace(&workspace, "bbb", "{w}/b.txt", "two", "2");
    drop(client);
    workspace.put("a.txt", "another\n");
    let (mut client, chat) = showing(&workspace, &text);
    let opened = client.statuses(&chat);
    assert!(opened.starts_with("0 applied"), "{opened}");
    for before in ["", "Hello\n", "Hello\n\n"] {
        client.change_whole(&chat, before);
        assert_eq!(client.statuses(&chat), "");
        client.append(&chat, &text);
        assert_eq!(client.statuses(&chat), opened, "{before:?}");
    }
}

#[test]
fn a_refused_block_stays_refused() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    client.take_block_action(&chat, 0, REJECT);
    assert!(client.statuses(&chat).starts_with("0 rejected"), "{}", client.statuses(&chat));
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!((workspace.text("a.txt"), workspace.text("b.txt")), ("one\n".into(), "2\n".into()));
    client.take_block_action(&chat, 2, REJECT);
    let expected = format!("aaa: refused by the user\n{B}ccc: refused by the user\n");
    assert_eq!(said(&client, &workspace, &chat), expected);
}

#[test]
fn a_refusal_that_is_not_in_the_transcript_any_more_does_not_count() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    client.take_block_action(&chat, 0, REJECT);
    assert!(client.statuses(&chat).starts_with("0 rejected"));
    let before = transcript(&workspace);
    let result = client.text(&chat)[before.len()..].to_owned();
    client.replace(&chat, &result, "");
    assert!(client.statuses(&chat).starts_with("0 ready"), "{}", client.statuses(&chat));
    client.append(&chat, &result);
    assert!(client.statuses(&chat).starts_with("0 rejected"), "{}", client.statuses(&chat));
}

#[test]
fn the_lens_refuses_as_the_action_does() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    client.command("operator.reject", &json!({"uri": chat, "block": 1})).unwrap();
    assert!(client.statuses(&chat).contains("1 rejected"), "{}", client.statuses(&chat));
}

#[test]
fn only_a_result_is_replaced() {
    let workspace = workspace();
    for below in ["{\n  \"mine\": 1\n}\n", "{\"success\": true\n", "{ more\n", "\n{\n}\n"] {
        let (mut client, chat) = showing(&workspace, &(transcript(&workspace) + below));
        client.take_block_action(&chat, 2, REJECT);
        let text = client.text(&chat);
        assert!(text.ends_with(&format!("\n}}\n{below}")), "{text}");
    }
}

#[test]
fn blocks_in_a_fence_are_answered_in_one_below_it() {
    let workspace = workspace();
    for eol in ["\n", "\r\n"] {
        let text = format!("```sham\n{}```\nGoodbye.\n", transcript(&workspace));
        let (mut client, chat) = showing(&workspace, &text.replace('\n', eol));
        client.take_block_action(&chat, 2, REJECT);
        client.take_block_action(&chat, 1, REJECT);
        let text = client.text(&chat).to_owned();
        assert_eq!(text.matches('\n').count(), text.matches(eol).count(), "one kind of ending");
        let text = text.replace(eol, "\n");
        assert!(text.contains("#!END_SHAM_ccc\n```\n```json\n{\n"), "{text}");
        assert!(text.ends_with("\n}\n```\nGoodbye.\n"), "{text}");
        assert_eq!(told(&text), "bbb: refused by the user\nccc: refused by the user\n");
    }
}

#[test]
fn a_fence_that_begins_below_a_block_is_left_alone() {
    let workspace = workspace();
    let code = "```\nother\n```\n";
    let text = format!("Prose.\n{}{code}", transcript(&workspace));
    let (mut client, chat) = showing(&workspace, &text);
    client.take_block_action(&chat, 2, REJECT);
    assert!(client.text(&chat).ends_with(&format!("\n}}\n{code}")), "{}", client.text(&chat));
}

#[test]
fn a_list_shows_what_earlier_blocks_put_into_the_working_set() {
    let workspace = workspace();
    let text = block(&workspace, "aaa", "context_add", &[("path", "{w}/a.txt")])
        + &block(&workspace, "bbb", "context_add", &[("path", "{w}/b.txt")])
        + &block(&workspace, "ccc", "context_remove", &[("path", "{w}/a.txt")])
        + &block(&workspace, "ddd", "context_list", &[]);
    let (mut client, chat) = showing(&workspace, &text);
    client.take_block_action(&chat, 3, RUN);
    let said = said(&client, &workspace, &chat);
    let list = "ddd [{\"path\":\"{w}/b.txt\",\"size\":4}]\n";
    assert!(said.ends_with(list), "{said}");
}

#[test]
fn a_refused_edit_is_told_to_nobody() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, &transcript(&workspace));
    client.on_edit = OnEdit::Refuse("no".to_owned());
    let argument = json!({"uri": chat, "block": 0, "reply": true});
    client.command("operator.apply", &argument).unwrap_err();
    assert!(results(client.text(&chat)).is_empty());
    assert!(client.statuses(&chat).starts_with("0 ready"));
}
