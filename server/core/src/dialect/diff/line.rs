//! What the lines of a diff are outside of its hunks, by how they begin.

use crate::command::patch::header::Ranges;
pub(crate) use crate::command::patch::header::names_files;
use crate::text::fence::Fence;

/// A line before the hunks of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header<'a> {
    /// `diff --git a/x b/x`
    Git(&'a str),
    /// `--- a/x`, before a line `+++ b/x`
    Old(&'a str),
    /// `+++ b/x`
    New(&'a str),
    /// `rename from x`, `copy from x`
    From(&'a str),
    /// `rename to x`, `copy to x`
    To(&'a str),
    /// `new file mode 100644`, with the mode
    NewFile(&'a str),
    /// `deleted file mode 100644`, with the mode
    DeletedFile(&'a str),
    /// `old mode 100644`
    OldMode,
    /// `new mode 100755`, with the mode
    NewMode(&'a str),
    /// `GIT binary patch`, or that binary files differ
    Binary,
    /// `index 1234567..89abcde 100644`, with the mode, where it is there
    Index(&'a str),
    /// `similarity index 90%` and the like, which say nothing about lines
    Other,
}

/// The header that a line is; `--- ` and `+++ ` are headers by the lines around them.
pub fn header<'a>(line: &'a str) -> Option<Header<'a>> {
    const OTHER: [&str; 5] =
        ["similarity index ", "dissimilarity index ", "Index: ", "=====", "diff "];
    let mode_of = |hashes: &'a str| hashes.split(' ').nth(1).unwrap_or_default();
    let after = |start: &str| line.strip_prefix(start);
    let found = [
        after("diff --git ").map(Header::Git),
        after("rename from ").or_else(|| after("copy from ")).map(Header::From),
        after("rename to ").or_else(|| after("copy to ")).map(Header::To),
        after("new file mode ").map(Header::NewFile),
        after("deleted file mode ").map(Header::DeletedFile),
        after("index ").map(|rest| Header::Index(mode_of(rest))),
        after("old mode ").map(|_| Header::OldMode),
        after("new mode ").map(Header::NewMode),
        after("GIT binary patch").or_else(|| after("Binary files ")).map(|_| Header::Binary),
    ];
    let other = || OTHER.iter().any(|start| line.starts_with(start)).then_some(Header::Other);
    found.into_iter().flatten().next().or_else(other)
}

/// Whether the part of a diff that is about one file begins with a line.
pub fn begins_file(line: &str) -> bool {
    line.starts_with("diff ") || line.starts_with("Index: ")
}

/// Whether a commit begins with a line, in a log of git or a mail of it.
pub fn begins_commit(line: &str) -> bool {
    let rest = line.strip_prefix("commit ").or_else(|| line.strip_prefix("From "));
    let hash = rest.and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The numbers that a hunk's header states; `Some(None)` for `@@` without them.
pub fn hunk(line: &str) -> Option<Option<Ranges>> {
    let is_hunk = line.starts_with("@@") && !line.starts_with("@@@");
    is_hunk.then(|| Ranges::parse(line).map(|(ranges, _)| ranges))
}

/// Whether a line is the header of a hunk with numbers, and the line after it one of the hunk.
pub fn is_stray(line: &str, next: &str) -> bool {
    matches!(hunk(line), Some(Some(_))) && next.starts_with([' ', '+', '-'])
}

/// Whether a line may be of a hunk, or begin one.
pub fn is_signed(line: &str) -> bool {
    line.starts_with([' ', '+', '-', '\\']) || line.starts_with("@@")
}

/// The fence of a diff that a line opens.
pub fn fence(line: &str) -> Option<Fence<'_>> {
    let word = |fence: &Fence<'_>| fence.info.split([' ', ':', '\t']).next().map(str::to_lowercase);
    Fence::of(line)
        .filter(|fence| matches!(word(fence).as_deref(), Some("diff" | "patch" | "udiff")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_header_by_its_first_words() {
        assert_eq!(header("diff --git a/x b/x"), Some(Header::Git("a/x b/x")));
        assert_eq!(header("rename to b c"), Some(Header::To("b c")));
        assert_eq!(header("deleted file mode 100644"), Some(Header::DeletedFile("100644")));
        assert_eq!(header("index 123..456 100644"), Some(Header::Index("100644")));
        assert_eq!(header("index 123..456"), Some(Header::Index("")));
        for line in ["", "--- a/x", "+++ b/x", " index 1..2", "rename", "@@"] {
            assert_eq!(header(line), None, "{line}");
        }
    }

    #[test]
    fn a_commit_has_a_hash() {
        for line in ["commit 0123abc", "From 0123456789abcdef Mon Sep 17 00:00:00 2001"] {
            assert!(begins_commit(line), "{line}");
        }
        for line in ["commit", "commit it now", "From here", " commit 0123abc", "commits 0123abc"] {
            assert!(!begins_commit(line), "{line}");
        }
    }

    #[test]
    fn a_hunk_has_numbers_or_none() {
        let numbers = |line| hunk(line).map(|ranges| ranges.map(|it| (it.old_start, it.new_lines)));
        assert_eq!(numbers("@@ -3,2 +3,4 @@ fn f()"), Some(Some((3, 4))));
        for line in ["@@", "@@ ... @@", "@@ def f():", "@@ -1,2 @@"] {
            assert_eq!(numbers(line), Some(None), "{line}");
        }
        for line in ["@@@ -1,2 -1,2 +1,3 @@@", "", "-@@"] {
            assert_eq!(numbers(line), None, "{line}");
        }
    }

    #[test]
    fn a_fence_of_a_diff_says_so() {
        for line in ["```diff", "~~~ patch", "```diff src/a.py", "```diff:src/a.py", "```Diff"] {
            assert!(fence(line).is_some(), "{line}");
        }
        for line in ["```", "```python", "```different", "diff"] {
            assert!(fence(line).is_none(), "{line}");
        }
    }
}
