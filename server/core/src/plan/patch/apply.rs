//! The text that a patch makes of another, or the line that does not fit.

use super::super::Issue;
use super::{elsewhere, mismatch};
use crate::command::patch::{Hunk, LineKind, Patch, PatchLine};
use crate::path::FilePath;
use crate::place::like;
use crate::text::lines::{self, Ending};
use crate::text::one_line;

/// Carries the hunks out, each exactly where its header says.
pub(super) fn apply(text: &str, patch: &Patch, path: &FilePath) -> Result<String, Box<Issue>> {
    let old: Vec<&str> = lines::with_endings(text).collect();
    let ending = Ending::dominant(text);
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for (index, hunk) in patch.hunks.iter().enumerate() {
        let start = first(hunk);
        if let Some(wrong) = first_mismatch(&old, hunk, start) {
            let issue = wrong.issue(index, hunk, path, old.len());
            return Err(elsewhere::suggest(issue, text, patch, index, path));
        }
        joins_no_lines(&old, hunk, start, index)?;
        old[done..start].iter().for_each(|line| result.push_str(line));
        write_hunk(&mut result, &old[start..start + hunk.old_lines], hunk, ending);
        done = start + hunk.old_lines;
    }
    old[done..].iter().for_each(|line| result.push_str(line));
    Ok(result)
}

/// The 0-based line that a hunk begins at.
pub(super) fn first(hunk: &Hunk) -> usize {
    hunk.old_start - usize::from(hunk.old_lines > 0)
}

/// The lines of a hunk that are in the old file.
pub(super) fn old_side(hunk: &Hunk) -> impl Iterator<Item = &PatchLine> {
    hunk.lines.iter().filter(|line| line.kind.is_old())
}

/// Whether a line of the file is the one that the patch has.
fn same(line: &str, wanted: &PatchLine) -> bool {
    lines::without_ending(line) == wanted.text && line.ends_with('\n') != wanted.no_newline
}

/// A line that does not fit.
struct Mismatch<'a> {
    /// The 1-based line of the file.
    line: usize,
    wanted: Option<&'a PatchLine>,
    found: Option<&'a str>,
}

fn first_mismatch<'a>(old: &[&'a str], hunk: &'a Hunk, start: usize) -> Option<Mismatch<'a>> {
    if start > old.len() {
        return Some(Mismatch { line: hunk.old_start, wanted: old_side(hunk).next(), found: None });
    }
    old_side(hunk).enumerate().find_map(|(at, wanted)| {
        let found = old.get(start + at).copied();
        let fits = found.is_some_and(|line| same(line, wanted));
        (!fits).then_some(Mismatch { line: start + at + 1, wanted: Some(wanted), found })
    })
}

impl Mismatch<'_> {
    fn issue(&self, index: usize, hunk: &Hunk, path: &FilePath, total: usize) -> Box<Issue> {
        let line = self.line;
        let quoted = |text: &str| format!("`{}`", one_line::excerpt(text, 100));
        let wanted = self.wanted.map_or_else(String::new, |wanted| wanted.text.clone());
        let hunk_name = format!("hunk {} (line {} of the patch)", index + 1, hunk.header_line);
        let Some(found) = self.found else {
            let total = one_line::count(total, "line");
            let message = format!("{hunk_name} needs line {line}, and the file has {total}");
            return mismatch(message).detail("hunk", index + 1).detail("line", line);
        };
        let found_text = lines::without_ending(found);
        let message = if found_text == wanted {
            let (has, not) = if found.ends_with('\n') {
                ("ends", "says it does not")
            } else {
                ("does not end", "lacks `\\ No newline at end of file` after it")
            };
            format!(
                "{hunk_name}: line {line} of the file {has} with a newline, and the patch {not}"
            )
        } else {
            let differs = like::differs(found_text, &wanted).join(" and ");
            let (found, wanted) = (quoted(found_text), quoted(&wanted));
            format!(
                "{hunk_name}: line {line} differs in {differs}: expected {wanted}, found {found}"
            )
        };
        mismatch(message)
            .detail("hunk", index + 1)
            .detail("line", line)
            .detail("expected", wanted)
            .detail("found", found_text)
            .related("the line that differs", path, line)
    }
}

/// Refuses lines that would be glued to a last line without a newline, or one marked as the file's
/// end in the middle of it.
fn joins_no_lines(old: &[&str], hunk: &Hunk, start: usize, index: usize) -> Result<(), Box<Issue>> {
    let name = format!("hunk {} (line {} of the patch)", index + 1, hunk.header_line);
    let open = |line: &&str| !line.ends_with('\n');
    let adds = hunk.lines.iter().any(|line| line.kind == LineKind::Added);
    if hunk.old_lines == 0 && adds && start == old.len() && old.last().is_some_and(open) {
        return Err(mismatch(format!(
            "{name} adds lines after line {start}, which has no newline; remove that line with \
             `\\ No newline at end of file` after it, and add it again"
        )));
    }
    let ends = hunk.lines.iter().any(|line| line.kind.is_new() && line.no_newline);
    if ends && start + hunk.old_lines < old.len() {
        return Err(mismatch(format!(
            "{name} marks a line as the file's end, and the file goes on after it"
        )));
    }
    Ok(())
}

/// Writes what the lines `old` become. An added line ends as the removed line in whose place it
/// is, else as the file's lines do.
fn write_hunk(result: &mut String, old: &[&str], hunk: &Hunk, dominant: Ending) {
    let mut old = old.iter();
    let mut removed: Vec<Ending> = Vec::new();
    let mut added = 0;
    for line in &hunk.lines {
        match line.kind {
            LineKind::Context => {
                removed.clear();
                added = 0;
                result.push_str(old.next().copied().unwrap_or_default());
            }
            LineKind::Removed => {
                removed.extend(old.next().and_then(|line| Ending::of_line(line)));
            }
            LineKind::Added => {
                let common = removed.first().filter(|first| removed.iter().all(|e| e == *first));
                let ending = removed.get(added).or(common).copied().unwrap_or(dominant);
                added += 1;
                result.push_str(&line.text);
                result.push_str(if line.no_newline { "" } else { ending.as_str() });
            }
        }
    }
}
