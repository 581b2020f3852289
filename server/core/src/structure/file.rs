//! A file that an operation is about.

use std::sync::Arc;

use super::{ErrorCode, Failure};
use crate::edit::Target as Touched;
use crate::outline::Parsed;
use crate::path::{FilePath, State};
use crate::snapshot::Snapshot;
use crate::syntax::{LANGUAGES, Unparsed};
use crate::text::Content;

/// A file as it was read.
pub type Read = (FilePath, Content);

/// A file that an operation is about.
pub(super) struct File {
    /// Where it is.
    pub path: FilePath,
    /// What it holds, with its structures.
    pub parsed: Arc<Parsed>,
}

impl File {
    /// Parses a file that was read.
    pub(super) fn parse(
        path: &str,
        (resolved, content): Read,
        snapshot: &dyn Snapshot,
    ) -> Result<File, Failure> {
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
