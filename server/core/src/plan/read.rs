//! Steps that read a file's text.

use serde_json::json;

use super::context::{Context, shown};
use super::numbered::{Lines, numbered};
use super::{Fact, Issue, Plan};
use crate::command::ReadLines;
use crate::path::{FilePath, State};
use crate::problem::PLAN_RANGE_OUT_OF_BOUNDS;
use crate::spec::FieldRole;
use crate::text::{Content, lines, one_line};

/// The lines that are wanted, after their numbers where `delimiter` is given; the whole text
/// exactly, without the byte order mark.
pub(super) fn plan(
    context: &Context<'_>,
    written: &str,
    wanted: &ReadLines,
    delimiter: Option<&str>,
) -> Result<Plan, Box<Issue>> {
    let named = match wanted {
        ReadLines::Named { lines, .. } => Some(Lines::parse(lines)?),
        ReadLines::All | ReadLines::From { .. } => None,
    };
    let (path, content) = context.file(written)?;
    let total = lines::count(&content.text);
    let (range, part) = match (wanted, named) {
        (ReadLines::From { start, count }, _) => {
            let range = slice(context, &path, total, (*start, *count))?;
            (Some(range), Some((range.first, range.last.min(total))).filter(|_| total > 0))
        }
        (_, named) => (named, None),
    };
    let text = match (range, delimiter) {
        (None, None) => content.text.to_string(),
        (range, delimiter) => numbered(&content.text, range, delimiter),
    };
    if let (ReadLines::Named { clip: false, .. }, Some(range)) = (wanted, range)
        && range.last > total
        && total > 0
    {
        return Err(beyond(&path, total, range, (written, text)));
    }
    Ok(read(path, &content, (text, part, total)))
}

fn read(
    path: FilePath,
    content: &Content,
    (text, lines, total): (String, Option<(usize, usize)>, usize),
) -> Plan {
    let fingerprint = content.fingerprint();
    let fact = Fact::Read { path: path.clone(), text, lines, total, fingerprint };
    Plan::of_reading(path, State::File(fingerprint), fact)
}

/// Up to `count` lines from line `start` on.
fn slice(
    context: &Context<'_>,
    path: &FilePath,
    total: usize,
    (start, count): (usize, usize),
) -> Result<Lines, Box<Issue>> {
    let first = start.max(1);
    if first > total && total > 0 {
        let message = format!(
            "line {first} is beyond the end of `{}`, which has {}",
            shown(path),
            one_line::count(total, "line")
        );
        let issue = Issue::new(PLAN_RANGE_OUT_OF_BOUNDS, FieldRole::Start, message);
        return Err(issue.detail("lines", total));
    }
    let count = count.clamp(1, context.limits.slice_lines.max(1));
    Ok(Lines { first, last: first.saturating_add(count - 1) })
}

/// The issue of lines that are not all there; those that are go with it.
fn beyond(
    path: &FilePath,
    total: usize,
    wanted: Lines,
    (written, text): (&str, String),
) -> Box<Issue> {
    let message = format!(
        "`{}` has {}, and lines {}-{} are asked for",
        shown(path),
        one_line::count(total, "line"),
        wanted.first,
        wanted.last
    );
    let there = json!({"path": written, "content": text});
    let issue = Issue::new(PLAN_RANGE_OUT_OF_BOUNDS, FieldRole::Lines, message);
    issue.detail("lines", total).detail("data", there)
}
