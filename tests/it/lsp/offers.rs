//! What may be done with a block: lenses, actions and `operator/proposals` agree.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::client::{Capabilities, Client, OnEdit};
use super::workspace::{Workspace, block};

/// A file that a build runs, so that a write to it needs a look of its own.
const TRUSTED: &str = "Makefile";

fn edits(find: &str, text: &str) -> String {
    let edit = json!({"op": "replaceAll", "find": find, "text": text});
    json!({"version": 1, "edits": [edit]}).to_string()
}

/// One block of each status, and of each reason for it that makes a difference.
fn transcript() -> String {
    let old = format!("sha256:{}", "0".repeat(64));
    let edit = |id: &str, path: &str, find: &str, more: &[(&str, &str)]| {
        let edits = edits(find, "new");
        let fields = [&[("path", path), ("edits_b64", edits.as_str())], more].concat();
        block(id, "fs.applyEdits", &fields)
    };
    let write = |id: &str, path: &str, text: &str| {
        block(id, "fs.write", &[("path", path), ("content_b64", text)])
    };
    let read = |id: &str| block(id, "fs.read", &[("path", "a.txt")]);
    [
        write("look", TRUSTED, "all:\n"),
        edit("waits", TRUSTED, "all", &[]),
        write("ready", "new.txt", "new\n"),
        read("read"),
        edit("stale", "a.txt", "a", &[("base_fingerprint", &old)]),
        edit("blocked", "a.txt", "none", &[]),
        block("gone", "fs.read", &[("path", "none.txt")]),
        block("invalid", "fs.write", &[("path", "b.txt")]),
        block("unknown", "fs.reed", &[("path", "a.txt")]),
        write("satisfied", "a.txt", "a\n"),
        read("twice"),
        read("twice"),
        write("applied", "b.txt", "b\n"),
        read("ran"),
        write("rejected", "c.txt", "c\n"),
    ]
    .join("\n")
}

/// What can be done with one block, by the words of `operator/proposals`.
struct Offered {
    proposal: Value,
    /// The list in `operator/proposals`.
    offers: Vec<String>,
    /// The lenses that do something.
    lenses: Vec<String>,
    /// The actions, with a dash where they are disabled.
    actions: Vec<String>,
}

fn words(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect()
}

fn offered(client: &mut Client, uri: &str) -> Vec<Offered> {
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let mut all = Vec::new();
    for proposal in client.proposals(uri) {
        let start = &proposal["range"]["start"];
        let own = lenses.as_array().unwrap().iter();
        let own = own.filter(|lens| lens["range"]["start"]["line"] == start["line"]);
        let own = own.filter_map(|lens| match lens["command"]["title"].as_str().unwrap() {
            "Apply and reply" => Some("applyAndReply".to_owned()),
            "Apply again" => Some("applyAgain".to_owned()),
            title @ ("Apply" | "Run" | "Reject" | "Undo") => Some(title.to_lowercase()),
            _ => None,
        });
        let place = json!({"start": start, "end": start});
        let actions = client.actions(uri, &place, &["refactor"]);
        let actions = actions.iter().map(|action| {
            let (_, word) = action["kind"].as_str().unwrap().rsplit_once('.').unwrap();
            let dash = if action["disabled"].is_null() { "" } else { "-" };
            format!("{dash}{word}")
        });
        all.push(Offered {
            offers: words(&proposal["offers"]),
            lenses: own.collect(),
            actions: actions.collect(),
            proposal,
        });
    }
    all
}

impl Offered {
    fn word(&self, name: &str) -> &str {
        self.proposal[name].as_str().unwrap()
    }

    /// Fails where one of the three offers what another does not.
    fn agree(&self) {
        let name = self.word("id");
        let commands: Vec<_> = self.offers.iter().filter(|it| *it != "preview").collect();
        assert_eq!(self.lenses.iter().collect::<Vec<_>>(), commands, "{name}");
        for offer in commands {
            assert!(self.actions.contains(offer), "{name}: {offer} in {:?}", self.actions);
        }
        // A menu has more room: a refusal of what is malformed, and a read once more.
        let more = match self.word("status") {
            "invalid" => Some("reject"),
            "applied" => Some("run"),
            _ => None,
        };
        let enabled = self.actions.iter().filter(|it| !it.starts_with('-'));
        let left = enabled.filter(|it| !self.offers.contains(it));
        assert!(left.clone().all(|it| Some(it.as_str()) == more), "{name}: {:?}", self.actions);
    }
}

/// A client with the transcript, in which a block each was applied, run and rejected.
fn decided(capabilities: Capabilities, workspace: &Workspace) -> (Client, String) {
    let mut client = Client::with(capabilities, &workspace.uri(""));
    client.set_up();
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &transcript());
    client.on_edit = OnEdit::Apply;
    let names = client.proposals(&chat);
    let mut run = |command: &str, id: &str| {
        let index = names.iter().position(|it| it["id"] == id).unwrap();
        client.command(command, &json!({"uri": chat, "block": index})).unwrap();
    };
    run("operator.apply", "applied");
    run("operator.apply", "ran");
    run("operator.reject", "rejected");
    (client, chat)
}

#[test]
fn lenses_actions_and_proposals_agree_for_every_status() {
    let workspace = Workspace::new(&[("a.txt", "a\n")]);
    let (mut client, chat) = decided(Capabilities::everything(), &workspace);
    let mut shown = String::new();
    for offered in offered(&mut client, &chat) {
        offered.agree();
        let (id, status) = (offered.word("id"), offered.word("status"));
        let (offers, actions) = (offered.offers.join(" "), offered.actions.join(" "));
        writeln!(shown, "{id} {status}: {offers} | {actions}").unwrap();
    }
    let known = ["ready", "invalid", "blocked", "stale", "applied", "satisfied", "rejected"];
    assert!(known.iter().all(|status| shown.contains(status)) && shown.contains("superseded"));
    assert_eq!(
        shown,
        "\
look ready: preview apply applyAndReply reject | apply applyAndReply reject
waits blocked: reject | -apply -applyAndReply reject
ready ready: preview apply applyAndReply reject | apply applyAndReply reject
read ready: run reject | run reject
stale stale: preview reject | -apply -applyAndReply reject
blocked blocked: reject | -apply -applyAndReply reject
gone blocked: reject | -run reject
invalid invalid:  | -apply -applyAndReply reject
unknown invalid:  | -apply reject
satisfied satisfied:  | \n\
twice superseded:  | \n\
twice ready: run reject | run reject
applied applied: undo applyAgain | undo applyAgain
ran applied:  | run
rejected rejected:  | \n"
    );
}

#[test]
fn a_block_names_the_one_that_it_waits_for() {
    let workspace = Workspace::new(&[("a.txt", "a\n")]);
    let (mut client, chat) = decided(Capabilities::everything(), &workspace);
    let proposals = client.proposals(&chat);
    let waiting = proposals.iter().filter(|it| !it["after"].is_null());
    let waiting: Vec<_> = waiting.map(|it| (&it["id"], &it["after"])).collect();
    assert_eq!(waiting, [(&json!("waits"), &json!(0))]);
    let says = proposals[1]["messages"][0].as_str().unwrap();
    assert!(says.starts_with("ready once block 1 (look) is applied; alone: "), "{says}");
    assert_eq!(proposals[2]["messages"], json!([]));
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": chat}}));
    assert!(lenses.to_string().contains("\"blocked: ready once block 1 (look) is applied\""));
}

#[test]
fn without_edits_from_the_server_only_actions_do_something() {
    let workspace = Workspace::new(&[("a.txt", "a\n")]);
    let capabilities = Capabilities::everything().with("/workspace/applyEdit", Value::Null);
    let mut client = Client::with(capabilities, &workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &transcript());
    let all = offered(&mut client, &chat);
    assert!(all.iter().all(|it| it.lenses.is_empty()));
    assert!(all.iter().flat_map(|it| &it.offers).all(|it| it == "preview"));
    assert_eq!(all[2].actions, ["apply", "applyAndReply", "reject"]);
}

#[test]
fn proposals_say_what_they_do_as_facts() {
    let workspace = Workspace::new(&[
        ("a.txt", "one\ntwo\nthree\n"),
        ("b.txt", "b\n"),
        ("gone.txt", "1\n2\n"),
        ("c.txt", "c\n"),
    ]);
    let write = |id: &str, path: &str, text: &str| {
        block(id, "fs.write", &[("path", path), ("content_b64", text)])
    };
    let text = [
        block("edit", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &edits("two", "2\n3"))]),
        write("create", "new/d.txt", "1\n2\n3"),
        write("overwrite", "b.txt", "x\nb\n"),
        write("same", "c.txt", "c\n"),
        block("delete", "fs.delete", &[("path", "gone.txt")]),
        block("move", "fs.move", &[("path", "c.txt"), ("path_to", "docs/c.txt")]),
        block("slice", "fs.readSlice", &[("path", "a.txt"), ("start", "2"), ("lines", "2")]),
        block("search", "fs.search", &[("path", "a.txt"), ("query", "two")]),
        block("blocked", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &edits("no", "2"))]),
        block("list", "fs.list", &[("path", ".")]),
        block("unknown", "fs.reed", &[("path", "a.txt")]),
    ]
    .join("\n");
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &text);
    let mut said = String::new();
    for proposal in client.proposals(&chat) {
        let id = proposal["id"].as_str().unwrap();
        let group = proposal["group"].as_str().unwrap();
        writeln!(said, "{id} {group} {}", proposal["does"]).unwrap();
    }
    assert_eq!(
        said,
        r#"edit changes {"kind":"edit","files":1,"added":2,"removed":1}
create changes {"kind":"create","files":1,"added":3,"removed":0}
overwrite changes {"kind":"edit","files":1,"added":1,"removed":0}
same done {"kind":"write"}
delete changes {"kind":"delete","files":1,"added":0,"removed":2}
move changes {"kind":"move","files":1,"added":0,"removed":0,"to":"docs/c.txt"}
slice questions {"kind":"read","first":2,"last":3}
search questions {"kind":"search","query":"two"}
blocked changes {"kind":"edit"}
list questions {"kind":"list"}
unknown changes {"kind":"other"}
"#
    );
}
