//! From a request to changed files and back: ask, look, apply, undo; and with a file that has
//! changed in between.

use serde_json::{Value, json};

use super::doors::{Profile, Server, binary, by_command, run};
use super::provider::Provider;
use super::{op, request_with, with_ops};
use crate::lsp::client::{Client, OnEdit, Options};
use crate::lsp::workspace::Workspace;

const TOOL: &str = "a😀\r\nprint()\r\n";
const CHANGED: &str = "# new\r\na😀\r\nsay()\r\n";
const APPLY: &str = "refactor.rewrite.operator.apply";

/// A request with `print()` selected and the cursor at the beginning.
fn request() -> Value {
    let mut request = request_with("selection", json!({"from": 5, "to": 12}));
    request["cursor"] = json!({"pos": 0});
    request
}

/// A model that changes what is selected, and puts a line where the cursor is.
fn provider() -> Provider {
    let replace = op("replace", "tool.py", "selection", Some("say()"));
    Provider::says(&with_ops(&[replace, op("insert", "tool.py", "cursor", Some("# new\n"))]))
}

/// The files of the request in a folder, and beside it one for what goes back and forth.
struct World {
    files: Workspace,
    beside: Workspace,
}

impl World {
    fn new() -> World {
        let world = World { files: Workspace::new(&[]), beside: Workspace::new(&[]) };
        let request = request();
        for (file, text) in request["virtual_files"].as_object().unwrap() {
            world.files.put(file, text.as_str().unwrap());
        }
        world
    }

    /// Writes down a request and its response, to be applied.
    fn keep(&self, request: &Value, response: &Value) {
        self.beside.put("request.json", request.to_string());
        self.beside.put("response.json", serde_json::to_string_pretty(response).unwrap());
    }

    /// Runs a command in the folder; `@` stands for the one beside it.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let beside = format!("{}/", self.beside.root().display());
        let arguments: Vec<_> = arguments.iter().map(|it| it.replace('@', &beside)).collect();
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let mut command = binary(&arguments, &Profile::default());
        command.current_dir(self.files.root());
        command.env("OPERATOR_LSP_STATE_DIR", self.beside.root().join("state"));
        crate::git::isolate(&mut command);
        run(command, b"")
    }

    fn apply(&self, more: &[&str]) -> (Option<i32>, String, String) {
        let arguments = ["apply", "@response.json", "--request", "@request.json"];
        self.run(&[&arguments, more].concat())
    }

    /// The response is looked at, applied and undone.
    fn there_and_back(&self) {
        let before = self.files.tree();
        let (code, _, shown) = self.apply(&["--dry-run"]);
        assert_eq!(code, Some(0), "{shown}");
        assert!(shown.contains("-print()") && shown.contains("+say()"), "{shown}");
        assert_eq!(self.files.tree(), before, "a dry run");
        let (code, reply, said) = self.apply(&["--yes"]);
        assert_eq!(code, Some(0), "{said}");
        let reply: Value = serde_json::from_str(&reply).unwrap();
        assert_eq!(reply["applied"], true, "{reply}");
        assert_eq!(self.files.text("tool.py"), CHANGED);
        let (code, _, said) = self.run(&["undo"]);
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(self.files.tree(), before, "undone");
    }

    /// A file has changed since: nothing is written.
    fn stale(&self) {
        self.files.put("tool.py", format!("{TOOL}mine()\r\n"));
        let before = self.files.tree();
        for (more, replies) in [(["--dry-run"], false), (["--yes"], true)] {
            let (code, reply, said) = self.apply(&more);
            assert_eq!(code, Some(1), "{said}");
            assert!(said.contains("plan/stale"), "{said}");
            assert_eq!(reply.contains(r#""applied":false"#), replies, "{reply}");
            assert_eq!(self.files.tree(), before);
        }
        let (code, _, said) = self.run(&["undo"]);
        assert_eq!(code, Some(1), "nothing to undo: {said}");
        assert_eq!(self.files.tree(), before);
    }
}

#[test]
fn on_the_command_line() {
    let (world, provider) = (World::new(), provider());
    let response = by_command(&Profile::of(&provider), &request());
    world.keep(&request(), &response);
    world.there_and_back();
    world.stale();
}

#[test]
fn over_http() {
    let (world, provider) = (World::new(), provider());
    let response = Server::start(&[], &Profile::of(&provider)).ask(&request());
    assert_eq!(response.status, 200, "{response:?}");
    world.keep(&request(), &response.json());
    world.there_and_back();
    world.stale();
}

#[test]
fn a_place_in_a_file_that_has_a_byte_order_mark() {
    let world = World::new();
    let mut request = request_with("active_file", "usage_instructions.md".into());
    request["cursor"] = json!({"pos": 3});
    let insert = op("insert", "usage_instructions.md", "cursor", Some("How to "));
    let provider = Provider::says(&with_ops(&[insert]));
    world.keep(&request, &by_command(&Profile::of(&provider), &request));
    let (code, _, said) = world.apply(&["--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(world.files.text("usage_instructions.md"), "\u{feff}# How to Use\n");
}

/// An editor on the folder, with the tool open and the model behind it.
fn editor(world: &World, provider: &Provider) -> Client {
    let options = Options::new(&[world.files.uri("")]);
    let settings = Profile::of(provider).settings();
    let mut client = Client::start(Options { settings, initialization_options: true, ..options });
    client.set_up();
    client.open(&world.files.uri("tool.py"), "python", TOOL);
    client
}

/// Asks for edits and pastes what comes into a new transcript.
fn asked(world: &World, client: &mut Client) -> String {
    let response = client.ask("operator/editOps", request());
    let chat = world.beside.uri("answer.md");
    let response = serde_json::to_string_pretty(&response).unwrap();
    client.open(&chat, "markdown", &format!("Here it is:\n\n```json\n{response}\n```\n"));
    chat
}

#[test]
fn in_an_editor() {
    let (world, provider) = (World::new(), provider());
    let mut client = editor(&world, &provider);
    let (chat, tool) = (asked(&world, &mut client), world.files.uri("tool.py"));
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
    let about = json!({"textDocument": {"uri": chat}, "block": 0});
    let preview = client.ask("operator/preview", about);
    let file = &preview["files"][0];
    assert_eq!((&file["uri"], &file["after"]), (&json!(tool), &json!(CHANGED)), "{preview:#}");
    client.take_block_action(&chat, 0, APPLY);
    assert_eq!(client.text(&tool), CHANGED);
    assert_eq!(client.statuses(&chat), "0 applied: edit-ops.proposal tool.py\n");
    client.on_edit = OnEdit::Apply;
    client.command("operator.undo", &Value::Null).unwrap();
    assert_eq!(client.text(&tool), TOOL);
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
}

#[test]
fn in_an_editor_where_the_file_has_changed_since() {
    let (world, provider) = (World::new(), provider());
    let mut client = editor(&world, &provider);
    let (chat, tool) = (asked(&world, &mut client), world.files.uri("tool.py"));
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
    let action = client.action(&chat, 0, APPLY);
    client.append(&tool, "mine()\r\n");
    assert_eq!(client.statuses(&chat), "0 stale: edit-ops.proposal tool.py\n");
    client.expect_first(&chat, "plan/stale");
    let error = client.resolve(action).unwrap_err();
    assert_eq!(error.code, -32801, "{error:?}");
    let error = client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap_err();
    assert!(error.message.starts_with("stale: this is based on sha256:"), "{error:?}");
    assert_eq!(client.text(&tool), format!("{TOOL}mine()\r\n"));
    // A file that no op changes may be another by now.
    client.replace(&tool, "mine()\r\n", "");
    world.files.put("entrypoint.txt", "start\n");
    client.tell_files(&[(world.files.uri("entrypoint.txt"), 2)]);
    assert_eq!(client.statuses(&chat), "0 ready: edit-ops.proposal tool.py\n");
}
