//! Globs over the paths of a workspace.

use std::sync::Arc;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The longest pattern, in bytes. Compiling one takes time and memory for each byte.
const LONGEST: usize = 1_000;
/// How deep `{` may be nested. The library goes through nested ones by recursion.
const DEEPEST: usize = 16;

/// A glob: `*` and `?` within a name, `**` for directories, `[…]`, `{a,b}`.
#[derive(Debug, Clone)]
pub struct Glob {
    pattern: Arc<str>,
    set: Arc<GlobSet>,
}

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// What is wrong with it, in a few words.
    pub fn parse(pattern: &str) -> Result<Glob, String> {
        check(pattern)?;
        let says = |error: globset::Error| error.kind().to_string();
        let glob = GlobBuilder::new(pattern).literal_separator(true).build().map_err(says)?;
        // The matcher of a single glob panics where the pattern cannot be compiled; a set says so.
        let set = GlobSetBuilder::new().add(glob).build().map_err(says)?;
        Ok(Glob { pattern: pattern.into(), set: Arc::new(set) })
    }

    /// Whether a path, `/` between its names, fits it.
    pub fn fits(&self, path: &str) -> bool {
        self.set.is_match(path)
    }

    /// The same, but that a glob without a `/` speaks of the path's last name.
    pub fn fits_name(&self, path: &str) -> bool {
        let whole = self.pattern.contains('/');
        self.fits(if whole { path } else { path.rsplit('/').next().unwrap_or(path) })
    }
}

impl PartialEq for Glob {
    fn eq(&self, other: &Glob) -> bool {
        self.pattern == other.pattern
    }
}

/// Whether a pattern is small enough for the library to read it safely.
///
/// # Errors
/// Which limit it exceeds, in a few words.
pub fn check(pattern: &str) -> Result<(), String> {
    if pattern.len() > LONGEST {
        let length = pattern.len();
        return Err(format!(
            "it has {length} bytes, and the limit is {LONGEST}; use a shorter one"
        ));
    }
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in pattern.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > DEEPEST {
        return Err(format!("`{{` is nested {deepest} deep, and the limit is {DEEPEST}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_and_paths() {
        let fits = |pattern: &str, path: &str| Glob::parse(pattern).unwrap().fits_name(path);
        assert!(fits("*.rs", "a/b.rs") && fits("a/**", "a/b/c") && fits("*.{a,b}", "x.b"));
        assert!(!fits("a/*", "a/b/c") && !fits("*.rs", "a.rsx"));
        assert!(!Glob::parse("*.rs").unwrap().fits("a/b.rs"));
        assert!(Glob::parse("[a").is_err());
    }

    #[test]
    fn a_pattern_that_is_too_large_is_refused() {
        let nested = |depth: usize| format!("{}b{}", "{a,".repeat(depth), "}".repeat(depth));
        assert!(Glob::parse(&nested(DEEPEST)).unwrap().fits("b"));
        for depth in [DEEPEST + 1, 124, 125, 200, 100_000] {
            assert!(Glob::parse(&nested(depth)).is_err(), "{depth}");
            assert!(Glob::parse(&"{a,".repeat(depth)).is_err(), "{depth}");
        }
        for part in ["?", "[^a]", "**/", "{a,b}", "é", "[\u{80}-\u{10ffff}]"] {
            assert!(Glob::parse(&part.repeat(LONGEST / part.len())).is_ok(), "{part}");
            assert!(Glob::parse(&part.repeat(200_000)).is_err(), "{part}");
        }
        assert!(Glob::parse(&"[".repeat(LONGEST)).is_err());
    }

    proptest! {
        #[test]
        fn no_pattern_panics(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "{", "{a,", "}", "[", "]", "[!", "-", "^", "?", "*", "**", "/", "\\", ",", "é", "a", "\0",
                ]),
                0..120,
            ),
        ) {
            if let Ok(glob) = Glob::parse(&parts.concat()) {
                glob.fits_name("a/b");
            }
        }
    }
}
