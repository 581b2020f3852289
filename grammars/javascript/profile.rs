//! JavaScript.

use crate::Language;

/// JavaScript.
pub const JAVASCRIPT: Language = Language {
    name: "javascript",
    title: "JavaScript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    interpreters: &["node"],
    language_ids: &["javascriptreact"],
    grammar: || tree_sitter_javascript::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
