//! The JSON of `fs.applyEdits`: `{"version":1,"edits":[…]}`.

use std::num::NonZeroUsize;

/// One edit of a file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextEdit {
    /// Text right after an anchor, nothing added.
    InsertAfter {
        /// The text to find.
        anchor: String,
        /// The text to insert.
        text: String,
        /// Which match, from 1.
        occurrence: Option<NonZeroUsize>,
    },
    /// Text right before an anchor, nothing added.
    InsertBefore {
        /// The text to find.
        anchor: String,
        /// The text to insert.
        text: String,
        /// Which match, from 1.
        occurrence: Option<NonZeroUsize>,
    },
    /// One match replaced; the only one where `occurrence` is not given.
    ReplaceFirst {
        /// The text to find.
        find: String,
        /// What stands there afterwards.
        text: String,
        /// Which match, from 1.
        occurrence: Option<NonZeroUsize>,
    },
    /// Every match replaced.
    ReplaceAll {
        /// The text to find.
        find: String,
        /// What stands there afterwards.
        text: String,
    },
    /// Whole lines replaced, `start_line..=end_line`, from 1.
    ReplaceRange {
        /// The first line.
        start_line: usize,
        /// The last line.
        end_line: usize,
        /// What stands there afterwards; empty takes the lines away.
        text: String,
    },
}

/// Why a text is not the JSON of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditsError {
    /// What is wrong, with the edit's 0-based index where it is one edit's fault.
    pub message: String,
    /// The 1-based line in the decoded text, where it is known.
    pub line: Option<usize>,
    /// The 1-based column in the decoded text, where it is known.
    pub column: Option<usize>,
    /// The 0-based index of the edit at fault.
    pub edit: Option<usize>,
}
pub fn parse(_: &str) -> Result<Vec<TextEdit>, EditsError> {
    Ok(Vec::new())
}
pub fn render(_: &[TextEdit]) -> String {
    String::new()
}
