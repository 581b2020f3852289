//! A file with its structures, as programs read it.

use operator_core::structure::{Listed, Parsed};
use serde::Serialize;
use serde_json::Value;

/// A file with its structures, or why it has none.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum File<'a> {
    /// It was read.
    Read {
        /// The path as the caller writes it.
        path: &'a str,
        /// The language's name.
        language: &'static str,
        /// Every structure, in the order of the text.
        structures: Vec<Listed<'a>>,
        /// How many syntax errors it has.
        parse_errors: usize,
    },
    /// It was not.
    Unread {
        /// The path as the caller writes it.
        path: &'a str,
        /// Why not.
        error: Value,
    },
}

impl<'a> File<'a> {
    /// A file that was read.
    pub fn of(path: &'a str, parsed: &'a Parsed) -> File<'a> {
        File::Read {
            path,
            language: parsed.language().name,
            structures: parsed.listing(),
            parse_errors: parsed.outline.errors.len(),
        }
    }
}
