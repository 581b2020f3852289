//! Answers that are errors: a status, a word for programs and a sentence for people.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};

use crate::edit_ops::{NotARequest, Place};

/// How many seconds a client is asked to wait where there is too much to do.
const WAIT: &str = "2";

/// An answer with this JSON, which nobody is to keep.
pub fn json(status: StatusCode, body: &impl Serialize) -> Response {
    // Types of our own with text for keys can always be written.
    let body = serde_json::to_vec(body).unwrap_or_default();
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    with(&mut response, CONTENT_TYPE, "application/json");
    with(&mut response, CACHE_CONTROL, "no-store");
    response
}

fn with(response: &mut Response, name: HeaderName, value: &'static str) {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
}

fn error(status: StatusCode, code: &str, message: &str) -> Response {
    json(status, &json!({"error": {"code": code, "message": message}}))
}

/// Nothing is at this path.
pub fn not_found() -> Response {
    let message = "there is nothing here; edits are asked for with POST /api/v1/editor/edit-ops";
    error(StatusCode::NOT_FOUND, "not_found", message)
}

/// Something is, and not for this method.
pub fn method_not_allowed() -> Response {
    let message = "this method is not for this path; `allow` says which is";
    error(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
}

/// The token is missing or wrong.
pub fn unauthorized() -> Response {
    let message = "send `authorization: Bearer` with the token of this service";
    let mut response = error(StatusCode::UNAUTHORIZED, "unauthorized", message);
    with(&mut response, WWW_AUTHENTICATE, "Bearer");
    response
}

/// A page in a browser that has no business here.
pub fn forbidden() -> Response {
    let message = "without a token this service answers only to this computer, and to no page of \
                   another origin";
    error(StatusCode::FORBIDDEN, "forbidden", message)
}

/// The body is larger than `limit` bytes.
pub fn too_large(limit: usize) -> Response {
    let message = format!("a request has at most {limit} bytes");
    error(StatusCode::PAYLOAD_TOO_LARGE, "too_large", &message)
}

/// The body did not arrive.
pub fn incomplete() -> Response {
    error(StatusCode::REQUEST_TIMEOUT, "incomplete", "the request did not arrive in time")
}

/// The body is not said to be JSON.
pub fn unsupported_media_type() -> Response {
    let message = "send `content-type: application/json`";
    error(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
}

/// The body is not a request.
pub fn not_a_request(wrong: &NotARequest) -> Response {
    let mut found = json!({"code": "not_a_request", "message": wrong.to_string()});
    match &wrong.place {
        Place::Pointer(pointer) => found["pointer"] = Value::from(pointer.as_str()),
        Place::Line(line, column) => {
            found["line"] = Value::from(*line);
            found["column"] = Value::from(*column);
        }
    }
    json(StatusCode::UNPROCESSABLE_ENTITY, &json!({ "error": found }))
}

/// As many requests as there may be are being answered.
pub fn busy() -> Response {
    let message = "too many requests are being answered; try again in a moment";
    let mut response = error(StatusCode::SERVICE_UNAVAILABLE, "busy", message);
    with(&mut response, RETRY_AFTER, WAIT);
    response
}
