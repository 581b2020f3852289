//! Conversations with blocks of chats in an editor.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::client::{Client, OnEdit, lines};
use super::workspace::Workspace;
use crate::conversation::{Conversation, copy_workspace};

const SEARCH_REPLACE: &str = "search-replace-conversation.md";
const APPLY_PATCH: &str = "apply-patch-conversation.md";
const DIFF: &str = "diff-conversation.md";
const FILES: &str = "files-conversation.md";

fn workspace() -> Workspace {
    let workspace = Workspace::new(&[]);
    copy_workspace(&workspace.root());
    workspace
}

/// A client with one transcript that it has changes made in.
fn with(workspace: &Workspace, text: &str) -> (Client, String) {
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    client.on_edit = OnEdit::Apply;
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", text);
    (client, chat)
}

/// The words of each block's status.
fn statuses(client: &mut Client, chat: &str) -> Vec<String> {
    let proposals = client.proposals(chat);
    proposals.iter().map(|it| it["status"].as_str().unwrap().to_owned()).collect()
}

fn apply_all(client: &mut Client, chat: &str) {
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap();
}

fn reply(client: &mut Client, chat: &str, block: usize) -> String {
    let reply = client.command("operator.reply", &json!({"uri": chat, "block": block})).unwrap();
    reply.as_str().unwrap().to_owned()
}

fn ask(client: &mut Client, method: &str, chat: &str) -> Vec<Value> {
    let answer = client.ask(method, json!({"textDocument": {"uri": chat}}));
    answer.as_array().unwrap().clone()
}

fn start(range: &Value) -> (u64, u64) {
    let at = |name: &str| range["start"][name].as_u64().unwrap();
    (at("line"), at("character"))
}

/// Both rounds, the transcript closed and opened between, and undone.
fn two_rounds(example: &str, first: &[&str], second: &[&str], last: &[&str]) {
    let workspace = workspace();
    let before = workspace.tree();
    let conversation = Conversation::new(example);
    let (mut client, chat) = with(&workspace, &conversation.first);
    assert_eq!(statuses(&mut client, &chat), first);
    apply_all(&mut client, &chat);
    assert_eq!(reply(&mut client, &chat, 0), conversation.reply);
    let between = workspace.tree();

    // The chat goes on below the reply, and is closed and opened again.
    client.append(&chat, &(conversation.reply + &conversation.second));
    assert_eq!(statuses(&mut client, &chat), second);
    let text = client.text(&chat).to_owned();
    client.close(&chat);
    client.open(&chat, "markdown", &text);
    assert_eq!(statuses(&mut client, &chat), second);

    apply_all(&mut client, &chat);
    assert_eq!(statuses(&mut client, &chat), last);
    assert_eq!(reply(&mut client, &chat, last.len() - 1), conversation.second_reply);
    let again = client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert!(again.message.contains("can be applied"), "{again:?}");
    let after = workspace.tree();
    client.command("operator.undo", &json!(null)).unwrap();
    assert!(workspace.tree() == between);
    client.command("operator.undo", &json!(null)).unwrap();
    assert!(workspace.tree() == before);
    assert!(after != between);
}

#[test]
fn search_replace_blocks_go_from_paste_to_reply_twice() {
    let [ready, done, gone] = ["ready", "applied", "superseded"];
    two_rounds(
        SEARCH_REPLACE,
        &[ready, ready, ready, "blocked", ready, "blocked", "invalid"],
        &[done, done, done, gone, done, gone, gone, ready, ready, ready],
        &[done, done, done, gone, done, gone, gone, done, done, done],
    );
}

#[test]
fn patches_go_from_paste_to_reply_twice() {
    two_rounds(
        APPLY_PATCH,
        &["ready", "blocked", "invalid"],
        &["applied", "superseded", "superseded", "ready", "ready"],
        &["applied", "superseded", "superseded", "applied", "applied"],
    );
}

#[test]
fn diffs_go_from_paste_to_reply_twice() {
    let [ready, done, gone] = ["ready", "applied", "superseded"];
    two_rounds(
        DIFF,
        &[ready, ready, ready, "blocked", "invalid"],
        &[done, done, done, gone, gone, ready, ready],
        &[done, done, done, gone, gone, done, done],
    );
}

#[test]
fn whole_files_go_from_paste_to_reply_twice() {
    let [ready, done, gone] = ["ready", "applied", "superseded"];
    two_rounds(
        FILES,
        &[ready, ready, "blocked", "blocked", ready],
        &[done, done, gone, gone, done, ready, ready],
        &[done, done, gone, gone, done, done, done],
    );
}

#[test]
fn a_reply_is_under_its_answer_once() {
    for example in [SEARCH_REPLACE, APPLY_PATCH, DIFF, FILES] {
        let workspace = workspace();
        let conversation = Conversation::new(example);
        let text = conversation.of_two();
        let (mut client, chat) = with(&workspace, &text);
        let count = |client: &Client, chat: &str| {
            client.text(chat).matches("\noperator-lsp applied ").count()
        };
        assert_eq!(count(&client, &chat), 1);
        let last = statuses(&mut client, &chat).len() - 1;
        for (block, applied) in [(last - 1, "1"), (last, "2")] {
            client.take_block_action(&chat, block, "refactor.rewrite.operator.applyAndReply");
            assert_eq!(count(&client, &chat), 2);
            let start = format!("operator-lsp applied {applied} of ");
            let (_, below) = client.text(&chat).rsplit_once("**Model:**").unwrap();
            assert!(below.contains(&start), "{below}");
            assert_eq!(client.text(&chat).matches(&*conversation.reply).count(), 1);
        }
    }
}

#[test]
fn a_reply_is_below_the_fence_wherever_the_path_is() {
    let edit =
        |old: &str, new: &str| format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
    let (one, two) = (edit("one", "1"), edit("two", "2"));
    for answer in [
        format!("````\na.txt\n{one}\na.txt\n{two}````\n"),
        format!("````\n**a.txt**\n\n{one}{two}````\n"),
        format!("a.txt\n````\n{one}{two}````\n"),
        format!("````\na.txt\n{one}````\n\n````\na.txt\n{two}````\n"),
    ] {
        let workspace = Workspace::new(&[("a.txt", "one\ntwo\n")]);
        let (mut client, chat) = with(&workspace, &format!("{answer}after\n"));
        for (block, applied) in [(0, 1), (1, 2)] {
            client.take_block_action(&chat, block, "refactor.rewrite.operator.applyAndReply");
            let (above, reply) = client.text(&chat).split_at(answer.len());
            let start = format!("operator-lsp applied {applied} of 2 blocks.\n");
            assert_eq!(above, answer);
            assert!(reply.trim_start().starts_with(&start), "{reply}");
            assert!(reply.ends_with("after\n"), "{reply}");
            assert_eq!(reply.matches("operator-lsp applied").count(), 1, "{reply}");
        }
    }
}

#[test]
fn problems_of_search_replace_blocks_are_at_their_lines_with_fixes() {
    let workspace = workspace();
    let conversation = Conversation::new(SEARCH_REPLACE);
    let (mut client, chat) = with(&workspace, &conversation.first);
    client.expect_diagnostics(
        &chat,
        "49:0-49:14 error plan/text-ambiguous: the text to find is in `greeter/__init__.py` 2 \
         times, at lines 19, 25; add lines before or after it\n\
         75:0-75:14 error plan/text-not-found: the text to find is not in \
         `tests/test_greeter.py`; indented by 4 blanks more it is at line 10\n\
         93:0-93:17 error scan/indented: the block is indented or quoted: its markers begin at \
         the start of their lines\n",
    );
    client.take_titled(&chat, 6, "Unindent the block");
    assert_eq!(statuses(&mut client, &chat)[6], "ready");
    apply_all(&mut client, &chat);
    assert!(!workspace.text("notes.txt").contains("Spanish"));
}

#[test]
fn problems_of_patches_are_at_their_lines_with_fixes() {
    let workspace = workspace();
    let conversation = Conversation::new(APPLY_PATCH);
    let (mut client, chat) = with(&workspace, &conversation.first);
    client.expect_diagnostics(
        &chat,
        "37:0-37:16 error plan/text-ambiguous: the text to find of hunk 2 is in \
         `greeter/__init__.py` 2 times, at lines 19, 25; add lines before or after it\n\
         62:0-62:17 error apply-patch/missing-blank: each line of context begins with a blank, \
         before its own blanks\n",
    );
    client.take_titled(&chat, 2, "Insert the blanks");
    // A line of the file that begins with `-` is taken for a removed one, and is not there.
    assert_eq!(statuses(&mut client, &chat), ["ready", "blocked", "blocked"]);
    client.replace(&chat, "\n- settings", "\n - settings");
    assert_eq!(statuses(&mut client, &chat)[2], "ready");
    apply_all(&mut client, &chat);
    assert!(workspace.text("docs/ideas.md").contains("=\r\n\r\n- settings"));
}

/// The lines of the links, and what they lead to.
fn links(client: &mut Client, chat: &str, root: &str) -> String {
    let mut shown = String::new();
    for link in ask(client, "textDocument/documentLink", chat) {
        let target = link["target"].as_str().unwrap().strip_prefix(root).unwrap();
        let (line, character) = start(&link["range"]);
        writeln!(shown, "{line}:{character} {target}").unwrap();
    }
    shown
}

#[test]
fn the_path_above_a_block_leads_to_the_file_and_its_text_to_the_place() {
    let workspace = workspace();
    let conversation = Conversation::new(SEARCH_REPLACE);
    let (mut client, chat) = with(&workspace, &conversation.first);
    let all = "7:5 /greeter/cli.py\n33:2 /greeter/__init__.py\n47:0 /greeter/__init__.py\n\
               74:0 /tests/test_greeter.py\n91:3 /notes.txt\n";
    assert_eq!(links(&mut client, &chat, &workspace.uri("")), all);
    let hover = client.ask_at("textDocument/hover", &chat, "`greeter/cli.py`\n", 4);
    let said = hover["contents"]["value"].as_str().unwrap();
    assert!(said.starts_with("`greeter/cli.py`: 957 bytes, 34 lines"), "{said}");
    assert_eq!(start(&hover["range"]), (7, 5));
    let hover = client.ask_at("textDocument/hover", &chat, "\ngreeter/__main__.py", 4);
    assert_eq!(hover["contents"]["value"], "`greeter/__main__.py`: nothing is there");
    let found = client.ask_at("textDocument/definition", &chat, "`greeter/cli.py`\n", 4);
    assert_eq!(found[0]["targetUri"], workspace.uri("greeter/cli.py"));
    let found = client.ask_at("textDocument/definition", &chat, "    return json.loads", 4);
    assert_eq!(start(&found[0]["targetRange"]), (16, 0));

    // What is typed between the path and the block moves the one away from the other.
    client.replace(&chat, "I only change the last line of `load_config`:\n", "Only:\n\nThis:\n");
    let moved = all.replacen("33:", "35:", 1).replacen("47:", "49:", 1);
    let moved = moved.replacen("74:", "76:", 1).replacen("91:", "93:", 1);
    assert_eq!(links(&mut client, &chat, &workspace.uri("")), moved);
    client.replace(&chat, "`greeter/cli.py`\n", "`greeter/none.py`\n");
    let rest = moved.split_once('\n').unwrap().1;
    assert_eq!(links(&mut client, &chat, &workspace.uri("")), rest);
}

#[test]
fn the_paths_and_chunks_of_a_patch_lead_to_their_files() {
    let workspace = workspace();
    let conversation = Conversation::new(APPLY_PATCH);
    let (mut client, chat) = with(&workspace, &conversation.first);
    let all = "10:17 /greeter/cli.py\n36:17 /greeter/__init__.py\n\
               45:17 /tests/test_greeter.py\n59:17 /notes.txt\n";
    assert_eq!(links(&mut client, &chat, &workspace.uri("")), all);
    let found = client.ask_at("textDocument/definition", &chat, "@@ def load", 4);
    assert_eq!(start(&found[0]["targetRange"]), (14, 0));
    assert_eq!(found[0]["targetUri"], workspace.uri("greeter/cli.py"));
    let hover = client.ask_at("textDocument/hover", &chat, "@@ def load", 4);
    let said = hover["contents"]["value"].as_str().unwrap();
    assert!(said.starts_with("**apply-patch.patch greeter/cli.py** — ready\n"), "{said}");
    let hover = client.ask_at("textDocument/hover", &chat, "greeter/__main__.py\n", 4);
    assert_eq!(hover["contents"]["value"], "`greeter/__main__.py`: nothing is there");
}

/// The tokens of some lines, each with its kind.
fn tokens(client: &mut Client, chat: &str, wanted: std::ops::Range<usize>) -> String {
    let legend = client.server["capabilities"]["semanticTokensProvider"]["legend"].clone();
    let params = json!({"textDocument": {"uri": chat}});
    let tokens = client.ask("textDocument/semanticTokens/full", params);
    let number = |it: &Value| usize::try_from(it.as_u64().unwrap()).unwrap();
    let data: Vec<usize> = tokens["data"].as_array().unwrap().iter().map(number).collect();
    let text = client.text(chat).to_owned();
    let spans = lines(&text);
    let (mut line, mut column, mut shown) = (0, 0, String::new());
    for token in data.chunks(5) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        if wanted.contains(&line) {
            let (from, to) = spans[line];
            let word: String = text[from..to].chars().skip(column).take(token[2]).collect();
            let kind = legend["tokenTypes"][token[3]].as_str().unwrap();
            writeln!(shown, "{line} {word} {kind}").unwrap();
        }
    }
    shown
}

#[test]
fn lenses_symbols_folds_and_colours_are_those_of_other_dialects() {
    let workspace = workspace();
    let first = Conversation::new(SEARCH_REPLACE).first;
    let (mut client, chat) = with(&workspace, &first);
    let lenses = ask(&mut client, "textDocument/codeLens", &chat);
    let titles: Vec<_> = lenses.iter().map(|it| it["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles[..2], ["Apply all (4)", "Apply"]);
    assert_eq!(titles[4], "ready: search-replace.edit greeter/cli.py");
    assert_eq!(start(&lenses[0]["range"]), (12, 0));
    let symbols = ask(&mut client, "textDocument/documentSymbol", &chat);
    let names: Vec<_> = symbols.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(
        names[5..],
        ["search-replace.edit tests/test_greeter.py", "search-replace.edit notes.txt"]
    );
    let folds = ask(&mut client, "textDocument/foldingRange", &chat);
    assert_eq!((&folds[0]["startLine"], &folds[0]["endLine"]), (&json!(12), &json!(16)));
    assert_eq!(
        tokens(&mut client, &chat, 0..17),
        "7 greeter/cli.py string\n\
         12 <<<<<<< SEARCH keyword\n\
         13 return json.loads(path.read_text(encoding=\"utf-8\")) string\n\
         14 ======= property\n\
         15 return {**DEFAULTS, **json.loads(path.read_text(encoding=\"utf-8\"))} string\n\
         16 >>>>>>> REPLACE keyword\n"
    );

    let first = Conversation::new(APPLY_PATCH).first;
    client.change_whole(&chat, &first);
    let symbols = ask(&mut client, "textDocument/documentSymbol", &chat);
    let names: Vec<_> = symbols.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(
        names[..2],
        ["apply-patch.patch greeter/cli.py", "apply-patch.patch greeter/__init__.py"]
    );
    let folds = ask(&mut client, "textDocument/foldingRange", &chat);
    assert_eq!((&folds[0]["startLine"], &folds[0]["endLine"]), (&json!(9), &json!(28)));
    assert_eq!(
        tokens(&mut client, &chat, 9..12),
        "9 *** Begin Patch keyword\n10 *** Update File: property\n10 greeter/cli.py string\n\
         11 @@ def load_config(path): property\n"
    );
}

#[test]
fn whole_blocks_are_offered() {
    let workspace = workspace();
    let (mut client, chat) = with(&workspace, "<<<<<<< SEA");
    assert_eq!(client.offered(&chat, 11), ["<<<<<<< search-replace.edit"]);
    client.change_whole(&chat, "*** Beg");
    assert_eq!(client.offered(&chat, 7), ["*** apply-patch.patch"]);
    client.change_whole(&chat, "*** Begin Patch\n*** Update File: greeter/\n*** End Patch\n");
    assert_eq!(client.offered(&chat, 41), ["__init__.py", "cli.py"]);
    let diff = "```diff\n--- a/greeter/\n+++ b/greeter/\n@@ -1 +1 @@\n-a\n+b\n```\n";
    client.change_whole(&chat, diff);
    assert_eq!(client.offered(&chat, 22), ["__init__.py", "cli.py"]);
    assert_eq!(client.offered(&chat, 37), ["__init__.py", "cli.py"]);
}

#[test]
fn the_reply_asks_for_edits_that_are_not_blocks() {
    let workspace = workspace();
    workspace.put("a.txt", "one\nthree\n");
    let block = "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    let call = "{\"path\": \"a.txt\", \"old_str\": \"three\", \"new_str\": \"four\"}\n";
    let (mut client, chat) = with(&workspace, &format!("{block}\n{call}"));
    apply_all(&mut client, &chat);
    let told = reply(&mut client, &chat, 0);
    let asks = "* `old_str` (not a block): this is a `str_replace` call; operator-lsp does not apply \
                these yet.\n   Send each of these edits as ";
    assert!(told.contains(asks), "{told}");
    assert_eq!(workspace.text("a.txt"), "two\nthree\n");
}

#[test]
fn files_that_the_lines_fit_are_choices_for_a_block_without_a_path() {
    let workspace = workspace();
    workspace.put("a.txt", "one\nthree\n");
    workspace.put("b.txt", "two\n");
    let block = "Change this:\n\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    let diff = "\n```diff\n@@ -1 +1,2 @@\n-three\n+3\n+4\n```\n";
    let (mut client, chat) = with(&workspace, &format!("{block}{diff}"));
    assert_eq!(statuses(&mut client, &chat), ["invalid", "invalid"]);
    client.take_titled(&chat, 0, "Insert the path `a.txt`");
    assert_eq!(statuses(&mut client, &chat), ["ready", "invalid"]);
    client.take_titled(&chat, 1, "Insert the path `a.txt`");
    assert_eq!(statuses(&mut client, &chat), ["ready", "ready"]);
    apply_all(&mut client, &chat);
    assert_eq!(workspace.text("a.txt"), "two\n3\n4\n");
}
