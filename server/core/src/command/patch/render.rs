//! A patch as text.

use std::fmt::Write;

use super::header::{Ranges, file_text};
use super::{Hunk, Patch};

/// The patch as a unified diff that [`super::parse()`] reads back.
pub fn render(patch: &Patch) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    if let (Some(old), Some(new)) = (&patch.old, &patch.new) {
        let _ = write!(out, "--- {}\n+++ {}\n", file_text(old), file_text(new));
    }
    for hunk in &patch.hunks {
        let Hunk { old_start, old_lines, new_start, new_lines, .. } = *hunk;
        let _ = writeln!(out, "{}", Ranges { old_start, old_lines, new_start, new_lines });
        for line in &hunk.lines {
            let _ = writeln!(out, "{}{}", line.kind.mark(), line.text);
            if line.no_newline {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
    out
}
