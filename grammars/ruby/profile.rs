//! Ruby.

use crate::Language;

/// Ruby.
pub const RUBY: Language = Language {
    name: "ruby",
    title: "Ruby",
    extensions: &["rb", "rake", "gemspec"],
    file_names: &["Gemfile", "Rakefile"],
    interpreters: &["ruby"],
    grammar: || tree_sitter_ruby::LANGUAGE,
    items: include_str!("items.scm"),
    ..Language::PLAIN
};
