//! The three doors to a model: the command line, the service and the language server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::provider::{Provider, wait};
use crate::lsp::client::{Client, Options};

/// How long anything may take.
const LIMIT: Duration = Duration::from_secs(20);
const PATH: &str = "/api/v1/editor/edit-ops";

/// What is said of the model: settings by name, and the variables that stand for the same.
#[derive(Debug, Clone, Default)]
pub struct Profile(Vec<(&'static str, &'static str, Value)>);

impl Profile {
    /// One that is on, with this model behind it, in eval mode.
    pub fn of(provider: &Provider) -> Profile {
        Profile::at(&provider.base_url())
    }

    /// One that is on, with this address, in eval mode.
    pub fn at(base_url: &str) -> Profile {
        let on = Profile::default().with("enabled", "ENABLED", true);
        on.with("evalMode", "EVAL_MODE", true).with("baseUrl", "BASE_URL", base_url)
    }

    /// The same, and one thing more.
    pub fn with(
        mut self,
        setting: &'static str,
        variable: &'static str,
        value: impl Into<Value>,
    ) -> Profile {
        self.0.retain(|(known, _, _)| *known != setting);
        self.0.push((setting, variable, value.into()));
        self
    }

    /// The settings of an editor that mean it.
    pub fn settings(&self) -> Value {
        let settings = self.0.iter().map(|(name, _, value)| ((*name).to_owned(), value.clone()));
        json!({"llmChatOps": settings.collect::<Map<_, _>>()})
    }

    /// Sets the variables, and no others that could mean the same.
    pub fn apply<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("LLM_")) {
                command.env_remove(name);
            }
        }
        command.env_remove("OPERATOR_HTTP_TOKEN");
        for (_, variable, value) in &self.0 {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            command.env(format!("LLM_CHAT_OPS_{variable}"), text);
        }
        command
    }
}

/// The binary with this command and this profile.
pub fn binary(arguments: &[&str], profile: &Profile) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_operator-lsp"));
    profile.apply(command.args(arguments)).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What `edit-ops` leaves: its exit code, standard output and standard error.
pub fn run(mut command: Command, input: &[u8]) -> (Option<i32>, String, String) {
    let mut child = command.spawn().unwrap();
    // A command that refuses may not read its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The response to a request on the command line.
pub fn by_command(profile: &Profile, request: &Value) -> Value {
    let (code, out, err) = run(binary(&["edit-ops"], profile), request.to_string().as_bytes());
    assert_eq!(code, Some(0), "{out}\n{err}");
    serde_json::from_str(&out).unwrap()
}

/// The result of a request in an editor.
pub fn by_editor(profile: &Profile, request: &Value) -> Value {
    editor(profile).ask("operator/editOps", request.clone())
}

/// An editor with this profile in its settings.
pub fn editor(profile: &Profile) -> Client {
    editor_in(&[], profile)
}

/// An editor with these folders open and this profile in its settings.
pub fn editor_in(folders: &[String], profile: &Profile) -> Client {
    let options = Options::new(folders);
    Client::start(Options { settings: profile.settings(), initialization_options: true, ..options })
}

/// The response to a request over HTTP.
pub fn by_http(profile: &Profile, request: &Value) -> Value {
    let reply = Server::start(&[], profile).ask(request);
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()
}

/// The response to a request, which is the same behind every door.
pub fn ask(profile: &Profile, request: &Value) -> Value {
    let response = by_command(profile, request);
    assert_eq!(by_http(profile, request), response, "over HTTP");
    // An editor calls things by the names of its settings.
    let mut shown = by_editor(profile, request);
    let text = shown["assistant_message"].as_str().unwrap().to_owned();
    let text = profile.0.iter().fold(text, |text, (setting, variable, _)| {
        let name = format!("operator.llmChatOps.{setting}");
        text.replace(&name, &format!("LLM_CHAT_OPS_{variable}"))
    });
    shown["assistant_message"] = text.into();
    assert_eq!(shown, response, "in an editor");
    response
}

/// A running `serve-http`, ended when it is dropped.
pub struct Server {
    child: Child,
    address: String,
    log: Arc<Mutex<String>>,
}

/// An HTTP response.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The status line and the headers, names in lower case.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Reply {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code of an error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Server {
    /// A server on a port that the system chooses.
    pub fn start(arguments: &[&str], profile: &Profile) -> Server {
        Server::spawn(binary(
            &[&["serve-http", "--listen", "127.0.0.1:0"], arguments].concat(),
            profile,
        ))
    }

    /// A server that this command starts.
    pub fn spawn(mut command: Command) -> Server {
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let log = Arc::new(Mutex::new(String::new()));
        let mut address = None;
        while address.is_none() {
            let mut line = String::new();
            assert_ne!(lines.read_line(&mut line).unwrap(), 0, "{}", log.lock().unwrap());
            address = line.trim().strip_prefix("listening on http://").map(str::to_owned);
            log.lock().unwrap().push_str(&line);
        }
        let shared = log.clone();
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                shared.lock().unwrap().push_str(&format!("{line}\n"));
            }
        });
        Server { child, address: address.unwrap(), log }
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Everything on its standard error.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits until its standard error holds something.
    pub fn wait_for_log(&self, text: &str) {
        wait(text, || self.log().contains(text));
    }

    /// Sends an edit-ops request.
    pub fn ask(&self, request: &Value) -> Reply {
        self.post(&[], request.to_string().as_bytes())
    }

    /// Sends a body as JSON, with these headers besides.
    pub fn post(&self, headers: &[&str], body: &[u8]) -> Reply {
        let json = ["content-type: application/json"];
        self.send("POST", PATH, &[&json, headers].concat(), body)
    }

    /// Sends a request; `host` is the address where no header says else.
    pub fn send(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Reply {
        let mut stream = self.open(method, path, headers, body);
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        Reply { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    /// Sends a request and does not wait for the answer.
    pub fn open(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> TcpStream {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|header| header.starts_with("host")) {
            head += &format!("host: {}\r\n", self.address);
        }
        if !headers.iter().any(|header| header.starts_with("content-length")) {
            head += &format!("content-length: {}\r\n", body.len());
        }
        headers.iter().for_each(|header| head += &format!("{header}\r\n"));
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        // A server that refuses may not read all of it.
        let _ = stream.write_all(body);
        stream
    }

    /// Sends an edit-ops request and does not wait for the answer.
    pub fn begin(&self, request: &Value) -> TcpStream {
        let json = ["content-type: application/json"];
        self.open("POST", PATH, &json, request.to_string().as_bytes())
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end; gives the exit code.
    #[cfg(unix)]
    pub fn ended(&mut self) -> Option<i32> {
        let start = std::time::Instant::now();
        while start.elapsed() < LIMIT {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
