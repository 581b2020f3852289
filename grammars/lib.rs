//! The languages: which one a file is in, and what its grammar's nodes mean.

mod language;
mod registry;

pub use language::{Aliases, Apart, Blocks, Bound, Documents, Language};
pub use registry::LANGUAGES;

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

/// The language of a file by its path, else by the program that its first line names after `#!`.
pub fn of_file(path: &str, first_line: &str) -> Option<&'static Language> {
    by_path(path).or_else(|| by_shebang(first_line))
}

fn by_shebang(first_line: &str) -> Option<&'static Language> {
    let mut words = first_line.strip_prefix("#!")?.split_whitespace();
    let program = words.next()?.rsplit('/').next()?;
    let program = match program {
        "env" => words.find(|word| !word.starts_with('-') && !word.contains('='))?,
        program => program,
    };
    let program = program.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    LANGUAGES.iter().find(|language| language.interpreters.contains(&program))
}

/// The language that an LSP language id names.
pub fn by_language_id(id: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == id || language.language_ids.contains(&id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shebang_names_the_language_of_a_file_without_an_extension() {
        let name = |line| of_file("bin/tool", line).map(|language| language.name);
        assert_eq!(name("#!/usr/bin/env -S python3.12 -u"), Some("python"));
        assert_eq!(name("#!/bin/sh"), Some("bash"));
        assert_eq!(name("# /bin/sh"), None);
        assert_eq!(name(""), None);
    }

    #[test]
    fn a_name_wins_over_an_extension_and_case_is_folded() {
        assert_eq!(by_path("src/Main.PY").map(|l| l.name), Some("python"));
        assert_eq!(by_path("docs/readme.md").map(|l| l.name), Some("markdown"));
        assert!(by_path("no-extension").is_none());
    }
}
