//! The protocol's methods; each sends its event before anything else and does nothing more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, InitializeParams, InitializeResult, InitializedParams,
};

use super::event::{Event, Reply};
use super::handlers;
use super::newer;
use super::programs::Programs;
use super::requests::{ParamsOf, Request, ResultOf, requests};

/// How long a server that is to end waits for reviews, and for what is written of them. A slow disk
/// does not keep an editor open.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The server as the transport sees it.
pub struct Backend {
    events: UnboundedSender<Event>,
    programs: Arc<Programs>,
    /// Whether the client asks for the text of documents.
    asks_for_content: AtomicBool,
}

impl Backend {
    /// A server whose events go to `events`.
    pub fn new(events: UnboundedSender<Event>, programs: Arc<Programs>) -> Backend {
        Backend { events, programs, asks_for_content: AtomicBool::default() }
    }

    fn tell(&self, event: Event) {
        if self.events.send(event).is_err() {
            tracing::error!("the main loop has ended");
        }
    }

    /// Becomes ready once the main loop has taken in everything before.
    pub fn reached(&self) -> oneshot::Receiver<()> {
        let (reply, reached) = oneshot::channel();
        self.tell(Event::Reached(reply));
        reached
    }

    /// Ends the programs, and waits until the ledger has all that the client has told: what the reviews
    /// that are due find in it, too. Waits no longer than [`SETTLE_TIMEOUT`].
    pub async fn end(&self) {
        self.programs.stop();
        let (reply, settled) = oneshot::channel();
        self.tell(Event::Ending(reply));
        // An error says that the main loop has ended.
        let _ = tokio::time::timeout(SETTLE_TIMEOUT, settled).await;
    }

    /// Sends the request's event before the returned future is made, which keeps the order of
    /// arrival.
    pub fn ask<R: Request>(
        &self,
        params: ParamsOf<R>,
    ) -> impl Future<Output = Result<ResultOf<R>>> + Send + use<R> {
        self.wait(|reply| R::event(params, reply))
    }

    fn wait<T: Send, F>(&self, event: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        F: FnOnce(Reply<T>) -> Event,
    {
        let (reply, answer) = oneshot::channel();
        self.tell(event(reply));
        async { answer.await.unwrap_or_else(|_| Err(Error::internal_error())) }
    }

    /// Whether a client that sends these parameters of `initialize` asks for the text of
    /// documents, which the library's types of them do not say.
    pub fn asks_for_content(&self, params: Option<&Value>) -> bool {
        let asks = newer::asks_for_content(params);
        self.asks_for_content.store(asks, Ordering::Relaxed);
        asks
    }

    /// `textDocument/didChange`. The transport calls this and not the service, which drops a
    /// notification with malformed parameters: the server's text would differ from the client's.
    pub fn changed(&self, params: Option<&Value>) {
        let Some(params) = params else { return };
        if let Ok(change) = DidChangeTextDocumentParams::deserialize(params) {
            return self.tell(Event::Changed(change));
        }
        tracing::warn!("a change could not be read");
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        if let Some(uri) = uri.and_then(|uri| uri.parse().ok()) {
            self.tell(Event::Unreadable(uri));
        }
    }
}

macro_rules! forward {
    (
        protocol { $($method:ident: $module:ident::$handler:ident,)* }
        extensions { $($extensions:tt)* }
    ) => {
        $(async fn $method(
            &self,
            params: ParamsOf<handlers::$module::$handler>,
        ) -> Result<ResultOf<handlers::$module::$handler>> {
            self.ask::<handlers::$module::$handler>(params).await
        })*
    };
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let asks_for_content = self.asks_for_content.load(Ordering::Relaxed);
        let event = |reply| Event::Initialize(Box::new(params), asks_for_content, reply);
        self.wait(event).await
    }

    async fn initialized(&self, _: InitializedParams) {
        self.tell(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        self.end().await;
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.tell(Event::Opened(params.text_document));
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.tell(Event::Saved(params.text_document.uri));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.tell(Event::Closed(params.text_document.uri));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.tell(Event::SettingsPushed(params.settings));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.tell(Event::Folders(params.event));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.tell(Event::Files(params.changes));
    }

    requests!(forward);
}
