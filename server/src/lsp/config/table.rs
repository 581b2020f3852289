//! Every setting: its key, what its value may be, its default and a line of help.

use operator_core::dialect::{ALL, Rules};
use operator_core::limits::Limits;
use serde_json::json;

use super::settings::Fallback::{Environment, Value};
use super::settings::{Kind, Setting, dialects, setting};
use super::{Confirm, Trace, USUAL};
use crate::edit_ops::profile;
use crate::workspace::{History, WorkspaceOptions};

/// What editors save after an apply; the server saves nothing.
const SAVE_AFTER_APPLY: &[(&str, &str)] = &[
    ("ifClean", "Those that had no unsaved changes before."),
    ("always", "All of them."),
    ("never", "None: they are left open and unsaved."),
];

/// The names of files that are chats.
const CHATS: [&str; 3] = ["*chat*.md", "*transcript*.md", "*.chat"];

/// The documents that are searched for blocks: those of the dialects, and the usual texts.
pub(super) fn transcripts() -> Vec<&'static str> {
    let own = |of: fn(&Rules) -> &'static [&'static str]| {
        ALL.iter().flat_map(move |dialect| of(dialect.rules()).iter().copied())
    };
    let languages = own(|rules| rules.languages).chain(USUAL);
    languages.chain(own(|rules| rules.files)).chain(CHATS).collect()
}

/// Every setting, in the order of `spec/lsp-extensions.md`.
pub const SETTINGS: &[Setting] = &[
    setting(
        "transcripts",
        Kind::Texts,
        Value(|| json!(transcripts())),
        "Language ids and file patterns of the documents that are searched for blocks; what a \
         pattern names is a chat.",
    ),
    setting("dialects", Kind::Dialects, Value(|| json!(dialects())), "The dialects to search for."),
    setting(
        "confirm",
        Kind::OneOf(Confirm::VALUES),
        Value(|| json!(Confirm::default())),
        "Which changes need confirmation.",
    ),
    setting(
        "saveAfterApply",
        Kind::OneOf(SAVE_AFTER_APPLY),
        Value(|| json!("ifClean")),
        "Which of the files that were changed the editor saves after an apply.",
    ),
    setting(
        "copyReplyAfterApply",
        Kind::Switch,
        Value(|| json!(false)),
        "Whether the editor copies the reply to the model after an apply that leaves no block to decide on.",
    ),
    setting(
        "allowedRoots",
        Kind::Texts,
        Value(|| json!([])),
        "Additional folders that blocks may read and write.",
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
        "The maximum number of blocks per transcript.",
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
        "The maximum number of lines that fs.readSlice returns.",
    ),
    setting(
        "limits.matchesPerFile",
        Kind::Count,
        Value(|| json!(Limits::default().matches_per_file)),
        "The maximum number of matches that a search returns for one file.",
    ),
    setting(
        "limits.matchesPerTree",
        Kind::Count,
        Value(|| json!(Limits::default().matches_per_tree)),
        "The maximum number of matches that a search returns for a directory.",
    ),
    setting(
        "limits.filesPerCommand",
        Kind::Count,
        Value(|| json!(Limits::default().files_per_command)),
        "The maximum number of files that one command may change or search.",
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
        "Allow blocks to run programs. Each run is confirmed.",
    ),
    setting(
        "exec.environment",
        Kind::Texts,
        Value(|| json!([])),
        "Names of environment variables that programs get though they look like secrets.",
    ),
    setting("git.commit", Kind::Switch, Value(|| json!(false)), "Commit every apply to git."),
    setting(
        "git.hooks",
        Kind::Switch,
        Value(|| json!(false)),
        "Whether git's hooks and filters may run programs when an apply is committed.",
    ),
    setting(
        "history.days",
        Kind::Count,
        Value(|| json!(History::default().days)),
        "For how many days an apply can be undone, but for the last one of each file.",
    ),
    setting(
        "history.bytes",
        Kind::Count,
        Value(|| json!(History::default().bytes)),
        "How many bytes are kept of what was in files before they were changed.",
    ),
    setting(
        "history.operations",
        Kind::Count,
        Value(|| json!(History::default().operations)),
        "How many applies can be undone.",
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
        "The maximum number of tokens of an answer.",
    ),
    setting(
        "llmChatOps.temperature",
        Kind::Number,
        Environment(|| json!(profile::TEMPERATURE)),
        "The sampling temperature.",
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
        "The maximum number of tokens of a request.",
    ),
    setting(
        "llmChatOps.evalMode",
        Kind::Switch,
        Environment(|| json!(false)),
        "Whether answers carry metadata for evaluation.",
    ),
    setting(
        "trace",
        Kind::OneOf(Trace::VALUES),
        Value(|| json!(Trace::default())),
        "How much is written to the log.",
    ),
];
