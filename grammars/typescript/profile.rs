//! TypeScript, and what TSX shares with it.

use super::javascript::FILE_COMMENTS;
use crate::{Apart, Language};

/// TypeScript.
pub const TYPESCRIPT: Language = Language {
    name: "typescript",
    title: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    interpreters: &["deno", "ts-node", "tsx"],
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
    items: concat!(include_str!("../javascript/shared.scm"), include_str!("items.scm")),
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
    openers: &["{", "=>", "@", "/*", "//"],
    wrappers: &[
        "export_statement",
        "ambient_declaration",
        "lexical_declaration",
        "variable_declaration",
        "labeled_statement",
    ],
    leading_semicolons: true,
    comments: &["comment", "html_comment"],
    line_comment: Some("//"),
    file_comments: FILE_COMMENTS,
    // Those of a method are before it, those of a class or a field are in it.
    attributes: &["decorator"],
    decorations: &["decorator"],
    modifiers: &[
        "export",
        "default",
        "declare",
        "abstract",
        "public",
        "protected",
        "private",
        "static",
        "override",
        "readonly",
        "accessor",
        "async",
        // Of an enumeration.
        "const",
    ],
    name_quotes: &['"', '\''],
    apart: &[Apart::Word("static"), Apart::Word("get"), Apart::Word("set"), Apart::Body],
    header_ends: &["=", ";", ","],
    indent_unit: "  ",
    verbatim: &["template_string", "template_literal_type", "string"],
    // A directive, `"use strict"`, documents the file as much as a docstring does.
    moving: &["expression_statement"],
    separated: &[
        ("object", ","),
        ("array", ","),
        ("arguments", ","),
        ("formal_parameters", ","),
        ("enum_body", ","),
        ("lexical_declaration", ","),
        ("variable_declaration", ","),
    ],
    tight: &["switch_case", "switch_default"],
    prologue: &["hash_bang_line"],
    required: &[("try_statement", &["catch_clause", "finally_clause"])],
    excluded: &[
        ("interface_body", &["export_statement"]),
        ("object_type", &["export_statement"]),
        ("function_declaration", &["export_statement"]),
        ("function_expression", &["export_statement"]),
        ("arrow_function", &["export_statement"]),
        ("method_definition", &["export_statement"]),
    ],
    values: &["return_statement", "yield_expression"],
    empty_body: Some("statement_block"),
    ..Language::PLAIN
};
