//! YAML.

use crate::{Bound, Language};

/// YAML.
pub const YAML: Language = Language {
    name: "yaml",
    title: "YAML",
    extensions: &["yaml", "yml"],
    grammar: || tree_sitter_yaml::LANGUAGE,
    items: include_str!("items.scm"),
    // The scanner's state has 1024 bytes: ten, and four for each level.
    bounds: &[Bound::Columns { markers: b"-?", limit: 250 }],
    ..Language::PLAIN
};
