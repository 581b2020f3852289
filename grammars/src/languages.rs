//! Every language, one line each.

use crate::Language;

const fn language(
    name: &'static str,
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
) -> Language {
    Language { name, extensions, file_names }
}

/// Every language that the project knows by name.
pub const LANGUAGES: &[Language] = &[
    language("python", &["py", "pyi", "pyw"], &[]),
    language("markdown", &["md", "markdown", "mdown"], &[]),
];
