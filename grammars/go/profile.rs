//! Go.

use crate::Language;

/// Go.
pub const GO: Language = Language {
    name: "go",
    title: "Go",
    extensions: &["go"],
    language_ids: &["golang"],
    grammar: || tree_sitter_go::LANGUAGE,
    items: include_str!("items.scm"),
    comments: &["comment"],
    indent_unit: "\t",
    verbatim: &["raw_string_literal"],
    separated: &[
        ("argument_list", ","),
        ("literal_value", ","),
        ("parameter_list", ","),
        ("expression_list", ","),
    ],
    // Imports have to come before all else that a file declares.
    prologue: &["package_clause", "import_declaration"],
    ..Language::PLAIN
};
