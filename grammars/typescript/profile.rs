//! TypeScript.

use crate::Language;

/// TypeScript.
pub const TYPESCRIPT: Language = Language {
    name: "typescript",
    title: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    interpreters: &["deno", "ts-node", "tsx"],
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
