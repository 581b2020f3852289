//! A proposal as it is written down: the types that the schema is generated from.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;
use crate::snapshot::FileId;

/// What a model proposes, and what a request is answered with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// Whether requests are answered at all.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// What the person is told.
    #[serde(default)]
    pub assistant_message: String,
    /// The changes, each against the base text and none against another's result.
    pub ops: Vec<Op>,
    /// What the files were when the proposal was made.
    #[serde(default)]
    #[schemars(schema_with = "fingerprints")]
    pub base_fingerprints: BTreeMap<FileId, Fingerprint>,
    /// How the answer came about, in eval mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "eval")]
    pub eval: Option<Eval>,
}

/// One change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
#[schemars(inline)]
pub enum Op {
    /// Puts text where the cursor is.
    Insert {
        /// The file.
        target_file: FileId,
        /// Where.
        target: AtCursor,
        /// The text, which is not empty.
        #[schemars(length(min = 1))]
        content: String,
    },
    /// Puts text in the place of other text.
    Replace {
        /// The file.
        target_file: FileId,
        /// What is replaced.
        target: Extent,
        /// The text, which is not empty.
        #[schemars(length(min = 1))]
        content: String,
    },
    /// Takes text away; a file that loses all of it stays, empty.
    Delete {
        /// The file.
        target_file: FileId,
        /// What is deleted.
        target: Extent,
    },
}

/// Where text is inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[schemars(inline)]
pub enum AtCursor {
    /// At the cursor of the request.
    Cursor,
}

/// What is replaced or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[schemars(inline)]
pub enum Extent {
    /// The whole file.
    Document,
    /// The selection of the request.
    Selection,
}

/// Where in its file an op takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// All of it.
    Document,
    /// The request's selection.
    Selection,
    /// The request's cursor.
    Cursor,
}

impl Op {
    /// The file.
    pub fn file(&self) -> FileId {
        match self {
            Op::Insert { target_file, .. }
            | Op::Replace { target_file, .. }
            | Op::Delete { target_file, .. } => *target_file,
        }
    }

    /// Where in the file.
    pub fn place(&self) -> Place {
        match self {
            Op::Insert { .. } => Place::Cursor,
            Op::Replace { target, .. } | Op::Delete { target, .. } => match target {
                Extent::Document => Place::Document,
                Extent::Selection => Place::Selection,
            },
        }
    }

    /// What is there afterwards.
    pub fn content(&self) -> &str {
        match self {
            Op::Insert { content, .. } | Op::Replace { content, .. } => content,
            Op::Delete { .. } => "",
        }
    }

    /// The name of what is done.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Insert { .. } => "insert",
            Op::Replace { .. } => "replace",
            Op::Delete { .. } => "delete",
        }
    }
}

/// How an answer came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Eval {
    /// The prompt's template.
    pub template_id: String,
    /// The outcome of the request.
    pub outcome: Outcome,
}

/// The outcome of a request to a model.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Outcome {
    /// A proposal.
    Ok,
    /// Requests are not answered here.
    Disabled,
    /// The request is larger than the budget; the model was not asked.
    OverBudget,
    /// The model stopped in the middle.
    Truncated,
    /// What the model said is not a proposal that fits the request.
    InvalidResponse,
    /// The model could not be reached, or did not answer.
    ProviderError,
    /// The model took too long.
    Timeout,
    /// Nobody waits for the answer any more.
    Cancelled,
}

impl Proposal {
    /// The files that its ops touch, in the order of the first op on each; none where it is
    /// disabled.
    pub fn files(&self) -> Vec<FileId> {
        let mut files = Vec::new();
        for op in self.ops.iter().filter(|_| self.enabled) {
            if !files.contains(&op.file()) {
                files.push(op.file());
            }
        }
        files
    }

    /// The index of the first op on a file.
    pub fn first_op(&self, file: FileId) -> Option<usize> {
        self.ops.iter().position(|op| op.file() == file)
    }

    /// Whether an op is about the whole of a file.
    pub fn overwrites(&self, file: FileId) -> bool {
        self.ops.iter().any(|op| op.file() == file && op.place() == Place::Document)
    }

    /// Tells one answer of a model from another: by its ops and the files that it was made for.
    pub fn digest(&self) -> String {
        // Types that were read from JSON, with text for keys, can be written as JSON.
        let text = serde_json::to_vec(&(&self.ops, &self.base_fingerprints)).unwrap_or_default();
        Fingerprint::of(&text).to_string()
    }
}

impl JsonSchema for Fingerprint {
    fn schema_name() -> Cow<'static, str> {
        "Fingerprint".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"})
    }

    fn inline_schema() -> bool {
        true
    }
}

/// The JSON Schema of a proposal, as `spec/edit-ops.schema.json` has it.
pub fn schema() -> Schema {
    let mut schema = schemars::schema_for!(Proposal);
    schema.insert("title".to_owned(), "An edit-ops proposal".into());
    schema
}

fn yes() -> bool {
    true
}

/// Names are ids: with a map alone the schema would admit any.
fn fingerprints(generator: &mut SchemaGenerator) -> Schema {
    let one = generator.subschema_for::<Fingerprint>();
    let properties: serde_json::Map<_, _> =
        FileId::ALL.iter().map(|file| (file.as_str().to_owned(), one.clone().to_value())).collect();
    json_schema!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// It may be missing, and is not `null`.
fn eval(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Eval>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_as_they_are_named() {
        for file in FileId::ALL {
            assert_eq!(serde_json::to_value(file).unwrap(), file.as_str());
            assert_eq!(FileId::of(file.as_str()), Some(file));
        }
    }

    #[test]
    fn the_digest_is_of_the_meaning() {
        let digest = |text: &str| serde_json::from_str::<Proposal>(text).unwrap().digest();
        let plain = digest(r#"{"ops":[],"assistant_message":"a"}"#);
        assert_eq!(plain, digest(r#"{ "enabled": true, "ops": [ ], "base_fingerprints": {} }"#));
        let insert =
            r#"{"op":"insert","target_file":"tool.py","target":{"kind":"cursor"},"content":"x"}"#;
        assert_ne!(plain, digest(&format!(r#"{{"ops":[{insert}]}}"#)));
    }
}
