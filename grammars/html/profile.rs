//! HTML.

use crate::Language;

/// HTML.
pub const HTML: Language = Language {
    name: "html",
    title: "HTML",
    extensions: &["html", "htm"],
    grammar: || tree_sitter_html::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
