//! Where transcripts are, which documents they are, and the settings.

use serde_json::{Value, json};

use super::client::{Capabilities, Client, Options};
use super::workspace::{Workspace, block};

const APPLY: &str = "refactor.rewrite.operator.apply";

#[test]
fn of_several_folders_the_transcripts_own_is_looked_in() {
    let workspace = Workspace::new(&[("one/a.txt", "1\n"), ("two/a.txt", "2\n")]);
    let folders = [workspace.uri("one"), workspace.uri("two")];
    let mut client = Client::start(Options::new(&folders));
    let text = block("w", "fs.write", &[("path", "a.txt"), ("content", "x")]);
    let (inside, outside) = (workspace.uri("two/chat.md"), "untitled:chat");
    client.open(&inside, "markdown", &text);
    client.take_block_action(&inside, 0, APPLY);
    assert_eq!(
        (workspace.text("one/a.txt"), workspace.text("two/a.txt")),
        ("1\n".to_owned(), "x".to_owned())
    );
    client.open(outside, "markdown", &text);
    client.take_block_action(outside, 0, APPLY);
    assert_eq!(workspace.text("one/a.txt"), "x", "the first folder");
}

#[test]
fn what_was_applied_in_a_folder_is_known_whatever_folders_are_beside_it() {
    let edits = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"1\n","text":"new\n"}]}"#;
    let text = block("1", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)]);
    let tree = [("one/a.txt", "1\n"), ("two/a.txt", "1\n"), ("two/chat.md", text.as_str())];
    let applied = "0 applied: fs.applyEdits a.txt\n";
    let sets: [&[&str]; 4] = [&["one", "two"], &["two", "one"], &["two"], &[]];
    for first in sets {
        let workspace = Workspace::new(&tree);
        let start = |names: &[&str]| {
            let folders: Vec<String> = names.iter().map(|name| workspace.uri(name)).collect();
            let mut client = Client::start(Options::new(&folders));
            client.open(&workspace.uri("two/chat.md"), "markdown", &text);
            client
        };
        let chat = workspace.uri("two/chat.md");
        let mut client = start(first);
        client.take_block_action(&chat, 0, APPLY);
        assert_eq!(client.statuses(&chat), applied);
        if first == ["one", "two"] {
            let one = json!({"uri": workspace.uri("one"), "name": "one"});
            let change = json!({"event": {"added": [], "removed": [one]}});
            client.notify("workspace/didChangeWorkspaceFolders", change);
            assert_eq!(client.statuses(&chat), applied);
        }
        client.shut_down();
        for then in sets {
            assert_eq!(start(then).statuses(&chat), applied, "{first:?}, and then {then:?}");
        }
        let mut client = start(&["one", "two"]);
        client.on_edit = super::client::OnEdit::Apply;
        let error = client.command("operator.undo", &json!({"id": 1})).unwrap_err();
        assert_eq!(error.code, -32602, "of which folder is not said");
        client.command("operator.undo", &json!({"uri": chat, "id": 1})).unwrap();
        assert_eq!(
            (workspace.text("one/a.txt"), workspace.text("two/a.txt")),
            ("1\n".to_owned(), "1\n".to_owned())
        );
    }
}

#[test]
fn folders_come_and_go() {
    let workspace = Workspace::new(&[("one/a.txt", "1\n"), ("two/b.txt", "2\n")]);
    let mut client = Client::start(Options::new(&[workspace.uri("one")]));
    let chat = workspace.uri("two/chat.md");
    client.open(&chat, "markdown", &block("r", "fs.read", &[("path", "b.txt")]));
    assert_eq!(client.statuses(&chat), "0 blocked: fs.read b.txt\n");
    let two = json!({"uri": workspace.uri("two"), "name": "two"});
    let change = json!({"event": {"added": [two], "removed": []}});
    client.notify("workspace/didChangeWorkspaceFolders", change);
    assert_eq!(client.statuses(&chat), "0 ready: fs.read b.txt\n");
    let change = json!({"event": {"added": [], "removed": [two]}});
    client.notify("workspace/didChangeWorkspaceFolders", change);
    assert_eq!(client.statuses(&chat), "0 blocked: fs.read b.txt\n");
}

#[test]
fn without_a_folder_the_transcripts_directory_is_the_workspace() {
    let workspace = Workspace::new(&[("a.txt", "1\n"), ("sub/b.txt", "2\n")]);
    let mut client = Client::start(Options::new(&[]));
    let chat = workspace.uri("sub/chat.md");
    let text = [
        block("1", "fs.write", &[("path", "b.txt"), ("content", "x")]),
        block("2", "fs.read", &[("path", "../a.txt")]),
    ];
    client.open(&chat, "markdown", &text.join("\n"));
    assert_eq!(client.statuses(&chat), "0 ready: fs.write b.txt\n1 blocked: fs.read ../a.txt\n");
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(workspace.text("sub/b.txt"), "x");
}

#[test]
fn an_untitled_transcript_without_a_folder_has_no_workspace() {
    let mut client = Client::start(Options::new(&[]));
    client.open("untitled:chat", "markdown", &block("1", "fs.read", &[("path", "a.txt")]));
    assert_eq!(client.statuses("untitled:chat"), "0 blocked: fs.read a.txt\n");
    let found = client.diagnostics("untitled:chat");
    assert_eq!(found[0]["code"], "plan/no-workspace");
    assert_eq!(found[0]["range"]["start"], json!({"line": 4, "character": 6}));
}

#[test]
fn no_other_folder_takes_the_place_of_one_that_does_not_exist() {
    let workspace = Workspace::new(&[("a.txt", "1\n"), ("one/a.txt", "2\n")]);
    let read = block("1", "fs.read", &[("path", "a.txt")]);
    let (gone, one) = (workspace.uri("gone"), workspace.uri("one"));
    for (folders, chat, expected) in [
        (vec![gone.clone()], "chat.md", "blocked"),
        (vec![gone.clone(), one.clone()], "chat.md", "blocked"),
        (vec![gone.clone(), one.clone()], "one/chat.md", "ready"),
        (vec![one, gone], "chat.md", "ready"),
    ] {
        let mut client = Client::start(Options::new(&folders));
        let chat = workspace.uri(chat);
        client.open(&chat, "markdown", &read);
        assert_eq!(client.statuses(&chat), format!("0 {expected}: fs.read a.txt\n"), "{folders:?}");
        if expected == "blocked" {
            assert_eq!(client.diagnostics(&chat)[0]["code"], "plan/no-workspace");
        }
        client.until("a message about the folder", |client| {
            client.shown.pop_front().filter(|said| said.contains("gone"))
        });
    }
}

#[test]
fn a_transcript_does_not_find_itself() {
    let workspace = Workspace::new(&[("a.txt", "needle\n"), ("chat.md", "old\n")]);
    let mut client = Client::start(Options::new(&[workspace.uri("")]));
    let chat = workspace.uri("chat.md");
    let text = block("1", "fs.searchTree", &[("path", "."), ("query", "needle")]);
    client.open(&chat, "markdown", &text);
    let reply = client.command("operator.reply", &json!({"uri": chat, "block": 0})).unwrap();
    let expected =
        "summary: searched .: 1 matching line in 1 file of 1; this transcript is left out";
    assert!(reply.as_str().unwrap().contains(expected), "{reply}");
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_workspace_is_read() {
    let workspace = Workspace::new(&[("in/a.txt", "1\n"), ("secret.txt", "2\n")]);
    let mut client = Client::new(&workspace.uri("in"));
    let chat = workspace.uri("in/chat.md");
    let secret = workspace.root().join("secret.txt");
    std::os::unix::fs::symlink(&secret, workspace.root().join("in/link.txt")).unwrap();
    let text = [
        block("1", "fs.read", &[("path", "../secret.txt")]),
        block("2", "fs.read", &[("path", "link.txt")]),
        block("3", "fs.write", &[("path", "link.txt"), ("content", "x")]),
        block("4", "fs.read", &[("path", ".git/config")]),
    ];
    workspace.put("in/.git/config", "secret\n");
    client.open(&chat, "markdown", &text.join("\n"));
    let codes: Vec<_> = client
        .diagnostics(&chat)
        .iter()
        .filter(|diagnostic| diagnostic["severity"] == 1)
        .map(|diagnostic| diagnostic["code"].as_str().unwrap().to_owned())
        .collect();
    let outside = "plan/outside-workspace";
    assert_eq!(codes, [outside, outside, outside, "plan/protected-path"]);
}

#[cfg(unix)]
#[test]
fn closed_files_are_named_below_the_folder_as_the_client_names_it() {
    let workspace = Workspace::new(&[("real/a.txt", "one\n"), ("real/sub/b.txt", "two\n")]);
    std::os::unix::fs::symlink("real", workspace.root().join("link")).unwrap();
    // With the folder, and with the transcript's directory alone.
    for folders in [vec![workspace.uri("link")], Vec::new()] {
        workspace.put("real/a.txt", "one\n");
        let mut client = Client::start(Options::new(&folders));
        let chat = workspace.uri("link/chat.md");
        let text = [
            block("1", "fs.write", &[("path", "a.txt"), ("content", "1")]),
            block("2", "fs.read", &[("path", "sub/b.txt")]),
        ];
        client.open(&chat, "markdown", &text.join("\n"));
        let uri = workspace.uri("link/a.txt");
        let preview =
            client.ask("operator/preview", json!({"textDocument": {"uri": chat}, "block": 0}));
        assert_eq!(preview["files"][0]["uri"], uri.as_str());
        let action = client.action(&chat, 0, "refactor.rewrite.operator.apply");
        let action = client.resolve(action).unwrap();
        let edit = action["edit"].to_string();
        assert!(edit.contains(&format!("\"{uri}\"")), "{edit}");
        assert!(!edit.contains("/real/"), "{edit}");
        client.take_action(action);
        assert_eq!(client.proposals(&chat)[0]["status"], "applied");
        assert_eq!(workspace.text("real/a.txt"), "1");
        let links = client.ask("textDocument/documentLink", json!({"textDocument": {"uri": chat}}));
        assert_eq!(links[1]["target"], workspace.uri("link/sub/b.txt").as_str());
        client.on_edit = super::client::OnEdit::Apply;
        client.command("operator.undo", &json!({"uri": chat})).unwrap();
        assert_eq!(workspace.text("real/a.txt"), "one\n");
    }
}

#[test]
fn sources_are_targets_and_chats_are_transcripts() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::new(&workspace.uri(""));
    let text = block("1", "fs.list", &[("path", ".")]);
    for (name, language, blocks) in [
        ("a.md", "markdown", 1),
        ("b.txt", "plaintext", 1),
        ("c.operator", "whatever", 1),
        ("d.py", "python", 0),
        ("e.rs", "rust", 0),
        ("f", "operator", 1),
    ] {
        let uri = workspace.uri(name);
        client.open(&uri, language, &text);
        assert_eq!(client.proposals(&uri).len(), blocks, "{name} as {language}");
    }
}

#[test]
fn settings_are_asked_for_again_when_they_change() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.py");
    client.open(&chat, "python", &block("1", "fs.list", &[("path", ".")]));
    assert_eq!(client.statuses(&chat), "");
    client.settings = json!({"transcripts": ["python"]});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    until_statuses(&mut client, &chat, "0 ready: fs.list .\n");
    client.settings = json!({});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    until_statuses(&mut client, &chat, "");
}

#[test]
fn what_is_wrong_with_the_settings_is_told_once() {
    let mut client = Client::start(Options::new(&[]));
    client.set_up();
    let mut told = |settings: Value, expected: &str| {
        client.settings = settings;
        for _ in 0..3 {
            client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
            client.asked_for_settings();
        }
        let shown = client.next_shown();
        assert!(shown.starts_with(&format!("settings/{expected}")), "{shown}");
    };
    told(json!({"unknown": 1}), "unknown-key: operator.unknown");
    told(json!({"unknown": 2, "confirm": 3}), "invalid-value: operator.confirm");
    told(json!({"confrim": 3}), "unknown-key: operator.confrim");
    told(json!({"unknown": 1}), "unknown-key: operator.unknown");
}

#[test]
fn what_is_known_of_a_proposal_outlives_a_change_of_settings() {
    let workspace = Workspace::new(&[("a.txt", "one\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    let edits = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"one","text":"!"}]}"#;
    let text = block("1", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", edits)]);
    client.open(&chat, "markdown", &text);
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.statuses(&chat), "0 applied: fs.applyEdits a.txt\n");
    client.settings = json!({"confirm": "always", "unknown": 1});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    assert!(client.next_shown().contains("operator.unknown"));
    assert_eq!(client.statuses(&chat), "0 applied: fs.applyEdits a.txt\n");
}

#[test]
fn settings_are_taken_as_they_are_pushed() {
    let workspace = Workspace::new(&[("a.txt", "long enough\n")]);
    let mut client = Client::with(Capabilities::bare(), &workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("1", "fs.read", &[("path", "a.txt")]));
    assert_eq!(client.statuses(&chat), "0 ready: fs.read a.txt\n");
    let settings = json!({"settings": {"operator": {"limits": {"fileBytes": 3}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(client.statuses(&chat), "0 blocked: fs.read a.txt\n");
    client.expect_first(&chat, "plan/file-too-large");
}

#[test]
fn initialization_options_are_the_section() {
    let workspace = Workspace::new(&[("a.txt", "1\n")]);
    let mut client = Client::start(Options {
        capabilities: Capabilities::bare(),
        settings: json!({"protectedPaths": ["a.*"], "confrim": "never"}),
        initialization_options: true,
        ..Options::new(&[workspace.uri("")])
    });
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("1", "fs.read", &[("path", "a.txt")]));
    assert_eq!(client.diagnostics(&chat)[0]["code"], "plan/protected-path");
    assert_eq!(
        client.next_shown(),
        "settings/unknown-key: operator.confrim is not a setting of operator-lsp; \
         remove it or correct its name (operator.confirm?)"
    );
}

#[test]
fn pulled_diagnostics_say_when_nothing_has_changed() {
    let workspace = Workspace::new(&[("a.txt", "1\n")]);
    let mut client = Client::with(Capabilities::pulling(), &workspace.uri(""));
    client.set_up();
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("1", "fs.read", &[("path", "none.txt")]));
    let first = client.pull(&chat, None);
    assert_eq!(first["kind"], "full");
    assert_eq!(first["items"][0]["code"], "plan/file-not-found");
    let id = first["resultId"].as_str().unwrap().to_owned();
    let again = client.pull(&chat, Some(&id));
    assert_eq!(again, json!({"kind": "unchanged", "resultId": id}));
    // The file comes into being: the client is asked to ask again.
    let before = client.refreshes.get("diagnostics").copied().unwrap_or_default();
    workspace.put("none.txt", "x\n");
    client.tell_files(&[(workspace.uri("none.txt"), 1)]);
    client.until("a refresh", |client| {
        let now = client.refreshes.get("diagnostics").copied().unwrap_or_default();
        (now > before).then_some(())
    });
    let third = client.pull(&chat, Some(&id));
    assert_eq!((&third["kind"], &third["items"]), (&json!("full"), &json!([])));
    let other = client.pull(&workspace.uri("not-open.md"), None);
    assert_eq!(other["items"], json!([]));
}

#[test]
fn closing_a_transcript_takes_its_diagnostics_away() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", "OPERATOR_CMD\n");
    assert_eq!(client.diagnostics(&chat)[0]["code"], "operator/missing-end");
    client.close(&chat);
    let cleared =
        client.until("cleared diagnostics", |client| client.published.get(&chat).cloned());
    assert_eq!((cleared.version, cleared.items), (None, Vec::<Value>::new()));
}

fn until_statuses(client: &mut Client, uri: &str, expected: &str) {
    for _ in 0..500 {
        if client.statuses(uri) == expected {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(client.statuses(uri), expected);
}

#[test]
fn a_client_that_does_not_escape_its_uris_gets_them_back_as_it_spells_them() {
    let name = if cfg!(windows) { "[pröj] ^" } else { "[pröj] |^" };
    let edits = r#"{"version":1,"edits":[{"op":"replaceFirst","find":"one","text":"1"}]}"#;
    let text = block("e", "fs.applyEdits", &[("path", "[id].tsx"), ("edits_b64", edits)]);
    for capabilities in [Capabilities::pulling(), Capabilities::neovim(), Capabilities::bare()] {
        let workspace = Workspace::new(&[(&format!("{name}/[id].tsx"), "keep\none\n")]);
        let folder = format!("{}/{name}", workspace.uri(""));
        let (file, chat) = (format!("{folder}/[id].tsx"), format!("{folder}/[chat].md"));
        let mut client = Client::start(Options { capabilities, ..Options::new(&[folder]) });
        client.open_at(&file, "typescriptreact", "", 3);
        client.append(&file, "not saved\none\n");
        client.open(&chat, "markdown", &text);
        client.expect_diagnostics_but(&chat, "operator/unread-target", "");
        let about = json!({"textDocument": {"uri": chat}});
        let link = client.ask("textDocument/documentLink", about.clone());
        assert_eq!(link[0]["target"], file);
        let lenses = client.ask("textDocument/codeLens", about);
        for lens in lenses.as_array().into_iter().flatten() {
            for argument in lens["command"]["arguments"].as_array().into_iter().flatten() {
                assert_eq!(argument["uri"], chat);
            }
        }
        let preview =
            client.ask("operator/preview", json!({"textDocument": {"uri": chat}, "block": 0}));
        assert_eq!(preview["files"][0]["uri"], file);
        client.take_block_action(&chat, 0, APPLY);
        assert_eq!(client.text(&file), "not saved\n1\n");
        assert_eq!(client.statuses(&chat), "0 applied: fs.applyEdits [id].tsx\n");
        client.close(&file);
        assert_eq!(workspace.text(&format!("{name}/[id].tsx")), "keep\none\n", "it is not saved");
    }
}
