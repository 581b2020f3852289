//! Where else in a file a hunk would fit, in bounded time.

use super::super::{Issue, Repair};
use super::apply::{first, old_side, same};
use crate::command::patch::{Patch, PatchLine, render};
use crate::path::FilePath;
use crate::spec::FieldRole;

/// How many lines are compared before the search is given up.
const COMPARISONS: usize = 2_000_000;

/// The issue with the one other place where hunk `index` fits, if there is exactly one between its
/// neighbours.
pub(super) fn suggest(
    issue: Box<Issue>,
    old: &[&str],
    patch: &Patch,
    index: usize,
    path: &FilePath,
) -> Box<Issue> {
    let hunk = &patch.hunks[index];
    let wanted: Vec<&PatchLine> = old_side(hunk).collect();
    let from = match index.checked_sub(1) {
        Some(before) => first(&patch.hunks[before]) + patch.hunks[before].old_lines,
        None => 0,
    };
    let until = patch.hunks.get(index + 1).map_or(old.len(), first).min(old.len());
    let Some(place) = only_place(old, &wanted, from, until) else { return issue };
    let line = place + 1;
    let mut moved = patch.clone();
    let hunk = &mut moved.hunks[index];
    let by = (hunk.old_start, line);
    hunk.old_start = line;
    hunk.new_start = (hunk.new_start + by.1).saturating_sub(by.0);
    let mut issue = issue.detail("fits", line).related("the hunk fits here", path, line);
    issue.message.push_str(&format!("; the hunk fits exactly at line {line}"));
    issue.repair = Some(Repair {
        title: format!("Move hunk {} to line {line}", index + 1),
        field: FieldRole::Patch,
        value: render(&moved),
    });
    issue
}

/// The 0-based line in `from..until` at which all of `wanted` is, where there is exactly one.
fn only_place(old: &[&str], wanted: &[&PatchLine], from: usize, until: usize) -> Option<usize> {
    let last = until.checked_sub(wanted.len())?;
    let mut budget = COMPARISONS;
    let mut only = None;
    if wanted.is_empty() {
        return None;
    }
    for start in from..=last {
        let fits = old[start..].iter().zip(wanted).all(|(line, wanted)| {
            budget = budget.saturating_sub(1);
            same(line, wanted)
        });
        if budget == 0 {
            return None;
        }
        if fits && only.replace(start).is_some() {
            return None;
        }
    }
    only
}
