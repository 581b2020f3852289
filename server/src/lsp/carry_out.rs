//! Carrying proposals out: judged afresh, as one change set, with what is needed to take it back.

use std::collections::HashSet;
use std::sync::Arc;

use operator_core::dialect::{Answer, Failure};
use operator_core::edit::ChangeSet;
use operator_core::fingerprint::Fingerprint;
use operator_core::plan::{Outcome, Target};
use operator_core::review::{Proposal, Status};
use operator_core::scan::Placed;
use operator_core::snapshot::FilePath;
use operator_core::spec::Effect;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{TextEdit, WorkspaceEdit};

use super::commits::ToCommit;
use super::context::{Context, content_modified, request_failed};
use super::custom::BlockArgument;
use super::inverse::Inverse;
use super::payload;
use super::proto::{self, EditBuilder};
use operator_core::text::lines::Ending;

/// Proposals that are ready to be carried out together.
pub struct Carried {
    /// What it is, for a person: `fs.write src/main.rs`, `3 proposals`.
    pub title: String,
    /// The proposals, judged on what the earlier ones leave.
    pub done: Vec<Proposal>,
    /// Every change.
    pub changes: ChangeSet,
    /// What would take the changes back; `None` where something is lost that is no text.
    pub inverse: Option<Inverse>,
}

/// What was sent to the client or is about to be, until it is known to be done.
#[derive(Clone)]
pub struct Sent {
    /// The transcript's URI and the workspace as it sees it.
    pub context: Context,
    /// The blocks, and what each acts on.
    pub blocks: Vec<(Placed, Vec<Target>)>,
    /// What would take it back.
    pub inverse: Option<Inverse>,
    /// Which action of the client it belongs to; `None` for the server's own.
    pub digest: Option<String>,
    /// What is to be committed once it is saved.
    pub commit: Option<Arc<ToCommit>>,
}

/// Judges one block again, and gives what carrying it out comes to.
///
/// # Errors
/// Why it cannot be carried out now.
pub fn one(context: &Context, block: usize) -> Result<Carried> {
    let shown = context.proposal(block)?;
    let view = context.site.view();
    let judged = context.reviewer().judge(&shown.placed, &view, context.session.limits());
    if shown.status != Status::Ready || judged.status != Status::Ready {
        return Err(refusal(&shown, &judged));
    }
    let Some(plan) = judged.plan.clone() else { return Err(refusal(&shown, &judged)) };
    let changes = plan.changes.clone();
    let inverse = Inverse::new(&changes, &view);
    Ok(Carried { title: judged.title(), done: vec![judged], changes, inverse })
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
        .plan_all(context.review(), &view, context.session.limits(), |needs| {
            client.cannot(needs).is_none()
        })
        .map_err(|denied| request_failed(format!("the workspace cannot be read: {denied:?}")))?;
    if planned.done.is_empty() {
        return Err(request_failed("no proposal of this transcript can be applied"));
    }
    let inverse = Inverse::new(&planned.changes, &view);
    let title = payload::counted(planned.done.len(), "proposal");
    Ok(Carried { title, done: planned.done, changes: planned.changes, inverse })
}

fn refusal(shown: &Proposal, judged: &Proposal) -> tower_lsp::jsonrpc::Error {
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
    match (proposal.ready_after, proposal.error()) {
        (Some(after), _) => format!("blocked: ready once block {after} is applied"),
        (None, Some(problem)) => format!("{status}: {}", problem.message),
        (None, None) => format!("it is {status}"),
    }
}

impl Carried {
    /// The edit for the client, with more edits of the transcript itself where `reply` is given.
    ///
    /// # Errors
    /// What the client cannot do, and a transcript that is its own target.
    pub fn edit(&self, context: &Context, reply: Vec<TextEdit>) -> Result<WorkspaceEdit> {
        let session = &context.session;
        let mut builder = EditBuilder::new(&session.client, session.config.confirm, &context.site);
        builder.changes(&self.changes, &self.overwritten()).map_err(request_failed)?;
        if !reply.is_empty() {
            if self.touches_transcript(context) {
                let says = "the block changes its own transcript: apply it without a reply";
                return Err(request_failed(says));
            }
            // Last, so that a client that fails halfway has not told the model that all is well.
            builder.document(context.document.uri.clone(), context.document.version, reply);
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

    /// What has to be remembered once the client has it.
    pub fn sent(&self, context: &Context, digest: Option<String>) -> Sent {
        let block =
            |proposal: &Proposal| (proposal.placed.clone(), proposal.judgement().targets.clone());
        let blocks: Vec<_> = self.done.iter().map(block).collect();
        Sent {
            context: context.clone(),
            blocks,
            inverse: self.inverse.clone(),
            digest,
            commit: None,
        }
    }
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

/// The reply to one block, as it is now.
pub fn reply(context: &Context, block: usize) -> Result<String> {
    let shown = context.proposal(block)?;
    let ready = shown.status == Status::Ready
        || shown.status == Status::Applied && shown.effect() != Some(Effect::Write);
    let answer = if ready {
        let view = context.site.view();
        context.reviewer().judge(&shown.placed, &view, context.session.limits()).answer()
    } else {
        shown.answer()
    };
    Ok(written(context, answer))
}

/// An answer as its dialect writes it: by itself, or with what is known of the other commands where
/// one reply answers them together.
pub fn written(context: &Context, answer: Answer) -> String {
    let dialect = answer.placed.block.dialect;
    if !dialect.answers_together() {
        return dialect.replies(context.text(), &[answer]).concat();
    }
    let index = answer.placed.index;
    let view = context.site.view();
    let other = |proposal: Proposal| {
        let result = match (proposal.status, proposal.effect()) {
            (Status::Ready, Some(Effect::Write | Effect::Exec)) => Err(Failure::Pending),
            (Status::Ready, _) => {
                let limits = context.session.limits();
                return context.reviewer().judge(&proposal.placed, &view, limits).answer();
            }
            (Status::Applied, _) => Ok(Outcome::new(proposal.judgement().summary.clone())),
            _ => return proposal.answer(),
        };
        Answer { placed: proposal.placed, result }
    };
    let of_dialect = context.review().proposals();
    let of_dialect = of_dialect.filter(|it| it.placed.block.dialect.name() == dialect.name());
    let answers: Vec<Answer> = of_dialect
        .map(|proposal| match proposal.placed.index == index {
            true => answer.clone(),
            false => other(proposal),
        })
        .collect();
    dialect.replies(context.text(), &answers).concat()
}

/// The block under which the reply to another stands.
fn answered_under(context: &Context, placed: &Placed) -> Placed {
    let dialect = placed.block.dialect;
    if !dialect.answers_together() {
        return placed.clone();
    }
    let of_dialect = context.review().proposals().map(|proposal| proposal.placed);
    let last = of_dialect.filter(|it| it.block.dialect.name() == dialect.name()).last();
    last.unwrap_or_else(|| placed.clone())
}

/// The edit that puts a reply under its block, with the transcript's own line endings.
pub fn insert_reply(context: &Context, placed: &Placed, reply: &str) -> Vec<TextEdit> {
    let text = context.text();
    let placed = answered_under(context, placed);
    let line = text.line_of(placed.span.end);
    let after = text.line_start(line + 1);
    let last = text.slice(placed.span.end..after);
    let (ending, is_last) = match Ending::of_line(&last) {
        Some(ending) => (ending.as_str(), false),
        None if last.ends_with('\r') => ("\r", false),
        None => (ending_before(context, line), true),
    };
    let reply = reply.trim_end_matches('\n').replace('\n', ending);
    let new = if is_last { format!("{ending}{reply}") } else { format!("{reply}{ending}") };
    let at = if is_last { text.len() } else { after };
    let position = proto::position(text, at, context.encoding());
    vec![TextEdit::new(tower_lsp::ls_types::Range::new(position, position), new)]
}

fn ending_before(context: &Context, line: usize) -> &'static str {
    let text = context.text();
    let before = line.checked_sub(1).map(|line| text.line_start(line)..text.line_start(line + 1));
    let ending = before.and_then(|span| Ending::of_line(&text.slice(span)));
    ending.unwrap_or(Ending::Lf).as_str()
}
