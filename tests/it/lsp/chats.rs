//! Which documents are chats: what is an example elsewhere is a block there.

use serde_json::json;

use super::client::Client;
use super::workspace::Workspace;

const DIFF: &str =
    "Like this:\n\n```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n```\n";
const PAIR: &str = "\na.txt\n<<<<<<< SEARCH\none\n=======\nthree\n>>>>>>> REPLACE\n";

fn client() -> (Workspace, Client) {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let client = Client::new(&workspace.uri(""));
    (workspace, client)
}

#[test]
fn a_diff_in_a_page_is_an_example() {
    let (workspace, mut client) = client();
    for (name, language, blocks) in [
        ("README.md", "markdown", 0),
        ("notes.txt", "plaintext", 0),
        ("chat.md", "markdown", 1),
        ("My Chat 2.md", "markdown", 1),
        ("transcript-3.md", "markdown", 1),
        ("a.chat", "plaintext", 1),
        ("a.operator", "operator", 1),
    ] {
        let uri = workspace.uri(&name.replace(' ', "%20"));
        client.open(&uri, language, DIFF);
        assert_eq!(client.proposals(&uri).len(), blocks, "{name}");
        let problems = client.diagnostics(&uri);
        assert_eq!(problems, Vec::<serde_json::Value>::new(), "{name}");
    }
    client.open("untitled:Untitled-1", "markdown", DIFF);
    assert_eq!(client.proposals("untitled:Untitled-1").len(), 1);
}

#[test]
fn another_block_makes_a_page_a_chat_while_it_is_there() {
    let (workspace, mut client) = client();
    let page = workspace.uri("page.md");
    client.open(&page, "markdown", DIFF);
    assert_eq!(client.statuses(&page), "");
    client.append(&page, PAIR);
    assert_eq!(client.proposals(&page).len(), 2);
    client.replace(&page, PAIR, "");
    assert_eq!(client.statuses(&page), "");
}

#[test]
fn a_person_says_that_a_document_is_a_chat() {
    let (workspace, mut client) = client();
    let page = workspace.uri("page.md");
    client.open(&page, "markdown", DIFF);
    assert_eq!(client.proposals(&page).len(), 0);
    client.command("operator.scan", &json!({"uri": page})).unwrap();
    assert_eq!(client.proposals(&page).len(), 1);
    client.append(&page, "\n");
    assert_eq!(client.proposals(&page).len(), 1);

    // A source is searched then, too, and only until it is closed.
    let source = workspace.uri("page.py");
    client.open(&source, "python", DIFF);
    client.command("operator.scan", &json!({"uri": source})).unwrap();
    assert_eq!(client.proposals(&source).len(), 1);
    client.close(&source);
    client.open(&source, "python", DIFF);
    assert_eq!(client.proposals(&source).len(), 0);

    let closed = json!({"uri": workspace.uri("closed.md")});
    let error = client.command("operator.scan", &closed).unwrap_err();
    assert!(error.message.contains("is not open"), "{error:?}");
}
