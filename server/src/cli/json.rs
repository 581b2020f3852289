//! The JSON that the commands print, as the documentation has it.

use std::io::{self, BufWriter, Write};

use operator_core::problem::{Problem as CoreProblem, Severity};
use operator_core::review::{Proposal, Status};
use operator_core::spec::Effect;
use operator_core::text::{Encoding, Position as CorePosition, Span, Text};
use serde::Serialize;

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
            effect: block.parsed.effect,
        }
    }
}

/// Prints one JSON object on standard output, and a newline.
///
/// # Errors
/// Standard output cannot be written.
pub fn print(value: &impl Serialize) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Every problem of a transcript with the index of its block, by the place in the transcript.
pub fn in_order(
    stray: &[CoreProblem],
    proposals: &[Proposal],
) -> Vec<(Option<usize>, CoreProblem)> {
    let of_blocks = proposals.iter().flat_map(|proposal| {
        proposal.problems().map(|problem| (Some(proposal.placed.index), problem))
    });
    let stray = stray.iter().map(|problem| (None, problem.clone()));
    let mut problems: Vec<_> = stray.chain(of_blocks).collect();
    problems.sort_by_key(|(_, problem)| (problem.span.start, problem.span.end));
    problems
}

/// Problems of a review as JSON shows them.
pub fn problems(
    text: &Text,
    proposals: &[Proposal],
    problems: &[(Option<usize>, CoreProblem)],
) -> Vec<Problem> {
    let problems = problems.iter();
    problems.map(|(block, problem)| Problem::of(text, proposals, *block, problem)).collect()
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
