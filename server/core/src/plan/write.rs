//! `fs.write` and its like: what a file holds, and where a directory is.

use serde_json::json;

use super::context::{Context, Written, shown};
use super::{Issue, Outcome, Plan, summary};
use crate::edit::Target;
use crate::edit::{Change, ChangeSet};
use crate::path::{Kind, State};
use crate::problem::PLAN_NO_CHANGE;
use crate::text::Content;
use crate::text::lines::{self, Ending};

/// Puts a text at the end of the file exactly as it is, or creates the file.
pub(super) fn append(
    context: &Context<'_>,
    written: &str,
    content: &str,
) -> Result<Plan, Box<Issue>> {
    let resolved = context.resolve(written, "path")?;
    if context.ask(&resolved, "path", |snapshot| snapshot.kind(&resolved))?.is_none() {
        return plan(context, written, content);
    }
    context.check_payload(content.len(), "content")?;
    let before = context.read(&resolved)?;
    let new = match Ending::dominant_in(&before.text) {
        Some(ending) => lines::with_ending(content, ending),
        None => content.to_owned(),
    };
    let after = before.with_text(format!("{}{new}", before.text));
    let texts = vec![content];
    let place = Written { verb: "appended to", path: resolved, field: "content", texts };
    let plan = context.edited(place, before, after)?;
    Ok(plan.with(json!({"path": written, "bytesWritten": content.len()})))
}

/// Makes a directory with its missing parents; one that is there stays as it is.
pub(super) fn directory(context: &Context<'_>, written: &str) -> Result<Plan, Box<Issue>> {
    let resolved = context.resolve(written, "path")?;
    let data = json!({"path": written});
    let kind = context.ask(&resolved, "path", |snapshot| snapshot.kind(&resolved))?;
    let there = kind == Some(Kind::Directory);
    let path = if there { resolved } else { context.free(written, "path")? };
    let (mut changes, mut remarks) = (ChangeSet::default(), Vec::new());
    let before = if there { State::Directory } else { State::Missing };
    if there {
        let message = format!("the directory `{}` is there already", shown(&path));
        remarks.push(*Issue::warning(PLAN_NO_CHANGE, "path", message));
    } else {
        changes.push(Change::CreateDirectory { path: path.clone() });
    }
    let summary = summary::summary("made the directory", &path.to_string(), "");
    let targets = vec![Target { path, before, after: State::Directory }];
    let outcome = Outcome::new(summary).with(data);
    Ok(Plan { changes, outcome, remarks, targets, program: None })
}

/// Creates the file, or replaces its content with its line ending and byte order mark kept.
pub(super) fn plan(context: &Context<'_>, path: &str, content: &str) -> Result<Plan, Box<Issue>> {
    context.check_payload(content.len(), "content")?;
    let texts = vec![content];
    let data = json!({"path": path, "bytesWritten": content.len()});
    let resolved = context.resolve(path, "path")?;
    let kind: Option<Kind> = context.ask(&resolved, "path", |snapshot| snapshot.kind(&resolved))?;
    let wanted = Content::of_file(content);
    if kind.is_none() {
        let path = context.free(path, "path")?;
        let place = Written { verb: "created", path, field: "content", texts };
        return Ok(context.created(place, wanted)?.with(data));
    }
    let before = context.read(&resolved)?;
    let text = match Ending::dominant_in(&before.text) {
        Some(ending) => lines::with_ending(&wanted.text, ending),
        None => wanted.text.clone(),
    };
    let after = Content::new(before.bom || wanted.bom, text);
    let written = Written { verb: "wrote", path: resolved, field: "content", texts };
    Ok(context.edited(written, before, after)?.with(data))
}
