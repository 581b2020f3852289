//! What comes from the server: sorted, answered, and never let through unexpected.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Answer, Client, Incoming, OnEdit, Published, RpcError};

impl Client {
    /// Takes one message in; says whether one came in time.
    pub(super) fn pump(&mut self, limit: Duration) -> bool {
        match self.transport.incoming.recv_timeout(limit) {
            Ok(Incoming::Message(message)) => {
                self.take(&message);
                true
            }
            Ok(Incoming::Broken(_)) if self.killed => false,
            Ok(Incoming::Broken(what)) => panic!("the server sent {what}"),
            Ok(Incoming::End) => {
                assert!(self.ended, "the server ended without being asked to");
                false
            }
            Err(_) => false,
        }
    }

    /// Takes in what is there already, without waiting for more.
    pub fn drain(&mut self) {
        while self.pump(Duration::from_millis(0)) {}
    }

    fn take(&mut self, message: &Value) {
        assert_eq!(message["jsonrpc"], "2.0", "{message:#}");
        let has = |name: &str| message.get(name).is_some();
        match (has("method"), has("id")) {
            (true, true) if self.mute => self.unanswered.push_back(message.clone()),
            (true, true) => self.answer(message),
            (true, false) => self.hear(message["method"].as_str().unwrap(), &message["params"]),
            (false, _) => self.take_response(message),
        }
    }

    fn take_response(&mut self, message: &Value) {
        let Some(id) = message["id"].as_i64() else {
            // What cannot be read has no id; the answer to it has none either.
            assert!(message["id"].is_null() && message.get("error").is_some(), "{message:#}");
            self.answers.insert(NO_ID, answer(message));
            return;
        };
        assert!(self.pending.remove(&id), "a response to nothing: {message:#}");
        self.answers.insert(id, answer(message));
    }

    /// Waits for the answer to something that has no id because it could not be read.
    pub fn answer_without_id(&mut self) -> RpcError {
        let answer = self.until("an error without an id", |client| client.answers.remove(&NO_ID));
        answer.unwrap_err()
    }

    fn hear(&mut self, method: &str, params: &Value) {
        let text = |name: &str| params[name].as_str().unwrap_or_default().to_owned();
        match method {
            "textDocument/publishDiagnostics" => self.hear_diagnostics(params),
            "operator/proposalsChanged" => {
                self.counts.insert(text("uri"), params.clone());
            }
            "window/showMessage" => {
                let message = text("message");
                if !self.ignored.is_some_and(|part| message.contains(part)) {
                    self.shown.push_back(message);
                }
            }
            "window/logMessage" => self.logged.push(text("message")),
            "$/progress" => self.hear_progress(params),
            _ => panic!("an unexpected notification: {method} {params:#}"),
        }
    }

    fn hear_diagnostics(&mut self, params: &Value) {
        assert!(!self.capabilities.pulls(), "diagnostics are pulled by this client, and pushed");
        let uri = params["uri"].as_str().unwrap().to_owned();
        let version = params["version"].as_i64();
        let items = params["diagnostics"].as_array().unwrap().clone();
        if let Some(closed) = self.closing.get_mut(&uri) {
            if version.is_none() && items.is_empty() {
                *closed -= 1;
                if *closed == 0 {
                    self.closing.remove(&uri);
                    self.published.insert(uri, Published { version, items });
                }
            }
            return;
        }
        let document = self.documents.get(&uri);
        let document = document.unwrap_or_else(|| panic!("it is not open: {params:#}"));
        // A client that is out of step may count backwards.
        let now = document.version.max(document.opened);
        assert!(version <= Some(now), "diagnostics of a version to come: {params:#}");
        let last = self.published.get(&uri).and_then(|published| published.version);
        let cleared = version.is_none() && items.is_empty();
        let newer = cleared || version >= last || version == Some(document.version);
        assert!(newer, "diagnostics go back: {params:#}");
        self.published.insert(uri, Published { version, items });
    }

    fn hear_progress(&mut self, params: &Value) {
        let token = params["token"].to_string();
        match params["value"]["kind"].as_str() {
            Some("end") => {
                assert!(self.progress.remove(&token), "an end without a beginning");
                self.progressed += 1;
            }
            _ => assert!(self.progress.contains(&token), "progress without a token: {params:#}"),
        }
    }

    /// Answers a request of the server's as it was declared.
    pub(super) fn answer(&mut self, request: &Value) {
        let (method, params) = (request["method"].as_str().unwrap(), &request["params"]);
        let result = match method {
            "workspace/configuration" => {
                self.declared("/workspace/configuration");
                self.settings_given += 1;
                let settings = self.settings.clone();
                let items = params["items"].as_array().unwrap();
                let value = |item: &Value| match item["section"].as_str() {
                    Some("operator") => settings.clone(),
                    _ => panic!("settings that are not ours: {params:#}"),
                };
                Value::Array(items.iter().map(value).collect())
            }
            "client/registerCapability" => self.register(params),
            "workspace/applyEdit" => self.asked_for_edit(params),
            "window/showMessageRequest" => self.asked_to_choose(params),
            "window/workDoneProgress/create" => {
                self.declared("/window/workDoneProgress");
                self.progress.insert(params["token"].to_string());
                Value::Null
            }
            "window/showDocument" => {
                self.declared("/window/showDocument/support");
                self.opened.push(params["uri"].as_str().unwrap().to_owned());
                json!({"success": true})
            }
            "workspace/textDocumentContent/refresh" => {
                self.declared("/workspace/textDocumentContent");
                self.outdated.push(params["uri"].as_str().unwrap().to_owned());
                Value::Null
            }
            refresh if refresh.ends_with("/refresh") => {
                // The one name that the protocol spells in two ways.
                let what = match refresh.rsplit('/').nth(1).unwrap() {
                    "diagnostic" => "diagnostics",
                    what => what,
                };
                self.declared(&format!("/workspace/{what}/refreshSupport"));
                *self.refreshes.entry(what.to_owned()).or_default() += 1;
                Value::Null
            }
            _ => panic!("an unexpected request: {request:#}"),
        };
        self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    fn asked_to_choose(&mut self, params: &Value) -> Value {
        self.declared("/window/showMessage");
        let words = params["actions"].as_array().unwrap().iter();
        let words: Vec<_> = words.map(|action| action["title"].as_str().unwrap()).collect();
        let choice = self.choice.clone();
        let choice = choice.unwrap_or_else(|| panic!("a question: {params:#}"));
        assert!(words.contains(&choice.as_str()), "{choice} is none of {words:?}");
        let message = params["message"].as_str().unwrap();
        self.questions.push(format!("{message}\n[{}]", words.join("] [")));
        json!({"title": choice})
    }

    fn register(&mut self, params: &Value) -> Value {
        for registration in params["registrations"].as_array().unwrap() {
            let method = registration["method"].as_str().unwrap();
            self.declared(&format!("/{method}/dynamicRegistration"));
            let options = registration["registerOptions"].clone();
            self.registered.insert(method.to_owned(), options);
        }
        Value::Null
    }

    fn asked_for_edit(&mut self, params: &Value) -> Value {
        self.declared("/workspace/applyEdit");
        match self.on_edit.clone() {
            OnEdit::Fail => panic!("an edit that nobody asked for: {params:#}"),
            OnEdit::Refuse(reason) => json!({"applied": false, "failureReason": reason}),
            OnEdit::RefuseAt(step) => {
                json!({"applied": false, "failedChange": step, "failureReason": "it is locked"})
            }
            OnEdit::ChangeFirst(step) => {
                let mut edit = params["edit"].clone();
                edit["documentChanges"].as_array_mut().unwrap().truncate(1);
                self.apply(&edit).unwrap();
                let why = "the second file is locked";
                json!({"applied": false, "failedChange": step, "failureReason": why})
            }
            OnEdit::Pretend => json!({"applied": true}),
            OnEdit::Apply => match self.apply(&params["edit"]) {
                Ok(()) => json!({"applied": true}),
                Err(reason) => json!({"applied": false, "failureReason": reason}),
            },
        }
    }

    fn declared(&self, pointer: &str) {
        assert!(self.capabilities.has(pointer), "the server asks for what is not there: {pointer}");
    }
}

const NO_ID: i64 = -1;

fn answer(message: &Value) -> Answer {
    match message.get("error") {
        None => Ok(message["result"].clone()),
        Some(error) => Err(RpcError {
            code: error["code"].as_i64().unwrap(),
            message: error["message"].as_str().unwrap().to_owned(),
        }),
    }
}
