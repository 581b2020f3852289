//! Trusted files: those that make the machine run code, or that tools obey without a question.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde_json::Value;

use crate::path::FilePath;
use crate::text::glob::Globs;

/// What `spec/trusted-files.toml` says; see `build.rs`.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/trusted-files.json"));
/// Why a file is trusted that only the settings name.
const BY_SETTING: &str = "the setting `trustedFiles` names";

/// Which files are trusted: those of `spec/trusted-files.toml`, and those that a setting adds.
#[derive(Debug, Clone, Default)]
pub struct TrustedFiles(Arc<Added>);

/// The patterns of the setting.
#[derive(Debug, Default)]
struct Added {
    patterns: Vec<String>,
    globs: Globs,
}

/// The built-in list, which is read where the first file is asked about.
struct BuiltIn {
    globs: Globs,
    /// The group of each glob.
    groups: Vec<&'static Group>,
}

/// Why a file is trusted.
#[derive(Debug, Clone, Copy)]
pub struct Trust {
    /// What the file is: completes "is a file that".
    pub because: &'static str,
    /// The keys that alone run code, with dots; empty where the whole file counts.
    keys: &'static [String],
}

/// A pattern of the setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pattern:?} in the trusted files is not a glob: {reason}")]
pub struct BadPattern {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    group: Vec<Group>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    because: String,
    files: Vec<String>,
    #[serde(default)]
    keys: Vec<String>,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let page: Page =
        serde_json::from_str(PAGE).expect("it is spec/trusted-files.toml, and a test parses it");
    page.group
});

static BUILT_IN: LazyLock<BuiltIn> = LazyLock::new(|| {
    let all = || GROUPS.iter().flat_map(|group| group.files.iter().map(move |it| (group, it)));
    let patterns: Vec<String> = all().map(|(_, pattern)| anywhere(pattern)).collect();
    let globs = Globs::new(patterns.iter().map(String::as_str));
    BuiltIn { globs, groups: all().map(|(group, _)| group).collect() }
});

impl PartialEq for TrustedFiles {
    fn eq(&self, other: &TrustedFiles) -> bool {
        self.0.patterns == other.0.patterns
    }
}

impl Eq for TrustedFiles {}

impl TrustedFiles {
    /// The built-in list, and more patterns.
    ///
    /// # Errors
    /// The first pattern that is not a glob.
    pub fn with(added: &[String]) -> Result<TrustedFiles, BadPattern> {
        let patterns: Vec<String> = added.iter().map(|pattern| anywhere(pattern)).collect();
        let globs = Globs::new(patterns.iter().map(String::as_str));
        for (place, pattern) in added.iter().enumerate() {
            let wrong = |reason| BadPattern { pattern: pattern.clone(), reason };
            globs.check(place).map_err(wrong)?;
        }
        Ok(TrustedFiles(Arc::new(Added { patterns: added.to_vec(), globs })))
    }

    /// Why a file is trusted, if it is.
    pub fn trust(&self, path: &FilePath) -> Option<Trust> {
        let found = BUILT_IN.globs.matches(&path.path).into_iter();
        let known = found.filter_map(|place| BUILT_IN.groups.get(place));
        let known = known.map(|group| Trust { because: &group.because, keys: &group.keys });
        let added = self.0.globs.matches(&path.path).into_iter();
        let added = added.map(|_| Trust { because: BY_SETTING, keys: &[] });
        // What counts as a whole comes before what counts by its keys.
        known.chain(added).min_by_key(|trust| !trust.keys.is_empty())
    }
}

/// A pattern that is matched at any depth, unless it begins at the folder.
fn anywhere(pattern: &str) -> String {
    match pattern.strip_prefix('/') {
        Some(below) => below.to_owned(),
        None => format!("**/{pattern}"),
    }
}

impl Trust {
    /// Whether a change from one text to another is one of what makes the file trusted; `None` is
    /// a file that is not there.
    pub fn concerns(&self, path: &FilePath, before: Option<&str>, after: Option<&str>) -> bool {
        if self.keys.is_empty() {
            return true;
        }
        let parse = |text: Option<&str>| text.map_or(Some(Value::Null), |text| parsed(path, text));
        let (Some(before), Some(after)) = (parse(before), parse(after)) else { return true };
        self.keys.iter().any(|key| at(&before, key) != at(&after, key))
    }
}

/// A JSON or TOML file, if it can be read.
fn parsed(path: &FilePath, text: &str) -> Option<Value> {
    match path.name().to_lowercase().ends_with(".toml") {
        true => toml::from_str(text).ok(),
        false => serde_json::from_str(text).ok(),
    }
}

fn at<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    key.split('.').try_fold(value, |value, name| value.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(path: &str) -> Option<Trust> {
        TrustedFiles::default().trust(&FilePath::new(0, path))
    }

    #[test]
    fn what_tools_obey_is_trusted_in_any_folder_and_case() {
        for path in [
            ".vscode/tasks.json",
            ".vscode/settings.json",
            ".vscode/launch.json",
            ".idea/workspace.xml",
            ".envrc",
            ".githooks/pre-commit",
            ".husky/pre-commit",
            "scripts/hooks/post-checkout",
            ".gitattributes",
            ".gitmodules",
            ".nvim.lua",
            ".exrc",
            ".helix/languages.toml",
            ".zed/settings.json",
            ".cargo/config.toml",
            ".cargo/config",
            "build.rs",
            "conftest.py",
            "sitecustomize.py",
            "lib/site-packages/x.pth",
            "Makefile",
            "GNUmakefile",
            "justfile",
            "Taskfile.yml",
            "CMakeLists.txt",
            ".npmrc",
            ".github/workflows/ci.yml",
            ".gitlab-ci.yml",
            ".devcontainer/devcontainer.json",
            "Dockerfile",
            "Dockerfile.dev",
            ".mise.toml",
            ".claude/settings.json",
            ".cursor/mcp.json",
            ".codex/config.toml",
            "AGENTS.md",
            "CLAUDE.md",
            ".github/copilot-instructions.md",
            ".pre-commit-config.yaml",
            "tox.ini",
            "noxfile.py",
            "setup.py",
            "Rakefile",
            "gulpfile.js",
            "vite.config.ts",
            ".eslintrc.js",
            ".bashrc",
            ".dir-locals.el",
            "x.git/hooks/post-checkout",
            "x.git/config",
            "node_modules/.bin/tsc",
            ".venv/bin/python",
            ".env",
            "mcp.json",
            "package.json",
            "Cargo.toml",
            "pyproject.toml",
        ] {
            assert!(trust(path).is_some(), "{path}");
            assert!(trust(&format!("a/b c/{path}")).is_some(), "a/b c/{path}");
            assert!(trust(&path.to_uppercase()).is_some(), "{path} in capitals");
        }
    }

    #[test]
    fn a_pattern_that_is_too_large_is_refused() {
        for pattern in ["{a,".repeat(100_000), "?".repeat(200_000)] {
            assert!(TrustedFiles::with(&[pattern]).is_err());
        }
    }

    #[test]
    fn ordinary_files_are_not() {
        for path in [
            "src/main.rs",
            "README.md",
            "docs/agents/notes.md",
            "vscode/tasks.json",
            "tasks.json",
            "src/config.ts",
            "tsconfig.json",
            "app/settings.py",
            "Makefiles/notes.txt",
            "env",
            "docs/git/config",
            "src/pre_commit.py",
            "tests/test_setup.py",
            ".gitignore",
            "dockerfile_parser.py",
            ".env.example",
            "src/build.py",
            ".editorconfig",
        ] {
            assert!(trust(path).is_none(), "{path}");
        }
    }

    #[test]
    fn of_some_files_only_keys_that_run_code_count() {
        let check = |path: &str, before: Option<&str>, after: Option<&str>| {
            trust(path).unwrap().concerns(&FilePath::new(0, path), before, after)
        };
        let json = |text: &str| check("package.json", Some(r#"{"version": "1"}"#), Some(text));
        assert!(!json(r#"{"version": "2", "dependencies": {"a": "1"}}"#));
        assert!(json(r#"{"scripts": {"postinstall": "x"}}"#));
        assert!(json("{"), "it cannot be read");
        assert!(json(&"[".repeat(100_000)));
        assert!(!check("package.json", None, Some("{}")) && check("Makefile", None, Some("")));
        assert!(check("package.json", Some(r#"{"scripts": {}}"#), None));
        let toml = |text: &str| check("Cargo.toml", Some("[package]\nname = 'a'\n"), Some(text));
        assert!(!toml("[package]\nname = 'b'\n[dependencies]\nx = '1'\n"));
        assert!(toml("[package]\nname = 'a'\nbuild = 'x.rs'\n"));
    }

    #[test]
    fn the_setting_adds_patterns() {
        let path = FilePath::new(0, "deploy/Run.sh");
        assert!(TrustedFiles::default().trust(&path).is_none());
        let more = |pattern: &str| TrustedFiles::with(&[pattern.to_owned()]);
        assert!(more("deploy/**").unwrap().trust(&path).is_some());
        assert!(more("run.SH").unwrap().trust(&path).is_some());
        assert!(more("/run.sh").unwrap().trust(&path).is_none());
        assert!(more("/deploy/*").unwrap().trust(&FilePath::new(0, "a/.envrc")).is_some());
        assert!(more("[a").is_err());
        assert!(more(&format!("{}b{}", "{a,".repeat(125), "}".repeat(125))).is_err());
        assert!(more(&"?".repeat(200_000)).is_err());
    }

    #[test]
    fn every_pattern_of_the_page_is_a_glob() {
        for place in 0..BUILT_IN.groups.len() {
            assert_eq!(BUILT_IN.globs.check(place), Ok(()));
        }
    }

    #[test]
    fn the_page_is_in_lower_case_and_names_nothing_twice() {
        let mut all: Vec<&String> = GROUPS.iter().flat_map(|group| &group.files).collect();
        assert!(all.iter().all(|pattern| **pattern == pattern.to_lowercase()));
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
