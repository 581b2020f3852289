//! Python.

use crate::{Bound, Language};

/// Python.
pub const PYTHON: Language = Language {
    name: "python",
    title: "Python",
    extensions: &["py", "pyi", "pyw"],
    interpreters: &["python", "pypy"],
    grammar: || tree_sitter_python::LANGUAGE,
    items: include_str!("items.scm"),
    opaque: &[
        "expression_statement",
        "return_statement",
        "assert_statement",
        "raise_statement",
        "delete_statement",
        "import_statement",
        "import_from_statement",
        "future_import_statement",
        "global_statement",
        "parameters",
        "argument_list",
        "string",
        "call",
        "comparison_operator",
        "boolean_operator",
        "attribute",
        "dotted_name",
        "not_operator",
        "subscript",
    ],
    openers: &["lambda"],
    declares: &["expression_statement"],
    wrappers: &["decorated_definition"],
    comments: &["comment"],
    line_comment: Some("#"),
    decorations: &["decorator"],
    modifiers: &["async"],
    indented: true,
    verbatim: &["string"],
    moving: &["expression_statement"],
    separated: &[
        ("argument_list", ","),
        ("list", ","),
        ("tuple", ","),
        ("set", ","),
        ("expression_list", ","),
    ],
    tight: &["case_clause"],
    prologue: &["future_import_statement"],
    required: &[("try_statement", &["except_clause", "finally_clause"])],
    values: &["return_statement", "yield"],
    // The scanner's state has 1024 bytes: two for each level, and up to 257 for open strings.
    bounds: &[Bound::Indentations(380)],
    ..Language::PLAIN
};
