//! Protected paths: what is neither read, written, listed nor taken along.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use operator_core::path::FilePath;
use operator_core::text::glob;

use super::OpenError;

/// The globs, and which of the set's came from which pattern.
#[derive(Debug)]
pub(super) struct Protection {
    set: GlobSet,
    patterns: Vec<String>,
}

impl Protection {
    pub(super) fn new(patterns: &[String]) -> Result<Protection, OpenError> {
        let mut set = GlobSetBuilder::new();
        let mut origins = Vec::new();
        for pattern in patterns {
            let wrong = |reason| OpenError::Pattern { pattern: pattern.clone(), reason };
            glob::check(pattern).map_err(wrong)?;
            for glob in [Some(pattern.as_str()), pattern.strip_suffix("/**")].into_iter().flatten()
            {
                let glob = GlobBuilder::new(glob)
                    .case_insensitive(true)
                    .literal_separator(true)
                    .build()
                    .map_err(|error| wrong(error.kind().to_string()))?;
                set.add(glob);
                origins.push(pattern.clone());
            }
        }
        let set = set.build().map_err(|error| OpenError::Pattern {
            pattern: patterns.join(", "),
            reason: error.kind().to_string(),
        })?;
        Ok(Protection { set, patterns: origins })
    }

    /// The pattern that protects a file, by its path in the root and its absolute path.
    pub(super) fn pattern(&self, path: &FilePath, absolute: &Path) -> Option<&str> {
        let relative = self.set.matches(&path.path).first().copied();
        let found = relative.or_else(|| self.set.matches(absolute).first().copied())?;
        self.patterns.get(found).map(String::as_str)
    }
}
