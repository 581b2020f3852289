//! `file_read_numbered`, `files_read` and `files_read_numbered`: lines behind their numbers, files
//! one after the other.

use serde_json::{Value, json};

use super::context::{Context, file_outcome, shown};
use super::replace_text::no_paths;
use super::{Issue, Outcome, Plan, summary};
use crate::command::Numbered;
use crate::edit::ChangeSet;
use crate::edit::Target;
use crate::path::State;
use crate::problem::{PLAN_FILES_UNREADABLE, PLAN_INVALID_LINES, PLAN_RANGE_OUT_OF_BOUNDS};
use crate::text::lines;

/// Lines as a block names them, from 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines {
    pub first: usize,
    pub last: usize,
}

impl Lines {
    /// Reads `4` or `23-43`.
    pub(super) fn parse(written: &str) -> Result<Lines, Box<Issue>> {
        let issue = |message| Issue::new(PLAN_INVALID_LINES, "lines", message);
        let number = |text: &str| {
            let text = text.trim();
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().ok()).flatten().filter(|number| *number > 0)
        };
        let invalid = || issue(format!("Invalid line specification '{written}'"));
        let (first, last) = match written.split_once('-') {
            None => (written, written),
            Some(both) => both,
        };
        let (first, last) = number(first).zip(number(last)).ok_or_else(invalid)?;
        if first > last {
            let message = format!("Invalid line range '{written}' (start must be <= end)");
            return Err(issue(message));
        }
        Ok(Lines { first, last })
    }
}

/// The lines of one file; where some of them are not there, those that are go with the issue.
pub(super) fn one(
    context: &Context<'_>,
    written: &str,
    numbered: &Numbered,
) -> Result<Plan, Box<Issue>> {
    let wanted = numbered.lines.as_deref().map(Lines::parse).transpose()?;
    let (path, content) = context.file(written)?;
    let text = of(&content.text, wanted, &numbered.delimiter);
    let total = lines::count(&content.text);
    let data = json!({"path": written, "content": text});
    if let Some(wanted) = wanted.filter(|wanted| wanted.last > total && total > 0) {
        let message = format!(
            "`{}` has {}, and lines {}-{} are asked for",
            shown(&path),
            summary::count(total, "line"),
            wanted.first,
            wanted.last
        );
        let issue = Issue::new(PLAN_RANGE_OUT_OF_BOUNDS, "lines", message);
        return Err(issue.detail("lines", total).detail("data", data));
    }
    let state = State::File(content.fingerprint());
    let summary = file_outcome("read", &path, &content).summary;
    Ok(Plan::of_reading(path, state, summary, text).with(data))
}

/// Several files, each under a line with its path.
pub(super) fn several(
    context: &Context<'_>,
    paths: &[String],
    numbered: Option<&Numbered>,
) -> Result<Plan, Box<Issue>> {
    if paths.is_empty() {
        return Err(no_paths());
    }
    let wanted = numbered.and_then(|it| it.lines.as_deref()).map(Lines::parse).transpose()?;
    let mut parts = Vec::with_capacity(paths.len());
    let mut targets = Vec::with_capacity(paths.len());
    let mut failed: Vec<Value> = Vec::new();
    let mut bytes = 0;
    for written in paths {
        match context.file(written) {
            Ok((path, content)) => {
                bytes += content.len();
                // All of them together may be as much as one file.
                context.check_size(bytes, "path")?;
                let text = match numbered {
                    Some(numbered) => of(&content.text, wanted, &numbered.delimiter),
                    None => content.text.to_string(),
                };
                parts.push(format!("=== {written} ===\n{text}"));
                let state = State::File(content.fingerprint());
                targets.push(Target { path, before: state, after: state });
            }
            Err(issue) => failed.push(json!({
                "path": written, "code": issue.code.as_str(), "message": issue.message
            })),
        }
    }
    if !failed.is_empty() {
        let names: Vec<&str> = failed.iter().filter_map(|it| it["message"].as_str()).collect();
        let message = format!(
            "{} of {} cannot be read: {}",
            failed.len(),
            summary::count(paths.len(), "file"),
            names.join("; ")
        );
        return Err(Issue::new(PLAN_FILES_UNREADABLE, "path", message).detail("failed", failed));
    }
    let content = parts.join("\n\n");
    let rest = format!(", {}", summary::count(lines::count(&content), "line"));
    let summary = summary::summary("read", &summary::count(paths.len(), "file"), &rest);
    let data = json!({"paths": paths, "content": content});
    Ok(Plan {
        changes: ChangeSet::default(),
        outcome: Outcome { details: Some(content), ..Outcome::new(summary).with(data) },
        remarks: Vec::new(),
        targets,
        program: None,
    })
}

/// The lines that are wanted and there, each behind its number, right-aligned to the widest.
fn of(text: &str, wanted: Option<Lines>, delimiter: &str) -> String {
    let total = lines::count(text);
    let wanted = wanted.unwrap_or(Lines { first: 1, last: total });
    let last = wanted.last.min(total);
    let width = last.to_string().len();
    let numbered = (1..).zip(lines::with_endings(text)).skip(wanted.first - 1);
    let numbered = numbered.take_while(|(number, _)| *number <= last);
    let numbered = numbered.map(|(number, line)| {
        format!("{number:>width$}{delimiter}{}", lines::without_ending(line))
    });
    numbered.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, lines: Option<&str>, delimiter: &str, expected: &str) {
        let lines = lines.map(|lines| Lines::parse(lines).unwrap());
        assert_eq!(of(text, lines, delimiter), expected);
    }

    #[test]
    fn lines_stand_behind_their_numbers() {
        let many: Vec<String> = (1..=105).map(|n| format!("Line {n}")).collect();
        let many = many.join("\n");
        check("Line 1\nLine 2\nLine 3", Some("2"), ": ", "2: Line 2");
        check("First\nSecond\nThird\nFourth", Some("2-3"), ": ", "2: Second\n3: Third");
        check("A\nB\nC", Some("1-2"), "    ", "1    A\n2    B");
        check("One\nTwo\nThree", Some("2"), "", "2Two");
        check("Only\nTwo", Some("5"), ": ", "");
        check("One\nTwo\nThree", Some("2-10"), ": ", "2: Two\n3: Three");
        check("", Some("1"), ": ", "");
        check("", None, ": ", "");
        check("Just one line", Some("1"), ": ", "1: Just one line");
        check(&many, Some("9-11"), ": ", " 9: Line 9\n10: Line 10\n11: Line 11");
        check(&many, Some("98-100"), ": ", " 98: Line 98\n 99: Line 99\n100: Line 100");
        check("Line A\nLine B\r\nLine C\n", None, ": ", "1: Line A\n2: Line B\n3: Line C");
    }

    #[test]
    fn what_names_no_lines() {
        for written in ["abc", "-5", "-1-5", "1-2-3", "", "0", "4x", "1-", "٣"] {
            let issue = Lines::parse(written).unwrap_err();
            assert_eq!(issue.message, format!("Invalid line specification '{written}'"));
        }
        let issue = Lines::parse("5-3").unwrap_err();
        assert_eq!(issue.message, "Invalid line range '5-3' (start must be <= end)");
    }
}
