//! JavaScript.

use crate::{Apart, Language};

/// What the comments of a whole file begin with, in TypeScript, too.
pub(super) const FILE_COMMENTS: &[&str] = &[
    "@ts-check",
    "@ts-nocheck",
    "@flow",
    "@noflow",
    "@jsx",
    "@jsxRuntime",
    "@jsxImportSource",
    "eslint-disable",
    "eslint-env",
];

/// JavaScript.
pub const JAVASCRIPT: Language = Language {
    name: "javascript",
    title: "JavaScript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    interpreters: &["node"],
    language_ids: &["javascriptreact"],
    grammar: || tree_sitter_javascript::LANGUAGE,
    items: concat!(include_str!("shared.scm"), include_str!("items.scm")),
    opaque: &[
        "expression_statement",
        "return_statement",
        "throw_statement",
        "import_statement",
        "lexical_declaration",
        "variable_declaration",
        "formal_parameters",
        "string",
    ],
    openers: &["{", "=>", "/*", "//"],
    wrappers: &[
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
        "using_declaration",
        "labeled_statement",
    ],
    leading_semicolons: true,
    comments: &["comment", "html_comment"],
    line_comment: Some("//"),
    file_comments: FILE_COMMENTS,
    decorations: &["decorator"],
    modifiers: &["export", "default", "async", "static", "accessor", "await"],
    name_quotes: &['"', '\''],
    apart: &[Apart::Word("static"), Apart::Word("get"), Apart::Word("set")],
    header_ends: &["=", ";", ","],
    indent_unit: "  ",
    verbatim: &["template_string", "string"],
    // A directive, `"use strict"`, documents the file as much as a docstring does.
    moving: &["expression_statement"],
    separated: &[
        ("object", ","),
        ("array", ","),
        ("arguments", ","),
        ("formal_parameters", ","),
        ("lexical_declaration", ","),
        ("variable_declaration", ","),
        ("using_declaration", ","),
    ],
    tight: &["switch_case", "switch_default"],
    prologue: &["hash_bang_line"],
    required: &[("try_statement", &["catch_clause", "finally_clause"])],
    excluded: &[
        ("function_declaration", &["export_statement"]),
        ("function_expression", &["export_statement"]),
        ("arrow_function", &["export_statement"]),
        ("method_definition", &["export_statement"]),
    ],
    values: &["return_statement", "yield_expression", "jsx_expression"],
    empty_body: Some("statement_block"),
    ..Language::PLAIN
};
