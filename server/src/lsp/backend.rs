//! The protocol's methods; each sends its event before anything else and does nothing more.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use super::custom::{BlockParams, DocumentParams, FingerprintParams};
use super::event::{Event, Query, Reply};
use super::programs::Programs;

/// The server as the transport sees it.
pub struct Backend {
    events: UnboundedSender<Event>,
    programs: Arc<Programs>,
}

impl Backend {
    /// A server whose events go to `events`.
    pub fn new(events: UnboundedSender<Event>, programs: Arc<Programs>) -> Backend {
        Backend { events, programs }
    }

    fn tell(&self, event: Event) {
        if self.events.send(event).is_err() {
            tracing::error!("the main loop has ended");
        }
    }

    /// Sends the event before the returned future is made, so that the order of arrival holds.
    fn ask<T, F>(&self, event: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send,
        F: FnOnce(Reply<T>) -> Event,
    {
        let (reply, answer) = oneshot::channel();
        self.tell(event(reply));
        async { answer.await.unwrap_or_else(|_| Err(Error::internal_error())) }
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

    /// `operator/proposals`
    pub async fn proposals(&self, params: DocumentParams) -> Result<Value> {
        self.ask(|reply| Event::Query(Query::Proposals(Box::new(params), reply))).await
    }

    /// `operator/preview`
    pub async fn preview(&self, params: BlockParams) -> Result<Value> {
        self.ask(|reply| Event::Query(Query::Preview(Box::new(params), reply))).await
    }

    /// `operator/fingerprint`
    pub async fn fingerprint(&self, params: FingerprintParams) -> Result<Value> {
        self.ask(|reply| Event::Query(Query::Fingerprint(Box::new(params), reply))).await
    }

    /// `operator/structure`
    pub async fn structure(&self, params: operator_core::structure::Request) -> Result<Value> {
        self.ask(|reply| Event::Query(Query::Structure(Box::new(params), reply))).await
    }

    /// `operator/editOps`
    pub async fn edit_ops(&self, params: Value) -> Result<Value> {
        self.ask(|reply| Event::Query(Query::EditOps(Box::new(params), reply))).await
    }
}

macro_rules! forward {
    ($($method:ident($params:ty) -> $result:ty => $query:ident;)*) => {
        $(async fn $method(&self, params: $params) -> Result<$result> {
            self.ask(|reply| Event::Query(Query::$query(Box::new(params), reply))).await
        })*
    };
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        self.ask(|reply| Event::Initialize(Box::new(params), reply)).await
    }

    async fn initialized(&self, _: InitializedParams) {
        self.tell(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        self.programs.stop();
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

    forward! {
        diagnostic(DocumentDiagnosticParams) -> DocumentDiagnosticReportResult => Diagnostic;
        code_action(CodeActionParams) -> Option<CodeActionResponse> => CodeAction;
        code_action_resolve(CodeAction) -> CodeAction => ResolveCodeAction;
        code_lens(CodeLensParams) -> Option<Vec<CodeLens>> => CodeLens;
        hover(HoverParams) -> Option<Hover> => Hover;
        completion(CompletionParams) -> Option<CompletionResponse> => Completion;
        goto_definition(GotoDefinitionParams) -> Option<GotoDefinitionResponse> => Definition;
        document_link(DocumentLinkParams) -> Option<Vec<DocumentLink>> => DocumentLink;
        document_symbol(DocumentSymbolParams) -> Option<DocumentSymbolResponse> => DocumentSymbol;
        symbol(WorkspaceSymbolParams) -> Option<WorkspaceSymbolResponse> => WorkspaceSymbol;
        folding_range(FoldingRangeParams) -> Option<Vec<FoldingRange>> => FoldingRange;
        semantic_tokens_full(SemanticTokensParams) -> Option<SemanticTokensResult>
            => SemanticTokens;
        semantic_tokens_range(SemanticTokensRangeParams) -> Option<SemanticTokensRangeResult>
            => SemanticTokensRange;
        inlay_hint(InlayHintParams) -> Option<Vec<InlayHint>> => InlayHint;
        execute_command(ExecuteCommandParams) -> Option<Value> => ExecuteCommand;
    }
}
