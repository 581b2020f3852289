//! Which file a diff is about, and what it is called afterwards.

use crate::command::patch::PatchFile;
use crate::command::patch::header;
use crate::text::Span;

/// The names in the headers of a diff, each with its place.
#[derive(Debug, Default)]
pub struct Names {
    /// After `--- `.
    pub old: Option<(PatchFile, Span)>,
    /// After `+++ `.
    pub new: Option<(PatchFile, Span)>,
    /// After `rename from ` or `copy from `.
    pub from: Option<(String, Span)>,
    /// After `rename to ` or `copy to `.
    pub to: Option<(String, Span)>,
    /// After `diff --git `.
    pub git: Option<(String, Span)>,
}

/// A path and where it is.
pub type Named = (String, Span);

/// Which file a diff is about.
#[derive(Debug, PartialEq, Eq)]
pub enum About {
    /// One file, which has this name before and afterwards.
    One(Named),
    /// A new file.
    New(Named),
    /// A file that is deleted.
    Gone(Named),
    /// A file that has another name afterwards.
    Two(Named, Named),
    /// Two names, and nothing says that the file gets another one.
    Unclear(String, Named),
    /// No file is named.
    Nothing,
}

impl Names {
    /// Which file it is; `is_new` and `is_gone` say what git's headers say of it.
    pub fn about(&self, is_new: bool, is_gone: bool) -> About {
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            return About::Two(from.clone(), to.clone());
        }
        let (old, new) = match (&self.old, &self.new) {
            (Some((PatchFile::Null, _)), Some((PatchFile::Path(new), span))) => {
                return About::New(without(new, span, "b/"));
            }
            (Some((PatchFile::Path(old), span)), Some((PatchFile::Null, _))) => {
                return About::Gone(without(old, span, "a/"));
            }
            (Some((PatchFile::Path(old), _)), Some((PatchFile::Path(new), span))) => {
                (old.clone(), (new.clone(), span))
            }
            _ => match &self.git {
                Some((names, span)) => match halves(names) {
                    Some((old, new)) => (old, (new, span)),
                    None => return About::Nothing,
                },
                None => return About::Nothing,
            },
        };
        let (new, span) = new;
        let is_side = |path: &str, side: char| {
            path.strip_prefix(side).is_some_and(|rest| rest.starts_with(['/', '\\']))
        };
        let is_pair = is_side(&old, 'a') && is_side(&new, 'b');
        let (old, named) = match is_pair {
            true => (&old[2..], without(&new, span, "b/")),
            false => (&*old, (new, span.clone())),
        };
        match old == named.0 {
            true if is_new => About::New(named),
            true if is_gone => About::Gone(named),
            true => About::One(named),
            false => About::Unclear(old.to_owned(), named),
        }
    }
}

/// A path without the prefix of its side, where it has that.
fn without(path: &str, span: &Span, prefix: &str) -> Named {
    let windows = prefix.replace('/', "\\");
    let plain = path.strip_prefix(prefix).or_else(|| path.strip_prefix(&*windows)).unwrap_or(path);
    // A quoted path is marked as a whole.
    let is_plain = span.len() == path.len();
    let start = if is_plain { span.start + path.len() - plain.len() } else { span.start };
    (plain.to_owned(), start..span.end)
}

/// The two names after `diff --git `: those in quotes end there, and others are the same but for their
/// prefixes, so they can be told apart where they hold blanks.
fn halves(names: &str) -> Option<(String, String)> {
    if names.contains('"') {
        let (old, new) = match names.strip_prefix('"') {
            Some(rest) => names.split_at_checked(closing_quote(rest)? + 2)?,
            None => names.split_once(" \"").map(|(old, _)| names.split_at(old.len()))?,
        };
        let name = |name: &str| unquoted(name).unwrap_or_else(|| name.to_owned());
        return Some((name(old), name(new.strip_prefix(' ')?)));
    }
    let middle = names.len().checked_sub(1)? / 2;
    let (old, new) = (names.get(..middle)?, names.get(middle + 1..)?);
    (names.as_bytes().get(middle) == Some(&b' ') && old.get(1..) == new.get(1..))
        .then_some((old.to_owned(), new.to_owned()))
}

/// Where the first quote is that is not escaped.
fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

/// A name in quotes, as git escapes it, without them.
pub fn unquoted(name: &str) -> Option<String> {
    match header::file(name).filter(|_| name.starts_with('"'))? {
        PatchFile::Path(path) => Some(path),
        PatchFile::Null => None,
    }
}

/// The name after a header's words, which begin the line at `start`.
pub fn file(rest: &str, start: usize) -> Option<(PatchFile, Span)> {
    let rest = rest.trim_end();
    let file = header::file(rest)?;
    let length =
        if rest.starts_with('"') { rest.len() } else { rest.find('\t').unwrap_or(rest.len()) };
    let file = match file {
        PatchFile::Path(path) if !rest.starts_with('"') => {
            PatchFile::Path(path.trim_end().to_owned())
        }
        file => file,
    };
    let length = match &file {
        PatchFile::Path(path) if !rest.starts_with('"') => path.len(),
        _ => length,
    };
    Some((file, start..start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(old: &str, new: &str) -> About {
        let names = Names { old: file(old, 0), new: file(new, 0), ..Names::default() };
        names.about(false, false)
    }

    fn named(path: &str, span: Span) -> Named {
        (path.to_owned(), span)
    }

    #[test]
    fn prefixes_count_as_a_pair() {
        assert_eq!(about("a/x.py", "b/x.py"), About::One(named("x.py", 2..6)));
        assert_eq!(about("x.py", "x.py"), About::One(named("x.py", 0..4)));
        assert_eq!(about("b/x.py", "b/x.py"), About::One(named("b/x.py", 0..6)));
        assert_eq!(about("a/x.py", "a/x.py"), About::One(named("a/x.py", 0..6)));
        assert_eq!(
            about("x.py.orig", "x.py"),
            About::Unclear("x.py.orig".into(), named("x.py", 0..4))
        );
        assert_eq!(about("a/x.py\t2026-01-01", "b/x.py\tnow"), About::One(named("x.py", 2..6)));
        assert_eq!(about("\"a/\\303\\251\"", "\"b/\\303\\251\""), About::One(named("é", 0..12)));
    }

    #[test]
    fn a_side_that_is_null_says_new_or_gone() {
        assert_eq!(about("/dev/null", "b/x.py"), About::New(named("x.py", 2..6)));
        assert_eq!(about("a/x.py", "/dev/null"), About::Gone(named("x.py", 2..6)));
        assert_eq!(about("/dev/null", "/dev/null"), About::Nothing);
    }

    #[test]
    fn git_names_a_file_twice() {
        let of = |git: &str| {
            let git = Some((git.to_owned(), 11..11 + git.len()));
            Names { git, ..Names::default() }.about(true, false)
        };
        assert!(matches!(of("a/x y b/x y"), About::New((path, _)) if path == "x y"));
        assert_eq!(of("a/x b/y"), About::Nothing);
        let quoted = r#""a/\303\251 x" "b/\303\251 x""#;
        assert!(matches!(of(quoted), About::New((path, _)) if path == "é x"));
        assert!(matches!(of(r#"a/x "b/x""#), About::New((path, _)) if path == "x"));
        assert_eq!(of("\"a/x"), About::Nothing);
        assert_eq!(of(""), About::Nothing);
    }
}
