//! The registry of languages: which language a file is in, by its name.

/// One language, as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// The name that Markdown fences and LSP language ids use, `python`.
    pub name: &'static str,
    /// File extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names, `Makefile`.
    pub file_names: &'static [&'static str],
}

mod languages;
pub use languages::LANGUAGES;

/// The language of a file, by its whole name first and by its extension then.
pub fn by_path(path: &str) -> Option<&'static Language> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    LANGUAGES.iter().find(|language| language.file_names.contains(&name)).or_else(|| {
        let extension = extension?;
        LANGUAGES.iter().find(|language| {
            language.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_wins_over_an_extension_and_case_is_folded() {
        assert_eq!(by_path("src/Main.PY").map(|l| l.name), Some("python"));
        assert_eq!(by_path("docs/readme.md").map(|l| l.name), Some("markdown"));
        assert_eq!(by_path("no-extension"), None);
    }
}
