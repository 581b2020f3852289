//! A small editor: it keeps its documents, makes the edits that the server asks for, and holds what
//! the server says against its own texts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

/// An open document.
pub struct Document {
    /// Its text.
    pub text: String,
    /// Its version.
    pub version: i64,
}

/// An editor that talks to a server.
pub struct Client {
    to: DuplexStream,
    from: BufReader<DuplexStream>,
    requests: i64,
    root: PathBuf,
    /// The open documents by the path in the workspace.
    pub documents: BTreeMap<String, Document>,
}

impl Client {
    /// An editor whose workspace is a folder.
    pub fn new(to: DuplexStream, from: DuplexStream, root: &Path) -> Client {
        let (from, root) = (BufReader::new(from), root.to_owned());
        Client { to, from, requests: 0, root, documents: BTreeMap::new() }
    }

    /// The URI of a path in the workspace.
    pub fn uri(&self, path: &str) -> String {
        format!("file://{}/{path}", self.root.display())
    }

    fn path_of(&self, uri: &str) -> String {
        let root = format!("file://{}/", self.root.display());
        let path = uri.strip_prefix(&root).expect("the server names what is in the workspace");
        decoded(path)
    }

    /// Says hello.
    pub async fn begin(&mut self) {
        let capabilities = json!({
            "general": {"positionEncodings": ["utf-8"]},
            "workspace": {"applyEdit": true, "workspaceEdit": {
                "documentChanges": true, "resourceOperations": ["create", "rename", "delete"],
            }},
            "textDocument": {
                "publishDiagnostics": {"versionSupport": true},
                "codeAction": {
                    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor"]}},
                    "resolveSupport": {"properties": ["edit"]}, "dataSupport": true,
                },
            },
        });
        let root = format!("file://{}", self.root.display());
        let folders = json!([{"uri": root, "name": "w"}]);
        let params = json!({"capabilities": capabilities, "workspaceFolders": folders});
        let answer = self.ask("initialize", params).await.expect("the server can begin");
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
        self.tell("initialized", json!({})).await;
    }

    /// Says goodbye.
    pub async fn end(mut self) {
        let _ = self.ask("shutdown", Value::Null).await;
        self.tell("exit", Value::Null).await;
    }

    /// Opens a document.
    pub async fn open(&mut self, path: &str, language: &str, text: String) {
        let uri = self.uri(path);
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document})).await;
        self.documents.insert(path.to_owned(), Document { text, version: 1 });
    }

    /// Closes a document.
    pub async fn close(&mut self, path: &str) {
        if self.documents.remove(path).is_some() {
            let document = json!({"uri": self.uri(path)});
            self.tell("textDocument/didClose", json!({"textDocument": document})).await;
        }
    }

    /// Puts a text in the place of another one, by bytes that are between characters. No position is
    /// within the ending of a line.
    pub async fn edit(&mut self, path: &str, start: usize, end: usize, new: &str) {
        let uri = self.uri(path);
        let Some(document) = self.documents.get_mut(path) else { return };
        let before_ending = |at: usize| {
            let text = &document.text;
            at - usize::from(text[..at].ends_with('\r') && text[at..].starts_with('\n'))
        };
        let (start, end) = (before_ending(start), before_ending(end));
        let range = json!({
            "start": position(&document.text, start), "end": position(&document.text, end),
        });
        document.text.replace_range(start..end, new);
        document.version += 1;
        let version = document.version;
        let params = json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": range, "text": new}],
        });
        self.tell("textDocument/didChange", params).await;
    }

    /// Saves a document.
    pub async fn save(&mut self, path: &str) {
        let Some(document) = self.documents.get(path) else { return };
        let at = self.root.join(path);
        let parent = at.parent().expect("it is in a folder");
        if fs::create_dir_all(parent).and_then(|()| fs::write(&at, &document.text)).is_ok() {
            let document = json!({"uri": self.uri(path)});
            self.tell("textDocument/didSave", json!({"textDocument": document})).await;
        }
    }

    /// Tells something.
    pub async fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    /// Asks something, and does meanwhile what the server asks for.
    ///
    /// # Errors
    /// What the server says cannot be done.
    pub async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.requests += 1;
        let id = self.requests;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        loop {
            let mut message = self.next().await;
            if !message["method"].is_null() {
                self.take(message).await;
                continue;
            }
            assert_eq!(message["id"], id, "an answer that nobody waits for: {message}");
            let error = message["error"].take();
            if error.is_null() {
                return Ok(message["result"].take());
            }
            assert_ne!(error["code"], -32603, "{method} with {params}: {error}", params = id);
            return Err(error);
        }
    }

    async fn send(&mut self, message: Value) {
        let body = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.to.write_all(frame.as_bytes()).await.expect("the server reads");
    }

    async fn next(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.from.read_line(&mut line).await.expect("the server writes headers");
            assert!(!line.is_empty(), "the server has ended");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => {
                    length = number.parse().expect("a length is a number");
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).await.expect("the server writes bodies");
        serde_json::from_slice(&body).expect("the server writes JSON")
    }

    /// Takes in what the server says by itself.
    async fn take(&mut self, message: Value) {
        if message["method"] == "textDocument/publishDiagnostics" {
            self.hold_diagnostics(&message["params"]);
        }
        if message["id"].is_null() {
            return;
        }
        let result = match message["method"].as_str() {
            Some("workspace/applyEdit") => {
                let made = Box::pin(self.make(&message["params"]["edit"])).await;
                json!({"applied": made})
            }
            Some("workspace/configuration") => {
                let items = message["params"]["items"].as_array().map_or(0, Vec::len);
                Value::Array(vec![Value::Null; items])
            }
            _ => Value::Null,
        };
        self.send(json!({"jsonrpc": "2.0", "id": message["id"], "result": result})).await;
    }

    /// Diagnostics of the text that is there lie in it.
    fn hold_diagnostics(&self, params: &Value) {
        let path = self.path_of(params["uri"].as_str().unwrap_or_default());
        let Some(document) = self.documents.get(&path) else { return };
        if params["version"] == document.version {
            for item in params["diagnostics"].as_array().into_iter().flatten() {
                self.hold_range(&document.text, &item["range"]);
            }
        }
    }

    /// A range lies in a text, between characters; its bytes.
    pub fn hold_range(&self, text: &str, range: &Value) -> (usize, usize) {
        let (start, end) = (offset(text, &range["start"]), offset(text, &range["end"]));
        assert!(start <= end, "{range}");
        (start, end)
    }

    /// Makes an edit of the workspace; says whether it could be made.
    pub async fn make(&mut self, edit: &Value) -> bool {
        for step in edit["documentChanges"].as_array().into_iter().flatten() {
            let path = |name: &str| step[name].as_str().map(|uri| self.path_of(uri));
            let made = match step["kind"].as_str() {
                None => self.make_text(step).await,
                Some("create") => self.create(&path("uri").unwrap_or_default()),
                Some("delete") => self.delete(&path("uri").unwrap_or_default()).await,
                _ => {
                    let (from, to) = (path("oldUri"), path("newUri"));
                    self.rename(&from.unwrap_or_default(), &to.unwrap_or_default()).await
                }
            };
            if !made {
                return false;
            }
        }
        true
    }

    async fn make_text(&mut self, step: &Value) -> bool {
        let path = self.path_of(step["textDocument"]["uri"].as_str().unwrap_or_default());
        let version = step["textDocument"]["version"].as_i64();
        if !self.documents.contains_key(&path) {
            let Ok(text) = fs::read_to_string(self.root.join(&path)) else { return false };
            let text = text.trim_start_matches('\u{feff}').to_owned();
            self.open(&path, "plaintext", text).await;
        } else if version.is_some_and(|it| self.documents[&path].version != it) {
            return false;
        }
        let text = self.documents[&path].text.clone();
        let mut before = text.len() + 1;
        for edit in step["edits"].as_array().into_iter().flatten().rev() {
            let (start, end) = self.hold_range(&text, &edit["range"]);
            assert!(end < before, "edits are sorted and disjoint: {step}");
            before = start;
            self.edit(&path, start, end, edit["newText"].as_str().unwrap_or_default()).await;
        }
        true
    }

    fn create(&self, path: &str) -> bool {
        let at = self.root.join(path);
        let parent = at.parent().expect("it is in a folder");
        !at.exists() && fs::create_dir_all(parent).and_then(|()| fs::write(&at, "")).is_ok()
    }

    async fn delete(&mut self, path: &str) -> bool {
        let at = self.root.join(path);
        let gone = if at.is_dir() { fs::remove_dir_all(&at) } else { fs::remove_file(&at) };
        let below = format!("{path}/");
        let open: Vec<String> = self.documents.keys().cloned().collect();
        for open in open.iter().filter(|it| *it == path || it.starts_with(&below)) {
            self.close(open).await;
        }
        gone.is_ok()
    }

    async fn rename(&mut self, from: &str, to: &str) -> bool {
        let (old, new) = (self.root.join(from), self.root.join(to));
        let parent = new.parent().expect("it is in a folder");
        if fs::create_dir_all(parent).and_then(|()| fs::rename(&old, &new)).is_err() {
            return false;
        }
        let below = format!("{from}/");
        let open: Vec<String> = self.documents.keys().cloned().collect();
        for path in open.iter().filter(|it| *it == from || it.starts_with(&below)) {
            let moved = path.replacen(from, to, 1);
            let text = self.documents[path].text.clone();
            self.close(path).await;
            self.open(&moved, "plaintext", text).await;
        }
        true
    }
}

/// A path of a URI with its escapes undone.
fn decoded(path: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|it| std::str::from_utf8(it).ok());
        let escaped = hex.and_then(|it| u8::from_str_radix(it, 16).ok()).filter(|_| *first == b'%');
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).expect("the server names paths in UTF-8")
}

/// Where each line begins.
fn starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1)).collect()
}

fn position(text: &str, offset: usize) -> Value {
    let starts = starts(text);
    let line = starts.partition_point(|start| *start <= offset) - 1;
    json!({"line": line, "character": offset - starts[line]})
}

fn offset(text: &str, position: &Value) -> usize {
    let number = |name: &str| usize::try_from(position[name].as_u64().unwrap_or(u64::MAX));
    let (line, character) = (number("line"), number("character"));
    let (Ok(line), Ok(character)) = (line, character) else { panic!("{position}") };
    let starts = starts(text);
    // The line after the last one is where the text ends.
    if line == starts.len() && character == 0 {
        return text.len();
    }
    let start = starts.get(line).unwrap_or_else(|| panic!("{position} is below the text"));
    let end = starts.get(line + 1).copied().unwrap_or(text.len());
    let at = start + character;
    assert!(at <= end && text.is_char_boundary(at), "{position} is not in {text:?}");
    at
}
