//! `fs.write` and its like: what a file holds, and where a directory is.

use super::context::{Context, Written, shown};
use super::{Fact, Issue, Plan, Wrote};
use crate::command::WriteMode;
use crate::edit::Target;
use crate::edit::{Change, ChangeSet};
use crate::path::{FilePath, Kind, State};
use crate::problem::PLAN_NO_CHANGE;
use crate::spec::FieldRole;
use crate::text::Content;
use crate::text::lines::{self, Ending};

/// Creates the file, or gives it that content or more of it.
pub(super) fn plan(
    context: &Context<'_>,
    written: &str,
    content: &str,
    mode: WriteMode,
) -> Result<Plan, Box<Issue>> {
    context.check_payload(content.len(), FieldRole::Content)?;
    let path = context.resolve(written, FieldRole::Path)?;
    let kind: Option<Kind> =
        context.ask(&path, FieldRole::Path, |snapshot| snapshot.kind(&path))?;
    if kind.is_none() {
        context.names_a_file(written, FieldRole::Path)?;
    }
    if kind.is_none() || mode == WriteMode::Create {
        let path = context.free(written, FieldRole::Path)?;
        return context.created(place(Wrote::Created, path, content), Content::of_file(content));
    }
    let before = context.read(&path)?;
    let (how, after) = match mode {
        WriteMode::Replace => (Wrote::Replaced, replaced(&before, content)),
        WriteMode::Append | WriteMode::Create => (Wrote::Appended, appended(&before, content)),
    };
    context.edited(place(how, path, content), before, after)
}

fn place(how: Wrote, path: FilePath, content: &str) -> Written<'_> {
    Written { how, path, field: FieldRole::Content, texts: vec![content], replacements: None }
}

/// Another content with the line ending and the byte order mark of the one before.
fn replaced(before: &Content, content: &str) -> Content {
    let wanted = Content::of_file(content);
    let text = match Ending::dominant_in(&before.text) {
        Some(ending) => lines::with_ending(&wanted.text, ending),
        None => wanted.text.clone(),
    };
    Content::new(before.bom || wanted.bom, text)
}

/// The content with a text at its end.
fn appended(before: &Content, content: &str) -> Content {
    let new = match Ending::dominant_in(&before.text) {
        Some(ending) => lines::with_ending(content, ending),
        None => content.to_owned(),
    };
    before.with_text(format!("{}{new}", before.text))
}

/// Makes a directory with its missing parents; one that is there stays as it is.
pub(super) fn directory(context: &Context<'_>, written: &str) -> Result<Plan, Box<Issue>> {
    let resolved = context.resolve(written, FieldRole::Path)?;
    let kind = context.ask(&resolved, FieldRole::Path, |snapshot| snapshot.kind(&resolved))?;
    let there = kind == Some(Kind::Directory);
    let path = if there { resolved } else { context.free(written, FieldRole::Path)? };
    let (mut changes, mut remarks) = (ChangeSet::default(), Vec::new());
    let before = if there { State::Directory } else { State::Missing };
    if there {
        let message = format!("the directory `{}` is there already", shown(&path));
        remarks.push(*Issue::warning(PLAN_NO_CHANGE, FieldRole::Path, message));
    } else {
        changes.push(Change::CreateDirectory { path: path.clone() });
    }
    let fact = Fact::MadeDirectory { path: path.clone() };
    let targets = vec![Target { path, before, after: State::Directory }];
    Ok(Plan { changes, remarks, targets, ..Plan::of(fact) })
}
