//! Requests: which handler answers which, and what each has to wait for.

use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::Uri;

use super::State;
use crate::lsp::context::{Context, content_modified};
use crate::lsp::event::{Query, Reply};
use crate::lsp::handlers::diagnostics;
use crate::lsp::reviews::Job;

/// What a request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// The text alone.
    Text,
    /// The review of the text as it is.
    Review,
}

impl State {
    pub(super) fn answer(&mut self, query: Query) {
        match query {
            Query::Diagnostic(params, reply) => {
                let uri = params.text_document.uri.clone();
                self.read(&uri, Needs::Review, reply, move |context| {
                    diagnostics::pull(context, &params)
                });
            }
            _ => {}
        }
    }

    /// Answers a request about a document on a blocking thread, from what is there now.
    fn read<T: Send + 'static>(
        &mut self,
        uri: &Uri,
        needs: Needs,
        reply: Reply<T>,
        work: impl FnOnce(&Context) -> Result<T> + Send + 'static,
    ) {
        let Some(context) = self.context(uri) else {
            let _ = reply.send(Err(Error::invalid_params("the document is not open")));
            return;
        };
        let job: Job = Box::new(move |context| match context {
            Ok(context) => run(context, reply, work),
            Err(error) => {
                let _ = reply.send(Err(error));
            }
        });
        match self.slot(uri) {
            Some(slot) if needs == Needs::Review && !slot.is_settled() => slot.wait(job),
            _ => job(Ok(context)),
        }
    }
}

/// Works on a blocking thread, unless the client has cancelled, and answers only for the version
/// that was asked about.
fn run<T: Send + 'static>(
    context: Context,
    reply: Reply<T>,
    work: impl FnOnce(&Context) -> Result<T> + Send + 'static,
) {
    tokio::task::spawn_blocking(move || {
        if reply.is_closed() {
            return;
        }
        let answer = work(&context);
        let current = context.is_current();
        let _ = reply.send(if current {
            answer
        } else {
            Err(content_modified("the document has changed"))
        });
    });
}

#[allow(dead_code)]
type Json = Value;
