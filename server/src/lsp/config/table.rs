//! Every setting: its key, what its value may be, its default and a line of help.

use operator_core::limits::Limits;
use serde_json::json;

use super::settings::Fallback::{Environment, Value};
use super::settings::{Kind, Setting, dialects, setting};
use super::{Confirm, Trace};
use crate::edit_ops::profile;
use crate::workspace::WorkspaceOptions;

const TRANSCRIPTS: &[&str] = &[
    "operator",
    "sham",
    "markdown",
    "plaintext",
    "text",
    "json",
    "jsonc",
    "*.operator",
    "*.sham",
    "*.nesl",
];

/// Every setting, in the order of `spec/lsp-extensions.md`.
pub const SETTINGS: &[Setting] = &[
    setting(
        "transcripts",
        Kind::Texts,
        Value(|| json!(TRANSCRIPTS)),
        "Language ids and file patterns of the documents that are searched for blocks.",
    ),
    setting(
        "dialects",
        Kind::Dialects,
        Value(|| json!(dialects())),
        "The block languages to look for.",
    ),
    setting(
        "confirm",
        Kind::OneOf(Confirm::NAMES),
        Value(|| json!(Confirm::default())),
        "Which changes the editor asks about before they are made.",
    ),
    setting(
        "allowedRoots",
        Kind::Texts,
        Value(|| json!([])),
        "More folders that absolute paths may lead to.",
    ),
    setting(
        "protectedPaths",
        Kind::Texts,
        Value(|| json!(WorkspaceOptions::default().protected)),
        "Patterns of paths that are neither read nor written.",
    ),
    setting(
        "trustedFiles",
        Kind::Texts,
        Value(|| json!([])),
        "More patterns of files whose change needs a look of its own, as they make the machine run code.",
    ),
    setting(
        "limits.fileBytes",
        Kind::Count,
        Value(|| json!(Limits::default().file_bytes)),
        "The largest file that is read or written, in bytes.",
    ),
    setting(
        "limits.contentBytes",
        Kind::Count,
        Value(|| json!(Limits::default().content_bytes)),
        "The largest payload after decoding, in bytes.",
    ),
    setting(
        "limits.blockBytes",
        Kind::Count,
        Value(|| json!(Limits::default().block_bytes)),
        "The largest block, in bytes.",
    ),
    setting(
        "limits.blocks",
        Kind::Count,
        Value(|| json!(Limits::default().blocks)),
        "How many blocks of a transcript are looked at.",
    ),
    setting(
        "limits.transcriptBytes",
        Kind::Count,
        Value(|| json!(Limits::default().transcript_bytes)),
        "The largest transcript, in bytes.",
    ),
    setting(
        "limits.sliceLines",
        Kind::Count,
        Value(|| json!(Limits::default().slice_lines)),
        "How many lines fs.readSlice gives at most.",
    ),
    setting(
        "limits.matchesPerFile",
        Kind::Count,
        Value(|| json!(Limits::default().matches_per_file)),
        "How many matches a search gives for one file.",
    ),
    setting(
        "limits.matchesPerTree",
        Kind::Count,
        Value(|| json!(Limits::default().matches_per_tree)),
        "How many matches a search gives for a whole tree.",
    ),
    setting(
        "limits.filesPerCommand",
        Kind::Count,
        Value(|| json!(Limits::default().files_per_command)),
        "How many files one command may touch or search.",
    ),
    setting(
        "limits.workBytes",
        Kind::Count,
        Value(|| json!(Limits::default().work_bytes)),
        "What the edits of one command may search and copy in all, in bytes.",
    ),
    setting(
        "exec.enable",
        Kind::Switch,
        Value(|| json!(false)),
        "Whether commands that run programs may be run.",
    ),
    setting(
        "exec.environment",
        Kind::Texts,
        Value(|| json!([])),
        "Names of environment variables that programs get though they look like secrets.",
    ),
    setting(
        "git.commit",
        Kind::Switch,
        Value(|| json!(false)),
        "Whether an apply is committed to git.",
    ),
    setting(
        "git.hooks",
        Kind::Switch,
        Value(|| json!(false)),
        "Whether git's hooks and filters may run programs when an apply is committed.",
    ),
    setting(
        "virtualFiles",
        Kind::TextByName,
        Value(|| json!({})),
        "Workspace paths of the virtual files of edit-ops, by id.",
    ),
    setting(
        "llmChatOps.enabled",
        Kind::Switch,
        Environment(|| json!(false)),
        "Whether edit-ops requests are answered by a language model.",
    ),
    setting(
        "llmChatOps.baseUrl",
        Kind::Text,
        Environment(|| json!("")),
        "The OpenAI-compatible endpoint.",
    ),
    setting(
        "llmChatOps.apiKey",
        Kind::Text,
        Environment(|| json!("")),
        "The key for the endpoint.",
    ),
    setting("llmChatOps.model", Kind::Text, Environment(|| json!("")), "The model's name."),
    setting(
        "llmChatOps.maxTokens",
        Kind::Count,
        Environment(|| json!(profile::MAX_TOKENS)),
        "How many tokens the model may answer with.",
    ),
    setting(
        "llmChatOps.temperature",
        Kind::Number,
        Environment(|| json!(profile::TEMPERATURE)),
        "How much the model's answers vary.",
    ),
    setting(
        "llmChatOps.timeoutSeconds",
        Kind::Number,
        Environment(|| json!(profile::TIMEOUT_SECONDS)),
        "How long to wait for the model.",
    ),
    setting(
        "llmChatOps.contextBudgetTokens",
        Kind::Count,
        Environment(|| json!(profile::BUDGET)),
        "How many tokens a request may hold.",
    ),
    setting(
        "llmChatOps.evalMode",
        Kind::Switch,
        Environment(|| json!(false)),
        "Whether answers carry metadata for evaluation.",
    ),
    setting(
        "trace",
        Kind::OneOf(Trace::NAMES),
        Value(|| json!(Trace::default())),
        "How much is written to the log.",
    ),
];
