//! What the steps of a transaction do, as its record has them.

use std::sync::Arc;

use operator_core::fingerprint::Fingerprint;
use operator_core::path::FilePath;
use operator_core::text::Content;
use serde::{Deserialize, Deserializer, Serialize};

use crate::workspace::attributes::Attributes;

/// What one step does, and what there was before.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "step")]
pub(in crate::workspace) enum Step {
    /// A file is written; `before` is `None` where there was none.
    Write {
        #[serde(with = "FilePathDef")]
        path: FilePath,
        before: Option<Saved>,
        #[serde(deserialize_with = "fingerprint")]
        after: Fingerprint,
        temporary: String,
    },
    /// A directory is made.
    Directory {
        #[serde(with = "FilePathDef")]
        path: FilePath,
    },
    /// A file or directory is deleted, kept in the transaction's folder as `saved`.
    Remove {
        #[serde(with = "FilePathDef")]
        path: FilePath,
        saved: String,
        temporary: String,
    },
    /// A file, with its fingerprint or its size, or a directory gets another path.
    Rename {
        #[serde(with = "FilePathDef")]
        from: FilePath,
        #[serde(with = "FilePathDef")]
        to: FilePath,
        #[serde(deserialize_with = "maybe_fingerprint")]
        file: Option<Fingerprint>,
        /// The size of a file that is too large to have a fingerprint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<u64>,
    },
}

/// Where a file's old bytes are kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::workspace) struct Saved {
    pub(super) offset: u64,
    pub(super) length: u64,
    #[serde(deserialize_with = "fingerprint")]
    pub(super) fingerprint: Fingerprint,
    /// What the file had besides; older records lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) attributes: Option<Attributes>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FilePath")]
pub(super) struct FilePathDef {
    root: usize,
    path: Arc<str>,
}

impl Step {
    /// The place that the step is about: for a rename the one that it leads to.
    pub(super) fn path(&self) -> &FilePath {
        match self {
            Step::Write { path, .. } | Step::Directory { path } | Step::Remove { path, .. } => path,
            Step::Rename { to, .. } => to,
        }
    }

    /// Whether it names a place.
    pub(super) fn is_about(&self, place: &FilePath) -> bool {
        match self {
            Step::Rename { from, .. } if from == place => true,
            step => step.path() == place,
        }
    }

    /// The name of the file that undo writes or moves away, beside the one that the step itself
    /// has written.
    pub(super) fn undo_name(temporary: &str) -> String {
        format!("{temporary}-undo")
    }

    /// Every place that the step names.
    pub(super) fn paths_mut(&mut self) -> Vec<&mut FilePath> {
        match self {
            Step::Write { path, .. } | Step::Directory { path } | Step::Remove { path, .. } => {
                vec![path]
            }
            Step::Rename { from, to, .. } => vec![from, to],
        }
    }
}

impl Saved {
    /// A content that is yet to be kept.
    pub(in crate::workspace) fn of(content: &Content, attributes: Attributes) -> Saved {
        let (length, fingerprint) = (content.len() as u64, content.fingerprint());
        Saved { offset: 0, length, fingerprint, attributes: Some(attributes) }
    }

    /// A text that is yet to be kept, of a file of which nothing else is known.
    pub(super) fn of_text(content: &Content) -> Saved {
        let (length, fingerprint) = (content.len() as u64, content.fingerprint());
        Saved { offset: 0, length, fingerprint, attributes: None }
    }
}

fn fingerprint<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Fingerprint, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

fn maybe_fingerprint<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Fingerprint>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}
