//! Ruby.

use crate::{Bound, Language};

/// Ruby.
pub const RUBY: Language = Language {
    name: "ruby",
    title: "Ruby",
    extensions: &["rb", "rake", "gemspec"],
    file_names: &["Gemfile", "Rakefile"],
    interpreters: &["ruby"],
    grammar: || tree_sitter_ruby::LANGUAGE,
    items: include_str!("items.scm"),
    // The scanner's state has 1024 bytes: two, five for each open literal, four and the word for
    // each open here document, whose length has one byte.
    bounds: &[Bound::Heredocs { word: 255, open: 760, interpolations: 50 }],
    ..Language::PLAIN
};
