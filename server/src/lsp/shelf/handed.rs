//! The edits that were given to the client, from then until they are made.

use std::collections::BTreeSet;
use std::sync::Arc;

use operator_core::ledger::{Door, Event, Operation, OperationId, Transcript, Transition, Work};
use operator_core::path::FilePath;
use operator_core::text::Text;

use super::{Shelf, applied, expect};
use crate::lsp::apply::PendingApply;
use crate::lsp::recorder::What;
use crate::moment;

/// How many edits are remembered that the client has not made.
const MAX_HANDED: usize = 256;

/// An edit that was given to the client.
#[derive(Clone)]
pub(super) struct Handed {
    sent: Arc<PendingApply>,
    /// What the ledger expects: nothing of what was only offered, or where another edit was given
    /// for the same blocks since.
    pub(super) operation: Option<Arc<Operation>>,
    /// Whether the client says that it was made; then the files that do not show it yet.
    pub(super) claimed: Option<BTreeSet<FilePath>>,
}

/// An edit that was made, as its files show.
pub struct Made {
    /// The edit.
    pub sent: Arc<PendingApply>,
    /// Whether the client has said so.
    pub is_claimed: bool,
    /// The transcript that the blocks are in.
    pub transcript: Transcript,
    /// What the ledger must know.
    pub what: What,
}

impl Shelf {
    /// Notes an edit that the client may make by itself; nothing is expected of it.
    pub fn offer(&mut self, sent: PendingApply) {
        self.make_room(&sent);
        self.handed.push(Handed { sent: Arc::new(sent), operation: None, claimed: None });
    }

    /// Notes that an edit is given to the client, most likely to be made now. What was given before
    /// for the same blocks and not made is no longer expected. Returns what the ledger expects. `saved`
    /// tells of files that are otherwise on disk than the editor shows them.
    pub fn hand_over(
        &mut self,
        sent: &Arc<PendingApply>,
        saved: Vec<Event>,
        is_closed: &dyn Fn(&FilePath) -> bool,
    ) -> Option<Arc<Operation>> {
        self.book.edition += 1;
        let works = sent.works();
        let is_same = |work: &Work| works.iter().any(|it| it.block == work.block);
        let open = self.handed.iter_mut().filter(|handed| handed.claimed.is_none());
        let earlier = open.filter(|it| it.works().iter().any(is_same));
        let earlier: Vec<_> = earlier.filter_map(|handed| handed.operation.take()).collect();
        earlier.iter().for_each(|operation| self.forget(operation.id));
        self.make_room(sent);
        saved.into_iter().for_each(|event| self.book.ledger.take(event));
        let operation = (!works.is_empty()).then(|| {
            let (id, time) = (self.book.ledger.next_id(), moment::now());
            let transcript = sent.context.transcript();
            let operation = Operation { id, time, door: Door::Lsp, transcript, works };
            expect(&mut self.book.ledger, operation, is_closed)
        });
        let expected = operation.clone();
        self.handed.push(Handed { sent: sent.clone(), operation, claimed: None });
        // Nobody asks for any other.
        self.handed.retain(|it| it.operation.is_some() || it.sent.digest.is_some());
        expected
    }

    /// Lets go of the edit that another one takes the place of: that of the same action, and one
    /// where there are too many. First go those that were only offered.
    fn make_room(&mut self, sent: &PendingApply) {
        let is_same = |it: &mut Handed| {
            sent.digest.is_some() && it.sent.digest == sent.digest && it.claimed.is_none()
        };
        let mut gone: Vec<Handed> = self.handed.extract_if(.., is_same).collect();
        if self.handed.len() >= MAX_HANDED {
            let oldest = self.handed.iter().position(|it| it.operation.is_none());
            gone.push(self.handed.remove(oldest.unwrap_or(0)));
        }
        let gone = gone.into_iter().filter_map(|handed| handed.operation);
        gone.for_each(|operation| self.forget(operation.id));
    }

    fn forget(&mut self, operation: OperationId) {
        self.book.edition += 1;
        self.book.ledger.apply(&Event::Forgotten { operation });
    }

    /// The edit of the action with that digest, of which the client has not said yet that it was
    /// made. It is taken out unless it is expected and `stays`.
    pub fn action(&mut self, digest: &str, stays: bool) -> Option<Arc<PendingApply>> {
        let is_it = |it: &Handed| it.claimed.is_none() && it.sent.digest.as_deref() == Some(digest);
        let at = self.handed.iter().position(is_it)?;
        if stays && self.handed[at].operation.is_some() {
            return Some(self.handed[at].sent.clone());
        }
        let Handed { sent, operation, .. } = self.handed.remove(at);
        operation.iter().for_each(|operation| self.forget(operation.id));
        Some(sent)
    }

    /// Whether an edit is expected to be made.
    pub fn expects(&self, sent: &PendingApply) -> bool {
        self.position(sent).is_some()
    }

    fn position(&self, sent: &PendingApply) -> Option<usize> {
        let is_it = |it: &Handed| it.sent.number == sent.number && it.operation.is_some();
        self.handed.iter().position(is_it)
    }

    /// Takes the client's word that an edit was made, at the paths of which `is_made` says so; the
    /// others show it.
    pub fn claim(&mut self, sent: &PendingApply, is_made: &dyn Fn(&Transition) -> bool) {
        self.book.edition += 1;
        let Some(handed) = self.position(sent).map(|at| &mut self.handed[at]) else { return };
        let Some(operation) = &handed.operation else { return };
        let transitions = operation.works.iter().flat_map(|work| &work.transitions);
        let open = transitions.filter(|it| !is_made(it)).map(|it| it.path.clone());
        handed.claimed = Some(open.collect());
        self.book.ledger.claim(operation.id, is_made);
    }

    /// Notes that the client has not made an edit, or not all of it: some clients stop at the first
    /// step that they cannot make. Blocks of which the files show that they were made, stay made.
    /// Those that change only the files in `first`, which the client changes before that step, are
    /// still expected: some clients tell of a change after their answer. Returns what the ledger
    /// must know.
    pub fn withdraw(&mut self, sent: &PendingApply, first: &BTreeSet<FilePath>) -> Vec<What> {
        self.book.edition += 1;
        let handed = self.position(sent).map(|at| self.handed.remove(at));
        let Some(Handed { sent, operation: Some(operation), .. }) = handed else {
            return Vec::new();
        };
        let made_at = self.book.ledger.made_at(operation.id);
        self.forget(operation.id);
        let shown: BTreeSet<FilePath> = made_at.iter().flatten().cloned().collect();
        let works = operation.works.iter().zip(&made_at);
        let works = works.filter_map(|(work, made)| work.made_in(&(made | first)));
        let is_shown =
            |work: &Work| work.transitions.iter().all(|it| !it.changes() || it.comes_with(&shown));
        let (made, late): (Vec<Work>, Vec<Work>) = works.partition(is_shown);
        self.hand_over_part(&sent, &operation, made, &shown, Some(BTreeSet::new()));
        let late = self.hand_over_part(&sent, &operation, late, &shown, None);
        std::iter::once(What::Withdrawn(operation)).chain(late).collect()
    }

    /// Expects some works of an edit that was given to the client. The files in `shown` have their
    /// changes already. Returns the fact for the ledger.
    fn hand_over_part(
        &mut self,
        sent: &PendingApply,
        whole: &Operation,
        works: Vec<Work>,
        shown: &BTreeSet<FilePath>,
        claimed: Option<BTreeSet<FilePath>>,
    ) -> Option<What> {
        if works.is_empty() {
            return None;
        }
        let sent = Arc::new(sent.with_works(&works));
        let id = self.book.ledger.next_id();
        let operation = Arc::new(Operation { id, works, ..whole.clone() });
        let ledger = &mut self.book.ledger;
        ledger.apply(&Event::HandedOut((*operation).clone()));
        ledger.claim(id, &|transition| transition.comes_with(shown));
        let what = What::Begun(operation.clone(), sent.made.clone());
        self.handed.push(Handed { sent, operation: Some(operation), claimed });
        Some(what)
    }

    /// Whether a change of a file is expected.
    pub fn expects_change(&self, file: &FilePath) -> bool {
        self.book.ledger.expects(file)
    }

    /// Compares the text of an open file with the expected ones, and returns the events of a match.
    /// Any other text is left to the next review.
    pub fn see(&mut self, file: &FilePath, text: &Text) -> Vec<Event> {
        if !self.expects_change(file) {
            return Vec::new();
        }
        let handed = self.handed.iter().rev().filter(|handed| handed.operation.is_some());
        let expected = handed.flat_map(|handed| handed.sent.expected.iter());
        let mut expected = expected.filter(|it| it.path == *file);
        let Some(found) = expected.find_map(|it| it.shown_by(text)) else { return Vec::new() };
        self.book.edition += 1;
        self.book.ledger.observe(&[found], moment::now(), &|_| Vec::new())
    }

    /// Takes out the edits that were made, as far as their files show.
    pub fn made(&mut self) -> Vec<Made> {
        let ledger = &self.book.ledger;
        let is_made = |handed: &mut Handed| {
            let id = handed.operation.as_ref().map(|operation| operation.id);
            id.is_some_and(|id| ledger.stands(id) && !ledger.awaits(id))
        };
        let made = self.handed.extract_if(.., is_made).filter_map(|handed| {
            let Handed { sent, operation, claimed } = handed;
            let operation = operation?;
            let what = applied(ledger, &operation, sent.made.clone());
            let transcript = operation.transcript.clone();
            Some(Made { sent, is_claimed: claimed.is_some(), transcript, what })
        });
        made.collect()
    }
}

impl Handed {
    /// What the ledger expects.
    fn works(&self) -> &[Work] {
        self.operation.as_ref().map_or(&[], |operation| &operation.works)
    }
}
