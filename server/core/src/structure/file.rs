//! A file that an operation is about: found, read, parsed.

use std::sync::Arc;

use super::{ErrorCode, Failure};
use crate::edit::Target as Touched;
use crate::limits::Limits;
use crate::outline::Parsed;
use crate::path::{FilePath, State};
use crate::snapshot::{Denied, Snapshot};
use crate::syntax::{LANGUAGES, Unparsed};

/// A file that an operation is about.
pub(super) struct File {
    /// Where it is.
    pub path: FilePath,
    /// What it holds, with its structures.
    pub parsed: Arc<Parsed>,
}

impl File {
    /// Finds, reads and parses a file.
    pub(super) fn open(
        path: &str,
        snapshot: &dyn Snapshot,
        limits: &Limits,
    ) -> Result<File, Failure> {
        let resolved = snapshot.resolve(path).map_err(|why| Failure::denied(path, &why, "read"))?;
        let content =
            snapshot.read(&resolved).map_err(|why| Failure::denied(path, &why, "read"))?;
        if content.len() > limits.file_bytes {
            let (size, limit) = (content.len() as u64, limits.file_bytes);
            return Err(Failure::denied(path, &Denied::TooLarge { size, limit }, "read"));
        }
        let first_line = content.text.lines().next().unwrap_or_default();
        let language = operator_grammars::of_file(&resolved.path, first_line);
        let language = language.ok_or_else(|| unsupported(path))?;
        let parsed = snapshot.parsed(&resolved, language, content);
        let parsed = parsed.map_err(|why| unparsed(path, why))?;
        Ok(File { path: resolved, parsed })
    }

    /// The file as something that is only looked at.
    pub(super) fn touched(&self) -> Touched {
        let state = State::File(self.parsed.content.fingerprint());
        Touched { path: self.path.clone(), before: state, after: state }
    }
}

/// The failure where no language is known for a path.
pub(super) fn unsupported(path: &str) -> Failure {
    let supported: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
    let message = format!("no grammar is known for `{path}`");
    let failure = Failure::new(ErrorCode::LanguageUnsupported, message);
    failure.detail("file", path).detail("supported", supported)
}

/// The failure where a file is too much for its parser.
pub(super) fn unparsed(path: &str, why: Unparsed) -> Failure {
    Failure::new(ErrorCode::ParserFailed, format!("`{path}`: {why}"))
        .detail("parse_errors", serde_json::json!([]))
}
