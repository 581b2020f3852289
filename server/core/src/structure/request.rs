//! What may be asked of structures, and what comes of it.

use serde_json::{Map, Value};

use super::target::path_within;
use crate::edit::ChangeSet;
use crate::edit::Target as Touched;

/// One operation on a structure. Paths are as the caller writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// The text of the structures that the target fits.
    Read {
        /// The file.
        path: String,
        /// The target, one line for each level.
        target: String,
        /// Whether the target may fit several structures.
        all: bool,
    },
    /// Another text in the place of a structure.
    Replace {
        /// The file.
        path: String,
        /// The target.
        target: String,
        /// The text, at zero indent.
        content: String,
    },
    /// The end of a structure.
    Delete {
        /// The file.
        path: String,
        /// The target.
        target: String,
    },
    /// Another text in the place of one that is in a structure exactly once.
    ReplaceText {
        /// The file.
        path: String,
        /// The target.
        target: String,
        /// The text that is there.
        old: String,
        /// The text that is to be there.
        new: String,
    },
    /// Another text in the place of one wherever it is in a structure.
    ReplaceAllText {
        /// The file.
        path: String,
        /// The target.
        target: String,
        /// The text that is there.
        old: String,
        /// The text that is to be there.
        new: String,
        /// How many times it has to be there.
        expected: Option<usize>,
    },
    /// A text before or after a structure.
    Insert {
        /// The file.
        path: String,
        /// The target.
        target: String,
        /// The text, at zero indent.
        content: String,
        /// On which side.
        side: Side,
    },
    /// A structure beside another one, in the same file or in another.
    MoveBeside {
        /// The file that it is in.
        path: String,
        /// The target.
        target: String,
        /// The file that it goes to.
        dest_path: String,
        /// The structure that it goes to.
        dest_target: String,
        /// On which side of that.
        side: Side,
    },
    /// A structure at the start or the end of a file, which is made where it is missing.
    MoveToEdge {
        /// The file that it is in.
        path: String,
        /// The target.
        target: String,
        /// The file that it goes to.
        dest_path: String,
        /// `Before`: its start; `After`: its end.
        side: Side,
    },
}

/// Before or after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before.
    Before,
    /// After.
    After,
}

impl Request {
    /// The path with the target after it, for what acts inside one structure of a file.
    pub fn path_with_target(&self) -> Option<String> {
        match self {
            Request::Read { path, target, .. }
            | Request::ReplaceText { path, target, .. }
            | Request::ReplaceAllText { path, target, .. } => Some(path_within(path, target)),
            _ => None,
        }
    }

    /// The other file that it is about, where it has one.
    pub fn dest_path(&self) -> Option<&str> {
        match self {
            Request::MoveBeside { dest_path, .. } | Request::MoveToEdge { dest_path, .. } => {
                Some(dest_path)
            }
            _ => None,
        }
    }
}

/// What an operation comes to.
#[derive(Debug, Clone)]
pub struct Done {
    /// The operation's result, as the specification names its fields.
    pub result: Value,
    /// What is worth knowing about it.
    pub warnings: Vec<Warning>,
    /// What would change; empty for an operation that only reads.
    pub changes: ChangeSet,
    /// The files that it is about, as they are and as they would be.
    pub targets: Vec<Touched>,
}

/// Something about a result that is worth knowing.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// `SYNTAX_BROKEN`, `STRUCTURE_EMPTY` or `INDENTATION_INCONSISTENT`.
    pub kind: &'static str,
    /// What it says to people.
    pub message: String,
    /// What a program needs to react.
    pub details: Map<String, Value>,
}

/// Why an operation cannot be done; nothing was changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What went wrong.
    pub code: ErrorCode,
    /// What is wrong and what to do.
    pub message: String,
    /// What a program needs to react; `state` is always `FILE_UNCHANGED`.
    pub details: Map<String, Value>,
}

macro_rules! codes {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// What keeps an operation on structures from being done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names say it, spec/structure.md explains them")]
        pub enum ErrorCode {
            $($variant),*
        }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$variant),*];

            /// The name in results.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(ErrorCode::$variant => $name),*
                }
            }
        }
    };
}

codes! {
    TargetNotFound "TARGET_NOT_FOUND",
    TargetAmbiguous "TARGET_AMBIGUOUS",
    TextNotFound "TEXT_NOT_FOUND",
    TextAmbiguous "TEXT_AMBIGUOUS",
    TextEmpty "TEXT_EMPTY",
    CountMismatch "COUNT_MISMATCH",
    FileNotFound "FILE_NOT_FOUND",
    FileTooLarge "FILE_TOO_LARGE",
    FileChanged "FILE_CHANGED",
    ContentTooLarge "CONTENT_TOO_LARGE",
    EncodingError "ENCODING_ERROR",
    PermissionDenied "PERMISSION_DENIED",
    PathOutsideWorkspace "PATH_OUTSIDE_WORKSPACE",
    LanguageUnsupported "LANGUAGE_UNSUPPORTED",
    LanguageMismatch "LANGUAGE_MISMATCH",
    InvalidDestination "INVALID_DESTINATION",
    ParserFailed "PARSER_FAILED",
}

impl Failure {
    /// A failure with the details that all have.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Failure {
        let mut details = Map::new();
        details.insert("state".to_owned(), "FILE_UNCHANGED".into());
        Failure { code, message: message.into(), details }
    }

    /// The failure with one more detail.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Failure {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// As results show it: `{"error","message","details"}`.
    pub fn to_json(&self) -> Value {
        serde_json::json!({
            "error": self.code.as_str(),
            "message": self.message,
            "details": self.details,
        })
    }
}

impl Warning {
    /// As results show it: `{"type","message","details"}`.
    pub fn to_json(&self) -> Value {
        serde_json::json!({"type": self.kind, "message": self.message, "details": self.details})
    }
}
