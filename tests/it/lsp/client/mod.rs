//! A client for tests: it keeps its own documents, answers the server as it declared, applies
//! edits as editors do, waits a bounded time, and fails on any message that it did not expect.

mod capabilities;
mod documents;
mod features;
mod framing;
mod incoming;
mod positions;
pub mod transport;
mod uri;
mod workspace_edit;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub use capabilities::Capabilities;
pub use documents::Document;
pub use features::titles;
pub use framing::frame;
pub use positions::{ENCODINGS, Encoding, lines, position, range};
pub use transport::{Incoming, Transport};
pub use uri::{path_of, uri_of};

/// How long anything may take.
pub const LIMIT: Duration = Duration::from_secs(20);

/// A response.
pub type Answer = Result<Value, RpcError>;

/// An error response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpcError {
    /// The code.
    pub code: i64,
    /// The message.
    pub message: String,
}

/// What the server last said of a document.
#[derive(Debug, Clone)]
pub struct Published {
    /// The version that it is about.
    pub version: Option<i64>,
    /// The diagnostics.
    pub items: Vec<Value>,
}

/// What to do when the server asks for an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnEdit {
    /// It is not expected.
    Fail,
    /// It is made.
    Apply,
    /// It is not made, and the answer is that it was.
    Pretend,
    /// It is refused, for this reason.
    Refuse(String),
    /// It is refused at the step with this index; the steps before are made, and told of later.
    RefuseAt(usize),
    /// Its first document is changed, and the rest refused; the answer says at which step, if so.
    ChangeFirst(Option<usize>),
}

/// What an edit does to a file that is not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unopened {
    /// It is written to disk.
    Write,
    /// It is opened and stays changed in the buffer.
    Open,
}

/// How a client is started.
pub struct Options {
    /// What it declares.
    pub capabilities: Capabilities,
    /// The URIs of the workspace folders.
    pub folders: Vec<String>,
    /// The section `operator` of its settings.
    pub settings: Value,
    /// Whether `settings` are given as `initializationOptions`.
    pub initialization_options: bool,
    /// Whether it is the real binary.
    pub process: bool,
}

/// A client and its server.
pub struct Client {
    /// What is declared.
    pub capabilities: Capabilities,
    /// What the server answered to `initialize`.
    pub server: Value,
    /// How positions count, as agreed on.
    pub encoding: Encoding,
    /// The open documents.
    pub documents: BTreeMap<String, Document>,
    /// The section `operator` of the settings.
    pub settings: Value,
    /// How often the server has asked for them and was answered.
    settings_given: usize,
    /// What to do when the server asks for an edit.
    pub on_edit: OnEdit,
    /// What an edit does to a file that is not open.
    pub unopened: Unopened,
    /// Whether documents stay open whose files an edit deletes.
    pub keeps_deleted: bool,
    /// The version of documents that are opened for an edit, where edits of them must say it.
    pub version_when_opened: Option<i64>,
    /// The versions of documents that are open and were not shown to the server.
    pub unseen: BTreeMap<String, i64>,
    /// The word that is chosen where the server asks; none where it is not expected to.
    pub choice: Option<String>,
    /// What the server asked, with the words to choose from.
    pub questions: Vec<String>,
    /// The last diagnostics by document.
    pub published: BTreeMap<String, Published>,
    /// The last `operator/proposalsChanged` by document.
    pub counts: BTreeMap<String, Value>,
    /// How often the server asked to be asked again, by method.
    pub refreshes: BTreeMap<String, usize>,
    /// The documents that the server had shown to a person.
    pub opened: Vec<String>,
    /// The documents whose text the server asked to be asked for again.
    pub outdated: Vec<String>,
    /// What the server showed and nobody has looked at yet.
    pub shown: VecDeque<String>,
    /// A part of messages that are not noted; a response may come before a message that was sent
    /// before it.
    pub ignored: Option<&'static str>,
    /// What the server logged.
    pub logged: Vec<String>,
    /// What is registered, by method.
    pub registered: BTreeMap<String, Value>,
    /// The edits that were made, newest last.
    pub edits_made: Vec<Value>,
    /// Whether the server's requests are left without an answer for now.
    pub mute: bool,
    unanswered: VecDeque<Value>,
    /// How often each document was closed without the server having taken its diagnostics away.
    closing: BTreeMap<String, usize>,
    transport: Transport,
    pending: BTreeSet<i64>,
    answers: BTreeMap<i64, Answer>,
    /// Progress that was announced and has not ended.
    pub progress: BTreeSet<String>,
    /// How many times progress has come to its end.
    pub progressed: usize,
    next_id: i64,
    ended: bool,
    /// Whether it was killed: it may have been in the middle of a message.
    killed: bool,
}

impl Options {
    /// A client that can do everything, with these folders.
    pub fn new(folders: &[String]) -> Options {
        Options {
            capabilities: Capabilities::everything(),
            folders: folders.to_vec(),
            settings: json!({}),
            initialization_options: false,
            process: false,
        }
    }
}

impl Client {
    /// A client that can do everything, in one folder, after the handshake.
    pub fn new(folder: &str) -> Client {
        Client::start(Options::new(&[folder.to_owned()]))
    }

    /// A client of these capabilities, in one folder, after the handshake.
    pub fn with(capabilities: Capabilities, folder: &str) -> Client {
        Client::start(Options { capabilities, ..Options::new(&[folder.to_owned()]) })
    }

    /// A client after the handshake.
    pub fn start(options: Options) -> Client {
        let (folders, given) = (options.folders.clone(), options.initialization_options);
        let mut client = Client::connect(options);
        let options = if given { client.settings.clone() } else { Value::Null };
        client.initialize(&folders, options);
        client
    }

    /// A client before the handshake.
    pub fn connect(options: Options) -> Client {
        let transport = if options.process { Transport::process() } else { Transport::memory() };
        Client {
            capabilities: options.capabilities,
            server: Value::Null,
            encoding: Encoding::Utf16,
            documents: BTreeMap::new(),
            settings: options.settings,
            settings_given: 0,
            on_edit: OnEdit::Fail,
            unopened: Unopened::Write,
            keeps_deleted: false,
            version_when_opened: None,
            unseen: BTreeMap::new(),
            choice: None,
            questions: Vec::new(),
            published: BTreeMap::new(),
            counts: BTreeMap::new(),
            refreshes: BTreeMap::new(),
            opened: Vec::new(),
            outdated: Vec::new(),
            shown: VecDeque::new(),
            ignored: None,
            logged: Vec::new(),
            registered: BTreeMap::new(),
            edits_made: Vec::new(),
            mute: false,
            unanswered: VecDeque::new(),
            closing: BTreeMap::new(),
            transport,
            pending: BTreeSet::new(),
            answers: BTreeMap::new(),
            progress: BTreeSet::new(),
            progressed: 0,
            next_id: 1,
            ended: false,
            killed: false,
        }
    }

    /// The handshake; gives what the server can do.
    pub fn initialize(&mut self, folders: &[String], options: Value) -> Value {
        let folders: Vec<_> =
            folders.iter().map(|uri| json!({"uri": uri, "name": name(uri)})).collect();
        let folders = if folders.is_empty() { Value::Null } else { Value::Array(folders) };
        let params = json!({
            "processId": null, "rootUri": null, "capabilities": self.capabilities.0,
            "workspaceFolders": folders, "initializationOptions": options,
        });
        self.shake_hands(params)
    }

    /// The handshake with the parameters of `initialize` as they are.
    pub fn shake_hands(&mut self, params: Value) -> Value {
        self.server = self.ask("initialize", params);
        let encoding = self.server.pointer("/capabilities/positionEncoding");
        let encoding = encoding.and_then(Value::as_str).unwrap_or("utf-16");
        self.encoding = Encoding::named(encoding);
        self.notify("initialized", json!({}));
        self.server.clone()
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request, to be waited for.
    pub fn send_request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.pending.insert(id);
        let mut request = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            request["params"] = params;
        }
        self.send(&request);
        id
    }

    /// Waits for the response to a request.
    pub fn wait(&mut self, id: i64) -> Answer {
        self.until(&format!("the response to request {id}"), |client| client.answers.remove(&id))
    }

    /// Sends a request and waits for its response.
    pub fn request(&mut self, method: &str, params: Value) -> Answer {
        let id = self.send_request(method, params);
        self.until(&format!("the response to {method}"), |client| client.answers.remove(&id))
    }

    /// Sends a request that must succeed, and gives its result.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// Sends a request that must fail, and gives the error.
    pub fn fail(&mut self, method: &str, params: Value) -> RpcError {
        match self.request(method, params) {
            Ok(result) => panic!("{method} succeeded: {result:#}"),
            Err(error) => error,
        }
    }

    /// Sends a message as it is.
    pub fn send(&mut self, message: &Value) {
        self.send_bytes(frame(message));
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) {
        self.transport.send(bytes);
    }

    /// Waits until something is there.
    pub fn until<T>(&mut self, what: &str, mut found: impl FnMut(&mut Client) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(value) = found(self) {
                return value;
            }
            let left = LIMIT.checked_sub(start.elapsed());
            if !left.is_some_and(|left| self.pump(left)) {
                panic!("waited {LIMIT:?} in vain for {what}");
            }
        }
    }

    /// Waits until the server has registered for what it wants to hear of, and was given the
    /// settings where the client has them: what it asks after `initialized` is behind it then.
    pub fn set_up(&mut self) {
        self.until("the registrations and the settings", |client| {
            let given =
                client.settings_given > 0 || !client.capabilities.has("/workspace/configuration");
            (client.registered.len() == 2 && given).then_some(())
        });
    }

    /// Waits until the server has asked for the settings once more.
    pub fn asked_for_settings(&mut self) {
        let before = self.settings_given;
        self.until("a question for settings", |client| {
            (client.settings_given > before).then_some(())
        });
    }

    /// The next warning that the server shows.
    pub fn next_shown(&mut self) -> String {
        self.until("a message for the user", |client| client.shown.pop_front())
    }

    /// Answers whatever the server asked while the client was mute.
    pub fn speak(&mut self) {
        self.mute = false;
        while let Some(request) = self.unanswered.pop_front() {
            self.answer(&request);
        }
    }

    /// Waits until the server asks for something while the client is mute.
    pub fn asked(&mut self, method: &str) {
        self.until(&format!("{method} from the server"), |client| {
            client.unanswered.iter().find(|request| request["method"] == method).map(|_| ())
        });
    }

    /// How many edits the server has asked for while the client is mute.
    pub fn unanswered_edits(&self) -> usize {
        let edits = self.unanswered.iter();
        edits.filter(|request| request["method"] == "workspace/applyEdit").count()
    }

    /// Ends the server as the protocol has it, its input held open; gives the exit code.
    pub fn shut_down(&mut self) -> i32 {
        self.ask("shutdown", Value::Null);
        self.exit()
    }

    /// Says `exit` and waits for the end, the server's input held open; gives the exit code.
    pub fn exit(&mut self) -> i32 {
        self.ended = true;
        self.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
        self.transport.ended(LIMIT).expect("the server does not end after `exit`")
    }

    /// Hangs up without a word; gives the exit code.
    pub fn hang_up(&mut self) -> i32 {
        self.ended = true;
        self.transport.close_input();
        self.transport.ended(LIMIT).expect("the server does not end when its input does")
    }
}

impl Client {
    /// Ends the server at once, which is a process of its own.
    pub fn kill(mut self) {
        self.transport.kill();
        (self.ended, self.killed) = (true, true);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        if !self.ended {
            assert_eq!(self.shut_down(), 0, "the exit code after `shutdown`");
        }
        self.drain();
        assert!(self.answers.is_empty(), "responses that nobody read: {:?}", self.answers);
        assert!(self.shown.is_empty(), "messages that nobody read: {:?}", self.shown);
    }
}

fn name(uri: &str) -> &str {
    uri.rsplit('/').next().unwrap_or_default()
}
