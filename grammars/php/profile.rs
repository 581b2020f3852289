//! PHP.

use crate::Language;

/// PHP.
pub const PHP: Language = Language {
    name: "php",
    title: "PHP",
    extensions: &["php"],
    interpreters: &["php"],
    grammar: || tree_sitter_php::LANGUAGE_PHP,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
