//! PHP.

use crate::Language;

/// PHP.
pub const PHP: Language = Language {
    name: "php",
    title: "PHP",
    extensions: &["php", "phtml", "inc"],
    interpreters: &["php"],
    grammar: || tree_sitter_php::LANGUAGE_PHP,
    items: include_str!("items.scm"),
    opaque: &[
        "expression_statement",
        "return_statement",
        "echo_statement",
        "namespace_use_declaration",
        "formal_parameters",
        "heredoc",
        "string",
        "encapsed_string",
    ],
    openers: &["=>", "{", "#", "/*", "//"],
    wrappers: &["const_declaration", "property_declaration"],
    comments: &["comment"],
    line_comment: Some("//"),
    decorations: &["attribute_list"],
    modifiers: &[
        "abstract",
        "final",
        "readonly",
        "public",
        "protected",
        "private",
        "static",
        "var",
    ],
    name_quotes: &['"', '\''],
    header_ends: &["=", ";", ","],
    verbatim: &[
        "heredoc",
        "nowdoc",
        "string",
        "encapsed_string",
        "shell_command_expression",
        "text",
    ],
    verbatim_lines: &["text", "php_tag"],
    separated: &[
        ("array_creation_expression", ","),
        ("arguments", ","),
        ("formal_parameters", ","),
        ("match_block", ","),
        ("property_declaration", ","),
        ("const_declaration", ","),
    ],
    tight: &[
        "case_statement",
        "default_statement",
        "match_conditional_expression",
        "match_default_expression",
    ],
    prologue: &[
        "text",
        "php_tag",
        "declare_statement",
        "namespace_definition",
        "namespace_use_declaration",
    ],
    fragment_prefix: "<?php\n",
    values: &["return_statement"],
    empty_body: Some("compound_statement"),
    ..Language::PLAIN
};
