//! Targets: what a structure is addressed by, and which structures a target fits.

mod forms;
mod index;
mod prose;
mod unique;

pub use index::Index;

use crate::outline::Outline;

/// A target taken apart: one line for each level, outermost first; none for the whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// The lines, trimmed; blank ones are left out.
    pub lines: Vec<String>,
}

/// What is between a file and the lines of the target that a path keeps to.
pub const INTO: &str = "@@";

/// A path and the target that it keeps to, if it does: `file.md@@# A@@## B`.
pub fn within(path: &str) -> (&str, Option<String>) {
    match path.split_once(INTO) {
        None => (path, None),
        Some((file, target)) => (file, Some(target.replace(INTO, "\n"))),
    }
}

/// The path that keeps to a target: the one that [`within`] takes apart into these two.
pub fn path_within(path: &str, target: &str) -> String {
    format!("{path}{INTO}{}", target.replace('\n', INTO))
}

/// What a target came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// The whole file: the target is empty.
    File,
    /// These structures, at least one, in the order of the text.
    Structures(Vec<usize>),
    /// Nothing; how many of the lines fitted something, and what the last of these fitted.
    Nothing {
        /// How many lines fitted, from the first.
        fitted: usize,
        /// The structures that the last line that fitted came to.
        parents: Vec<usize>,
    },
}

impl Target {
    /// Takes a target apart.
    pub fn parse(target: &str) -> Target {
        let lines = target.lines().map(str::trim).filter(|line| !line.is_empty());
        Target { lines: lines.map(str::to_owned).collect() }
    }
}

/// Splits ` [n]` off the end of a line; `n` counts from 1.
fn numbered(line: &str) -> Option<(&str, usize)> {
    let (rest, number) = line.strip_suffix(']')?.rsplit_once('[')?;
    let number = number.parse().ok().filter(|number| *number > 0)?;
    let rest = rest.strip_suffix([' ', '\t'])?.trim_end();
    (!rest.is_empty()).then_some((rest, number))
}

/// The places of structures inside `parent`, directly or deeper.
fn inside(outline: &Outline, parent: usize) -> std::ops::Range<usize> {
    let end = outline.structures[parent].extent.end;
    let rest = &outline.structures[parent + 1..];
    let count = rest.partition_point(|structure| structure.extent.start < end);
    parent + 1..parent + 1 + count
}
