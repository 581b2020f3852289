//! The ledger as a transcript is held against it.

use std::path::Path;

use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::Transcript as Name;
use operator_core::review::Book;

use super::input::{self, Transcript};
use crate::moment;
use crate::workspace::{JournalError, Workspace, real_or_same};

/// What was done in a workspace, for a transcript that was read from `file`.
///
/// # Errors
/// The ledger is there and cannot be read: without it a change could be made twice.
pub fn of(
    workspace: &Workspace,
    file: &Path,
    transcript: &Transcript,
) -> Result<Book, JournalError> {
    let ledger = match workspace.ledger() {
        // Where nothing can be kept, nothing was.
        Err(JournalError::NoPlace) => Default::default(),
        ledger => ledger?,
    };
    Ok(Book::new(ledger, name(file, transcript), moment::now()))
}

/// What the ledger knows a transcript by: its path, or the digest of what has none.
fn name(file: &Path, transcript: &Transcript) -> Name {
    if input::is_stdin(file) {
        let text = Fingerprint::of(transcript.text.to_string().as_bytes());
        return Name::without_name(text);
    }
    Name::new(&real_or_same(file).to_string_lossy())
}
