//! The ledger from the loop's side: what was given to the client, what it has made, what the files
//! show of it, and what is written.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use operator_core::ledger::{Answer, Event, Ledger, Operation, OperationId, Transition, Work};
use operator_core::path::{FilePath, Kind, State as FileState};
use operator_core::review::{Proposal, Status};
use operator_core::snapshot::Snapshot;
use operator_core::spec::Effect;
use operator_core::text::Text;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{CodeAction, Uri, WorkspaceEdit};

use super::shown::look_at;
use super::{Asked, Meaning, State, Turn};
use crate::lsp::apply::{BlockOutcome, PendingApply};
use crate::lsp::documents::DocumentSnapshot;
use crate::lsp::event::Reply;
use crate::lsp::handlers;
use crate::lsp::handlers::operations::Argument;
use crate::lsp::names::CommandName;
use crate::lsp::recorder::{Fact, NOT_YET, What};
use crate::lsp::reviews::{Found, Reviewed};
use crate::lsp::shelf::{Kept, Made, Opened, Shelf};
use crate::lsp::sites::Site;
use crate::workspace::Reversal;

/// What a command about operations comes to.
enum Done {
    Answer(Value),
    Edit((Reversal, WorkspaceEdit, String)),
}

/// How long a transcript stays as it is before its blocks are written down.
const REST_DELAY: Duration = Duration::from_secs(1);
/// How long an edit waits until it is on record.
const RECORD_TIMEOUT: Duration = Duration::from_secs(2);
/// How many blocks that are gone are remembered of a transcript, besides as many as it has.
const MAX_GONE: usize = 4_096;

impl State {
    /// What was done in a workspace.
    pub(super) fn shelf(&mut self, site: &Site) -> &mut Shelf {
        self.shelves.entry(site.folders().to_vec()).or_insert_with(|| {
            let open = site.open_files();
            // They were opened before there was a transcript.
            open.iter().for_each(|file| {
                look_at(site, file, None, &self.recorder, &self.published, &self.events)
            });
            Shelf::new(open)
        })
    }

    /// Has the ledger know something; the server does not end before it is written.
    pub(super) fn tell(&mut self, fact: Fact) {
        let Fact { site, transcript, what } = fact;
        let (number, what) = (self.number(), Arc::new(what));
        self.shelf(&site).tell(number, &transcript, &what);
        self.recorder.tell(number, site, transcript, what, self.programs.write());
    }

    /// Notes an edit that the client may make by itself.
    pub(super) fn offer(&mut self, sent: PendingApply) {
        let site = self.sites.of(&sent.context.document.uri);
        self.shelf(&site).offer(sent);
    }

    /// Notes that an edit is given to the client, and has it put on record.
    pub(super) fn give(&mut self, sent: PendingApply) -> Arc<PendingApply> {
        let (sent, operation) = self.hand_over(sent);
        if let Some(operation) = operation {
            let uri = &sent.context.document.uri;
            // What the files were is not to be seen any more once the client has the edit.
            let bases = self.unkept_bases(uri).and_then(|unkept| unkept());
            bases.into_iter().for_each(|fact| self.tell(fact));
            let site = self.sites.of(uri);
            let transcript = operation.transcript.clone();
            let what = What::Handed(operation, sent.made.clone());
            self.tell(Fact { site, transcript, what });
        }
        sent
    }

    /// Does something once what was told is on record. A disk that does not take it, or another run
    /// that has the workspace for long, does not keep the client from its edit.
    pub(super) fn once_on_record(&self, then: impl FnOnce() + Send + 'static) {
        let (done, kept) = oneshot::channel::<()>();
        self.recorder.then(move || _ = done.send(()));
        let events = self.events.clone();
        tokio::spawn(async move {
            if tokio::time::timeout(RECORD_TIMEOUT, kept).await.is_err()
                && let Some(events) = events.upgrade()
            {
                let _ = events.send(super::Event::NotKept(NOT_YET.to_owned()));
            }
            then();
        });
    }

    fn hand_over(&mut self, sent: PendingApply) -> (Arc<PendingApply>, Option<Arc<Operation>>) {
        let sent = Arc::new(PendingApply { number: Some(self.number()), ..sent });
        let site = self.sites.of(&sent.context.document.uri);
        let is_closed = |path: &FilePath| site.version(path).is_none();
        let saved = site.workspace().saved(&sent.works(), &|path| !is_closed(path));
        let operation = self.shelf(&site).hand_over(&sent, saved, &is_closed);
        (sent, operation)
    }

    /// An action has its edit: the client gets it once that is on record.
    pub(super) fn resolved(
        &mut self,
        sent: PendingApply,
        action: CodeAction,
        reply: Reply<CodeAction>,
    ) {
        self.give(sent);
        self.once_on_record(move || _ = reply.send(Ok(action)));
    }

    /// The client says that it has made an edit. What is open shows by itself whether it has.
    pub(super) fn made(&mut self, sent: Arc<PendingApply>) {
        let site = self.sites.of(&sent.context.document.uri);
        if self.made_edits.has(&sent) {
            // The files have shown it before the client says so.
            self.close_deleted(&sent, &site);
            return;
        }
        // There is nothing to undo of what was read or refused.
        let is_known = sent.writes().next().is_none() || self.shelf(&site).expects(&sent);
        let sent = if is_known { sent } else { self.hand_over(Arc::unwrap_or_clone(sent)).0 };
        let gone = self.close_deleted(&sent, &site);
        let is_open = |path: &FilePath| site.version(path).is_some() && !gone.contains(path);
        let is_made = |it: &Transition| !it.changes() || !is_open(&it.path);
        self.shelf(&site).claim(&sent, &is_made);
        self.remember(&sent);
        self.write_made(&site);
    }

    /// What an edit has deleted or moved away is on no disk any more; the client may not have
    /// closed it yet, and it is looked at as if it had.
    fn close_deleted(&mut self, sent: &PendingApply, site: &Site) -> HashSet<FilePath> {
        let works = sent.blocks.iter().filter_map(|block| block.work.as_ref());
        let transitions = works.flat_map(|work| &work.transitions);
        let left = |it: &Transition| match it.after {
            FileState::Missing => Some(None),
            FileState::Directory => Some(Some(Kind::Directory)),
            _ => None,
        };
        let gone = transitions
            .filter(|it| left(it).is_some_and(|left| site.workspace().kind(&it.path) == Ok(left)));
        let gone: Vec<&FilePath> = gone.map(|it| &it.path).collect();
        let mut open: HashSet<FilePath> = site.open_files().into_iter().collect();
        // A file that came into a directory since is on disk.
        open.retain(|file| {
            gone.contains(&file)
                || gone.iter().any(|path| file.is_within(path))
                    && site.workspace().kind(file) == Ok(None)
        });
        let gone = open;
        for uri in gone.iter().filter_map(|path| site.uri(path)) {
            self.sites.take(&uri);
        }
        gone
    }

    /// Remembers the results of the blocks of an edit that was made.
    fn remember(&mut self, sent: &PendingApply) {
        let (site, transcript) = (sent.context.site.clone(), sent.context.transcript());
        let shelf = self.shelf(&site);
        for BlockOutcome { id, told, .. } in &sent.blocks {
            shelf.note(&transcript, *id, Some(told.clone()));
        }
        let answers: Vec<_> = sent.blocks.iter().filter_map(answer).collect();
        if !answers.is_empty() {
            self.tell(Fact { site, transcript, what: What::Answered(answers) });
        }
        match sent.commit.clone() {
            Some(commit) => self.commit_later(commit),
            None if sent.digest.is_some() && sent.writes().next().is_some() => {
                self.warn_of_no_commit();
            }
            None => {}
        }
        self.look_at(sent);
    }

    /// Has the transcripts reviewed again that are about what an edit changes.
    fn look_at(&mut self, sent: &PendingApply) {
        let works = sent.blocks.iter().filter_map(|block| block.work.as_ref());
        let paths = works.flat_map(|work| &work.transitions).map(|it| it.path.clone());
        let site = self.sites.of(&sent.context.document.uri);
        self.look_again(&site, &paths.collect(), None);
        if let Some(slot) = self.slot(&sent.context.document.uri) {
            slot.dirty = true;
        }
    }

    /// Has the transcripts of a workspace but one reviewed again that look at some files.
    fn look_again(&mut self, site: &Site, files: &BTreeSet<FilePath>, but: Option<&Uri>) {
        let transcripts = self.transcripts_in(site.folders()).into_iter();
        for transcript in transcripts.filter(|it| Some(it) != but) {
            let slot = self.slot(&transcript);
            slot.into_iter().for_each(|slot| files.iter().for_each(|file| slot.forget(file)));
        }
    }

    /// The client has not made an edit, or only at the documents in `first`.
    pub(super) fn not_made(&mut self, sent: &PendingApply, first: &[Uri]) {
        let site = self.sites.of(&sent.context.document.uri);
        let works = sent.works();
        let paths = works.iter().flat_map(|work| &work.transitions).map(|it| &it.path);
        let is_first = |path: &&FilePath| site.uri(path).is_some_and(|uri| first.contains(&uri));
        let first = paths.filter(is_first).chain(made_on_disk(&works, &site)).cloned().collect();
        for what in self.shelf(&site).withdraw(sent, &first) {
            let transcript = sent.context.transcript();
            self.tell(Fact { site: site.clone(), transcript, what });
        }
        self.look_at(sent);
        self.write_made(&site);
    }

    /// The client has not undone or redone an operation, but perhaps some files of it, of which it
    /// tells before or after its answer.
    pub(super) fn not_reversed(&mut self, site: &Site, reversal: &Reversal) {
        self.shelf(site).expect_reversal(reversal);
        let files = reversal.operation.paths().into_iter();
        let uris: Vec<Uri> = files.filter_map(|file| site.uri(file)).collect();
        for uri in uris {
            if let Some(entry) = self.documents.get(&uri) {
                let document = entry.document.snapshot().clone();
                self.see(&document);
            }
        }
    }

    /// The client has undone or redone an operation.
    pub(super) fn reversed(&mut self, site: Site, reversal: Arc<Reversal>) {
        let operation = reversal.operation.clone();
        let transcript = operation.transcript.clone();
        let shelf = self.shelf(&site);
        let blocks = operation.works.iter().map(|work| work.block);
        blocks.for_each(|block| shelf.note(&transcript, block, None));
        let sent = if reversal.is_redo { None } else { self.made_edits.take(&operation) };
        let ledger = self.shelf(&site).ledger();
        let typed = operation.paths().into_iter().flat_map(|path| {
            let mut all = operation.works.iter().flat_map(|work| &work.transitions);
            let first = all.find(|it| it.path == *path);
            first.into_iter().flat_map(|it| ledger.typed_since(path, it.before))
        });
        let what = What::Reversed(reversal, typed.collect());
        self.tell(Fact { site: site.clone(), transcript: transcript.clone(), what });
        if let Some(sent) = sent {
            self.forget_with(&site, &sent);
        }
        let paths = operation.paths().into_iter().cloned().collect();
        self.look_again(&site, &paths, None);
        for slot in self.documents.values_mut().filter_map(|entry| entry.review.as_mut()) {
            slot.dirty = true;
        }
    }

    /// Forgets what was read together with what is undone, and that it is to be committed.
    fn forget_with(&mut self, site: &Site, sent: &PendingApply) {
        let transcript = sent.context.transcript();
        let shelf = self.shelf(site);
        sent.blocks.iter().for_each(|block| shelf.note(&transcript, block.id, None));
        let again = Answer::default();
        let read = sent.blocks.iter().filter_map(answer).map(|(block, _)| (block, again.clone()));
        let read: Vec<_> = read.collect();
        if !read.is_empty() {
            self.tell(Fact { site: site.clone(), transcript, what: What::Answered(read) });
        }
        if let Some(commit) = &sent.commit {
            self.forget_commit(commit);
        }
    }

    /// Forgets what was answered in a transcript that has no file and is closed: another one may get its
    /// name.
    pub(super) fn forget_answers(&mut self, uri: &Uri) {
        if crate::lsp::proto::path_of(uri).is_some() {
            return;
        }
        let (site, transcript) = (self.sites.of(uri), crate::lsp::recorder::transcript(uri));
        let shelf = self.shelf(&site);
        let blocks: Vec<_> = shelf.ledger().answered(&transcript).collect();
        if blocks.is_empty() {
            return;
        }
        blocks.iter().for_each(|block| shelf.note(&transcript, *block, None));
        let answers = blocks.into_iter().map(|block| (block, Answer::default())).collect();
        self.tell(Fact { site, transcript, what: What::Answered(answers) });
    }

    /// Lists operations, or has the client undo or redo one, once all that it has made is written.
    pub(super) fn on_operations(
        &mut self,
        name: CommandName,
        arguments: &[Value],
        reply: Reply<Option<Value>>,
        turn: Option<Turn>,
    ) {
        let Argument { uri, id } = match handlers::operations::argument(arguments) {
            Ok(argument) => argument,
            Err(error) => return drop(reply.send(Err(error))),
        };
        if uri.is_none() && id.is_some() && self.folders.len() > 1 {
            let says = "each folder numbers its operations by itself: `uri` must name a document of the folder";
            return drop(reply.send(Err(Error::invalid_params(says))));
        }
        let site = match (uri, self.made_edits.last()) {
            (Some(uri), _) => self.sites.of(&uri),
            (None, Some(sent)) => {
                let uri = sent.context.document.uri.clone();
                self.sites.of(&uri)
            }
            (None, _) => self.sites.of_path(""),
        };
        let (events, session) = (self.events.clone(), self.session.clone());
        let mut shelf = self.shelf(&site).clone();
        self.recorder.then(move || {
            let done = match name {
                CommandName::Log => handlers::operations::log(&site).map(Done::Answer),
                name => {
                    let is_redo = name == CommandName::Redo;
                    let id = id.map(OperationId);
                    // Another program may have changed a file that the editor shows.
                    shelf.look(&site);
                    let view = shelf.view(&site);
                    handlers::operations::reversal(&site, &view, &session, id, is_redo)
                        .map(Done::Edit)
                }
            };
            match done {
                Ok(Done::Edit((reversal, edit, label))) => {
                    let meaning = Meaning::Reversed(site, Arc::new(reversal));
                    if let Some(events) = events.upgrade() {
                        let asked = Asked { edit, label, meaning, turn, reply };
                        let _ = events.send(super::Event::Asked(Box::new(asked)));
                    }
                }
                Ok(Done::Answer(value)) => _ = reply.send(Ok(Some(value))),
                Err(error) => _ = reply.send(Err(error)),
            }
        });
    }

    /// Whether a change of a document was given to the client and is not made yet, or was undone.
    pub(super) fn is_expected(&self, uri: &Uri) -> bool {
        self.sites.with_file(uri).any(|(site, file)| {
            self.shelves.get(site.folders()).is_some_and(|shelf| {
                shelf.expects_change(file)
                    || shelf.expects_reversal_of(file)
                    || shelf.can_redo(file)
            })
        })
    }

    /// A document has changed: if a change of it is expected, this may be it.
    pub(super) fn see(&mut self, document: &DocumentSnapshot) {
        if document.unsynced.is_some() || !self.is_expected(&document.uri) {
            return;
        }
        let uri = &document.uri;
        let mut seen: Vec<Site> = Vec::new();
        for transcript in self.transcripts() {
            let site = self.sites.of(&transcript);
            let is_known = seen.iter().any(|it| it.folders() == site.folders());
            let Some(file) = site.file_of(uri).filter(|_| !is_known).cloned() else { continue };
            let shelf = self.shelf(&site);
            let then = shelf.ledger().clone();
            let state = || site.view().state(&file).ok();
            let mut events = match shelf.expects_reversal_of(&file) {
                true => shelf.see_reversal(&file, state()),
                false => Vec::new(),
            };
            if events.is_empty() {
                events = shelf.see(&file, &document.text);
            }
            // Half of an edit may look like a redo.
            let may_be = !shelf.expects_change(&file) && !shelf.is_new(&file);
            if events.is_empty() && may_be && shelf.can_redo(&file) {
                events = shelf.see_redo(&file, state());
            }
            self.happened(&site, &transcript, &events, &then);
            seen.push(site);
        }
    }

    /// Takes in what a review has found in the files. `shown` is what the editor has shown of them since
    /// the review began.
    pub(super) fn merge(
        &mut self,
        uri: &Uri,
        reviewed: &Reviewed,
        mut found: Found,
        shown: Vec<(FilePath, Text)>,
    ) {
        let site = self.sites.of(uri);
        let folders = site.folders().to_vec();
        let shelf = self.shelf(&site);
        let opened = std::mem::take(&mut found.compared.opened).into_iter();
        let (compared, changed): (Vec<_>, Vec<_>) = opened.partition(|it| shelf.note_compared(it));
        let (again, undone) = self.merge_found(uri, &site, reviewed, found);
        let shown = shown.into_iter().filter(|(file, _)| undone.contains(file));
        shown.for_each(|(file, text)| self.see_shown(uri, &site, &file, text));
        for file in compared.iter().map(Opened::file) {
            // What it has shown before is looked at again, too.
            match again.contains(file) {
                true => self.shelf(&site).note_opened(file),
                false => self.sites.forget_before(&folders, file),
            }
            self.tell_loaded(&folders, file);
        }
        if !compared.is_empty() {
            self.look_at_unread(&folders);
        }
        // What has changed meanwhile the next review compares.
        if let Some(slot) = self.slot(uri) {
            again.iter().for_each(|file| slot.forget(file));
            slot.dirty |= !changed.is_empty();
        }
    }

    /// Takes in what it has found but what it shows of files that the editor has begun to show. Returns the
    /// files that are to be looked at again, and those of which changes are undone.
    fn merge_found(
        &mut self,
        uri: &Uri,
        site: &Site,
        reviewed: &Reviewed,
        mut found: Found,
    ) -> (BTreeSet<FilePath>, BTreeSet<FilePath>) {
        let mut again: BTreeSet<FilePath> = std::mem::take(&mut found.early).into_iter().collect();
        if found.events.is_empty() && found.compared.reloaded.is_empty() {
            return (again, BTreeSet::new());
        }
        let folders = site.folders().to_vec();
        for file in &found.compared.reloaded {
            self.reloaded(&folders, file, found.then.head(file));
        }
        again.extend(found.take_hidden(&site.view()));
        let by_hand = found.events.iter().filter_map(|event| match event {
            Event::ByHand(operation) => Some(operation.works.iter().map(|work| work.block)),
            _ => None,
        });
        let by_hand: Vec<_> = by_hand.flatten().collect();
        let shelf = self.shelf(site);
        let is_open = |path: &FilePath| site.version(path).is_some();
        let merged = shelf.merge(&found.events, &found.then, is_open);
        shelf.note_all(&reviewed.book, by_hand.into_iter());
        let (book, review) = (&reviewed.book, &reviewed.review);
        if !reviewed.cancelled && shelf.own_bases_of(&book.transcript) > MAX_GONE + 2 * review.len()
        {
            let there: HashSet<_> = review.proposals().map(|it| it.id()).collect();
            shelf.bound(&book.transcript, |block| there.contains(&block));
        }
        again.extend(merged.again);
        self.happened(site, uri, &merged.events, &found.then);
        let undone = merged.events.into_iter().filter_map(|event| match event {
            Event::Back { path, .. } => Some(path),
            _ => None,
        });
        (again, undone.collect())
    }

    /// Has [`crate::lsp::event::Event::Rested`] come with this number after a while.
    pub(super) fn remind_rested(&self, uri: Uri, serial: u64) {
        let events = self.events.clone();
        tokio::spawn(async move {
            tokio::time::sleep(REST_DELAY).await;
            if let Some(events) = events.upgrade() {
                let _ = events.send(super::Event::Rested { uri, serial });
            }
        });
    }

    /// A transcript was reviewed a while ago: what it has now is more than a state on the way.
    pub(super) fn rested(&mut self, uri: &Uri, serial: u64) {
        if self.slot(uri).is_some_and(|slot| slot.current.serial == serial) {
            self.write_bases(uri);
        }
    }

    /// Writes the bases of a transcript's blocks. Another server then knows which files have
    /// changed since.
    pub(super) fn write_bases(&mut self, uri: &Uri) {
        let Some(unkept) = self.unkept_bases(uri) else { return };
        let Some(events) = self.events.upgrade() else {
            // The client has left, and nothing comes after this.
            return unkept().into_iter().for_each(|fact| self.tell(fact));
        };
        // The server does not end before the loop has taken them.
        let running = self.programs.write();
        tokio::task::spawn_blocking(move || {
            if let Some(fact) = unkept() {
                let _ = events.send(super::Event::Bases(Box::new(fact), running));
            }
        });
    }

    /// What finds the bases of a transcript's blocks that are not written yet; there may be many blocks.
    fn unkept_bases(&mut self, uri: &Uri) -> Option<impl FnOnce() -> Option<Fact> + Send + use<>> {
        let slot = self.slot(uri).filter(|slot| !slot.current.cancelled)?;
        let reviewed = slot.current.clone();
        let site = self.sites.of(uri);
        let shelf = self.shelf(&site).clone();
        Some(move || {
            let transcript = reviewed.book.transcript.clone();
            let is_open = |it: &Proposal| it.status != Status::Applied;
            let blocks = reviewed.review.proposals().filter(is_open).map(|it| it.id());
            let bases = shelf.unkept_bases(&transcript, blocks);
            (!bases.is_empty()).then(|| Fact { site, transcript, what: What::Proposed(bases) })
        })
    }

    /// Files are found to have changed, on the ledger as it was `then`: the kept ledger is told what
    /// lasts, and the other transcripts look at them again.
    pub(super) fn happened(&mut self, site: &Site, uri: &Uri, events: &[Event], then: &Ledger) {
        let mut again = BTreeSet::new();
        let mut news = Vec::new();
        let transcript = crate::lsp::recorder::transcript(uri);
        for event in events.iter().filter(|event| event.is_lasting()) {
            again.extend(event.paths().into_iter().cloned());
            match event {
                Event::ByHand(operation) => {
                    let what = self.shelf(site).applied(operation);
                    let (site, transcript) = (site.clone(), operation.transcript.clone());
                    self.tell(Fact { site, transcript, what });
                }
                event @ Event::Made { .. } if self.shelf(site).is_of_others(event) => {
                    news.push(event.clone());
                }
                // Its operation is written as a whole, with what the blocks were made for.
                Event::Made { .. } | Event::Proposed { .. } => {}
                event => news.push(event.clone()),
            }
        }
        if !news.is_empty() {
            let what = What::Found(news, Box::new(then.clone()));
            self.tell(Fact { site: site.clone(), transcript, what });
        }
        if !again.is_empty() {
            self.look_again(site, &again, Some(uri));
            self.write_made(site);
        }
    }

    /// Writes the edits that were made, as far as their files show.
    fn write_made(&mut self, site: &Site) {
        for Made { sent, is_claimed, transcript, what } in self.shelf(site).made() {
            self.tell(Fact { site: site.clone(), transcript, what });
            // The client may say later that it has made it, or never.
            if !is_claimed {
                self.remember(&sent);
            }
            self.made_edits.push(sent);
        }
    }

    /// The kept ledger was read: the transcripts of the workspace look what it says of them.
    pub(super) fn kept(&mut self, kept: &Kept) {
        let open = self.sites.open_files(&kept.folders);
        let shelf = self.shelves.entry(kept.folders.clone()).or_default();
        let again = shelf.take_unsaved(&kept.unsaved, &open);
        let is_other = shelf.take(kept, &open);
        if let Some(transcript) = self.transcript_in(&kept.folders) {
            let site = self.sites.of(&transcript);
            // What was seen of an edit before is all of it now, if the rest is on record.
            self.write_made(&site);
        }
        self.look_at_unread(&kept.folders);
        if is_other || !again.is_empty() {
            self.look_again_in(&kept.folders, &again);
        }
    }
}

/// The files that no editor shows, and that are as the last of some works leaves them.
fn made_on_disk<'a>(
    works: &'a [Work],
    site: &'a Site,
) -> impl Iterator<Item = &'a FilePath> + use<'a> {
    let transitions = works.iter().flat_map(|work| &work.transitions);
    let last: BTreeMap<&FilePath, &Transition> = transitions.map(|it| (&it.path, it)).collect();
    let is_made = |it: &Transition| {
        let state = || site.workspace().state(&it.path);
        it.changes()
            && site.version(&it.path).is_none()
            && state().is_ok_and(|it_is| it.leads_to(it_is))
    };
    last.into_iter().filter(move |(_, it)| is_made(it)).map(|(path, _)| path)
}

/// The answer to a block that changes no file.
fn answer(settled: &BlockOutcome) -> Option<(operator_core::ledger::BlockId, Answer)> {
    let effect = settled.placed.block.parsed.effect;
    let answer = Answer::new(&settled.placed, &settled.told);
    let is_answer = answer.refused || answer.ok && effect != Some(Effect::Write);
    is_answer.then_some((settled.id, answer))
}
