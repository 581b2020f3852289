//! Java.

use crate::Language;

/// Java.
pub const JAVA: Language = Language {
    name: "java",
    title: "Java",
    extensions: &["java"],
    interpreters: &["java"],
    grammar: || tree_sitter_java::LANGUAGE,
    items: include_str!("items.scm"),
    opaque: &[
        "expression_statement",
        "return_statement",
        "throw_statement",
        "local_variable_declaration",
        "field_declaration",
        "import_declaration",
        "package_declaration",
        "formal_parameters",
    ],
    openers: &["{", "->", "@", "/*", "//"],
    wrappers: &["field_declaration", "constant_declaration", "labeled_statement"],
    comments: &["line_comment", "block_comment"],
    line_comment: Some("//"),
    decorations: &["annotation", "marker_annotation"],
    modifiers: &[
        "public",
        "protected",
        "private",
        "abstract",
        "static",
        "final",
        "sealed",
        "non-sealed",
        "default",
        "native",
        "synchronized",
        "transient",
        "volatile",
        "strictfp",
        "open",
    ],
    header_ends: &["=", ";", ","],
    verbatim: &["string_literal"],
    separated: &[
        ("enum_body", ","),
        ("array_initializer", ","),
        ("argument_list", ","),
        ("formal_parameters", ","),
        ("field_declaration", ","),
        ("constant_declaration", ","),
    ],
    tight: &["switch_rule", "switch_block_statement_group"],
    prologue: &["package_declaration", "import_declaration"],
    empty_body: Some("{}"),
    ..Language::PLAIN
};
