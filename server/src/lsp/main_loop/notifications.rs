//! What the client tells: documents, settings, folders, files.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use operator_core::dialect::Dialects;
use operator_core::fingerprint::Fingerprint;
use operator_core::path::FilePath;
use operator_core::text::Text;
use serde_json::Value;
use tokio::sync::watch;
use tower_lsp::ls_types::{
    DidChangeTextDocumentParams, FileEvent, InitializeParams, InitializeResult, Registration,
    ServerInfo, TextDocumentContentChangeEvent, TextDocumentItem, Uri, WorkspaceFolder,
    WorkspaceFoldersChangeEvent,
};

use super::shown::Since;
use super::{Entry, State, discard};
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::config::Config;
use crate::lsp::documents::Document;
use crate::lsp::event::Reply;
use crate::lsp::outbox::Refresh;
use crate::lsp::pending::Edits;
use crate::lsp::proto;
use crate::lsp::reviews::ReviewSlot;
use crate::lsp::server_capabilities::server_capabilities;
use crate::lsp::session::Session;
use crate::lsp::sites::Site;

/// How many files may change at once before all plans are made again.
const MANY: usize = 100;
/// How many bytes of a document are looked at, at most, for what the parts of one change lead to.
const MOST_SEEN: usize = 1 << 26;
/// How many bytes a transcript has at most that is known again once it is closed and renamed.
const BRIEF: usize = 1 << 20;

impl State {
    pub(super) fn initialize(
        &mut self,
        params: &InitializeParams,
        asks_for_content: bool,
        reply: Reply<InitializeResult>,
    ) {
        let name = params.client_info.as_ref().map_or("", |info| &info.name);
        let client = ResolvedClientCapabilities {
            document_content: asks_for_content,
            ..ResolvedClientCapabilities::new(&params.capabilities).known_as(name)
        };
        self.options = params.initialization_options.clone().unwrap_or_default();
        let (config, problems) = Config::new(&self.options);
        self.setting_problems = problems.iter().map(ToString::to_string).collect();
        self.folders = folders_of(params);
        self.setting_problems.extend(self.sites.reset(self.folders.clone(), &config));
        crate::lsp::logging::set(config.trace);
        self.session = Arc::new(Session::new(client, config, self.dialects));
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
        for problem in &self.setting_problems {
            self.outbox.warn(problem.clone());
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
            self.ask_settings();
        }
    }

    pub(super) fn opened(&mut self, item: TextDocumentItem) {
        let dialects = self.dialects(&item.language_id, &item.uri);
        let uri = item.uri.clone();
        let is_transcript = dialects.is_some();
        let document = Document::open(item, dialects);
        let text = document.snapshot().text.clone();
        let review = is_transcript.then(|| ReviewSlot::new(text.clone()));
        let entry = Entry {
            document,
            review,
            copied: Arc::default(),
            previews: HashMap::new(),
            unchanged: watch::Sender::new(()),
        };
        let original = is_transcript.then(|| self.original_of(&uri, &text)).flatten();
        if let Some(mut old) = self.documents.insert(uri.clone(), entry) {
            old.review.iter_mut().for_each(ReviewSlot::close);
            discard(old);
        }
        if let Some(original) = original {
            let site = self.sites.of(&uri);
            let [of, to] = [&original, &uri].map(crate::lsp::recorder::transcript);
            self.shelf(&site).copy_bases(&of, &to);
        }
        self.text_changed(&uri, Since::Opened);
        self.catch_up(&uri);
    }

    /// The transcript that one with this text was saved or renamed from: it has the same text, and is
    /// open or was closed just before.
    fn original_of(&self, uri: &Uri, text: &Text) -> Option<Uri> {
        let open = self.documents.iter().filter(|(it, entry)| *it != uri && entry.review.is_some());
        let mut open = open.filter(|(_, entry)| entry.document.snapshot().text == *text);
        let closed = || {
            let (closed, known) = self.closed.as_ref()?;
            (closed != uri && Some(*known) == brief(text)).then_some(closed)
        };
        open.next().map(|(it, _)| it).or_else(closed).cloned()
    }

    /// The dialects to look for in a document, as they are in the workspace that it sees.
    fn dialects(&mut self, language: &str, uri: &Uri) -> Option<Dialects> {
        let is_chat = self.documents.get(uri).is_some_and(|entry| entry.document.is_chat);
        let dialects = match is_chat {
            true => self.session.all_dialects()?,
            false => self.session.dialects(language, uri)?,
        };
        Some(dialects.at_home(self.sites.of(uri).home()))
    }

    pub(super) fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.clone();
        let next = self.next_version(&uri);
        let is_early = next.is_none_or(|next| params.text_document.version > next);
        if self.session.client.unordered && is_early {
            for lost in self.early.hold(params) {
                self.unreadable(&lost);
            }
            return;
        }
        self.change(params);
        self.catch_up(&uri);
    }

    /// Makes the changes that were held for what has come by now.
    fn catch_up(&mut self, uri: &Uri) {
        while let Some(next) = self.next_version(uri)
            && let Some(change) = self.early.take(uri, next)
        {
            self.change(change);
        }
    }

    /// The version that the next change of an open document leads to, where it counts by one.
    fn next_version(&self, uri: &Uri) -> Option<i32> {
        let entry = self.documents.get(uri)?;
        entry.document.snapshot().version.checked_add(1)
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        let Some(entry) = self.documents.get(&uri) else {
            tracing::warn!("a change came for a document that is not open");
            return;
        };
        let text = entry.document.snapshot().text.clone();
        self.keep_earlier(&uri, &text);
        let (version, changes) = (params.text_document.version, params.content_changes);
        // Some clients tell of an edit of ours together with what was typed right after it.
        let may_be_seen = |state: &Self| state.is_expected(&uri) || state.may_be_undone(&uri);
        if changes.len() > 1 && changes.len() * text.len() <= MOST_SEEN && may_be_seen(self) {
            for change in changes {
                self.change_text(&uri, version, vec![change]);
            }
        } else {
            self.change_text(&uri, version, changes);
        }
    }

    fn change_text(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        let encoding = self.session.encoding();
        let Some(entry) = self.documents.get_mut(uri) else { return };
        let edits = entry.document.change(version, changes, encoding);
        entry.edited(edits);
        self.text_changed(uri, Since::Changed);
    }

    pub(super) fn unreadable(&mut self, uri: &Uri) {
        let Some(entry) = self.documents.get_mut(uri) else { return };
        entry.document.lose_sync();
        entry.edited(Edits::default());
        self.text_changed(uri, Since::Changed);
    }

    pub(super) fn saved(&mut self, uri: &Uri) {
        self.sites.saved(uri);
        if self.mark_shown(uri, Since::Saved) {
            // The file may be another one before a review looks at it.
            if let Some(entry) = self.documents.get(uri) {
                let snapshot = entry.document.snapshot().clone();
                self.see(&snapshot);
            }
            self.target_changed(uri);
        }
        self.tell_unsaved(uri, Since::Saved);
        self.commit_saved();
        // Without watched files a save is the one sign that disk may have changed.
        if !self.session.client.register_watched_files {
            self.forget();
        }
    }

    pub(super) fn closed(&mut self, uri: &Uri) {
        self.early.forget(uri);
        self.write_bases(uri);
        let Some(mut entry) = self.documents.remove(uri) else { return };
        if entry.review.is_some() {
            let text = brief(&entry.document.snapshot().text);
            self.closed = text.map(|text| (uri.clone(), text));
            self.forget_answers(uri);
        }
        self.published.remove(uri);
        self.target_changed(uri);
        self.mark_shown(uri, Since::Closed);
        self.tell_unsaved(uri, Since::Closed);
        self.sites.take(uri);
        if let Some(slot) = &mut entry.review {
            slot.close();
            if !self.session.client.pull_diagnostics {
                self.outbox.publish(uri.clone(), Arc::default(), None);
            }
        }
        discard(entry);
        self.go_on_if_settled();
    }

    pub(super) fn settings_pushed(&mut self, settings: Value) {
        // A client that can be asked is: what it pushes may hold the whole tree or nothing.
        if self.session.client.configuration {
            self.ask_settings();
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

    fn ask_settings(&mut self) {
        self.settings_asked += 1;
        self.outbox.ask_settings(self.settings_asked);
    }

    /// The client's answer to a question for its settings; what was asked later may have been
    /// answered already.
    pub(super) fn settings_answered(&mut self, number: u64, settings: &Value) {
        if number > self.settings_answered {
            self.settings_answered = number;
            self.take_settings(settings);
        }
    }

    fn take_settings(&mut self, settings: &Value) {
        // Clients say the same more than once, above all when they start.
        let last = self.settings.replace(settings.clone());
        if self.setting_problems.is_empty() && last.as_ref() == Some(settings) {
            return;
        }
        let (config, problems) = Config::over(&self.options, settings);
        let mut problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        problems.extend(self.sites.reset(self.folders.clone(), &config));
        for problem in problems.iter().filter(|it| !self.setting_problems.contains(it)) {
            self.outbox.warn(problem.clone());
        }
        self.setting_problems = problems;
        crate::lsp::logging::set(config.trace);
        let (client, old) = (self.session.client.clone(), self.session.clone());
        let tokens = client.refresh_semantic_tokens;
        self.session = Arc::new(Session::new(client, config, self.dialects));
        self.scan_again(&old);
        if tokens {
            self.outbox.refresh(Refresh::SemanticTokens);
        }
    }

    /// Takes every document that is now looked at in another way as if it were opened now. The
    /// others keep their blocks, and with them what is known of each: its base, and whether it was
    /// applied.
    fn scan_again(&mut self, old: &Session) {
        let now = self.session.clone();
        let (old, now) = (&old.config, &now.config);
        let same = old.limits == now.limits && old.dialects == now.dialects;
        let known = self.documents.iter();
        let known = known.map(|(uri, it)| (uri.clone(), it.document.language_id().to_owned()));
        for (uri, language) in known.collect::<Vec<_>>() {
            let dialects = self.dialects(&language, &uri);
            let Some(entry) = self.documents.get_mut(&uri) else { continue };
            let ways = [dialects.as_ref(), entry.document.dialects()];
            let [next, last] = ways.map(|it| it.map(|it| (it.home(), it.are_of_a_chat())));
            if same && next == last {
                continue;
            }
            let is_transcript = dialects.is_some();
            entry.document.look_for(dialects);
            match (&mut entry.review, is_transcript) {
                (slot @ None, true) => {
                    let text = &entry.document.snapshot().text;
                    *slot = Some(ReviewSlot::new(text.clone()));
                }
                (slot @ Some(_), false) => {
                    slot.iter_mut().for_each(ReviewSlot::close);
                    discard(slot.take());
                    if !self.session.client.pull_diagnostics {
                        self.outbox.publish(uri.clone(), Arc::default(), None);
                    }
                }
                (Some(slot), true) => slot.pending.again(),
                (None, false) => {}
            }
            self.published.insert(uri.clone(), entry.document.snapshot().clone());
        }
        // Other rules hold for every block.
        let slots = self.documents.values().filter_map(|entry| entry.review.as_ref());
        slots.for_each(ReviewSlot::cancel_review);
        self.forget();
    }

    /// Takes a document for a chat, whatever its name and language.
    pub(super) fn is_chat(&mut self, uri: &Uri) -> bool {
        let Some(entry) = self.documents.get_mut(uri) else { return false };
        entry.document.is_chat = true;
        let session = self.session.clone();
        self.scan_again(&session);
        true
    }

    pub(super) fn folders_changed(&mut self, change: WorkspaceFoldersChangeEvent) {
        let gone: Vec<_> = paths(&change.removed).collect();
        self.folders.retain(|folder| !gone.contains(folder));
        for folder in paths(&change.added) {
            if !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
        let config = self.session.config.clone();
        for problem in self.sites.reset(self.folders.clone(), &config) {
            self.outbox.warn(problem);
        }
        let session = self.session.clone();
        self.scan_again(&session);
    }

    pub(super) fn files_changed(&mut self, changes: &[FileEvent]) {
        self.commit_saved();
        let all: Vec<_> = self.shelves.keys().cloned().collect();
        all.iter().for_each(|folders| self.look_at_unread(folders));
        if changes.len() > MANY {
            return self.forget();
        }
        changes.iter().for_each(|event| self.tell_unsaved(&event.uri, Since::Changed));
        let transcripts: Vec<Uri> = self.transcripts();
        for transcript in transcripts {
            let site = self.sites.of(&transcript);
            let files: Vec<_> = changes.iter().filter_map(|event| site.file(&event.uri)).collect();
            let Some(slot) = self.slot(&transcript) else { continue };
            files.iter().for_each(|file| slot.forget(file));
        }
    }

    /// Publishes a document as it is now, to every thread and to every transcript that it may be
    /// a target of.
    fn text_changed(&mut self, uri: &Uri, since: Since) {
        if let Some(entry) = self.documents.get(uri) {
            let snapshot = entry.document.snapshot().clone();
            self.published.insert(uri.clone(), snapshot.clone());
            self.sites.put(&snapshot);
            self.mark_shown(uri, since);
            self.note_shown(uri, &snapshot.text);
            self.see(&snapshot);
            // It may show what is on disk again, or what is not any more.
            if self.sites.with_file(uri).any(|(site, _)| site.workspace().has_told_any_unsaved()) {
                self.tell_unsaved(uri, Since::Changed);
            }
        }
        self.target_changed(uri);
    }

    /// Before a document changes: what is not reviewed yet was made for what is there now.
    fn keep_earlier(&mut self, changing: &Uri, text: &Text) {
        let files = self.sites.files_of(changing);
        for (transcript, entry) in self.documents.iter_mut().filter(|(uri, _)| *uri != changing) {
            let Some(slot) = &mut entry.review else { continue };
            if let Some(file) = files.to(transcript) {
                slot.keep_earlier(file, text, &entry.document.snapshot().text);
            }
        }
    }

    /// Whether a review is under way that may tell that changes of a document are undone.
    fn may_be_undone(&self, uri: &Uri) -> bool {
        let shelf_of = |site: &Site| self.shelves.get(site.folders());
        let mut slots = self.documents.values().filter_map(|entry| entry.review.as_ref());
        slots.any(|slot| slot.running.is_some())
            && self.sites.with_file(uri).any(|(site, file)| {
                shelf_of(site).is_some_and(|shelf| shelf.ledger().has_changed(file))
            })
    }

    /// A document shows another text while transcripts are reviewed that it may be a target of.
    fn note_shown(&mut self, uri: &Uri, text: &Text) {
        let files = self.sites.files_of(uri);
        for (transcript, entry) in &mut self.documents {
            if let (Some(slot), Some(file)) = (&mut entry.review, files.to(transcript)) {
                slot.note_shown(file, text);
            }
        }
    }

    /// Has the transcripts reviewed again that look at a document.
    fn target_changed(&mut self, changed: &Uri) {
        let files = self.sites.files_of(changed);
        for (transcript, entry) in &mut self.documents {
            let Some(slot) = &mut entry.review else { continue };
            if let Some(file) = files.to(transcript) {
                slot.forget(file);
            }
        }
    }

    pub(super) fn transcripts(&self) -> Vec<Uri> {
        let found = self.documents.iter().filter(|(_, entry)| entry.review.is_some());
        found.map(|(uri, _)| uri.clone()).collect()
    }

    /// A transcript of a workspace.
    pub(super) fn transcript_in(&self, folders: &[PathBuf]) -> Option<Uri> {
        self.transcripts_in(folders).into_iter().next()
    }

    /// The transcripts of a workspace.
    pub(super) fn transcripts_in(&self, folders: &[PathBuf]) -> Vec<Uri> {
        let is_in = |it: &Uri| self.sites.folders_of(it) == Some(folders);
        self.transcripts().into_iter().filter(is_in).collect()
    }

    /// Has every transcript reviewed again, since files or the kept ledger have changed on disk.
    pub(super) fn changed_on_disk(&mut self, files: &[FilePath]) {
        for slot in self.documents.values_mut().filter_map(|entry| entry.review.as_mut()) {
            slot.changed.extend(files.iter().cloned().map(Some));
            slot.dirty = true;
        }
    }

    /// Has every transcript reviewed again, and every plan made again.
    pub(super) fn forget(&mut self) {
        for slot in self.documents.values_mut().filter_map(|entry| entry.review.as_mut()) {
            slot.changed.insert(None);
            slot.dirty = true;
        }
    }
}

/// The fingerprint of a text that is not large.
fn brief(text: &Text) -> Option<Fingerprint> {
    (text.len() <= BRIEF).then(|| Fingerprint::of(text.to_string().as_bytes()))
}

/// The folders that the client names, by the newest way that it knows.
#[allow(deprecated, reason = "older clients name one folder only, by its URI or its path")]
fn folders_of(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = &params.workspace_folders {
        return paths(folders).collect();
    }
    let root = params.root_uri.as_ref().and_then(proto::path_of);
    root.or_else(|| params.root_path.as_ref().map(PathBuf::from)).into_iter().collect()
}

fn paths(folders: &[WorkspaceFolder]) -> impl Iterator<Item = PathBuf> + '_ {
    folders.iter().filter_map(|folder| proto::path_of(&folder.uri))
}
