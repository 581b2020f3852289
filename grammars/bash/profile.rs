//! Bash.

use crate::{Bound, Language};

/// Bash.
pub const BASH: Language = Language {
    name: "bash",
    title: "Bash",
    extensions: &["sh", "bash", "ksh"],
    file_names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".bash_aliases",
        ".profile",
        "PKGBUILD",
        "APKBUILD",
    ],
    interpreters: &["bash", "sh", "dash"],
    language_ids: &["shellscript"],
    grammar: || tree_sitter_bash::LANGUAGE,
    items: include_str!("items.scm"),
    comments: &["comment"],
    line_comment: Some("#"),
    modifiers: &["export", "readonly", "declare", "typeset", "local"],
    header_ends: &["+=", "=", ";"],
    header_words: &["then", "do", "in"],
    closers: &["}", ")", "fi", "done", "esac"],
    ended: &[("case_item", &[";;", ";&", ";;&"])],
    // A pattern is one kind in the first arm of a `case`, and another in those after it.
    alike: &[&["word", "extglob_pattern", "number", "concatenation"]],
    verbatim: &["heredoc_body", "string", "raw_string", "ansi_c_string"],
    verbatim_lines: &["heredoc_body", "heredoc_end"],
    bounds: &[Bound::Nuls(10_000)],
    ..Language::PLAIN
};
