//! Reviews: when a transcript is judged, in what order, and who waits for it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use operator_core::dialect::Failure;
use operator_core::plan::{Outcome, Target};
use operator_core::review::{Judgement, Review, Reviewer};
use operator_core::scan::{Block, Placed};
use operator_core::snapshot::FilePath;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Diagnostic, Uri};

use super::context::{Context, content_modified};
use super::documents::DocumentSnapshot;
use super::handlers::diagnostics;
use super::notifications_out::ProposalCounts;

/// A review of one version, and what is shown of it.
#[derive(Clone, Default)]
pub struct Reviewed {
    /// The document.
    pub uri: Option<Uri>,
    /// The version that was reviewed.
    pub version: i32,
    /// The review.
    pub review: Arc<Review>,
    /// The diagnostics.
    pub diagnostics: Arc<Vec<Diagnostic>>,
    /// The document as it was reviewed.
    pub document: Option<Arc<DocumentSnapshot>>,
    /// Which review of the session it is; a pulled report's result id.
    pub serial: u64,
}

/// What a review has to know before it begins.
pub enum Note {
    /// A file has changed, or any may have.
    Forget(Option<FilePath>),
    /// A block's plan was handed to the client.
    UnderWay(Placed, Vec<Target>),
    /// The client did not carry it out.
    NotMade(Placed),
    /// A block's plan was carried out.
    Applied {
        /// The block.
        placed: Placed,
        /// What it acts on.
        targets: Vec<Target>,
        /// What came of it.
        outcome: Outcome,
        /// The targets that are open and show it.
        open: Vec<FilePath>,
    },
    /// A file is open from now on.
    Opened(FilePath),
    /// A block's program has run, or the user has refused the block.
    Told(Placed, std::result::Result<Outcome, Failure>),
    /// What a block's plan had changed was taken back.
    TakenBack(Placed, Vec<Target>),
}

/// A request that waits for a review.
pub type Job = Box<dyn FnOnce(Result<Context>) + Send>;

/// The review of one transcript, and everything that waits for it.
#[derive(Default)]
pub struct ReviewSlot {
    /// The memory; locked on blocking threads alone.
    pub reviewer: Arc<Mutex<Reviewer>>,
    /// What the next review has to know first.
    pub notes: Vec<Note>,
    /// Whether something has changed since the last review began.
    pub dirty: bool,
    /// Whether a review is under way.
    pub running: bool,
    /// Whether the document itself has changed since the last review was shown.
    pub edited: bool,
    /// The last review that was still right when it was done.
    pub current: Arc<Reviewed>,
    /// What the client was told last.
    pub counts: ProposalCounts,
    waiting: Vec<Job>,
    changed_meanwhile: Vec<FilePath>,
}

impl ReviewSlot {
    /// A slot whose first review is due.
    pub fn new() -> ReviewSlot {
        ReviewSlot { dirty: true, edited: true, ..ReviewSlot::default() }
    }

    /// Whether the last review holds for the document and the workspace as they are known.
    pub fn is_settled(&self) -> bool {
        !self.dirty && !self.running
    }

    /// Has the next review make the plans anew that look at a file, if any does.
    ///
    /// What a review under way looks at is known when it is done; a review that is due all the
    /// same finds out by itself whether it has to.
    pub fn forget(&mut self, file: FilePath) {
        if self.dirty {
            let is_known =
                |note: &Note| matches!(note, Note::Forget(Some(known)) if *known == file);
            if !self.notes.iter().any(is_known) {
                self.notes.push(Note::Forget(Some(file)));
            }
        } else if self.running {
            if !self.changed_meanwhile.contains(&file) {
                self.changed_meanwhile.push(file);
            }
        } else if self.current.review.looks_at(&file) {
            self.notes.push(Note::Forget(Some(file)));
            self.dirty = true;
        }
    }

    /// Has the next review know that the plans of these blocks were handed to the client.
    pub fn under_way(&mut self, handed: Vec<(Placed, Vec<Target>)>) {
        let key = |placed: &Placed| Arc::as_ptr(&placed.block).addr();
        let again: HashSet<usize> = handed.iter().map(|(placed, _)| key(placed)).collect();
        // An action may be looked at again and again.
        self.notes
            .retain(|note| !matches!(note, Note::UnderWay(it, _) if again.contains(&key(it))));
        self.notes
            .extend(handed.into_iter().map(|(placed, targets)| Note::UnderWay(placed, targets)));
    }

    /// The review under way is done: what has changed meanwhile counts for what it looked at.
    pub fn finish(&mut self, review: &Review) {
        self.running = false;
        for file in std::mem::take(&mut self.changed_meanwhile) {
            if review.looks_at(&file) || self.current.review.looks_at(&file) {
                self.notes.push(Note::Forget(Some(file)));
                self.dirty = true;
            }
        }
    }

    /// Makes a request wait for the next review that holds.
    pub fn wait(&mut self, job: Job) {
        self.waiting.push(job);
    }

    /// Takes out everyone who waits.
    pub fn take_waiting(&mut self) -> Vec<Job> {
        std::mem::take(&mut self.waiting)
    }

    /// Answers everyone who waits that the document has changed.
    pub fn turn_away(&mut self) {
        for job in self.take_waiting() {
            job(Err(content_modified("the document has changed")));
        }
    }
}

/// Reviews one version; runs on a blocking thread.
pub fn review(context: &Context, notes: Vec<Note>, serial: u64) -> Reviewed {
    let mut reviewed = Reviewed {
        uri: Some(context.document.uri.clone()),
        version: context.document.version,
        document: Some(context.document.clone()),
        serial,
        ..Reviewed::default()
    };
    let mut reviewer = context.reviewer.lock().unwrap_or_else(PoisonError::into_inner);
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
    if let Some(scan) = context.scan() {
        let view = context.site.view();
        let session = &context.session;
        let bar = |block: &Block, judgement: &Judgement| session.client.bar(block, judgement);
        let mut review = reviewer.review_barring(scan, &view, session.limits(), &bar);
        // The blocks have to be known before anything is said of them.
        if reviewer.read_replies(scan, context.text(), session.chat_dialects()) {
            review = reviewer.review_barring(scan, &view, session.limits(), &bar);
        }
        reviewed.review = Arc::new(review);
    }
    drop(reviewer);
    reviewed.diagnostics = Arc::new(diagnostics::diagnostics(context, &reviewed.review));
    reviewed
}
