//! Commands: what each answers at once, or asks the client to change first.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use operator_core::edit::EditSet;
use operator_core::ledger::BlockId;
use operator_core::path::FilePath;
use operator_core::review::{News, Status, Telling};
use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    ExecuteCommandOptions, ExecuteCommandParams, ServerCapabilities, Uri, WorkspaceEdit, request,
};

use super::code_actions::{insertion, refusal, refused, rejected, with_reply};
use super::preview;
use crate::lsp::apply::{self, PendingApply, Prepared};
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::commits::{self, ToCommit};
use crate::lsp::context::{Context, request_failed};
use crate::lsp::event::{Event, Reply};
use crate::lsp::names::CommandName;
use crate::lsp::programs::{self, ToRun};
use crate::lsp::protocol::BlockArgument;
use crate::lsp::recorder::Fact;
use crate::lsp::replies;
use crate::lsp::requests::Request;
use operator_core::spec::Effect;

/// `workspace/executeCommand`
pub struct Handler;

impl Request for Handler {
    type Protocol = request::ExecuteCommand;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.execute_command_provider = Some(ExecuteCommandOptions {
            commands: CommandName::ALL.iter().map(|name| name.identifier().to_owned()).collect(),
            ..ExecuteCommandOptions::default()
        });
    }

    fn event(params: ExecuteCommandParams, reply: Reply<Option<Value>>) -> Event {
        Event::ExecuteCommand(params, reply)
    }
}

/// The argument of a command.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CommandArgument {
    /// Which transcript and block.
    #[serde(flatten)]
    pub about: BlockArgument,
    /// Whether `operator.apply` inserts the reply, too.
    #[serde(default)]
    pub reply: bool,
    /// Whether `operator.apply` applies what was applied before.
    #[serde(default)]
    pub again: bool,
    /// The 0-based numbers of the hunks that are shown or applied; all where it is left out.
    #[serde(default)]
    pub hunks: Option<BTreeSet<usize>>,
    /// Whether `operator.reply` tells what it has told before, too.
    #[serde(default)]
    pub all: bool,
}

/// What a command comes to.
pub enum Outcome {
    /// Nothing yet: files that it is about, or the kept ledger, have changed on disk since the review.
    Changed {
        /// The files; none where it is the ledger alone.
        files: Vec<FilePath>,
        /// The version of the transcript.
        version: i32,
    },
    /// The answer.
    Answer(Value),
    /// The answer, and the document that shows it, where the client has a way to.
    Show(Value, Option<Uri>),
    /// The replies that are the answer, and what they tell.
    News {
        /// The replies; empty where there is nothing to tell.
        text: String,
        /// What they tell of blocks.
        told: Vec<(BlockId, Telling)>,
    },
    /// A program that is run once the user has said yes; the answer is what the client says to the
    /// edit that inserts its result.
    Run(Box<ToRun>),
    /// An edit that the client is asked for; the answer is what it says.
    Edit {
        /// The edit.
        edit: WorkspaceEdit,
        /// What it is, for a person.
        label: String,
        /// What must be remembered once it is made.
        sent: Option<Arc<PendingApply>>,
        /// What the ledger must know of the answer that it inserts.
        fact: Option<Box<Fact>>,
    },
}

/// The one argument of a command.
///
/// # Errors
/// Invalid parameters where it is not a `{uri, block}`.
pub fn argument(arguments: &[Value]) -> Result<CommandArgument> {
    let first = arguments.first().cloned().unwrap_or_default();
    serde_json::from_value(first).map_err(|_| {
        Error::invalid_params("the one argument is {uri, block}: a URI and a block's index")
    })
}

/// Carries a command about a transcript out as far as the server can by itself. On the `first` attempt
/// it looks whether the kept ledger has changed.
///
/// # Errors
/// Whatever keeps it from being done.
pub fn command(
    context: &Context,
    name: CommandName,
    argument: &CommandArgument,
    first: bool,
    waiting: &[Arc<ToCommit>],
    copied: &HashMap<BlockId, Telling>,
) -> Result<Outcome> {
    apply::check(context, &argument.about)?;
    if matches!(name, CommandName::Apply | CommandName::ApplyAll) {
        let block = argument.about.block.filter(|_| name == CommandName::Apply);
        let files = apply::changed_on_disk(context, block)?;
        // Hunks are those of a plan that the user has seen; another ledger does not change them.
        let may_be_other = first && argument.hunks.is_none();
        if !files.is_empty() || may_be_other && context.has_newer_ledger() {
            return Ok(Outcome::Changed { files, version: context.document.version });
        }
    }
    let block =
        || argument.about.block.ok_or_else(|| Error::invalid_params("the argument lacks `block`"));
    match name {
        CommandName::Apply => apply(context, block()?, argument, waiting),
        CommandName::ApplyAll => {
            let (prepared, commit) = to_commit(context, waiting, || apply::prepare_all(context))?;
            let edit = prepared.edit(context, &EditSet::default())?;
            let sent = Some(Arc::new(PendingApply { commit, ..prepared.sent(context, None) }));
            Ok(Outcome::Edit { edit, label: prepared.title, sent, fact: None })
        }
        CommandName::Reject => {
            let (shown, reply) = (context.proposal(block()?)?, refusal(context, block()?)?);
            if shown.status == Status::Rejected && replies::is_there(context, &shown.placed, &reply)
            {
                return Err(request_failed("it was refused already"));
            }
            let edit = insertion(context, block()?, reply)?;
            let sent = refused(context, block()?, None)?.map(Arc::new);
            let fact = rejected(context, block()?)?.map(Box::new);
            Ok(Outcome::Edit { edit, label: "Reject".to_owned(), sent, fact })
        }
        CommandName::Reply => reply(context, argument, copied),
        CommandName::Preview => {
            let preview = preview::preview(context, block()?, argument.hunks.as_ref())?;
            let document = preview["document"].as_str().and_then(|uri| uri.parse().ok());
            let document = document.filter(|_| context.session.client.show_document);
            Ok(Outcome::Show(preview, document))
        }
        // The loop answers the others by itself.
        _ => Ok(Outcome::Answer(Value::Null)),
    }
}

/// The reply to a block, or to all blocks of which there is something to tell.
fn reply(
    context: &Context,
    argument: &CommandArgument,
    copied: &HashMap<BlockId, Telling>,
) -> Result<Outcome> {
    if let Some(block) = argument.about.block {
        let shown = context.proposal(block)?;
        let text = replies::of(context, |replies| replies.to(&shown));
        return Ok(Outcome::Answer(text.into()));
    }
    let nothing = HashMap::default();
    let last = if argument.all { &nothing } else { copied };
    let News { replies, told } = replies::of(context, |replies| replies.news(last));
    let text: Vec<String> = replies.into_iter().map(|reply| reply.text).collect();
    Ok(Outcome::News { text: text.concat(), told })
}

fn apply(
    context: &Context,
    block: usize,
    argument: &CommandArgument,
    waiting: &[Arc<ToCommit>],
) -> Result<Outcome> {
    let proposal = context.proposal(block)?;
    if programs::of(&proposal).is_some() {
        return programs::to_run(context, &proposal).map(|it| Outcome::Run(Box::new(it)));
    }
    let writes = proposal.effect() == Some(Effect::Write);
    if !writes && proposal.placed.block.parsed.command.is_some() {
        // A command that only reads is done by its reply.
        let edit = insertion(context, block, replies::run(context, block)?)?;
        return Ok(Outcome::Edit { edit, label: proposal.title(), sent: None, fact: None });
    }
    let again = argument.again;
    let (prepared, commit) = to_commit(context, waiting, || {
        apply::prepare(context, block, again, argument.hunks.as_ref())
    })?;
    let edit = if argument.reply {
        with_reply(context, &prepared)?
    } else {
        prepared.edit(context, &EditSet::default())?
    };
    let sent = Some(Arc::new(PendingApply { commit, ..prepared.sent(context, None) }));
    Ok(Outcome::Edit { edit, label: prepared.title, sent, fact: None })
}

/// What is to be applied, with what was there before committed where the settings ask for
/// commits.
fn to_commit(
    context: &Context,
    waiting: &[Arc<ToCommit>],
    apply: impl Fn() -> Result<Prepared>,
) -> Result<(Prepared, Option<Arc<ToCommit>>)> {
    let prepared = apply()?;
    let config = &context.session.config;
    if !config.git_commit || prepared.changes.is_empty() {
        return Ok((prepared, None));
    }
    let unsaved: Vec<_> = waiting.iter().flat_map(|it| it.unsaved(&context.site)).collect();
    if !unsaved.is_empty() {
        let says = "to commit the last apply (the setting git.commit is on)";
        return Err(request_failed(format!("save {} first, {says}", unsaved.join(", "))));
    }
    // What the client cannot do is found before anything is committed.
    prepared.edit(context, &EditSet::default())?;
    let (repository, hooks_ran) =
        commits::prepare(&context.site, &prepared.changes, config.git_hooks)?;
    // A hook may have changed a target.
    let prepared = if hooks_ran { apply()? } else { prepared };
    let commit = ToCommit::new(&context.site, repository, &prepared.changes)?;
    Ok((prepared, Some(Arc::new(commit))))
}
