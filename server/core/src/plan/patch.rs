//! `fs.patch`: a strict unified diff of one file.

mod apply;
mod elsewhere;

use super::context::{Context, Written, shown};
use super::{Fact, Issue, Plan, Wrote};
use crate::command::patch::{Hunk, LineKind, Patch, PatchFile};
use crate::edit::Target;
use crate::edit::{Change, ChangeSet};
use crate::path::{FilePath, Kind, State};
use crate::problem::PLAN_PATCH_MISMATCH;
use crate::spec::FieldRole;
use crate::text::Content;
use crate::text::one_line;

/// Patches, creates or deletes the file, as the patch's headers say.
pub(super) fn plan(context: &Context<'_>, path: &str, patch: &Patch) -> Result<Plan, Box<Issue>> {
    let texts = added(patch);
    context.check_payload(texts.iter().map(|text| text.len() + 1).sum(), FieldRole::Patch)?;
    let resolved = context.resolve(path, FieldRole::Path)?;
    names_match(context, &resolved, patch)?;
    let null = |file: &Option<PatchFile>| *file == Some(PatchFile::Null);
    match (null(&patch.old), null(&patch.new)) {
        (true, true) => Err(mismatch("both sides of the patch are /dev/null; one must be a file")),
        (true, false) => {
            let path = context.free(path, FieldRole::Path)?;
            let text = apply::apply("", patch, &path)?;
            let written = written(Wrote::Created, path, texts);
            context.created(written, Content::plain(text))
        }
        (false, true) => {
            let (path, before) = context.file(path)?;
            let after = apply::apply(&before.text, patch, &path)?;
            deleted(path, &before, &after)
        }
        (false, false) => {
            let (path, before) = context.file(path)?;
            let after = before.with_text(apply::apply(&before.text, patch, &path)?);
            let written = written(Wrote::Patched, path, texts);
            context.edited(written, before, after)
        }
    }
}

fn written(how: Wrote, path: FilePath, texts: Vec<&str>) -> Written<'_> {
    Written { how, path, field: FieldRole::Patch, texts, replacements: None }
}

fn mismatch(message: impl Into<String>) -> Box<Issue> {
    Issue::new(PLAN_PATCH_MISMATCH, FieldRole::Patch, message)
}

fn added(patch: &Patch) -> Vec<&str> {
    let lines = patch.hunks.iter().flat_map(|hunk: &Hunk| &hunk.lines);
    lines.filter(|line| line.kind == LineKind::Added).map(|line| line.text.as_str()).collect()
}

/// Refuses headers that name another file than the command.
fn names_match(context: &Context<'_>, path: &FilePath, patch: &Patch) -> Result<(), Box<Issue>> {
    for file in [&patch.old, &patch.new].into_iter().flatten() {
        let PatchFile::Path(whole) = file else { continue };
        let names = [Some(whole.as_str()), file.stripped()];
        let leads_there = |name: &str| context.snapshot.resolve(name).as_ref() == Ok(path);
        if !names.into_iter().flatten().any(leads_there) {
            let named = one_line::excerpt(file.stripped().unwrap_or(whole), 120);
            let shown = shown(path);
            return Err(mismatch(format!(
                "the patch's header names `{named}`, and the command's path is `{shown}`"
            )));
        }
    }
    Ok(())
}

fn deleted(path: FilePath, before: &Content, after: &str) -> Result<Plan, Box<Issue>> {
    if !after.is_empty() {
        return Err(mismatch(
            "the patch deletes the file, and leaves lines of it; remove every line",
        ));
    }
    let change = Change::Delete { path: path.clone(), kind: Kind::File, files: 1 };
    let before = State::File(before.fingerprint());
    Ok(Plan {
        changes: ChangeSet::one(change),
        targets: vec![Target { path: path.clone(), before, after: State::Missing }],
        ..Plan::of(Fact::Deleted { path, files: None })
    })
}
