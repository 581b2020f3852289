//! Bash.

use crate::Language;

/// Bash.
pub const BASH: Language = Language {
    name: "bash",
    title: "Bash",
    extensions: &["sh", "bash"],
    file_names: &[".bashrc", ".profile"],
    interpreters: &["bash", "sh", "dash"],
    language_ids: &["shellscript"],
    grammar: || tree_sitter_bash::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
