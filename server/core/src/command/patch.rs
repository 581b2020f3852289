//! Single-file unified diffs, parsed.

pub(crate) mod header;
mod parse;
mod render;

pub use parse::parse;
pub use render::render;

/// A unified diff for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The old file of the `---` header: `None` without headers.
    pub old: Option<PatchFile>,
    /// The new file of the `+++` header: `None` without headers.
    pub new: Option<PatchFile>,
    /// The hunks, in the order of the text.
    pub hunks: Vec<Hunk>,
}

/// A file as a header names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchFile {
    /// `/dev/null`: the file is not there on this side.
    Null,
    /// A path, with `a/` or `b/` still before it where it is.
    Path(String),
}

/// One hunk: `@@ -old_start,old_lines +new_start,new_lines @@`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The first line in the old file, from 1; the line before the hunk where it has no old lines.
    pub old_start: usize,
    /// How many lines of the old file the hunk covers.
    pub old_lines: usize,
    /// The first line in the new file, from 1.
    pub new_start: usize,
    /// How many lines of the new file the hunk covers.
    pub new_lines: usize,
    /// The lines.
    pub lines: Vec<PatchLine>,
    /// The 1-based line of the header in the patch text.
    pub header_line: usize,
}

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchLine {
    /// What becomes of the line.
    pub kind: LineKind,
    /// The line without its first character and without its ending.
    pub text: String,
    /// Whether `\ No newline at end of file` follows.
    pub no_newline: bool,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// It stays.
    Context,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

/// Why a text is not a single-file unified diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchError {
    /// What is wrong.
    pub message: String,
    /// The 1-based line in the decoded text.
    pub line: usize,
    /// The whole patch with its hunk headers recounted, where that alone makes it sound.
    pub recounted: Option<String>,
}

impl PatchFile {
    /// The path without the `a/` or `b/` that diffs put before it; `None` for `/dev/null`.
    pub fn stripped(&self) -> Option<&str> {
        match self {
            PatchFile::Null => None,
            PatchFile::Path(path) => {
                Some(path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path))
            }
        }
    }
}

impl LineKind {
    /// The character that is before such a line.
    pub fn mark(self) -> char {
        match self {
            LineKind::Context => ' ',
            LineKind::Removed => '-',
            LineKind::Added => '+',
        }
    }

    /// Whether such a line is in the old file.
    pub fn is_old(self) -> bool {
        self != LineKind::Added
    }

    /// Whether such a line is in the new file.
    pub fn is_new(self) -> bool {
        self != LineKind::Removed
    }
}

impl Hunk {
    /// How many old and new lines the body has, whatever the header says.
    pub fn counts(&self) -> (usize, usize) {
        let old = self.lines.iter().filter(|line| line.kind.is_old()).count();
        let new = self.lines.iter().filter(|line| line.kind.is_new()).count();
        (old, new)
    }
}

#[cfg(test)]
mod tests;
