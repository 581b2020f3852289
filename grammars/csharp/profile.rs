//! C#.

use crate::Language;

/// C#.
pub const CSHARP: Language = Language {
    name: "csharp",
    title: "C#",
    extensions: &["cs"],
    grammar: || tree_sitter_c_sharp::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
