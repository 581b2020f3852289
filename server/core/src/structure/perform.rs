//! Every operation, and how each is worked out in memory: look the files up, find the structures,
//! make the edits.

mod block;
mod delete;
mod find;
mod gap;
mod indent;
mod insert;
mod insertion;
mod markdown;
mod outline;
mod place;
mod prologue;
mod read;
mod relocate;
mod replace;
mod suggest;
mod text;
mod verbatim;
mod warnings;
mod written;
mod zero;

use super::file::File;
use super::operation::Operation;
use super::output::Done;
use super::request::Request;
use super::{ErrorCode, Failure};
use crate::limits::Limits;
use crate::snapshot::Snapshot;
use crate::spec::{Effect, FieldRole};
use insertion::Side::{After, Before};

use FieldRole::{
    Content, DestPath, DestTarget, ExpectedCount, NewText, OldText, Path, SourcePath, SourceTarget,
    Target,
};

/// Every operation, in the order of the specification.
pub static OPERATIONS: &[Operation] = &[
    Operation {
        name: "outline",
        command: None,
        help: "List the structures of a file, each with a target that fits it alone",
        effect: Effect::Read,
        parameters: &[Path],
        perform: outline::outline,
    },
    Operation {
        name: "read_structure",
        command: Some("read"),
        help: "Print every structure that the target fits",
        effect: Effect::Read,
        parameters: &[Path, Target],
        perform: read::read,
    },
    Operation {
        name: "replace_structure",
        command: Some("replace"),
        help: "Put a text in the place of a structure",
        effect: Effect::Write,
        parameters: &[Path, Target, Content],
        perform: replace::replace,
    },
    Operation {
        name: "delete_structure",
        command: Some("delete"),
        help: "Delete a structure",
        effect: Effect::Write,
        parameters: &[Path, Target],
        perform: delete::delete,
    },
    Operation {
        name: "replace_text_in_structure",
        command: Some("replace-text"),
        help: "Replace a text that is in the structure exactly once",
        effect: Effect::Write,
        parameters: &[Path, Target, OldText, NewText],
        perform: |context, arguments| text::replace(context, arguments, text::Count::Once),
    },
    Operation {
        name: "replace_all_text_in_structure",
        command: Some("replace-all-text"),
        help: "Replace a text wherever it is in the structure",
        effect: Effect::Write,
        parameters: &[Path, Target, OldText, NewText, ExpectedCount],
        perform: |context, arguments| text::replace(context, arguments, text::Count::All),
    },
    Operation {
        name: "insert_before_structure",
        command: Some("insert-before"),
        help: "Insert a text before a structure",
        effect: Effect::Write,
        parameters: &[Path, Target, Content],
        perform: |context, arguments| insert::insert(context, arguments, Before),
    },
    Operation {
        name: "insert_after_structure",
        command: Some("insert-after"),
        help: "Insert a text after a structure",
        effect: Effect::Write,
        parameters: &[Path, Target, Content],
        perform: |context, arguments| insert::insert(context, arguments, After),
    },
    Operation {
        name: "move_structure_to_before",
        command: Some("move-before"),
        help: "Move a structure to before another one",
        effect: Effect::Write,
        parameters: &[SourcePath, SourceTarget, DestPath, DestTarget],
        perform: |context, arguments| relocate::beside(context, arguments, Before),
    },
    Operation {
        name: "move_structure_to_after",
        command: Some("move-after"),
        help: "Move a structure to after another one",
        effect: Effect::Write,
        parameters: &[SourcePath, SourceTarget, DestPath, DestTarget],
        perform: |context, arguments| relocate::beside(context, arguments, After),
    },
    Operation {
        name: "move_structure_to_file_start",
        command: Some("move-to-start"),
        help: "Move a structure to the start of a file, after what must stay first",
        effect: Effect::Write,
        parameters: &[SourcePath, SourceTarget, DestPath],
        perform: |context, arguments| relocate::to_edge(context, arguments, Before),
    },
    Operation {
        name: "move_structure_to_file_end",
        command: Some("move-to-end"),
        help: "Move a structure to the end of a file",
        effect: Effect::Write,
        parameters: &[SourcePath, SourceTarget, DestPath],
        perform: |context, arguments| relocate::to_edge(context, arguments, After),
    },
];

/// Works out what an operation comes to. Nothing is written.
///
/// # Errors
/// Why it cannot be done.
pub fn perform(
    request: &Request,
    snapshot: &dyn Snapshot,
    limits: &Limits,
) -> Result<Done, Failure> {
    request.check_base(snapshot)?;
    (request.operation.perform)(&Context { snapshot, limits }, &request.arguments)
}

/// What every operation looks at.
pub struct Context<'a> {
    snapshot: &'a dyn Snapshot,
    limits: &'a Limits,
}

impl Context<'_> {
    /// Finds, reads and parses a file.
    fn open(&self, path: &str) -> Result<File, Failure> {
        File::open(path, self.snapshot, self.limits)
    }

    /// Whether a text of the request is short enough.
    fn check_content(&self, field: FieldRole, content: &str) -> Result<(), Failure> {
        let (size, limit) = (content.len(), self.limits.content_bytes);
        if size <= limit {
            return Ok(());
        }
        let name = field.name();
        let message = format!("`{name}` has {size} bytes, more than the limit of {limit}");
        let failure = Failure::new(ErrorCode::ContentTooLarge, message);
        Err(failure.detail("size", size).detail("limit", limit))
    }
}

#[cfg(test)]
mod tests;
