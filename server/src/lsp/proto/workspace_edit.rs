//! Change sets as edits of the protocol: minimal, disjoint, sorted, each with its version.

use std::collections::{HashMap, HashSet};

use operator_core::edit::{Change, ChangeSet, EditSet, smallest};
use operator_core::path::{FilePath, Kind};
use operator_core::plan::not_reloaded;
use operator_core::text::{Content, Text};
use tower_lsp::ls_types::{
    AnnotatedTextEdit, ChangeAnnotation, CreateFile, DeleteFile, DeleteFileOptions,
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier,
    RenameFile, ResourceOp, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use super::text_edits::{first_text, text_edits};
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::config::Confirm;
use crate::lsp::sites::Site;

/// What an annotation says of a change.
const KEPT: &str = "change";
const DESTRUCTIVE: &str = "destructive";
const BOM: &str = "\u{feff}";

/// Makes one edit of the protocol, step by step.
pub struct EditBuilder<'a> {
    client: &'a ResolvedClientCapabilities,
    confirm: Confirm,
    site: &'a Site,
    steps: Vec<Step>,
    touched: HashSet<Uri>,
    /// Why the changes need a look of their own.
    caution: Option<String>,
}

/// One step, and whether it takes something away.
struct Step {
    what: What,
    destructive: bool,
}

enum What {
    Edits(Uri, Option<i32>, Vec<TextEdit>),
    Operation(ResourceOp),
}

/// The files that each step of an edit changes, in order.
pub fn changed_by_step(edit: &WorkspaceEdit) -> Vec<Vec<Uri>> {
    let Some(DocumentChanges::Operations(operations)) = &edit.document_changes else {
        return Vec::new();
    };
    let changed = |operation: &DocumentChangeOperation| match operation {
        DocumentChangeOperation::Edit(edit) => vec![edit.text_document.uri.clone()],
        DocumentChangeOperation::Op(ResourceOp::Create(it)) => vec![it.uri.clone()],
        DocumentChangeOperation::Op(ResourceOp::Delete(it)) => vec![it.uri.clone()],
        DocumentChangeOperation::Op(ResourceOp::Rename(it)) => {
            vec![it.old_uri.clone(), it.new_uri.clone()]
        }
    };
    operations.iter().map(changed).collect()
}

/// The files that an edit changes.
pub fn documents(edit: &WorkspaceEdit) -> HashSet<Uri> {
    let changes = edit.changes.iter().flat_map(HashMap::keys).cloned();
    changed_by_step(edit).into_iter().flatten().chain(changes).collect()
}

/// The files that only steps before this one change; none where the step is not known.
pub fn changed_before(steps: &[Vec<Uri>], step: Option<usize>) -> Vec<Uri> {
    let Some((before, after)) = step.and_then(|step| steps.split_at_checked(step)) else {
        return Vec::new();
    };
    let is_later = |uri: &&Uri| after.iter().flatten().any(|it| it == *uri);
    before.iter().flatten().filter(|uri| !is_later(uri)).cloned().collect()
}

impl<'a> EditBuilder<'a> {
    /// An edit that does nothing yet.
    pub fn new(
        client: &'a ResolvedClientCapabilities,
        confirm: Confirm,
        site: &'a Site,
    ) -> EditBuilder<'a> {
        EditBuilder {
            client,
            confirm,
            site,
            steps: Vec::new(),
            touched: HashSet::new(),
            caution: None,
        }
    }

    /// Has the changes be confirmed like destructive ones, for this reason.
    pub fn needs_a_look(&mut self, reason: String) {
        self.caution = Some(reason);
    }

    /// Adds edits of an open document, whose text this is, at a version.
    pub fn document(&mut self, uri: Uri, version: i32, text: &Text, edits: &EditSet) {
        self.touched.insert(uri.clone());
        let what = What::Edits(uri, Some(version), text_edits(text, edits, self.client));
        self.steps.push(Step { what, destructive: false });
    }

    /// Adds the steps of a change set; `overwritten` are the files whose content is replaced whole.
    ///
    /// # Errors
    /// What the client cannot do, or a file that it has not reloaded, for a person to read.
    pub fn changes(
        &mut self,
        changes: &ChangeSet,
        overwritten: &HashSet<FilePath>,
    ) -> Result<(), String> {
        if let Some(path) = changes.empty_directory() {
            return Err(format!("an editor cannot make the empty directory {path}"));
        }
        // The edit would go into the text that was there before, and one of the two would be lost.
        let is_old = |file: &&FilePath| {
            changes.iter().any(|change| change.touches(file)) && self.site.is_changed_below(file)
        };
        if let Some(file) = self.site.open_files().iter().find(is_old) {
            return Err(not_reloaded(&file.to_string()));
        }
        for change in changes.iter() {
            let destructive = match change {
                _ if self.caution.is_some() => true,
                Change::Delete { .. } => true,
                Change::Edit { path, .. } => overwritten.contains(path),
                _ => false,
            };
            self.change(change, destructive)?;
        }
        Ok(())
    }

    fn change(&mut self, change: &Change, destructive: bool) -> Result<(), String> {
        match change {
            Change::Edit { path, before, after } => self.edit(path, before, after, destructive),
            Change::Create { path, content, .. } => self.create(path, content, destructive),
            Change::Delete { path, kind, files } => self.delete(path, *kind, *files),
            Change::Rename { from, to, .. } => self.rename(from, to, destructive),
            // It comes with what is made in it.
            Change::CreateDirectory { .. } => Ok(()),
        }
    }

    fn edit(
        &mut self,
        path: &FilePath,
        before: &Content,
        after: &Content,
        destructive: bool,
    ) -> Result<(), String> {
        let uri = self.uri(path)?;
        if after.bom && !before.bom {
            return Err(format!(
                "an editor does not let a language server put a byte order mark before {path}; \
                 `operator-lsp apply` can"
            ));
        }
        let edits = smallest(&before.text, &after.text);
        if edits.is_empty() {
            return Ok(());
        }
        let edits = text_edits(&Text::new(&before.text), &edits, self.client);
        // A second step on the same document is in terms of what the first leaves, and what its
        // version will be then nobody knows.
        let first = self.touched.insert(uri.clone());
        let version = self.site.version(path).or(self.client.version_when_opened);
        let version = version.filter(|_| first);
        self.steps.push(Step { what: What::Edits(uri, version, edits), destructive });
        Ok(())
    }

    fn create(
        &mut self,
        path: &FilePath,
        content: &Content,
        destructive: bool,
    ) -> Result<(), String> {
        self.require(self.client.create_files, "create", path)?;
        let uri = self.uri(path)?;
        self.touched.insert(uri.clone());
        let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
        let what = What::Operation(ResourceOp::Create(create));
        self.steps.push(Step { what, destructive });
        if !content.is_empty() {
            let mark = if content.bom { BOM } else { "" };
            let edit = first_text(format!("{mark}{}", content.text), self.client);
            let what = What::Edits(uri, self.client.version_when_opened, vec![edit]);
            self.steps.push(Step { what, destructive });
        }
        Ok(())
    }

    fn delete(&mut self, path: &FilePath, kind: Kind, files: usize) -> Result<(), String> {
        self.require(self.client.delete_files, "delete", path)?;
        let uri = self.uri(path)?;
        self.touched.insert(uri.clone());
        // One that is empty is not deleted with what has come into it meanwhile.
        let recursive = (kind == Kind::Directory).then_some(files > 0);
        let options = DeleteFileOptions { recursive, ignore_if_not_exists: None };
        let delete = DeleteFile { uri, options: Some(options), annotation_id: None };
        let what = What::Operation(ResourceOp::Delete(delete));
        self.steps.push(Step { what, destructive: true });
        Ok(())
    }

    fn rename(&mut self, from: &FilePath, to: &FilePath, destructive: bool) -> Result<(), String> {
        self.require(self.client.rename_files, "rename", from)?;
        let (old_uri, new_uri) = (self.uri(from)?, self.uri(to)?);
        self.touched.extend([old_uri.clone(), new_uri.clone()]);
        let rename = RenameFile { old_uri, new_uri, options: None, annotation_id: None };
        let what = What::Operation(ResourceOp::Rename(rename));
        self.steps.push(Step { what, destructive });
        Ok(())
    }

    fn require(&self, can: bool, what: &str, path: &FilePath) -> Result<(), String> {
        if can {
            return Ok(());
        }
        Err(format!("this editor does not let a language server {what} files ({path})"))
    }

    fn uri(&self, path: &FilePath) -> Result<Uri, String> {
        self.site.uri(path).ok_or_else(|| format!("{path} has no URI"))
    }

    /// The edit; `label` is what a person is asked about where it must be confirmed.
    ///
    /// # Errors
    /// Where a client without document changes would need to edit one document twice.
    pub fn finish(self, label: &str) -> Result<WorkspaceEdit, String> {
        if !self.client.document_changes {
            return self.plain();
        }
        let annotate = self.client.change_annotations;
        let confirm = self.confirm;
        let takes = match &self.caution {
            Some(reason) => format!("needs a look: {reason}"),
            None => "deletes or overwrites".to_owned(),
        };
        let mut used = HashMap::new();
        let mut operations = Vec::new();
        for step in self.steps {
            let id = if step.destructive { DESTRUCTIVE } else { KEPT };
            if annotate {
                used.insert(id.to_owned(), annotation(confirm, step.destructive, label, &takes));
            }
            operations.push(operation(step.what, annotate.then_some(id)));
        }
        Ok(WorkspaceEdit {
            changes: None,
            document_changes: Some(DocumentChanges::Operations(operations)),
            change_annotations: annotate.then_some(used),
        })
    }

    fn plain(self) -> Result<WorkspaceEdit, String> {
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for step in self.steps {
            // Operations were refused when they were added.
            let What::Edits(uri, _, edits) = step.what else { continue };
            if changes.insert(uri, edits).is_some() {
                return Err("this editor cannot change one file in two steps".to_owned());
            }
        }
        Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }
}

/// `takes` is what destructive changes take away, or why they need a look.
fn annotation(confirm: Confirm, destructive: bool, label: &str, takes: &str) -> ChangeAnnotation {
    let needs = match confirm {
        Confirm::Always => true,
        Confirm::Never => false,
        Confirm::Destructive => destructive,
    };
    ChangeAnnotation {
        label: label.to_owned(),
        needs_confirmation: Some(needs),
        description: destructive.then(|| takes.to_owned()),
    }
}

fn operation(what: What, annotation: Option<&str>) -> DocumentChangeOperation {
    let id = annotation.map(str::to_owned);
    match what {
        What::Edits(uri, version, edits) => {
            let annotated = edits.into_iter().map(|text_edit| match &id {
                Some(id) => {
                    OneOf::Right(AnnotatedTextEdit { text_edit, annotation_id: id.clone() })
                }
                None => OneOf::Left(text_edit),
            });
            DocumentChangeOperation::Edit(TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
                edits: annotated.collect(),
            })
        }
        What::Operation(mut operation) => {
            match &mut operation {
                ResourceOp::Create(create) => create.annotation_id = id,
                ResourceOp::Rename(rename) => rename.annotation_id = id,
                ResourceOp::Delete(delete) => delete.annotation_id = id,
            }
            DocumentChangeOperation::Op(operation)
        }
    }
}
