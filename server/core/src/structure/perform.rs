//! The way from a request to what it comes to: look the files up, find the structures, work the
//! operation out in memory.

mod block;
mod delete;
mod find;
mod gap;
mod indent;
mod insert;
mod insertion;
mod markdown;
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
use super::request::{Done, ErrorCode, Failure, Request};
use crate::limits::Limits;
use crate::snapshot::Snapshot;

/// Works out what an operation comes to. Nothing is written.
///
/// # Errors
/// Why it cannot be done.
pub fn perform(
    request: &Request,
    snapshot: &dyn Snapshot,
    limits: &Limits,
) -> Result<Done, Failure> {
    let context = Context { snapshot, limits };
    match request {
        Request::Read { path, target, all } => read::read(&context, path, target, *all),
        Request::Replace { path, target, content } => {
            replace::replace(&context, path, target, content)
        }
        Request::Delete { path, target } => delete::delete(&context, path, target),
        Request::ReplaceText { path, target, old, new } => {
            let wanted = text::Wanted { old, new, expected: None, all: false };
            text::replace(&context, path, target, &wanted)
        }
        Request::ReplaceAllText { path, target, old, new, expected } => {
            let wanted = text::Wanted { old, new, expected: *expected, all: true };
            text::replace(&context, path, target, &wanted)
        }
        Request::Insert { path, target, content, side } => {
            insert::insert(&context, path, target, content, *side)
        }
        Request::MoveBeside { path, target, dest_path, dest_target, side } => {
            relocate::beside(&context, [path, target], [dest_path, dest_target], *side)
        }
        Request::MoveToEdge { path, target, dest_path, side } => {
            relocate::to_edge(&context, [path, target], dest_path, *side)
        }
    }
}

/// What every operation looks at.
struct Context<'a> {
    snapshot: &'a dyn Snapshot,
    limits: &'a Limits,
}

impl Context<'_> {
    /// Finds, reads and parses a file.
    fn open(&self, path: &str) -> Result<File, Failure> {
        File::open(path, self.snapshot, self.limits)
    }

    /// Whether a text of the request is short enough.
    fn check_content(&self, name: &str, content: &str) -> Result<(), Failure> {
        let (size, limit) = (content.len(), self.limits.content_bytes);
        if size <= limit {
            return Ok(());
        }
        let message = format!("`{name}` has {size} bytes, more than the limit of {limit}");
        let failure = Failure::new(ErrorCode::ContentTooLarge, message);
        Err(failure.detail("size", size).detail("limit", limit))
    }
}

#[cfg(test)]
mod tests;
