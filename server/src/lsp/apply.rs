//! Applies of proposals: planned again, as one change set, with what is needed to undo it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use operator_core::dialect::Failure;
use operator_core::edit::{ChangeSet, EditSet, LineCounts};
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{BlockId, Expected, Transition, Work};
use operator_core::path::{FilePath, State};
use operator_core::plan::{Extent, Outcome, Part, Plan};
use operator_core::review::{Offer, Planned, Proposal, Status};
use operator_core::scan::Placed;
use operator_core::snapshot::{Snapshot, Staged};
use operator_core::spec::Effect;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::WorkspaceEdit;

use super::commits::ToCommit;
use super::context::{Context, content_modified, request_failed};
use super::payload;
use super::proto::EditBuilder;
use super::protocol::BlockArgument;
use crate::workspace::Made;

/// Proposals that are ready to be applied together.
pub struct Prepared {
    /// What it is, for a person: `fs.write src/main.rs`, `3 proposals`.
    pub title: String,
    /// The writes and the reads, checked on what the earlier ones leave.
    pub done: Vec<Proposal>,
    /// The writes that have nothing to change, since their files have the content already.
    pub satisfied: Vec<Proposal>,
    /// The other proposals of the transcript that failed on their turn.
    pub failed: Vec<Proposal>,
    /// Every change.
    pub changes: ChangeSet,
    /// What it takes to undo and redo the changes, where that can be kept.
    pub made: Option<Arc<Made>>,
    /// The proposals that need a look of their own, and were left for that.
    pub left: Vec<Proposal>,
}

/// A block that is applied or refused, and its result.
#[derive(Clone)]
pub struct BlockOutcome {
    /// The block.
    pub placed: Placed,
    /// What the ledger knows it by.
    pub id: BlockId,
    /// What the ledger is told that it changes; `None` for what changes nothing.
    pub work: Option<Work>,
    /// What the model is told of it.
    pub told: std::result::Result<Outcome, Failure>,
}

/// What was sent to the client or is about to be, until it is known to be done.
#[derive(Clone)]
pub struct PendingApply {
    /// The transcript's URI and the workspace as it sees it.
    pub context: Context,
    /// The blocks.
    pub blocks: Vec<BlockOutcome>,
    /// What it takes to undo and redo it, where that can be kept.
    pub made: Option<Arc<Made>>,
    /// What its files hold then.
    pub expected: Arc<[Expected]>,
    /// Which action of the client it belongs to; `None` for the server's own.
    pub digest: Option<String>,
    /// What is to be committed once it is saved.
    pub commit: Option<Arc<ToCommit>>,
    /// What a person is told of the proposals that were left, once it is done.
    pub left: Option<String>,
    /// Its number among the edits that were given to the client; `None` where it was not yet.
    pub number: Option<u64>,
}

/// Plans one block again, and returns what applying it changes. One that is applied is applied
/// once more where `again` says so.
///
/// # Errors
/// Why it cannot be applied now.
pub fn prepare(
    context: &Context,
    block: usize,
    again: bool,
    hunks: Option<&BTreeSet<usize>>,
) -> Result<Prepared> {
    let shown = context.proposal(block)?;
    let offers = context.offers(&shown);
    let is_again = again && offers.allow(Offer::ApplyAgain);
    if !is_again && !offers.allow(Offer::Apply) {
        return Err(request_failed(shown.why_not()));
    }
    let checked = context.book().check(&shown, &context.view(), context.limits());
    if checked.status != Status::Ready {
        // What is to be applied again fails by itself.
        return Err(refusal(if is_again { &checked } else { &shown }, &checked));
    }
    let checked = match hunks {
        None => checked,
        Some(taken) => in_part(&checked, taken)?,
    };
    let Some(plan) = checked.plan.clone() else { return Err(refusal(&shown, &checked)) };
    let changes = plan.changes.clone();
    let made = made(context, &changes);
    let title = title(&checked, &plan);
    let (satisfied, failed, left) = Default::default();
    Ok(Prepared { title, done: vec![checked], satisfied, failed, left, changes, made })
}

/// What is made of a proposal: `2 of 3 changes of fs.write a.txt`.
fn title(proposal: &Proposal, plan: &Plan) -> String {
    let title = proposal.title();
    match &plan.part {
        Some(Part { applied, rejected, .. }) => {
            let count = applied.len() + rejected.len();
            format!("{} of {count} changes of {title}", applied.len())
        }
        None => title,
    }
}

/// The proposal with some of its hunks, by their 0-based numbers.
///
/// # Errors
/// Where it has no such hunks.
pub fn in_part(checked: &Proposal, taken: &BTreeSet<usize>) -> Result<Proposal> {
    checked.with_hunks(taken).ok_or_else(|| {
        let count = checked.plan.as_ref().map_or(0, |plan| plan.hunks().len());
        Error::invalid_params(format!("`hunks` must name some of the {count} hunks, from 0"))
    })
}

/// The files on disk that are not as they were when the block, or all that are ready, were reviewed.
/// A client need not tell of a change, not even of one that it has made itself.
///
/// # Errors
/// If the block does not exist.
pub fn changed_on_disk(context: &Context, block: Option<usize>) -> Result<Vec<FilePath>> {
    let proposals: Vec<Proposal> = match block {
        Some(block) => vec![context.proposal(block)?],
        None => context.review().proposals().filter(|it| it.status == Status::Ready).collect(),
    };
    let view = context.view();
    let targets =
        proposals.iter().filter(|it| is_write(it)).flat_map(|it| &it.check_result().targets);
    let mut closed: BTreeMap<&FilePath, State> = BTreeMap::new();
    for target in targets.filter(|it| !view.is_open(&it.path)) {
        closed.entry(&target.path).or_insert(target.before);
    }
    closed.retain(|path, before| view.state(path).is_ok_and(|now| now != *before));
    Ok(closed.into_keys().cloned().collect())
}

/// What a client is told of a file that has changed on disk.
pub fn has_changed(files: &[FilePath]) -> Error {
    let path = files.first().map(ToString::to_string).unwrap_or_default();
    content_modified(format!("{path} has changed on disk since it was looked at"))
}

/// Plans every block again, each on what the earlier ones leave.
///
/// # Errors
/// Where nothing can be applied, or the workspace cannot be read.
pub fn prepare_all(context: &Context) -> Result<Prepared> {
    let view = context.view();
    let client = &context.session.client;
    let planned = context
        .book()
        .plan_all(context.review(), &view, context.limits(), |needs| client.cannot(needs).is_none())
        .map_err(|denied| request_failed(format!("the workspace cannot be read: {denied:?}")))?;
    if planned.done.is_empty() && planned.left.is_empty() {
        return Err(request_failed("no proposal of this transcript can be applied"));
    }
    let made = made(context, &planned.changes);
    let writes = planned.done.iter().filter(|proposal| is_write(proposal)).count();
    let title = payload::counted(writes, "proposal");
    let Planned { changes, done, satisfied, failed, left } = planned;
    Ok(Prepared { title, done, satisfied, failed, left, changes, made })
}

/// What it takes to undo and redo changes; what they delete is read before they are made.
fn made(context: &Context, changes: &ChangeSet) -> Option<Arc<Made>> {
    let site = &context.site;
    Made::new(changes, site.workspace(), &site.view()).map(Arc::new)
}

/// What a person is told of the proposals that need a look of their own.
pub fn left(left: &[Proposal]) -> Option<String> {
    let named: Vec<String> = left.iter().map(Proposal::name).collect();
    match named.len() {
        0 => None,
        1 => Some(format!("{} needs a look and is to be applied by itself", named[0])),
        _ => Some(format!("{} need a look and are to be applied one by one", named.join(", "))),
    }
}

/// Why a proposal is not applied.
pub fn refusal(shown: &Proposal, checked: &Proposal) -> tower_lsp::jsonrpc::Error {
    let blocked = if shown.status == Status::Ready { checked } else { shown };
    let reason = blocked.why_not();
    if shown.status == Status::Ready {
        return content_modified(format!("the file has changed: {reason}"));
    }
    request_failed(reason)
}

impl PendingApply {
    /// The blocks that change something.
    pub fn writes(&self) -> impl Iterator<Item = &BlockOutcome> {
        self.blocks.iter().filter(|block| block.work.is_some())
    }

    /// How many blocks change something.
    pub fn changes(&self) -> usize {
        let works = self.blocks.iter().filter_map(|block| block.work.as_ref());
        works.filter(|work| work.transitions.iter().any(Transition::changes)).count()
    }

    /// The files and directories that change; what is moved counts once, by its new path.
    pub fn files(&self) -> HashSet<&FilePath> {
        let works = self.blocks.iter().filter_map(|block| block.work.as_ref());
        works.flat_map(changed_files).collect()
    }

    /// What the ledger is told that they change.
    pub fn works(&self) -> Vec<Work> {
        self.blocks.iter().filter_map(|block| block.work.clone()).collect()
    }

    /// The part of it that consists of these works: works of its blocks, or parts of them. It commits
    /// nothing.
    #[must_use]
    pub fn with_works(&self, works: &[Work]) -> PendingApply {
        let block = |block: &BlockOutcome| {
            let work = works.iter().find(|work| work.block == block.id)?.clone();
            let told = match &work.part {
                Some(part) if part.files => Ok(Outcome::Done(vec![part.fact()])),
                _ => block.told.clone(),
            };
            Some(BlockOutcome { work: Some(work), told, ..block.clone() })
        };
        let blocks = self.blocks.iter().filter_map(block).collect();
        let made = self.made.as_ref().and_then(|made| made.with_works(works)).map(Arc::new);
        PendingApply { blocks, made, commit: None, ..self.clone() }
    }

    /// A block that the user has refused.
    pub fn refused(context: &Context, proposal: &Proposal, digest: Option<String>) -> PendingApply {
        let block = BlockOutcome::of(proposal, Err(Failure::Refused));
        PendingApply::of(context, vec![block], digest)
    }

    fn of(context: &Context, blocks: Vec<BlockOutcome>, digest: Option<String>) -> PendingApply {
        let (made, expected, commit, left, number) = Default::default();
        let context = context.clone();
        PendingApply { context, blocks, made, expected, digest, commit, left, number }
    }
}

impl BlockOutcome {
    fn of(proposal: &Proposal, told: std::result::Result<Outcome, Failure>) -> BlockOutcome {
        BlockOutcome { placed: proposal.placed.clone(), id: proposal.id(), work: None, told }
    }
}

impl Prepared {
    /// The edit for the client, with more edits of the transcript itself where `reply` is given.
    ///
    /// # Errors
    /// What the client cannot do, and a transcript that is its own target.
    pub fn edit(&self, context: &Context, reply: &EditSet) -> Result<WorkspaceEdit> {
        let session = &context.session;
        let mut builder = EditBuilder::new(&session.client, session.config.confirm, &context.site);
        if let Some(proposal) = self.done.iter().find(|proposal| proposal.caution().is_some()) {
            builder.needs_a_look(proposal.reasons_to_look());
        }
        builder.changes(&self.changes, &self.overwritten()).map_err(request_failed)?;
        if !reply.is_empty() {
            if self.touches_transcript(context) {
                let says = "the block changes its own transcript: apply it without a reply";
                return Err(request_failed(says));
            }
            // Last, so a client that fails halfway has not told the model that all is well.
            let document = &context.document;
            builder.document(document.uri.clone(), document.version, context.text(), reply);
        }
        builder.finish(&self.question(context)).map_err(request_failed)
    }

    /// What a person is asked about: the title, and how many lines come and go where that is known.
    fn question(&self, context: &Context) -> String {
        let view = context.view();
        let extents = self.done.iter().filter_map(|proposal| match &proposal.plan {
            Some(plan) if plan.part.is_some() => Extent::of(plan, &view),
            _ => proposal.check_result().extent,
        });
        let lines = extents.map(|extent| extent.lines).reduce(|all, one| Some(all? + one?));
        match lines.flatten().filter(|lines| *lines != LineCounts::default()) {
            Some(lines) => format!("{} ({lines})", self.title),
            None => self.title.clone(),
        }
    }

    fn touches_transcript(&self, context: &Context) -> bool {
        let own = context.site.file(&context.document.uri);
        own.is_some_and(|own| self.changes.iter().any(|change| own.is_within(change.path())))
    }

    fn overwritten(&self) -> HashSet<FilePath> {
        let whole = self.done.iter().filter(|proposal| {
            let command = proposal.placed.block.parsed.command.as_ref();
            command.is_some_and(|command| command.overwrites())
        });
        let targets = whole.flat_map(|proposal| &proposal.check_result().targets);
        targets.map(|target| target.path.clone()).collect()
    }

    /// What must be remembered once the client has it.
    pub fn sent(&self, context: &Context, digest: Option<String>) -> PendingApply {
        let answered = |it: &Proposal| BlockOutcome::of(it, it.answer().result);
        let done = self.done.iter().chain(&self.satisfied).map(|proposal| {
            let work = proposal.work().filter(|_| is_write(proposal));
            BlockOutcome { work, ..answered(proposal) }
        });
        // A proposal that only the client cannot apply has not failed: another door can apply it.
        let failed = self.failed.iter().map(answered).filter(|it| it.told.is_err());
        let left = self.left.iter();
        let left = left.filter_map(|it| Some(BlockOutcome::of(it, it.left()?.result)));
        let blocks: Vec<BlockOutcome> = done.chain(failed).chain(left).collect();
        let expected = expected(context, &self.changes, &blocks);
        let (made, left) = (self.made.clone(), self::left(&self.left));
        PendingApply { made, expected, left, ..PendingApply::of(context, blocks, digest) }
    }
}

/// The paths that one block changes, without those from which something is moved away.
fn changed_files(work: &Work) -> impl Iterator<Item = &FilePath> {
    let changes = || work.transitions.iter().filter(|it| it.changes());
    let is_moved = move |from: &Transition| {
        let leads_there = |to: &Transition| to.before == State::Missing && to.after == from.before;
        from.after == State::Missing && changes().any(leads_there)
    };
    changes().filter(move |it| !is_moved(it)).map(|it| &it.path)
}

/// What the files of some blocks hold once the changes are made.
fn expected(context: &Context, changes: &ChangeSet, blocks: &[BlockOutcome]) -> Arc<[Expected]> {
    let view = context.view();
    let mut after = Staged::new(&view);
    if after.stage(changes).is_err() {
        return Arc::default();
    }
    let works = blocks.iter().filter_map(|block| block.work.as_ref());
    let changes = works.flat_map(|work| &work.transitions).filter(|it| it.changes());
    changes.filter_map(|it| Expected::new(it, &after)).collect()
}

fn is_write(proposal: &Proposal) -> bool {
    proposal.effect() == Some(Effect::Write)
}

/// The `data` of an action: which proposal it is about, and as what it was seen.
pub fn argument(context: &Context, proposal: Option<&Proposal>) -> BlockArgument {
    let digest = match proposal {
        Some(proposal) => digest(context, std::iter::once(proposal.clone())),
        None => digest(context, context.review().proposals()),
    };
    BlockArgument {
        uri: context.document.uri.clone(),
        block: proposal.map(|proposal| proposal.placed.index),
        version: Some(context.document.version),
        digest: Some(digest),
    }
}

/// Stands for some blocks' text and their targets as they are.
pub fn digest(context: &Context, proposals: impl Iterator<Item = Proposal>) -> String {
    let mut parts = String::new();
    for proposal in proposals {
        parts.push_str(&context.text().slice(proposal.placed.span.clone()));
        for target in &proposal.check_result().targets {
            parts.push_str(&format!("\n{:?} {:?}", target.path, target.before));
        }
    }
    Fingerprint::of(parts.as_bytes()).to_string()
}

/// Holds what a client sends back against what is there now.
///
/// # Errors
/// `ContentModified` that says what has moved on.
pub fn check(context: &Context, argument: &BlockArgument) -> Result<()> {
    if argument.version.is_some_and(|version| version != context.document.version) {
        return Err(content_modified("the transcript has changed since this was offered"));
    }
    let Some(expected) = &argument.digest else { return Ok(()) };
    let now = match argument.block {
        Some(block) => digest(context, std::iter::once(context.proposal(block)?)),
        None => digest(context, context.review().proposals()),
    };
    if *expected != now {
        return Err(content_modified("a target has changed since this was offered"));
    }
    Ok(())
}
