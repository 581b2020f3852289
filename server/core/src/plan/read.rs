//! `fs.read` and `fs.readSlice`: a file's text.

use serde_json::json;

use super::context::{Context, file_outcome, shown};
use super::{Issue, Plan, summary};
use crate::path::State;
use crate::problem::PLAN_RANGE_OUT_OF_BOUNDS;
use crate::text::lines;

/// The whole text, exactly, without the byte order mark.
pub(super) fn whole(context: &Context<'_>, written: &str) -> Result<Plan, Box<Issue>> {
    let (path, content) = context.file(written)?;
    let state = State::File(content.fingerprint());
    let summary = file_outcome("read", &path, &content).summary;
    let data = json!({"path": written, "content": &*content.text});
    Ok(Plan::of_reading(path, state, summary, content.text.to_string()).with(data))
}

/// Up to `count` numbered lines from line `start` on.
pub(super) fn slice(
    context: &Context<'_>,
    path: &str,
    start: usize,
    count: usize,
) -> Result<Plan, Box<Issue>> {
    let (path, content) = context.file(path)?;
    let total = lines::count(&content.text);
    let first = start.max(1);
    if first > total && total > 0 {
        let message = format!(
            "line {first} is beyond the end of `{}`, which has {}",
            shown(&path),
            summary::count(total, "line")
        );
        let issue = Issue::new(PLAN_RANGE_OUT_OF_BOUNDS, "start", message);
        return Err(issue.detail("lines", total));
    }
    let count = count.clamp(1, context.limits.slice_lines.max(1));
    let last = first.saturating_add(count - 1).min(total);
    let texts = lines::with_endings(&content.text).skip(first - 1).take(count);
    let texts = texts.map(|line| lines::without_ending(line).to_owned());
    let details = numbered((first..).zip(texts));
    let fingerprint = content.fingerprint();
    let rest = match total {
        0 => format!(", 0 lines, {fingerprint}"),
        _ => format!(", lines {first}-{last} of {total}, {fingerprint}"),
    };
    let summary = summary::summary("read", &path.to_string(), &rest);
    Ok(Plan::of_reading(path, State::File(fingerprint), summary, details))
}

/// `<n>: <text>` for each line, the number right-aligned to the widest.
pub(super) fn numbered(lines: impl IntoIterator<Item = (usize, String)>) -> String {
    let lines: Vec<(usize, String)> = lines.into_iter().collect();
    let widest = lines.iter().map(|(number, _)| number.to_string().len()).max().unwrap_or(0);
    let lines: Vec<String> =
        lines.iter().map(|(number, text)| format!("{number:>widest$}: {text}")).collect();
    lines.join("\n")
}
