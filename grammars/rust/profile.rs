//! Rust.

use crate::Language;

/// Rust.
pub const RUST: Language = Language {
    name: "rust",
    title: "Rust",
    extensions: &["rs"],
    language_ids: &["rs"],
    interpreters: &["rust-script", "run-cargo-script"],
    grammar: || tree_sitter_rust::LANGUAGE,
    items: include_str!("items.scm"),
    opaque: &[
        "use_declaration",
        "let_declaration",
        "expression_statement",
        "token_tree",
        "parameters",
        "type_arguments",
        "where_clause",
    ],
    openers: &["{", "|", "#[", "//", "/*"],
    comments: &["line_comment", "block_comment"],
    line_comment: Some("//"),
    inner_comments: &["//!", "/*!"],
    attributes: &["attribute_item"],
    decorations: &["attribute_item"],
    modifiers: &[
        "pub", "crate", "default", "const", "static", "async", "unsafe", "extern", "mut", "move",
    ],
    header_ends: &["=", ";", ","],
    verbatim: &["string_literal", "raw_string_literal"],
    separated: &[
        ("field_declaration_list", ","),
        ("enum_variant_list", ","),
        ("match_block", ","),
        ("macro_definition", ";"),
        ("arguments", ","),
        ("array_expression", ","),
        ("tuple_expression", ","),
        ("field_initializer_list", ","),
    ],
    tight: &["field_declaration", "enum_variant", "match_arm", "macro_rule"],
    prologue: &["shebang", "inner_attribute_item"],
    excluded: &[
        ("source_file", STATEMENTS),
        ("mod_item", STATEMENTS),
        ("impl_item", ITEMS),
        ("trait_item", ITEMS),
    ],
    values: &["return_expression", "break_expression"],
    ..Language::PLAIN
};

/// What is only in functions.
const STATEMENTS: &[&str] =
    &["if_expression", "for_expression", "loop_expression", "match_expression", "while_expression"];

/// What is not a member of anything.
const ITEMS: &[&str] =
    &["struct_item", "enum_item", "union_item", "trait_item", "impl_item", "mod_item"];
