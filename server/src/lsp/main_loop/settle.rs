//! Reviews from the loop's side: starting what is due, and taking in what is done.

use std::sync::Arc;

use operator_core::limits::Cancel;
use tokio::sync::oneshot;
use tower_lsp::ls_types::Uri;

use super::{State, discard};
use crate::lsp::context::Context;
use crate::lsp::event::Event;
use crate::lsp::outbox::Refresh;
use crate::lsp::pending::Pending;
use crate::lsp::reviews::{Done, Job, ReviewSlot, Reviewed, Running, Scanned};
use crate::lsp::shelf::Shelf;
use crate::lsp::tasks::Task;

/// Something that waits until every review holds.
pub(super) struct Unsettled {
    number: u64,
    then: Box<dyn FnOnce(&mut State) + Send>,
}

impl State {
    /// Starts the reviews that are due: at most one for each document, and so few at a time that
    /// requests are answered meanwhile.
    pub(super) fn start_reviews(&mut self) {
        let slots = self.documents.iter();
        let slots = slots.filter_map(|(uri, entry)| Some((uri, entry.review.as_ref()?)));
        let running = slots.clone().filter(|(_, slot)| slot.running.is_some()).count();
        let due = slots.filter(|(_, slot)| slot.is_due());
        let mut due: Vec<_> = due.map(|(uri, slot)| (slot.turn(), uri.clone())).collect();
        due.sort_by_key(|(turn, _)| *turn);
        for (_, uri) in due.into_iter().take(self.at_a_time.saturating_sub(running)) {
            self.start_review(&uri);
        }
    }

    fn start_review(&mut self, uri: &Uri) {
        let Some(events) = self.events.upgrade() else { return };
        let Some(mut context) = self.context(uri) else { return };
        let (serial, shelf) = (self.number(), self.shelf(&context.site).clone());
        let Some(entry) = self.documents.get_mut(uri) else { return };
        let dialects = entry.document.dialects().cloned();
        let (Some(slot), Some(dialects)) = (&mut entry.review, dialects) else { return };
        context.scanned = slot.scanned.clone();
        let (all, review) = (Cancel::new(), Cancel::new());
        slot.start(Running { serial, all: all.clone(), review: review.clone() });
        let task = Task {
            serial,
            context,
            reviewer: slot.reviewer.take().unwrap_or_default(),
            shelf,
            pending: std::mem::take(&mut slot.pending),
            dialects,
            changed: std::mem::take(&mut slot.changed),
            earlier: slot.earlier.clone(),
            all,
            review,
        };
        tokio::task::spawn_blocking(move || task.run(&events));
    }

    /// A scan is done; `None` where it has failed.
    pub(super) fn scanned(&mut self, uri: &Uri, serial: u64, scanned: Option<Arc<Scanned>>) {
        let Some(entry) = self.documents.get_mut(uri).filter(|it| it.is_running(serial)) else {
            return discard(scanned);
        };
        let document = entry.document.snapshot();
        let Some(slot) = &mut entry.review else { return };
        if scanned.is_none() {
            // What it was to take in is lost with it.
            slot.pending = Pending::whole(document.text.clone());
        }
        discard(std::mem::replace(&mut slot.scanned, scanned));
        if slot.scan_of(document).is_some() {
            self.run_scan_waiters(uri);
        }
    }

    pub(super) fn reviewed(&mut self, done: Done) {
        let Done { reviewed, reviewer, found, kept } = done;
        let Some(uri) = reviewed.uri.clone() else { return };
        if let Some(kept) = kept {
            self.kept(&kept);
        }
        let is_running = self.documents.get(&uri).is_some_and(|it| it.is_running(reviewed.serial));
        let mut shown = Vec::new();
        if is_running && let Some(slot) = self.slot(&uri) {
            slot.reviewer = Some(reviewer.unwrap_or_default());
            slot.finish(&reviewed.review);
            shown = slot.take_shown();
        }
        self.merge(&uri, &reviewed, found, shown);
        let Some(entry) = self.documents.get_mut(&uri).filter(|_| is_running) else {
            return discard(reviewed);
        };
        let version = entry.document.snapshot().version;
        let Some(slot) = &mut entry.review else { return };
        if reviewed.cancelled || slot.dirty || reviewed.version != version {
            slot.dirty = true;
            return discard(reviewed);
        }
        slot.earlier.clear();
        let serial = reviewed.serial;
        self.show(&uri, reviewed);
        self.refresh_previews(&uri);
        self.remind_rested(uri.clone(), serial);
        self.run_waiters(&uri);
        self.go_on_if_settled();
    }

    /// Shows a review to the client.
    fn show(&mut self, uri: &Uri, reviewed: Reviewed) {
        let client = self.session.client.clone();
        let outbox = self.outbox.clone();
        let Some(slot) = self.slot(uri) else { return };
        let edited = std::mem::take(&mut slot.edited);
        let (version, counts) = (reviewed.version, reviewed.counts);
        let diagnostics = reviewed.diagnostics.clone();
        discard(std::mem::replace(&mut slot.current, Arc::new(reviewed)));
        let are_new = std::mem::replace(&mut slot.counts, counts) != counts;
        if !client.pull_diagnostics {
            outbox.publish(uri.clone(), diagnostics, Some(version));
        }
        if are_new {
            outbox.proposals_changed(uri.clone(), counts);
        }
        // After its own edit a client asks again by itself.
        if !edited {
            let again = [
                (client.pull_diagnostics, Refresh::Diagnostics),
                (client.refresh_code_lenses, Refresh::CodeLenses),
                (client.refresh_inlay_hints, Refresh::InlayHints),
            ];
            let wanted = again.into_iter().filter(|(wanted, _)| *wanted);
            wanted.for_each(|(_, what)| outbox.refresh(what));
        }
    }

    /// Starts everyone who waited for the review of a document.
    pub(super) fn run_waiters(&mut self, uri: &Uri) {
        let waiting = self.slot(uri).map(ReviewSlot::take_waiting);
        self.start_jobs(uri, waiting.unwrap_or_default());
    }

    /// Starts everyone who waited for the scan of a document alone.
    pub(super) fn run_scan_waiters(&mut self, uri: &Uri) {
        let waiting = self.slot(uri).map(ReviewSlot::take_waiting_for_scan);
        self.start_jobs(uri, waiting.unwrap_or_default());
    }

    fn start_jobs(&mut self, uri: &Uri, jobs: Vec<Job>) {
        for job in jobs {
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
        let document = entry.document.snapshot().clone();
        let shelf = self.shelves.get(site.folders());
        Some(Context {
            ledger_edition: shelf.and_then(Shelf::edition),
            scanned: slot.and_then(|slot| slot.scan_of(&document)).cloned(),
            document,
            reviewed: slot.map(|slot| slot.current.clone()).unwrap_or_default(),
            site,
            limits: self.session.limits().clone(),
            session: self.session.clone(),
            published: self.published.clone(),
            events: self.events.clone(),
            unchanged: entry.unchanged.subscribe(),
        })
    }

    /// Whether the last review of a document holds, as far as is known.
    pub(super) fn is_settled(&self, uri: &Uri) -> bool {
        let slot = self.documents.get(uri).and_then(|entry| entry.review.as_ref());
        slot.is_none_or(ReviewSlot::is_settled)
    }

    /// Does something once every review holds, or has taken too long.
    pub(super) fn once_settled(&mut self, then: impl FnOnce(&mut State) + Send + 'static) {
        let number = self.number();
        self.unsettled.push(Unsettled { number, then: Box::new(then) });
        if !self.go_on_if_settled() {
            self.remind(None, number);
        }
    }

    /// Does what waits for the reviews if every one holds; gives whether that is so.
    pub(super) fn go_on_if_settled(&mut self) -> bool {
        let settled = self.documents.keys().all(|uri| self.is_settled(uri));
        if settled {
            std::mem::take(&mut self.unsettled).into_iter().for_each(|it| (it.then)(self));
        }
        settled
    }

    /// Does what waits for the reviews and has this number, whatever is under way.
    pub(super) fn go_on_now(&mut self, number: u64) {
        if let Some(at) = self.unsettled.iter().position(|it| it.number == number) {
            let it = self.unsettled.remove(at);
            (it.then)(self);
        }
    }

    /// The server is to end. What the editor has shown and saved last is looked at first, as it comes
    /// before in the recorder's queue; then reviews find what it means, and that is written.
    pub(super) fn ending(&self, reply: oneshot::Sender<()>) {
        let events = self.events.clone();
        self.recorder.then(move || {
            if let Some(events) = events.upgrade() {
                let _ = events.send(Event::Looked(reply));
            }
        });
    }

    /// Has every transcript reviewed once more: another program may have changed files of which the client
    /// has not told.
    pub(super) fn review_last(&mut self, reply: oneshot::Sender<()>) {
        let slots = self.documents.values_mut().filter_map(|entry| entry.review.as_mut());
        slots.for_each(|slot| slot.dirty = true);
        self.once_settled(|state| state.recorder.then(|| _ = reply.send(())));
    }

    pub(super) fn slot(&mut self, uri: &Uri) -> Option<&mut ReviewSlot> {
        self.documents.get_mut(uri)?.review.as_mut()
    }
}
