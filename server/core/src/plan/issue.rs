//! What is wrong with a plan, in terms of its command.

use serde_json::{Map, Value};

use crate::path::FilePath;
use crate::problem::{Code, Severity};
use crate::spec::FieldRole;
use crate::text::private;

/// What is wrong with a plan, in terms of the command: a field rather than a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Issue {
    /// The kind of problem.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong and what to do.
    pub message: String,
    /// The role of the field whose value is at fault.
    pub field: FieldRole,
    /// The op that has the field, where the command is about several.
    pub op: Option<usize>,
    /// What a program needs to react.
    pub details: Map<String, Value>,
    /// Places in targets that are about it: what is there, the file, its 1-based line.
    pub related: Vec<(String, FilePath, usize)>,
    /// What would fix it, the best first.
    pub repairs: Vec<Repair>,
}

/// A change of a block that would fix an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What it does, as a menu shows it.
    pub title: String,
    /// What is changed.
    pub remedy: Remedy,
    /// Whether a person must choose it: it bends the text until it fits.
    pub is_choice: bool,
}

/// What of a block is changed; a dialect that cannot write it has no such fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Fields with these roles get these values, before the dialect encodes them.
    Values(Vec<(FieldRole, String)>),
    /// The file at this path, as the block writes it, is deleted first.
    DeleteFirst(String),
    /// These lines of the file come before the new lines of the hunk.
    Context(Vec<String>),
}

impl Issue {
    /// An issue of the code's own severity; boxed, because it is large and mostly an `Err`.
    pub(crate) fn new(code: Code, field: FieldRole, message: impl Into<String>) -> Box<Issue> {
        Box::new(Issue {
            code,
            severity: code.severity(),
            message: message.into(),
            field,
            op: None,
            details: Map::new(),
            related: Vec::new(),
            repairs: Vec::new(),
        })
    }

    /// A remark that keeps nothing from being done.
    pub(super) fn warning(code: Code, field: FieldRole, message: impl Into<String>) -> Box<Issue> {
        let mut issue = Issue::new(code, field, message);
        issue.severity = Severity::Warning;
        issue
    }

    /// The issue at a field of an op.
    #[must_use]
    pub(super) fn at(mut self: Box<Self>, op: usize, field: FieldRole) -> Box<Issue> {
        (self.op, self.field) = (Some(op), field);
        self
    }

    /// The issue with one more detail.
    #[must_use]
    pub(super) fn detail(mut self: Box<Self>, key: &str, value: impl Into<Value>) -> Box<Issue> {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// The issue with another place: what is there, and the 1-based line.
    #[must_use]
    pub(super) fn related(
        mut self: Box<Self>,
        what: impl Into<String>,
        path: &FilePath,
        line: usize,
    ) -> Box<Issue> {
        self.related.push((what.into(), path.clone(), line));
        self
    }

    /// The issue with one more repair, which a person must choose.
    #[must_use]
    pub(super) fn choice(mut self: Box<Self>, title: String, remedy: Remedy) -> Box<Issue> {
        self.repairs.push(Repair { title, remedy, is_choice: true });
        self
    }

    /// The issue as people see it, about a file whose text [stands for
    /// bytes](crate::text::Content). A block cannot bring such a byte, so no repair is offered.
    #[must_use]
    pub(super) fn without_private(mut self: Box<Self>) -> Box<Issue> {
        self.message = private::shown(&self.message);
        self.details.values_mut().for_each(show);
        self.repairs.retain(|repair| match &repair.remedy {
            Remedy::Values(values) => values.iter().all(|(_, value)| value.is_ascii()),
            Remedy::Context(lines) => lines.iter().all(|line| line.is_ascii()),
            Remedy::DeleteFirst(path) => path.is_ascii(),
        });
        self
    }
}

/// Makes each text in a value what people see of it.
fn show(value: &mut Value) {
    match value {
        Value::String(text) => *text = private::shown(text),
        Value::Array(values) => values.iter_mut().for_each(show),
        Value::Object(values) => values.values_mut().for_each(show),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
