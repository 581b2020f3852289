//! Requests that read documents or files: which wait, and what they read.

use std::time::Duration;

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CodeAction, Uri};

use super::State;
use crate::lsp::context::{Context, content_modified};
use crate::lsp::event::{Event, Reply};
use crate::lsp::handlers::{code_actions, fingerprint, prompt, structure};
use crate::lsp::protocol::FingerprintParams;
use crate::lsp::requests::{Read, send, spawn_blocking};
use crate::lsp::reviews::{Needs, Unavailable};

/// How long a request that can be answered without a review waits for one.
pub(super) const REVIEW_TIMEOUT: Duration = Duration::from_secs(1);

impl State {
    /// Starts the work now, or once what it needs is known.
    pub(super) fn read(&mut self, read: Read) {
        let Read { uri, needs, job } = read;
        let Some(context) = self.context(&uri) else {
            return job(Err(Unavailable::NotOpen));
        };
        let is_known = match needs {
            // Where the scan has failed there is none to wait for.
            Needs::Scan => context.scanned.is_some() || self.is_settled(&uri),
            Needs::Review | Needs::ReviewSoon => self.is_settled(&uri),
        };
        if is_known {
            return job(Ok(context));
        }
        let number = self.number();
        if needs == Needs::ReviewSoon {
            self.remind(Some(uri.clone()), number);
        }
        if let Some(slot) = self.slot(&uri) {
            slot.wait(needs, number, job);
        }
    }

    pub(super) fn resolve(&mut self, action: CodeAction, reply: Reply<CodeAction>) {
        if action.data.is_none() {
            // It is whole as it is.
            return send(Ok(action), reply);
        }
        let about = match code_actions::argument(&action) {
            Ok(about) => about,
            Err(error) => return send(Err(error), reply),
        };
        let missing = Err(content_modified("the transcript is not open any more"));
        let work = move |context: &Context| code_actions::resolve_and_tell(context, action);
        let events = self.events.clone();
        let then = move |resolved: Result<_>, reply: Reply<CodeAction>| match resolved {
            Ok((action, Some(sent))) => {
                if let Some(events) = events.upgrade() {
                    let _ = events.send(Event::Resolved(sent, Box::new(action), reply));
                }
            }
            Ok((action, None)) => send(Ok(action), reply),
            Err(error) => send(Err(error), reply),
        };
        self.read(Read::new(about.uri, Needs::Review, reply, missing, work, then));
    }

    pub(super) fn fingerprint(
        &mut self,
        params: FingerprintParams,
        reply: Reply<serde_json::Value>,
    ) {
        let site = self.sites.of(&params.uri);
        let open = self.documents.get(&params.uri).map(|entry| entry.document.snapshot().clone());
        spawn_blocking(reply, move || {
            fingerprint::fingerprint(&site, &params.uri, open.as_deref())
        });
    }

    pub(super) fn structure(
        &mut self,
        request: operator_core::structure::Request,
        reply: Reply<serde_json::Value>,
    ) {
        let (site, session) = (self.sites.of_path(request.path()), self.session.clone());
        let view = self.shelf(&site).view(&site);
        spawn_blocking(reply, move || structure::structure(&site, &view, &session, &request));
    }

    /// Makes the first message to a model, on a thread of its own.
    pub(super) fn prompt(
        &mut self,
        arguments: &[serde_json::Value],
        reply: Reply<Option<serde_json::Value>>,
    ) {
        let asked = match prompt::asked(arguments) {
            Ok(asked) => asked,
            Err(error) => return send(Err(error), reply),
        };
        let site = self.sites.of_path(asked.paths.first().map_or("", String::as_str));
        let view = self.shelf(&site).view(&site);
        spawn_blocking(reply, move || prompt::prompt(&site, &view, &asked).map(Some));
    }

    /// Sends [`Event::Overdue`] with this number after a while.
    pub(super) fn remind(&self, uri: Option<Uri>, number: u64) {
        let events = self.events.clone();
        tokio::spawn(async move {
            tokio::time::sleep(REVIEW_TIMEOUT).await;
            if let Some(events) = events.upgrade() {
                let _ = events.send(Event::Overdue { uri, number });
            }
        });
    }

    /// A request has waited long enough for a review: it is answered from the scan.
    pub(super) fn overdue(&mut self, uri: Option<&Uri>, number: u64) {
        let Some(uri) = uri else { return self.go_on_now(number) };
        let Some(slot) = self.slot(uri) else { return };
        slot.give_up_review(number);
        if self.context(uri).is_some_and(|context| context.scanned.is_some()) {
            self.run_scan_waiters(uri);
        }
    }
}
