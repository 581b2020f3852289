//! The JSON that the commands print, as the documentation has it.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use operator_core::ledger::{By, Door, OperationId, Transcript};
use operator_core::plan::{Part, Reason};
use operator_core::problem::{Problem as CoreProblem, Severity};
use operator_core::review::{Proposal, Review, Status};
use operator_core::spec::Effect;
use operator_core::text::{Encoding, Position as CorePosition, Span, Text};
use serde::{Serialize, Serializer};

use crate::{moment, visible};

/// A place in a transcript: 0-based lines and UTF-16 units, as LSP's.
#[derive(Debug, Serialize)]
pub struct Position {
    line: u32,
    character: u32,
}

/// The characters from `start` to before `end`.
#[derive(Debug, Serialize)]
pub struct Range {
    start: Position,
    end: Position,
}

/// One block.
#[derive(Debug, Serialize)]
pub struct Block {
    id: Option<String>,
    dialect: &'static str,
    action: Option<String>,
    path: Option<String>,
    range: Range,
    status: Status,
    /// How it came to be applied: `apply`, `hand` or `reply`.
    by: Option<&'static str>,
    /// The operation that has applied it, where the ledger knows it.
    #[serde(rename = "appliedBy", skip_serializing_if = "Option::is_none")]
    applied_by: Option<AppliedBy>,
    /// The index of the block after which it would be ready, where it is blocked alone.
    after: Option<usize>,
    /// Which of its hunks were applied, where the user left some out.
    #[serde(skip_serializing_if = "Option::is_none")]
    hunks: Option<Part>,
    /// Which of its files were changed, where an editor gave up before the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Part>,
    /// Whether the user edited it before it was applied.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    edited: bool,
    /// The code of why it needs a look of its own.
    caution: Option<Reason>,
    effect: Option<Effect>,
}

/// One problem.
#[derive(Debug, Serialize)]
pub struct Problem {
    code: &'static str,
    severity: Severity,
    message: String,
    range: Range,
    block: Option<usize>,
    dialect: &'static str,
}

impl From<CorePosition> for Position {
    fn from(position: CorePosition) -> Position {
        Position { line: position.line, character: position.character }
    }
}

impl Range {
    fn of(text: &Text, span: &Span) -> Range {
        let position = |offset| text.position(offset, Encoding::Utf16).into();
        Range { start: position(span.start), end: position(span.end) }
    }
}

/// The operation that has applied a block.
#[derive(Debug, Serialize)]
struct AppliedBy {
    operation: OperationId,
    door: Door,
    time: String,
    transcript: Transcript,
}

impl AppliedBy {
    fn of(by: &By) -> AppliedBy {
        AppliedBy {
            operation: by.operation,
            door: by.door,
            time: moment::rfc3339(by.time),
            transcript: by.transcript.clone(),
        }
    }
}

impl Block {
    /// The block that a proposal is for.
    pub fn of(text: &Text, proposal: &Proposal) -> Block {
        let block = &proposal.placed.block;
        Block {
            id: block.parsed.id.clone(),
            dialect: block.dialect.name(),
            action: block.parsed.action.clone(),
            path: block.parsed.path.clone(),
            range: Range::of(text, &proposal.placed.span),
            status: proposal.status,
            by: proposal.by_word(),
            applied_by: proposal.by.as_ref().map(AppliedBy::of),
            after: proposal.ready_after.as_ref().map(|after| after.index),
            hunks: proposal.part().and_then(Part::of_hunks),
            files: proposal.part().and_then(Part::of_files),
            edited: proposal.part().is_some_and(|part| part.edited),
            caution: proposal.caution().map(|caution| caution.reason),
            effect: block.parsed.effect,
        }
    }
}

/// Whether an object was printed.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// Why a command could not run.
#[derive(Debug, Serialize)]
pub struct Failed {
    ok: bool,
    error: Error,
}

/// What kept a command, or a part of it, from running.
#[derive(Debug, Serialize)]
pub struct Error {
    code: &'static str,
    message: String,
}

impl From<String> for Error {
    fn from(message: String) -> Error {
        Error { code: "failed", message }
    }
}

/// Prints why a command could not run, unless it has printed an object that says so.
///
/// # Errors
/// Standard output cannot be written.
pub fn print_failure(message: String) -> io::Result<()> {
    match PRINTED.load(Ordering::Relaxed) {
        true => Ok(()),
        false => print(&Failed { ok: false, error: message.into() }),
    }
}

/// Prints one JSON object on standard output, and a newline.
///
/// # Errors
/// Standard output cannot be written.
pub fn print(value: &impl Serialize) -> io::Result<()> {
    PRINTED.store(true, Ordering::Relaxed);
    let mut out = BufWriter::new(io::stdout().lock());
    match io::stdout().is_terminal() {
        true => {
            let text = serde_json::to_string(value)?;
            out.write_all(visible::json_for_stream(&text, &io::stdout()).as_bytes())?;
        }
        false => serde_json::to_writer(&mut out, value)?,
    }
    out.write_all(b"\n")?;
    out.flush()
}

/// Every problem of a transcript with the index of its block, by the place in the transcript.
///
/// They are made one after the other: there may be very many.
pub fn in_order<'a>(
    review: &'a Review,
    proposals: &'a [Proposal],
) -> impl Iterator<Item = (Option<usize>, CoreProblem)> + 'a {
    let of_block = |proposal: &'a Proposal| {
        let placed = &proposal.placed;
        let moved = |at: usize| placed.span.start + at;
        proposal.local_problems().map(move |problem| {
            ((moved(problem.span.start), moved(problem.span.end)), placed, problem)
        })
    };
    let mut of_blocks: Vec<_> = proposals.iter().flat_map(of_block).collect();
    of_blocks.sort_by_key(|(place, _, _)| *place);
    let mut of_blocks = of_blocks.into_iter().peekable();
    let mut stray = review.stray().peekable();
    std::iter::from_fn(move || {
        let first = stray.peek().map(|problem| (problem.span.start, problem.span.end));
        let before = of_blocks.next_if(|(place, _, _)| first.is_none_or(|first| *place < first));
        let before = before.map(|(_, placed, problem)| {
            (Some(placed.index), problem.clone().shifted(placed.span.start))
        });
        before.or_else(|| Some((None, stray.next()?)))
    })
}

/// Problems of a review as JSON shows them, written as they come.
pub struct Problems<'a> {
    /// The transcript.
    pub text: &'a Text,
    /// Its review.
    pub review: &'a Review,
    /// The proposals of the review.
    pub proposals: &'a [Proposal],
}

impl Serialize for Problems<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Problems { text, review, proposals } = *self;
        let problems = in_order(review, proposals);
        serializer.collect_seq(
            problems.map(|(block, problem)| Problem::of(text, proposals, block, &problem)),
        )
    }
}

impl Problem {
    /// A problem of a block of the review, or of none.
    fn of(
        text: &Text,
        proposals: &[Proposal],
        block: Option<usize>,
        problem: &CoreProblem,
    ) -> Problem {
        let code = problem.code.as_str();
        // A stray marker has no block; its code says which dialect it is about.
        let prefix = code.split_once('/').map_or("", |(prefix, _)| prefix);
        let proposal = block.and_then(|index| proposals.get(index));
        Problem {
            code,
            severity: problem.severity,
            range: Range::of(text, &problem.span),
            message: problem.message.clone(),
            block,
            dialect: proposal.map_or(prefix, |proposal| proposal.placed.block.dialect.name()),
        }
    }
}
