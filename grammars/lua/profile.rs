//! Lua.

use crate::Language;

/// Lua.
pub const LUA: Language = Language {
    name: "lua",
    title: "Lua",
    extensions: &["lua", "rockspec"],
    file_names: &[".luacheckrc", ".busted"],
    interpreters: &["lua", "luajit", "texlua"],
    grammar: || tree_sitter_lua::LANGUAGE,
    items: include_str!("items.scm"),
    opaque: &["expression_list", "arguments", "return_statement", "binary_expression"],
    openers: &["function", "{", "--"],
    wrappers: &["variable_declaration"],
    comments: &["comment"],
    line_comment: Some("--"),
    // `function M:run` is called `M:run`, too.
    modifiers: &["local", "global", "function"],
    header_ends: &["=", ";", ","],
    header_words: &["then", "do"],
    name_quotes: &['"', '\''],
    indent_unit: "  ",
    closers: &["end", "until", "}", ")"],
    verbatim: &["string"],
    separated: &[
        ("table_constructor", ","),
        ("table_constructor", ";"),
        ("arguments", ","),
        ("parameters", ","),
    ],
    prologue: &["hash_bang_line"],
    values: &["return_statement"],
    ..Language::PLAIN
};
