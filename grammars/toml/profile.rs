//! TOML.

use crate::Language;

/// TOML.
pub const TOML: Language = Language {
    name: "toml",
    title: "TOML",
    extensions: &["toml"],
    file_names: &["Cargo.lock"],
    grammar: || tree_sitter_toml_ng::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
