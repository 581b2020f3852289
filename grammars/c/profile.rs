//! C.

use crate::Language;

/// C.
pub const C: Language = Language {
    name: "c",
    title: "C",
    extensions: &["c", "h"],
    grammar: || tree_sitter_c::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
