//! Everything at once: reads and writes in their order, and the replies as they were then.

use serde_json::json;

use super::client::{Client, OnEdit, titles};
use super::reply::replies;
use super::workspace::{Workspace, block};

const RUN: &str = "refactor.rewrite.operator.run";

fn write(id: &str, text: &str) -> String {
    block(id, "fs.write", &[("path", "a.txt"), ("content_b64", text)])
}

fn read(id: &str) -> String {
    block(id, "fs.read", &[("path", "a.txt")])
}

fn reply(client: &mut Client, chat: &str, index: usize) -> String {
    let reply = client.command("operator.reply", &json!({"uri": chat, "block": index})).unwrap();
    replies(reply.as_str().unwrap())
}

#[test]
fn reads_are_answered_on_what_the_blocks_before_leave() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::new(&workspace.uri(""));
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    let text =
        [read("r0"), write("w1", "one\n"), read("r1"), write("w2", "two\n"), read("r2")].concat();
    client.open(&chat, "markdown", &text);
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(workspace.text("a.txt"), "two\n");
    assert_eq!(
        client.statuses(&chat),
        "0 ready: fs.read a.txt\n1 applied: fs.write a.txt\n2 applied: fs.read a.txt\n\
         3 applied: fs.write a.txt\n4 applied: fs.read a.txt\n"
    );
    // It failed on its turn, though it would not any more.
    assert!(reply(&mut client, &chat, 0).starts_with("id: r0\nok: false\n"));
    assert!(reply(&mut client, &chat, 2).ends_with("details:\none\n"));
    assert!(reply(&mut client, &chat, 4).ends_with("details:\ntwo\n"));

    // What is inserted is what was true then, until it is in the transcript.
    let offered = titles(&client.block_actions(&chat, 2, &[RUN]));
    assert_eq!(offered, "Insert the reply to fs.read a.txt\n");
    client.take_block_action(&chat, 2, RUN);
    assert!(replies(client.text(&chat)).ends_with("details:\none\n"));
    let offered = titles(&client.block_actions(&chat, 2, &[RUN]));
    assert_eq!(offered, "Run fs.read a.txt again and insert the reply\n");
    client.take_block_action(&chat, 2, RUN);
    assert!(replies(client.text(&chat)).contains("details:\ntwo\n"));
}

#[test]
fn the_result_says_how_much_was_changed() {
    let workspace = Workspace::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let mut client = Client::new(&workspace.uri(""));
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    let text = [
        write("twice", "one\n"),
        write("again", "two\n"),
        // What is moved is one file.
        block("move", "fs.move", &[("path", "b.txt"), ("path_to", "docs/b.txt")]),
        read("read"),
    ];
    client.open(&chat, "markdown", &text.concat());
    let answer = client.command("operator.applyAll", &json!({"uri": chat}));
    assert_eq!(answer, Ok(json!({"applied": true, "changes": 3, "files": 2})));
}

#[test]
fn a_read_that_is_run_by_itself_reads_what_is_there_now() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::new(&workspace.uri(""));
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &(read("r0") + &write("w1", "one\n")));
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    client.take_block_action(&chat, 0, RUN);
    assert!(replies(client.text(&chat)).ends_with("details:\none\n"));
}

#[test]
fn an_undo_forgets_what_was_read() {
    let workspace = Workspace::new(&[("a.txt", "old\n")]);
    let mut client = Client::new(&workspace.uri(""));
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &(write("w1", "one\n") + &read("r1")));
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    client.command("operator.undo", &json!(null)).unwrap();
    assert_eq!(workspace.text("a.txt"), "old\n");
    assert_eq!(client.statuses(&chat), "0 ready: fs.write a.txt\n1 ready: fs.read a.txt\n");
    assert!(reply(&mut client, &chat, 1).ends_with("details:\nold\n"));
}

#[test]
fn reads_alone_need_no_edit() {
    let workspace = Workspace::new(&[("a.txt", "old\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &read("r1"));
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
    assert_eq!(client.statuses(&chat), "0 applied: fs.read a.txt\n");
    workspace.put("a.txt", "new\n");
    let changed = workspace.uri("a.txt");
    client.tell_files(&[(changed, 2)]);
    assert!(reply(&mut client, &chat, 0).ends_with("details:\nold\n"));
    let error = client.command("operator.undo", &json!(null)).unwrap_err();
    assert!(error.message.contains("nothing to undo"), "{error:?}");
}
