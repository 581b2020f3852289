//! Requests: what each of them says about itself, and the list of all.

use operator_core::limits::Cancel;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{ServerCapabilities, Uri, request};
use tower_lsp::{LspServiceBuilder, jsonrpc};

use super::backend::Backend;
use super::capabilities::ResolvedClientCapabilities;
use super::context::{Context, content_modified};
use super::event::{Event, Reply};
use super::handlers;
use super::reviews::{Job, Needs, Unavailable};

/// Calls a macro with every request but `initialize` and `shutdown`: those of the protocol, each
/// after the name of its method in [`tower_lsp::LanguageServer`], then those that only this server
/// has. Each is a type in a file of `handlers/`.
macro_rules! requests {
    ($with:ident) => {
        $with! {
            protocol {
                diagnostic: diagnostics::Handler,
                code_action: code_actions::Handler,
                code_action_resolve: code_actions::ResolveHandler,
                code_lens: code_lens::Handler,
                hover: hover::Handler,
                completion: completion::Handler,
                goto_definition: definition::Handler,
                document_link: links::Handler,
                document_symbol: symbols::Handler,
                symbol: symbols::WorkspaceHandler,
                folding_range: folding::Handler,
                semantic_tokens_full: semantic_tokens::Handler,
                semantic_tokens_range: semantic_tokens::RangeHandler,
                inlay_hint: inlay_hints::Handler,
                execute_command: commands::Handler,
            }
            extensions {
                proposals::Handler,
                preview::Handler,
                preview_document::Handler,
                fingerprint::Handler,
                structure::Handler,
                edit_ops::Handler,
                #[cfg(test)] toy::Handler,
            }
        }
    };
}
pub(super) use requests;

macro_rules! functions {
    (
        protocol { $($method:ident: $module:ident::$handler:ident,)* }
        extensions { $($(#[$when:meta])* $own_module:ident::$own:ident,)* }
    ) => {
        /// Adds what each request of the protocol lets the client know.
        pub fn advertise(client: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
            $(<handlers::$module::$handler as Request>::advertise(client, server);)*
        }

        /// Registers the requests that the library does not know.
        pub fn register(mut builder: LspServiceBuilder<Backend>) -> LspServiceBuilder<Backend> {
            $($(#[$when])* {
                type Own = handlers::$own_module::$own;
                let ask = async |backend: &Backend, params: ParamsOf<Own>| {
                    backend.ask::<Own>(params).await
                };
                builder = builder.custom_method(method::<Own>(), ask);
            })*
            builder
        }

        /// The methods of the requests that the library does not know.
        #[cfg(test)]
        pub fn extensions() -> Vec<&'static str> {
            vec![$($(#[$when])* method::<handlers::$own_module::$own>()),*]
        }
    };
}
requests!(functions);

/// The parameters of a request.
pub type ParamsOf<R> = <<R as Request>::Protocol as request::Request>::Params;
/// The result of a request.
pub type ResultOf<R> = <<R as Request>::Protocol as request::Request>::Result;

/// A request of a client.
pub trait Request: 'static {
    /// Its method, and the types of its parameters and its result.
    type Protocol: request::Request;

    /// Sets what the client reads in the answer to `initialize`.
    fn advertise(_client: &ResolvedClientCapabilities, _server: &mut ServerCapabilities) {}

    /// The event by which the main loop learns of it.
    fn event(params: ParamsOf<Self>, reply: Reply<ResultOf<Self>>) -> Event;
}

/// A request that only reads one open document, on a thread of its own.
pub trait DocumentRequest: 'static {
    /// Its method, and the types of its parameters and its result.
    type Protocol: request::Request;

    /// What must be known of the document before [`DocumentRequest::handle`] is called.
    const NEEDS: Needs;

    /// Sets what the client reads in the answer to `initialize`.
    fn advertise(_client: &ResolvedClientCapabilities, _server: &mut ServerCapabilities) {}

    /// The document that it is about.
    fn document(params: &<Self::Protocol as request::Request>::Params) -> &Uri;

    /// The result.
    ///
    /// # Errors
    /// Those that the client is to see.
    fn handle(
        context: &Context,
        params: &<Self::Protocol as request::Request>::Params,
    ) -> Result<<Self::Protocol as request::Request>::Result>;

    /// The result for a document that is not open: an error, if nothing else is said.
    ///
    /// # Errors
    /// Invalid parameters.
    fn not_open() -> Result<<Self::Protocol as request::Request>::Result> {
        Err(Error::invalid_params("the document is not open"))
    }
}

impl<R: DocumentRequest> Request for R {
    type Protocol = <R as DocumentRequest>::Protocol;

    fn advertise(client: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        <R as DocumentRequest>::advertise(client, server);
    }

    fn event(params: ParamsOf<R>, reply: Reply<ResultOf<R>>) -> Event {
        let uri = R::document(&params).clone();
        let work = move |context: &Context| R::handle(context, &params);
        Event::Read(Read::new(uri, R::NEEDS, reply, R::not_open(), work, send))
    }
}

/// The method of a request.
fn method<R: Request>() -> &'static str {
    <R::Protocol as request::Request>::METHOD
}

/// Work on one document, without the types of parameters and result.
pub struct Read {
    /// The document.
    pub uri: Uri,
    /// What must be known of it first.
    pub needs: Needs,
    /// What then starts the work, or answers where the document is not open or has changed.
    pub job: Job,
}

impl Read {
    /// Work whose result `then` passes on; `not_open` is the answer where the document is not open.
    pub fn new<T: Send + 'static, R: Send + 'static>(
        uri: Uri,
        needs: Needs,
        reply: Reply<R>,
        not_open: Result<R>,
        work: impl FnOnce(&Context) -> Result<T> + Send + 'static,
        then: impl FnOnce(Result<T>, Reply<R>) + Send + 'static,
    ) -> Read {
        let job: Job = Box::new(move |context| match context {
            Ok(context) => run(context, reply, work, then),
            Err(Unavailable::NotOpen) => send(not_open, reply),
            Err(Unavailable::Changed) => then(Err(outdated()), reply),
        });
        Read { uri, needs, job }
    }
}

/// Answers a request.
pub fn send<T>(answer: jsonrpc::Result<T>, reply: Reply<T>) {
    // The client may have cancelled it.
    let _ = reply.send(answer);
}

/// Answers a request on a thread where it may take long.
pub fn spawn_blocking<T: Send + 'static>(
    reply: Reply<T>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) {
    tokio::task::spawn_blocking(move || {
        if !reply.is_closed() {
            send(work(), reply);
        }
    });
}

fn outdated() -> Error {
    content_modified("the document has changed")
}

/// Works on a thread where it may take long, until the client cancels or the document changes; the
/// answer is always about the version that was asked about.
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
    let working = tokio::task::spawn_blocking(move || {
        let answer = if context.is_current() { work(&context) } else { Err(outdated()) };
        if context.is_current() { answer } else { Err(outdated()) }
    });
    tokio::spawn(async move {
        tokio::select! {
            biased;
            // The sender is dropped when the text changes.
            _ = unchanged.changed() => {
                cancel.cancel();
                then(Err(outdated()), reply);
            }
            () = reply.closed() => cancel.cancel(),
            // Where the work has panicked, the dropped reply becomes an error.
            answer = working => if let Ok(answer) = answer { then(answer, reply) },
        }
    });
}
