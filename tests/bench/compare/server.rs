//! A language server as a process: its start and its memory.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time for a server to come to rest.
const REST: Duration = Duration::from_millis(1500);

/// A document to be opened.
pub struct Open<'a> {
    /// What it holds.
    pub text: &'a str,
    /// Its language.
    pub language: &'a str,
}

/// The memory that a server holds, in bytes.
#[derive(Default)]
pub struct Memory {
    /// Once it is initialised.
    pub idle: usize,
    /// With a document open.
    pub open: usize,
    /// With that document closed again.
    pub closed: usize,
}

/// How long it takes from the start of the process until `initialize` is answered.
pub fn start(command: &mut Command, root: &Path) -> Duration {
    let start = Instant::now();
    let server = Server::start(command, root);
    let took = start.elapsed();
    server.end();
    took
}

/// The memory that a server holds before, while and after a document is open.
pub fn memory(command: &mut Command, root: &Path, open: Option<Open<'_>>) -> Memory {
    let mut server = Server::start(command, root);
    server.send(&json!({"method": "initialized", "params": {}}));
    sleep(REST);
    let mut memory = Memory { idle: server.resident(), ..Memory::default() };
    if let Some(Open { text, language }) = open {
        let uri = format!("file://{}/workspace/open.{language}", root.display());
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        server.send(&json!({
            "method": "textDocument/didOpen", "params": {"textDocument": document},
        }));
        server.finish();
        memory.open = server.resident();
        server.send(&json!({
            "method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}},
        }));
        server.finish();
        memory.closed = server.resident();
    }
    server.end();
    memory
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Server {
    fn start(command: &mut Command, root: &Path) -> Server {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program can be started");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut server = Server { child, input, output, requests: 0 };
        let uri = format!("file://{}/workspace", root.display());
        server.request(
            "initialize",
            &json!({
                "processId": null, "rootUri": uri, "capabilities": {},
                "workspaceFolders": [{"uri": uri, "name": "workspace"}],
            }),
        );
        server
    }

    fn request(&mut self, method: &str, params: &Value) {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"id": id, "method": method, "params": params}));
        while self.receive()["id"] != id {}
    }

    /// Waits until the server has done what it was told.
    fn finish(&mut self) {
        let document = json!({"uri": "file:///nowhere/else.md"});
        self.request("textDocument/foldingRange", &json!({"textDocument": document}));
        sleep(REST);
    }

    fn send(&mut self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())
            .and_then(|()| self.input.flush())
            .expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server writes headers");
            match line.trim_end().split_once(": ") {
                Some((name, number)) if name.eq_ignore_ascii_case("content-length") => {
                    length = number.parse().expect("a length is a number");
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("the server writes bodies");
        serde_json::from_slice(&body).expect("the server writes JSON")
    }

    /// The resident memory in bytes; 0 where the system does not say.
    fn resident(&self) -> usize {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
        number.unwrap_or(0) * 1024
    }

    fn end(mut self) {
        // It is of no more use, and a peer may take its time.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
