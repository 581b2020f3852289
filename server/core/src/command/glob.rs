//! Globs over the paths of a workspace.

use globset::{GlobBuilder, GlobMatcher};

/// A glob: `*` and `?` within a name, `**` for directories, `[…]`, `{a,b}`.
#[derive(Debug, Clone)]
pub struct Glob(GlobMatcher);

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// What is wrong with it, in a few words.
    pub fn parse(pattern: &str) -> Result<Glob, String> {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        glob.map(|glob| Glob(glob.compile_matcher())).map_err(|error| error.kind().to_string())
    }

    /// Whether a path, `/` between its names, fits it.
    pub fn fits(&self, path: &str) -> bool {
        self.0.is_match(path)
    }

    /// The same, but that a glob without a `/` speaks of the path's last name.
    pub fn fits_name(&self, path: &str) -> bool {
        let whole = self.0.glob().glob().contains('/');
        self.fits(if whole { path } else { path.rsplit('/').next().unwrap_or(path) })
    }
}

impl PartialEq for Glob {
    fn eq(&self, other: &Glob) -> bool {
        self.0.glob() == other.0.glob()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths() {
        let fits = |pattern: &str, path: &str| Glob::parse(pattern).unwrap().fits_name(path);
        assert!(fits("*.rs", "a/b.rs") && fits("a/**", "a/b/c") && fits("*.{a,b}", "x.b"));
        assert!(!fits("a/*", "a/b/c") && !fits("*.rs", "a.rsx"));
        assert!(!Glob::parse("*.rs").unwrap().fits("a/b.rs"));
        assert!(Glob::parse("[a").is_err());
    }
}
