//! The way to the model: one request to an OpenAI-compatible server, within its time and size.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, ClientBuilder, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::profile::Endpoint;
use super::prompt::Prompt;
use super::reason::Reason;

/// How long it may take until there is a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// How long to wait before a connection is tried again.
const PAUSE: Duration = Duration::from_millis(100);
/// How large an answer may be.
const LARGEST: usize = 8 << 20;

/// A client that goes where it is told and nowhere else: no proxy of the environment, no redirect.
///
/// # Errors
/// Where the system gives no client at all.
pub fn client() -> reqwest::Result<Client> {
    // Somebody else in the process may have chosen before; that choice is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    builder().build().or_else(|_| {
        // A model on this computer needs none.
        tracing::warn!("the system has no certificates, so no https server can be trusted");
        builder().tls_certs_only([]).build()
    })
}

fn builder() -> ClientBuilder {
    Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        // A server may close a connection that it has kept, without a word, as the next request goes
        // into it; beside a model's answer, a new one costs nothing.
        .pool_max_idle_per_host(0)
        .connect_timeout(CONNECT)
        .user_agent(concat!("operator-lsp/", env!("CARGO_PKG_VERSION")))
}

/// What the model says.
///
/// # Errors
/// Why it says nothing, or nothing to the end.
pub async fn complete(
    client: &Client,
    endpoint: &Endpoint,
    prompt: &Prompt,
) -> Result<String, Reason> {
    let asked = async {
        let mut body = body(endpoint, prompt);
        let mut response = send(client, endpoint, &body).await?;
        // Some servers do not know this member, and say so; nothing was worked on then.
        if matches!(response.status().as_u16(), 400 | 422) {
            if is_too_long(&receive(response).await.unwrap_or_default()) {
                return Err(Reason::LongerThanItsContext);
            }
            body.as_object_mut().map(|body| body.remove(RESPONSE_FORMAT));
            response = send(client, endpoint, &body).await?;
        }
        if !response.status().is_success() {
            return Err(Reason::Refused(response.status().as_u16()));
        }
        content(&receive(response).await?)
    };
    tokio::time::timeout(endpoint.timeout, asked).await.unwrap_or(Err(Reason::Timeout))
}

const RESPONSE_FORMAT: &str = "response_format";

fn body(endpoint: &Endpoint, prompt: &Prompt) -> Value {
    let mut body = json!({
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ],
        "max_tokens": endpoint.max_tokens,
        "temperature": endpoint.temperature,
        "stream": false,
        (RESPONSE_FORMAT): {"type": "json_object"},
    });
    if let Some(model) = &endpoint.model {
        body["model"] = json!(model);
    }
    body
}

/// Sends it, and once more where no connection came about: then nobody has seen it.
async fn send(client: &Client, endpoint: &Endpoint, body: &Value) -> Result<Response, Reason> {
    let once = || {
        let mut request = client.post(endpoint.url.clone());
        request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        if let Some(authorization) = &endpoint.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        request.send()
    };
    let sent = match once().await {
        Err(error) if error.is_connect() => {
            tokio::time::sleep(PAUSE).await;
            once().await
        }
        sent => sent,
    };
    sent.map_err(|error| if error.is_connect() { Reason::Unreachable } else { Reason::Broken })
}

/// The body, and no more of it than shows that it is too large.
async fn receive(mut response: Response) -> Result<Vec<u8>, Reason> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Reason::Broken)? {
        if bytes.len() + chunk.len() > LARGEST {
            return Err(Reason::Broken);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Whether an error says that the prompt is longer than the context: in the words of OpenAI and of
/// those who follow it, and of llama.cpp.
fn is_too_long(body: &[u8]) -> bool {
    let said: Value = serde_json::from_slice(body).unwrap_or_default();
    let words = ["code", "type"].map(|name| said["error"][name].as_str().unwrap_or_default());
    words.iter().any(|it| ["context_length_exceeded", "exceed_context_size_error"].contains(it))
}

/// A completion, as much of it as matters here.
#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    finish_reason: Option<String>,
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

/// The text of a completion that came to its end. Some servers do not say why one ended.
fn content(body: &[u8]) -> Result<String, Reason> {
    let completion: Completion = serde_json::from_slice(body).map_err(|_| Reason::NotAProposal)?;
    let choice = completion.choices.into_iter().next().ok_or(Reason::NotAProposal)?;
    match choice.finish_reason.as_deref() {
        Some("stop") | None => choice.message.content.ok_or(Reason::NotAProposal),
        Some("length") => Err(Reason::Truncated),
        Some(_) => Err(Reason::Stopped),
    }
}
