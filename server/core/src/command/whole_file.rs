//! Whole files: all of a file's text, or all but what marks are in the place of.

/// The text of a file as a block has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeFile {
    /// The lines, each with `\n`.
    pub text: String,
    /// The line before them that names the file. It is a line of the file only where the file
    /// begins with it.
    pub path_line: Option<String>,
    /// The first of them, counted from 0, that is a comment with the path of another file.
    pub names_other: Option<usize>,
    /// Those of them that name another file as the block names its own, without a directory, and the name:
    /// where that file is there, it is meant.
    pub may_name_other: Vec<(usize, String)>,
    /// The language that its block says, where that is another one than the file's.
    pub marked: Option<String>,
    /// What the block says of whether the file is there.
    pub there: There,
    /// Whether the block says that the file is or may be there, and not that this is all of it.
    pub may_be_part: bool,
    /// Whether marks are in the place of what stays as it is.
    pub elides: bool,
}

/// Whether the file of a block is there, as the block says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum There {
    /// It is.
    Yes,
    /// It is not: it is new.
    No,
    /// It may be or not.
    Either,
}
