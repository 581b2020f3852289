//! `edit-ops.proposal`: changes of virtual files against their base texts, all of them or none.

use super::context::{Context, Written};
use super::{Issue, Plan, Wrote, placeholder};
use crate::command::edit_ops::{Misfit, Op, Place, Proposal, fit};
use crate::edit::Change;
use crate::path::FilePath;
use crate::problem::{
    EDIT_OPS_NEEDS_CURSOR, EDIT_OPS_NEEDS_SELECTION, EDIT_OPS_OUT_OF_RANGE, EDIT_OPS_OVERLAP,
    PLAN_FILE_NOT_FOUND,
};
use crate::snapshot::{CursorContext, FileId};
use crate::spec::FieldRole;
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

/// An op of the file with its index in the proposal.
type Ops<'a> = [(usize, &'a Op)];

/// Plans all ops on one file against the text that is there, and none against another's result.
pub(super) fn plan(
    context: &Context<'_>,
    written: &str,
    proposal: &Proposal,
    file: FileId,
) -> Result<Plan, Vec<Issue>> {
    let ops = proposal.ops.iter().enumerate().filter(|(_, op)| op.file() == file);
    let ops: Vec<_> = ops.collect();
    let base = base(context, written, &ops)?;
    let shared = shared(context, proposal, &ops, &base.path);
    if !shared.is_empty() {
        return Err(shared);
    }
    let around = context.snapshot.surroundings();
    let asked = around
        .asked(&proposal.digest(), &proposal.base_fingerprints)
        .map(|asked| in_content(asked, file, &base));
    let alone: Vec<&Op> = ops.iter().map(|(_, op)| *op).collect();
    let text = base.text();
    let is_boundary = |_, at| lines::may_be_parted(text, at);
    let spans = fit(&alone, asked.as_ref(), |_| text.len(), is_boundary).map_err(|misfits| {
        let other = asked.is_none() && around.request.is_some();
        let issue = |(index, misfit): &(usize, Misfit)| *misfit_issue(&ops, *index, *misfit, other);
        misfits.iter().map(issue).collect::<Vec<_>>()
    })?;
    let ops: Vec<_> =
        ops.iter().zip(&spans).map(|((index, op), span)| (*index, *op, span)).collect();
    edited(context, &base, &ops).map_err(|issue| vec![*issue])
}

/// What the file holds; every op for which it does not do is an issue.
fn base(context: &Context<'_>, written: &str, ops: &Ops<'_>) -> Result<Base, Vec<Issue>> {
    let first = ops.first().map_or(0, |(index, _)| *index);
    let base = found(context, written).map_err(|issue| *at(issue, first, FieldRole::Path));
    let is_missing = base.as_ref().is_ok_and(|base| base.content.is_none());
    let mut issues = Vec::new();
    for (index, op) in ops {
        let size = context.check_payload(op.content().len(), FieldRole::Content);
        issues.extend(size.err().map(|issue| *at(issue, *index, FieldRole::Content)));
        if is_missing && (op.content().is_empty() || op.place() == Place::Selection) {
            let message =
                format!("`{}` does not exist, so no text can be removed from it", op.file());
            let issue = Issue::new(PLAN_FILE_NOT_FOUND, FieldRole::Path, message);
            issues.push(*at(issue, *index, FieldRole::Path));
        }
    }
    match base {
        Ok(base) if issues.is_empty() => Ok(base),
        Ok(_) => Err(issues),
        Err(issue) => Err([vec![issue], issues].concat()),
    }
}

/// An issue for each op where another id leads to the same file: of two base texts that are one,
/// neither op is planned with what the other leaves.
fn shared(
    context: &Context<'_>,
    proposal: &Proposal,
    ops: &Ops<'_>,
    path: &FilePath,
) -> Vec<Issue> {
    let Some((_, own)) = ops.first() else { return Vec::new() };
    let leads_there = |file: FileId| {
        let resolved = context.resolve(file.as_str(), FieldRole::Path);
        resolved.is_ok_and(|resolved| resolved == *path)
    };
    let mut others = proposal.files().into_iter().filter(|file| *file != own.file());
    let Some(other) = others.find(|file| leads_there(*file)) else { return Vec::new() };
    let issue = |(index, op): &(usize, &Op)| {
        let message = format!(
            "`{}` and `{other}` are the same file here, `{path}`; write all ops on it with one of \
             these names",
            op.file()
        );
        *at(Issue::new(EDIT_OPS_OVERLAP, FieldRole::Path, message), *index, FieldRole::Path)
    };
    ops.iter().map(issue).collect()
}

fn found(context: &Context<'_>, id: &str) -> Result<Base, Box<Issue>> {
    let path = context.resolve(id, FieldRole::Path)?;
    match context.ask(&path, FieldRole::Path, |snapshot| snapshot.kind(&path))? {
        Some(_) => Ok(Base { content: Some(context.read(&path)?), path }),
        None => Ok(Base { path: context.free(id, FieldRole::Path)?, content: None }),
    }
}

/// The place in the file's text as it is planned with, which has no byte order mark. A file that
/// has one had it in the request, or it is another file.
fn in_content(asked: &CursorContext, file: FileId, base: &Base) -> CursorContext {
    let marked = base.content.as_ref().is_some_and(|content| content.bom && asked.file == file);
    let mark = if marked { '\u{feff}'.len_utf8() } else { 0 };
    // Before the mark is at the beginning of the text, since the mark stays where it is.
    let at = |at: usize| at.saturating_sub(mark);
    CursorContext {
        file: asked.file,
        selection: asked.selection.as_ref().map(|it| at(it.start)..at(it.end)),
        cursor: asked.cursor.map(at),
    }
}

/// An issue at a field of an op.
fn at(issue: Box<Issue>, index: usize, field: FieldRole) -> Box<Issue> {
    issue.at(index, field).detail("op", index)
}

/// Why an op has no place; `other` is whether a request is given that is not the one in question.
fn misfit_issue(ops: &Ops<'_>, index: usize, misfit: Misfit, other: bool) -> Box<Issue> {
    let (index, op) = ops[index];
    let file = op.file();
    let unknown = match other {
        true => "is not known: the request that is given is about other files than the proposal",
        false => "is not known here",
    };
    let (code, message) = match misfit {
        Misfit::NeedsSelection => (
            EDIT_OPS_NEEDS_SELECTION,
            format!(
                "what was selected in {file} when this was asked for {unknown}; replace \
                 the whole document instead; the user can ask again from the editor"
            ),
        ),
        Misfit::NeedsCursor => (
            EDIT_OPS_NEEDS_CURSOR,
            format!(
                "where the cursor was in {file} when this was asked for {unknown}; replace \
                 the whole document instead; the user can ask again from the editor"
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
                "this op and `/ops/{}` change the same place in {file}, and which comes first \
                 is not said; all ops are about the text as it was",
                ops[other].0
            ),
        ),
    };
    at(Issue::new(code, FieldRole::Path, message), index, FieldRole::Target)
}

/// The plan of the ops of one file.
fn edited(
    context: &Context<'_>,
    base: &Base,
    ops: &[(usize, &Op, &Span)],
) -> Result<Plan, Box<Issue>> {
    let first = ops.first().map_or(0, |(index, ..)| *index);
    let path = base.path.clone();
    let written = |how| Written {
        how,
        path,
        field: FieldRole::Content,
        texts: Vec::new(),
        replacements: None,
    };
    let planned = match &base.content {
        None => {
            let all: String = ops.iter().map(|(_, op, _)| op.content()).collect();
            context.created(written(Wrote::Created), Content::of_file(&all))
        }
        Some(before) => {
            let emptied = ops.iter().all(|(_, op, _)| is_whole(op) && op.content().is_empty());
            let how = if emptied { Wrote::Emptied } else { Wrote::Edited };
            context.edited(written(how), before.clone(), after(before, ops))
        }
    };
    let mut plan = planned.map_err(|issue| at(issue, first, FieldRole::Content))?;
    let field = |issue: Issue| *at(Box::new(issue), first, FieldRole::Content);
    plan.remarks = plan.remarks.into_iter().map(field).collect();
    let after = plan.changes.iter().find_map(|change| match change {
        Change::Edit { after, .. } => Some(&*after.text),
        _ => None,
    });
    let remarks = |(index, op, _): &(usize, &Op, &Span)| {
        let after = after.map(|text| (text, false));
        let all = placeholder::remarks(&[op.content()], base.text(), after, FieldRole::Content);
        let index = *index;
        all.into_iter().map(move |it| *at(Box::new(it), index, FieldRole::Content))
    };
    let remarks: Vec<Issue> = ops.iter().flat_map(remarks).collect();
    plan.remarks.extend(remarks);
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
