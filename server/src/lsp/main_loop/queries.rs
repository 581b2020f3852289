//! Requests: which handler answers which, and what each has to wait for.

use std::time::Duration;

use operator_core::limits::Cancel;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    SemanticTokensRangeResult, SemanticTokensResult, Uri,
};

use super::State;
use crate::lsp::context::{Context, content_modified};
use crate::lsp::custom::FingerprintParams;
use crate::lsp::event::{Event, Query, Reply};
use crate::lsp::handlers::{
    code_actions, code_lens, completion, definition, diagnostics, fingerprint, folding, hover,
    inlay_hints, links, preview, proposals, semantic_tokens, structure, symbols,
};
use crate::lsp::reviews::{Job, Needs};

/// How long what can be answered without a review waits for one.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

impl State {
    pub(super) fn answer(&mut self, query: Query) {
        use Needs::{Review, ReviewSoon, Scan};
        use Query as Q;
        match query {
            Q::Diagnostic(params, reply) => self.diagnostic(*params, reply),
            Q::CodeAction(params, reply) => self.code_actions(*params, reply),
            Q::ResolveCodeAction(action, reply) => self.resolve(*action, reply),
            Q::ExecuteCommand(params, reply) => self.execute(*params, reply),
            Q::WorkspaceSymbol(params, reply) => self.search(params.query, reply),
            Q::Fingerprint(params, reply) => self.fingerprint(*params, reply),
            Q::Structure(request, reply) => {
                let (site, session) = (self.sites.of_path(request.path()), self.session.clone());
                blocking(reply, move || structure::structure(&site, &session, &request));
            }
            Q::EditOps(params, reply) => self.edit_ops(*params, reply),
            Q::CodeLens(params, reply) => {
                self.read(&params.text_document.uri, Review, reply, code_lens::lenses);
            }
            Q::Hover(params, reply) => {
                let uri = params.text_document_position_params.text_document.uri.clone();
                self.read(&uri, Review, reply, move |context| hover::hover(context, &params));
            }
            Q::Completion(params, reply) => {
                let uri = params.text_document_position.text_document.uri.clone();
                self.read(&uri, Scan, reply, move |c| completion::completion(c, &params));
            }
            Q::Definition(params, reply) => {
                let uri = params.text_document_position_params.text_document.uri.clone();
                self.read(&uri, Scan, reply, move |c| definition::definition(c, &params));
            }
            Q::DocumentLink(params, reply) => {
                self.read(&params.text_document.uri, Scan, reply, links::links);
            }
            Q::DocumentSymbol(params, reply) => {
                self.read(&params.text_document.uri, ReviewSoon, reply, symbols::of_document);
            }
            Q::FoldingRange(params, reply) => {
                self.read(&params.text_document.uri, Scan, reply, folding::folding);
            }
            Q::SemanticTokens(params, reply) => {
                self.read(&params.text_document.uri, Scan, reply, |context| {
                    let tokens = semantic_tokens::tokens(context, None)?;
                    Ok(tokens.map(SemanticTokensResult::Tokens))
                });
            }
            Q::SemanticTokensRange(params, reply) => {
                let uri = params.text_document.uri.clone();
                self.read(&uri, Scan, reply, move |context| {
                    let tokens = semantic_tokens::tokens(context, Some(params.range))?;
                    Ok(tokens.map(SemanticTokensRangeResult::Tokens))
                });
            }
            Q::InlayHint(params, reply) => {
                let uri = params.text_document.uri.clone();
                self.read(&uri, Review, reply, move |c| inlay_hints::hints(c, &params));
            }
            Q::Proposals(params, reply) => {
                self.read_open(&params.text_document.uri, reply, proposals::proposals);
            }
            Q::Preview(params, reply) => {
                let block = params.block;
                self.read_open(&params.text_document.uri, reply, move |context| {
                    preview::preview(context, block)
                });
            }
        }
    }

    fn diagnostic(
        &mut self,
        params: DocumentDiagnosticParams,
        reply: Reply<DocumentDiagnosticReportResult>,
    ) {
        let uri = params.text_document.uri.clone();
        let empty = DocumentDiagnosticReport::Full(Default::default());
        let work = move |context: &Context| diagnostics::pull(context, &params);
        self.read_then(&uri, Needs::Review, reply, Ok(empty.into()), work, send);
    }

    fn code_actions(
        &mut self,
        params: tower_lsp::ls_types::CodeActionParams,
        reply: Reply<Option<tower_lsp::ls_types::CodeActionResponse>>,
    ) {
        let uri = params.text_document.uri.clone();
        let events = self.events.clone();
        let work = move |context: &Context| {
            let (actions, offered) = code_actions::actions(context, &params)?;
            if let Some(events) = events.upgrade()
                && !offered.is_empty()
            {
                let _ = events.send(Event::Offered(offered));
            }
            Ok(actions)
        };
        self.read(&uri, Needs::Review, reply, work);
    }

    fn resolve(
        &mut self,
        action: tower_lsp::ls_types::CodeAction,
        reply: Reply<tower_lsp::ls_types::CodeAction>,
    ) {
        if action.data.is_none() {
            // It is whole as it is.
            let _ = reply.send(Ok(action));
            return;
        }
        let about = match code_actions::argument(&action) {
            Ok(about) => about,
            Err(error) => {
                let _ = reply.send(Err(error));
                return;
            }
        };
        let events = self.events.clone();
        let missing = Err(content_modified("the transcript is not open any more"));
        let work = move |context: &Context| {
            let resolved = code_actions::resolve(context, action)?;
            if let Some(events) = events.upgrade() {
                let sent = resolved.sent.map(|sent| Event::Resolved(Box::new(sent)));
                let fact = resolved.fact.map(|fact| Event::Told(Box::new(fact)));
                sent.into_iter().chain(fact).for_each(|event| _ = events.send(event));
            }
            Ok(resolved.action)
        };
        self.read_then(&about.uri, Needs::Review, reply, missing, work, send);
    }

    fn fingerprint(&mut self, params: FingerprintParams, reply: Reply<serde_json::Value>) {
        let site = self.sites.of(&params.uri);
        let open = self.documents.get(&params.uri).map(|entry| entry.document.snapshot().clone());
        blocking(reply, move || fingerprint::fingerprint(&site, &params.uri, open.as_deref()));
    }

    /// Answers a request of the protocol's; one about a document that is not open with nothing.
    fn read<T: Send + 'static>(
        &mut self,
        uri: &Uri,
        needs: Needs,
        reply: Reply<Option<T>>,
        work: impl FnOnce(&Context) -> Result<Option<T>> + Send + 'static,
    ) {
        self.read_then(uri, needs, reply, Ok(None), work, send);
    }

    /// Answers a request of our own; one about a document that is not open is an error.
    fn read_open<T: Send + 'static>(
        &mut self,
        uri: &Uri,
        reply: Reply<T>,
        work: impl FnOnce(&Context) -> Result<T> + Send + 'static,
    ) {
        let missing = Err(Error::invalid_params("the document is not open"));
        self.read_then(uri, Needs::Review, reply, missing, work, send);
    }

    /// Works on a blocking thread, from what is there now or once the review is done, and hands
    /// the result on.
    pub(super) fn read_then<T: Send + 'static, R: Send + 'static>(
        &mut self,
        uri: &Uri,
        needs: Needs,
        reply: Reply<R>,
        missing: Result<R>,
        work: impl FnOnce(&Context) -> Result<T> + Send + 'static,
        then: impl FnOnce(Result<T>, Reply<R>) + Send + 'static,
    ) {
        let Some(context) = self.context(uri) else {
            let _ = reply.send(missing);
            return;
        };
        let job: Job = Box::new(move |context| match context {
            Ok(context) => run(context, reply, work, then),
            Err(error) => then(Err(error), reply),
        });
        let holds = match needs {
            // Where the scan has failed there is none to wait for.
            Needs::Scan => context.scanned.is_some() || self.is_settled(uri),
            Needs::Review | Needs::ReviewSoon => self.is_settled(uri),
        };
        if holds {
            return job(Ok(context));
        }
        let number = self.number();
        if needs == Needs::ReviewSoon {
            self.remind(Some(uri.clone()), number);
        }
        if let Some(slot) = self.slot(uri) {
            slot.wait(needs, number, job);
        }
    }

    /// Has [`Event::Overdue`] come with this number after a while.
    pub(super) fn remind(&self, uri: Option<Uri>, number: u64) {
        let events = self.events.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            if let Some(events) = events.upgrade() {
                let _ = events.send(Event::Overdue { uri, number });
            }
        });
    }

    /// A request has waited long enough for a review: what is found in the text has to do.
    pub(super) fn overdue(&mut self, uri: Option<&Uri>, number: u64) {
        let Some(uri) = uri else { return self.search_now(number) };
        let Some(slot) = self.slot(uri) else { return };
        slot.give_up_review(number);
        if self.context(uri).is_some_and(|context| context.scanned.is_some()) {
            self.let_scans_go(uri);
        }
    }
}

fn send<T>(answer: Result<T>, reply: Reply<T>) {
    // Nobody listens any more where the client has cancelled.
    let _ = reply.send(answer);
}

pub(super) fn blocking<T: Send + 'static>(
    reply: Reply<T>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) {
    tokio::task::spawn_blocking(move || {
        if !reply.is_closed() {
            send(work(), reply);
        }
    });
}

/// Works on a blocking thread until the client has cancelled or the document is another, and
/// answers only for the version that was asked about.
fn run<T: Send + 'static, R: Send + 'static>(
    mut context: Context,
    mut reply: Reply<R>,
    work: impl FnOnce(&Context) -> Result<T> + Send + 'static,
    then: impl FnOnce(Result<T>, Reply<R>) + Send + 'static,
) {
    if reply.is_closed() {
        return;
    }
    let cancel = Cancel::new();
    context.limits.cancel = cancel.clone();
    let mut unchanged = context.unchanged.clone();
    let outrun = || content_modified("the document has changed");
    let working = tokio::task::spawn_blocking(move || {
        let answer = if context.is_current() { work(&context) } else { Err(outrun()) };
        if context.is_current() { answer } else { Err(outrun()) }
    });
    tokio::spawn(async move {
        tokio::select! {
            biased;
            // The sender goes when the text does.
            _ = unchanged.changed() => {
                cancel.cancel();
                then(Err(outrun()), reply);
            }
            () = reply.closed() => cancel.cancel(),
            // What has failed leaves the request without an answer, which is an error by itself.
            answer = working => if let Ok(answer) = answer { then(answer, reply) },
        }
    });
}
