//! The whole server, with a part of it that fails.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use operator_core::command::Command;
use operator_core::dialect::operator::Operator;
use operator_core::dialect::{
    Answers, Candidate, Dialect, Opening, Parsed, Read, Reader, Recognise, Reply, Rules, Source,
};
use operator_core::plan::Outcome;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::task::JoinHandle;

use super::reviews::Unavailable;
use super::*;

/// Nothing here takes as long as this, whatever else the machine does.
const LIMIT: Duration = Duration::from_secs(60);

/// A place that is passed once it is open.
struct Gate {
    is_open: Mutex<bool>,
    changed: Condvar,
    waiting: AtomicBool,
}

impl Gate {
    const fn new() -> Gate {
        let is_open = Mutex::new(false);
        let changed = Condvar::new();
        Gate { is_open, changed, waiting: AtomicBool::new(false) }
    }

    fn pass(&self) {
        self.waiting.store(true, Ordering::SeqCst);
        let is_open = self.is_open.lock().unwrap();
        drop(self.changed.wait_timeout_while(is_open, LIMIT, |is_open| !*is_open).unwrap());
    }

    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    /// Waits until somebody is at the gate.
    async fn reached(&self) {
        while !self.waiting.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

static SLOW: Gate = Gate::new();
static SLOW_FIRST: Gate = Gate::new();
static PREVIEW: Gate = Gate::new();
static PREVIEWED: AtomicBool = AtomicBool::new(false);
static AFTER: AtomicUsize = AtomicUsize::new(0);

/// Paths on which the review of [`Failing`] does something of its own.
const PATHS: [&str; 5] =
    ["review.txt", "slow.txt", "slow-first.txt", "slow-preview.txt", "after.txt"];

/// A dialect whose parser fails on one id, and with it the review fails or takes long on some
/// paths.
struct Failing;

impl Dialect for Failing {
    fn rules(&self) -> &'static Rules {
        Operator.rules()
    }
}

impl Recognise for Failing {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        Operator.opens(candidate)
    }

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        Operator.reader(first)
    }
}

impl Read for Failing {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        let parsed = Operator.parse(source);
        assert_ne!(parsed.id.as_deref(), Some("parser"), "a test has the parser fail");
        parsed
    }
}

impl Reply for Failing {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        Operator.replies(to)
    }

    fn summary(&self, command: Option<&Command>, outcome: &Outcome) -> String {
        match command.and_then(Command::path) {
            Some("review.txt") => panic!("a test has the review fail"),
            Some("slow.txt") => SLOW.pass(),
            Some("slow-first.txt") => SLOW_FIRST.pass(),
            Some("slow-preview.txt") if PREVIEWED.load(Ordering::SeqCst) => PREVIEW.pass(),
            Some("after.txt") => {
                AFTER.fetch_add(1, Ordering::SeqCst);
            }
            _ => {}
        }
        Operator.summary(command, outcome)
    }
}

/// A client.
struct Editor {
    to: DuplexStream,
    from: DuplexStream,
    requests: i64,
    published: HashMap<String, Value>,
}

impl Editor {
    /// A client of a server whose dialect may fail.
    async fn start(folder: &std::path::Path) -> Editor {
        for path in PATHS {
            std::fs::write(folder.join(path), "one\n").unwrap();
        }
        let (to, input) = tokio::io::duplex(1 << 16);
        let (output, from) = tokio::io::duplex(1 << 16);
        let run = |client, queue, events, programs| {
            main_loop::run(&[&Failing], client, queue, events, programs)
        };
        tokio::spawn(serve_by(input, output, run));
        let mut editor = Editor { to, from, requests: 0, published: HashMap::new() };
        let uri = super::proto::uri_of(folder).unwrap();
        let folders = json!([{"uri": uri.as_str(), "name": "it"}]);
        editor.ask("initialize", json!({"capabilities": {}, "workspaceFolders": folders})).await;
        editor
    }

    async fn tell(&mut self, method: &str, params: Value) {
        send(&mut self.to, json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    async fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document})).await;
    }

    /// Puts a text in the place of whole lines.
    async fn edit(&mut self, uri: &str, version: i32, lines: (u32, u32), text: &str) {
        let at = |line: u32| json!({"line": line, "character": 0});
        let change = json!({"range": {"start": at(lines.0), "end": at(lines.1)}, "text": text});
        let id = json!({"uri": uri, "version": version});
        let params = json!({"textDocument": id, "contentChanges": [change]});
        self.tell("textDocument/didChange", params).await;
    }

    /// Takes in messages up to the answer to a request.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        send(&mut self.to, request(id, method, params)).await;
        loop {
            let message = next(&mut self.from).await;
            if message["method"] == "textDocument/publishDiagnostics" {
                let params = &message["params"];
                let uri = params["uri"].as_str().unwrap().to_owned();
                self.published.insert(uri, params.clone());
            }
            if message["id"] == id && message["method"].is_null() {
                return message;
            }
        }
    }

    /// The statuses of a transcript's blocks.
    async fn statuses(&mut self, uri: &str) -> String {
        let about = json!({"textDocument": {"uri": uri}});
        let answer = self.ask("operator/proposals", about).await;
        let blocks = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}"));
        blocks.iter().map(|block| block["status"].as_str().unwrap().to_owned() + " ").collect()
    }

    /// The codes of the diagnostics of a transcript's version.
    async fn codes(&mut self, uri: &str, version: i32) -> Vec<Value> {
        while self.published.get(uri).is_none_or(|known| known["version"] != version) {
            self.statuses(uri).await;
        }
        let items = self.published[uri]["diagnostics"].as_array().unwrap();
        items.iter().map(|item| item["code"].clone()).collect()
    }
}

fn block(id: &str, path: &str) -> String {
    format!("OPERATOR_CMD\nversion: 1\nid: {id}\naction: fs.read\npath: {path}\nEND_OPERATOR_CMD\n")
}

/// Sends a message.
async fn send(to: &mut DuplexStream, message: Value) {
    to.write_all(framed(message).as_bytes()).await.unwrap();
}

fn framed(message: Value) -> String {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// The next message.
async fn next(from: &mut DuplexStream) -> Value {
    let mut header = Vec::new();
    while !header.ends_with(b"\r\n\r\n") {
        header.push(from.read_u8().await.unwrap());
    }
    let header = String::from_utf8(header).unwrap();
    let length = header.trim().rsplit(' ').next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    from.read_exact(&mut body).await.unwrap();
    serde_json::from_slice(&body).unwrap()
}

fn request(id: i64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A client of a server whose main loop is a function of one event, after `initialize`.
struct Raw {
    to: DuplexStream,
    from: DuplexStream,
    server: JoinHandle<bool>,
}

impl Raw {
    async fn start(mut handle: impl FnMut(Event) + Send + 'static) -> Raw {
        let (mut to, input) = tokio::io::duplex(1 << 12);
        let (output, mut from) = tokio::io::duplex(1 << 12);
        let server =
            tokio::spawn(serve_by(input, output, async move |_, mut queue: Queue, _, _| {
                while let Some(event) = queue.recv().await {
                    match event {
                        Event::Initialize(_, _, reply) => {
                            reply.send(Ok(Default::default())).unwrap()
                        }
                        other => handle(other),
                    }
                }
            }));
        send(&mut to, request(0, "initialize", json!({"capabilities": {}}))).await;
        assert_eq!(next(&mut from).await["id"], 0);
        Raw { to, from, server }
    }

    async fn ask(&mut self, id: i64) {
        let about = json!({"textDocument": {"uri": "untitled:a"}});
        send(&mut self.to, request(id, "textDocument/foldingRange", about)).await;
    }

    async fn say(&mut self, method: &str, params: Value) {
        send(&mut self.to, json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    /// The id and the error's code of the next answer.
    async fn answer(&mut self) -> (Value, Value) {
        let answer = next(&mut self.from).await;
        (answer["id"].clone(), answer["error"]["code"].clone())
    }
}

/// The ids of the next answers, which may come in any order.
async fn ids(from: &mut DuplexStream, count: i64) -> Vec<i64> {
    let mut ids = Vec::new();
    for _ in 0..count {
        ids.push(next(from).await["id"].as_i64().unwrap());
    }
    ids.sort_unstable();
    ids
}

/// Answers every request at once.
fn answer(event: Event) {
    if let Event::Read(read) = event {
        (read.job)(Err(Unavailable::NotOpen));
    }
}

async fn in_time<T>(talk: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, talk).await.expect("everything is answered")
}

#[tokio::test]
async fn a_main_loop_that_fails_ends_the_server_and_what_waits_is_answered() {
    let mut waiting = Vec::new();
    let mut raw = Raw::start(move |event| match event {
        Event::Closed(_) => panic!("the main loop fails"),
        other => waiting.push(other),
    })
    .await;
    let all_well = in_time(async {
        raw.ask(2).await;
        raw.say("textDocument/didClose", json!({"textDocument": {"uri": "untitled:a"}})).await;
        assert_eq!(raw.answer().await, (json!(2), json!(-32603)));
        raw.server.await.unwrap()
    });
    assert!(!all_well.await);
}

#[tokio::test]
async fn unreadable_messages_are_answered_beside_requests() {
    let mut raw = Raw::start(answer).await;
    let talk = async {
        for id in 1..=20 {
            raw.ask(id).await;
            raw.to.write_all(b"Content-Length: 1\r\n\r\n{").await.unwrap();
            raw.to.write_all(b"Content-Length: 2\r\n\r\n{}").await.unwrap();
            let mut answers = Vec::new();
            for _ in 0..3 {
                let (id, code) = raw.answer().await;
                answers.push(format!("{id} {code}"));
            }
            answers.sort();
            assert_eq!(answers, [format!("{id} null"), "null -32600".into(), "null -32700".into()]);
        }
    };
    in_time(talk).await;
}

#[tokio::test]
async fn waiting_requests_do_not_delay_changes_and_can_be_cancelled() {
    let (changed, mut changes) = tokio::sync::mpsc::unbounded_channel();
    let mut waiting = Vec::new();
    let mut raw = Raw::start(move |event| match event {
        Event::Changed(change) => changed.send(change.text_document.version).unwrap(),
        Event::Unreadable(_) => changed.send(0).unwrap(),
        Event::Reached(reply) => reply.send(()).unwrap(),
        other => waiting.push(other),
    })
    .await;
    let talk = async {
        for id in 1..=300 {
            raw.ask(id).await;
        }
        let id = json!({"uri": "untitled:a", "version": 7});
        let change = json!({"textDocument": id, "contentChanges": [{"text": "new"}]});
        raw.say("textDocument/didChange", change.clone()).await;
        assert_eq!(changes.recv().await, Some(7));
        raw.say("textDocument/didChange", json!({"textDocument": id})).await;
        assert_eq!(changes.recv().await, Some(0));
        raw.say("textDocument/didChange", json!({"textDocument": {"uri": 3}})).await;
        raw.say("textDocument/didChange", Value::Null).await;

        raw.say("$/cancelRequest", json!({"id": 2})).await;
        assert_eq!(raw.answer().await, (json!(2), json!(-32800)));
    };
    in_time(talk).await;
}

#[tokio::test]
async fn what_the_main_loop_cannot_keep_up_with_waits_at_the_client() {
    let (taken, mut events) = tokio::sync::mpsc::unbounded_channel();
    let mut raw = Raw::start(move |event| taken.send(event).unwrap()).await;
    let say = async {
        for version in 1..=300 {
            let id = json!({"uri": "untitled:a", "version": version});
            let change = json!({"textDocument": id, "contentChanges": [{"text": "new"}]});
            raw.say("textDocument/didChange", change).await;
        }
    };
    let take = async {
        let (mut changes, mut marks) = (Vec::new(), Vec::new());
        while marks.len() < 2 {
            match events.recv().await.unwrap() {
                Event::Changed(change) => changes.push(change.text_document.version),
                Event::Reached(reply) => marks.push(reply),
                _ => {}
            }
        }
        assert!(changes.len() < 150, "{} changes are in the queue", changes.len());
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(events.try_recv().is_err(), "nothing is read that waits for the main loop");
        // The rest is read once the main loop goes on.
        marks.drain(..).for_each(|mark| mark.send(()).unwrap());
        while changes.len() < 300 {
            match events.recv().await.unwrap() {
                Event::Changed(change) => changes.push(change.text_document.version),
                Event::Reached(reply) => reply.send(()).unwrap(),
                _ => {}
            }
        }
        assert!(changes.is_sorted());
    };
    in_time(async { tokio::join!(say, take) }).await;
}

#[tokio::test]
async fn requests_without_a_handler_get_an_error() {
    let mut waiting = Vec::new();
    let mut raw = Raw::start(move |event| waiting.push(event)).await;
    let talk = async {
        raw.ask(1).await;
        raw.ask(1).await;
        assert_eq!(raw.answer().await, (json!(1), json!(-32600)), "the id is taken");
        for (method, code) in
            [("textDocument/didChange", -32600), ("$/none", -32601), ("none", -32601)]
        {
            send(&mut raw.to, request(2, method, json!({}))).await;
            assert_eq!(raw.answer().await, (json!(2), json!(code)), "{method}");
        }
    };
    in_time(talk).await;
}

#[tokio::test]
async fn reading_stops_while_the_client_does_not_read() {
    let Raw { mut to, mut from, server } = Raw::start(answer).await;
    let talk = async {
        let about = json!({"textDocument": {"uri": "untitled:a"}});
        let mut frames =
            (1..).map(|id| framed(request(id, "textDocument/foldingRange", about.clone())));
        let mut sent = 0;
        let stopped = loop {
            let frame = frames.next().unwrap();
            let mut rest = frame.as_bytes();
            let pause = Duration::from_millis(500);
            while !rest.is_empty() {
                match tokio::time::timeout(pause, to.write(rest)).await {
                    Ok(count) => rest = &rest[count.unwrap()..],
                    Err(_) => break,
                }
            }
            if !rest.is_empty() {
                break rest.to_owned();
            }
            sent += 1;
            assert!(sent < 10_000, "reading does not stop");
        };
        assert!(sent > 256, "{sent}");
        // Reading goes on once the client reads.
        assert_eq!(ids(&mut from, sent).await, (1..=sent).collect::<Vec<_>>());
        to.write_all(&stopped).await.unwrap();
        assert_eq!(ids(&mut from, 1).await, [sent + 1]);
        send(&mut to, json!({"jsonrpc": "2.0", "method": "exit"})).await;
        assert!(!server.await.unwrap());
    };
    in_time(talk).await;
}

#[tokio::test]
async fn exit_ends_the_server_when_the_client_does_not_read() {
    let mut raw = Raw::start(answer).await;
    let talk = async {
        for id in 1..=300 {
            raw.ask(id).await;
        }
        send(&mut raw.to, request(301, "shutdown", Value::Null)).await;
        raw.say("exit", Value::Null).await;
        assert!(raw.server.await.unwrap(), "it was shut down");
    };
    in_time(talk).await;
}

#[tokio::test]
async fn requests_before_the_end_of_the_input_are_answered() {
    let mut waiting = Vec::new();
    let Raw { mut to, mut from, server } = Raw::start(move |event| match event {
        Event::Read(read) => waiting.push(read.job),
        // The last message has all of them answered after the end of the input.
        _ => {
            let waiting = std::mem::take(&mut waiting);
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(200)).await;
                waiting.into_iter().for_each(|job| job(Err(Unavailable::NotOpen)));
            });
        }
    })
    .await;
    let talk = async {
        let about = json!({"textDocument": {"uri": "untitled:a"}});
        for id in 1..=50 {
            send(&mut to, request(id, "textDocument/foldingRange", about.clone())).await;
        }
        send(&mut to, json!({"jsonrpc": "2.0", "method": "initialized", "params": {}})).await;
        drop(to);
        assert_eq!(ids(&mut from, 50).await, (1..=50).collect::<Vec<_>>());
        assert!(!server.await.unwrap());
        assert_eq!(from.read(&mut [0]).await.unwrap(), 0, "nothing more is said");
    };
    in_time(talk).await;
}

#[tokio::test]
async fn a_request_without_an_answer_does_not_keep_the_server_after_the_end_of_the_input() {
    let mut waiting = Vec::new();
    let mut raw = Raw::start(move |event| waiting.push(event)).await;
    let talk = async {
        raw.ask(1).await;
        drop(raw.to);
        assert!(!raw.server.await.unwrap());
    };
    in_time(talk).await;
}

#[tokio::test]
async fn a_closed_output_ends_the_server() {
    let mut raw = Raw::start(answer).await;
    let talk = async {
        drop(raw.from);
        let about = json!({"textDocument": {"uri": "untitled:a"}});
        send(&mut raw.to, request(1, "textDocument/foldingRange", about)).await;
        assert!(!raw.server.await.unwrap(), "its input is still open");
    };
    in_time(talk).await;
}

#[tokio::test]
async fn a_document_that_the_server_fails_on_is_alone_with_that() {
    for failing in [block("parser", "a.txt"), block("1", "review.txt")] {
        let talk = fail_on(&failing);
        tokio::time::timeout(LIMIT, talk).await.expect("everything is answered");
    }
}

async fn fail_on(failing: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "one\n").unwrap();
    let mut editor = Editor::start(folder.path()).await;
    let (good, bad) = ("untitled:good", "untitled:bad");
    editor.open(good, &block("1", "a.txt")).await;
    editor.open(bad, &(block("2", "a.txt") + failing)).await;

    assert_eq!(editor.statuses(good).await, "ready ");
    assert_eq!(editor.statuses(bad).await, "", "nothing is offered");
    assert_eq!(editor.codes(bad, 1).await, ["plan/unsynced"]);
    let problem = editor.published[bad]["diagnostics"][0].clone();
    assert_eq!((&problem["severity"], &problem["range"]["start"]["line"]), (&json!(1), &json!(0)));
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let context = json!({"diagnostics": []});
    let about = json!({"textDocument": {"uri": bad}, "range": whole, "context": context});
    let actions = editor.ask("textDocument/codeAction", about).await;
    assert!(actions["result"].as_array().is_none_or(Vec::is_empty), "{actions}");
    let all = json!({"command": "operator.applyAll", "arguments": [{"uri": bad}]});
    assert!(editor.ask("workspace/executeCommand", all).await["result"].is_null());
    for method in ["foldingRange", "documentSymbol", "semanticTokens/full", "documentLink"] {
        let about = json!({"textDocument": {"uri": bad}});
        let answer = editor.ask(&format!("textDocument/{method}"), about).await;
        assert!(answer["error"].is_null(), "{method}: {answer}");
    }

    // As long as it fails, each change is tried again.
    editor.edit(bad, 2, (0, 0), "Prose.\n").await;
    assert_eq!(editor.codes(bad, 2).await, ["plan/unsynced"]);
    editor.edit(good, 2, (0, 0), "Prose.\n").await;
    assert_eq!(editor.statuses(good).await, "ready ");
    editor.edit(bad, 3, (7, 99), &block("3", "a.txt")).await;
    assert_eq!(editor.statuses(bad).await, "ready ready ");
    assert_eq!(editor.codes(bad, 3).await, [""; 0]);
}

#[tokio::test]
async fn what_needs_no_review_does_not_wait_for_one_that_takes_long() {
    let talk = async {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = Editor::start(folder.path()).await;
        let slow = "untitled:slow";
        editor.open(slow, &block("1", "slow.txt")).await;
        for (method, is_there) in [
            ("textDocument/foldingRange", "/result/0"),
            ("textDocument/semanticTokens/full", "/result/data/0"),
            ("textDocument/documentSymbol", "/result/0/name"),
        ] {
            let answer = editor.ask(method, json!({"textDocument": {"uri": slow}})).await;
            assert!(answer.pointer(is_there).is_some(), "{method}: {answer}");
        }
        let symbols = editor.ask("workspace/symbol", json!({"query": ""})).await;
        assert_eq!(symbols["result"][0]["name"], "fs.read slow.txt (1)");
        assert!(!editor.published.contains_key(slow), "the review is not done");
        SLOW.open();
        assert_eq!(editor.statuses(slow).await, "ready ");
        let symbols = editor.ask("workspace/symbol", json!({"query": ""})).await;
        assert_eq!(symbols["result"][0]["name"], "ready: fs.read slow.txt (1)");
    };
    tokio::time::timeout(LIMIT, talk).await.expect("everything is answered");
}

#[tokio::test]
async fn a_review_is_not_completed_once_its_text_has_changed() {
    let talk = async {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = Editor::start(folder.path()).await;
        let chat = "untitled:chat";
        editor.open(chat, &(block("1", "slow-first.txt") + &block("2", "after.txt"))).await;
        SLOW_FIRST.reached().await;
        editor.edit(chat, 2, (0, 0), "Prose.\n").await;
        // What is asked after the change is answered after it was taken in.
        editor.ask("workspace/executeCommand", json!({"command": "none"})).await;
        SLOW_FIRST.open();
        assert_eq!(editor.statuses(chat).await, "ready ready ");
        assert_eq!(AFTER.load(Ordering::SeqCst), 1, "it is checked once, by the second review");
    };
    tokio::time::timeout(LIMIT, talk).await.expect("everything is answered");
}

#[tokio::test]
async fn what_is_asked_of_a_text_that_changes_is_answered_at_once() {
    let talk = async {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = Editor::start(folder.path()).await;
        let chat = "untitled:preview";
        editor.open(chat, &block("1", "slow-preview.txt")).await;
        assert_eq!(editor.statuses(chat).await, "ready ");
        PREVIEWED.store(true, Ordering::SeqCst);
        let about = json!({"textDocument": {"uri": chat}, "block": 0});
        send(&mut editor.to, request(0, "operator/preview", about)).await;
        PREVIEW.reached().await;
        editor.tell("textDocument/didClose", json!({"textDocument": {"uri": chat}})).await;
        let answer = loop {
            let message = next(&mut editor.from).await;
            if message["id"] == 0 {
                break message;
            }
        };
        assert_eq!(answer["error"]["code"], -32801, "it does not wait for the work: {answer}");
        PREVIEW.open();
    };
    tokio::time::timeout(LIMIT, talk).await.expect("everything is answered");
}

#[tokio::test]
async fn a_request_is_one_file_and_one_line() {
    let talk = async {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = Editor::start(folder.path()).await;
        let about = json!({"textDocument": {"uri": "untitled:toy"}});
        let answer = editor.ask("operator/toy", about.clone()).await;
        assert_eq!(answer["error"]["message"], "the document is not open");
        editor.open("untitled:toy", &(block("1", "a.txt") + &block("2", "b.txt"))).await;
        assert_eq!(editor.ask("operator/toy", about).await["result"], 2);
    };
    in_time(talk).await;
}
