//! Operations on structures: `fs.outline`, `fs.readStructure`, `fs.replaceStructure` and the like.

use serde_json::Value;

use super::context::{Context, shown};
use super::{Fact, Issue, Plan, StructureFact, Wrote, placeholder};
use crate::edit::Change;
use crate::path::{FilePath, State};
use crate::problem::*;
use crate::spec::{Effect, FieldRole};
use crate::structure::{self, Done, ErrorCode, Failure, Request, Warning, WarningKind};
use crate::text::{Content, lines, one_line};

/// An operation on the structures of one file.
pub(super) fn perform(context: &Context<'_>, request: &Request) -> Result<Plan, Box<Issue>> {
    let (path, before) = context.file(request.path())?;
    let read = Some((path.clone(), before.clone()));
    match structure::perform_on(request, read, context.snapshot, context.limits) {
        Ok(done) => Ok(plan(request, path, &before, done)),
        Err(failure)
            if request.arguments.may_be_absent && failure.code == ErrorCode::TextNotFound =>
        {
            none(request, path, &before, failure)
        }
        Err(failure) => Err(issue(failure, &path)),
    }
}

/// The plan where the text is nowhere and may be: nothing is changed, unless the block states that
/// it is there.
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
    let (lines, fingerprint) = (lines::count(&before.text), before.fingerprint());
    let (how, replacements) = (Wrote::Edited, Some(0));
    let fact = Fact::Wrote { how, path: path.clone(), lines, fingerprint, replacements };
    let remarks = vec![*Issue::warning(PLAN_NO_CHANGE, FieldRole::OldText, failure.message)];
    Ok(Plan { remarks, ..Plan::of_reading(path, State::File(fingerprint), fact) })
}

fn plan(request: &Request, path: FilePath, before: &Content, done: Done) -> Plan {
    let after = done.changes.iter().rev().find_map(|change| match change {
        Change::Edit { path: edited, after, .. } if *edited == path => Some(after),
        _ => None,
    });
    let after = after.unwrap_or(before);
    let mut remarks = Vec::new();
    if request.operation.effect == Effect::Write {
        let content = request.arguments.content.as_str();
        let field = FieldRole::Content;
        remarks = placeholder::remarks(&[content], &before.text, Some((&after.text, false)), field);
        remarks.extend(done.warnings.iter().map(remark));
        if done.changes.is_empty() {
            let message = format!("no change: `{}` has this content already", shown(&path));
            remarks.push(*Issue::warning(PLAN_NO_CHANGE, FieldRole::Path, message));
        }
    }
    let (lines, fingerprint) = (lines::count(&after.text), after.fingerprint());
    let fact = StructureFact { path, output: done.output, lines, fingerprint };
    let plan = Plan::of(Fact::Structure(fact));
    Plan { changes: done.changes, remarks, targets: done.targets, ..plan }
}

/// What a failure is to a plan.
fn issue(failure: Failure, path: &FilePath) -> Box<Issue> {
    let (code, field) = failure.code.problem();
    let mut issue = Issue::new(code, field, failure.message);
    for one in failure.details.get("matches").and_then(Value::as_array).into_iter().flatten() {
        let line = one["line_range_inclusive"][0].as_u64().unwrap_or(1);
        let header = one_line::excerpt(one["header"].as_str().unwrap_or_default(), 80);
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
