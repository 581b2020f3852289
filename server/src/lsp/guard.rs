//! Stands between the transport and the server: sees what the transport keeps from it.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use serde::Deserialize;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::jsonrpc::{Error, Request, Response};
use tower_lsp::ls_types::{DidChangeTextDocumentParams, Uri};
use tower_service::Service;

use super::event::Event;
use super::frames::UNREADABLE;

/// The transport drops a notification whose parameters have the wrong form. For a change of a
/// document that would leave a text that is not the client's; the guard says so in its place. And
/// it hears `shutdown` and `exit`, whatever else the transport is still waiting for.
pub struct Guard<S> {
    inner: S,
    events: UnboundedSender<Event>,
    goodbye: Arc<Goodbye>,
    /// While `initialize` or `shutdown` is not answered: who waits for that.
    answering: Arc<Mutex<Option<Waker>>>,
}

/// What a call comes to.
type Answer<S> = Result<<S as Service<Request>>::Response, <S as Service<Request>>::Error>;

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
        Guard { inner, events, goodbye, answering: Arc::default() }
    }
}

impl<S> Service<Request> for Guard<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Answer<S>> + Send>>;

    /// What a client sends before `initialize` or `shutdown` is answered waits for the answer:
    /// an `exit` sent along with it would keep the client from ever seeing one.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        let mut waiting = self.answering.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waker) = waiting.as_mut() {
            *waker = context.waker().clone();
            return Poll::Pending;
        }
        drop(waiting);
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
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
        // The transport takes every `$/` for a notification, and leaves a request without an answer.
        let unknown = request.method().starts_with("$/") && request.method() != UNREADABLE;
        if let Some(id) = request.id().filter(|_| unknown) {
            let answer = Response::from_error(id.clone(), Error::method_not_found());
            return Box::pin(std::future::ready(Ok(Some(answer))));
        }
        let first = matches!(request.method(), "initialize" | "shutdown");
        let answer = self.inner.call(request);
        if !first {
            return Box::pin(answer);
        }
        *self.answering.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Waker::noop().clone());
        let answering = self.answering.clone();
        Box::pin(async move {
            let answer = answer.await;
            let mut waiting = answering.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(waker) = waiting.take() {
                waker.wake();
            }
            answer
        })
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
