//! TSX: TypeScript with elements, by a grammar of its own.

use super::typescript::TYPESCRIPT;
use crate::Language;

/// TSX.
pub const TSX: Language = Language {
    name: "tsx",
    title: "TSX",
    extensions: &["tsx"],
    interpreters: &[],
    language_ids: &["typescriptreact"],
    grammar: || tree_sitter_typescript::LANGUAGE_TSX,
    values: &["return_statement", "yield_expression", "jsx_expression"],
    ..TYPESCRIPT
};
