//! One file of a prompt: its text, or its outline.

use std::fmt::Write as _;

use super::File;
use crate::snapshot::Snapshot;

/// The shortest fence.
const FENCE: usize = 3;

impl File {
    /// Its path, its fingerprint and its text.
    pub(super) fn text(&self) -> String {
        let fingerprint = self.content.fingerprint();
        let language = self.language().map_or("", |language| language.name);
        let text = fenced(language, &self.content.text);
        format!("\n## {}\n\n{fingerprint}\n\n{text}", self.heading())
    }

    /// Its path and its structures, each with its lines; `None` where no grammar is known for it or
    /// it has no structures.
    pub(super) fn outline(&self, snapshot: &dyn Snapshot) -> Option<String> {
        let parsed = snapshot.parsed(&self.path, self.language()?, self.content.clone()).ok()?;
        let listing = parsed.listing();
        if listing.is_empty() {
            return None;
        }
        let mut lines = String::new();
        for one in &listing {
            let ([first, last], indent) = (one.line_range_inclusive, 2 * one.depth);
            let _ = writeln!(lines, "{first}-{last}: {:indent$}{}", "", one.line());
        }
        let what = "Only its outline, each structure with its lines:";
        Some(format!("\n## {}\n\n{what}\n\n{}", self.heading(), fenced("", &lines)))
    }

    /// Its path as it is in a heading: on one line, and between backticks where it has a blank.
    fn heading(&self) -> String {
        let mut name = String::with_capacity(self.name.len());
        for char in self.name.chars() {
            match char.is_control() {
                true => name.extend(char.escape_unicode()),
                false => name.push(char),
            }
        }
        if name.contains(' ') { format!("`{name}`") } else { name }
    }

    fn language(&self) -> Option<&'static operator_grammars::Language> {
        let first_line = self.content.text.lines().next().unwrap_or_default();
        operator_grammars::of_file(&self.path.path, first_line)
    }
}

/// A text in a fence that is longer than any run of its sign in the text.
pub(super) fn fenced(language: &str, text: &str) -> String {
    let runs = text.split(|sign| sign != '`').map(str::len);
    let fence = "`".repeat(FENCE.max(runs.max().unwrap_or_default() + 1));
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}
