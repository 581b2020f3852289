//! An operation on structures as data: its names, its parameters, what it does.

use std::fmt;

use super::output::Done;
use super::perform::Context;
use super::request::Arguments;
use super::{Failure, OPERATIONS};
use crate::spec::Effect;

/// One operation: a row of [`OPERATIONS`].
pub struct Operation {
    /// The name in `operator/structure` and in `spec/actions.toml`.
    pub name: &'static str,
    /// The command of `operator-lsp structure`; `None` where the command line has one of its own.
    pub command: Option<&'static str>,
    /// One line of help for the command line.
    pub help: &'static str,
    /// Whether it reads or writes. One that writes also takes `base_fingerprint`.
    pub effect: Effect,
    /// What it needs, in the order of the specification.
    pub parameters: &'static [Parameter],
    /// Works out what it comes to. Nothing is written.
    pub perform: fn(&Context<'_>, &Arguments) -> Result<Done, Failure>,
}

/// What an operation takes. The role says what the value is, whatever a dialect calls its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// The file.
    Path,
    /// The structure, one line for each level.
    Target,
    /// The file that a structure moves from.
    SourcePath,
    /// The structure that moves.
    SourceTarget,
    /// The file that it moves to.
    DestPath,
    /// The structure that it moves to.
    DestTarget,
    /// A text for a structure, at zero indent.
    Content,
    /// The text that is there.
    OldText,
    /// The text that takes its place.
    NewText,
    /// How many times the old text must be there; may be left out.
    ExpectedCount,
}

impl Parameter {
    /// The name in `operator/structure`. A dialect's field has it, too, or with `_b64` after it.
    pub fn name(self) -> &'static str {
        match self {
            Parameter::Path => "path",
            Parameter::Target => "target",
            Parameter::SourcePath => "source_path",
            Parameter::SourceTarget => "source_target",
            Parameter::DestPath => "dest_path",
            Parameter::DestTarget => "dest_target",
            Parameter::Content => "content",
            Parameter::OldText => "old_text",
            Parameter::NewText => "new_text",
            Parameter::ExpectedCount => "expected_count",
        }
    }

    /// Another name in `operator/structure`.
    pub(super) fn alias(self) -> Option<&'static str> {
        match self {
            Parameter::SourcePath => Some("path"),
            Parameter::SourceTarget => Some("target"),
            _ => None,
        }
    }

    /// Whether it must be given.
    pub(super) fn is_required(self) -> bool {
        self != Parameter::ExpectedCount
    }
}

/// The operation of that name.
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

impl PartialEq for Operation {
    fn eq(&self, other: &Operation) -> bool {
        self.name == other.name
    }
}

impl Eq for Operation {}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
