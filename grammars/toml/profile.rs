//! TOML.

use crate::Language;

/// TOML.
pub const TOML: Language = Language {
    name: "toml",
    title: "TOML",
    extensions: &["toml"],
    file_names: &["Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"],
    grammar: || tree_sitter_toml_ng::LANGUAGE,
    items: include_str!("items.scm"),
    comments: &["comment"],
    line_comment: Some("#"),
    name_quotes: &['"', '\''],
    indent_unit: "  ",
    verbatim: &["string"],
    separated: &[("inline_table", ","), ("array", ",")],
    repeated: Some(("[[", ".")),
    ..Language::PLAIN
};
