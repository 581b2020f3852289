//! Java.

use crate::Language;

/// Java.
pub const JAVA: Language = Language {
    name: "java",
    title: "Java",
    extensions: &["java"],
    grammar: || tree_sitter_java::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
