//! Dialects: the block languages, each in a folder of its own.

pub mod apply_patch;
pub mod chat;
pub mod diff;
pub mod edit_ops;
pub mod files;
pub mod foreign;
pub mod operator;
mod path_line;
pub mod replacer;
pub mod search_replace;
pub mod sham;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::command::Command;
use crate::fingerprint::Fingerprint;
use crate::plan::Outcome;
use crate::problem::{
    APPLY_PATCH_NEAR_MARKER, Code, Problem, SEARCH_REPLACE_NEAR_MARKER,
    SEARCH_REPLACE_UNEXPECTED_END,
};
use crate::text::Text;

pub(crate) mod ahead;
pub(crate) mod around;
pub(crate) mod between;
mod block;
mod dialects;
pub(crate) mod hits;
pub(crate) mod likeness;
mod lines;
mod margin;
pub(crate) mod off;
mod read;
mod recognise;
pub(crate) mod reply;
mod rules;
mod signed;
pub mod thought;
pub(crate) mod turns;
mod typed;
mod unended;
mod unknown;
mod writing;

pub use ahead::Ahead;
pub use block::{Block, Placed};
pub(crate) use dialects::Subset;
pub use dialects::{Dialects, Needle};
pub use read::{ABOVE, Claim, Parsed, ParsedField, PathAbove, Read, Role, Said, Source};
pub use recognise::{Above, BlockEnd, Candidate, LineKind, Opening, Reader, Recognise};
pub use rules::{CommonKey, ReplyStyle, Rules};
pub use writing::{Cursor, Writing, needed};

/// The dialects that the product knows: one line for each.
pub static ALL: &[&dyn Dialect] = &[
    &operator::Operator,
    &sham::Sham,
    &replacer::Replacer,
    &search_replace::SearchReplace,
    &apply_patch::ApplyPatch,
    &diff::Diff,
    &edit_ops::EditOps,
    &files::Files,
    &chat::Chat,
    &foreign::Foreign,
];

/// The rules of the dialects that people and models write: those with a specification.
pub fn written() -> impl Iterator<Item = &'static Rules> {
    ALL.iter().map(|dialect| dialect.rules()).filter(|rules| !rules.specification.is_empty())
}

/// The rules of the dialect for a model where nothing else is said: every model knows it, and a
/// rendered page damages it least.
pub fn recommended() -> &'static Rules {
    search_replace::SearchReplace.rules()
}

/// The dialect whose replies can be about blocks of any other.
pub fn fallback() -> &'static dyn Dialect {
    &chat::Chat
}

/// The problems of lines that may begin an edit, and do not begin a block.
const NEAR_MARKERS: [Code; 3] =
    [SEARCH_REPLACE_NEAR_MARKER, SEARCH_REPLACE_UNEXPECTED_END, APPLY_PATCH_NEAR_MARKER];

/// Whether a block of some dialect begins with a line, or nearly so; `next` is the line after it.
pub(crate) fn begins_block(line: &str, next: &str) -> bool {
    let candidate = Candidate { line, next, above: Above::default(), fence: None };
    Dialects::all().with_needle_in(line).any(|it| match it.opens(&candidate) {
        Opening::Starts => true,
        Opening::Stray(problem) => NEAR_MARKERS.contains(&problem.code),
        Opening::Nothing | Opening::Maybe => false,
    })
}

/// One block language: its rules, how its blocks are found and read, and how they are answered.
pub trait Dialect: Recognise + Read + Reply + Sync {
    /// What holds for every block.
    fn rules(&self) -> &'static Rules;

    /// The name.
    fn name(&self) -> &'static str {
        self.rules().name
    }
}

/// Writes the outcome of commands.
pub trait Reply {
    /// The replies to commands of a transcript, in order, each ending with a newline; a command
    /// that cannot be told apart from others may have none.
    fn replies(&self, to: &Answers<'_>) -> Vec<String>;

    /// The outcome of a command in one line of at most 200 characters.
    fn summary(&self, command: Option<&Command>, outcome: &Outcome) -> String {
        let _ = command;
        reply::line(outcome)
    }

    /// What a command's result is to a program, where it was done.
    fn data(&self, answer: &Answer) -> Option<Value> {
        reply::details(answer.result.as_ref().ok()?).map(Value::String)
    }

    /// The paths of which a reply tells the state, whatever came of the command.
    fn told_paths(&self) -> &'static [&'static str] {
        &[]
    }
}

/// What a reply tells.
#[derive(Clone, Copy)]
pub struct Answers<'a> {
    /// The transcript.
    pub transcript: &'a Text,
    /// The answers to its commands, in order.
    pub answers: &'a [Answer],
    /// The problems of lines beside the commands that are not blocks, by place.
    pub strays: &'a [Problem],
}

/// The answer to one command, before a dialect writes it down.
#[derive(Clone)]
pub struct Answer {
    /// The command's block.
    pub placed: Placed,
    /// The outcome of it.
    pub result: Told,
    /// The files of [`Reply::told_paths`] that are there, as they are before the command is done.
    pub states: Vec<(&'static str, Fingerprint)>,
}

/// The outcome of a command.
pub type Told = Result<Outcome, Failure>;

/// Why a command was not done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Failure {
    /// The user said no.
    Refused,
    /// Nobody has asked for it to be done yet.
    Pending,
    /// The block or its plan has problems.
    Problem {
        /// The first one, or the only one.
        fault: Box<Fault>,
        /// The others.
        others: Vec<Fault>,
    },
    /// It failed before; this is all that an earlier reply says of it.
    Noted {
        /// The message, as that reply has it.
        message: String,
        /// What it says besides; null where it says nothing more.
        data: Value,
    },
}

/// What is wrong, as the model is told it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The code.
    pub code: String,
    /// The message.
    pub message: String,
    /// What a program needs to react.
    pub details: Map<String, Value>,
    /// Where it is, in bytes from the start of the block; `None` where that is not known.
    pub at: Option<usize>,
}

impl Fault {
    /// A problem as the model is told it.
    pub fn of(problem: &Problem) -> Fault {
        Fault {
            code: problem.code.as_str().to_owned(),
            message: problem.message.clone(),
            details: problem.details.to_map(),
            at: Some(problem.span.start),
        }
    }
}

impl Failure {
    /// The failure that one problem is.
    pub fn new(code: Code, message: impl Into<String>, details: Map<String, Value>) -> Failure {
        let (code, message) = (code.to_string(), message.into());
        let fault = Fault { code, message, details, at: None };
        Failure::Problem { fault: Box::new(fault), others: Vec::new() }
    }

    /// The code of the first problem.
    pub fn code(&self) -> Option<&str> {
        match self {
            Failure::Problem { fault, .. } => Some(&fault.code),
            _ => None,
        }
    }
}

/// The summary of a command that the user said no to.
pub const REFUSED: &str = "refused by the user";
const LONGEST_SUMMARY: usize = 200;

impl Answer {
    /// The outcome of the command in one line of at most 200 characters.
    pub fn summary(&self) -> String {
        summary(&self.placed, &self.result)
    }
}

/// What is told of a block's command in one line of at most 200 characters, as its dialect says it.
pub fn summary(placed: &Placed, told: &Told) -> String {
    let block = &placed.block;
    let done = |outcome| block.dialect.summary(block.parsed.command.as_ref(), outcome);
    match told {
        Ok(outcome) => one_line(&done(outcome)),
        Err(Failure::Refused) => REFUSED.to_owned(),
        Err(Failure::Pending) => "not done yet".to_owned(),
        Err(Failure::Problem { fault, .. }) => one_line(&fault.message),
        Err(Failure::Noted { message, .. }) => one_line(message),
    }
}

fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let plain = plain.trim();
    if plain.chars().count() <= LONGEST_SUMMARY {
        return plain.to_owned();
    }
    plain.chars().take(LONGEST_SUMMARY - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_summary_is_cut_with_a_mark() {
        assert_eq!(one_line(&"é".repeat(300)).chars().count(), 200);
        assert_eq!(one_line("a\nb "), "a b");
    }
}
