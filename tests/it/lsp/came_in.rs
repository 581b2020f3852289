//! Blocks are held against the files as they were when the blocks came in, across servers.

use serde_json::json;

use super::client::Client;
use super::workspace::Workspace;

const FILE: &str = "import os\n\n\ndef f():\n    x = 1\n\ndef g():\n    x = 1\n    return x\n";
const APPLY: &str = "refactor.rewrite.operator.apply";

fn opened(workspace: &Workspace, chat: &str) -> (Client, String) {
    let mut client = Client::new(&workspace.uri(""));
    client.set_up();
    let uri = workspace.uri("chat.md");
    client.open(&uri, "markdown", chat);
    client.open(&workspace.uri("n.py"), "python", &workspace.text("n.py"));
    (client, uri)
}

fn pair(line: &str, old: &str, new: &str) -> String {
    format!("n.py\n```\n<<<<<<< SEARCH\n{line}{old}=======\n{new}>>>>>>> REPLACE\n```\n\n")
}

/// Has the editor save the file, and the next server begin.
fn save_and_restart(workspace: &Workspace, mut client: Client, chat: &str) -> (Client, String) {
    let file = workspace.uri("n.py");
    workspace.put("n.py", client.text(&file).as_bytes());
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": file}}));
    assert_eq!(client.shut_down(), 0);
    opened(workspace, chat)
}

#[test]
fn a_line_number_counts_the_lines_that_were_there() {
    let line = |number: usize| format!(":start_line:{number}\n-------\n");
    let chat = pair(&line(1), "import os\n", "import os\nimport re\n")
        + &pair(&line(8), "    x = 1\n", "    x = 2\n");
    let after = FILE.replace("os\n", "os\nimport re\n").replace("1\n    return", "2\n    return");
    let workspace = Workspace::new(&[("n.py", FILE), ("chat.md", &chat)]);
    for restarts in [false, true] {
        workspace.put("n.py", FILE);
        let (mut client, uri) = opened(&workspace, &chat);
        client.take_block_action(&uri, 0, APPLY);
        if restarts {
            (client, _) = save_and_restart(&workspace, client, &chat);
        }
        client.take_block_action(&uri, 1, APPLY);
        assert_eq!(client.text(&workspace.uri("n.py")), after, "{restarts}");
    }
}

#[test]
fn a_block_does_not_get_the_place_that_another_one_has_left_over() {
    let chat = pair("", "    x = 1\n", "    x = 2\n")
        + &pair("", "def f():\n    x = 1\n", "def f():\n    x = 2\n");
    let before = "0 blocked: search-replace.edit n.py\n1 ready: search-replace.edit n.py\n";
    let after = "0 blocked: search-replace.edit n.py\n1 applied: search-replace.edit n.py\n";
    let workspace = Workspace::new(&[("n.py", FILE), ("chat.md", &chat)]);
    let (mut client, uri) = opened(&workspace, &chat);
    let file = workspace.uri("n.py");
    assert_eq!(client.statuses(&uri), before);
    client.take_block_action(&uri, 1, APPLY);
    assert_eq!(client.statuses(&uri), after);
    // A character that is typed and deleted again says nothing new.
    client.append(&file, "x");
    client.replace(&file, "return x\nx", "return x\n");
    client.append(&uri, "x");
    assert_eq!(client.statuses(&uri), after);
    (client, _) = save_and_restart(&workspace, client, &chat);
    assert_eq!(client.statuses(&uri), after);
    // Undone in the editor.
    client.replace(&file, "x = 2", "x = 1");
    assert_eq!(client.statuses(&uri), before);
    // A block that says more is another one.
    client.replace(&uri, "SEARCH\n    x = 1\n===", "SEARCH\ndef g():\n    x = 1\n===");
    client.replace(&uri, "===\n    x = 2\n", "===\ndef g():\n    x = 2\n");
    client.take_block_action(&uri, 1, APPLY);
    client.take_block_action(&uri, 0, APPLY);
    assert_eq!(client.text(&file), FILE.replace("x = 1", "x = 2"));
}
