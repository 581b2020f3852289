//! The parameters of `operator/structure`: an operation by its name, and what it takes.

use operator_core::fingerprint::Fingerprint;
use operator_core::structure::{Request, Side};
use serde::{Deserialize, Serialize};

use super::Asked;

/// An operation by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "spec/structure.md says what each is")]
pub enum Params {
    Outline {
        path: String,
    },
    ReadStructure {
        path: String,
        target: String,
    },
    ReplaceStructure {
        path: String,
        target: String,
        content: String,
        base_fingerprint: Option<Fingerprint>,
    },
    DeleteStructure {
        path: String,
        target: String,
        base_fingerprint: Option<Fingerprint>,
    },
    ReplaceTextInStructure {
        path: String,
        target: String,
        old_text: String,
        new_text: String,
        base_fingerprint: Option<Fingerprint>,
    },
    ReplaceAllTextInStructure {
        path: String,
        target: String,
        old_text: String,
        new_text: String,
        expected_count: Option<usize>,
        base_fingerprint: Option<Fingerprint>,
    },
    InsertBeforeStructure {
        path: String,
        target: String,
        content: String,
        base_fingerprint: Option<Fingerprint>,
    },
    InsertAfterStructure {
        path: String,
        target: String,
        content: String,
        base_fingerprint: Option<Fingerprint>,
    },
    MoveStructureToBefore {
        #[serde(alias = "path")]
        source_path: String,
        #[serde(alias = "target")]
        source_target: String,
        dest_path: String,
        dest_target: String,
        base_fingerprint: Option<Fingerprint>,
    },
    MoveStructureToAfter {
        #[serde(alias = "path")]
        source_path: String,
        #[serde(alias = "target")]
        source_target: String,
        dest_path: String,
        dest_target: String,
        base_fingerprint: Option<Fingerprint>,
    },
    MoveStructureToFileStart {
        #[serde(alias = "path")]
        source_path: String,
        #[serde(alias = "target")]
        source_target: String,
        dest_path: String,
        base_fingerprint: Option<Fingerprint>,
    },
    MoveStructureToFileEnd {
        #[serde(alias = "path")]
        source_path: String,
        #[serde(alias = "target")]
        source_target: String,
        dest_path: String,
        base_fingerprint: Option<Fingerprint>,
    },
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The structures of a file.
    Outline(String),
    /// Something with one of them.
    Operation(Asked),
}

impl Params {
    /// What is to be done, without the names of the protocol.
    pub fn wanted(self) -> Wanted {
        use Side::{After, Before};
        let (request, base) = match self {
            Params::Outline { path } => return Wanted::Outline(path),
            Params::ReadStructure { path, target } => {
                (Request::Read { path, target, all: true }, None)
            }
            Params::ReplaceStructure { path, target, content, base_fingerprint } => {
                (Request::Replace { path, target, content }, base_fingerprint)
            }
            Params::DeleteStructure { path, target, base_fingerprint } => {
                (Request::Delete { path, target }, base_fingerprint)
            }
            Params::ReplaceTextInStructure {
                path,
                target,
                old_text: old,
                new_text: new,
                base_fingerprint,
            } => (Request::ReplaceText { path, target, old, new }, base_fingerprint),
            Params::ReplaceAllTextInStructure {
                path,
                target,
                old_text: old,
                new_text: new,
                expected_count: expected,
                base_fingerprint,
            } => (Request::ReplaceAllText { path, target, old, new, expected }, base_fingerprint),
            Params::InsertBeforeStructure { path, target, content, base_fingerprint } => {
                (Request::Insert { path, target, content, side: Before }, base_fingerprint)
            }
            Params::InsertAfterStructure { path, target, content, base_fingerprint } => {
                (Request::Insert { path, target, content, side: After }, base_fingerprint)
            }
            Params::MoveStructureToBefore {
                source_path: path,
                source_target: target,
                dest_path,
                dest_target,
                base_fingerprint,
            } => {
                let side = Before;
                let request = Request::MoveBeside { path, target, dest_path, dest_target, side };
                (request, base_fingerprint)
            }
            Params::MoveStructureToAfter {
                source_path: path,
                source_target: target,
                dest_path,
                dest_target,
                base_fingerprint,
            } => {
                let side = After;
                let request = Request::MoveBeside { path, target, dest_path, dest_target, side };
                (request, base_fingerprint)
            }
            Params::MoveStructureToFileStart {
                source_path: path,
                source_target: target,
                dest_path,
                base_fingerprint,
            } => (Request::MoveToEdge { path, target, dest_path, side: Before }, base_fingerprint),
            Params::MoveStructureToFileEnd {
                source_path: path,
                source_target: target,
                dest_path,
                base_fingerprint,
            } => (Request::MoveToEdge { path, target, dest_path, side: After }, base_fingerprint),
        };
        Wanted::Operation(Asked { request, base })
    }
}

impl Wanted {
    /// The file that it is about, as the caller writes it.
    pub fn path(&self) -> &str {
        match self {
            Wanted::Outline(path) => path,
            Wanted::Operation(asked) => asked.request.path(),
        }
    }
}
