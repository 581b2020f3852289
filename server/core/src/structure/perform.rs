//! Every operation, and how each is worked out in memory: look the files up, find the structures,
//! make the edits.

mod aliases;
mod block;
mod delete;
mod find;
mod frame;
mod gap;
mod indent;
mod insert;
mod insertion;
mod kept;
mod markdown;
mod origin;
mod outline;
mod owners;
mod place;
mod prologue;
mod read;
mod relocate;
mod replace;
mod suggest;
mod text;
mod unsure;
mod verbatim;
mod warnings;
mod written;
mod zero;

use std::sync::Arc;

use super::file::{File, Read};
use super::operation::Operation;
use super::output::Done;
use super::request::Request;
use super::{ErrorCode, Failure};
use crate::fingerprint::Fingerprint;
use crate::limits::Limits;
use crate::outline::Parsed;
use crate::path::FilePath;
use crate::snapshot::{Denied, Snapshot};
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
    perform_on(request, None, snapshot, limits)
}

/// The same where the caller may have read the file that the structure is in.
///
/// # Errors
/// Why it cannot be done.
pub fn perform_on(
    request: &Request,
    read: Option<Read>,
    snapshot: &dyn Snapshot,
    limits: &Limits,
) -> Result<Done, Failure> {
    let context = Context { snapshot, limits, base: request.base, read };
    (request.operation.perform)(&context, &request.arguments)
}

/// A file with its structures.
///
/// # Errors
/// Why the file has none that can be looked at.
pub fn open(path: &str, snapshot: &dyn Snapshot, limits: &Limits) -> Result<Arc<Parsed>, Failure> {
    let context = Context { snapshot, limits, base: None, read: None };
    context.source(path).map(|file| file.parsed)
}

/// What every operation looks at.
pub struct Context<'a> {
    snapshot: &'a dyn Snapshot,
    limits: &'a Limits,
    /// The fingerprint that the file must have; `None` for any.
    base: Option<Fingerprint>,
    /// The file, where the caller has read it.
    read: Option<Read>,
}

impl Context<'_> {
    /// The file that the structure is in, with the fingerprint that it must have.
    fn source(&self, path: &str) -> Result<File, Failure> {
        let read = match self.read.clone() {
            Some(read) => read,
            None => self.read(path, self.resolve(path, "read")?)?,
        };
        if let Some(base) = self.base.filter(|base| *base != read.1.fingerprint()) {
            let message = format!("`{path}` has changed since; read it again");
            let failure = Failure::new(ErrorCode::FileChanged, message);
            let (expected, found) = (base.to_string(), read.1.fingerprint().to_string());
            return Err(failure.detail("expected", expected).detail("found", found));
        }
        File::parse(path, read, self.snapshot)
    }

    /// Another file that was found.
    fn open(&self, path: &str, resolved: FilePath) -> Result<File, Failure> {
        File::parse(path, self.read(path, resolved)?, self.snapshot)
    }

    /// Where a path leads, for an `operation`, `read` or `write`.
    fn resolve(&self, path: &str, operation: &str) -> Result<FilePath, Failure> {
        let resolved = self.snapshot.resolve(path);
        resolved.map_err(|why| Failure::denied(path, &why, operation))
    }

    fn read(&self, path: &str, resolved: FilePath) -> Result<Read, Failure> {
        let limit = self.limits.file_bytes;
        match self.snapshot.read(&resolved) {
            Ok(content) if content.len() <= limit => Ok((resolved, content)),
            Ok(content) => Err(Denied::TooLarge { size: content.len() as u64, limit }),
            Err(why) => Err(why),
        }
        .map_err(|why| Failure::denied(path, &why, "read"))
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
