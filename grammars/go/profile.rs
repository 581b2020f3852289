//! Go.

use crate::Language;

/// Go.
pub const GO: Language = Language {
    name: "go",
    title: "Go",
    extensions: &["go"],
    grammar: || tree_sitter_go::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
