//! How the text of a block is read: its fields, its problems and its command.

use std::borrow::Cow;
use std::sync::Arc;

use super::turns::{Head, Styles};
use super::{Above, BlockEnd, Told};
use crate::command::Command;
use crate::fingerprint::Fingerprint;
use crate::limits::Limits;
use crate::problem::{Problem, Replacement};
use crate::spec::{Effect, FieldRole, FieldType};
use crate::text::Span;
use crate::text::fence::OpenFence;

/// Reads and writes the text of a dialect's blocks.
pub trait Read {
    /// What a block's text says. Spans count from the start of the text.
    fn parse(&self, source: &Source<'_>) -> Parsed;

    /// The edit that makes a block state the fingerprint that a file, named as the block names it,
    /// had when it was made; `None` where the dialect cannot say it.
    fn state_base(&self, parsed: &Parsed, path: &str, fingerprint: &str) -> Option<Replacement> {
        let _ = (parsed, path, fingerprint);
        None
    }

    /// Whether the last line of a block is content, and not the marker that ends it.
    fn ends_with_content(&self, last: &str) -> bool {
        let _ = last;
        false
    }

    /// The edit that makes a block name another file, where the lines above it name one or nothing
    /// does; `None` where its dialect does not look there.
    fn name_file(&self, parsed: &Parsed, path: &str) -> Option<Replacement> {
        let _ = (parsed, path);
        None
    }

    /// The edit that makes a block delete a file before what it does with the file of an op; `None`
    /// where the dialect cannot say it.
    fn delete_first(&self, parsed: &Parsed, op: Option<usize>, path: &str) -> Option<Replacement> {
        let _ = (parsed, op, path);
        None
    }

    /// The edit that puts lines of the file before the new lines of a block's first hunk, which has
    /// only new lines; `None` where the dialect cannot say it.
    fn add_context(&self, parsed: &Parsed, lines: &[String]) -> Option<Replacement> {
        let _ = (parsed, lines);
        None
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

    /// The characters of a field that are neither key nor value, such as what opens and what ends
    /// a heredoc; spans count from the start of the block, as those of `field`.
    fn delimiters(&self, block: &str, field: &ParsedField) -> Vec<Span> {
        let _ = (block, field);
        Vec::new()
    }
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
    /// Whether the block's own end marker is right after that.
    pub own_end: bool,
    /// Whether its last line has an ending, so it is whole.
    pub is_line_ended: bool,
    /// Whether it is in raw text that an earlier block leaves open. What it says about text
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
    /// The lines above it.
    pub above: Above<'a>,
    /// The head of the message that it is in, where that is of the person who asks.
    pub asked: Option<Head>,
    /// The fence that it is in, see [`Candidate::fence`](super::Candidate::fence).
    pub fence: Option<OpenFence>,
    /// Whether it is known in which fence it is.
    pub follows_fences: bool,
}

/// So much of a block that is too large is looked at, in bytes.
const HEAD: usize = 64 << 10;

impl<'a> Source<'a> {
    /// The first line of the block, without its ending.
    pub fn first_line(&self) -> &'a str {
        let end = memchr::memchr2(b'\n', b'\r', self.text.as_bytes());
        &self.text[..end.unwrap_or(self.text.len())]
    }

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
    /// Where it is, where the lines above the block have it.
    pub path_above: Option<PathAbove>,
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
    /// What it would ask for with a path: a path is all that keeps it from being a command.
    pub unnamed: Option<Box<Command>>,
    /// The path that it leaves to the block after it, for a dialect in which one path may be meant
    /// for several blocks, or another word that says something of the next one. A block that leaves
    /// nothing ends that, whatever its dialect.
    pub leaves: Option<Arc<str>>,
    /// How the heads of the model's messages are written if this block is in one of the person who asks;
    /// none where it is not.
    pub asked: Styles,
    /// Whether a program has printed it, as the lines above it show.
    pub is_printed: bool,
    /// What a reply to a whole transcript names this command by.
    pub call: Option<String>,
    /// What a reply says, of each command that it answers.
    pub says: Vec<Said>,
}

/// Where the lines above a block name its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathAbove {
    /// How many bytes before the block it begins.
    pub before: usize,
    /// Its length in bytes.
    pub len: usize,
}

/// Whether a block asks or answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It asks for something.
    Command,
    /// It answers commands.
    Reply,
}

/// What a reply says of one command.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// What it names the command by, see [`Block::answered_as`](super::Block::answered_as).
    pub of: String,
    /// Whether the command was done.
    pub claim: Claim,
    /// The outcome of the command, where the next reply must say it again.
    pub told: Option<Box<Told>>,
}

/// What a reply claims of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Whether it was done.
    pub ok: bool,
    /// Whether the user refused it.
    pub refused: bool,
    /// Whether it was not done, and the model is asked to send it again.
    pub again: bool,
    /// The fingerprints that it states: a model cannot know what a write leaves before it is done.
    pub stated: Vec<Fingerprint>,
}

/// What a reply that names no command names the one above it by; no id holds a line break.
pub const ABOVE: &str = "\n";

/// One field of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedField {
    /// The key as written.
    pub name: Cow<'static, str>,
    /// What it is to the command; `None` for what is nothing to it.
    pub role: Option<FieldRole>,
    /// The index of the op that has it, where a block has several.
    pub op: Option<usize>,
    /// Where the key is.
    pub key: Span,
    /// Where the value is.
    pub value: Span,
    /// Whether the value is a text of whole lines, as it is.
    pub heredoc: bool,
}

impl Parsed {
    /// A block that says nothing yet.
    pub fn new(role: Role, eol: &'static str) -> Parsed {
        Parsed {
            role,
            id: None,
            action: None,
            path: None,
            path_above: None,
            effect: None,
            eol,
            fields: Vec::new(),
            problems: Vec::new(),
            command: None,
            unnamed: None,
            leaves: None,
            asked: Styles::default(),
            is_printed: false,
            call: None,
            says: Vec::new(),
        }
    }

    /// Whether an error keeps the block from being a command.
    pub fn is_sound(&self) -> bool {
        !self.problems.iter().any(Problem::is_error)
    }

    /// Whether it says the same as another of the same text. The lines above may say that a file is
    /// new, which the command alone knows.
    pub(crate) fn says_the_same(&self, other: &Parsed) -> bool {
        let said = |it: &Parsed| (it.role, it.effect, it.eol);
        said(self) == said(other)
            && self.command == other.command
            && (&self.id, &self.action, &self.path) == (&other.id, &other.action, &other.path)
            && self.path_above == other.path_above
            && (&self.leaves, self.asked, self.is_printed)
                == (&other.leaves, other.asked, other.is_printed)
            && self.call == other.call
            && self.says == other.says
            && self.fields == other.fields
            && self.problems == other.problems
    }

    /// The first field of that name.
    pub fn field(&self, name: &str) -> Option<&ParsedField> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The first field with that role, of that op where one is given.
    pub fn with_role(&self, role: FieldRole, op: Option<usize>) -> Option<&ParsedField> {
        let is_of_op = |field: &ParsedField| op.is_none() || field.op == op;
        self.fields.iter().find(|field| field.role == Some(role) && is_of_op(field))
    }

    /// Where a problem with the field with that role is shown, of that op where one is given. Where
    /// no field has it, that is at the path or the action, or else where the block begins.
    pub fn locate(&self, role: FieldRole, op: Option<usize>) -> Span {
        let found = role.or_nearest().find_map(|role| self.with_role(role, op));
        match found {
            // A text of whole lines may be long, so the line that opens it is marked.
            Some(field) if field.heredoc => field.key.clone(),
            Some(field) => field.value.clone(),
            None => self.fields.first().map_or(0..0, |field| field.key.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FieldRole::{Content, DestPath, Lines, Path, SourcePath};

    /// A block with fields, each of which has one character for its key and one for its value.
    fn parsed(fields: &[(Option<FieldRole>, Option<usize>)]) -> Parsed {
        let field = |(index, (role, op)): (usize, &(Option<FieldRole>, Option<usize>))| {
            let (key, value) = (2 * index..2 * index + 1, 2 * index + 1..2 * index + 2);
            ParsedField { name: "".into(), role: *role, op: *op, key, value, heredoc: false }
        };
        let fields = fields.iter().enumerate().map(field).collect();
        Parsed { fields, ..Parsed::new(Role::Command, "\n") }
    }

    #[test]
    fn a_problem_is_at_the_field_with_its_role_or_at_the_nearest() {
        let mut moved = parsed(&[(None, None), (Some(SourcePath), None), (Some(DestPath), None)]);
        assert_eq!(moved.locate(DestPath, None), 5..6);
        assert_eq!(moved.locate(Path, None), 3..4, "its path has another role");
        assert_eq!(moved.locate(Lines, None), 0..1, "nothing is near: the block's beginning");
        moved.fields[2].heredoc = true;
        assert_eq!(moved.locate(DestPath, None), 4..5, "the line that opens the text");
        assert_eq!(parsed(&[]).locate(Path, None), 0..0);
    }

    #[test]
    fn a_problem_of_an_op_is_in_that_op() {
        let (path, content) = (Some(Path), Some(Content));
        let ops =
            parsed(&[(path, Some(0)), (path, Some(1)), (content, Some(1)), (content, Some(2))]);
        assert_eq!(ops.locate(Content, Some(1)), 5..6);
        assert_eq!(ops.locate(Content, Some(0)), 1..2, "it has none, so at its path");
        assert_eq!(ops.locate(Content, None), 5..6);
    }
}
