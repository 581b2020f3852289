//! Completion while a block is written.

use operator_lsp::workspace::with_slashes;
use serde_json::{Value, json};

use super::super::client::Client;
use super::super::workspace::Workspace;
use super::showing;

fn workspace() -> Workspace {
    let code = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";
    let page = "# Top\n\n## A\n\na\n";
    Workspace::new(&[("src/a.py", code), ("src/b.txt", "b\n"), ("page.md", page)])
}

/// What is offered at the `|`; `{w}` is the workspace.
fn offered(client: &mut Client, workspace: &Workspace, uri: &str, marked: &str) -> Vec<Value> {
    let marked = marked.replace("{w}", &workspace.home());
    let offset = marked.find('|').unwrap();
    let text = marked.replacen('|', "", 1);
    client.change_whole(uri, &text);
    client.offers(uri, offset)
}

/// The text once the offer of that label is taken, its tab stops left as they are.
fn taken(client: &Client, uri: &str, offers: &[Value], label: &str) -> String {
    let offer = offers.iter().find(|offer| offer["label"] == label);
    let offer = offer.unwrap_or_else(|| panic!("no {label:?} in {:?}", labels(offers)));
    let edit = &offer["textEdit"];
    let mut document = client.documents[uri].clone();
    document.take(&json!({"range": edit["range"], "text": edit["newText"]}), client.encoding);
    document.text
}

fn labels(offers: &[Value]) -> Vec<&str> {
    offers.iter().map(|offer| offer["label"].as_str().unwrap()).collect()
}

const HEAD: &str = "#!SHAM [@three-char-SHA-256: k7m]\n";

#[test]
fn a_whole_block_with_a_fresh_id_is_ready_to_be_filled() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, "");
    for start in ["#!SH|", "sham|"] {
        let offers = offered(&mut client, &workspace, &chat, &format!("Text.\n\n{start}"));
        let text = taken(&client, &chat, &offers, "#!SHAM file_replace_text");
        let id = text.split("256: ").nth(1).unwrap()[..3].to_owned();
        assert_eq!(
            text,
            format!(
                "Text.\n\n#!SHAM [@three-char-SHA-256: {id}]\naction = \"file_replace_text\"\n\
                 path = \"$1\"\nold_text = <<'EOT_SHAM_{id}'\n$2\nEOT_SHAM_{id}\n\
                 new_text = <<'EOT_SHAM_{id}'\n$3\nEOT_SHAM_{id}\n#!END_SHAM_{id}"
            )
        );
        assert!(!labels(&offers).contains(&"#!SHAM git_squash"), "it is the user's to do");
    }
    // Filled in, it is sound, and the next one has another id.
    let offers = offered(&mut client, &workspace, &chat, "#!SH|");
    let first = taken(&client, &chat, &offers, "#!SHAM file_read");
    let path = workspace.root().join("page.md");
    let path = with_slashes(path.to_str().unwrap());
    let first = first.replace("$1", &path);
    let offers = offered(&mut client, &workspace, &chat, &format!("{first}\n\n#!SH|"));
    let both = taken(&client, &chat, &offers, "#!SHAM file_read").replace("$1", &path);
    client.change_whole(&chat, &both);
    let proposals = client.proposals(&chat);
    assert_ne!(proposals[0]["id"], proposals[1]["id"]);
    assert_eq!(proposals[1]["status"], "ready");
}

#[test]
fn the_keys_of_the_action_and_the_end_marker() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, "");
    let open = format!("{HEAD}action = \"file_write\"\npath = \"/x\"\n");
    let offers = offered(&mut client, &workspace, &chat, &format!("{open}|"));
    assert_eq!(labels(&offers), ["content", "base_fingerprint", "#!END_SHAM_k7m"]);
    let text = taken(&client, &chat, &offers, "content");
    assert_eq!(text, format!("{open}content = <<'EOT_SHAM_k7m'\n$1\nEOT_SHAM_k7m"));
    let offers = offered(&mut client, &workspace, &chat, &format!("{HEAD}|\n#!END_SHAM_k7m\n"));
    assert_eq!(labels(&offers), ["action"]);
    let text = taken(&client, &chat, &offers, "action");
    assert_eq!(text, format!("{HEAD}action = \"$1\"\n#!END_SHAM_k7m\n"));
}

#[test]
fn actions_by_their_own_names_first() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, "");
    let offers = offered(&mut client, &workspace, &chat, &format!("{HEAD}action = \"|\""));
    let labels = labels(&offers);
    let at = |name: &str| labels.iter().position(|label| *label == name);
    assert!(at("file_read").unwrap() < at("read_file").unwrap(), "{labels:?}");
    assert!(at("replace_structure").is_some() && at("undo").is_none(), "{labels:?}");
    let text = taken(&client, &chat, &offers, "file_read");
    assert_eq!(text, format!("{HEAD}action = \"file_read\""));
}

#[test]
fn absolute_paths_step_by_step_with_the_quotes_that_are_missing() {
    let workspace = workspace();
    let root = workspace.home();
    let (mut client, chat) = showing(&workspace, "");
    let open = format!("{HEAD}action = \"file_read\"\n");
    let mut next = |line: &str, label: &str| {
        let offers = offered(&mut client, &workspace, &chat, &format!("{open}{line}"));
        let text = taken(&client, &chat, &offers, label);
        text.strip_prefix(&open).unwrap().to_owned()
    };
    let home = format!("{root}/");
    assert_eq!(next("path = |", &home), format!("path = \"{root}/"));
    assert_eq!(next("path = \"|", &home), format!("path = \"{root}/"));
    assert_eq!(next("path = \"{w}/|", "src"), format!("path = \"{root}/src/"));
    assert_eq!(next("path = \"{w}/src/a|", "a.py"), format!("path = \"{root}/src/a.py\""));
    assert_eq!(next("path = \"{w}/src/|\"", "a.py"), format!("path = \"{root}/src/a.py\""));
    // One of several, a line each, without quotes.
    let list = format!("{HEAD}action = \"files_read\"\npaths = <<'EOT_SHAM_k7m'\n{{w}}/page.md\n");
    let marked = format!("{list}{{w}}/src/|\nEOT_SHAM_k7m\n#!END_SHAM_k7m\n");
    let offers = offered(&mut client, &workspace, &chat, &marked);
    assert_eq!(labels(&offers), ["a.py", "b.txt"]);
    let text = taken(&client, &chat, &offers, "b.txt");
    assert!(text.contains(&format!("\n{root}/src/b.txt\nEOT")), "{text}");
}

#[test]
fn structures_as_targets_and_behind_a_path() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, "");
    let open = format!("{HEAD}action = \"read_structure\"\npath = \"{{w}}/src/a.py\"\n");
    let offers = offered(&mut client, &workspace, &chat, &format!("{open}target = \"|\""));
    assert_eq!(offers.len(), 2, "{:?}", labels(&offers));
    let label = labels(&offers)[1].to_owned();
    let text = taken(&client, &chat, &offers, &label);
    client.change_whole(&chat, &format!("{text}\n#!END_SHAM_k7m\n"));
    assert_eq!(client.proposals(&chat)[0]["status"], "ready", "{text}");
    let marked = format!("{HEAD}action = \"file_read\"\npath = \"{{w}}/page.md@@|");
    let offers = offered(&mut client, &workspace, &chat, &marked);
    let nested = labels(&offers)[1];
    assert_eq!(nested, "A");
    let text = taken(&client, &chat, &offers, nested);
    client.change_whole(&chat, &format!("{text}\n#!END_SHAM_k7m\n"));
    assert_eq!(client.proposals(&chat)[0]["status"], "ready", "{text}");
}

#[test]
fn enums_booleans_and_fingerprints() {
    let workspace = workspace();
    let (mut client, chat) = showing(&workspace, "");
    let open = format!("{HEAD}action = \"exec\"\n");
    let offers = offered(&mut client, &workspace, &chat, &format!("{open}lang = \"|"));
    assert_eq!(labels(&offers), ["python", "javascript", "bash"]);
    assert_eq!(taken(&client, &chat, &offers, "bash"), format!("{open}lang = \"bash\""));
    let offers = offered(&mut client, &workspace, &chat, &format!("{open}return_output = |"));
    assert_eq!(labels(&offers), ["true", "false"]);
    let open = format!("{HEAD}action = \"file_write\"\npath = \"{{w}}/page.md\"\n");
    let marked = format!("{open}base_fingerprint = \"|\"");
    let offers = offered(&mut client, &workspace, &chat, &marked);
    let now = operator_core::fingerprint::Fingerprint::of(b"# Top\n\n## A\n\na\n").to_string();
    assert_eq!(labels(&offers), [now.as_str()]);
}
