//! Reviews from the loop's side: starting what is due, and taking in what is done.

use std::sync::Arc;

use tower_lsp::ls_types::Uri;

use super::{Entry, State};
use crate::lsp::context::Context;
use crate::lsp::event::Event;
use crate::lsp::notifications_out::ProposalCounts;
use crate::lsp::outbox::Refresh;
use crate::lsp::reviews::{ReviewSlot, Reviewed, review};

impl State {
    /// Starts the reviews that are due, at most one for each document.
    pub(super) fn start_reviews(&mut self) {
        let due = |entry: &Entry| entry.review.as_ref().is_some_and(|s| s.dirty && !s.running);
        let due: Vec<Uri> = self
            .documents
            .iter()
            .filter(|(_, entry)| due(entry))
            .map(|(uri, _)| uri.clone())
            .collect();
        for uri in due {
            self.start_review(&uri);
        }
    }

    fn start_review(&mut self, uri: &Uri) {
        let Some(events) = self.events.upgrade() else { return };
        let Some(context) = self.context(uri) else { return };
        let Some(slot) = self.slot(uri) else { return };
        slot.dirty = false;
        slot.running = true;
        let notes = std::mem::take(&mut slot.notes);
        self.serial += 1;
        let serial = self.serial;
        let lost = Reviewed {
            uri: Some(uri.clone()),
            version: context.document.version,
            ..Reviewed::default()
        };
        tokio::spawn(async move {
            let work = tokio::task::spawn_blocking(move || review(&context, notes, serial));
            let reviewed = work.await.unwrap_or_else(|_| {
                tracing::error!("a review ended early");
                lost
            });
            let _ = events.send(Event::Reviewed(Box::new(reviewed)));
        });
    }

    pub(super) fn reviewed(&mut self, reviewed: Reviewed) {
        let Some(uri) = reviewed.uri.clone() else { return };
        let pull = self.session.client.pull_diagnostics;
        let outbox = self.outbox.clone();
        let client = self.session.client.clone();
        let Some(entry) = self.documents.get_mut(&uri) else { return };
        let version = entry.document.snapshot().version;
        let Some(slot) = &mut entry.review else { return };
        slot.finish(&reviewed.review);
        if slot.dirty || reviewed.version != version {
            slot.dirty = true;
            return;
        }
        let edited = std::mem::take(&mut slot.edited);
        slot.current = Arc::new(reviewed);
        if !pull {
            let diagnostics = slot.current.diagnostics.as_ref().clone();
            outbox.publish(uri.clone(), diagnostics, Some(version));
        }
        let counts = ProposalCounts::of(&slot.current.review);
        if counts != slot.counts {
            slot.counts = counts;
            outbox.proposals_changed(uri.clone(), counts);
        }
        // After its own edit a client asks again by itself.
        if !edited {
            let again = [
                (pull, Refresh::Diagnostics),
                (client.refresh_code_lenses, Refresh::CodeLenses),
                (client.refresh_inlay_hints, Refresh::InlayHints),
            ];
            again
                .into_iter()
                .filter(|(wanted, _)| *wanted)
                .for_each(|(_, what)| outbox.refresh(what));
        }
        self.let_go(&uri);
    }

    /// Starts everyone who waited for the review of a document.
    fn let_go(&mut self, uri: &Uri) {
        let Some(waiting) = self.slot(uri).map(ReviewSlot::take_waiting) else { return };
        for job in waiting {
            if let Some(context) = self.context(uri) {
                job(Ok(context));
            }
        }
    }

    /// What requests about an open document are answered from, as things are now.
    pub(super) fn context(&mut self, uri: &Uri) -> Option<Context> {
        if !self.documents.contains_key(uri) {
            return None;
        }
        let site = self.sites.of(uri);
        let entry = self.documents.get(uri)?;
        let slot = entry.review.as_ref();
        Some(Context {
            document: entry.document.snapshot().clone(),
            reviewed: slot.map(|slot| slot.current.clone()).unwrap_or_default(),
            reviewer: slot.map(|slot| slot.reviewer.clone()).unwrap_or_default(),
            site,
            session: self.session.clone(),
            published: self.published.clone(),
        })
    }

    pub(super) fn slot(&mut self, uri: &Uri) -> Option<&mut ReviewSlot> {
        self.documents.get_mut(uri)?.review.as_mut()
    }
}
