//! Dialects: the block languages, each in a folder of its own.

pub mod edit_ops;
pub mod operator;
pub mod replacer;
pub mod sham;

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::command::Command;
use crate::fingerprint::Fingerprint;
use crate::limits::Limits;
use crate::plan::Outcome;
use crate::problem::Problem;
use crate::scan::Placed;
use crate::snapshot::PathStyle;
use crate::spec::{Effect, FieldType};
use crate::text::{Span, Text};

pub(crate) mod ahead;
mod dialects;
mod lines;
pub(crate) mod off;
pub(crate) mod reply;
mod writing;

pub use ahead::Ahead;
pub use dialects::{Dialects, Needle};
pub use writing::{Cursor, Writing, needed};

/// The dialects that the product knows.
pub static ALL: &[&dyn Dialect] =
    &[&operator::Operator, &sham::Sham, &replacer::Replacer, &edit_ops::EditOps];

/// Whether a block of some dialect begins with a line; `next` is the line after it.
pub(crate) fn begins_block(line: &str, next: &str) -> bool {
    ALL.iter().any(|dialect| dialect.opens(line, next) == Opening::Starts)
}

/// One block language.
///
/// The scan asks `opens` about lines outside any block, then lets the dialect's [`Reader`] see the
/// block's lines until it ends, then has `parse` judge the block's whole text.
pub trait Dialect: Sync {
    /// The name, `operator`.
    fn name(&self) -> &'static str;

    /// ASCII texts, in any case, one of which every line that `opens` says anything about holds.
    fn needles(&self) -> &'static [&'static str];

    /// What a line outside any block is; `next` is the line after it. Both without endings.
    fn opens(&self, line: &str, next: &str) -> Opening;

    /// Whether a transcript whose first line that is not blank is this one may begin with a block,
    /// needle or not. The block's first line is then the transcript's, blank or not.
    fn heads(&self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// A reader for the block that begins with the line `first`.
    fn reader(&self, first: &str) -> Box<dyn Reader>;

    /// What a block's text says. Spans count from the start of the text.
    fn parse(&self, source: &Source<'_>) -> Parsed;

    /// The span in `text` of a command's field, named as in [`crate::plan::Issue::field`].
    fn locate(&self, parsed: &Parsed, field: &str) -> Span;

    /// A field's decoded value as a block of this dialect writes it.
    fn encode(&self, field: &str, value: &str) -> String;

    /// The edit that makes a block state the fingerprint that a file, named as the block names it,
    /// had when it was made; `None` where the dialect cannot say it.
    fn state_base(
        &self,
        parsed: &Parsed,
        path: &str,
        fingerprint: &str,
    ) -> Option<crate::problem::Replacement> {
        let _ = (parsed, path, fingerprint);
        None
    }

    /// The replies to commands of a transcript, in order, each ending with a newline; a command
    /// that cannot be told apart from others may have none.
    fn replies(&self, transcript: &Text, answers: &[Answer]) -> Vec<String>;

    /// Whether one reply answers all commands of a transcript together.
    fn answers_together(&self) -> bool {
        false
    }

    /// Whether a reply names no command: it answers the block of this dialect right above it.
    fn answers_in_place(&self) -> bool {
        false
    }

    /// The earlier reply to a transcript that `text` begins with.
    fn earlier_reply(&self, text: &str) -> Option<Box<dyn EarlierReply>> {
        let _ = text;
        None
    }

    /// The language of the fence that a reply stands in, where the commands stand in one; `None`
    /// for a reply that stands right below its command.
    fn reply_language(&self) -> Option<&'static str> {
        None
    }

    /// What came of a command, in one line of at most 200 characters.
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

    /// Whether a file has to be read in the transcript before it is changed.
    fn reads_first(&self) -> bool {
        true
    }

    /// Whether an id names one command, so that a later block with the same id supersedes.
    fn ids_are_unique(&self) -> bool {
        true
    }

    /// What the characters of a field's value mean, `kind` being what the action's table says of
    /// it; `None` where they mean nothing.
    fn decode(&self, kind: Option<FieldType>, field: &ParsedField, raw: &str) -> Option<String> {
        let _ = (kind, field);
        Some(raw.to_owned())
    }

    /// A value as a field of that kind has it on a line.
    fn write(&self, kind: FieldType, value: &str) -> String {
        let _ = kind;
        value.to_owned()
    }

    /// The keys that every command has besides its action's own.
    fn common_keys(&self) -> &'static [CommonKey] {
        &[]
    }

    /// How its paths are written.
    fn paths(&self) -> PathStyle {
        PathStyle::Relative
    }

    /// Where the path stands that a field is about, where a block names several files.
    fn path_beside(&self, parsed: &Parsed, field: &ParsedField) -> Option<Span> {
        let _ = (parsed, field);
        None
    }

    /// The characters of a field that are neither key nor value, such as what opens and what ends
    /// a heredoc; spans count from the start of the block, as those of `field`.
    fn delimiters(&self, block: &str, field: &ParsedField) -> Vec<Span> {
        let _ = (block, field);
        Vec::new()
    }

    /// What it knows about the writing of its blocks, where an editor can help with that.
    fn writing(&self) -> Option<&dyn Writing> {
        None
    }

    /// The dialect's interface specification.
    fn specification(&self) -> &'static str;
}

/// A block's text, and what is known around it.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// From the start marker's line to the end marker's line or, where none comes, to the last line
    /// that fits.
    pub text: &'a str,
    /// What comes after that and may be the raw text that the block leaves open, up to the block's
    /// own end marker or the end of the transcript; empty for every other block.
    pub beyond: &'a str,
    /// Whether the block's own end marker stands right behind that.
    pub own_end: bool,
    /// Whether it stands in raw text that an earlier block leaves open. What it says about text
    /// beyond itself then goes no further than the next block: so that many blocks that leave
    /// raw text open do not each look through the same text.
    pub inside: bool,
    /// How the block came to its end.
    pub end: BlockEnd,
    /// The limits.
    pub limits: &'a Limits,
    /// The absolute path of the workspace, where there is one.
    pub home: Option<&'a str>,
    /// What the block before it leaves to it, see [`Parsed::leaves`].
    pub carried: Option<&'a Arc<str>>,
}

/// So much of a block that is too large is looked at, in bytes.
const HEAD: usize = 64 << 10;

impl<'a> Source<'a> {
    /// The text that is looked at: of a block that is too large its first lines, else all.
    pub fn looked_at(&self) -> &'a str {
        if self.end != BlockEnd::TooLarge || self.text.len() <= HEAD {
            return self.text;
        }
        let end = memchr::memrchr2(b'\n', b'\r', &self.text.as_bytes()[..HEAD]);
        let first = || memchr::memchr2(b'\n', b'\r', self.text.as_bytes());
        &self.text[..end.or_else(first).unwrap_or(self.text.len())]
    }
}

/// What a line outside any block is to a dialect.
#[derive(Debug, Clone, PartialEq)]
pub enum Opening {
    /// Nothing of this dialect.
    Nothing,
    /// The start of a block, exact or (the block's own problem then) nearly so.
    Starts,
    /// Perhaps the start of a block: its reader can tell at the end, see [`Reader::is_block`].
    Maybe,
    /// No start, and yet something is wrong with it; spans count from the start of the line.
    Stray(Problem),
}

/// A key that every command of a dialect has.
pub struct CommonKey {
    /// The key.
    pub name: &'static str,
    /// What its value is.
    pub is: Common,
    /// One line of help.
    pub help: &'static str,
}

/// What the value of a key is that every command has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Common {
    /// The protocol's version.
    Version,
    /// The id.
    Id,
    /// The action.
    Action,
}

/// Follows one open block line by line.
pub trait Reader {
    /// What the next line is to the block; `next` is the line after it. Both without endings.
    fn step(&mut self, line: &str, next: &str) -> Step;

    /// Whether the coming lines are content whatever they say, other dialects' markers too.
    fn raw(&self) -> bool {
        false
    }

    /// Whether `line` would end this block if it did not stand in raw content.
    fn closes(&self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// Inside raw content: where the first line from `from` on is that can end it, or of which
    /// `closes` is true and was not yet (`closed`); every line before it is content and changes
    /// nothing. `from` for a dialect that looks at each line.
    fn skip(&mut self, from: usize, closed: bool, ahead: &Ahead<'_>) -> usize {
        let _ = (closed, ahead);
        from
    }

    /// Whether in a block that is too large, raw content or not, only a line with a needle can
    /// matter.
    fn minds_needles_only(&self) -> bool {
        !self.raw()
    }

    /// Whether the lines were a block at all; asked when they have come to their end.
    fn is_block(&self) -> bool {
        true
    }
}

/// What a line is to an open block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A line as the dialect has it.
    Fits,
    /// A line that the dialect does not know, or raw content; the block stays open.
    Other,
    /// The block's last line.
    Ends,
    /// The line does not belong to the block, which ends this way without its end marker; the scan
    /// goes on with this line, or with the raw content before it.
    Breaks(BlockEnd),
}

/// How a block came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockEnd {
    /// With its end marker, exact or nearly so.
    Closed,
    /// Without its end marker, by a start marker of its own dialect.
    Nested,
    /// Without its end marker, by another dialect's start or the end of the transcript.
    Unterminated,
    /// It is larger than a block may be; only its first lines are looked at.
    TooLarge,
}

/// What a block's text says.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// Whether it is a command or a reply.
    pub role: Role,
    /// The id, exactly as written.
    pub id: Option<String>,
    /// The action's name as written, known or not.
    pub action: Option<String>,
    /// The path as written.
    pub path: Option<String>,
    /// What the action does to the world, where the action is known.
    pub effect: Option<Effect>,
    /// The line ending of its first line, for lines that are inserted.
    pub eol: &'static str,
    /// Every field with its place, in the order of the text.
    pub fields: Vec<ParsedField>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// What it asks for; `None` where a problem is an error.
    pub command: Option<Command>,
    /// The path that it leaves to the block after it, for a dialect in which one path may be meant
    /// for several blocks. A block that leaves nothing ends that, whatever its dialect.
    pub leaves: Option<Arc<str>>,
    /// The fingerprints that a reply states: a model cannot know what a write leaves before it is
    /// done.
    pub stated: Vec<Fingerprint>,
}

/// Whether a block asks or answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It asks for something.
    Command,
    /// It answers a command.
    Reply {
        /// Whether the command was done.
        ok: bool,
        /// Whether the user refused it.
        refused: bool,
    },
}

/// One field of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedField {
    /// The key as written.
    pub name: String,
    /// Where the key is.
    pub key: Span,
    /// Where the value is.
    pub value: Span,
    /// Whether the value is a text of whole lines, as it stands.
    pub heredoc: bool,
}

/// The answer to one command, before a dialect writes it down.
#[derive(Clone)]
pub struct Answer {
    /// The command's block.
    pub placed: Placed,
    /// What came of it.
    pub result: Told,
    /// The files of [`Dialect::told_paths`] that are there, as they are before the command is done.
    pub states: Vec<(&'static str, Fingerprint)>,
}

/// What came of a command.
pub type Told = Result<Outcome, Failure>;

/// A reply that stands in a transcript already.
pub trait EarlierReply {
    /// Its length in bytes, without its last line's ending.
    fn length(&self) -> usize;

    /// What it says of a command of the transcript.
    fn said(&self, transcript: &Text, placed: &Placed) -> Option<Told>;
}

/// Why a command was not done.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The user said no.
    Refused,
    /// Nobody has asked for it to be done yet.
    Pending,
    /// The block or its plan has a problem.
    Problem {
        /// The code.
        code: String,
        /// The message.
        message: String,
        /// What a program needs to react.
        details: Map<String, Value>,
    },
}

impl Failure {
    /// The failure that a problem is.
    pub fn of(problem: &Problem) -> Failure {
        Failure::Problem {
            code: problem.code.as_str().to_owned(),
            message: problem.message.clone(),
            details: problem.details.to_map(),
        }
    }
}

/// The code of a failure of which an earlier reply alone knows; its message is that reply's own.
pub const SAID_EARLIER: &str = "said-earlier";

/// The summary of a command that the user said no to.
pub const REFUSED: &str = "refused by the user";
const LONGEST_SUMMARY: usize = 200;

impl Answer {
    /// What came of the command in one line of at most 200 characters.
    pub fn summary(&self) -> String {
        match &self.result {
            Ok(outcome) => one_line(&summary(&self.placed, outcome)),
            Err(Failure::Refused) => REFUSED.to_owned(),
            Err(Failure::Pending) => "not done yet".to_owned(),
            Err(Failure::Problem { message, .. }) => one_line(message),
        }
    }
}

/// What came of a block's command in one line, as its dialect says it.
pub fn summary(placed: &Placed, outcome: &Outcome) -> String {
    let block = &placed.block;
    block.dialect.summary(block.parsed.command.as_ref(), outcome)
}

fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let plain = plain.trim();
    if plain.chars().count() <= LONGEST_SUMMARY {
        return plain.to_owned();
    }
    plain.chars().take(LONGEST_SUMMARY - 1).chain(['…']).collect()
}

impl Parsed {
    /// Whether an error keeps the block from being a command.
    pub fn is_sound(&self) -> bool {
        !self.problems.iter().any(Problem::is_error)
    }

    /// Whether it says the same as another of the same text; what they ask for is the same then.
    pub(crate) fn says_the_same(&self, other: &Parsed) -> bool {
        let said = |it: &Parsed| (it.role, it.effect, it.eol, it.command.is_some());
        said(self) == said(other)
            && (&self.id, &self.action, &self.path) == (&other.id, &other.action, &other.path)
            && self.leaves == other.leaves
            && self.stated == other.stated
            && self.fields == other.fields
            && self.problems == other.problems
    }

    /// The first field of that name.
    pub fn field(&self, name: &str) -> Option<&ParsedField> {
        self.fields.iter().find(|field| field.name == name)
    }
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
