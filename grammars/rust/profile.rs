//! Rust.

use crate::Language;

/// Rust.
pub const RUST: Language = Language {
    name: "rust",
    title: "Rust",
    extensions: &["rs"],
    grammar: || tree_sitter_rust::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
