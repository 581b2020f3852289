//! YAML.

use crate::Language;

/// YAML.
pub const YAML: Language = Language {
    name: "yaml",
    title: "YAML",
    extensions: &["yaml", "yml"],
    grammar: || tree_sitter_yaml::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
