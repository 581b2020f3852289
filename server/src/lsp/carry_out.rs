//! Carrying proposals out: judged afresh, as one change set, with what is needed to take it back.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use operator_core::dialect::Failure;
use operator_core::edit::{ChangeSet, EditSet};
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{BlockId, Work};
use operator_core::plan::{Outcome, Target};
use operator_core::review::{Planned, Proposal, Status};
use operator_core::scan::Placed;
use operator_core::snapshot::{FilePath, Snapshot, State};
use operator_core::spec::Effect;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::WorkspaceEdit;

use super::commits::ToCommit;
use super::context::{Context, content_modified, request_failed};
use super::custom::BlockArgument;
use super::inverse::Inverse;
use super::payload;
use super::proto::EditBuilder;
use super::sites::Site;

/// Proposals that are ready to be carried out together.
pub struct Carried {
    /// What it is, for a person: `fs.write src/main.rs`, `3 proposals`.
    pub title: String,
    /// The writes and the reads, checked on what the earlier ones leave.
    pub done: Vec<Proposal>,
    /// The other proposals of the transcript that failed on their turn.
    pub failed: Vec<Proposal>,
    /// Every change.
    pub changes: ChangeSet,
    /// What would take the changes back; `None` where something is lost that is no text.
    pub inverse: Option<Inverse>,
    /// The proposals that need a look of their own, and were left for that.
    pub left: Vec<Proposal>,
}

/// A block that is carried out or refused.
#[derive(Clone)]
pub struct Settled {
    /// The block.
    pub placed: Placed,
    /// What the ledger knows it by.
    pub id: BlockId,
    /// What the ledger is told that it changes; `None` for what changes nothing.
    pub work: Option<Work>,
    /// What it changes: as it was before all that is carried out together, and as it is after;
    /// empty for a read, and for what failed or was refused.
    pub targets: Vec<Target>,
    /// What the model is told of it.
    pub told: std::result::Result<Outcome, Failure>,
}

/// What was sent to the client or is about to be, until it is known to be done.
#[derive(Clone)]
pub struct Sent {
    /// The transcript's URI and the workspace as it sees it.
    pub context: Context,
    /// The blocks.
    pub blocks: Vec<Settled>,
    /// What would take it back.
    pub inverse: Option<Inverse>,
    /// Which action of the client it belongs to; `None` for the server's own.
    pub digest: Option<String>,
    /// What is to be committed once it is saved.
    pub commit: Option<Arc<ToCommit>>,
    /// What a person is told of the proposals that were left, once it is done.
    pub left: Option<String>,
}

/// Judges one block again, and gives what carrying it out comes to.
///
/// # Errors
/// Why it cannot be carried out now.
pub fn one(context: &Context, block: usize) -> Result<Carried> {
    let shown = context.proposal(block)?;
    let view = context.site.view();
    let judged = context.reviewer().judge(&shown.placed, &view, context.limits());
    if shown.status != Status::Ready || judged.status != Status::Ready {
        return Err(refusal(&shown, &judged));
    }
    let Some(plan) = judged.plan.clone() else { return Err(refusal(&shown, &judged)) };
    let changes = plan.changes.clone();
    let inverse = Inverse::new(&changes, &view);
    let title = judged.title();
    let (failed, left) = (Vec::new(), Vec::new());
    Ok(Carried { title, done: vec![judged], failed, left, changes, inverse })
}

/// Judges every block again, each on what the earlier ones leave.
///
/// # Errors
/// Where nothing can be carried out, or the workspace cannot be read.
pub fn all(context: &Context) -> Result<Carried> {
    let view = context.site.view();
    let client = &context.session.client;
    let planned = context
        .reviewer()
        .plan_all(context.review(), &view, context.limits(), |needs| client.cannot(needs).is_none())
        .map_err(|denied| request_failed(format!("the workspace cannot be read: {denied:?}")))?;
    if planned.done.is_empty() && planned.left.is_empty() {
        return Err(request_failed("no proposal of this transcript can be applied"));
    }
    let inverse = Inverse::new(&planned.changes, &view);
    let writes = planned.done.iter().filter(|proposal| is_write(proposal)).count();
    let title = payload::counted(writes, "proposal");
    let Planned { changes, done, failed, left } = planned;
    Ok(Carried { title, done, failed, left, changes, inverse })
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

/// Why a proposal is not carried out.
pub fn refusal(shown: &Proposal, judged: &Proposal) -> tower_lsp::jsonrpc::Error {
    let blocked = if shown.status == Status::Ready { judged } else { shown };
    let reason = why_not(blocked);
    if shown.status == Status::Ready {
        return content_modified(format!("the target has moved on: {reason}"));
    }
    request_failed(reason)
}

/// Why a proposal cannot be carried out, for a person.
pub fn why_not(proposal: &Proposal) -> String {
    let status = proposal.status.as_str();
    if proposal.status == Status::Applied {
        return "it is applied already".to_owned();
    }
    if proposal.status == Status::Satisfied {
        return "the file already has this content".to_owned();
    }
    match (proposal.ready_after, proposal.error()) {
        (Some(after), _) => format!("blocked: ready once block {after} is applied"),
        (None, Some(problem)) => format!("{status}: {}", problem.message),
        (None, None) => format!("it is {status}"),
    }
}

impl Sent {
    /// Whether it is known to be done, as far as its targets are open; gives the open ones then.
    ///
    /// What is open is its buffer, so that the client's word counts for other files alone.
    pub fn shown(&self, site: &Site) -> Option<Vec<FilePath>> {
        let targets = self.blocks.iter().flat_map(|block| &block.targets);
        let open: Vec<&Target> =
            targets.filter(|it| it.changes() && site.version(&it.path).is_some()).collect();
        let view = site.view();
        let is_done = |target: &&Target| match target.after {
            State::File(_) => target.is_shown_in(&view),
            // The client may not have closed it yet.
            _ => view.workspace().state(&target.path) == Ok(target.after),
        };
        let done = open.iter().all(is_done);
        done.then(|| open.iter().map(|target| target.path.clone()).collect())
    }

    /// Whether it changes that file.
    pub fn touches(&self, file: &FilePath) -> bool {
        self.blocks.iter().flat_map(|block| &block.targets).any(|target| target.path == *file)
    }

    /// The blocks that change something.
    pub fn writes(&self) -> impl Iterator<Item = &Settled> {
        self.blocks.iter().filter(|block| block.told.is_ok() && !block.targets.is_empty())
    }

    /// Whether it applies a block that the other applies, too.
    pub fn meets(&self, other: &Sent) -> bool {
        let mut others = other.writes().map(|it| &it.placed.block);
        others.any(|other| self.writes().any(|it| Arc::ptr_eq(&it.placed.block, other)))
    }

    /// A block that the user has refused.
    pub fn refused(context: &Context, proposal: &Proposal, digest: Option<String>) -> Sent {
        let placed = proposal.placed.clone();
        let told = Err(Failure::Refused);
        Sent {
            context: context.clone(),
            blocks: vec![Settled {
                placed,
                id: proposal.id(),
                work: None,
                targets: Vec::new(),
                told,
            }],
            inverse: None,
            digest,
            commit: None,
            left: None,
        }
    }
}

impl Carried {
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
            // Last, so that a client that fails halfway has not told the model that all is well.
            let document = &context.document;
            builder.document(document.uri.clone(), document.version, context.text(), reply);
        }
        builder.finish(&self.title).map_err(request_failed)
    }

    fn touches_transcript(&self, context: &Context) -> bool {
        let own = context.site.file(&context.document.uri);
        own.is_some_and(|own| self.changes.iter().any(|change| own.is_within(change.path())))
    }

    fn overwritten(&self) -> HashSet<FilePath> {
        let whole = self.done.iter().filter(|proposal| {
            let command = proposal.placed.block.parsed.command.as_ref();
            command.is_some_and(|command| command.operation.overwrites())
        });
        let targets = whole.flat_map(|proposal| &proposal.judgement().targets);
        targets.map(|target| target.path.clone()).collect()
    }

    /// What all proposals together do to each target: what one leaves and the next changes is
    /// never seen.
    fn together(&self) -> HashMap<FilePath, Target> {
        let mut together: HashMap<FilePath, Target> = HashMap::new();
        let writes = self.done.iter().filter(|proposal| is_write(proposal));
        for target in writes.flat_map(|proposal| &proposal.judgement().targets) {
            let first = together.entry(target.path.clone()).or_insert_with(|| target.clone());
            first.after = target.after;
        }
        together
    }

    /// What has to be remembered once the client has it.
    pub fn sent(&self, context: &Context, digest: Option<String>) -> Sent {
        let together = self.together();
        let settled = |proposal: &Proposal| {
            let targets = proposal.judgement().targets.iter().filter(|_| is_write(proposal));
            let targets = targets.filter_map(|target| together.get(&target.path).cloned());
            Settled {
                placed: proposal.placed.clone(),
                id: proposal.id(),
                work: proposal.work().filter(|_| is_write(proposal)),
                targets: targets.collect(),
                told: proposal.answer().result,
            }
        };
        // A proposal that only the client cannot apply has not failed: another door can apply it.
        let failed = self.failed.iter().filter(|proposal| proposal.answer().result.is_err());
        let failed = failed.map(|it| Settled { targets: Vec::new(), work: None, ..settled(it) });
        let left = self.left.iter().filter_map(|proposal| {
            let told = proposal.left()?.result;
            Some(Settled {
                placed: proposal.placed.clone(),
                id: proposal.id(),
                work: None,
                targets: Vec::new(),
                told,
            })
        });
        let blocks = self.done.iter().map(settled).chain(failed).chain(left).collect();
        Sent {
            context: context.clone(),
            blocks,
            inverse: self.inverse.clone(),
            digest,
            commit: None,
            left: self::left(&self.left),
        }
    }
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
        for target in &proposal.judgement().targets {
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
