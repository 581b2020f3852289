//! C.

use crate::Language;

/// C.
pub const C: Language = Language {
    name: "c",
    title: "C",
    extensions: &["c", "h"],
    grammar: || tree_sitter_c::LANGUAGE,
    items: include_str!("items.scm"),
    opaque: &[
        "declaration",
        "expression_statement",
        "field_declaration",
        "return_statement",
        "parameter_list",
        "preproc_include",
    ],
    openers: &["{", "//", "/*", "[[", "__"],
    terminated: &["struct_specifier", "union_specifier", "enum_specifier"],
    comments: &["comment"],
    line_comment: Some("//"),
    decorations: &["attribute_specifier", "attribute_declaration", "ms_declspec_modifier"],
    modifiers: &[
        "typedef",
        "extern",
        "static",
        "inline",
        "__inline",
        "__inline__",
        "__forceinline",
        "__extension__",
        "_Noreturn",
        "_Thread_local",
        "thread_local",
        "__thread",
        "register",
        "auto",
        "const",
        "constexpr",
        "volatile",
        "_Atomic",
    ],
    header_ends: &["=", ";", ","],
    verbatim: &["string_literal"],
    separated: &[
        ("enumerator_list", ","),
        ("initializer_list", ","),
        ("argument_list", ","),
        ("parameter_list", ","),
    ],
    tight: &["field_declaration", "enumerator", "case_statement", "preproc_def"],
    prologue: &["preproc_include", "preproc_call"],
    guards: &["preproc_ifdef"],
    values: &["return_statement"],
    empty_body: Some("compound_statement"),
    ..Language::PLAIN
};
