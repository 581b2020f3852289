//! Replies: what the model is told of a block, and where that goes in the transcript.

use std::collections::BTreeSet;

use operator_core::command::Operation;
use operator_core::dialect::{Answer, Dialect, EarlierReply, Failure};
use operator_core::plan::{self, Outcome};
use operator_core::review::{Proposal, Reviewer, Status};
use operator_core::scan::Placed;
use operator_core::snapshot::Through;
use operator_core::spec::Effect;
use operator_core::text::fence::Fence;
use operator_core::text::lines::Ending;
use operator_core::text::{Span, Text};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::TextEdit;

use super::context::Context;

/// The reply to one block, as it is now.
///
/// # Errors
/// Where there is no such block.
pub fn reply(context: &Context, block: usize) -> Result<String> {
    let shown = context.proposal(block)?;
    let writes = shown.effect() == Some(Effect::Write);
    let answer = match shown.status {
        Status::Ready if writes => Some(judge(context, &shown, &BTreeSet::new()).answer()),
        _ => None,
    };
    Ok(written(context, &shown, answer))
}

/// The reply to a block as its dialect writes it: by itself, or with what is known of the other
/// commands where one reply answers them together.
///
/// Without an answer it is what is known of the block; what only looks is looked at now.
pub fn written(context: &Context, shown: &Proposal, answer: Option<Answer>) -> String {
    let dialect = shown.placed.block.dialect;
    if !dialect.answers_together() {
        let answer = answer.unwrap_or_else(|| current(context, shown, &BTreeSet::new()));
        return dialect.replies(context.text(), &[answer]).concat();
    }
    let last = last(context, &shown.placed);
    let earlier = place(context, &last).earlier(context, &last).map(|(_, earlier)| earlier);
    let (view, index) = (context.site.view(), shown.placed.index);
    let mut working_set = BTreeSet::new();
    let mut answers = Vec::new();
    for proposal in context.review().proposals().filter(|it| is_of(it, dialect)) {
        let answered = match &answer {
            _ if proposal.placed.index != index => {
                known(context, &proposal, earlier.as_deref(), &working_set)
            }
            Some(answer) => answer.clone(),
            None => current(context, &proposal, &working_set),
        };
        let command = proposal.placed.block.parsed.command.as_ref();
        if let Some(Operation::Context(change)) = command.map(|command| &command.operation)
            && answered.result.is_ok()
        {
            plan::follow(&mut working_set, change, &view);
        }
        answers.push(answered);
    }
    dialect.replies(context.text(), &answers).concat()
}

fn is_of(proposal: &Proposal, dialect: &dyn Dialect) -> bool {
    proposal.placed.block.dialect.name() == dialect.name()
}

/// Judges a block on what the earlier blocks have put into the working set.
fn judge(context: &Context, shown: &Proposal, working_set: &BTreeSet<String>) -> Proposal {
    let view = context.site.view();
    let view = Through::with_working_set(&view, working_set);
    context.reviewer().judge(&shown.placed, &view, context.session.limits())
}

/// The answer to a block that is asked for by itself.
fn current(context: &Context, shown: &Proposal, working_set: &BTreeSet<String>) -> Answer {
    let looks = matches!(shown.effect(), Some(Effect::Read | Effect::Meta));
    if looks && matches!(shown.status, Status::Ready | Status::Applied) {
        return judge(context, shown, working_set).answer();
    }
    known(context, shown, None, working_set)
}

/// What is known of a block: what came of it in this session, else what an earlier reply says, else
/// how things are.
fn known(
    context: &Context,
    shown: &Proposal,
    earlier: Option<&dyn EarlierReply>,
    working_set: &BTreeSet<String>,
) -> Answer {
    let placed = shown.placed.clone();
    let (told, undone) = {
        let reviewer = context.reviewer();
        (reviewer.told(&placed).cloned(), reviewer.is_taken_back(&placed))
    };
    if let Some(result) = told {
        return shown.told(result);
    }
    let said = earlier.filter(|_| !undone);
    let said = said.and_then(|reply| reply.said(context.text(), &placed));
    if let Some(result) = said {
        return shown.told(result);
    }
    match (shown.status, shown.effect()) {
        (Status::Ready, Some(Effect::Write | Effect::Exec)) => shown.told(Err(Failure::Pending)),
        (Status::Ready, _) => judge(context, shown, working_set).answer(),
        (Status::Applied, _) => {
            let plan = judge(context, shown, working_set).plan;
            let outcome = plan.map(|plan| plan.outcome.clone());
            let summary = shown.judgement().summary.clone();
            shown.told(Ok(outcome.unwrap_or_else(|| Outcome::new(summary))))
        }
        _ => shown.answer(),
    }
}

/// The block under which the reply to another stands.
fn last(context: &Context, placed: &Placed) -> Placed {
    let dialect = placed.block.dialect;
    if !dialect.answers_together() {
        return placed.clone();
    }
    let last = context.scan().and_then(|scan| scan.last_of(dialect.name()));
    last.unwrap_or_else(|| placed.clone())
}

/// The edit that puts a reply under its block, with the transcript's own line endings; where an
/// earlier reply to all blocks stands there, in its place.
pub fn insert(context: &Context, placed: &Placed, reply: &str) -> Vec<TextEdit> {
    let text = context.text();
    let last = last(context, placed);
    let place = place(context, &last);
    let reply = reply.trim_end_matches('\n').replace('\n', place.ending);
    if let Some((span, _)) = place.earlier(context, &last) {
        return vec![TextEdit::new(context.range(&span), reply)];
    }
    let ending = place.ending;
    let reply = match &place.fence {
        Some(language) => format!("```{language}{ending}{reply}{ending}```"),
        None => reply,
    };
    // Where nothing comes after it, it goes to the end of the line above: there is such a place in
    // every editor, and a line behind the last one is none in some.
    let (at, new) = match text.len() - place.at {
        0 => (text.len() - place.last_ending(), format!("{ending}{reply}")),
        _ => (place.at, format!("{reply}{ending}")),
    };
    vec![TextEdit::new(context.range(&(at..at)), new)]
}

/// Where the reply under a block goes.
struct Place {
    /// The start of the line that it begins on.
    at: usize,
    /// Whether the line before is the transcript's last and has no ending.
    ends_text: bool,
    ending: &'static str,
    /// The language of the fence that it stands in.
    fence: Option<&'static str>,
}

impl Place {
    /// How long the ending of the line before is.
    fn last_ending(&self) -> usize {
        if self.ends_text { 0 } else { self.ending.len() }
    }

    /// The earlier reply that stands there, in its fence where it has to have one, and where.
    fn earlier(&self, context: &Context, placed: &Placed) -> Option<(Span, Box<dyn EarlierReply>)> {
        let (text, dialect) = (context.text(), placed.block.dialect);
        if self.tail(text) == 0 {
            return None;
        }
        let line = text.line_of(self.at);
        let at = if self.fence.is_some() { text.line_start(line + 1) } else { self.at };
        let earlier = dialect.earlier_reply(&text.slice(at..text.len()))?;
        let span = at..at + earlier.length();
        let closing = text.line(text.line_of(span.end) + 1);
        (self.fence.is_none() || closing == "```").then_some((span, earlier))
    }

    /// How much text there is from an earlier reply on; 0 where none can be.
    fn tail(&self, text: &Text) -> usize {
        let first = text.line(text.line_of(self.at));
        let begins = match self.fence {
            Some(language) => first.strip_prefix("```") == Some(language),
            None => !first.trim().is_empty(),
        };
        if self.ends_text || !begins { 0 } else { text.len() - self.at }
    }
}

/// Has the reviewer know what the replies that stand in a transcript say of all its blocks; gives
/// whether that is news.
pub fn read(context: &Context, reviewer: &mut Reviewer) -> bool {
    let Some(scan) = context.scan() else { return false };
    let mut news = false;
    for dialect in context.session.chat_dialects().filter(|it| it.answers_together()) {
        let name = dialect.name();
        let last = scan.last_of(name);
        let place = last.as_ref().map(|last| place(context, last));
        let tail = place.as_ref().map_or(0, |place| place.tail(context.text()));
        if reviewer.has_to_read(name, tail) {
            let found = place.zip(last.as_ref());
            let earlier = found.and_then(|(place, last)| place.earlier(context, last));
            let earlier = earlier.as_ref().map(|(_, earlier)| earlier.as_ref());
            news |= reviewer.read_reply(scan, context.text(), name, earlier);
        }
    }
    news
}

fn place(context: &Context, placed: &Placed) -> Place {
    let text = context.text();
    let mut line = text.line_of(placed.span.end);
    let dialect = placed.block.dialect;
    let mut fence = dialect.reply_language();
    // A block that holds its own fence is answered in one of its own, whatever stands around.
    if !dialect.answers_in_place() {
        fence = fence.filter(|_| is_fenced(context, placed, &text.line(line + 1)));
        line += usize::from(fence.is_some());
    }
    let (whole, at) = (text.line_start(line), text.line_start(line + 1));
    let last = text.slice(whole..at);
    let (ending, ends_text) = match Ending::of_line(&last) {
        Some(ending) => (ending.as_str(), false),
        None if last.ends_with('\r') => ("\r", false),
        None => (ending_before(text, line), true),
    };
    Place { at, ends_text, ending, fence }
}

/// Whether a block stands in a fence that `below`, the line right below it, ends: above it and
/// above the blocks before it stands the line that opens one.
fn is_fenced(context: &Context, placed: &Placed, below: &str) -> bool {
    let text = context.text();
    let Some(below) = Fence::of(below) else { return false };
    let blocks: Vec<Span> =
        context.scan().into_iter().flat_map(|it| it.blocks()).map(|it| it.span).collect();
    let mut line = text.line_of(placed.span.start);
    while let Some(above) = line.checked_sub(1) {
        line = above;
        let said = text.line(line);
        if said.trim().is_empty() {
            continue;
        }
        if let Some(above) = Fence::of(&said) {
            return below.closes(&above);
        }
        let at = text.line_start(line);
        let after = blocks.partition_point(|span| span.start <= at);
        match after.checked_sub(1).map(|before| &blocks[before]) {
            Some(block) if at <= block.end => line = text.line_of(block.start),
            _ => return false,
        }
    }
    false
}

fn ending_before(text: &Text, line: usize) -> &'static str {
    let before = line.checked_sub(1).map(|line| text.line_start(line)..text.line_start(line + 1));
    let ending = before.and_then(|span| Ending::of_line(&text.slice(span)));
    ending.unwrap_or(Ending::Lf).as_str()
}
