//! Replies in an editor: what they are made from, and where one goes in the transcript.

use operator_core::dialect::ReplyStyle;
use operator_core::edit::{Edit, EditSet};
use operator_core::review::{Replies, ReplyPlace};
use operator_core::scan::{Placed, Scan};
use tower_lsp::jsonrpc::Result;

use super::context::Context;

/// Has something made of the replies to the blocks of a transcript.
pub fn of<T>(context: &Context, make: impl FnOnce(Replies<'_>) -> T) -> T {
    let (text, review, book) = (context.text(), context.review(), context.book());
    let (snapshot, limits) = (&context.view(), context.limits());
    make(Replies { text, review, book, snapshot, limits })
}

/// The reply to a block that is run.
///
/// # Errors
/// If the block does not exist.
pub fn run(context: &Context, block: usize) -> Result<String> {
    let shown = context.proposal(block)?;
    Ok(of(context, |replies| replies.to_run(&shown)))
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
/// earlier reply is there, in its place.
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

/// Whether a reply is under its block already, as it would be inserted.
pub fn is_there(context: &Context, placed: &Placed, reply: &str) -> bool {
    insert(context, placed, reply).iter().all(|it| context.text().slice(it.span.clone()) == it.text)
}

fn place(context: &Context, placed: &Placed) -> ReplyPlace {
    let nothing = Scan::default();
    ReplyPlace::of(context.text(), context.scan().unwrap_or(&nothing), placed)
}
