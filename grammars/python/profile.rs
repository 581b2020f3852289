//! Python.

use crate::Language;

/// Python.
pub const PYTHON: Language = Language {
    name: "python",
    title: "Python",
    extensions: &["py", "pyi", "pyw"],
    interpreters: &["python", "pypy"],
    grammar: || tree_sitter_python::LANGUAGE,
    items: include_str!("items.scm"),
    wrappers: &["decorated_definition"],
    comments: &["comment"],
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
    ..Language::PLAIN
};
