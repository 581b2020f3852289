//! What a request is answered from: snapshots that nothing changes any more.

use std::sync::Arc;

use dashmap::DashMap;
use operator_core::ledger::Transcript;
use operator_core::limits::Limits;
use operator_core::review::{Book, Limitations, Offers, Proposal, Review, offers};
use operator_core::scan::Scan;
use operator_core::text::{Encoding, Span, Text};
use tokio::sync::mpsc::WeakUnboundedSender;
use tokio::sync::watch;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{Position, Range, Uri};

use super::documents::DocumentSnapshot;
use super::event::Event;
use super::programs;
use super::proto;
use super::recorder;
use super::reviews::{Reviewed, Scanned};
use super::session::Session;
use super::shelf::Edition;
use super::sites::Site;
use crate::workspace::View;

/// The documents as every thread may see them; the main loop alone writes.
pub type Published = DashMap<Uri, Arc<DocumentSnapshot>>;

/// What a request about a document is answered from.
#[derive(Clone)]
pub struct Context {
    /// The document.
    pub document: Arc<DocumentSnapshot>,
    /// What is found in this very version; `None` for what is not a transcript.
    pub scanned: Option<Arc<Scanned>>,
    /// The last review; of this very version for a request that waits for one.
    pub reviewed: Arc<Reviewed>,
    /// The workspace as the transcript sees it.
    pub site: Site,
    /// What the client can do, and the settings.
    pub session: Arc<Session>,
    /// The limits, which also say whether the answer is still wanted.
    pub limits: Limits,
    /// The documents as they are by now.
    pub published: Arc<Published>,
    /// Has no sender any more once the text is another.
    pub unchanged: watch::Receiver<()>,
    /// The main loop's queue.
    pub events: WeakUnboundedSender<Event>,
    /// The state of the kept ledger that is known; `None` where it was not read yet.
    pub ledger_edition: Option<Edition>,
}

impl Context {
    /// The document's text.
    pub fn text(&self) -> &Text {
        &self.document.text
    }

    /// How much is too much; also says whether the answer is still wanted.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How positions count.
    pub fn encoding(&self) -> Encoding {
        self.session.encoding()
    }

    /// What is found in the document; nothing while it is out of step with the client.
    pub fn scan(&self) -> Option<&Scan> {
        let scanned = self.scanned.as_ref().filter(|_| self.document.unsynced.is_none());
        scanned.map(|scanned| &scanned.scan)
    }

    /// Whether the review is that of the document as it is here.
    pub fn is_reviewed(&self) -> bool {
        let reviewed = self.reviewed.document.as_ref();
        reviewed.is_some_and(|reviewed| Arc::ptr_eq(reviewed, &self.document))
    }

    /// The review.
    pub fn review(&self) -> &Review {
        &self.reviewed.review
    }

    /// The range of a span of the document.
    pub fn range(&self, span: &Span) -> Range {
        proto::range(self.text(), span, self.encoding())
    }

    /// The byte offset of a position in the document.
    pub fn offset(&self, position: Position) -> usize {
        proto::offset(self.text(), position, self.encoding())
    }

    /// The span of a range of a request.
    ///
    /// # Errors
    /// Invalid parameters where the range ends before it starts.
    pub fn span(&self, range: Range) -> Result<Span> {
        proto::span(self.text(), range, self.encoding())
            .map_err(|error| Error::invalid_params(error.to_string()))
    }

    /// The proposal of a block.
    ///
    /// # Errors
    /// Invalid parameters if the block does not exist.
    pub fn proposal(&self, block: usize) -> Result<Proposal> {
        self.review().proposal(block).ok_or_else(|| {
            let count = self.review().len();
            Error::invalid_params(format!(
                "block {block} does not exist; the transcript has {count}"
            ))
        })
    }

    /// What may be done with a proposal in this editor.
    pub fn offers(&self, proposal: &Proposal) -> Offers {
        let client = &self.session.client;
        let cannot_run = programs::of(proposal).and_then(|it| programs::cannot(client, it));
        offers(proposal, Limitations { no_edits: !client.apply_edit, cannot_run })
    }

    /// The ledger as the review left it.
    pub fn book(&self) -> &Book {
        &self.reviewed.book
    }

    /// The workspace as the editor shows it, without the files that it has not reloaded.
    pub fn view(&self) -> View {
        self.site.view().without(self.book().unread())
    }

    /// What the ledger knows the document by.
    pub fn transcript(&self) -> Transcript {
        recorder::transcript(&self.document.uri)
    }

    /// Sends the main loop what it must know of an answer.
    pub fn tell(&self, event: Event) {
        if let Some(events) = self.events.upgrade() {
            let _ = events.send(event);
        }
    }

    /// Whether another program has written to the kept ledger since it was read. Nothing else tells of
    /// an operation after which every file is as before.
    pub fn has_newer_ledger(&self) -> bool {
        let now = || self.site.workspace().ledger_edition();
        self.ledger_edition.is_some_and(|known| known != now())
    }

    /// Whether the document is still the one that the request was about.
    pub fn is_current(&self) -> bool {
        let now = self.published.get(&self.document.uri);
        now.is_some_and(|now| now.version == self.document.version)
    }
}

/// The answer to a request that what it is about has outrun.
pub fn content_modified(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error { code: ErrorCode::ContentModified, message: message.into(), data: None }
}

/// The answer to a request that cannot be done now (`RequestFailed`).
pub fn request_failed(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error { code: ErrorCode::ServerError(-32803), message: message.into(), data: None }
}
