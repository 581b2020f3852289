//! `edit-ops.proposal`: changes of virtual files against their base texts, all of them or none.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::context::{Context, Written, shown};
use super::{Issue, Outcome, Plan, placeholder, summary};
use crate::command::edit_ops::{Asked, FileId, Misfit, Op, Place, Proposal, fit};
use crate::command::{Command, Operation};
use crate::edit::ChangeSet;
use crate::path::{FilePath, State};
use crate::problem::{
    EDIT_OPS_NEEDS_CURSOR, EDIT_OPS_NEEDS_SELECTION, EDIT_OPS_OUT_OF_RANGE, EDIT_OPS_OVERLAP,
    PLAN_FILE_NOT_FOUND,
};
use crate::snapshot::{Snapshot, Through};
use crate::text::lines::{self, Ending};
use crate::text::replacement;
use crate::text::{Content, Span};

/// A file that ops touch.
struct Base {
    path: FilePath,
    /// What it holds; `None` where it is not there, which counts as an empty text.
    content: Option<Content>,
}

impl Base {
    fn text(&self) -> &str {
        self.content.as_ref().map_or("", |content| &content.text)
    }
}

type Bases = BTreeMap<FileId, Base>;

/// Plans every op against the text that is there, and none against another's result.
pub(super) fn plan(context: &Context<'_>, proposal: &Proposal) -> Result<Plan, Vec<Issue>> {
    let ops = if proposal.enabled { &proposal.ops[..] } else { &[] };
    let bases = bases(context, ops)?;
    let around = context.snapshot.surroundings();
    let asked = around.asked(proposal).map(|asked| in_content(asked, &bases));
    let spans = fit(
        ops,
        asked.as_ref(),
        |file| bases.get(&file).map_or(0, |base| base.text().len()),
        |file, at| bases.get(&file).is_some_and(|base| base.text().is_char_boundary(at)),
    );
    let spans = spans.map_err(|misfits| {
        let other = asked.is_none() && around.request.is_some();
        let issue = |(index, misfit): &(usize, Misfit)| *misfit_issue(ops, *index, *misfit, other);
        misfits.iter().map(issue).collect::<Vec<_>>()
    })?;
    let mut plans = Vec::new();
    for (file, base) in &bases {
        let of_file = ops.iter().zip(&spans).enumerate().filter(|(_, (op, _))| op.file() == *file);
        let of_file: Vec<_> = of_file.map(|(index, (op, span))| (index, op, span)).collect();
        plans.push(of_one(context, base, &of_file).map_err(|issue| vec![*issue])?);
    }
    Ok(together(context, proposal, plans))
}

/// What the files hold that ops touch; every op whose file does not do is an issue.
fn bases(context: &Context<'_>, ops: &[Op]) -> Result<Bases, Vec<Issue>> {
    let (mut bases, mut issues) = (Bases::new(), Vec::new());
    let first = |file: FileId| ops.iter().position(|op| op.file() == file);
    for (file, index) in FileId::ALL.into_iter().filter_map(|file| Some((file, first(file)?))) {
        match base(context, file) {
            Ok(base) => drop(bases.insert(file, base)),
            Err(issue) => issues.push(*at(issue, index, "target_file")),
        }
    }
    for (index, op) in ops.iter().enumerate() {
        let size = context.check_payload(op.content().len(), "content");
        issues.extend(size.err().map(|issue| *at(issue, index, "content")));
        let missing = bases.get(&op.file()).is_some_and(|base| base.content.is_none());
        if missing && (op.content().is_empty() || op.place() == Place::Selection) {
            let message =
                format!("`{}` is not there, so that nothing can be taken from it", op.file());
            let issue = Issue::new(PLAN_FILE_NOT_FOUND, "path", message);
            issues.push(*at(issue, index, "target_file"));
        }
    }
    if issues.is_empty() { Ok(bases) } else { Err(issues) }
}

fn base(context: &Context<'_>, file: FileId) -> Result<Base, Box<Issue>> {
    let id = file.as_str();
    let path = context.resolve(id, "path")?;
    match context.ask(&path, "path", |snapshot| snapshot.kind(&path))? {
        Some(_) => Ok(Base { content: Some(context.read(&path)?), path }),
        None => Ok(Base { path: context.free(id, "path")?, content: None }),
    }
}

/// The place in the file's text as it is planned with, which has no byte order mark. A file that
/// has one had it in the request, or it is another file.
fn in_content(asked: &Asked, bases: &Bases) -> Asked {
    let marked = bases.get(&asked.file).and_then(|base| base.content.as_ref());
    let mark = if marked.is_some_and(|content| content.bom) { '\u{feff}'.len_utf8() } else { 0 };
    // Before the mark is at the beginning of the text, since the mark stays where it is.
    let at = |at: usize| at.saturating_sub(mark);
    Asked {
        file: asked.file,
        selection: asked.selection.as_ref().map(|it| at(it.start)..at(it.end)),
        cursor: asked.cursor.map(at),
    }
}

/// An issue at a field of an op.
fn at(issue: Box<Issue>, index: usize, field: &str) -> Box<Issue> {
    issue.at(format!("ops/{index}/{field}")).detail("op", index)
}

/// Why an op has no place; `other` is whether a request is given that is not the one in question.
fn misfit_issue(ops: &[Op], index: usize, misfit: Misfit, other: bool) -> Box<Issue> {
    let file = ops[index].file();
    let unknown = match other {
        true => "is not known: the request that is given is about other files than the proposal",
        false => "is not known here",
    };
    let (code, message) = match misfit {
        Misfit::NeedsSelection => (
            EDIT_OPS_NEEDS_SELECTION,
            format!(
                "what was selected in {file} when this was asked for {unknown}; let the \
                 model propose the whole document instead, or ask again from the editor"
            ),
        ),
        Misfit::NeedsCursor => (
            EDIT_OPS_NEEDS_CURSOR,
            format!(
                "where the cursor was in {file} when this was asked for {unknown}; let the \
                 model propose the whole document instead, or ask again from the editor"
            ),
        ),
        Misfit::OutOfRange => (
            EDIT_OPS_OUT_OF_RANGE,
            format!(
                "the place that was asked about is not in {file} as it is now, or parts a \
                 character; ask again"
            ),
        ),
        Misfit::Overlap(other) => (
            EDIT_OPS_OVERLAP,
            format!(
                "this op and op {other} change the same place in {file}, and which comes first \
                 is not said; all ops are about the text as it was"
            ),
        ),
    };
    at(Issue::new(code, "path", message), index, "target")
}

/// The plan of the ops of one file.
fn of_one(
    context: &Context<'_>,
    base: &Base,
    ops: &[(usize, &Op, &Span)],
) -> Result<Plan, Box<Issue>> {
    let first = ops.first().map_or(0, |(index, ..)| *index);
    let path = base.path.clone();
    let written = |verb| Written { verb, path, field: "content", texts: Vec::new() };
    let planned = match &base.content {
        None => {
            let all: String = ops.iter().map(|(_, op, _)| op.content()).collect();
            context.created(written("created"), Content::of_file(&all))
        }
        Some(before) => {
            let emptied = ops.iter().all(|(_, op, _)| is_whole(op) && op.content().is_empty());
            let verb = if emptied { "emptied" } else { "edited" };
            context.edited(written(verb), before.clone(), after(before, ops))
        }
    };
    let mut plan = planned.map_err(|issue| at(issue, first, "content"))?;
    let field = |issue: Issue| *at(Box::new(issue), first, "content");
    plan.remarks = plan.remarks.into_iter().map(field).collect();
    for (index, op, _) in ops {
        let remarks = placeholder::remarks(&[op.content()], base.text(), "content");
        plan.remarks.extend(remarks.into_iter().map(|it| *at(Box::new(it), *index, "content")));
    }
    Ok(plan)
}

fn is_whole(op: &Op) -> bool {
    op.place() == Place::Document
}

/// The content after some ops, each with the line endings of what it replaces.
fn after(before: &Content, ops: &[(usize, &Op, &Span)]) -> Content {
    let dominant = Ending::dominant_in(&before.text);
    if let [(_, op, _)] = ops
        && is_whole(op)
    {
        let wanted = Content::of_file(op.content());
        let text = match dominant {
            Some(ending) => lines::with_ending(&wanted.text, ending),
            None => wanted.text.clone(),
        };
        return Content::new(before.bom || wanted.bom, text);
    }
    let mut ops = ops.to_vec();
    ops.sort_by_key(|(_, _, span)| span.start);
    let (mut text, mut from) = (String::with_capacity(before.text.len()), 0);
    for (_, op, span) in ops {
        text.push_str(&before.text[from..span.start]);
        let old = &before.text[span.clone()];
        text.push_str(&replacement::with_endings_of(old, op.content(), dominant));
        from = span.end;
    }
    text.push_str(&before.text[from..]);
    before.with_text(text)
}

/// The plan of all files, and what the reply tells.
fn together(context: &Context<'_>, proposal: &Proposal, plans: Vec<Plan>) -> Plan {
    let summary = match (&plans[..], proposal.enabled) {
        (_, false) => "nothing is proposed: edit-ops was disabled".to_owned(),
        ([], true) => "nothing is proposed: there are no ops".to_owned(),
        ([one], true) => one.outcome.summary.clone(),
        (several, true) => {
            let names: Vec<_> =
                several.iter().flat_map(|it| &it.targets).map(|it| shown(&it.path)).collect();
            summary::summary("edited", &names.join(", "), "")
        }
    };
    let (mut changes, mut remarks, mut targets) = (ChangeSet::default(), Vec::new(), Vec::new());
    for plan in plans {
        changes.append(plan.changes);
        remarks.extend(plan.remarks);
        targets.extend(plan.targets);
    }
    let mut files = current(context.snapshot);
    for (file, path) in paths(context.snapshot) {
        if let Some(target) = targets.iter().find(|target| target.path == path)
            && let State::File(after) = target.after
        {
            files.insert(file.to_string(), json!(after));
        }
    }
    let done = proposal.ops.iter().enumerate().filter(|_| proposal.enabled);
    let result =
        |(index, op): (usize, &Op)| json!({"op": index, "target_file": op.file(), "ok": true});
    let results: Vec<Value> = done.map(result).collect();
    let data = json!({"results": results, "base_fingerprints": in_order(files)});
    Plan { changes, outcome: Outcome::new(summary).with(data), remarks, targets, program: None }
}

fn paths(snapshot: &dyn Snapshot) -> impl Iterator<Item = (FileId, FilePath)> {
    let path = |file: FileId| Some((file, snapshot.resolve(file.as_str()).ok()?));
    FileId::ALL.into_iter().filter_map(path)
}

/// The fingerprints of the virtual files that are there.
fn current(snapshot: &dyn Snapshot) -> Map<String, Value> {
    let state = |(file, path): (FileId, FilePath)| match snapshot.state(&path).ok()? {
        State::File(fingerprint) => Some((file.to_string(), json!(fingerprint))),
        _ => None,
    };
    paths(snapshot).filter_map(state).collect()
}

fn in_order(mut files: Map<String, Value>) -> Map<String, Value> {
    let known = FileId::ALL.into_iter().filter_map(|file| files.remove_entry(file.as_str()));
    known.collect()
}

/// What a reply tells of the workspace as it is; null for commands of other dialects.
pub(crate) fn now(command: &Command, snapshot: &dyn Snapshot) -> Value {
    if !matches!(command.operation, Operation::EditOps(_)) {
        return Value::Null;
    }
    let through = Through { inner: snapshot, paths: command.paths, working_set: None };
    Value::Object(current(&through))
}

/// The files that a proposal touches, then those that its ids would mean if they were there.
pub(crate) fn looked_at(proposal: &Proposal, snapshot: &dyn Snapshot) -> Vec<FilePath> {
    let around = snapshot.surroundings();
    let files = proposal.files();
    let all = files.iter().map(|file| around.looked_at(file.as_str(), snapshot));
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for mut paths in all {
        rest.extend(paths.split_off(paths.len().min(1)));
        first.extend(paths);
    }
    first.extend(rest);
    first
}
