//! Markdown.

use crate::{Blocks, Language};

/// Markdown.
pub const MARKDOWN: Language = Language {
    name: "markdown",
    title: "Markdown",
    extensions: &["md", "markdown", "mdown"],
    grammar: || tree_sitter_md::LANGUAGE,
    blocks: Blocks::CommonMark,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
