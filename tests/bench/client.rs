//! A client that types and waits for diagnostics, over pipes in memory.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::runtime::Runtime;

/// A client with one transcript open.
pub struct Client {
    runtime: Runtime,
    input: DuplexStream,
    output: BufReader<DuplexStream>,
    uri: String,
    version: i32,
    _workspace: tempfile::TempDir,
}

impl Client {
    /// A server with the transcript open and its first diagnostics there.
    pub fn open(text: &str) -> Client {
        let mut client = Client::start("chat.md");
        client.did_open("markdown", text);
        client.wait_for_diagnostics();
        client
    }

    /// A server with a source file of that name open.
    pub fn open_source(name: &str, language_id: &str, text: &str) -> Client {
        let mut client = Client::start(name);
        client.did_open(language_id, text);
        client
    }

    /// A server that knows a workspace with nothing in it.
    fn start(name: &str) -> Client {
        let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build();
        let (input, server_input) = tokio::io::duplex(1 << 20);
        let (server_output, output) = tokio::io::duplex(1 << 20);
        // As the program does it.
        let server = runtime().expect("the system has pipes");
        std::thread::spawn(move || {
            server.block_on(operator_lsp::lsp::serve(server_input, server_output));
            server.shutdown_background();
        });
        let runtime = runtime().expect("the system has pipes");
        let workspace = tempfile::tempdir().expect("the system has a temporary directory");
        let root = format!("file://{}", workspace.path().display());
        let uri = format!("{root}/{name}");
        let output = BufReader::new(output);
        let mut client = Client { runtime, input, output, uri, version: 1, _workspace: workspace };
        let capabilities = json!({
            "textDocument": {"publishDiagnostics": {"versionSupport": true}},
            "workspace": {"workspaceEdit": {
                "documentChanges": true, "resourceOperations": ["create", "rename", "delete"],
            }},
        });
        client.send(json!({"id": 1, "method": "initialize", "params": {
            "capabilities": capabilities, "workspaceFolders": [{"uri": root, "name": "w"}],
        }}));
        client.wait(|message| message["id"] == 1);
        client.send(json!({"method": "initialized", "params": {}}));
        client
    }

    fn did_open(&mut self, language_id: &str, text: &str) {
        let document =
            json!({"uri": self.uri, "languageId": language_id, "version": 1, "text": text});
        self.send(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
    }

    /// Replaces a stretch of one line and waits for the diagnostics of that very version.
    pub fn edit(&mut self, line: usize, from: usize, to: usize, text: &str) {
        self.change(line, from, to, text);
        self.wait_for_diagnostics();
    }

    /// Replaces a stretch of one line, and then asks for an operation on structures.
    pub fn edit_and_operate(&mut self, line: usize, to: usize, text: &str, operation: &Value) {
        self.change(line, 0, to, text);
        let id = self.version;
        self.send(json!({"id": id, "method": "operator/structure", "params": operation}));
        self.wait(|message| {
            assert!(message["id"] != id || message["result"]["ok"] == true, "{message}");
            message["id"] == id
        });
    }

    fn change(&mut self, line: usize, from: usize, to: usize, text: &str) {
        self.version += 1;
        let at = |character| json!({"line": line, "character": character});
        let change = json!({"range": {"start": at(from), "end": at(to)}, "text": text});
        self.send(json!({"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [change],
        }}));
    }

    fn wait_for_diagnostics(&mut self) {
        let version = self.version;
        self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == version
        });
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.runtime.block_on(self.input.write_all(frame.as_bytes())).expect("the server reads");
    }

    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) {
        loop {
            let output = &mut self.output;
            let message: Value = self.runtime.block_on(async move {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    output.read_line(&mut line).await.expect("the server writes headers");
                    match line.trim_end().split_once(": ") {
                        Some(("Content-Length", number)) => {
                            length = number.parse().expect("a length is a number");
                        }
                        Some(_) => {}
                        None => break,
                    }
                }
                let mut body = vec![0; length];
                output.read_exact(&mut body).await.expect("the server writes bodies");
                serde_json::from_slice(&body).expect("the server writes JSON")
            });
            if wanted(&message) {
                return;
            }
        }
    }
}
