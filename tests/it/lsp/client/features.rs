//! What tests ask for most, and how it reads.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Client, Published};

impl Client {
    /// `operator/proposals`
    pub fn proposals(&mut self, uri: &str) -> Vec<Value> {
        let params = json!({"textDocument": {"uri": uri}});
        self.ask("operator/proposals", params).as_array().unwrap().clone()
    }

    /// The blocks of a transcript with their status, a line each.
    pub fn statuses(&mut self, uri: &str) -> String {
        let mut lines = String::new();
        for (index, block) in self.proposals(uri).iter().enumerate() {
            let word = |name: &str| block[name].as_str().unwrap_or("?").to_owned();
            writeln!(lines, "{index} {}: {}", word("status"), word("summary")).unwrap();
        }
        lines
    }

    /// The answer about a place of a document: so many bytes into the first text of that kind.
    pub fn ask_at(&mut self, method: &str, uri: &str, needle: &str, into: usize) -> Value {
        let found = self.text(uri).find(needle);
        let found = found.unwrap_or_else(|| panic!("{needle:?} is not there"));
        self.ask_about(method, uri, found + into)
    }

    /// The answer about an offset of a document, in bytes.
    fn ask_about(&mut self, method: &str, uri: &str, offset: usize) -> Value {
        let at = super::position(self.text(uri), offset, self.encoding);
        self.ask(method, json!({"textDocument": {"uri": uri}, "position": at}))
    }

    /// What completion offers at an offset of a document, in bytes.
    pub fn offers(&mut self, uri: &str, offset: usize) -> Vec<Value> {
        let answer = self.ask_about("textDocument/completion", uri, offset);
        answer.get("items").unwrap_or(&answer).as_array().cloned().unwrap_or_default()
    }

    /// The labels of that.
    pub fn offered(&mut self, uri: &str, offset: usize) -> Vec<String> {
        let label = |item: &Value| item["label"].as_str().unwrap().to_owned();
        self.offers(uri, offset).iter().map(label).collect()
    }

    /// The diagnostics of a document as it is now, a line each: range, severity, code, message.
    pub fn expect_diagnostics(&mut self, uri: &str, expected: &str) {
        self.expect_diagnostics_but(uri, "nothing", expected);
    }

    /// The same without those of a code.
    pub fn expect_diagnostics_but(&mut self, uri: &str, code: &str, expected: &str) {
        let render = |items: &[Value]| {
            let others = items.iter().filter(|item| item["code"] != code);
            render(&others.cloned().collect::<Vec<_>>())
        };
        if self.capabilities.pulls() {
            let report = self.pull(uri, None);
            assert_eq!(render(report["items"].as_array().unwrap()), expected);
            return;
        }
        // What was under way before is done when this is answered.
        self.proposals(uri);
        let version = self.documents[uri].version;
        let start = std::time::Instant::now();
        let mut last = String::new();
        while start.elapsed() < super::LIMIT / 4 {
            if let Some(published) = self.published.get(uri)
                && self.is_current(published, version)
            {
                last = render(&published.items);
                if last == expected {
                    return;
                }
            }
            self.pump(super::LIMIT / 400);
        }
        assert_eq!(last, expected, "the diagnostics of {uri} at version {version}");
    }

    /// Waits until the first diagnostic of a document is of a code.
    pub fn expect_first(&mut self, uri: &str, code: &str) {
        self.until(&format!("{code} in {uri}"), |client| {
            let first = client.published.get(uri)?.items.first()?;
            (first["code"] == code).then_some(())
        });
    }

    /// The diagnostics of a document's present version, as they were published last.
    pub fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        if self.capabilities.pulls() {
            return self.pull(uri, None)["items"].as_array().unwrap().clone();
        }
        self.proposals(uri);
        let version = self.documents[uri].version;
        self.until(&format!("the diagnostics of {uri} at version {version}"), |client| {
            let published = client.published.get(uri)?;
            client.is_current(published, version).then(|| published.items.clone())
        })
    }

    fn is_current(&self, published: &Published, version: i64) -> bool {
        published.version.is_none_or(|published| published == version)
    }

    /// `textDocument/diagnostic`
    pub fn pull(&mut self, uri: &str, previous: Option<&str>) -> Value {
        let mut params = json!({"textDocument": {"uri": uri}, "identifier": "operator"});
        if let Some(previous) = previous {
            params["previousResultId"] = previous.into();
        }
        self.ask("textDocument/diagnostic", params)
    }

    /// The actions at a place, where `only` is not empty only those kinds.
    pub fn actions(&mut self, uri: &str, range: &Value, only: &[&str]) -> Vec<Value> {
        let near = self.diagnostics(uri);
        let touches = |diagnostic: &&Value| {
            let line = |value: &Value, end: &str| value[end]["line"].as_u64();
            line(&diagnostic["range"], "start") <= line(range, "end")
                && line(range, "start") <= line(&diagnostic["range"], "end")
        };
        let near: Vec<_> = near.iter().filter(touches).collect();
        let mut context = json!({"diagnostics": near});
        if !only.is_empty() {
            context["only"] = json!(only);
        }
        let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        let actions = self.ask("textDocument/codeAction", params);
        actions.as_array().cloned().unwrap_or_default()
    }

    /// The actions of a block.
    pub fn block_actions(&mut self, uri: &str, block: usize, only: &[&str]) -> Vec<Value> {
        let range = self.proposals(uri)[block]["range"].clone();
        self.actions(uri, &range, only)
    }

    /// The one action of a kind on a block.
    pub fn action(&mut self, uri: &str, block: usize, kind: &str) -> Value {
        let start = self.proposals(uri)[block]["range"]["start"].clone();
        let actions = self.actions(uri, &json!({"start": start, "end": start}), &[kind]);
        let mut actions = actions.into_iter().filter(|action| action["kind"] == kind);
        let action = actions.next().unwrap_or_else(|| panic!("no {kind} on block {block}"));
        assert!(actions.next().is_none(), "more than one {kind} on block {block}");
        action
    }

    /// Resolves an action, as the client does when the user chooses it.
    pub fn resolve(&mut self, action: Value) -> Result<Value, super::RpcError> {
        assert!(action["disabled"].is_null(), "{action:#}");
        let ours = self.capabilities.has("/textDocument/codeAction/resolveSupport");
        let theirs = "/capabilities/codeActionProvider/resolveProvider";
        let theirs = self.server.pointer(theirs) == Some(&json!(true));
        if action["edit"].is_null() && ours && theirs {
            self.request("codeAction/resolve", action)
        } else {
            Ok(action)
        }
    }

    /// Resolves an action, makes its edit, and then sends its command.
    pub fn take_action(&mut self, action: Value) {
        let action = self.resolve(action).unwrap();
        match action["edit"].is_null() {
            true => {
                assert!(!action["command"].is_null(), "an action that does nothing: {action:#}")
            }
            false => self.apply(&action["edit"]).unwrap(),
        }
        if !action["command"].is_null() {
            let command = action["command"].clone();
            let arguments = command["arguments"].clone();
            let params = json!({"command": command["command"], "arguments": arguments});
            self.ask("workspace/executeCommand", params);
        }
    }

    /// Takes the one action of a kind on a block.
    pub fn take_block_action(&mut self, uri: &str, block: usize, kind: &str) {
        let action = self.action(uri, block, kind);
        self.take_action(action);
    }

    /// Takes the action of that title at a block.
    pub fn take_titled(&mut self, uri: &str, block: usize, title: &str) {
        let actions = self.block_actions(uri, block, &["quickfix"]);
        let found = actions.iter().find(|action| action["title"] == title);
        let action = found.unwrap_or_else(|| panic!("no {title:?} in {}", titles(&actions)));
        self.take_action(action.clone());
    }

    /// Runs a command.
    pub fn command(&mut self, name: &str, argument: &Value) -> super::Answer {
        let arguments = if argument.is_null() { json!([]) } else { json!([argument]) };
        let params = json!({"command": name, "arguments": arguments});
        self.request("workspace/executeCommand", params)
    }

    /// The server's fingerprint of a document.
    pub fn fingerprint(&mut self, uri: &str) -> String {
        let answer = self.ask("operator/fingerprint", json!({"uri": uri}));
        answer["fingerprint"].as_str().unwrap().to_owned()
    }
}

/// The titles of actions, a line each, with why those are disabled that are.
pub fn titles(actions: &[Value]) -> String {
    let mut lines = String::new();
    for action in actions {
        let title = action["title"].as_str().unwrap();
        match action["disabled"]["reason"].as_str() {
            Some(reason) => writeln!(lines, "{title} [{reason}]").unwrap(),
            None => writeln!(lines, "{title}").unwrap(),
        }
    }
    lines
}

/// Diagnostics, a line each.
pub fn render(items: &[Value]) -> String {
    let mut lines = String::new();
    for item in items {
        assert_eq!(item["source"], "operator", "{item:#}");
        let at = |end: &str| {
            let position = &item["range"][end];
            format!("{}:{}", position["line"], position["character"])
        };
        let severity = ["error", "warning", "information", "hint"];
        let severity = severity[usize::try_from(item["severity"].as_u64().unwrap()).unwrap() - 1];
        let (code, message) = (item["code"].as_str().unwrap(), item["message"].as_str().unwrap());
        writeln!(lines, "{}-{} {severity} {code}: {message}", at("start"), at("end")).unwrap();
    }
    lines
}
