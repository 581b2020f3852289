//! Replacer blocks while the transcript and the workspace change.

use serde_json::json;

use super::client::{Client, OnEdit};
use super::workspace::Workspace;

fn watched(workspace: &Workspace) -> Client {
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    client
}

fn pair(search: &str, replace: &str) -> String {
    format!("<<<SEARCH>>>\n{search}\n<<<REPLACE>>>\n{replace}\n<<<END>>>\n")
}

#[test]
fn another_path_counts_for_every_pair_of_the_file() {
    let workspace = Workspace::new(&[("a.txt", "one\n"), ("b.txt", "one\ntwo\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    let text = format!("<<<FILE>>>\na.txt\n{}{}", pair("one", "1"), pair("two", "2"));
    client.open(&chat, "markdown", &text);
    let expected = "0 ready: replacer.replace a.txt\n1 blocked: replacer.replace a.txt\n";
    assert_eq!(client.statuses(&chat), expected);
    client.replace(&chat, "a.txt", "b.txt");
    let expected = "0 ready: replacer.replace b.txt\n1 ready: replacer.replace b.txt\n";
    assert_eq!(client.statuses(&chat), expected);
    // What comes between them ends it.
    client.replace(&chat, "<<<END>>>\n<<<SEARCH>>>", "<<<END>>>\n<<<EXPLANATION>>>\n<<<SEARCH>>>");
    let expected = "0 ready: replacer.replace b.txt\n1 invalid: replacer.replace\n";
    assert_eq!(client.statuses(&chat), expected);
}

#[test]
fn an_overwrite_is_stale_once_its_file_has_changed() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    let overwrite = "<<<FILE>>>\na.txt\n<<<OVERWRITE>>>\nnew\n<<<END>>>\n";
    let replace = format!("<<<FILE>>>\na.txt\n{}", pair("one", "1"));
    client.open(&chat, "markdown", &format!("{overwrite}{replace}"));
    let expected = "0 ready: replacer.overwrite a.txt\n1 ready: replacer.replace a.txt\n";
    assert_eq!(client.statuses(&chat), expected);
    workspace.put("a.txt", "one\nmore\n");
    client.tell_files(&[(workspace.uri("a.txt"), 2)]);
    let expected = "0 stale: replacer.overwrite a.txt\n1 ready: replacer.replace a.txt\n";
    assert_eq!(client.statuses(&chat), expected);
    client.expect_diagnostics(
        &chat,
        "1:0-1:5 error plan/stale: a.txt has changed since this block came in; applying it would \
         overwrite those changes\n\
         6:0-6:5 information plan/stale: a.txt has changed since this block came in; planned anew, \
         it still fits\n",
    );
}

#[test]
fn a_guessed_path_follows_the_files() {
    let workspace = Workspace::new(&[("app/main.py", "one\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &format!("<<<FILE>>>\nsrc/main.py\n{}", pair("one", "1")));
    client.expect_first(&chat, "replacer/path-guessed");
    // Another file fits as well.
    workspace.put("lib/main.py", "one\n");
    client.tell_files(&[(workspace.uri("lib/main.py"), 1)]);
    client.expect_first(&chat, "replacer/path-ambiguous");
    // The very file comes to be.
    workspace.put("src/main.py", "one\n");
    client.tell_files(&[(workspace.uri("src/main.py"), 1)]);
    client.expect_first(&chat, "plan/stale");
    assert_eq!(client.statuses(&chat), "0 ready: replacer.replace src/main.py\n");
    std::fs::remove_dir_all(workspace.root().join("src")).unwrap();
    std::fs::remove_dir_all(workspace.root().join("app")).unwrap();
    client.tell_files(&[(workspace.uri("src"), 3), (workspace.uri("app"), 3)]);
    client.expect_first(&chat, "replacer/path-guessed");
}

#[test]
fn a_section_leads_to_the_text_and_a_path_to_the_file() {
    let workspace = Workspace::new(&[("a.txt", "zero\none\ntwo\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &format!("<<<FILE>>>\na.txt\n{}", pair("one", "1")));
    let found = client.ask_at("textDocument/definition", &chat, "one", 1);
    let found = found.get(0).unwrap_or(&found).clone();
    assert_eq!(
        found["uri"].as_str().or(found["targetUri"].as_str()),
        Some(&*workspace.uri("a.txt"))
    );
    assert!(found.to_string().contains("\"line\":1"), "{found:#}");
    let found = client.ask_at("textDocument/definition", &chat, "a.txt", 1);
    assert!(found.to_string().contains("a.txt"), "{found:#}");
    let shown = client.ask_at("textDocument/hover", &chat, "\n1\n", 1);
    assert!(shown.to_string().contains("-one"), "{shown:#}");
}

#[test]
fn whole_blocks_are_offered() {
    let workspace = Workspace::new(&[]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", "<<<FI");
    let labels = client.offered(&chat, 5);
    assert_eq!(labels, ["<<<FILE>>> replacer.replace", "<<<FILE>>> replacer.overwrite"]);
}

#[test]
fn paths_are_offered_below_file() {
    let workspace = Workspace::new(&[("src/a.py", ""), ("src/b.txt", ""), ("c.txt", "")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    // While the block is written, and once it is whole.
    client.open(&chat, "markdown", "<<<FILE>>>\n");
    assert_eq!(client.offered(&chat, 11), ["c.txt", "chat.md", "src"]);
    client.replace(&chat, ">>>\n", &format!(">>>\nsrc/\n{}", pair("one", "1")));
    assert_eq!(client.offered(&chat, 15), ["a.py", "b.txt"]);
    let search = client.text(&chat).find("one").expect("the text of SEARCH");
    assert_eq!(client.offered(&chat, search + 1), Vec::<String>::new());
}

#[test]
fn a_refusal_stands_below_its_block() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &format!("<<<FILE>>>\na.txt\n{}", pair("one", "1")));
    client.take_block_action(&chat, 0, "refactor.rewrite.operator.reject");
    let text = client.text(&chat);
    assert!(text.ends_with("<<<END>>>\nerror a.txt: refused by the user\n"), "{text}");
    assert_eq!(client.statuses(&chat), "0 rejected: replacer.replace a.txt\n");
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    assert_eq!(workspace.text("a.txt"), "one\n");
}

#[test]
fn a_refusal_counts_once_the_editor_has_written_it() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = watched(&workspace);
    let chat = workspace.uri("chat.md");
    let text = format!("<<<FILE>>>\na.txt\n{}", pair("one", "1"));
    client.open(&chat, "markdown", &text);
    let reject = json!({"uri": chat, "block": 0});
    let [ready, rejected] =
        ["ready", "rejected"].map(|it| format!("0 {it}: replacer.replace a.txt\n"));
    // A menu may ask for the edit of each action that it shows.
    let action = client.action(&chat, 0, "refactor.rewrite.operator.reject");
    client.resolve(action).unwrap();
    assert_eq!(client.statuses(&chat), ready);
    client.on_edit = OnEdit::Refuse("no".to_owned());
    client.command("operator.reject", &reject).unwrap_err();
    assert_eq!(client.statuses(&chat), ready);
    client.on_edit = OnEdit::Apply;
    client.command("operator.reject", &reject).unwrap();
    assert_eq!(client.statuses(&chat), rejected);
    client.shut_down();
    let mut client = watched(&workspace);
    client.open(&chat, "markdown", &text);
    assert_eq!(client.statuses(&chat), rejected);
}
