//! What the client can do, asked once; the client's own structure is dropped afterwards.

use operator_core::edit::Needs;
use operator_core::problem::{PLAN_CLIENT_CANNOT, Problem};
use operator_core::review::CheckResult;
use operator_core::scan::Block;
use operator_core::spec::{Effect, FieldRole};
use operator_core::text::Encoding;
use serde::Deserialize;
use serde_json::{Map, Value};
use tower_lsp::ls_types::{
    ClientCapabilities, DiagnosticTag, DynamicRegistrationClientCapabilities, MarkupKind,
    ResourceOperationKind, TraceValue,
};

use super::proto;

macro_rules! at {
    ($root:expr $(, $field:ident)+) => {{
        let found = Some($root);
        $(let found = found.and_then(|value| value.$field.as_ref());)+
        found
    }};
}

/// What the client can do, in named answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResolvedClientCapabilities {
    /// How positions count.
    pub encoding: Encoding,
    /// `documentChanges` with versions may be sent.
    pub document_changes: bool,
    /// It declares that it does not tell when a document is saved.
    pub silent_saves: bool,
    /// Files may be created by an edit.
    pub create_files: bool,
    /// Files may be renamed by an edit.
    pub rename_files: bool,
    /// Files may be deleted by an edit.
    pub delete_files: bool,
    /// An edit that goes beyond the end of a document is refused, not clamped.
    pub refuses_beyond_end: bool,
    /// Changes may carry an annotation that asks for confirmation.
    pub change_annotations: bool,
    /// `workspace/applyEdit` may be asked for.
    pub apply_edit: bool,
    /// Diagnostics are pulled, never pushed.
    pub pull_diagnostics: bool,
    /// Diagnostics may say what else is about them.
    pub related_information: bool,
    /// Diagnostics may say where their code is described.
    pub code_descriptions: bool,
    /// Diagnostics may carry data.
    pub diagnostic_data: bool,
    /// Diagnostics may be shown as unnecessary text.
    pub unnecessary_tag: bool,
    /// Code actions are literals, not commands only.
    pub code_action_literals: bool,
    /// An action's edit may be left to `codeAction/resolve`.
    pub resolve_edits: bool,
    /// An action may say why it cannot be taken.
    pub disabled_actions: bool,
    /// An action may be marked as the preferred one.
    pub preferred_actions: bool,
    /// `workspace/configuration` may be asked for.
    pub configuration: bool,
    /// `workspace/didChangeConfiguration` may be registered for.
    pub register_configuration: bool,
    /// `workspace/didChangeWatchedFiles` may be registered for.
    pub register_watched_files: bool,
    /// A person may be asked by `window/showMessageRequest`.
    pub message_requests: bool,
    /// Progress may be shown.
    pub work_done_progress: bool,
    /// Completions may hold tab stops.
    pub snippets: bool,
    /// Hovers may hold Markdown.
    pub markdown_hover: bool,
    /// Folds are whole lines.
    pub line_folding_only: bool,
    /// Symbols may lie in one another.
    pub hierarchical_symbols: bool,
    /// Definitions may say which range they start from.
    pub definition_links: bool,
    /// Lenses are shown.
    pub code_lenses: bool,
    /// Lenses may be asked for again.
    pub refresh_code_lenses: bool,
    /// Tokens may be asked for again.
    pub refresh_semantic_tokens: bool,
    /// Hints may be asked for again.
    pub refresh_inlay_hints: bool,
    /// A document may be shown to a person.
    pub show_document: bool,
    /// The text of documents is asked for that the server makes; the library's types lack it.
    pub document_content: bool,
    /// Of an action only the command is run that it was listed with, and a person is told nothing
    /// of what is refused: actions are commands, and messages say how they ended.
    pub actions_are_commands: bool,
    /// The version of a document that is opened to be edited. The client makes an edit without a
    /// version in whatever it has open, so one of a file that it does not show says this.
    pub version_when_opened: Option<i32>,
    /// Each change of a document has the next version, and notifications overtake one another.
    pub unordered: bool,
}

impl ResolvedClientCapabilities {
    /// The answers in a client's `capabilities`.
    pub fn new(raw: &ClientCapabilities) -> ResolvedClientCapabilities {
        let mut resolved = ResolvedClientCapabilities {
            encoding: chosen_encoding(raw),
            work_done_progress: is(at!(raw, window, work_done_progress)),
            message_requests: at!(raw, window, show_message).is_some(),
            show_document: at!(raw, window, show_document).is_some_and(|it| it.support),
            ..Default::default()
        };
        resolved.read_workspace(raw);
        resolved.read_diagnostics(raw);
        resolved.read_actions(raw);
        resolved.read_features(raw);
        resolved
    }

    /// The same for a client of that name, of which more is known than it declares.
    #[must_use]
    pub fn known_as(mut self, name: &str) -> ResolvedClientCapabilities {
        match name {
            "helix" => {
                self.actions_are_commands = self.apply_edit;
                self.resolve_edits &= !self.actions_are_commands;
                self.version_when_opened = Some(0);
                self.unordered = true;
                // The end of progress would take the message away that says how it ended.
                self.work_done_progress = false;
            }
            "kakoune-lsp" => self.refuses_beyond_end = true,
            _ => {}
        }
        self
    }

    /// The problem of a block that is ready and whose changes this client has no way to make.
    pub fn bar(&self, block: &Block, check_result: &CheckResult) -> Option<Problem> {
        if block.parsed.effect != Some(Effect::Write) {
            return None;
        }
        let cannot = self.cannot(check_result.needs)?;
        let place = block.parsed.locate(FieldRole::Action, None);
        let says = format!(
            "this editor does not let a language server {cannot}; `operator-lsp apply` can"
        );
        Some(Problem::new(PLAN_CLIENT_CANNOT, place, says))
    }

    /// What the client would need to do, and cannot.
    pub fn cannot(&self, needs: Needs) -> Option<&'static str> {
        match needs {
            Needs { rename: true, .. } if !self.rename_files => Some("rename files"),
            Needs { create: true, .. } if !self.create_files => Some("create files"),
            Needs { delete: true, .. } if !self.delete_files => Some("delete files"),
            // The protocol has no edit for these two.
            Needs { empty_directory: true, .. } => Some("make an empty directory"),
            Needs { byte_order_mark: true, .. } => {
                Some("put a byte order mark before a file that has none")
            }
            _ => None,
        }
    }

    fn read_workspace(&mut self, raw: &ClientCapabilities) {
        let edit = at!(raw, workspace, workspace_edit);
        let operations = edit.and_then(|edit| edit.resource_operations.as_ref());
        let can = |kind| operations.is_some_and(|kinds| kinds.contains(&kind));
        self.create_files = can(ResourceOperationKind::Create);
        self.rename_files = can(ResourceOperationKind::Rename);
        self.delete_files = can(ResourceOperationKind::Delete);
        let versioned = edit.and_then(|edit| edit.document_changes);
        self.document_changes = versioned == Some(true) || operations.is_some();
        self.change_annotations = self.document_changes
            && edit.is_some_and(|edit| edit.change_annotation_support.is_some());
        self.apply_edit = is(at!(raw, workspace, apply_edit));
        self.configuration = is(at!(raw, workspace, configuration));
        self.register_configuration = dynamic(at!(raw, workspace, did_change_configuration));
        self.silent_saves = at!(raw, text_document, synchronization, did_save) == Some(&false);
        self.register_watched_files =
            is(at!(raw, workspace, did_change_watched_files, dynamic_registration));
        self.refresh_code_lenses = is(at!(raw, workspace, code_lens, refresh_support));
        self.refresh_semantic_tokens = is(at!(raw, workspace, semantic_tokens, refresh_support));
        self.refresh_inlay_hints = is(at!(raw, workspace, inlay_hint, refresh_support));
    }

    fn read_diagnostics(&mut self, raw: &ClientCapabilities) {
        let pull = at!(raw, text_document, diagnostic);
        let refresh = is(at!(raw, workspace, diagnostics, refresh_support));
        self.pull_diagnostics = pull.is_some() && refresh;
        let push = at!(raw, text_document, publish_diagnostics);
        self.related_information = push.and_then(|push| push.related_information) == Some(true)
            || self.pull_diagnostics
                && pull.and_then(|pull| pull.related_information) == Some(true);
        // What diagnostics may hold is declared for those that are pushed, and holds for all.
        self.code_descriptions = push.and_then(|push| push.code_description_support) == Some(true);
        self.diagnostic_data = push.and_then(|push| push.data_support) == Some(true);
        let tags = push.and_then(|push| push.tag_support.as_ref());
        let unnecessary = tags.is_some_and(|tags| {
            tags.value_set.is_empty() || tags.value_set.contains(&DiagnosticTag::UNNECESSARY)
        });
        self.unnecessary_tag = unnecessary
            || self.pull_diagnostics && pull.is_some_and(|pull| pull.tag_support.is_some());
    }

    fn read_actions(&mut self, raw: &ClientCapabilities) {
        let Some(action) = at!(raw, text_document, code_action) else { return };
        self.code_action_literals = action.code_action_literal_support.is_some();
        let resolvable = action.resolve_support.as_ref();
        let edits =
            resolvable.is_some_and(|support| support.properties.iter().any(|p| p == "edit"));
        self.resolve_edits = edits && action.data_support == Some(true);
        self.disabled_actions = action.disabled_support == Some(true);
        self.preferred_actions = action.is_preferred_support == Some(true);
    }

    fn read_features(&mut self, raw: &ClientCapabilities) {
        self.snippets = is(at!(raw, text_document, completion, completion_item, snippet_support));
        let formats = at!(raw, text_document, hover, content_format);
        self.markdown_hover = formats.is_some_and(|kinds| kinds.contains(&MarkupKind::Markdown));
        self.line_folding_only = is(at!(raw, text_document, folding_range, line_folding_only));
        let hierarchical =
            at!(raw, text_document, document_symbol, hierarchical_document_symbol_support);
        self.hierarchical_symbols = is(hierarchical);
        self.code_lenses = at!(raw, text_document, code_lens).is_some();
        self.definition_links = is(at!(raw, text_document, definition, link_support));
    }
}

/// Leaves out of the parameters of `initialize` what cannot be read of the capabilities and of the
/// trace setting. Clients declare what is newer than the library's types, and in other forms.
pub fn leave_out_unreadable(params: &mut Value) {
    let capabilities = params.get_mut("capabilities");
    if let Some(capabilities) = capabilities {
        let readable = readable(capabilities, &|it| ClientCapabilities::deserialize(it).is_ok());
        *capabilities = readable.unwrap_or_else(|| Value::Object(Map::new()));
    }
    if let Some(trace) = params.get_mut("trace")
        && TraceValue::deserialize(&*trace).is_err()
    {
        *trace = Value::Null;
    }
}

/// What `reads` can read of a value: members and items that it cannot read by themselves are left
/// out; nothing where all is.
fn readable(value: &Value, reads: &dyn Fn(&Value) -> bool) -> Option<Value> {
    if reads(value) {
        return Some(value.clone());
    }
    let rest = match value {
        Value::Object(members) => {
            let member = |(name, member): (&String, &Value)| {
                let alone =
                    |it: &Value| reads(&Map::from_iter([(name.clone(), it.clone())]).into());
                Some((name.clone(), readable(member, &alone)?))
            };
            members.iter().filter_map(member).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => {
            let item = |item| readable(item, &|it| reads(&Value::Array(vec![it.clone()])));
            Value::Array(items.iter().filter_map(item).collect())
        }
        _ => return None,
    };
    reads(&rest).then_some(rest)
}

fn is(answer: Option<&bool>) -> bool {
    answer.copied().unwrap_or(false)
}

fn dynamic(capability: Option<&DynamicRegistrationClientCapabilities>) -> bool {
    capability.and_then(|capability| capability.dynamic_registration).unwrap_or(false)
}

/// The first encoding in the client's order of preference; UTF-16 where it names none.
fn chosen_encoding(raw: &ClientCapabilities) -> Encoding {
    let offered = at!(raw, general, position_encodings);
    offered.and_then(|offered| offered.iter().find_map(proto::encoding)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn resolved(raw: serde_json::Value) -> ResolvedClientCapabilities {
        ResolvedClientCapabilities::new(&serde_json::from_value(raw).unwrap())
    }

    #[test]
    fn resource_operations_stand_for_document_changes() {
        let edit = json!({"resourceOperations": ["create", "delete"]});
        let client = resolved(json!({"workspace": {"workspaceEdit": edit}}));
        assert!(client.document_changes && client.create_files && client.delete_files);
        assert!(!client.rename_files);
        assert!(!resolved(json!({})).document_changes);
    }

    #[test]
    fn pull_needs_refresh() {
        let pull = json!({"diagnostic": {}});
        assert!(!resolved(json!({"textDocument": pull})).pull_diagnostics);
        let refresh = json!({"diagnostics": {"refreshSupport": true}});
        assert!(resolved(json!({"textDocument": pull, "workspace": refresh})).pull_diagnostics);
    }

    #[test]
    fn the_clients_first_known_encoding_wins() {
        let chosen = |list| resolved(json!({"general": {"positionEncodings": list}})).encoding;
        assert_eq!(chosen(json!(["utf-16", "utf-8"])), Encoding::Utf16);
        assert_eq!(chosen(json!(["x", "utf-8", "utf-16"])), Encoding::Utf8);
        assert_eq!(chosen(json!(["utf-32"])), Encoding::Utf32);
        assert_eq!(chosen(json!([])), Encoding::Utf16);
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let left = |capabilities: Value| {
            let mut params = json!({"capabilities": capabilities, "trace": "compact", "x": [1]});
            leave_out_unreadable(&mut params);
            assert_eq!((&params["trace"], &params["x"]), (&Value::Null, &json!([1])));
            params["capabilities"].clone()
        };
        let hover =
            |formats: &[&str]| json!({"textDocument": {"hover": {"contentFormat": formats}}});
        assert_eq!(left(hover(&["html", "markdown"])), hover(&["markdown"]));
        let other = json!({"window": {"workDoneProgress": true}, "new": {"a": 1}});
        assert_eq!(left(other.clone()), other, "what is unknown is no obstacle");
        let fails = json!({"applyEdit": true, "workspaceEdit": {
            "documentChanges": true, "failureHandling": "try"
        }});
        let without = json!({"applyEdit": true, "workspaceEdit": {"documentChanges": true}});
        assert_eq!(left(json!({"workspace": fails})), json!({"workspace": without}));
        let range = json!({"semanticTokens": {"requests": {"range": {}}, "tokenTypes": [],
            "tokenModifiers": [], "formats": []}, "codeLens": {}});
        let without = json!({"textDocument": {"codeLens": {}}});
        assert_eq!(left(json!({"textDocument": range})), without);
        assert_eq!(left(json!([1])), json!({}));
        assert_eq!(left(Value::Null), json!({}));
    }

    #[test]
    fn edits_are_resolved_only_with_data() {
        let with = |data: bool| {
            let action = json!({"dataSupport": data, "resolveSupport": {"properties": ["edit"]}});
            resolved(json!({"textDocument": {"codeAction": action}})).resolve_edits
        };
        assert!(with(true) && !with(false));
    }
}
