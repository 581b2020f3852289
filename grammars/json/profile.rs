//! JSON.

use crate::Language;

/// JSON.
pub const JSON: Language = Language {
    name: "json",
    title: "JSON",
    extensions: &["json", "jsonc"],
    language_ids: &["jsonc"],
    grammar: || tree_sitter_json::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
