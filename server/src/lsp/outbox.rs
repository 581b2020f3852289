//! Everything that is sent to the client; nobody else talks to it, and nobody waits for it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::{
    UnboundedReceiver, UnboundedSender, WeakUnboundedSender, unbounded_channel,
};
use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::request::{
    ApplyWorkspaceEdit, CodeLensRefresh, InlayHintRefreshRequest, RegisterCapability, Request,
    SemanticTokensRefresh, ShowDocument, ShowMessageRequest, WorkDoneProgressCreate,
    WorkspaceConfiguration, WorkspaceDiagnosticRefresh,
};
use tower_lsp::ls_types::{
    ApplyWorkspaceEditParams, ConfigurationItem, ConfigurationParams, Diagnostic, LogMessageParams,
    MessageActionItem, MessageType, NumberOrString, ProgressParams, ProgressParamsValue,
    ProgressToken, PublishDiagnosticsParams, Registration, RegistrationParams, ShowDocumentParams,
    ShowMessageParams, ShowMessageRequestParams, Uri, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, notification,
};

use super::event::Event;
use super::newer::{ContentParams, ContentRefresh};
use super::notifications_out::{ProposalCounts, ProposalsChanged, ProposalsChangedParams};

/// How many progress tokens were made.
static TOKENS: AtomicU64 = AtomicU64::new(0);
/// How long the client may take to answer what no person must look at.
const PROMPT: Duration = Duration::from_secs(30);
/// How long the client may take where a person may be asked.
const PATIENT: Duration = Duration::from_secs(600);

/// What the client can be asked to ask for again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// Diagnostics.
    Diagnostics,
    /// Code lenses.
    CodeLenses,
    /// Inlay hints.
    InlayHints,
    /// Semantic tokens.
    SemanticTokens,
}

/// Why the client has not made an edit.
pub struct NotMade {
    /// What it says.
    pub why: String,
    /// The index of the step that it could not make, where it says so.
    pub step: Option<usize>,
}

type Sending = Box<dyn FnOnce(Client) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// The way to the client.
#[derive(Clone)]
pub struct Outbox {
    client: Client,
    notifications: UnboundedSender<Sending>,
    newest: Arc<Mutex<Newest>>,
    events: WeakUnboundedSender<Event>,
}

/// The diagnostics that are to be sent, and the version that they are about.
type Newest = HashMap<Uri, (Arc<Vec<Diagnostic>>, Option<i32>)>;

fn lock(newest: &Mutex<Newest>) -> MutexGuard<'_, Newest> {
    newest.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Outbox {
    /// The way to `client`; answers come back through `events`. Must be made inside a runtime.
    pub fn new(client: Client, events: WeakUnboundedSender<Event>) -> Outbox {
        let (notifications, queue) = unbounded_channel();
        tokio::spawn(send_in_order(client.clone(), queue));
        Outbox { client, notifications, newest: Arc::default(), events }
    }

    /// Publishes the diagnostics of a document's version, in the place of those that a client which
    /// does not read has not been sent yet.
    pub fn publish(&self, uri: Uri, diagnostics: Arc<Vec<Diagnostic>>, version: Option<i32>) {
        let newest = self.newest.clone();
        if lock(&newest).insert(uri.clone(), (diagnostics, version)).is_some() {
            return;
        }
        let sending: Sending = Box::new(move |client| {
            let found = lock(&newest).remove(&uri);
            Box::pin(async move {
                let Some((diagnostics, version)) = found else { return };
                let diagnostics = diagnostics.as_ref().clone();
                let params = PublishDiagnosticsParams { uri, diagnostics, version };
                client.send_notification::<notification::PublishDiagnostics>(params).await;
            })
        });
        // The receiver ends with the runtime alone.
        let _ = self.notifications.send(sending);
    }

    /// Says how many proposals of a transcript are in which state.
    pub fn proposals_changed(&self, uri: Uri, counts: ProposalCounts) {
        self.notify::<ProposalsChanged>(ProposalsChangedParams { uri, counts });
    }

    /// Shows a person a warning, and logs it.
    pub fn warn(&self, message: String) {
        let typ = MessageType::WARNING;
        self.notify::<notification::LogMessage>(LogMessageParams { typ, message: message.clone() });
        self.notify::<notification::ShowMessage>(ShowMessageParams { typ, message });
    }

    /// Shows a person what was done, and logs it.
    pub fn show(&self, message: String) {
        let typ = MessageType::INFO;
        self.notify::<notification::ShowMessage>(ShowMessageParams {
            typ,
            message: message.clone(),
        });
        self.log(message);
    }

    /// Logs what was done.
    pub fn log(&self, message: String) {
        let typ = MessageType::INFO;
        self.notify::<notification::LogMessage>(LogMessageParams { typ, message });
    }

    /// Shows that something is being done until the result is dropped.
    pub fn progress(&self, title: String, token: Option<ProgressToken>) -> oneshot::Sender<()> {
        let (done, finished) = oneshot::channel();
        let client = self.client.clone();
        tokio::spawn(async move {
            let token = match token {
                Some(token) => token,
                None => {
                    let token = NumberOrString::String(format!(
                        "operator/{title}/{}",
                        TOKENS.fetch_add(1, Ordering::Relaxed)
                    ));
                    let create = WorkDoneProgressCreateParams { token: token.clone() };
                    let asked = client.send_request::<WorkDoneProgressCreate>(create);
                    if !matches!(tokio::time::timeout(PROMPT, asked).await, Ok(Ok(()))) {
                        return;
                    }
                    token
                }
            };
            let say = |value| {
                let value = ProgressParamsValue::WorkDone(value);
                let params = ProgressParams { token: token.clone(), value };
                client.send_notification::<notification::Progress>(params)
            };
            let begin = WorkDoneProgressBegin { title, ..Default::default() };
            say(WorkDoneProgress::Begin(begin)).await;
            let _ = finished.await;
            say(WorkDoneProgress::End(WorkDoneProgressEnd { message: None })).await;
        });
        done
    }

    /// Asks for registrations.
    pub fn register(&self, registrations: Vec<Registration>) {
        self.request::<RegisterCapability>(RegistrationParams { registrations }, PROMPT, |_| None);
    }

    /// Asks for the settings, which come back as [`Event::Settings`] with this number.
    pub fn ask_settings(&self, number: u64) {
        let item = ConfigurationItem { scope_uri: None, section: Some("operator".to_owned()) };
        let params = ConfigurationParams { items: vec![item] };
        self.request::<WorkspaceConfiguration>(params, PROMPT, move |answer| {
            let settings = answer.ok()?.into_iter().next()?;
            Some(Event::Settings { number, settings })
        });
    }

    /// Asks for an edit; whether it was made comes back as the event that `answered` makes.
    pub fn apply_edit(
        &self,
        params: ApplyWorkspaceEditParams,
        answered: impl FnOnce(Result<(), NotMade>) -> Event + Send + 'static,
    ) {
        self.request::<ApplyWorkspaceEdit>(params, PATIENT, |answer| {
            Some(answered(match answer {
                Ok(response) if response.applied => Ok(()),
                Ok(response) => Err(NotMade {
                    why: response
                        .failure_reason
                        .unwrap_or_else(|| "the editor did not apply the edit".to_owned()),
                    step: response.failed_change.and_then(|step| step.try_into().ok()),
                }),
                Err(why) => Err(NotMade { why, step: None }),
            }))
        });
    }

    /// Asks a person to choose one of some words; what was chosen comes back as the event that
    /// `answered` makes.
    pub fn choose(
        &self,
        message: String,
        words: &[&str],
        answered: impl FnOnce(Result<Option<String>, String>) -> Event + Send + 'static,
    ) {
        let action = |word: &&str| MessageActionItem {
            title: (*word).to_owned(),
            properties: Default::default(),
        };
        let actions = Some(words.iter().map(action).collect());
        let params = ShowMessageRequestParams { typ: MessageType::WARNING, message, actions };
        self.request::<ShowMessageRequest>(params, PATIENT, |answer| {
            Some(answered(answer.map(|chosen| chosen.map(|item| item.title))))
        });
    }

    /// Asks the client to ask for something again.
    pub fn refresh(&self, what: Refresh) {
        match what {
            Refresh::Diagnostics => self.ask_again::<WorkspaceDiagnosticRefresh>(),
            Refresh::CodeLenses => self.ask_again::<CodeLensRefresh>(),
            Refresh::InlayHints => self.ask_again::<InlayHintRefreshRequest>(),
            Refresh::SemanticTokens => self.ask_again::<SemanticTokensRefresh>(),
        }
    }

    /// Asks the client to ask again for the text of a document.
    pub fn refresh_content(&self, uri: Uri) {
        self.request::<ContentRefresh>(ContentParams { uri }, PROMPT, |_| None);
    }

    /// Asks the client to show a person a document.
    pub fn show_document(&self, uri: Uri) {
        let params =
            ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
        self.request::<ShowDocument>(params, PROMPT, |_| None);
    }

    fn ask_again<R: Request<Params = (), Result = ()> + Send + 'static>(&self) {
        self.request::<R>((), PROMPT, |_| None);
    }

    fn notify<N>(&self, params: N::Params)
    where
        N: Notification + 'static,
        N::Params: Send + 'static,
    {
        let sending: Sending = Box::new(move |client| {
            Box::pin(async move { client.send_notification::<N>(params).await })
        });
        // The receiver ends with the runtime alone.
        let _ = self.notifications.send(sending);
    }

    /// Sends a request in a task of its own; a late or failed answer is one, too.
    fn request<R>(
        &self,
        params: R::Params,
        limit: Duration,
        answered: impl FnOnce(Result<R::Result, String>) -> Option<Event> + Send + 'static,
    ) where
        R: Request + Send + 'static,
        R::Params: Send + 'static,
        R::Result: Send + 'static,
    {
        let client = self.client.clone();
        let events = self.events.clone();
        tokio::spawn(async move {
            let answer = tokio::time::timeout(limit, client.send_request::<R>(params)).await;
            let answer = match answer {
                Ok(Ok(result)) => Ok(result),
                Ok(Err(error)) => Err(error.message.into_owned()),
                Err(_) => Err("the editor did not answer in time".to_owned()),
            };
            if answer.is_err() {
                tracing::warn!(method = R::METHOD, "the client did not do what it was asked for");
            }
            if let (Some(event), Some(events)) = (answered(answer), events.upgrade()) {
                let _ = events.send(event);
            }
        });
    }
}

/// One message after the other, so a client sees them in the order in which they arose.
async fn send_in_order(client: Client, mut queue: UnboundedReceiver<Sending>) {
    while let Some(sending) = queue.recv().await {
        sending(client.clone()).await;
    }
}
