//! What each line of a patch is, by how it begins.

use crate::dialect::likeness::{is_markup_after, is_markup_before, plain};
use crate::problem::{APPLY_PATCH_NEAR_MARKER, Problem, Replacement};

/// A line of a patch that is not content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker<'a> {
    /// `*** Begin Patch`
    Begin,
    /// `*** End Patch`
    End,
    /// `*** Add File: path` and the like.
    File(Action, &'a str),
    /// `*** Move to: path`
    MoveTo(&'a str),
    /// `*** End of File`
    EndOfFile,
    /// `*** Environment ID: name`, which says nothing about files.
    Environment,
    /// Another line that begins as a marker does.
    Unknown,
    /// `@@`, `@@ class A:` or `@@ -1,3 +1,4 @@`
    Chunk(&'a str),
}

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Add,
    Delete,
    Update,
}

impl Action {
    /// The words of its marker.
    pub fn words(self) -> &'static str {
        match self {
            Action::Add => "Add File: ",
            Action::Delete => "Delete File: ",
            Action::Update => "Update File: ",
        }
    }
}

/// What every marker but that of a chunk begins with.
pub const STARS: &str = "*** ";

/// The marker that a line is, once its indentation is taken off.
pub fn marker(line: &str) -> Option<Marker<'_>> {
    let line = line.trim_end();
    if let Some(rest) = line.strip_prefix("@@") {
        let is_chunk = rest.is_empty() || rest.starts_with(' ');
        return is_chunk.then(|| Marker::Chunk(rest.trim()));
    }
    let words = line.strip_prefix(STARS)?;
    let file = |action: Action| {
        let path = words.strip_prefix(action.words().trim_end())?;
        Some(Marker::File(action, unquoted(path)))
    };
    Some(match words {
        "Begin Patch" => Marker::Begin,
        "End Patch" => Marker::End,
        "End of File" => Marker::EndOfFile,
        _ if words.starts_with("Environment ID:") => Marker::Environment,
        _ => {
            let moved = words.strip_prefix("Move to:").map(|path| Marker::MoveTo(unquoted(path)));
            let files = [Action::Add, Action::Delete, Action::Update];
            moved.or_else(|| files.into_iter().find_map(file)).unwrap_or(Marker::Unknown)
        }
    })
}

/// A path without the signs of code around it.
fn unquoted(path: &str) -> &str {
    let path = path.trim();
    path.strip_prefix('`').and_then(|path| path.strip_suffix('`')).unwrap_or(path)
}

/// No line that is longer is nearly a marker, in bytes.
const LONGEST: usize = 200;

/// The first or last line of a patch that a line nearly is: in other case, with other signs around it, or
/// escaped. A line of content begins with its sign.
pub fn near(line: &str) -> Option<Marker<'static>> {
    if line.len() > LONGEST || line.starts_with('+') {
        return None;
    }
    let text = plain(line);
    let at = text.find("***")?;
    let words = text[at..].trim_start_matches('*').trim_start();
    let names = [(Marker::Begin, "begin patch"), (Marker::End, "end patch")];
    names.into_iter().find_map(|(marker, name)| {
        let (found, after) = words.split_at_checked(name.len())?;
        let is_near = found.eq_ignore_ascii_case(name)
            && (is_markup_before(&text[..at]) || is_call(&text[..at]))
            && is_markup_after(after)
            && self::marker(line) != Some(marker);
        is_near.then_some(marker)
    })
}

/// Whether what is before a marker calls the tool that patches: `apply_patch("""`.
fn is_call(before: &str) -> bool {
    before.trim_end_matches(|char: char| !char.is_alphanumeric()).ends_with("apply_patch")
}

/// The problem of a line that is nearly a marker; spans count from the start of the line.
pub fn not_exact(marker: Marker<'_>, line: &str) -> Problem {
    let exact = if marker == Marker::Begin { "*** Begin Patch" } else { "*** End Patch" };
    let place = line.len() - line.trim_start().len()..line.trim_end().len();
    let says = format!("the marker must be exactly `{exact}`, alone on its line");
    let edit = Replacement::new(0..line.len(), exact);
    Problem::new(APPLY_PATCH_NEAR_MARKER, place, says)
        .fix(format!("Make the line exactly `{exact}`"), vec![edit])
}

/// The numbers of a chunk as a unified diff has them, `-1,3 +1,4 @@`: its first old line.
pub fn numbered(anchor: &str) -> Option<usize> {
    let mut words = anchor.split(' ');
    let first = words.next()?.strip_prefix('-')?.split(',').next()?;
    words.next()?.strip_prefix('+')?;
    first.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_nearly_a_marker_or_something_else() {
        for line in [
            "*** begin patch",
            "*** Begin Patch:",
            "**** Begin Patch",
            "***Begin Patch",
            "\\*\\*\\* Begin Patch",
            "`*** Begin Patch`",
            "- *** Begin Patch",
            "***\u{a0}Begin Patch",
            "apply_patch(\"\"\"*** Begin Patch",
        ] {
            assert_eq!(near(line), Some(Marker::Begin), "{line}");
        }
        assert_eq!(near("*** END PATCH"), Some(Marker::End));
        for line in [
            "*** Begin Patch",
            "*** End Patch",
            "+*** begin patch",
            "*** Begin Patches",
            "***begin***",
            "**Begin patch**",
            "Write `*** Begin Patch` first.",
            "",
        ] {
            assert_eq!(near(line), None, "{line}");
        }
    }

    #[test]
    fn a_line_is_a_marker_by_its_first_words() {
        assert_eq!(marker("*** Begin Patch "), Some(Marker::Begin));
        assert_eq!(marker("*** Update File: a b.py"), Some(Marker::File(Action::Update, "a b.py")));
        assert_eq!(marker("*** Add File:a.py"), Some(Marker::File(Action::Add, "a.py")));
        assert_eq!(marker("*** Delete File: `a.py`"), Some(Marker::File(Action::Delete, "a.py")));
        assert_eq!(marker("*** Move to: b.py"), Some(Marker::MoveTo("b.py")));
        assert_eq!(marker("*** Rename File: a"), Some(Marker::Unknown));
        assert_eq!(marker("@@"), Some(Marker::Chunk("")));
        assert_eq!(marker("@@ def f():"), Some(Marker::Chunk("def f():")));
        for line in ["***", "** Begin Patch", "@@x", "-@@", "", " *** Begin Patch"] {
            assert_eq!(marker(line), None, "{line}");
        }
        assert_eq!(numbered("-12,3 +12,4 @@ fn x"), Some(12));
        assert_eq!(numbered("def f():"), None);
    }
}
