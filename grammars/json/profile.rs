//! JSON.

use crate::Language;

/// JSON.
pub const JSON: Language = Language {
    name: "json",
    title: "JSON",
    extensions: &["json", "jsonc", "geojson", "webmanifest", "ipynb", "code-workspace"],
    file_names: &[".babelrc", "composer.lock", "Pipfile.lock"],
    language_ids: &["jsonc"],
    grammar: || tree_sitter_json::LANGUAGE,
    items: include_str!("items.scm"),
    comments: &["comment"],
    header_ends: &[":"],
    name_quotes: &['"'],
    indent_unit: "  ",
    separated: &[("object", ","), ("array", ",")],
    ..Language::PLAIN
};
