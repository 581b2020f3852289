//! Go.

use crate::{Apart, Language};

/// Go.
pub const GO: Language = Language {
    name: "go",
    title: "Go",
    extensions: &["go"],
    language_ids: &["golang"],
    grammar: || tree_sitter_go::LANGUAGE,
    items: include_str!("items.scm"),
    opaque: &[
        "import_declaration",
        "expression_statement",
        "short_var_declaration",
        "assignment_statement",
        "return_statement",
        "parameter_list",
    ],
    openers: &["{", "//", "/*"],
    wrappers: &["type_declaration", "const_declaration", "var_declaration"],
    comments: &["comment"],
    line_comment: Some("//"),
    file_comments: &["go:build", "+build"],
    indent_unit: "\t",
    apart: &[Apart::Receiver],
    verbatim: &["raw_string_literal"],
    separated: &[
        ("argument_list", ","),
        ("literal_value", ","),
        ("parameter_list", ","),
        ("expression_list", ","),
    ],
    tight: &[
        "field_declaration",
        "method_elem",
        "type_elem",
        "const_spec",
        "var_spec",
        "expression_case",
        "type_case",
        "communication_case",
        "default_case",
    ],
    // Imports must come before all else that a file declares.
    prologue: &["package_clause", "import_declaration"],
    values: &["return_statement"],
    inherits: &[("const_spec", "value")],
    ..Language::PLAIN
};
