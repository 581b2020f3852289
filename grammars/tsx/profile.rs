//! TSX.

use crate::Language;

/// TSX.
pub const TSX: Language = Language {
    name: "tsx",
    title: "TSX",
    extensions: &["tsx"],
    language_ids: &["typescriptreact"],
    grammar: || tree_sitter_typescript::LANGUAGE_TSX,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
