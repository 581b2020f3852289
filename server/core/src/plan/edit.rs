//! Edits of one file's text: what is common to all ways to edit it.

use super::context::{Context, Written};
use super::{
    Issue, Plan, Wrote, edit_ops, edits, hunks, like, replace_text, search_replace, whole_lines,
};
use crate::command::edits::TextEdit;
use crate::command::{FileEdit, Missing};
use crate::path::FilePath;
use crate::spec::FieldRole;
use crate::text::Content;

/// What an edit brings: its texts, and the fields that are named where they do not fit.
struct Brought<'a> {
    texts: Vec<&'a str>,
    /// All bytes that the block brings for it.
    bytes: usize,
    /// The field that is at fault where these are too many.
    payload: FieldRole,
    /// The field that is at fault where the result is.
    field: FieldRole,
}

impl<'a> Brought<'a> {
    /// What an edit brings in one field.
    fn new(texts: Vec<&'a str>, bytes: usize, field: FieldRole) -> Brought<'a> {
        Brought { texts, bytes, payload: field, field }
    }
}

/// The text that an edit makes, and how many places it replaces, where it counts them.
pub(super) type Edited = Result<(String, Option<usize>), Box<Issue>>;

/// Edits one file.
pub(super) fn plan(
    context: &Context<'_>,
    written: &str,
    edit: &FileEdit,
    missing: Missing,
) -> Result<Plan, Vec<Issue>> {
    match edit {
        FileEdit::AtOnce { proposal, file } => edit_ops::plan(context, written, proposal, *file),
        FileEdit::Hunks(hunks) => {
            hunks::plan(context, written, hunks, missing).map_err(|issue| vec![*issue])
        }
        edit => one(context, written, edit, missing).map_err(|issue| vec![*issue]),
    }
}

fn one(
    context: &Context<'_>,
    written: &str,
    edit: &FileEdit,
    missing: Missing,
) -> Result<Plan, Box<Issue>> {
    let Brought { texts, bytes, payload, field } = check(edit)?;
    context.check_payload(bytes, payload)?;
    let (path, remark) = match missing {
        Missing::FindByEnd => like::file(context, written)?,
        Missing::Refuse | Missing::Create => (context.resolve(written, FieldRole::Path)?, None),
    };
    let before = context.read(&path)?;
    let (text, replacements) = edited(context, &path, &before, edit)?;
    let after = before.with_text(text);
    let place = Written { how: Wrote::Edited, path, field, texts, replacements };
    let mut plan = context.edited(place, before, after)?;
    plan.remarks.extend(remark.map(|remark| *remark));
    Ok(plan)
}

/// What an edit brings, where that is sound by itself.
fn check(edit: &FileEdit) -> Result<Brought<'_>, Box<Issue>> {
    Ok(match edit {
        FileEdit::InOrder(edits) => {
            let texts: Vec<&str> = edits.iter().map(TextEdit::text).collect();
            let bytes = texts.iter().map(|text| text.len()).sum();
            Brought::new(texts, bytes, FieldRole::Edits)
        }
        FileEdit::Replace { old, new, .. } => {
            replace_text::not_empty(old, FieldRole::OldText)?;
            Brought::new(vec![new], old.len() + new.len(), FieldRole::NewText)
        }
        FileEdit::SearchReplace { search, replace } => {
            Brought::new(vec![replace], search.len() + replace.len(), FieldRole::Replace)
        }
        FileEdit::ReplaceRange { beginning, end, new } => {
            replace_text::not_empty(beginning, FieldRole::OldTextBeginning)?;
            replace_text::not_empty(end, FieldRole::OldTextEnd)?;
            Brought::new(vec![new], new.len(), FieldRole::NewText)
        }
        FileEdit::ReplaceLines { content, lines } => {
            whole_lines::check(lines)?;
            let brought = Brought::new(vec![content], content.len(), FieldRole::Content);
            Brought { field: FieldRole::Lines, ..brought }
        }
        FileEdit::CommentLines { lines, .. } => {
            whole_lines::check(lines)?;
            Brought::new(Vec::new(), 0, FieldRole::Lines)
        }
        FileEdit::AtOnce { .. } | FileEdit::Hunks(_) => {
            Brought::new(Vec::new(), 0, FieldRole::Content)
        }
    })
}

fn edited(context: &Context<'_>, path: &FilePath, before: &Content, edit: &FileEdit) -> Edited {
    match edit {
        FileEdit::InOrder(edits) => edits::in_order(context, path, before, edits),
        FileEdit::Replace { old, new, wanted } => {
            replace_text::counted(context, path, before, (old, new), *wanted)
        }
        FileEdit::SearchReplace { search, replace } => {
            search_replace::edited(context, path, before, (search, replace))
        }
        FileEdit::ReplaceRange { beginning, end, new } => {
            replace_text::range(context, path, before, (beginning, end), new)
        }
        FileEdit::ReplaceLines { lines, content } => {
            whole_lines::replace(path, before, lines, content)
        }
        FileEdit::CommentLines { lines, comment } => {
            whole_lines::comment(path, before, lines, *comment)
        }
        // It is planned by itself, with all that is wrong with each of its ops.
        FileEdit::AtOnce { .. } | FileEdit::Hunks(_) => Ok((before.text.to_string(), None)),
    }
}
