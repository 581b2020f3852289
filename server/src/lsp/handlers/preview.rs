//! Previews: what a block would change, file by file.

use std::collections::BTreeSet;

use operator_core::edit::{Change, ChangeSet, Hunk, unified};
use operator_core::path::{FilePath, Kind};
use operator_core::plan::Plan;
use operator_core::review::{Proposal, Status};
use operator_core::snapshot::Snapshot;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Uri, request};

use super::preview_document::Documents;
use crate::lsp::apply::{argument, check as check_argument, in_part};
use crate::lsp::context::{Context, request_failed};
use crate::lsp::protocol::{BlockArgument, BlockParams, PreviewParams};
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// One file as it is and as it would be; `None` where it is not there.
pub struct FileChange {
    /// The file.
    pub path: FilePath,
    /// What it holds.
    pub before: Option<String>,
    /// What it would hold.
    pub after: Option<String>,
}

impl FileChange {
    /// The change as a unified diff.
    pub fn diff(&self) -> String {
        let name = |there: &Option<String>, side: &str| match there {
            Some(_) => format!("{side}/{}", self.path),
            None => "/dev/null".to_owned(),
        };
        unified(
            &name(&self.before, "a"),
            &name(&self.after, "b"),
            self.before.as_deref().unwrap_or_default(),
            self.after.as_deref().unwrap_or_default(),
        )
    }
}

/// `operator/preview`
pub struct Handler;

impl request::Request for Handler {
    type Params = PreviewParams;
    type Result = Value;
    const METHOD: &'static str = "operator/preview";
}

impl DocumentRequest for Handler {
    type Protocol = Handler;
    const NEEDS: Needs = Needs::Review;

    fn document(params: &PreviewParams) -> &Uri {
        &params.block.text_document.uri
    }

    fn handle(context: &Context, params: &PreviewParams) -> Result<Value> {
        let PreviewParams { block: BlockParams { text_document, block }, hunks, .. } = params;
        check_argument(
            context,
            &BlockArgument {
                uri: text_document.uri.clone(),
                block: Some(*block),
                version: params.version,
                digest: params.digest.clone(),
            },
        )?;
        preview(context, *block, hunks.as_ref())
    }
}

/// What a block would change, whole or with some of its hunks: `{"files":[{"uri","before","after",
/// "diff"}]}`, all `hunks` where it can be applied in part, and the `argument` by which it is
/// applied as it is shown.
///
/// # Errors
/// The block does not exist, lacks one of the hunks, cannot be planned, or is applied: it would be
/// done twice.
pub fn preview(context: &Context, block: usize, taken: Option<&BTreeSet<usize>>) -> Result<Value> {
    let (checked, files) = files(context, block, taken)?;
    let documents = Documents::new(context, block);
    let file = |(at, change): (usize, &FileChange)| {
        let mut file = json!({
            "uri": context.site.uri(&change.path),
            "before": change.before,
            "after": change.after,
            "diff": change.diff(),
        });
        if let Some(documents) = &documents {
            file["documents"] = documents.of_file(at, change);
        }
        file
    };
    let files: Vec<Value> = files.iter().enumerate().map(file).collect();
    let shown = context.proposal(block)?;
    let mut preview = json!({ "files": files, "argument": argument(context, Some(&shown)) });
    if let Some(documents) = documents {
        preview["document"] = documents.diff().into();
    }
    let hunks = checked.plan.as_deref().map(Plan::hunks).unwrap_or_default();
    if hunks.len() > 1 {
        preview["hunks"] = listed(context, &hunks, taken);
    }
    Ok(preview)
}

/// The block with its whole plan, and the files that it would change, whole or with some of its
/// hunks.
///
/// # Errors
/// Those of [`preview`].
pub fn files(
    context: &Context,
    block: usize,
    taken: Option<&BTreeSet<usize>>,
) -> Result<(Proposal, Vec<FileChange>)> {
    let view = context.view();
    let checked = check(context, &context.proposal(block)?);
    let plan = checked
        .plan
        .as_ref()
        .filter(|plan| checked.status != Status::Applied || plan.changes.is_empty());
    let Some(plan) = plan else { return Err(request_failed(checked.why_not())) };
    let mut files = changed_files(&plan.changes, &view);
    if let Some(taken) = taken {
        let part = in_part(&checked, taken)?;
        let changed = part.plan.map(|part| changed_files(&part.changes, &view)).unwrap_or_default();
        for file in &mut files {
            let same = changed.iter().find(|it| it.path == file.path);
            file.after = same.map_or_else(|| file.before.clone(), |it| it.after.clone());
        }
    }
    Ok((checked, files))
}

/// The hunks of a plan, with where each of them is in the texts that are shown.
fn listed(
    context: &Context,
    hunks: &[(&FilePath, Hunk)],
    taken: Option<&BTreeSet<usize>>,
) -> Value {
    let mut listed = Vec::with_capacity(hunks.len());
    let (mut file, mut shift) = (None, 0);
    for (number, &(path, hunk)) in hunks.iter().enumerate() {
        if file.replace(path) != Some(path) {
            shift = 0;
        }
        let is_taken = taken.is_none_or(|taken| taken.contains(&number));
        listed.push(json!({
            "uri": context.site.uri(path),
            "line": hunk.first - 1,
            "lineAfter": (hunk.first - 1).saturating_add_signed(shift),
            "removed": hunk.removed,
            "added": hunk.added,
            "taken": is_taken,
        }));
        if is_taken {
            shift += hunk.added.cast_signed() - hunk.removed.cast_signed();
        }
    }
    listed.into()
}

/// The proposal with its whole plan; one that never had one stays as it is.
pub fn check(context: &Context, shown: &Proposal) -> Proposal {
    if matches!(shown.status, Status::Invalid | Status::Superseded) {
        return shown.clone();
    }
    let mut checked = context.book().check(shown, &context.view(), context.limits());
    if shown.status == Status::Applied {
        checked.status = Status::Applied;
    }
    checked
}

/// Every file that a change set changes, directories by the files in them.
pub fn changed_files(changes: &ChangeSet, view: &dyn Snapshot) -> Vec<FileChange> {
    changes.iter().flat_map(|change| files_of(change, view)).collect()
}

fn files_of(change: &Change, view: &dyn Snapshot) -> Vec<FileChange> {
    let read = |path: &FilePath| view.read(path).ok().map(|content| content.text.to_string());
    match change {
        Change::Create { path, content, .. } => {
            let after = Some(content.text.to_string());
            vec![FileChange { path: path.clone(), before: None, after }]
        }
        Change::Edit { path, before, after } => {
            let (before, after) = (Some(before.text.to_string()), Some(after.text.to_string()));
            vec![FileChange { path: path.clone(), before, after }]
        }
        Change::Delete { path, kind, files } => inside(path, *kind, *files, view)
            .into_iter()
            .map(|path| FileChange { before: read(&path), after: None, path })
            .collect(),
        Change::Rename { from, to, kind, files } => {
            let moved = inside(from, *kind, *files, view);
            let pair = |path: FilePath| {
                let rest = path.path.strip_prefix(&*from.path).unwrap_or_default();
                let new = FilePath::new(to.root, format!("{}{rest}", to.path));
                let text = read(&path);
                let after = FileChange { path: new, before: None, after: text.clone() };
                [FileChange { path, before: text, after: None }, after]
            };
            moved.into_iter().flat_map(pair).collect()
        }
        Change::CreateDirectory { .. } => Vec::new(),
    }
}

fn inside(path: &FilePath, kind: Kind, files: usize, view: &dyn Snapshot) -> Vec<FilePath> {
    match kind {
        Kind::File => vec![path.clone()],
        Kind::Directory => view.files(path, true, files.max(1)).unwrap_or_default(),
    }
}
