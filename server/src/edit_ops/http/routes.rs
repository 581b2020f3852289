//! What there is to ask for, and what comes before an answer: access, form, room and size.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{Request as HttpRequest, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::json;
use tokio::sync::{Semaphore, SemaphorePermit, watch};

use super::access::{Access, Refusal};
use super::errors;
use crate::edit_ops::{Profile, REQUEST_BYTES, Request, Service};

/// How much of a request that is refused is taken all the same, in bytes, and for how long.
const MAX_DISCARDED: usize = 2 * REQUEST_BYTES;
const DISCARDING: Duration = Duration::from_secs(5);
/// How many bytes of all requests may be arriving at once.
pub const ARRIVING: usize = 8 * REQUEST_BYTES;
/// How long a request may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

const HEALTH: &str = "/healthz";
const EDIT_OPS: &str = "/api/v1/editor/edit-ops";

/// What every request is answered with.
pub struct Door {
    /// What answers.
    pub service: Service,
    /// The model.
    pub profile: Profile,
    /// Who may ask.
    pub access: Access,
    /// How many more may be answered at once.
    pub room: Semaphore,
    /// How many more bytes of requests may be arriving at once.
    pub arriving: Semaphore,
    /// Whether there is no time any more.
    pub ending: watch::Receiver<bool>,
}

/// The paths and what is there.
pub fn router(door: Arc<Door>) -> Router {
    Router::new()
        .route(HEALTH, get(health))
        .route(EDIT_OPS, post(edit_ops))
        .fallback(async || errors::not_found())
        .method_not_allowed_fallback(async || errors::method_not_allowed())
        .layer(from_fn_with_state(door.clone(), admit))
        .with_state(door)
}

/// Lets in who may ask; whether the service lives, anybody may who comes by the right name.
async fn admit(State(door): State<Arc<Door>>, request: HttpRequest, next: Next) -> Response {
    match door.access.check(request.headers()) {
        Err(Refusal::Forbidden) => errors::forbidden(),
        Err(Refusal::Unauthorized) if request.uri().path() != HEALTH => errors::unauthorized(),
        _ => next.run(request).await,
    }
}

/// That it lives; in eval mode also how many requests had which outcome.
async fn health(State(door): State<Arc<Door>>, headers: HeaderMap) -> Response {
    let mut body = json!({"status": "ok"});
    if door.profile.eval_mode && door.access.check(&headers).is_ok() {
        body["outcomes"] = door.service.outcomes().to_json();
    }
    errors::json(StatusCode::OK, &body)
}

async fn edit_ops(State(door): State<Arc<Door>>, request: HttpRequest) -> Response {
    if !is_json(request.headers()) {
        discard(request).await;
        return errors::unsupported_media_type();
    }
    if door.room.available_permits() == 0 {
        discard(request).await;
        return busy();
    }
    let request = match read(&door, request).await {
        Ok(request) => request,
        Err(response) => return response,
    };
    // Only now: a request that takes long to arrive keeps nobody else from being answered.
    let Ok(_room) = door.room.try_acquire() else { return busy() };
    let mut ending = door.ending.clone();
    let answer = tokio::select! {
        answer = door.service.answer(&door.profile, &request) => answer,
        _ = ending.wait_for(|ending| *ending) => Service::ending(&door.profile, &request),
    };
    errors::json(StatusCode::OK, &answer)
}

fn busy() -> Response {
    tracing::warn!("a request was turned away: too many are being answered");
    errors::busy()
}

/// Takes what is still to come, a part at a time: a client that is cut off while it sends may never
/// look at the answer. One that waits to be told to send is told by the answer.
async fn discard(request: HttpRequest) {
    if request.headers().contains_key(EXPECT) {
        return;
    }
    let mut body = request.into_body();
    let all = async {
        let mut left = MAX_DISCARDED;
        while let Some(Ok(frame)) = poll_fn(|task| Pin::new(&mut body).poll_frame(task)).await {
            left = left.saturating_sub(frame.data_ref().map_or(0, |part| part.len()));
            if left == 0 {
                return;
            }
        }
    };
    // Whoever takes longer is cut off.
    let _ = tokio::time::timeout(DISCARDING, all).await;
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// The whole body, and what it takes of the room for all that arrive. Only what is there takes
/// room: one that comes slowly takes little.
async fn arrive(
    door: &Door,
    mut body: Body,
) -> Result<(Vec<u8>, Option<SemaphorePermit<'_>>), Response> {
    let (mut bytes, mut taken) = (Vec::new(), None::<SemaphorePermit<'_>>);
    while let Some(frame) = poll_fn(|task| Pin::new(&mut body).poll_frame(task)).await {
        // It broke off, and nobody listens.
        let Ok(frame) = frame else { return Err(errors::incomplete()) };
        let Some(part) = frame.data_ref() else { continue };
        if bytes.len() + part.len() > REQUEST_BYTES {
            return Err(errors::too_large(REQUEST_BYTES));
        }
        let count = u32::try_from(part.len()).map_err(|_| errors::too_large(REQUEST_BYTES))?;
        let more = door.arriving.try_acquire_many(count).map_err(|_| busy())?;
        match &mut taken {
            Some(taken) => taken.merge(more),
            None => taken = Some(more),
        }
        bytes.extend_from_slice(part);
    }
    Ok((bytes, taken))
}

async fn read(door: &Door, request: HttpRequest) -> Result<Request, Response> {
    let stated = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let stated: Option<usize> = stated.and_then(|length| length.parse().ok());
    if stated.is_some_and(|length| length > REQUEST_BYTES) {
        discard(request).await;
        return Err(errors::too_large(REQUEST_BYTES));
    }
    let arriving = arrive(door, request.into_body());
    let (body, _arrived) = match tokio::time::timeout(BODY_TIMEOUT, arriving).await {
        Ok(body) => body?,
        Err(_) => return Err(errors::incomplete()),
    };
    Request::from_slice(&body).map_err(|wrong| {
        tracing::info!(bytes = body.len(), "what came is not an edit-ops request");
        errors::not_a_request(&wrong)
    })
}
