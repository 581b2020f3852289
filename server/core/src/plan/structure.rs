//! Operations on structures: `fs.outline`, `fs.readStructure`, `fs.replaceStructure` and the like.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::context::{Context, shown};
use super::{Fact, Issue, Plan, placeholder, summary};
use crate::command::Command;
use crate::edit::{Change, Target};
use crate::outline::Parsed;
use crate::path::{FilePath, State};
use crate::problem::*;
use crate::spec::FieldRole;
use crate::structure::{
    self, Done, ErrorCode, Excerpt, Failure, LineRange, Output, Request, Warning, WarningKind,
};
use crate::text::{Content, lines};

/// The structures of a file, one a line.
pub(super) fn outline(context: &Context<'_>, path: &str) -> Result<Plan, Box<Issue>> {
    let (resolved, content) = context.file(path)?;
    let parsed = structure::open(path, context.snapshot, context.limits)
        .map_err(|failure| issue(failure, &resolved))?;
    let (details, count) = listed(&parsed);
    let mut rest = format!(", {}", summary::count(count, "structure"));
    let errors = parsed.outline.errors.len();
    if errors > 0 {
        let _ = write!(rest, ", {}", summary::count(errors, "syntax error"));
    }
    let _ = write!(rest, ", {}", content.fingerprint());
    let summary = summary::summary("outlined", &resolved.to_string(), &rest);
    let fact = Fact::Structure { summary, details, data: Value::Null };
    Ok(Plan::of_reading(resolved, State::File(content.fingerprint()), fact))
}

/// Each structure as `<first>-<last>: ` and the line of a target that it has below the line of the
/// structure around it, indented by its depth; and how many there are.
fn listed(parsed: &Parsed) -> (String, usize) {
    let listing = parsed.listing();
    let range = |[first, last]: [usize; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let widest = listing.iter().map(|one| range(one.line_range_inclusive).len()).max();
    let widest = widest.unwrap_or_default();
    let line = |one: &structure::Listed| {
        let (range, indent) = (range(one.line_range_inclusive), one.depth * 2);
        format!("{range:>widest$}: {:indent$}{}", "", one.line())
    };
    let lines: Vec<String> = listing.iter().map(line).collect();
    (lines.join("\n"), listing.len())
}

/// What an operation's data has: what the operation itself tells, or what the same action on a
/// whole file does, where the path names the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Structure,
    File,
}

impl Told {
    /// What the data of a command has.
    pub(super) fn of(command: &Command) -> Told {
        if command.action.name.starts_with("file_") { Told::File } else { Told::Structure }
    }

    /// The data of an operation that has this result.
    fn data(self, request: &Request, output: &Output) -> Value {
        if self == Told::Structure {
            return json!(output);
        }
        let path = request.path_with_target();
        match output {
            Output::Read { matches } => {
                let text = matches.first().map(|one| one.text.as_str());
                json!({"path": path, "content": text})
            }
            Output::TextReplaced { total, .. } => {
                json!({"path": path, "replacements": total.unwrap_or(1)})
            }
            _ => json!({"path": path, "replacements": 1}),
        }
    }
}

/// An operation on the structures of one file.
pub(super) fn perform(
    context: &Context<'_>,
    request: &Request,
    told: Told,
) -> Result<Plan, Box<Issue>> {
    let (path, before) = context.file(request.path())?;
    let done = structure::perform(request, context.snapshot, context.limits);
    let done = match done {
        Ok(done) => done,
        Err(failure) if told == Told::File && is_zero_times(request, &failure) => {
            return none(request, path, &before, failure);
        }
        Err(failure) => return Err(issue(failure, &path)),
    };
    let data = told.data(request, &done.output);
    Ok(match &done.output {
        Output::Read { matches } => read(path, &before, matches, data),
        _ => write(request, path, &before, done, data),
    })
}

/// Whether a text that is to be replaced wherever it is, is nowhere.
fn is_zero_times(request: &Request, failure: &Failure) -> bool {
    request.operation.name == "replace_all_text_in_structure"
        && failure.code == ErrorCode::TextNotFound
}

/// What `file_replace_all_text` comes to where the text is nowhere: nothing is changed, unless the
/// block states that it is there.
fn none(
    request: &Request,
    path: FilePath,
    before: &Content,
    failure: Failure,
) -> Result<Plan, Box<Issue>> {
    if let Some(expected @ 1..) = request.arguments.expected_count {
        let message = format!("`old_text` is there 0 times, not {expected}");
        let issue = Issue::new(PLAN_COUNT_MISMATCH, FieldRole::ExpectedCount, message);
        return Err(issue.detail("expected", expected).detail("matches", 0));
    }
    let state = State::File(before.fingerprint());
    let total = summary::count(lines::count(&before.text), "line");
    let rest = format!(", {total}, {}", before.fingerprint());
    let summary = summary::summary("edited", &path.to_string(), &rest);
    let targets = vec![Target { path, before: state, after: state }];
    let remarks = vec![*Issue::warning(PLAN_NO_CHANGE, FieldRole::OldText, failure.message)];
    let data = json!({"path": request.path_with_target(), "replacements": 0});
    let fact = Fact::Structure { summary, details: String::new(), data };
    Ok(Plan { remarks, targets, ..Plan::of(fact) })
}

/// The texts; each under its lines where there are several.
fn read(path: FilePath, before: &Content, matches: &[Excerpt], data: Value) -> Plan {
    let (details, found) = match matches {
        [one] => (one.text.clone(), lines_of(one.lines)),
        several => {
            let text = |one: &Excerpt| format!("{}:\n{}", lines_of(one.lines), one.text);
            let texts: Vec<String> = several.iter().map(text).collect();
            (texts.join("\n\n"), summary::count(several.len(), "structure"))
        }
    };
    let rest = format!(", {found}, {}", before.fingerprint());
    let summary = summary::summary("read", &path.to_string(), &rest);
    let fact = Fact::Structure { summary, details, data };
    Plan::of_reading(path, State::File(before.fingerprint()), fact)
}

fn write(request: &Request, path: FilePath, before: &Content, done: Done, data: Value) -> Plan {
    let content = request.arguments.content.as_str();
    let mut remarks = placeholder::remarks(&[content], &before.text, FieldRole::Content);
    remarks.extend(done.warnings.iter().map(remark));
    if done.changes.is_empty() {
        let message = format!("the command leaves `{}` as it is", shown(&path));
        remarks.push(*Issue::warning(PLAN_NO_CHANGE, FieldRole::Path, message));
    }
    let after = done.changes.iter().rev().find_map(|change| match change {
        Change::Edit { path: edited, after, .. } if *edited == path => Some(after),
        _ => None,
    });
    let after = after.unwrap_or(before);
    let total = summary::count(lines::count(&after.text), "line");
    let rest = format!(", {}, {total}, {}", what(&done.output), after.fingerprint());
    let summary = summary::summary("edited", &path.to_string(), &rest);
    let fact = Fact::Structure { summary, details: String::new(), data };
    Plan { changes: done.changes, remarks, targets: done.targets, ..Plan::of(fact) }
}

/// The outcome of the structure, and where.
fn what(output: &Output) -> String {
    match output {
        Output::Deleted { lines } => format!("deleted {}", lines_of(*lines)),
        Output::Inserted { at, target_at } => {
            let side = if target_at.is_some() { "before" } else { "after" };
            format!("inserted {side} it at line {at}")
        }
        Output::Replaced { lines } => format!("replaced, now {}", lines_of(*lines)),
        Output::TextReplaced { lines, .. } => format!("changed {}", lines_of(*lines)),
        Output::Moved { to, .. } => format!("moved, now {}", lines_of(*to)),
        Output::Outlined { .. } | Output::Read { .. } => "read".to_owned(),
    }
}

/// `line 3`, `lines 3-9`
fn lines_of([first, last]: LineRange) -> String {
    match first == last {
        true => format!("line {first}"),
        false => format!("lines {first}-{last}"),
    }
}

/// What a failure is to a plan.
fn issue(failure: Failure, path: &FilePath) -> Box<Issue> {
    let (code, field) = failure.code.problem();
    let mut issue = Issue::new(code, field, failure.message);
    for one in failure.details.get("matches").and_then(Value::as_array).into_iter().flatten() {
        let line = one["line_range_inclusive"][0].as_u64().unwrap_or(1);
        let header = summary::excerpt(one["header"].as_str().unwrap_or_default(), 80);
        issue = issue.related(header, path, usize::try_from(line).unwrap_or(1));
    }
    issue.details = failure.details;
    // It says what every failed plan means.
    issue.details.remove("state");
    issue
}

fn remark(warning: &Warning) -> Issue {
    let code = match warning.kind {
        WarningKind::StructureEmpty => STRUCTURE_EMPTY,
        WarningKind::IndentationInconsistent => STRUCTURE_INDENTATION_INCONSISTENT,
        WarningKind::SyntaxBroken => STRUCTURE_SYNTAX_BROKEN,
    };
    let mut remark = *Issue::warning(code, FieldRole::Content, warning.message.clone());
    remark.details = warning.details.clone();
    remark
}
