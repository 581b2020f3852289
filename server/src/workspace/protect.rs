//! Protected paths: what is neither read, written, listed nor taken along.

use std::path::Path;

use operator_core::path::FilePath;
use operator_core::text::glob::Globs;

use super::windows::with_slashes;
use super::{DEFAULT_PROTECTED, OpenError};

/// The globs, and the pattern that each came from.
#[derive(Debug)]
pub(super) struct Protection {
    globs: Globs,
    patterns: Vec<String>,
}

impl Protection {
    pub(super) fn new(patterns: &[String]) -> Result<Protection, OpenError> {
        let each = |pattern: &String| {
            let directory = pattern.strip_suffix("/**").map(str::to_owned);
            let globs = std::iter::once(pattern.clone()).chain(directory);
            globs.map(|glob| (glob, pattern.clone())).collect::<Vec<_>>()
        };
        let (globs, origins): (Vec<String>, Vec<String>) = patterns.iter().flat_map(each).unzip();
        let globs = Globs::new(globs.iter().map(String::as_str));
        for (place, pattern) in origins.iter().enumerate() {
            // The usual ones are tested.
            if !DEFAULT_PROTECTED.contains(&pattern.as_str()) {
                let wrong = |reason| OpenError::Pattern { pattern: pattern.clone(), reason };
                globs.check(place).map_err(wrong)?;
            }
        }
        Ok(Protection { globs, patterns: origins })
    }

    /// The pattern that protects a file, by its path in the root and its absolute path.
    pub(super) fn pattern(&self, path: &FilePath, absolute: &Path) -> Option<&str> {
        let relative = self.globs.matches(&path.path).first().copied();
        let absolute =
            || self.globs.matches(&with_slashes(&absolute.to_string_lossy())).first().copied();
        let found = relative.or_else(absolute)?;
        self.patterns.get(found).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_patterns_are_globs() {
        let protection = Protection::new(&DEFAULT_PROTECTED.map(str::to_owned)).unwrap();
        for place in 0..protection.patterns.len() {
            assert_eq!(protection.globs.check(place), Ok(()));
        }
    }
}
