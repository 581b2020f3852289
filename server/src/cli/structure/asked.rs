//! From arguments to a request.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use operator_core::limits::Limits;
use operator_core::spec::FieldRole;
use operator_core::structure::{ErrorCode, Failure, Request};

use super::args::Asked;
use crate::cli::input;

/// Why the arguments are no request.
pub enum Refused {
    /// The content is not what it must be.
    Failure(Failure),
    /// The file with the content cannot be read; a message for people.
    Unreadable(String),
}

impl Asked {
    /// The operation that the arguments ask for.
    ///
    /// # Errors
    /// [`Refused`] where a content cannot be had.
    pub fn request(&self, limits: &Limits) -> Result<Request, Refused> {
        let mut fields = self.fields.clone();
        if let Some(file) = &self.content_file {
            fields.insert(FieldRole::Content.name().to_owned(), read(file, limits)?.into());
        }
        self.operation.request(fields).map_err(Refused::Unreadable)
    }
}

/// The content that a file holds.
fn read(path: &Path, limits: &Limits) -> Result<String, Refused> {
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
