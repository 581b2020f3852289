//! CSS.

use crate::Language;

/// CSS.
pub const CSS: Language = Language {
    name: "css",
    title: "CSS",
    extensions: &["css"],
    grammar: || tree_sitter_css::LANGUAGE,
    items: include_str!("items.scm"),
    comments: &["comment"],
    header_ends: &[":"],
    indent_unit: "  ",
    // A browser leaves out the rule that comes next with it.
    excluded: &[("stylesheet", &["declaration"])],
    prologue: &["charset_statement", "import_statement"],
    ..Language::PLAIN
};
