//! `file_replace_text` and its like: another text in the place of one that is there.

use std::collections::BTreeSet;

use serde_json::json;

use super::context::{Context, Written, shown};
use super::edits::Running;
use super::spliced::Spliced;
use super::{Issue, Outcome, Plan, summary};
use crate::command::Wanted;
use crate::edit::ChangeSet;
use crate::problem::{
    PLAN_COUNT_MISMATCH, PLAN_NO_CHANGE, PLAN_NO_PATHS, PLAN_TEXT_EMPTY, PLAN_TEXT_NOT_FOUND,
    PLAN_TOO_MANY_FILES,
};
use crate::text::find;
use crate::text::lines;

/// Replaces in one file, if the text is there as often as it has to be.
pub(super) fn one(
    context: &Context<'_>,
    written: &str,
    (old, new): (&str, &str),
    wanted: Wanted,
) -> Result<Plan, Box<Issue>> {
    not_empty(old, "old_text")?;
    context.check_payload(old.len() + new.len(), "new_text")?;
    let (path, before) = context.file(written)?;
    let running = Running::of(context, &path, "old_text");
    let mut text = Spliced::new(before.text.to_string());
    let count = match wanted {
        Wanted::Once => {
            running.replace_one(&mut text, old, new)?;
            1
        }
        _ => {
            context.work.add(before.text.len(), "old_text")?;
            let count = count(&before.text, old);
            if let Wanted::Exactly(expected) = wanted
                && expected != count
            {
                let message = format!(
                    "the text is in `{}` {}, and {expected} is asked for",
                    shown(&path),
                    summary::count(count, "time")
                );
                let issue = Issue::new(PLAN_COUNT_MISMATCH, "count", message);
                return Err(issue.detail("expected", expected).detail("matches", count));
            }
            if count > 0 {
                text = Spliced::new(running.replace_all(&text, old, new)?);
            }
            count
        }
    };
    let after = before.with_text(text.into_string());
    let written_at = Written { verb: "edited", path, field: "new_text", texts: vec![new] };
    let plan = context.edited(written_at, before, after)?;
    Ok(plan.with(json!({"path": written, "replacements": count})))
}

/// Replaces in several files; what keeps one from being changed keeps all.
pub(super) fn several(
    context: &Context<'_>,
    paths: &[String],
    (old, new): (&str, &str),
) -> Result<Plan, Box<Issue>> {
    not_empty(old, "old_text")?;
    if paths.is_empty() {
        return Err(no_paths());
    }
    let limit = context.limits.files_per_command;
    if paths.len() > limit {
        let message = format!("{} files, and the limit for one command is {limit}", paths.len());
        return Err(Issue::new(PLAN_TOO_MANY_FILES, "path", message).detail("limit", limit));
    }
    let mut results = Vec::new();
    let mut plans = Vec::new();
    let mut first: Option<Box<Issue>> = None;
    let mut seen = BTreeSet::new();
    // A transcript holds the text of each of its own blocks.
    let transcript = context.transcript();
    let mut left_out = false;
    for path in paths {
        // A file that is named twice is changed once.
        let resolved = context.resolve(path, "path").ok();
        let is_transcript = resolved.is_some() && resolved == transcript;
        left_out |= is_transcript;
        if is_transcript || resolved.as_ref().is_some_and(|path| seen.contains(path)) {
            results.push(json!({"path": path, "replacements_made": 0}));
            continue;
        }
        match one(context, path, (old, new), Wanted::Any) {
            Ok(plan) => {
                let count = &plan.outcome.data["replacements"];
                results.push(json!({"path": path, "replacements_made": count}));
                seen.extend(resolved);
                plans.push(plan);
            }
            Err(issue) => {
                results.push(json!({
                    "path": path, "replacements_made": 0,
                    "error": {"path": path, "code": issue.code.as_str(), "message": issue.message}
                }));
                first.get_or_insert(issue);
            }
        }
    }
    if let Some(issue) = first {
        return Err(issue.detail("results", results));
    }
    let (mut changes, mut remarks, mut targets) = (ChangeSet::default(), Vec::new(), Vec::new());
    for plan in plans {
        changes.append(plan.changes);
        // One file without the text is nothing to speak of while another has it.
        remarks.extend(plan.remarks.into_iter().filter(|remark| remark.code != PLAN_NO_CHANGE));
        targets.extend(plan.targets);
    }
    if left_out {
        let message = "this transcript is one of the files and is left as it is".to_owned();
        remarks.push(*Issue::warning(PLAN_NO_CHANGE, "path", message));
    }
    if changes.is_empty() {
        let message = "the text is in none of these files".to_owned();
        remarks.push(*Issue::warning(PLAN_NO_CHANGE, "old_text", message));
    }
    let rest = format!(" of {}", summary::count(paths.len(), "file"));
    let summary = summary::summary("edited", &changes.len().to_string(), &rest);
    let outcome = Outcome::new(summary).with(json!({"results": results}));
    Ok(Plan { changes, outcome, remarks, targets, program: None })
}

/// Replaces a stretch, from a text that is there once to one that is there once after it.
pub(super) fn range(
    context: &Context<'_>,
    written: &str,
    (beginning, end): (&str, &str),
    new: &str,
) -> Result<Plan, Box<Issue>> {
    not_empty(beginning, "old_text_beginning")?;
    not_empty(end, "old_text_end")?;
    context.check_payload(new.len(), "new_text")?;
    let (path, before) = context.file(written)?;
    let text = &before.text;
    let first = Running::of(context, &path, "old_text_beginning").the_one(text, beginning)?;
    let rest = &text[first.end..];
    let line = lines::number_at(text, first.end);
    let running = Running::of(context, &path, "old_text_end").below(line - 1);
    let last = running.the_one(rest, end).map_err(|mut issue| {
        if issue.code == PLAN_TEXT_NOT_FOUND {
            issue.message = format!("the end is not in `{}` from line {line} on", shown(&path));
            issue.related.clear();
        }
        issue
    })?;
    let span = first.start..first.end + last.end;
    let mut spliced = Spliced::new(text.to_string());
    let new_text =
        crate::text::replacement::with_endings_of(&text[span.clone()], new, spliced.dominant());
    spliced.splice(span, &new_text);
    let after = before.with_text(spliced.into_string());
    let written_at = Written { verb: "edited", path, field: "new_text", texts: vec![new] };
    let plan = context.edited(written_at, before, after)?;
    Ok(plan.with(json!({"path": written, "replacements": 1})))
}

/// How many times a text is in another, none overlapping another.
fn count(text: &str, old: &str) -> usize {
    let haystack = find::Haystack::new(text, old);
    find::each(&haystack, old).count()
}

fn not_empty(text: &str, field: &'static str) -> Result<(), Box<Issue>> {
    if !text.is_empty() {
        return Ok(());
    }
    let message = format!("`{field}` is empty: the empty text is everywhere");
    Err(Issue::new(PLAN_TEXT_EMPTY, field, message).detail("parameter", field))
}

/// The issue of a list of files that has none.
pub(super) fn no_paths() -> Box<Issue> {
    Issue::new(PLAN_NO_PATHS, "path", "no file is named: `paths` has one on each line")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_counted_as_they_are_replaced() {
        assert_eq!(count("aaaa", "aa"), 2);
        assert_eq!(count("a\r\nb\r\n", "\n"), 2);
        assert_eq!(count("abc", "x"), 0);
    }
}
