//! What the client tells: documents, settings, folders, files.

use std::sync::Arc;

use operator_core::snapshot::FilePath;
use serde_json::Value;
use tower_lsp::ls_types::{
    DidChangeTextDocumentParams, FileEvent, InitializeParams, InitializeResult, Registration,
    ServerInfo, TextDocumentItem, Uri, WorkspaceFoldersChangeEvent,
};

use super::{Entry, State};
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::config::Config;
use crate::lsp::documents::Document;
use crate::lsp::event::Reply;
use crate::lsp::proto;
use crate::lsp::reviews::{Note, ReviewSlot};
use crate::lsp::server_capabilities::server_capabilities;
use crate::lsp::session::Session;

impl State {
    pub(super) fn initialize(&mut self, params: &InitializeParams, reply: Reply<InitializeResult>) {
        let client = ResolvedClientCapabilities::new(&params.capabilities);
        let options = params.initialization_options.as_ref().unwrap_or(&Value::Null);
        let (config, problems) = Config::new(options);
        self.setting_problems =
            problems.into_iter().map(|p| format!("{}: {}", p.code, p.message)).collect();
        self.session = Arc::new(Session { client, config });
        let result = InitializeResult {
            capabilities: server_capabilities(&self.session.client),
            server_info: Some(ServerInfo {
                name: "operator-lsp".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            offset_encoding: None,
        };
        let _ = reply.send(Ok(result));
    }

    pub(super) fn initialized(&mut self) {
        for problem in std::mem::take(&mut self.setting_problems) {
            self.outbox.warn(problem);
        }
        let client = &self.session.client;
        let wanted = [
            (
                client.register_configuration,
                "workspace/didChangeConfiguration",
                serde_json::json!({"section": "operator"}),
            ),
            (
                client.register_watched_files,
                "workspace/didChangeWatchedFiles",
                serde_json::json!({"watchers": [{"globPattern": "**/*"}]}),
            ),
        ];
        let registrations: Vec<_> = wanted
            .into_iter()
            .filter(|(possible, _, _)| *possible)
            .map(|(_, method, options)| Registration {
                id: method.to_owned(),
                method: method.to_owned(),
                register_options: Some(options),
            })
            .collect();
        if !registrations.is_empty() {
            self.outbox.register(registrations);
        }
        if self.session.client.configuration {
            self.outbox.ask_settings();
        }
    }

    pub(super) fn opened(&mut self, item: TextDocumentItem) {
        let dialects = self.session.dialects(&item.language_id, &proto::file_name(&item.uri));
        let review = (!dialects.is_empty()).then(ReviewSlot::new);
        let uri = item.uri.clone();
        let document = Document::open(item, dialects, self.session.limits());
        if let Some(mut old) = self.documents.insert(uri.clone(), Entry { document, review })
            && let Some(slot) = &mut old.review
        {
            slot.turn_away();
        }
        self.publish_text(&uri);
    }

    pub(super) fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        let Some(entry) = self.documents.get_mut(&uri) else {
            tracing::warn!("a change came for a document that is not open");
            return;
        };
        entry.document.change(
            params.text_document.version,
            params.content_changes,
            self.session.encoding(),
            self.session.limits(),
        );
        if let Some(slot) = &mut entry.review {
            slot.dirty = true;
            slot.edited = true;
            slot.turn_away();
        }
        self.publish_text(&uri);
    }

    pub(super) fn saved(&mut self, _uri: &Uri) {
        // Without watched files a save is the one sign that disk may have changed.
        if !self.session.client.register_watched_files {
            self.forget(None);
        }
    }

    pub(super) fn closed(&mut self, uri: &Uri) {
        let Some(mut entry) = self.documents.remove(uri) else { return };
        self.published.remove(uri);
        if let Some(slot) = &mut entry.review {
            slot.turn_away();
            if !self.session.client.pull_diagnostics {
                self.outbox.publish(uri.clone(), Vec::new(), None);
            }
        }
    }

    pub(super) fn settings_pushed(&mut self, settings: Value) {
        // A client that can be asked is: what it pushes may hold the whole tree or nothing.
        if self.session.client.configuration {
            self.outbox.ask_settings();
            return;
        }
        match settings {
            Value::Object(mut map) => {
                let section = map.remove("operator").unwrap_or(Value::Object(map));
                self.take_settings(&section);
            }
            other => self.take_settings(&other),
        }
    }

    pub(super) fn take_settings(&mut self, settings: &Value) {
        let (config, problems) = Config::new(settings);
        for problem in problems {
            self.outbox.warn(format!("{}: {}", problem.code, problem.message));
        }
        let client = self.session.client.clone();
        self.session = Arc::new(Session { client, config });
        self.scan_again();
    }

    /// Takes every document as if it were opened now, by the settings as they are now.
    fn scan_again(&mut self) {
        for (uri, entry) in &mut self.documents {
            let language = entry.document.language_id().to_owned();
            let dialects = self.session.dialects(&language, &proto::file_name(uri));
            match (&mut entry.review, dialects.is_empty()) {
                (slot @ None, false) => *slot = Some(ReviewSlot::new()),
                (Some(_), true) => {
                    entry.review = None;
                    if !self.session.client.pull_diagnostics {
                        self.outbox.publish(uri.clone(), Vec::new(), None);
                    }
                }
                _ => {}
            }
            entry.document.rescan(dialects, self.session.limits());
            self.published.insert(uri.clone(), entry.document.snapshot().clone());
        }
        self.forget(None);
    }

    pub(super) fn folders_changed(&mut self, _change: WorkspaceFoldersChangeEvent) {
        self.forget(None);
    }

    pub(super) fn files_changed(&mut self, _changes: &[FileEvent]) {
        self.forget(None);
    }

    /// Has every transcript judged again; plans that looked at `file` (or any) are made again.
    pub(super) fn forget(&mut self, file: Option<&FilePath>) {
        for entry in self.documents.values_mut() {
            if let Some(slot) = &mut entry.review {
                slot.notes.push(Note::Forget(file.cloned()));
                slot.dirty = true;
            }
        }
    }

    fn publish_text(&mut self, uri: &Uri) {
        if let Some(entry) = self.documents.get(uri) {
            self.published.insert(uri.clone(), entry.document.snapshot().clone());
        }
    }
}
