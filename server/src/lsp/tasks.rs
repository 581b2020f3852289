//! The scan and review of one version, on a blocking thread: whatever fails there, fails alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};

use foldhash::{HashMap, HashSet};
use operator_core::dialect::Dialects;
use operator_core::limits::{Cancel, Limits};
use operator_core::path::FilePath;
use operator_core::review::{self, CheckResult, Reviewer};
use operator_core::scan::{Block, Scan};
use operator_core::snapshot::Snapshot;
use tokio::sync::mpsc::UnboundedSender;

use super::context::Context;
use super::event::Event;
use super::handlers::diagnostics;
use super::notifications_out::ProposalCounts;
use super::pending::Pending;
use super::reviews::{Done, Earlier, Found, Reviewed, Scanned};
use super::shelf::{Looked, Shelf};
use crate::workspace::OpenDocument;

/// A scan and review that are due.
pub struct Task {
    /// Its number.
    pub serial: u64,
    /// The document, and the last scan.
    pub context: Context,
    /// What the review goes on from.
    pub reviewer: Box<Reviewer>,
    /// What was done in the workspace.
    pub shelf: Shelf,
    /// What the last scan does not know.
    pub pending: Pending,
    /// What to look for.
    pub dialects: Dialects,
    /// The files whose plans are made anew; `None` for all.
    pub changed: HashSet<Option<FilePath>>,
    /// What was in documents that have changed since the text came in.
    pub earlier: HashMap<FilePath, Earlier>,
    /// Ends all of it.
    pub all: Cancel,
    /// Ends the review.
    pub review: Cancel,
}

impl Task {
    /// Scans, says so, reviews, and says so. A text that makes either of them panic is reviewed as
    /// one of which nothing is known.
    pub fn run(mut self, events: &UnboundedSender<Event>) {
        let uri = self.context.document.uri.clone();
        let pending = std::mem::take(&mut self.pending);
        let is_whole = pending.is_whole();
        let mut scanned = contained(|| self.scan(pending));
        if scanned.is_none() {
            // No later scan knows a block of an earlier one.
            self.reviewer = Box::default();
        }
        if scanned.is_none() && !is_whole {
            // It may have failed on a text that has changed by now.
            let all = Pending::whole(self.context.text().clone());
            scanned = contained(|| self.scan(all));
        }
        self.context.scanned = scanned.map(Arc::new);
        let scanned = self.context.scanned.clone();
        let _ = events.send(Event::Scanned { uri, serial: self.serial, scanned });
        let context = self.context.clone();
        let failed = Failed { serial: self.serial, context };
        let done = if self.context.scanned.is_some() { contained(|| self.review()) } else { None };
        let done = done.unwrap_or_else(|| failed.done());
        let _ = events.send(Event::Reviewed(Box::new(done)));
    }

    fn limits(&self, cancel: &Cancel) -> Limits {
        Limits { cancel: cancel.clone(), ..self.context.limits.clone() }
    }

    fn scan(&self, pending: Pending) -> Scanned {
        let context = &self.context;
        let limits = self.limits(&self.all);
        let known = context.scanned.as_ref().map(|known| (&known.document.text, &known.scan));
        let scan = pending.scan(known, &self.dialects, &limits);
        Scanned { document: context.document.clone(), scan }
    }

    /// What was at the files that have changed since, and which blocks there were then.
    fn earlier(&self) -> review::Earlier {
        let open = self.earlier.iter();
        let open = open.map(|(path, it)| (path.clone(), OpenDocument::Text(it.text.clone())));
        let view = self.context.site.workspace().view(Arc::new(open.collect()));
        let earlier = self.earlier.iter().map(|(path, earlier)| {
            let (view, limits) = (view.clone(), self.limits(&self.all));
            let (file, dialects) = (path.clone(), self.dialects.clone());
            let transcript = earlier.transcript.clone();
            let look: Box<dyn FnOnce() -> _ + Send> = Box::new(move || {
                let scan = Scan::new(&transcript, &dialects, &limits);
                let there = scan.blocks().map(|placed| placed.block.digest);
                Some((view.state(&file).ok()?, there.collect()))
            });
            (path.clone(), LazyLock::new(look))
        });
        earlier.collect()
    }

    fn review(mut self) -> Done {
        let Looked { kept, changed, compared } = self.shelf.look(&self.context.site);
        self.changed.extend(changed.into_iter().map(Some));
        let (earlier, limits) = (self.earlier(), self.limits(&self.review));
        let (context, mut reviewer) = (&self.context, self.reviewer);
        reviewer.set_book(self.shelf.book(context.transcript()));
        let then = reviewer.book().ledger.clone();
        for shown in compared.expected(&context.site, &then) {
            reviewer.book_mut().observe(&[shown], &|_| Vec::new());
        }
        reviewer.set_earlier(earlier);
        self.changed.iter().for_each(|file| reviewer.forget(file.as_ref()));
        let mut reviewed = unreviewed(self.serial, context);
        if let Some(scan) = context.scan() {
            let view = context.site.view().without(reviewer.book().unread());
            let session = &context.session;
            let bar =
                |block: &Block, check_result: &CheckResult| session.client.bar(block, check_result);
            reviewed.review = Arc::new(reviewer.review_barring(scan, &view, &limits, &bar));
        }
        reviewed.cancelled = limits.cancel.is_cancelled();
        if !reviewed.cancelled {
            reviewed.diagnostics = Arc::new(diagnostics::diagnostics(context, &reviewed.review));
            reviewed.counts = ProposalCounts::of(&reviewed.review);
        }
        let (mut events, site) = (reviewer.book_mut().take_found(), context.site.clone());
        reviewed.book = reviewer.book().clone();
        let early = self.shelf.take_early(&site, &mut events);
        let found = Found { events, early, compared, then, site };
        Done { reviewed, reviewer: Some(reviewer), found, kept }
    }
}

/// A scan or a review that has failed.
struct Failed {
    serial: u64,
    context: Context,
}

impl Failed {
    /// What is shown of a document that could not be scanned or reviewed. What is known of its
    /// blocks is in the ledger.
    fn done(self) -> Done {
        let diagnostics = contained(|| Arc::new(diagnostics::failure(&self.context)));
        let diagnostics = diagnostics.unwrap_or_default();
        let reviewed = Reviewed { diagnostics, ..unreviewed(self.serial, &self.context) };
        let (events, early, compared, then) = Default::default();
        let found = Found { events, early, compared, then, site: self.context.site };
        Done { reviewed, reviewer: None, found, kept: None }
    }
}

fn unreviewed(serial: u64, context: &Context) -> Reviewed {
    Reviewed {
        uri: Some(context.document.uri.clone()),
        version: context.document.version,
        document: Some(context.document.clone()),
        serial,
        ..Reviewed::default()
    }
}

/// Does some work; `None` where it panics, of which the log says the place alone.
fn contained<T>(work: impl FnOnce() -> T) -> Option<T> {
    // What the work leaves half done is not looked at.
    catch_unwind(AssertUnwindSafe(work)).ok()
}
