//! C++.

use crate::Language;

/// C++.
pub const CPP: Language = Language {
    name: "cpp",
    title: "C++",
    extensions: &["cpp", "cc", "cxx", "hpp", "hh", "hxx"],
    grammar: || tree_sitter_cpp::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
