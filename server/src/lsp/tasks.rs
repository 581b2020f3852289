//! The scan and review of one version, on a blocking thread: whatever fails there, fails alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, MutexGuard};

use operator_core::dialect::Dialects;
use operator_core::limits::{Cancel, Limits};
use operator_core::review::{Judgement, Reviewer};
use operator_core::scan::{Block, Scan};
use tokio::sync::mpsc::UnboundedSender;

use super::context::Context;
use super::event::Event;
use super::handlers::diagnostics;
use super::notifications_out::ProposalCounts;
use super::pending::Pending;
use super::recorder::{self, Recorder};
use super::reviews::{Note, Reviewed, Scanned};

/// A scan and review that are due.
pub struct Task {
    /// Its number.
    pub serial: u64,
    /// The document, and the last scan; the review is made in its memory.
    pub context: Context,
    /// What the last scan does not know.
    pub pending: Pending,
    /// What to look for.
    pub dialects: Dialects,
    /// What the review has to know first.
    pub notes: Vec<Note>,
    /// Ends all of it.
    pub all: Cancel,
    /// Ends the review.
    pub review: Cancel,
    /// What writes the ledger.
    pub recorder: Recorder,
}

impl Task {
    /// Scans, says so, reviews, and says so. A text that makes either of them panic is reviewed as
    /// one of which nothing is known.
    pub fn run(mut self, events: &UnboundedSender<Event>) {
        let uri = self.context.document.uri.clone();
        let pending = std::mem::take(&mut self.pending);
        let is_one_text = pending.is_one_text();
        let mut scanned = contained(|| self.scan(pending));
        if scanned.is_none() {
            // No later scan knows a block of an earlier one.
            *self.context.reviewer() = Reviewer::default();
        }
        if scanned.is_none() && !is_one_text {
            // It may have failed on a text that has changed by now.
            let all = Pending::whole(self.context.text().clone());
            scanned = contained(|| self.scan(all));
        }
        let failed = scanned.is_none();
        self.context.scanned = scanned.map(Arc::new);
        let scanned = self.context.scanned.clone();
        let _ = events.send(Event::Scanned { uri, serial: self.serial, scanned });
        let reviewed = if failed { None } else { contained(|| self.review()) };
        let reviewed = reviewed.or_else(|| contained(|| self.failed()));
        let reviewed = reviewed.unwrap_or_else(|| self.unreviewed());
        let _ = events.send(Event::Reviewed(Box::new(reviewed)));
    }

    fn limits(&self, cancel: &Cancel) -> Limits {
        Limits { cancel: cancel.clone(), ..self.context.limits.clone() }
    }

    fn scan(&self, pending: Pending) -> Scanned {
        let context = &self.context;
        let limits = self.limits(&self.all);
        let known = context.scanned.as_ref().map(|known| (&known.document.text, &known.scan));
        let observe = |scan: &Scan, site: &super::sites::Site| {
            context.reviewer().observe(scan, &site.view(), &limits);
        };
        let scan = pending.scan(known, &self.dialects, &limits, observe);
        Scanned { document: context.document.clone(), scan }
    }

    fn review(&mut self) -> Reviewed {
        // What was done to blocks that were observed meanwhile is noted of them, too.
        let notes = std::mem::take(&mut self.notes);
        take_notes(&mut self.context.reviewer(), notes);
        let (context, limits) = (&self.context, self.limits(&self.review));
        let mut reviewed = self.unreviewed();
        if let Some(scan) = context.scan() {
            let (view, session) = (context.site.view(), &context.session);
            let bar = |block: &Block, judgement: &Judgement| session.client.bar(block, judgement);
            self.recorder.wait();
            let mut reviewer: MutexGuard<'_, Reviewer> = context.reviewer();
            recorder::refresh(&mut reviewer, context);
            let mut review = reviewer.review_barring(scan, &view, &limits, &bar);
            // The blocks have to be known before anything is said of them.
            if !limits.cancel.is_cancelled()
                && reviewer.read_replies(scan, context.text(), session.chat_dialects())
            {
                review = reviewer.review_barring(scan, &view, &limits, &bar);
            }
            reviewed.review = Arc::new(review);
        }
        reviewed.news = context.reviewer().take_news();
        reviewed.cancelled = limits.cancel.is_cancelled();
        if !reviewed.cancelled {
            reviewed.diagnostics = Arc::new(diagnostics::diagnostics(context, &reviewed.review));
            reviewed.counts = ProposalCounts::of(&reviewed.review);
        }
        reviewed
    }

    /// What is shown of a document that could not be scanned or reviewed. Its blocks keep what is
    /// known of them.
    fn failed(&self) -> Reviewed {
        if contained(|| self.context.reviewer().start_over()).is_none() {
            *self.context.reviewer() = Reviewer::default();
        }
        let diagnostics = Arc::new(diagnostics::failure(&self.context));
        Reviewed { diagnostics, ..self.unreviewed() }
    }

    fn unreviewed(&self) -> Reviewed {
        Reviewed {
            uri: Some(self.context.document.uri.clone()),
            version: self.context.document.version,
            document: Some(self.context.document.clone()),
            serial: self.serial,
            ..Reviewed::default()
        }
    }
}

/// Does some work; `None` where it panics, of which the log says the place alone.
fn contained<T>(work: impl FnOnce() -> T) -> Option<T> {
    // What the work leaves half done is not looked at, and the memory starts over.
    catch_unwind(AssertUnwindSafe(work)).ok()
}

fn take_notes(reviewer: &mut Reviewer, notes: Vec<Note>) {
    for note in notes {
        match note {
            Note::Forget(file) => reviewer.forget(file.as_ref()),
            Note::UnderWay(placed, targets) => reviewer.under_way(&placed, &targets),
            Note::NotMade(placed) => reviewer.not_made(&placed),
            Note::Applied { placed, targets, outcome, open } => {
                reviewer.applied(&placed, &targets, &outcome);
                reviewer.saw(&placed, &open);
            }
            Note::Opened(file) => reviewer.opened(&file),
            Note::Told(placed, told) => reviewer.tell(&placed, told),
            Note::TakenBack(placed, targets) => reviewer.taken_back(&placed, &targets),
        }
    }
}
