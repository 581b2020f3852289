//! Why an operation on structures cannot be done: one code for each reason, with the problem that
//! a block's plan has for it.

use serde_json::{Map, Value};

use crate::problem::*;
use crate::snapshot::Denied;
use crate::spec::FieldRole;

macro_rules! codes {
    ($($variant:ident $name:literal $problem:ident $field:ident),* $(,)?) => {
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

            /// The problem of a block that fails so, and the role of its field at fault.
            pub fn problem(self) -> (Code, FieldRole) {
                match self {
                    $(ErrorCode::$variant => ($problem, FieldRole::$field)),*
                }
            }
        }
    };
}

codes! {
    TargetNotFound "TARGET_NOT_FOUND" STRUCTURE_TARGET_NOT_FOUND Target,
    TargetAmbiguous "TARGET_AMBIGUOUS" STRUCTURE_TARGET_AMBIGUOUS Target,
    TextNotFound "TEXT_NOT_FOUND" PLAN_TEXT_NOT_FOUND OldText,
    TextAmbiguous "TEXT_AMBIGUOUS" PLAN_TEXT_AMBIGUOUS OldText,
    TextEmpty "TEXT_EMPTY" STRUCTURE_TEXT_EMPTY OldText,
    CountMismatch "COUNT_MISMATCH" PLAN_COUNT_MISMATCH ExpectedCount,
    FileNotFound "FILE_NOT_FOUND" PLAN_FILE_NOT_FOUND Path,
    FileTooLarge "FILE_TOO_LARGE" PLAN_FILE_TOO_LARGE Path,
    FileChanged "FILE_CHANGED" PLAN_STALE BaseFingerprint,
    ContentTooLarge "CONTENT_TOO_LARGE" PLAN_CONTENT_TOO_LARGE Content,
    EncodingError "ENCODING_ERROR" PLAN_NOT_UTF8 Path,
    PermissionDenied "PERMISSION_DENIED" PLAN_PERMISSION_DENIED Path,
    PathOutsideWorkspace "PATH_OUTSIDE_WORKSPACE" PLAN_OUTSIDE_WORKSPACE Path,
    LanguageUnsupported "LANGUAGE_UNSUPPORTED" STRUCTURE_LANGUAGE_UNSUPPORTED Path,
    LanguageMismatch "LANGUAGE_MISMATCH" STRUCTURE_LANGUAGE_MISMATCH DestPath,
    InvalidDestination "INVALID_DESTINATION" STRUCTURE_INVALID_DESTINATION DestTarget,
    ParserFailed "PARSER_FAILED" STRUCTURE_PARSER_FAILED Path,
}

impl ErrorCode {
    /// The code whose problem has this name, `plan/stale`.
    pub fn of_problem(name: &str) -> Option<ErrorCode> {
        ErrorCode::ALL.iter().copied().find(|code| code.problem().0.as_str() == name)
    }

    /// The code for what the workspace does not give. Several reasons of a plan are one here.
    pub fn of_denied(why: &Denied) -> ErrorCode {
        let problem = match why.code() {
            PLAN_NOT_A_FILE | PLAN_NOT_A_DIRECTORY => PLAN_FILE_NOT_FOUND,
            PLAN_NO_WORKSPACE => PLAN_OUTSIDE_WORKSPACE,
            problem => problem,
        };
        ErrorCode::of_problem(problem.as_str()).unwrap_or(ErrorCode::PermissionDenied)
    }
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

impl Failure {
    /// A failure with the details that all have.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Failure {
        let mut details = Map::new();
        details.insert("state".to_owned(), "FILE_UNCHANGED".into());
        Failure { code, message: message.into(), details }
    }

    /// The failure where the workspace does not let an operation use a path; `operation` is
    /// `read` or `write`.
    pub fn denied(path: &str, why: &Denied, operation: &str) -> Failure {
        let failure = Failure::new(ErrorCode::of_denied(why), format!("`{path}`: {why}"));
        match (why, failure.code) {
            (Denied::TooLarge { size, limit }, _) => {
                failure.detail("file_size", *size).detail("limit", *limit)
            }
            (_, ErrorCode::PermissionDenied) => failure.detail("operation", operation),
            _ => failure,
        }
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
