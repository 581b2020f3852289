//! Virtual files: a fixed set that a request for edits is about, by their ids.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::Span;

/// One of the five virtual files.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(inline)]
pub enum FileId {
    /// The tool's code.
    #[serde(rename = "tool.py")]
    Tool,
    /// The name of the function that is called.
    #[serde(rename = "entrypoint.txt")]
    Entrypoint,
    /// The schema of the tool's settings.
    #[serde(rename = "settings_schema.json")]
    SettingsSchema,
    /// The schema of the tool's input.
    #[serde(rename = "input_schema.json")]
    InputSchema,
    /// What people are told of the tool.
    #[serde(rename = "usage_instructions.md")]
    UsageInstructions,
}

impl FileId {
    /// All of them, in the order that they are listed in.
    pub const ALL: [FileId; 5] = [
        FileId::Tool,
        FileId::Entrypoint,
        FileId::SettingsSchema,
        FileId::InputSchema,
        FileId::UsageInstructions,
    ];

    /// Their ids, in that order.
    pub const NAMES: &[&str] = &[
        FileId::Tool.as_str(),
        FileId::Entrypoint.as_str(),
        FileId::SettingsSchema.as_str(),
        FileId::InputSchema.as_str(),
        FileId::UsageInstructions.as_str(),
    ];

    /// The id as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            FileId::Tool => "tool.py",
            FileId::Entrypoint => "entrypoint.txt",
            FileId::SettingsSchema => "settings_schema.json",
            FileId::InputSchema => "input_schema.json",
            FileId::UsageInstructions => "usage_instructions.md",
        }
    }

    /// The file of that id.
    pub fn of(id: &str) -> Option<FileId> {
        FileId::ALL.into_iter().find(|file| file.as_str() == id)
    }
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where the person was in the request that a proposal answers; bytes of the base text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorContext {
    /// The file that was active.
    pub file: FileId,
    /// What was selected in it.
    pub selection: Option<Span>,
    /// Where the cursor was in it.
    pub cursor: Option<usize>,
}
