//! YAML.

use crate::{Aliases, Bound, Documents, Language};

/// YAML.
pub const YAML: Language = Language {
    name: "yaml",
    title: "YAML",
    extensions: &["yaml", "yml"],
    file_names: &[".clang-format", ".clang-tidy", "CITATION.cff"],
    grammar: || tree_sitter_yaml::LANGUAGE,
    items: include_str!("items.scm"),
    comments: &["comment"],
    line_comment: Some("#"),
    header_ends: &[":"],
    name_quotes: &['"', '\''],
    indented: true,
    indent_unit: "  ",
    markers: &["-", "?"],
    separated: &[("flow_mapping", ","), ("flow_sequence", ",")],
    aliases: Some(Aliases {
        anchor: "anchor",
        alias: "alias",
        scope: "document",
        marks: &['&', '*'],
    }),
    keeping: &["|+", ">+"],
    documents: Some(Documents { node: "document", opens: "---", closes: "..." }),
    // The scanner's state has 1024 bytes: ten, and four for each level.
    bounds: &[Bound::Columns { markers: b"-?:", limit: 250 }],
    ..Language::PLAIN
};
