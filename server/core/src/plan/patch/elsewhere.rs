//! Where else in a file a hunk would fit.

use std::ops::Range;

use super::super::{Issue, Remedy, Repair};
use super::apply::{first, old_side};
use crate::command::patch::{Patch, PatchLine, render};
use crate::path::FilePath;
use crate::place::Lines;
use crate::spec::FieldRole;

/// The issue with the one other place where hunk `index` fits, if there is exactly one between its
/// neighbours.
pub(super) fn suggest(
    issue: Box<Issue>,
    text: &str,
    patch: &Patch,
    index: usize,
    path: &FilePath,
) -> Box<Issue> {
    let hunk = &patch.hunks[index];
    let wanted: Vec<&PatchLine> = old_side(hunk).collect();
    let lines = Lines::of_target(text);
    let from = match index.checked_sub(1) {
        Some(before) => first(&patch.hunks[before]) + patch.hunks[before].old_lines,
        None => 0,
    };
    let until = patch.hunks.get(index + 1).map_or(lines.len(), first);
    let Some(place) = only_place(&lines, text, &wanted, from..until) else { return issue };
    let line = place + 1;
    let mut moved = patch.clone();
    let hunk = &mut moved.hunks[index];
    let by = (hunk.old_start, line);
    hunk.old_start = line;
    hunk.new_start = (hunk.new_start + by.1).saturating_sub(by.0);
    let mut issue = issue.detail("fits", line).related("the hunk fits here", path, line);
    issue.message.push_str(&format!("; the hunk fits exactly at line {line}"));
    issue.repairs.push(Repair {
        title: format!("Move hunk {} to line {line}", index + 1),
        remedy: Remedy::Values(vec![(FieldRole::Patch, render(&moved))]),
        is_choice: false,
    });
    issue
}

/// The 0-based line in `within` at which all of `wanted` is, where there is exactly one.
fn only_place(
    lines: &Lines<'_>,
    text: &str,
    wanted: &[&PatchLine],
    within: Range<usize>,
) -> Option<usize> {
    let (last, others) = wanted.split_last()?;
    if others.iter().any(|line| line.no_newline) {
        return None;
    }
    let texts: Vec<&str> = wanted.iter().map(|line| line.text.as_str()).collect();
    let open = |end: usize| end == lines.len() && !text.ends_with('\n');
    let mut places = lines.places(&texts, within);
    places.retain(|place| open(place + wanted.len()) == last.no_newline);
    if let [only] = places[..] { Some(only) } else { None }
}
