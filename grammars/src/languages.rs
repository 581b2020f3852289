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
    language("rust", &["rs"], &[]),
    language("javascript", &["js", "mjs", "cjs", "jsx"], &[]),
    language("typescript", &["ts", "mts", "cts"], &[]),
    language("tsx", &["tsx"], &[]),
    language("java", &["java"], &[]),
    language("go", &["go"], &[]),
    language("c", &["c", "h"], &[]),
    language("cpp", &["cpp", "cc", "cxx", "hpp", "hh", "hxx"], &[]),
    language("csharp", &["cs"], &[]),
    language("ruby", &["rb", "rake", "gemspec"], &["Gemfile", "Rakefile"]),
    language("php", &["php"], &[]),
    language("bash", &["sh", "bash"], &[".bashrc", ".profile"]),
    language("json", &["json", "jsonc"], &[]),
    language("yaml", &["yaml", "yml"], &[]),
    language("toml", &["toml"], &["Cargo.lock"]),
    language("html", &["html", "htm"], &[]),
    language("css", &["css"], &[]),
];
