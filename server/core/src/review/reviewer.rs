//! Reviews one transcript again and again, each time from what has changed alone.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use super::Review;
use super::book::Book;
use super::check::CheckResult;
use super::update::{Given, Known, Update};
use crate::fingerprint::Fingerprint;
use crate::limits::Limits;
use crate::parts::Parts;
use crate::path::{FilePath, State};
use crate::problem::Problem;
use crate::scan::{Block, Rank, Scan};
use crate::snapshot::{Remembered, Snapshot};

/// What was at a file, and the texts of the blocks that were there then; `None` where that cannot
/// be known.
pub type Was = Option<(State, HashSet<Fingerprint>)>;

/// Files that have changed since blocks came in and before they were reviewed. What was there is
/// found out where a block asks for it.
pub type Earlier = HashMap<FilePath, LazyLock<Was, Box<dyn FnOnce() -> Was + Send>>>;

/// Reviews one transcript again and again.
///
/// A review is the last one with what an edit changes: the blocks in the chunks that the scan has
/// made anew, those whose check results [`Reviewer::forget`] made void, those of which the ledger says
/// something else by now, and those elsewhere that these concern. What history knows of a block is
/// in the ledger alone.
#[derive(Default)]
pub struct Reviewer {
    pub(super) last: Known,
    /// The blocks whose check results must be made again.
    pub(super) void: BTreeSet<Rank>,
    earlier: Earlier,
    book: Book,
    /// How the new blocks are shared among threads.
    pub(super) parts: Parts,
}

/// Why a shell around the core cannot apply a block that is ready; spans count from the start
/// of the block. It says the same of the same block and check result at all times.
pub type Bar<'a> = &'a dyn Fn(&Block, &CheckResult) -> Option<Problem>;

impl Reviewer {
    /// A reviewer that asks the ledger which blocks were applied before.
    pub fn with_book(book: Book) -> Reviewer {
        Reviewer { book, ..Reviewer::default() }
    }

    /// The ledger that is asked, with what the reviews have found.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The same, to be changed.
    pub fn book_mut(&mut self) -> &mut Book {
        &mut self.book
    }

    /// Takes the ledger as it is by now. The blocks are looked at again of which it says something
    /// else than before.
    pub fn set_book(&mut self, book: Book) {
        if !book.is_as(&self.book) {
            for (rank, entry) in self.last.review.pages.entries() {
                if !book.says_the_same(&self.book, &entry.block, entry.nth) {
                    self.void.insert(rank);
                }
            }
        }
        let is_read = |book: &Book, path: &&FilePath| !book.is_unread(path);
        let gone = self.book.unread().filter(|path| is_read(&book, path));
        let come = book.unread().filter(|path| is_read(&self.book, path));
        let other: Vec<FilePath> = gone.chain(come).cloned().collect();
        other.iter().for_each(|path| self.forget(Some(path)));
        self.book = book;
    }

    /// Gives the next review what was at some files when new blocks came in, which becomes their base.
    pub fn set_earlier(&mut self, earlier: Earlier) {
        self.earlier = earlier;
    }

    /// Checks every block against the workspace.
    pub fn review(&mut self, scan: &Scan, snapshot: &dyn Snapshot, limits: &Limits) -> Review {
        self.review_barring(scan, snapshot, limits, &|_, _| None)
    }

    /// Checks every block against the workspace, and blocks those that the shell cannot apply.
    ///
    /// Where `limits.cancel` is cancelled meanwhile, the review is incomplete and of no use, and
    /// the next review checks again what is missing.
    pub fn review_barring(
        &mut self,
        scan: &Scan,
        snapshot: &dyn Snapshot,
        limits: &Limits,
        bar: Bar<'_>,
    ) -> Review {
        let (last, void) = (std::mem::take(&mut self.last), std::mem::take(&mut self.void));
        let snapshot = Remembered::new(snapshot);
        let (earlier, parts) = (std::mem::take(&mut self.earlier), self.parts);
        let given = Given { snapshot: &snapshot, limits, bar, earlier: &earlier, parts };
        (self.last, self.void) = Update::new(last, void, given, &mut self.book).run(scan);
        self.last.review.clone()
    }

    /// Forgets check results that looked at `changed` (or at anything, where it is `None`), so that
    /// the next review makes them again.
    pub fn forget(&mut self, changed: Option<&FilePath>) {
        match changed {
            None => self.void.extend(self.last.review.pages.entries().map(|(rank, _)| rank)),
            Some(changed) => self.void.extend(self.last.index.near(changed)),
        }
    }
}
