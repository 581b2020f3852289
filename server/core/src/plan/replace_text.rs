//! `file_replace_text` and its like: another text in the place of one that is there.

use super::Issue;
use super::context::{Context, shown};
use super::edit::Edited;
use super::edits::Running;
use super::spliced::Spliced;
use crate::command::Wanted;
use crate::path::FilePath;
use crate::problem::{PLAN_COUNT_MISMATCH, PLAN_TEXT_EMPTY, PLAN_TEXT_NOT_FOUND};
use crate::spec::FieldRole;
use crate::text::{Content, find, lines, one_line, replacement};

/// The text with another in place of one, if that is there as often as it must be.
pub(super) fn counted(
    context: &Context<'_>,
    path: &FilePath,
    before: &Content,
    (old, new): (&str, &str),
    wanted: Wanted,
) -> Edited {
    let running = Running::of(context, path, FieldRole::OldText);
    let mut text = Spliced::new(before.text.to_string());
    if wanted == Wanted::Once {
        running.replace_one(&mut text, old, new)?;
        return Ok((text.into_string(), Some(1)));
    }
    context.work.add(before.text.len(), FieldRole::OldText)?;
    let count = count(&before.text, old);
    if let Wanted::Exactly(expected) = wanted
        && expected != count
    {
        let message = format!(
            "the text is in `{}` {}, and {expected} is asked for",
            shown(path),
            one_line::count(count, "time")
        );
        let issue = Issue::new(PLAN_COUNT_MISMATCH, FieldRole::ExpectedCount, message);
        return Err(issue.detail("expected", expected).detail("matches", count));
    }
    let text = match count {
        0 => text.into_string(),
        _ => running.replace_all(&text, old, new)?,
    };
    Ok((text, Some(count)))
}

/// The text with another in place of a stretch, from a text that is there once to one that is
/// there once after it.
pub(super) fn range(
    context: &Context<'_>,
    path: &FilePath,
    before: &Content,
    (beginning, end): (&str, &str),
    new: &str,
) -> Edited {
    let text = &before.text;
    let first = Running::of(context, path, FieldRole::OldTextBeginning).the_one(text, beginning)?;
    let rest = &text[first.end..];
    let line = lines::number_at(text, first.end);
    let running = Running::of(context, path, FieldRole::OldTextEnd).below(line - 1);
    let last = running.the_one(rest, end).map_err(|mut issue| {
        if issue.code == PLAN_TEXT_NOT_FOUND {
            issue.message = format!("the end is not in `{}` from line {line} on", shown(path));
            issue.related.clear();
        }
        issue
    })?;
    let span = first.start..first.end + last.end;
    let mut spliced = Spliced::new(text.to_string());
    let new_text = replacement::with_endings_of(&text[span.clone()], new, spliced.dominant());
    spliced.splice(span, &new_text);
    Ok((spliced.into_string(), Some(1)))
}

/// How many times a text is in another, none overlapping another.
fn count(text: &str, old: &str) -> usize {
    let haystack = find::Haystack::new(text, old);
    find::each(&haystack, old).count()
}

/// Refuses an empty text in `field`.
pub(super) fn not_empty(text: &str, field: FieldRole) -> Result<(), Box<Issue>> {
    if !text.is_empty() {
        return Ok(());
    }
    let message = format!("`{}` is empty: the empty text is everywhere", field.name());
    Err(Issue::new(PLAN_TEXT_EMPTY, field, message).detail("parameter", field.name()))
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
