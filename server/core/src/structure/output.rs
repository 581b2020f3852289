//! The results of operations on structures, as the specification names their fields.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Failure, FileOutline};
use crate::edit::ChangeSet;
use crate::edit::Target as Touched;

/// A first and a last line, from 1, both included.
pub type LineRange = [usize; 2];

/// An operation that was worked out. Nothing is written yet.
#[derive(Debug, Clone)]
pub struct Done {
    /// Its result.
    pub output: Output,
    /// What is worth knowing about it.
    pub warnings: Vec<Warning>,
    /// What would change; empty for an operation that only reads.
    pub changes: ChangeSet,
    /// The files that it is about, as they are and as they would be.
    pub targets: Vec<Touched>,
}

/// The result of an operation. Lines are those of the file afterwards unless a name says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Output {
    /// The structures of a file, which are not read back.
    #[serde(skip_deserializing)]
    Outlined {
        /// The one file.
        files: [FileOutline; 1],
    },
    /// The texts that a target fits.
    Read {
        /// At least one, in the order of the file.
        matches: Vec<Excerpt>,
    },
    /// A structure has another text.
    Replaced {
        /// Its lines.
        lines: LineRange,
    },
    /// A structure is gone.
    Deleted {
        /// Its lines before.
        #[serde(rename = "deleted_line_range_inclusive")]
        lines: LineRange,
    },
    /// A text in a structure is another one.
    TextReplaced {
        /// How many times; `None` where it had to be there once.
        #[serde(rename = "total_replacements", skip_serializing_if = "Option::is_none")]
        total: Option<usize>,
        /// The lines from the first to the last of them.
        #[serde(rename = "affected_lines")]
        lines: LineRange,
    },
    /// A text was put beside a structure.
    Inserted {
        /// Its first line.
        #[serde(rename = "inserted_at_line")]
        at: usize,
        /// The first line of the structure, where the text is before it.
        #[serde(rename = "target_now_at_line", skip_serializing_if = "Option::is_none")]
        target_at: Option<usize>,
    },
    /// A structure is elsewhere.
    Moved {
        /// Its lines before.
        #[serde(rename = "source_original_line_range")]
        from: LineRange,
        /// Its lines in the file that it went to.
        #[serde(rename = "destination_final_line_range")]
        to: LineRange,
    },
}

/// The text of a structure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The text at zero indent.
    pub text: String,
    /// Its lines in the file.
    #[serde(rename = "line_range_inclusive")]
    pub lines: LineRange,
}

/// Something about a result that is worth knowing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Warning {
    /// What it is about.
    #[serde(rename = "type")]
    pub kind: WarningKind,
    /// What it says to people.
    pub message: String,
    /// What a program needs to react.
    pub details: Map<String, Value>,
}

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// The file has more syntax errors than before.
    SyntaxBroken,
    /// A body has no code left.
    StructureEmpty,
    /// A line is indented otherwise than what is around it.
    IndentationInconsistent,
}

impl WarningKind {
    /// Every kind.
    pub const ALL: [WarningKind; 3] = [
        WarningKind::SyntaxBroken,
        WarningKind::StructureEmpty,
        WarningKind::IndentationInconsistent,
    ];

    /// The name in results.
    pub fn as_str(self) -> &'static str {
        match self {
            WarningKind::SyntaxBroken => "SYNTAX_BROKEN",
            WarningKind::StructureEmpty => "STRUCTURE_EMPTY",
            WarningKind::IndentationInconsistent => "INDENTATION_INCONSISTENT",
        }
    }
}

impl Serialize for WarningKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The answer to an operation as programs read it: `{"ok","result","warnings"}` or
/// `{"ok","error"}`.
pub fn answer(outcome: Result<&Done, &Failure>) -> Value {
    match outcome {
        Ok(done) => json!({"ok": true, "result": done.output, "warnings": done.warnings}),
        Err(failure) => json!({"ok": false, "error": failure.to_json()}),
    }
}
