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
                (old.as_str(), (new.as_str(), span))
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
        let is_pair = old.starts_with("a/") && new.starts_with("b/");
        let (old, named) = match is_pair {
            true => (&old[2..], without(new, span, "b/")),
            false => (old, (new.to_owned(), span.clone())),
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
    let plain = path.strip_prefix(prefix).unwrap_or(path);
    // A quoted path is marked as a whole.
    let is_plain = span.len() == path.len();
    let start = if is_plain { span.start + path.len() - plain.len() } else { span.start };
    (plain.to_owned(), start..span.end)
}

/// The two names after `diff --git `, which are the same but for their prefixes, so they can be
/// told apart where they hold blanks.
fn halves(names: &str) -> Option<(&str, &str)> {
    let middle = names.len().checked_sub(1)? / 2;
    let (old, new) = (names.get(..middle)?, names.get(middle + 1..)?);
    (names.as_bytes().get(middle) == Some(&b' ') && old.get(1..) == new.get(1..))
        .then_some((old, new))
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
        assert_eq!(of(""), About::Nothing);
    }
}
