//! A language server as a process, and a client of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time for a server to come to rest.
pub const REST: Duration = Duration::from_millis(1500);
/// No server takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long it takes from the start of the process until `initialize` is answered.
pub fn start(command: &mut Command, root: &Path) -> Duration {
    let start = Instant::now();
    let server = Server::start(command, root);
    let took = start.elapsed();
    drop(server);
    took
}

/// The resident memory of a process in bytes; 0 where the system does not say.
pub fn resident(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    number.unwrap_or(0) * 1024
}

/// A language server that was initialised. It ends with this value.
pub struct Server {
    child: Child,
    input: ChildStdin,
    /// What it says, and when it came.
    output: Receiver<(Value, Instant)>,
    workspace: String,
    requests: u64,
    version: i32,
    /// Whether it wants the whole text with each change.
    wants_all: bool,
}

impl Server {
    /// Starts one.
    pub fn start(command: &mut Command, root: &Path) -> Server {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program can be started");
        let input = child.stdin.take().expect("it is piped");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, receiver) = channel();
        thread::spawn(move || {
            while let Some(message) = receive(&mut output) {
                if sender.send((message, Instant::now())).is_err() {
                    return;
                }
            }
        });
        let workspace = format!("file://{}/workspace", root.display());
        let (requests, version, wants_all) = (0, 1, false);
        let mut server =
            Server { child, input, output: receiver, workspace, requests, version, wants_all };
        let edits =
            json!({"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]});
        let (answer, _) = server.ask(
            "initialize",
            &json!({
                "processId": null, "rootUri": server.workspace,
                "capabilities": {
                    "textDocument": {"publishDiagnostics": {"versionSupport": true}},
                    "workspace": {"applyEdit": true, "workspaceEdit": edits},
                },
                "workspaceFolders": [{"uri": server.workspace, "name": "workspace"}],
            }),
        );
        let sync = &answer["result"]["capabilities"]["textDocumentSync"];
        server.wants_all = *sync == 1 || sync["change"] == 1;
        server
    }

    /// The same after `initialized`.
    pub fn initialized(mut self) -> Server {
        self.notify("initialized", &json!({}));
        self
    }

    /// Opens a document.
    pub fn open(&mut self, name: &str, language: &str, text: &str) {
        let uri = self.uri(name);
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
    }

    /// Closes a document.
    pub fn close(&mut self, name: &str) {
        let uri = self.uri(name);
        self.notify("textDocument/didClose", &json!({"textDocument": {"uri": uri}}));
    }

    /// Waits for diagnostics.
    pub fn diagnosed(&mut self) {
        self.wait(|message| message["method"] == "textDocument/publishDiagnostics");
    }

    /// Types a character where a document of this text has an empty line, or takes it away again;
    /// waits for the diagnostics, or for the answer to a request.
    pub fn type_and_wait(
        &mut self,
        name: &str,
        (text, line): (&str, usize),
        is_typed: bool,
        operation: Option<&Value>,
    ) -> Duration {
        self.version += 1;
        let version = self.version;
        let change = match self.wants_all {
            true => json!({"text": if is_typed { typed(text, line) } else { text.to_owned() }}),
            false => change(line, usize::from(!is_typed), if is_typed { "x" } else { "" }),
        };
        let start = Instant::now();
        self.change(name, &change);
        let at = match operation {
            Some(operation) => self.request("operator/structure", operation),
            None => self.wait(|message| {
                message["method"] == "textDocument/publishDiagnostics"
                    && message["params"]["version"] == version
            }),
        };
        at - start
    }

    /// How long hovers in `other.md` take while so many changes come in documents of other names.
    pub fn hovers_during(
        &mut self,
        changes: usize,
        name: impl Fn(usize) -> String,
    ) -> Vec<Duration> {
        const EVERY: usize = 20;
        let mut asked = Vec::new();
        for number in 0..changes {
            self.version += 1;
            self.change(&name(number), &change(100, 0, "x"));
            if number % EVERY == 0 {
                self.requests += 1;
                let (id, uri) = (self.requests, self.uri("other.md"));
                let params =
                    json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 0}});
                asked.push((id, Instant::now()));
                self.send(json!({"id": id, "method": "textDocument/hover", "params": params}));
            }
        }
        let mut took = Vec::with_capacity(asked.len());
        while took.len() < asked.len() {
            let (message, at) = self.next();
            let own = asked
                .iter()
                .find(|(id, _)| message["id"] == *id && message.get("method").is_none());
            took.extend(own.map(|(_, sent)| at - *sent));
        }
        took
    }

    /// Waits until the server has done what it was told.
    pub fn rest(&mut self) {
        let document = json!({"uri": "file:///nowhere/else.md"});
        self.request("textDocument/foldingRange", &json!({"textDocument": document}));
        sleep(REST);
    }

    /// The resident memory in bytes.
    pub fn resident(&self) -> usize {
        resident(self.child.id())
    }

    /// Asks, waits for the answer, and gives when it came.
    pub fn request(&mut self, method: &str, params: &Value) -> Instant {
        let (answer, at) = self.ask(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        at
    }

    fn ask(&mut self, method: &str, params: &Value) -> (Value, Instant) {
        self.requests += 1;
        let id = self.requests;
        self.send(json!({"id": id, "method": method, "params": params}));
        loop {
            let (message, at) = self.next();
            if message["id"] == id && message.get("method").is_none() {
                return (message, at);
            }
        }
    }

    fn change(&mut self, name: &str, change: &Value) {
        let document = json!({"uri": self.uri(name), "version": self.version});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        self.notify("textDocument/didChange", &params);
    }

    fn uri(&self, name: &str) -> String {
        format!("{}/{name}", self.workspace)
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(json!({"method": method, "params": params}));
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())
            .and_then(|()| self.input.flush())
            .expect("the server reads");
    }

    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Instant {
        loop {
            let (message, at) = self.next();
            if wanted(&message) {
                return at;
            }
        }
    }

    /// The next message; a request of the server is answered.
    fn next(&mut self) -> (Value, Instant) {
        let (message, at) = self.output.recv_timeout(PATIENCE).expect("the server answers");
        if message.get("method").is_some() && message.get("id").is_some() {
            self.send(json!({"id": message["id"], "result": null}));
        }
        (message, at)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It is of no more use, and a peer may take its time.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A change of a line up to a column.
fn change(line: usize, to: usize, text: &str) -> Value {
    let at = |character| json!({"line": line, "character": character});
    json!({"range": {"start": at(0), "end": at(to)}, "text": text})
}

/// A text with a character at the beginning of a line.
fn typed(text: &str, line: usize) -> String {
    let at: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    format!("{}x{}", &text[..at], &text[at..])
}

/// The next message; `None` once the server is gone.
fn receive(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some((name, number)) if name.eq_ignore_ascii_case("content-length") => {
                length = number.parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
