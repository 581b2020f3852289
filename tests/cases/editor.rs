//! What an editor shows of a transcript, through the real language server over its standard input
//! and output; a section `client` says what is particular about the editor.

use serde_json::{Value, json};

use crate::check;
use crate::client::{Capabilities, Client, OnEdit, Options, uri_of};
use crate::parse::{Case, Section};
use crate::problems::Found;
use crate::world::World;

/// The problems and blocks of a transcript as an editor shows them.
pub struct Shown {
    pub problems: Vec<Found>,
    /// One line per block, as in a `blocks` section.
    pub blocks: String,
    /// Fixes that a diagnostic says it has and that are not offered at its range.
    pub complaints: Vec<String>,
    client: Client,
    /// The transcript's URI.
    chat: String,
}

/// A reply and the dialect that it is in.
pub type Reply = (String, String);

/// How many diagnostics of a transcript are asked for their fixes.
const ASKED: usize = 100;

/// An editor, as a `client` section describes it line by line.
struct Editor {
    capabilities: Capabilities,
    settings: Value,
    folder: bool,
    untitled: bool,
    /// What is open besides the transcript, and whether a misfit change follows.
    open: Vec<(String, bool)>,
    misfit: bool,
}

/// Opens the case's transcript in the case's editor, and looks.
pub fn show(case: &Case, world: &World, text: &str) -> Shown {
    let mut editor = Editor::new(case.first("client"));
    if world.allows_exec {
        editor.settings["exec"] = json!({"enable": true});
    }
    let mut client = editor.start(world);
    for (path, misfit) in &editor.open {
        let file = world.root().join(path);
        let uri = uri_of(&file);
        client.open(&uri, "plaintext", &std::fs::read_to_string(file).unwrap());
        if *misfit {
            send_misfit(&mut client, &uri);
        }
    }
    let chat = match editor.untitled {
        true => "untitled:chat".to_owned(),
        false => uri_of(&world.transcript(text.as_bytes())),
    };
    client.open(&chat, "markdown", text);
    if editor.misfit {
        send_misfit(&mut client, &chat);
    }
    let diagnostics = client.diagnostics(&chat);
    let blocks = client.proposals(&chat);
    let complaints = diagnostics.iter().take(ASKED);
    let complaints = complaints.filter_map(|it| not_offered(&mut client, &chat, it)).collect();
    // Messages come before diagnostics: the server sends one thing after the other.
    let mut problems: Vec<Found> = client.shown.drain(..).map(|message| said(&message)).collect();
    let found: Vec<Value> = diagnostics.iter().map(as_check_has_it).collect();
    problems.extend(check::problems(&found, text, blocks.len(), world));
    let blocks: String = blocks.iter().map(check::block).collect();
    Shown { problems, blocks: world.hide(&blocks), complaints, client, chat }
}

impl Shown {
    /// Applies everything at once, and gives the replies of all blocks after it, by their
    /// dialects; `expected` are those of the command line, which passes over what the transcript
    /// answers already.
    pub fn apply_all(&mut self, expected: &[Reply]) -> Vec<Reply> {
        let Shown { client, chat, .. } = self;
        client.on_edit = OnEdit::Apply;
        let done = |block: &Value| block["status"] == "applied";
        let before = client.proposals(chat);
        if before.iter().any(|block| block["status"] == "rejected") {
            // What was refused and is done by another block counts as done here.
            return expected.to_vec();
        }
        // What was left is named; the replies say so, too.
        client.ignored = Some(" look and ");
        let _ = client.command("operator.applyAll", &json!({"uri": chat}));
        let mut replies: Vec<Reply> = Vec::new();
        for (index, block) in client.proposals(chat).iter().enumerate() {
            let family = block["repliesWith"].as_str();
            let dialect = family.or_else(|| block["dialect"].as_str()).unwrap();
            let together = family.is_some() && replies.iter().any(|(known, _)| known == dialect);
            if together || block["status"] == "superseded" {
                continue;
            }
            let reply = client.command("operator.reply", &json!({"uri": chat, "block": index}));
            let text = reply.unwrap().as_str().unwrap().to_owned();
            // A block without an id is answered in Markdown.
            let is_markdown = text.starts_with("operator-lsp applied ");
            let reply = (if is_markdown { "chat" } else { dialect }.to_owned(), text);
            if !reply.1.is_empty() && (!done(&before[index]) || expected.contains(&reply)) {
                replies.push(reply);
            }
        }
        replies.sort_by_key(|(dialect, _)| expected.iter().position(|(other, _)| other == dialect));
        replies
    }
}

/// What is missing of the fixes that a diagnostic has when an editor asks for those at its range.
fn not_offered(client: &mut Client, uri: &str, diagnostic: &Value) -> Option<String> {
    let fixes = diagnostic["data"]["fixes"].as_u64().filter(|fixes| *fixes > 0)?;
    let offered = client.actions(uri, &diagnostic["range"], &["quickfix"]);
    let is_own = |action: &&Value| {
        let of = &action["diagnostics"][0];
        of["code"] == diagnostic["code"] && of["range"] == diagnostic["range"]
    };
    let found = offered.iter().filter(is_own).count() as u64;
    (found < fixes).then(|| {
        let (code, range) = (&diagnostic["code"], &diagnostic["range"]);
        format!("{code} at {range} has {fixes} fixes, and {found} of them are offered there")
    })
}

impl Editor {
    fn new(section: Option<&Section>) -> Editor {
        let mut editor = Editor {
            // The settings come with the handshake, so that nothing is shown before they hold.
            capabilities: Capabilities::everything().with("/workspace/configuration", Value::Null),
            settings: json!({}),
            folder: true,
            untitled: false,
            open: Vec::new(),
            misfit: false,
        };
        section.into_iter().flat_map(|it| it.body.lines()).for_each(|line| editor.take(line));
        editor
    }

    fn take(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest) {
            ("cannot", pointer) => {
                self.capabilities = self.capabilities.clone().with(pointer, Value::Null);
            }
            ("settings", json) => self.settings = serde_json::from_str(json).expect("JSON"),
            ("untitled", "") => self.untitled = true,
            ("folderless", "") => self.folder = false,
            ("open", path) => self.open.push((path.to_owned(), false)),
            ("misfit", "") => self.misfit = true,
            ("misfit", path) => self.open.push((path.to_owned(), true)),
            _ => panic!("`client` knows no line `{line}`"),
        }
    }

    fn start(&self, world: &World) -> Client {
        let root = world.root();
        let folders = if self.folder { vec![uri_of(&root)] } else { Vec::new() };
        Client::start(Options {
            capabilities: self.capabilities.clone(),
            settings: self.settings.clone(),
            initialization_options: true,
            process: true,
            ..Options::new(&folders)
        })
    }
}

/// Sends a change whose range ends before it starts, which nobody can apply.
fn send_misfit(client: &mut Client, uri: &str) {
    let document = client.documents.get_mut(uri).unwrap();
    document.version += 1;
    let id = json!({"uri": uri, "version": document.version});
    let at = |line: u32| json!({"line": line, "character": 0});
    let change = json!({"range": {"start": at(1), "end": at(0)}, "text": "x"});
    let params = json!({"textDocument": id, "contentChanges": [change]});
    client.notify("textDocument/didChange", params);
}

/// A warning for the user, whose code is before a colon where it has one.
fn said(message: &str) -> Found {
    let (code, rest) = message.split_once(": ").unwrap_or(("-", message));
    Found::message("warning", code, rest)
}

fn as_check_has_it(diagnostic: &Value) -> Value {
    let severity = ["error", "warning", "information", "hint"];
    let number = diagnostic["severity"].as_u64().and_then(|it| usize::try_from(it).ok());
    json!({
        "range": diagnostic["range"],
        "severity": number.and_then(|number| severity.get(number.checked_sub(1)?)),
        "code": diagnostic["code"],
        "message": diagnostic["message"],
        "block": diagnostic["data"]["block"],
    })
}
