//! `codeAction/resolve`: the edit of an action, made when it is asked for.

use operator_core::edit::EditSet;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{CodeAction, Command, WorkspaceEdit, request};

use super::super::offers::command;
use crate::lsp::apply::{self, PendingApply, Prepared};
use crate::lsp::context::{Context, request_failed};
use crate::lsp::event::{Event, Reply};
use crate::lsp::names::{ActionKind, CommandName};
use crate::lsp::programs;
use crate::lsp::proto::EditBuilder;
use crate::lsp::protocol::BlockArgument;
use crate::lsp::recorder::{self, Fact, What};
use crate::lsp::replies;
use crate::lsp::requests::Request;

/// An action with its edit, and what must be remembered once the client has made it.
pub struct Resolved {
    /// The action.
    pub action: CodeAction,
    /// What it changes; `None` for an edit of the transcript alone.
    pub sent: Option<PendingApply>,
    /// What the ledger must know of the answer that the edit inserts.
    pub fact: Option<Fact>,
}

/// `codeAction/resolve`
pub struct ResolveHandler;

impl Request for ResolveHandler {
    type Protocol = request::CodeActionResolveRequest;

    fn event(action: CodeAction, reply: Reply<CodeAction>) -> Event {
        Event::ResolveCodeAction(Box::new(action), reply)
    }
}

/// The action with its edit, and what the client can apply with it. The main loop is told of an
/// answer.
///
/// # Errors
/// Those of [`resolve`].
pub fn resolve_and_tell(
    context: &Context,
    action: CodeAction,
) -> Result<(CodeAction, Option<Box<PendingApply>>)> {
    let Resolved { action, sent, fact } = resolve(context, action)?;
    fact.into_iter().for_each(|fact| context.tell(Event::Told(Box::new(fact))));
    Ok((action, sent.map(Box::new)))
}

/// The action with its edit.
///
/// # Errors
/// `ContentModified` where the transcript or a target has moved on, and whatever keeps the
/// proposal from being applied.
pub fn resolve(context: &Context, mut action: CodeAction) -> Result<Resolved> {
    let kind = action.kind.as_ref().and_then(|kind| ActionKind::parse(kind.as_str()));
    let argument = argument(&action)?;
    apply::check(context, &argument)?;
    let block = argument.block;
    if matches!(kind, Some(ActionKind::Apply | ActionKind::ApplyAndReply | ActionKind::ApplyAll)) {
        let files = apply::changed_on_disk(context, block)?;
        if !files.is_empty() {
            let error = apply::has_changed(&files);
            context.tell(Event::ChangedOnDisk(files));
            return Err(error);
        }
    }
    if let Some(command) = commit_command(context, kind, &argument) {
        action.command = Some(command);
        return Ok(Resolved { action, sent: None, fact: None });
    }
    let prepared = match (kind, block) {
        (Some(ActionKind::Apply), Some(block)) => apply::prepare(context, block, false, None)?,
        (Some(ActionKind::ApplyAndReply), Some(block)) => {
            let prepared = apply::prepare(context, block, false, None)?;
            action.edit = Some(with_reply(context, &prepared)?);
            prepared
        }
        (Some(ActionKind::ApplyAll), _) => apply::prepare_all(context)?,
        (Some(ActionKind::Run), Some(block)) if is_program(context, block)? => {
            action.command = command(ActionKind::Run, &argument);
            return Ok(Resolved { action, sent: None, fact: None });
        }
        (Some(ActionKind::Run), Some(block)) => {
            action.edit = Some(insertion(context, block, replies::run(context, block)?)?);
            return Ok(Resolved { action, sent: None, fact: None });
        }
        (Some(ActionKind::Reject), Some(block)) => {
            action.edit = Some(insertion(context, block, refusal(context, block)?)?);
            // The same block may be offered to be applied.
            let digest = argument.digest.as_ref().map(|digest| format!("refused {digest}"));
            let sent = refused(context, block, digest.clone())?;
            if sent.is_some() {
                action.command = follow_up(&BlockArgument { digest, ..argument });
            }
            let fact = rejected(context, block)?;
            return Ok(Resolved { action, sent, fact });
        }
        _ => return Ok(Resolved { action, sent: None, fact: None }),
    };
    if action.edit.is_none() {
        action.edit = Some(prepared.edit(context, &EditSet::default())?);
    }
    let digest = argument.digest.clone();
    action.command = follow_up(&argument);
    Ok(Resolved { action, sent: Some(prepared.sent(context, digest)), fact: None })
}

/// What an action's `data` says that it is about.
///
/// # Errors
/// Invalid parameters where it is not what was sent.
pub fn argument(action: &CodeAction) -> Result<BlockArgument> {
    let data = action.data.clone().unwrap_or_default();
    serde_json::from_value(data)
        .map_err(|_| Error::invalid_params("the action's data is not what was sent with it"))
}

/// The command that an action is where the settings ask for commits: what is there must be
/// committed before the edit is made, and nothing may be committed before the action is taken.
fn commit_command(
    context: &Context,
    kind: Option<ActionKind>,
    argument: &BlockArgument,
) -> Option<Command> {
    let session = &context.session;
    if !session.config.git_commit || !session.client.apply_edit {
        return None;
    }
    match kind? {
        ActionKind::Run | ActionKind::Reject => None,
        kind => command(kind, argument),
    }
}

fn is_program(context: &Context, block: usize) -> Result<bool> {
    Ok(programs::of(&context.proposal(block)?).is_some())
}

/// What the ledger must know of a refusal, so the reply that says so counts; nothing where no reply
/// can be found again: the refusal counts once the client has made the edit.
///
/// # Errors
/// If the block does not exist.
pub fn rejected(context: &Context, block: usize) -> Result<Option<Fact>> {
    let proposal = context.proposal(block)?;
    let answer = (proposal.id(), recorder::refusal());
    let counts = proposal.placed.block.answered_as().is_some();
    Ok(counts.then(|| Fact::of(context, What::Answered(vec![answer]))))
}

/// What must be remembered of a refusal once the client has made its edit: nothing where the reply in
/// the transcript says it.
///
/// # Errors
/// If the block does not exist.
pub fn refused(
    context: &Context,
    block: usize,
    digest: Option<String>,
) -> Result<Option<PendingApply>> {
    let proposal = context.proposal(block)?;
    let block = &proposal.placed.block;
    let is_kept = block.dialect.rules().reply.answers_several() || block.answered_as().is_none();
    Ok(is_kept.then(|| PendingApply::refused(context, &proposal, digest)))
}

/// The command by which the client says that it has carried the edit out.
fn follow_up(argument: &BlockArgument) -> Option<Command> {
    let name = CommandName::Applied.identifier();
    let argument = serde_json::to_value(argument).ok()?;
    Some(Command::new("Applied".to_owned(), name.to_owned(), Some(vec![argument])))
}

/// The edit of a proposal together with its reply under the block.
///
/// # Errors
/// What the client cannot do.
pub fn with_reply(context: &Context, prepared: &Prepared) -> Result<WorkspaceEdit> {
    let Some(proposal) = prepared.done.first() else {
        return Err(request_failed("nothing to reply to"));
    };
    let reply = replies::of(context, |it| it.written(proposal, Some(proposal.answer())));
    prepared.edit(context, &replies::insert(context, &proposal.placed, &reply))
}

/// The reply that says that the user refused.
///
/// # Errors
/// If the block does not exist.
pub fn refusal(context: &Context, block: usize) -> Result<String> {
    let proposal = context.proposal(block)?;
    Ok(replies::of(context, |it| it.written(&proposal, Some(proposal.refusal()))))
}

/// The edit that inserts a reply under its block and does nothing else.
///
/// # Errors
/// If the block does not exist.
pub fn insertion(context: &Context, block: usize, reply: String) -> Result<WorkspaceEdit> {
    let proposal = context.proposal(block)?;
    let edits = replies::insert(context, &proposal.placed, &reply);
    let session = &context.session;
    let mut builder = EditBuilder::new(&session.client, session.config.confirm, &context.site);
    let document = &context.document;
    builder.document(document.uri.clone(), document.version, context.text(), &edits);
    builder.finish("reply").map_err(request_failed)
}
