//! The parameters of the methods and commands that the protocol lacks.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{TextDocumentIdentifier, Uri};

/// A document.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentParams {
    /// The document.
    pub text_document: TextDocumentIdentifier,
}

/// A block of a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockParams {
    /// The document.
    pub text_document: TextDocumentIdentifier,
    /// The block's 0-based index.
    pub block: usize,
}

/// A block whose change is shown.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PreviewParams {
    /// The block.
    #[serde(flatten)]
    pub block: BlockParams,
    /// The 0-based numbers of the hunks that are taken; all where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<BTreeSet<usize>>,
    /// The version of the document that the numbers are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
    /// Stands for the block and its targets that the numbers are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// A document or file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FingerprintParams {
    /// The document or file.
    pub uri: Uri,
}

/// The argument of a command, and the `data` of an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockArgument {
    /// The transcript.
    pub uri: Uri,
    /// The block's 0-based index; none for the whole transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    /// The version that it was made for; none where any will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
    /// The digest of the block and its targets as they were; none where any will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}
