//! Replies: what the model is told of a block, and where that goes in the transcript.

use std::collections::BTreeSet;

use operator_core::dialect::{Answer, Answers, Failure, ReplyStyle, Told};
use operator_core::edit::{Edit, EditSet};
use operator_core::plan::Outcome;
use operator_core::review::{Proposal, ReplyPlace, Status, WorkingSet};
use operator_core::scan::{Placed, Scan};
use operator_core::spec::Effect;
use tower_lsp::jsonrpc::Result;

use super::context::Context;

/// The reply to one block: as it was when the block was applied, run, tried or refused, else as it
/// would be now.
///
/// # Errors
/// If the block does not exist.
pub fn reply(context: &Context, block: usize) -> Result<String> {
    let shown = context.proposal(block)?;
    let writes = shown.effect() == Some(Effect::Write);
    let answer = match (recorded(context, &shown), shown.status) {
        (Some(told), _) => Some(shown.told(told)),
        (None, Status::Ready) if writes => {
            Some(check(context, &shown, &WorkingSet::default()).answer())
        }
        _ => None,
    };
    Ok(written(context, &shown, answer))
}

/// The reply to a block that is run: a read whose reply is recorded and not in the transcript yet
/// is not run again.
///
/// # Errors
/// If the block does not exist.
pub fn run(context: &Context, block: usize) -> Result<String> {
    let shown = context.proposal(block)?;
    if shown.status == Status::Applied && recorded(context, &shown).is_some() {
        return reply(context, block);
    }
    Ok(written(context, &shown, None))
}

/// The result of a block in this session, as long as no reply in the transcript says it.
fn recorded(context: &Context, shown: &Proposal) -> Option<Told> {
    context.book().told(shown).filter(|_| !shown.answered).cloned()
}

/// The reply to a block as its dialect writes it: by itself, or with what is known of the other
/// commands where one reply answers them together.
///
/// Without an answer it is what is known of the block; what only looks is looked at now.
pub fn written(context: &Context, shown: &Proposal, answer: Option<Answer>) -> String {
    let dialect = shown.placed.block.dialect;
    if !dialect.rules().reply.answers_several() {
        let answer = answer.unwrap_or_else(|| current(context, shown, &WorkingSet::default()));
        let to = Answers { transcript: context.text(), answers: &[answer], strays: &[] };
        return dialect.replies(&to).concat();
    }
    let (view, index) = (context.site.view(), shown.placed.index);
    let mut working_set = WorkingSet::default();
    let mut answers = Vec::new();
    let together = together(context, &shown.placed);
    let is_together = |it: &Proposal| together.contains(&it.placed.index);
    for proposal in context.review().proposals().filter(is_together) {
        let answered = match &answer {
            _ if proposal.placed.index != index => known(context, &proposal, &working_set),
            Some(answer) => answer.clone(),
            None => current(context, &proposal, &working_set),
        };
        if answered.result.is_ok() {
            working_set.follow(&proposal, &view);
        }
        answers.push(answered);
    }
    let strays = context.scan().map(|scan| scan.strays_with(&shown.placed)).unwrap_or_default();
    let to = Answers { transcript: context.text(), answers: &answers, strays: &strays };
    dialect.replies(&to).concat()
}

/// The blocks, by index, that one reply answers together with a block.
fn together(context: &Context, placed: &Placed) -> BTreeSet<usize> {
    let all = context.scan().map(|scan| scan.answered_with(placed)).unwrap_or_default();
    all.iter().map(|placed| placed.index).collect()
}

/// Plans a block on what the earlier blocks have put into the working set.
fn check(context: &Context, shown: &Proposal, working_set: &WorkingSet) -> Proposal {
    context.book().check(shown, &working_set.on(&context.site.view()), context.limits())
}

/// The answer to a block that is asked for by itself.
fn current(context: &Context, shown: &Proposal, working_set: &WorkingSet) -> Answer {
    let looks = matches!(shown.effect(), Some(Effect::Read | Effect::Meta));
    if looks && matches!(shown.status, Status::Ready | Status::Applied) {
        return check(context, shown, working_set).answer();
    }
    known(context, shown, working_set)
}

/// What is known of a block: its result in this session, else what an earlier reply says, else
/// how things are.
fn known(context: &Context, shown: &Proposal, working_set: &WorkingSet) -> Answer {
    if let Some(result) = context.book().told(shown) {
        return shown.told(result.clone());
    }
    // What was undone since, or was never done, is as it is now.
    if !shown.undone
        && !shown.unverified
        && let Some(result) = shown.said()
    {
        return shown.told(result.clone());
    }
    match (shown.status, shown.effect()) {
        (Status::Ready, Some(Effect::Write | Effect::Exec)) => shown.told(Err(Failure::Pending)),
        (Status::Ready, _) => check(context, shown, working_set).answer(),
        (Status::Applied | Status::Satisfied, _) => {
            let plan = check(context, shown, working_set).plan;
            let outcome = plan.map(|plan| plan.outcome.clone());
            let summary = shown.check_result().summary.clone();
            shown.told(Ok(outcome.unwrap_or_else(|| Outcome::noted(summary))))
        }
        _ => shown.answer(),
    }
}

/// The block under which the reply to another is.
fn last(context: &Context, placed: &Placed) -> Placed {
    let dialect = placed.block.dialect;
    if !dialect.rules().reply.answers_several() {
        return placed.clone();
    }
    let last = context.scan().and_then(|scan| match dialect.rules().reply {
        ReplyStyle::PerAnswer => scan.answered_with(placed).pop(),
        _ => scan.last_of(dialect.rules().family),
    });
    last.unwrap_or_else(|| placed.clone())
}

/// The edit that puts a reply under its block, with the transcript's own line endings; where an
/// earlier reply to all blocks is there, in its place.
pub fn insert(context: &Context, placed: &Placed, reply: &str) -> EditSet {
    let last = last(context, placed);
    let place = place(context, &last);
    let reply = reply.trim_end_matches('\n').replace('\n', place.ending);
    let ending = place.ending;
    let reply = match &place.fence {
        Some(language) => format!("```{language}{ending}{reply}{ending}```"),
        None => reply,
    };
    if let Some(span) = place.earlier {
        return EditSet::one(Edit { span, text: reply });
    }
    let text = match place.ends_text {
        true => format!("{ending}{reply}"),
        false => format!("{reply}{ending}"),
    };
    let at = if place.ends_text { context.text().len() } else { place.at };
    EditSet::one(Edit { span: at..at, text })
}

fn place(context: &Context, placed: &Placed) -> ReplyPlace {
    let nothing = Scan::default();
    ReplyPlace::of(context.text(), context.scan().unwrap_or(&nothing), placed)
}
