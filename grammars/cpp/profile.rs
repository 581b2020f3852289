//! C++.

use crate::Language;

/// C++.
pub const CPP: Language = Language {
    name: "cpp",
    title: "C++",
    extensions: &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl"],
    language_ids: &["c++"],
    grammar: || tree_sitter_cpp::LANGUAGE,
    items: concat!(include_str!("items.scm"), include_str!("../c/items.scm")),
    wrappers: &["template_declaration", "friend_declaration"],
    comments: &["comment"],
    decorations: &[
        "attribute_specifier",
        "attribute_declaration",
        "ms_declspec_modifier",
        "field_initializer_list",
    ],
    modifiers: &[
        "template",
        "export",
        "typedef",
        "extern",
        "static",
        "inline",
        "__inline",
        "__inline__",
        "__forceinline",
        "__extension__",
        "friend",
        "virtual",
        "explicit",
        "mutable",
        "thread_local",
        "register",
        "const",
        "constexpr",
        "consteval",
        "constinit",
        "volatile",
        "_Noreturn",
    ],
    header_ends: &["=", ";", ","],
    verbatim: &["string_literal", "raw_string_literal"],
    separated: &[
        ("enumerator_list", ","),
        ("initializer_list", ","),
        ("argument_list", ","),
        ("parameter_list", ","),
        ("template_parameter_list", ","),
        ("template_argument_list", ","),
    ],
    prologue: &["preproc_include", "preproc_call"],
    ..Language::PLAIN
};
