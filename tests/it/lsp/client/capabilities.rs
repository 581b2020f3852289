//! What clients declare that they can do.

use serde_json::{Value, json};

/// A client's declared capabilities, as the protocol has them.
#[derive(Debug, Clone)]
pub struct Capabilities(pub Value);

impl Capabilities {
    /// Everything that the server can make use of, diagnostics being pushed.
    pub fn everything() -> Capabilities {
        Capabilities(json!({
            "general": {"positionEncodings": ["utf-16"]},
            "window": {"workDoneProgress": true, "showMessage": {}},
            "workspace": {
                "applyEdit": true,
                "configuration": true,
                "workspaceFolders": true,
                "workspaceEdit": {
                    "documentChanges": true,
                    "resourceOperations": ["create", "rename", "delete"],
                    "failureHandling": "abort",
                    "changeAnnotationSupport": {"groupsOnLabel": true}
                },
                "didChangeConfiguration": {"dynamicRegistration": true},
                "didChangeWatchedFiles": {"dynamicRegistration": true},
                "codeLens": {"refreshSupport": true},
                "semanticTokens": {"refreshSupport": true},
                "inlayHint": {"refreshSupport": true},
                "symbol": {}
            },
            "textDocument": {
                "synchronization": {"didSave": true},
                "publishDiagnostics": {
                    "relatedInformation": true, "versionSupport": true, "dataSupport": true,
                    "codeDescriptionSupport": true, "tagSupport": {"valueSet": [1, 2]}
                },
                "codeAction": {
                    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [
                        "", "quickfix", "refactor", "refactor.rewrite", "source", "source.fixAll"
                    ]}},
                    "resolveSupport": {"properties": ["edit"]},
                    "dataSupport": true, "disabledSupport": true, "isPreferredSupport": true
                },
                "hover": {"contentFormat": ["markdown", "plaintext"]},
                "completion": {"completionItem": {"snippetSupport": true}},
                "definition": {"linkSupport": true},
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
                "foldingRange": {"lineFoldingOnly": true},
                "inlayHint": {}, "codeLens": {}, "documentLink": {}, "semanticTokens": {
                    "requests": {"full": true, "range": true}, "tokenTypes": [],
                    "tokenModifiers": [], "formats": ["relative"]
                }
            }
        }))
    }

    /// The same, with diagnostics pulled.
    pub fn pulling() -> Capabilities {
        Capabilities::everything()
            .with("/textDocument/diagnostic", json!({}))
            .with("/workspace/diagnostics", json!({"refreshSupport": true}))
    }

    /// Almost nothing: text goes to the server, and actions come back with their edits.
    pub fn bare() -> Capabilities {
        Capabilities(json!({"textDocument": {
            "publishDiagnostics": {},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
        }}))
    }

    /// As an editor that names resource operations without document changes, pulls diagnostics
    /// without taking refreshes, and knows neither versions of diagnostics nor disabled actions.
    pub fn neovim() -> Capabilities {
        Capabilities::everything()
            .with("/general/positionEncodings", json!(["utf-16", "utf-8", "utf-32"]))
            .with("/textDocument/diagnostic", json!({"dynamicRegistration": false}))
            .with("/textDocument/publishDiagnostics/versionSupport", Value::Null)
            .with("/textDocument/codeAction/disabledSupport", Value::Null)
            .with("/workspace/workspaceEdit/documentChanges", Value::Null)
            .with("/workspace/workspaceEdit/changeAnnotationSupport", Value::Null)
            .with("/workspace/codeLens", Value::Null)
    }

    /// The same with another value at a pointer; `null` takes it out.
    pub fn with(mut self, pointer: &str, value: Value) -> Capabilities {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let mut at = &mut self.0;
        for step in parent.split('/').skip(1) {
            let map = at.as_object_mut().unwrap();
            at = map.entry(step).or_insert_with(|| json!({}));
        }
        let map = at.as_object_mut().unwrap();
        if value.is_null() {
            map.remove(name);
        } else {
            map.insert(name.to_owned(), value);
        }
        self
    }

    /// The same with one way to count positions.
    pub fn encoding(self, name: &str) -> Capabilities {
        self.with("/general/positionEncodings", json!([name]))
    }

    /// Whether something is declared: there, and not `false`.
    pub fn has(&self, pointer: &str) -> bool {
        self.0.pointer(pointer).is_some_and(|value| *value != json!(false) && !value.is_null())
    }

    /// Whether a kind of resource operation is declared.
    pub fn operation(&self, kind: &str) -> bool {
        let kinds = self.0.pointer("/workspace/workspaceEdit/resourceOperations");
        kinds.and_then(Value::as_array).is_some_and(|kinds| kinds.contains(&json!(kind)))
    }

    /// Whether edits come as `documentChanges`.
    pub fn document_changes(&self) -> bool {
        let edit = "/workspace/workspaceEdit";
        self.has(&format!("{edit}/documentChanges"))
            || self.has(&format!("{edit}/resourceOperations"))
    }

    /// Whether diagnostics are pulled.
    pub fn pulls(&self) -> bool {
        self.has("/textDocument/diagnostic") && self.has("/workspace/diagnostics/refreshSupport")
    }
}
