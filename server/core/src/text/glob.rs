//! Globs over the paths of a workspace.

use std::sync::{Arc, OnceLock};

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
        Ok(Glob { pattern: pattern.into(), set: Arc::new(compiled(pattern)?) })
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

/// Many globs, matched in any case. One is compiled once a path holds what it cannot do without:
/// most are never needed, and all of them together take milliseconds.
#[derive(Debug, Default)]
pub struct Globs {
    globs: Vec<(String, OnceLock<Result<GlobSet, String>>)>,
    index: OnceLock<Index>,
}

/// What each of many globs cannot do without. An automaton that finds all of it in one go takes
/// milliseconds to build.
#[derive(Debug)]
struct Index {
    /// The longest text of each that every path has which fits it, ordered by its first bytes.
    needles: Vec<([u8; FIRST], String, usize)>,
    /// Those without such a text, or with one that is too short.
    others: Vec<usize>,
}

/// How many bytes of a needle are looked up.
const FIRST: usize = 3;

impl Globs {
    /// Globs that are known by their places in this order.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Globs {
        let folded = patterns.into_iter().map(folded);
        let globs = folded.map(|pattern| (pattern, OnceLock::new())).collect();
        Globs { globs, index: OnceLock::new() }
    }

    /// Compiles the glob at a place now.
    ///
    /// # Errors
    /// What is wrong with it, in a few words.
    pub fn check(&self, place: usize) -> Result<(), String> {
        self.compiled(place).as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// The places of those that a path fits, `/` between its names. One that cannot be compiled
    /// fits every path that it may fit.
    pub fn matches(&self, path: &str) -> Vec<usize> {
        let path = folded(path);
        let mut found = self.index.get_or_init(|| self.index()).may_fit(path.as_bytes());
        found.sort_unstable();
        found.dedup();
        found.retain(|place| match self.compiled(*place) {
            Ok(glob) => glob.is_match(&path),
            Err(_) => true,
        });
        found
    }

    fn index(&self) -> Index {
        let (mut needles, mut others) = (Vec::with_capacity(self.globs.len()), Vec::new());
        for (place, (pattern, _)) in self.globs.iter().enumerate() {
            let needle = needle(pattern);
            match needle.as_bytes().first_chunk() {
                Some(first) => needles.push((*first, needle.to_owned(), place)),
                None => others.push(place),
            }
        }
        needles.sort_unstable();
        Index { needles, others }
    }

    fn compiled(&self, place: usize) -> &Result<GlobSet, String> {
        let (pattern, compiled) = &self.globs[place];
        compiled.get_or_init(|| self::compiled(pattern))
    }
}

impl Index {
    /// The places of the globs that a path may fit, some of them several times.
    fn may_fit(&self, path: &[u8]) -> Vec<usize> {
        let mut found = self.others.clone();
        for (at, first) in path.windows(FIRST).enumerate() {
            let from = self.needles.partition_point(|(key, ..)| key.as_slice() < first);
            let same = self.needles[from..].iter().take_while(|(key, ..)| key == first);
            let there = same.filter(|(_, needle, _)| path[at..].starts_with(needle.as_bytes()));
            found.extend(there.map(|(.., place)| *place));
        }
        found
    }
}

/// A text in one case, character by character: `ſ` is an `s`, as it is to file systems that fold case.
fn folded(text: &str) -> String {
    fn single(mut chars: impl Iterator<Item = char>, otherwise: char) -> char {
        chars.next().filter(|_| chars.next().is_none()).unwrap_or(otherwise)
    }
    // Each path is asked about several times.
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let upper = text.chars().map(|char| single(char.to_uppercase(), char));
    upper.map(|char| single(char.to_lowercase(), char)).collect()
}

fn compiled(pattern: &str) -> Result<GlobSet, String> {
    check(pattern)?;
    let says = |error: globset::Error| error.kind().to_string();
    let glob = GlobBuilder::new(pattern).literal_separator(true).build().map_err(says)?;
    // The matcher of a single glob panics where the pattern cannot be compiled; a set says so.
    GlobSetBuilder::new().add(glob).build().map_err(says)
}

/// The longest text that is in every path which fits a pattern; perhaps none. A `/` may stand for
/// no directory at all, and what is in braces is one of several.
fn needle(pattern: &str) -> &str {
    let (mut longest, mut start, mut depth) = (0..0, 0, 0_usize);
    let mut take = |part: std::ops::Range<usize>| {
        if part.len() > longest.len() {
            longest = part;
        }
    };
    for (at, char) in pattern.char_indices() {
        let is_plain = !matches!(char, '*' | '?' | '/' | '\\' | '[' | '{' | '}' | ',');
        if is_plain && depth == 0 {
            continue;
        }
        take(start..at.max(start));
        start = at + char.len_utf8();
        match char {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            // What comes next may be anything, also what has a meaning elsewhere.
            '\\' | '[' => return &pattern[longest],
            _ => {}
        }
    }
    if depth == 0 {
        take(start..pattern.len());
    }
    &pattern[longest]
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

        /// What is compiled on demand gives the same answer as what is compiled at once.
        #[test]
        fn many_globs_say_what_each_says(
            patterns in prop::collection::vec(
                prop::collection::vec(
                    prop::sample::select(vec![
                        "a", "B", "ab", ".x", "*", "**/", "/**", "/", "?", "[ab]", "{a,.x/b}", "\\*", "\\a", "é",
                    ]),
                    0..6,
                ),
                0..5,
            ),
            path in prop::collection::vec(prop::sample::select(vec!["a", "b", ".X", "/", "*", "É"]), 0..8),
        ) {
            let patterns: Vec<String> = patterns.into_iter().map(|parts| parts.concat()).collect();
            let path = path.concat();
            let globs = Globs::new(patterns.iter().map(String::as_str));
            let found = globs.matches(&path);
            for (place, pattern) in patterns.iter().enumerate() {
                let alone = Glob::parse(&folded(pattern));
                prop_assert_eq!(globs.check(place).is_ok(), alone.is_ok());
                if let Ok(alone) = alone {
                    prop_assert_eq!(found.contains(&place), alone.fits(&folded(&path)), "{}", pattern);
                }
            }
        }
    }

    #[test]
    fn case_is_folded_as_file_systems_do() {
        let globs = Globs::new(["**/.ssh/**", "\u{3a3}\u{df}\u{3c2}"]);
        assert_eq!(globs.matches("a/.\u{17f}SH/b"), [0]);
        assert_eq!(globs.matches("\u{3c3}\u{df}\u{3a3}"), [1]);
    }

    #[test]
    fn a_needle_is_in_every_path_that_fits() {
        for (pattern, expected) in [
            ("**/.vscode/**", ".vscode"),
            ("**/*.config.{js,ts}", ".config."),
            ("**/{a,b}", ""),
            ("a/bc/d", "bc"),
            ("e[abc]dd", "e"),
            ("{a,{b,ccc}}dd", "dd"),
            ("\\*abc", ""),
            ("[]abc]x", ""),
            ("abc", "abc"),
        ] {
            assert_eq!(needle(pattern), expected, "{pattern}");
        }
    }
}
