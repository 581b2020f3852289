//! What was done in each workspace, as the main loop has it: the kept ledger, with what is not
//! written to it yet.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use operator_core::dialect::Told;
use operator_core::ledger::{
    BlockId, Door, Event, Ledger, Merged, Observation, Operation, OperationId, Transcript,
    Transition, Work,
};
use operator_core::path::FilePath;
use operator_core::review::Book;

use super::recorder::What;
use crate::moment;
use crate::workspace::{self, Workspace};

/// The workspaces by their folders.
pub type Shelves = HashMap<Vec<PathBuf>, Shelf>;

/// Which state of the kept ledger something is: its length in bytes and its time.
type Edition = (u64, u128);

/// What was done in a workspace. A clone is cheap and does not change.
#[derive(Clone, Default)]
pub struct Shelf {
    book: Book,
    /// The state of the kept ledger that the book begins with; `None` where it was not read yet.
    edition: Option<Edition>,
    /// The kept ledger as it was read, with the bases that it was told since.
    kept: Ledger,
    /// What the kept ledger does not have yet, in order.
    unwritten: Vec<Unwritten>,
    /// What was given to the client, and is not made as far as is known.
    handed: Vec<Handed>,
    /// The numbers of the edits that were made last.
    made: Vec<u64>,
}

/// How many edits are expected at most.
const MAX_HANDED: usize = 256;
/// How many numbers of edits that were made are remembered.
const MAX_MADE: usize = 256;

/// Something that the ledger was told, and its number.
#[derive(Clone)]
struct Unwritten {
    number: u64,
    transcript: Transcript,
    what: Arc<What>,
}

/// An operation that was given to the client.
#[derive(Clone)]
struct Handed {
    /// The number of the edit.
    number: u64,
    operation: Arc<Operation>,
    /// What it takes to undo and redo it, where that is known.
    made: Option<Arc<workspace::Made>>,
    /// Whether the client says that it was made; then the files that do not show it yet.
    claimed: Option<BTreeSet<FilePath>>,
}

/// The kept ledger as it was read.
pub struct Kept {
    /// The workspace's folders.
    pub folders: Vec<PathBuf>,
    /// Whether it was read because of something that was written, and that one's number; else the
    /// state that was known before.
    pub why: Why,
    /// Which state it is.
    pub edition: Edition,
    /// What it says.
    pub ledger: Ledger,
}

/// Why the kept ledger was read.
pub enum Why {
    /// What has this number was written.
    Written(u64),
    /// It is another one than this, which was known.
    Other(Option<Edition>),
}

/// An edit that was made, as its files show.
pub struct Made {
    /// The number of the edit.
    pub number: u64,
    /// The transcript that the blocks are in.
    pub transcript: Transcript,
    /// What the ledger must know.
    pub what: What,
}

impl Shelf {
    /// The ledger as a transcript asks it.
    pub fn book(&self, transcript: Transcript) -> Book {
        self.book.for_transcript(transcript, moment::now())
    }

    /// Reads the kept ledger where it is another one than is known: the command line or another
    /// editor may have written to it.
    pub fn read(&self, workspace: &Workspace) -> Option<Kept> {
        let edition = workspace.ledger_edition();
        if self.edition == Some(edition) {
            return None;
        }
        let ledger = workspace.ledger().unwrap_or_else(|error| {
            tracing::warn!(%error, "the ledger cannot be read");
            self.book.ledger.clone()
        });
        let (folders, why) = (workspace.roots().to_vec(), Why::Other(self.edition));
        Some(Kept { folders, why, edition, ledger })
    }

    /// Begins anew with the kept ledger, with what it does not have yet; gives whether that is
    /// another one than is known.
    pub fn take(&mut self, kept: &Kept) -> bool {
        self.book.edition += 1;
        match kept.why {
            Why::Written(number) => self.unwritten.retain(|it| it.number != number),
            Why::Other(before) if before != self.edition => return false,
            Why::Other(_) => {}
        }
        let last = |ledger: &Ledger| ledger.operations().next_back().map(|it| it.id);
        self.kept = kept.ledger.clone();
        let old = std::mem::replace(&mut self.book.ledger, kept.ledger.clone());
        let ledger = &mut self.book.ledger;
        ledger.keep_bases(&old);
        self.edition = Some(kept.edition);
        for Unwritten { transcript, what, .. } in &self.unwritten {
            match &**what {
                What::Proposed(bases) => bases.iter().for_each(|it| self.kept.apply(it)),
                What::Applied { door, time, works, proposed, .. } => {
                    proposed.iter().for_each(|event| ledger.apply(event));
                    let id = ledger.next_id();
                    let (transcript, works) = (transcript.clone(), works.clone());
                    let operation = Operation { id, time: *time, door: *door, transcript, works };
                    // It may have been written while this was read.
                    if !has(ledger, &operation) {
                        ledger.hand_over(operation, *time, &|_| false);
                        ledger.apply(&Event::Claimed { operation: id });
                    }
                }
                what => what.events(transcript).iter().for_each(|it| ledger.apply(it)),
            }
        }
        for handed in &mut self.handed {
            let mut operation = Operation::clone(&handed.operation);
            operation.id = ledger.next_id();
            handed.operation = Arc::new(operation.clone());
            let (id, time) = (operation.id, operation.time);
            ledger.hand_over(operation, time, &|_| false);
            if let Some(open) = &handed.claimed {
                ledger.claim(id, &|transition| !open.contains(&transition.path));
            }
        }
        last(&old) != last(&self.book.ledger) || matches!(kept.why, Why::Other(_))
    }

    /// Notes that an edit is given to the client. What was given before for the same blocks and not
    /// made is not expected any more.
    pub fn hand_over(
        &mut self,
        number: u64,
        transcript: Transcript,
        works: Vec<Work>,
        made: Option<Arc<workspace::Made>>,
        is_closed: &dyn Fn(&FilePath) -> bool,
    ) {
        self.book.edition += 1;
        let is_same = |handed: &Handed| {
            let known = handed.operation.works.iter().map(|work| work.block);
            handed.claimed.is_none()
                && known.into_iter().any(|block| works.iter().any(|it| it.block == block))
        };
        let (again, others) = self.handed.drain(..).partition::<Vec<_>, _>(is_same);
        self.handed = others;
        again.iter().for_each(|handed| self.forget(handed.operation.id));
        if self.handed.len() >= MAX_HANDED {
            let oldest = self.handed.remove(0);
            self.forget(oldest.operation.id);
        }
        let (id, time) = (self.book.ledger.next_id(), moment::now());
        let operation = Operation { id, time, door: Door::Lsp, transcript, works };
        self.book.ledger.hand_over(operation.clone(), time, is_closed);
        let operation = Arc::new(operation);
        self.handed.push(Handed { number, operation, made, claimed: None });
    }

    fn forget(&mut self, operation: OperationId) {
        self.book.ledger.apply(&Event::Forgotten { operation });
    }

    /// Whether the files have shown that an edit was made.
    pub fn has_made(&self, number: u64) -> bool {
        self.made.contains(&number)
    }

    /// Whether an edit is expected to be made, or was.
    pub fn knows(&self, number: u64) -> bool {
        self.has_made(number) || self.handed.iter().any(|handed| handed.number == number)
    }

    /// Takes the client's word that an edit was made, at the paths of which `is_made` says so; the
    /// others show it.
    pub fn claim(&mut self, number: u64, is_made: &dyn Fn(&Transition) -> bool) {
        self.book.edition += 1;
        let Some(handed) = self.handed.iter_mut().find(|it| it.number == number) else { return };
        let transitions = handed.operation.works.iter().flat_map(|work| &work.transitions);
        let open = transitions.filter(|it| !is_made(it)).map(|it| it.path.clone());
        handed.claimed = Some(open.collect());
        self.book.ledger.claim(handed.operation.id, is_made);
    }

    /// Notes that the client has not made an edit. Blocks of which the files show that it has, stay
    /// made: some clients stop at the first file that they cannot change.
    pub fn withdraw(&mut self, number: u64) {
        self.book.edition += 1;
        let at = self.handed.iter().position(|handed| handed.number == number);
        let Some(handed) = at.map(|at| self.handed.remove(at)) else { return };
        let Operation { id, works, .. } = (*handed.operation).clone();
        let is_made = self.book.ledger.made_works(id);
        self.forget(id);
        let works = works.into_iter().zip(is_made).filter_map(|(work, made)| made.then_some(work));
        let works: Vec<Work> = works.collect();
        if works.is_empty() {
            return;
        }
        let operation = Operation { works, ..(*handed.operation).clone() };
        let ledger = &mut self.book.ledger;
        ledger.apply(&Event::HandedOut(operation.clone()));
        ledger.claim(id, &|_| true);
        // What is kept to undo the whole edit does not fit a part of it.
        let (operation, claimed) = (Arc::new(operation), Some(BTreeSet::new()));
        self.handed.push(Handed { number, operation, made: None, claimed });
    }

    /// Whether a change of a file is expected.
    pub fn expects(&self, file: &FilePath) -> bool {
        self.book.ledger.expects(file)
    }

    /// Takes in what a file is like; gives what happened.
    pub fn see(&mut self, found: Observation) -> Vec<Event> {
        self.book.edition += 1;
        self.book.ledger.observe(&[found], moment::now(), &|_| Vec::new())
    }

    /// Takes in what a review found on the ledger as it was `then`.
    pub fn merge(&mut self, found: &[Event], then: &Ledger) -> Merged {
        let merged = self.book.ledger.merge(found, then);
        let is_new = |event: &Event| event.is_lasting() && !matches!(event, Event::Proposed { .. });
        self.book.edition += u64::from(merged.events.iter().any(is_new));
        merged
    }

    /// Takes out the edits that were made, as far as their files show.
    pub fn made(&mut self) -> Vec<Made> {
        let ledger = &self.book.ledger;
        let is_made = |handed: &mut Handed| {
            let id = handed.operation.id;
            ledger.stands(id) && !ledger.awaits(id)
        };
        let made = self.handed.extract_if(.., is_made).map(|handed| {
            let Handed { number, operation, made, .. } = handed;
            let what = applied(ledger, &operation, made);
            Made { number, transcript: operation.transcript.clone(), what }
        });
        let made: Vec<Made> = made.collect();
        self.made.extend(made.iter().map(|made| made.number));
        self.made.drain(..self.made.len().saturating_sub(MAX_MADE));
        made
    }

    /// What the kept ledger is told of an operation that was made.
    pub fn applied(&self, operation: &Operation) -> What {
        applied(&self.book.ledger, operation, None)
    }

    /// Takes in something that the kept ledger is told with this number.
    pub fn tell(&mut self, number: u64, transcript: &Transcript, what: &Arc<What>) {
        self.book.edition += 1;
        // What was made, found and proposed is in the ledger already.
        if let What::Proposed(bases) = &**what {
            bases.iter().for_each(|base| self.kept.apply(base));
        } else if !matches!(**what, What::Applied { .. } | What::Found(_)) {
            let ledger = &mut self.book.ledger;
            what.events(transcript).iter().for_each(|event| ledger.apply(event));
        }
        let (transcript, what) = (transcript.clone(), what.clone());
        self.unwritten.push(Unwritten { number, transcript, what });
    }

    /// Notes what the model is told of a block of a transcript; nothing any more with `None`.
    pub fn note(&mut self, transcript: &Transcript, block: BlockId, told: Option<Told>) {
        self.book.edition += 1;
        self.book.note(transcript, block, told);
    }

    /// Takes over what the model is told of blocks that a review has found to be made by hand.
    pub fn note_all(&mut self, book: &Book, blocks: impl Iterator<Item = BlockId>) {
        self.book.edition += 1;
        self.book.note_all(book, blocks);
    }

    /// The bases of some blocks of a transcript that the kept ledger does not have, as events.
    pub fn unkept_bases(
        &self,
        transcript: &Transcript,
        blocks: impl Iterator<Item = BlockId>,
    ) -> Vec<Event> {
        let unkept = blocks.filter_map(|block| {
            let at = self.book.ledger.base(transcript, block)?;
            let is_kept = self.kept.base(transcript, block) == Some(at);
            let event =
                || Event::Proposed { transcript: transcript.clone(), block, at: at.to_vec() };
            (!is_kept).then(event)
        });
        unkept.collect()
    }

    /// How many bases of blocks of a transcript are known.
    pub fn bases_of(&self, transcript: &Transcript) -> usize {
        self.book.ledger.bases_of(transcript)
    }

    /// Removes the bases of all blocks of a transcript but those of which `is_there` says so.
    pub fn bound(&mut self, transcript: &Transcript, is_there: impl Fn(BlockId) -> bool) {
        self.book.ledger.bound_bases(transcript, is_there);
    }
}

/// What the kept ledger is told of an operation that was made.
fn applied(ledger: &Ledger, operation: &Operation, made: Option<Arc<workspace::Made>>) -> What {
    let Operation { door, time, transcript, works, .. } = operation.clone();
    let proposed = works.iter().filter_map(|work| {
        let at = ledger.base(&transcript, work.block)?.to_vec();
        Some(Event::Proposed { transcript: transcript.clone(), block: work.block, at })
    });
    let proposed = proposed.collect();
    What::Applied { door, time, works, proposed, made }
}

/// Whether the ledger has an operation already, under whatever number.
fn has(ledger: &Ledger, operation: &Operation) -> bool {
    let mut newest = ledger.operations().rev().take_while(|it| it.time >= operation.time);
    newest.any(|it| it.time == operation.time && it.works == operation.works)
}
