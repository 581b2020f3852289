//! Stands between the transport and the server: sees what the transport keeps from it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use serde::Deserialize;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::jsonrpc::Request;
use tower_lsp::ls_types::{DidChangeTextDocumentParams, Uri};
use tower_service::Service;

use super::event::Event;

/// The transport drops a notification whose parameters have the wrong form. For a change of a
/// document that would leave a text that is not the client's; the guard says so in its place. And
/// it hears `shutdown` and `exit`, whatever else the transport is still waiting for.
pub struct Guard<S> {
    inner: S,
    events: UnboundedSender<Event>,
    goodbye: Arc<Goodbye>,
}

/// What the client has said about the end.
#[derive(Default)]
pub struct Goodbye {
    /// Whether it has asked for a `shutdown`.
    pub shut_down: AtomicBool,
    /// Told when it says `exit`.
    pub exit: Notify,
}

impl<S> Guard<S> {
    /// The service behind a guard that notes in `goodbye` what the client says about the end.
    pub fn new(inner: S, events: UnboundedSender<Event>, goodbye: Arc<Goodbye>) -> Guard<S> {
        Guard { inner, events, goodbye }
    }
}

impl<S: Service<Request>> Service<Request> for Guard<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> S::Future {
        if let Some(uri) = unreadable_change(&request) {
            tracing::warn!("a change could not be read");
            // A main loop that has ended has nothing to be told.
            let _ = self.events.send(Event::Unreadable(uri));
        }
        match request.method() {
            "shutdown" => self.goodbye.shut_down.store(true, Ordering::Release),
            "exit" => self.goodbye.exit.notify_one(),
            _ => {}
        }
        self.inner.call(request)
    }
}

/// The document that a change without the right form is about.
fn unreadable_change(request: &Request) -> Option<Uri> {
    if request.method() != "textDocument/didChange" {
        return None;
    }
    let params = request.params()?;
    if DidChangeTextDocumentParams::deserialize(params).is_ok() {
        return None;
    }
    params.get("textDocument")?.get("uri")?.as_str()?.parse().ok()
}
