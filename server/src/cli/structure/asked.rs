//! From arguments to an operation.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use operator_core::limits::Limits;
use operator_core::structure::{ErrorCode, Failure, Request, Side};

use super::args::{At, Base, Content, Destination, Operation, Texts};
use crate::cli::input;
use crate::structure::Asked;

/// Why there is nothing to be carried out.
pub enum Refused {
    /// The content is not what it has to be.
    Failure(Failure),
    /// The file with the content cannot be read; a message for people.
    Unreadable(String),
}

/// The operation that the arguments ask for.
///
/// # Errors
/// [`Refused`] where a content cannot be had.
pub fn of(operation: &Operation, limits: &Limits) -> Result<Asked, Refused> {
    let content = |content: &Content| read(content, limits);
    let (request, base) = match operation {
        Operation::Outline { .. } => unreachable!("an outline is not an operation on a structure"),
        Operation::Read(at) => {
            (Request::Read { path: at.path.clone(), target: at.target.clone(), all: true }, None)
        }
        Operation::Replace { at: At { path, target }, content: text, base } => {
            let (path, target) = (path.clone(), target.clone());
            (Request::Replace { path, target, content: content(text)? }, Some(base))
        }
        Operation::Delete { at: At { path, target }, base } => {
            (Request::Delete { path: path.clone(), target: target.clone() }, Some(base))
        }
        Operation::ReplaceText { at: At { path, target }, text: Texts { old, new }, base } => {
            let (path, target, old, new) = (path.clone(), target.clone(), old.clone(), new.clone());
            (Request::ReplaceText { path, target, old, new }, Some(base))
        }
        Operation::ReplaceAllText { at, text, expected_count, base } => {
            let (path, target) = (at.path.clone(), at.target.clone());
            let (old, new, expected) = (text.old.clone(), text.new.clone(), *expected_count);
            (Request::ReplaceAllText { path, target, old, new, expected }, Some(base))
        }
        Operation::InsertBefore { at, content: text, base } => {
            (insert(at, content(text)?, Side::Before), Some(base))
        }
        Operation::InsertAfter { at, content: text, base } => {
            (insert(at, content(text)?, Side::After), Some(base))
        }
        Operation::MoveBefore { at, to, base } => (beside(at, to, Side::Before), Some(base)),
        Operation::MoveAfter { at, to, base } => (beside(at, to, Side::After), Some(base)),
        Operation::MoveToStart { at, to, base } => {
            (edge(at, &to.dest_path, Side::Before), Some(base))
        }
        Operation::MoveToEnd { at, to, base } => (edge(at, &to.dest_path, Side::After), Some(base)),
    };
    Ok(Asked { request, base: base.and_then(|Base { base_fingerprint }| *base_fingerprint) })
}

fn insert(At { path, target }: &At, content: String, side: Side) -> Request {
    Request::Insert { path: path.clone(), target: target.clone(), content, side }
}

fn beside(At { path, target }: &At, to: &Destination, side: Side) -> Request {
    let (path, target) = (path.clone(), target.clone());
    let (dest_path, dest_target) = (to.file.dest_path.clone(), to.dest_target.clone());
    Request::MoveBeside { path, target, dest_path, dest_target, side }
}

fn edge(At { path, target }: &At, dest_path: &str, side: Side) -> Request {
    let (path, target, dest_path) = (path.clone(), target.clone(), dest_path.to_owned());
    Request::MoveToEdge { path, target, dest_path, side }
}

/// The content, from the argument itself or from a file.
fn read(Content { content, content_file }: &Content, limits: &Limits) -> Result<String, Refused> {
    let (Some(path), None) = (content_file, content) else {
        return Ok(content.clone().unwrap_or_default());
    };
    let limit = limits.content_bytes;
    let unreadable = |error| Refused::Unreadable(input::unreadable(path, &error));
    let (bytes, size) = bytes(path, limit).map_err(unreadable)?;
    if size > limit as u64 {
        let message = format!("`content` has {size} bytes, more than the limit of {limit}");
        let failure = Failure::new(ErrorCode::ContentTooLarge, message);
        return Err(Refused::Failure(failure.detail("size", size).detail("limit", limit)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("the content is not UTF-8, from byte {at} on");
        Refused::Failure(Failure::new(ErrorCode::EncodingError, message).detail("byte", at))
    })
}

/// The bytes of a file up to just beyond `limit`, and how many it has; the rest is only counted.
fn bytes(path: &Path, limit: usize) -> io::Result<(Vec<u8>, u64)> {
    let mut source: Box<dyn Read> = match input::is_stdin(path) {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(path)?),
    };
    let mut bytes = Vec::new();
    source.by_ref().take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    let rest = io::copy(&mut source, &mut io::sink())?;
    let size = bytes.len() as u64 + rest;
    Ok((bytes, size))
}
