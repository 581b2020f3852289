//! Edits of the workspace, made as an editor makes them: in order, open buffers before disk,
//! versions checked, and nothing taken that was not declared.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::positions::{self, Encoding};
use super::{Client, Unopened, path_of};

const CREATED: u8 = 1;
const CHANGED: u8 = 2;
const DELETED: u8 = 3;
const BOM: &str = "\u{feff}";

impl Client {
    /// Makes an edit.
    ///
    /// # Errors
    /// Why the workspace does not take it; what no server may send is a panic.
    pub fn apply(&mut self, edit: &Value) -> Result<(), String> {
        let changes = edit.get("changes").filter(|changes| !changes.is_null());
        let operations = edit.get("documentChanges").filter(|changes| !changes.is_null());
        let mut told = Vec::new();
        match (changes, operations) {
            (Some(changes), None) => {
                let declared = self.capabilities.document_changes();
                assert!(!declared, "`changes`, though document changes are declared: {edit:#}");
                for (uri, edits) in changes.as_object().unwrap() {
                    self.edit_text(uri, edits, &mut told)?;
                }
            }
            (None, Some(operations)) => {
                let declared = self.capabilities.document_changes();
                assert!(declared, "`documentChanges` are not declared: {edit:#}");
                let mut touched = Vec::new();
                for operation in operations.as_array().unwrap() {
                    self.check_annotations(operation, edit);
                    self.operate(operation, &mut touched, &mut told)?;
                }
            }
            _ => panic!("an edit must be one of two forms: {edit:#}"),
        }
        self.edits_made.push(edit.clone());
        self.tell_files(&told);
        Ok(())
    }

    fn check_annotations(&self, operation: &Value, edit: &Value) {
        let declared = self.capabilities.has("/workspace/workspaceEdit/changeAnnotationSupport");
        let annotations = operation["edits"].as_array().map_or_else(
            || vec![operation.get("annotationId")],
            |edits| edits.iter().map(|edit| edit.get("annotationId")).collect(),
        );
        for annotation in annotations.into_iter().flatten() {
            assert!(declared, "annotations are not declared: {edit:#}");
            let known = &edit["changeAnnotations"][annotation.as_str().unwrap()];
            assert!(known["label"].is_string(), "an unknown annotation: {edit:#}");
        }
    }

    fn operate(
        &mut self,
        operation: &Value,
        touched: &mut Vec<String>,
        told: &mut Vec<(String, u8)>,
    ) -> Result<(), String> {
        let uri = |name: &str| operation[name].as_str().unwrap().to_owned();
        let Some(kind) = operation.get("kind").and_then(Value::as_str) else {
            let document = &operation["textDocument"];
            let uri = document["uri"].as_str().unwrap().to_owned();
            self.check_version(&uri, &document["version"], touched.contains(&uri))?;
            touched.push(uri.clone());
            return self.edit_text(&uri, &operation["edits"], told);
        };
        assert!(self.capabilities.operation(kind), "{kind} is not declared: {operation:#}");
        match kind {
            "create" => {
                touched.push(uri("uri"));
                create(&path_of(&uri("uri")), &operation["options"])?;
                told.push((uri("uri"), CREATED));
            }
            "delete" => {
                touched.push(uri("uri"));
                self.delete(&uri("uri"), &operation["options"])?;
                told.push((uri("uri"), DELETED));
            }
            "rename" => {
                touched.extend([uri("oldUri"), uri("newUri")]);
                self.rename(&uri("oldUri"), &uri("newUri"), &operation["options"])?;
                told.extend([(uri("oldUri"), DELETED), (uri("newUri"), CREATED)]);
            }
            _ => panic!("no such operation: {operation:#}"),
        }
        Ok(())
    }

    /// The first step on an open document must say its version; what is not open has none, or
    /// that which it is opened at.
    fn check_version(&self, uri: &str, version: &Value, again: bool) -> Result<(), String> {
        match (self.documents.get(uri), version.as_i64()) {
            (Some(document), Some(version)) if document.version != version => {
                Err(format!("{uri} is at {}, the edit is for {version}", document.version))
            }
            (Some(_), None) if !again => panic!("an edit of an open document without a version"),
            (None, version)
                if self.version_when_opened.is_some() && (!again || version.is_some()) =>
            {
                let known = self.unseen.get(uri).copied().or(self.version_when_opened);
                let says = || format!("{uri} is at {known:?}, the edit is for {version:?}");
                (known == version).then_some(()).ok_or_else(says)
            }
            (None, Some(_)) => panic!("an edit of {uri}, which is not open, with a version"),
            _ => Ok(()),
        }
    }

    fn edit_text(
        &mut self,
        uri: &str,
        edits: &Value,
        told: &mut Vec<(String, u8)>,
    ) -> Result<(), String> {
        let edits = edits.as_array().unwrap();
        assert!(!edits.is_empty(), "an edit without edits");
        if self.unopened == Unopened::Open && !self.documents.contains_key(uri) {
            let text = fs::read_to_string(path_of(uri)).map_err(|error| error.to_string())?;
            let text = text.strip_prefix(BOM).unwrap_or(&text).to_owned();
            self.open(uri, "plaintext", &text);
        }
        if let Some(document) = self.documents.get(uri) {
            check_order(&document.text, edits, self.encoding);
            // From the last to the first, so that each position still holds.
            let changes: Vec<_> = edits.iter().rev().map(change).collect();
            self.change(uri, &changes);
            return Ok(());
        }
        let path = path_of(uri);
        let text = fs::read_to_string(&path).map_err(|error| format!("{uri}: {error}"))?;
        let (mark, text) = match text.strip_prefix(BOM) {
            Some(rest) => (BOM, rest),
            None => ("", text.as_str()),
        };
        let text = edited(text, edits, self.encoding);
        fs::write(&path, format!("{mark}{text}")).map_err(|error| error.to_string())?;
        if !told.iter().any(|(known, kind)| known == uri && *kind == CREATED) {
            told.push((uri.to_owned(), CHANGED));
        }
        Ok(())
    }

    fn delete(&mut self, uri: &str, options: &Value) -> Result<(), String> {
        let path = path_of(uri);
        let recursive = options["recursive"] == json!(true);
        let below = format!("{uri}/");
        let open: Vec<_> = self.documents.keys().cloned().collect();
        let gone = open.iter().filter(|open| *open == uri || open.starts_with(&below));
        let done = if !path.is_dir() {
            fs::remove_file(&path)
        } else if recursive {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_dir(&path)
        };
        let ignored = options["ignoreIfNotExists"] == json!(true) && !path.exists();
        if let Err(error) = done
            && !ignored
        {
            return Err(format!("{uri}: {error}"));
        }
        if !self.keeps_deleted {
            gone.for_each(|uri| {
                self.close(uri);
            });
        }
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str, options: &Value) -> Result<(), String> {
        let (old, new) = (path_of(from), path_of(to));
        if new.exists() && options["overwrite"] != json!(true) {
            return Err(format!("{to} is there already"));
        }
        make_parent(&new)?;
        fs::rename(&old, &new).map_err(|error| format!("{from}: {error}"))?;
        let below = format!("{from}/");
        let open: Vec<_> = self.documents.keys().cloned().collect();
        for uri in open.iter().filter(|uri| *uri == from || uri.starts_with(&below)) {
            let document = self.close(uri);
            let moved = uri.replacen(from, to, 1);
            self.open_at(&moved, &document.language, &document.text, document.version);
        }
        Ok(())
    }
}

fn create(path: &Path, options: &Value) -> Result<(), String> {
    let flag = |name: &str| options[name] == json!(true);
    if path.exists() && !flag("overwrite") {
        return if flag("ignoreIfExists") {
            Ok(())
        } else {
            Err(format!("{} is there already", path.display()))
        };
    }
    make_parent(path)?;
    fs::write(path, "").map_err(|error| error.to_string())
}

fn make_parent(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path.parent().unwrap()).map_err(|error| error.to_string())
}

fn change(edit: &Value) -> Value {
    json!({"range": edit["range"], "text": edit["newText"]})
}

/// The text after edits that all refer to the text before.
fn edited(text: &str, edits: &[Value], encoding: Encoding) -> String {
    check_order(text, edits, encoding);
    let mut new = text.to_owned();
    for edit in edits.iter().rev() {
        let start = positions::offset(text, &edit["range"]["start"], encoding);
        let end = positions::offset(text, &edit["range"]["end"], encoding);
        new.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    new
}

/// Edits are sorted and disjoint, and each changes something.
fn check_order(text: &str, edits: &[Value], encoding: Encoding) {
    let mut last = None;
    for edit in edits {
        let start = positions::offset(text, &edit["range"]["start"], encoding);
        let end = positions::offset(text, &edit["range"]["end"], encoding);
        assert!(start <= end, "an edit that ends before it starts: {edit:#}");
        assert!(last.is_none_or(|last| last < start), "edits out of order: {edits:#?}");
        assert_ne!(&text[start..end], edit["newText"], "an edit that changes nothing: {edit:#}");
        last = Some(end);
    }
}
