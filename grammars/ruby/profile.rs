//! Ruby.

use crate::{Apart, Bound, Language};

/// Ruby.
pub const RUBY: Language = Language {
    name: "ruby",
    title: "Ruby",
    extensions: &["rb", "rake", "gemspec", "ru", "podspec", "rbw"],
    file_names: &[
        "Gemfile",
        "Rakefile",
        "Vagrantfile",
        "Podfile",
        "Brewfile",
        "Guardfile",
        "Capfile",
    ],
    interpreters: &["ruby"],
    grammar: || tree_sitter_ruby::LANGUAGE,
    items: include_str!("items.scm"),
    comments: &["comment"],
    line_comment: Some("#"),
    file_comments: &[
        "frozen_string_literal:",
        "warn_indent:",
        "shareable_constant_value:",
        "typed: ignore",
        "typed: false",
        "typed: true",
        "typed: strict",
        "typed: strong",
    ],
    decorations: &["heredoc_body"],
    heredoc: Some(("heredoc_beginning", "heredoc_body")),
    modifiers: &["private", "public", "protected", "private_class_method", "module_function"],
    apart: &[Apart::Word("self.")],
    header_ends: &["=", ";"],
    header_words: &["then", "do"],
    name_quotes: &[':'],
    indent_unit: "  ",
    closers: &["end", "}", ")", "]"],
    verbatim: &["heredoc_body", "string", "subshell", "regex"],
    values: &["return"],
    // The scanner's state has 1024 bytes: two, five for each open literal, four and the word for
    // each open here document, whose length has one byte.
    bounds: &[Bound::Heredocs { word: 255, open: 760, interpolations: 50 }],
    ..Language::PLAIN
};
