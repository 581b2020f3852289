//! An operation on structures as data: its names, its parameters, what it does.

use std::fmt;

use super::output::Done;
use super::perform::Context;
use super::request::Arguments;
use super::{Failure, OPERATIONS};
use crate::spec::{Effect, FieldRole};

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
    /// What it needs, in the order of the specification: roles that [`Arguments`] has a place for.
    /// Their names are those in `operator/structure`.
    pub parameters: &'static [FieldRole],
    /// Works out what it comes to. Nothing is written.
    pub perform: fn(&Context<'_>, &Arguments) -> Result<Done, Failure>,
}

/// Another name of a parameter in `operator/structure`.
pub(super) fn alias(parameter: FieldRole) -> Option<&'static str> {
    match parameter {
        FieldRole::SourcePath => Some("path"),
        FieldRole::SourceTarget => Some("target"),
        _ => None,
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
