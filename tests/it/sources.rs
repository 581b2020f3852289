//! The project's own sources, for tests that read them.

use std::fs;
use std::path::{Path, PathBuf};

/// The files below a folder whose names end so, tests and what tools install left out.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["tests", "test", "node_modules", "out"].contains(&name.as_str()) {
            found.extend(files(&path, extension));
        } else if name.ends_with(extension) && name != format!("tests{extension}") {
            found.push(path);
        }
    }
    found
}

/// A Rust source without its test module.
pub fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

/// A Rust source without its test module and without the lines that are comments.
pub fn code(source: &str) -> String {
    let lines = without_tests(source).lines();
    let code: Vec<&str> = lines.filter(|line| !line.trim_start().starts_with("//")).collect();
    code.join("\n")
}
