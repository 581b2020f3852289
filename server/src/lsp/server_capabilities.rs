//! What the server says that it can do, made of the same names that are dispatched.

use tower_lsp::ls_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, DiagnosticOptions,
    DiagnosticServerCapabilities, ExecuteCommandOptions, OneOf, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use super::capabilities::ResolvedClientCapabilities;
use super::names::{ActionKind, CommandName};
use super::proto;

/// What the server can do for this client.
pub fn server_capabilities(client: &ResolvedClientCapabilities) -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(SaveOptions { include_text: Some(false) }.into()),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(proto::encoding_kind(client.encoding)),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        diagnostic_provider: client.pull_diagnostics.then(pulled_diagnostics),
        code_action_provider: client.code_action_literals.then(|| code_actions(client)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: CommandName::ALL.iter().map(|name| name.identifier().to_owned()).collect(),
            ..ExecuteCommandOptions::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}

fn pulled_diagnostics() -> DiagnosticServerCapabilities {
    DiagnosticServerCapabilities::Options(DiagnosticOptions {
        identifier: Some("operator".to_owned()),
        inter_file_dependencies: true,
        workspace_diagnostics: false,
        ..DiagnosticOptions::default()
    })
}

fn code_actions(client: &ResolvedClientCapabilities) -> CodeActionProviderCapability {
    let kinds = ActionKind::ALL.iter().map(|kind| CodeActionKind::new(kind.identifier()));
    CodeActionProviderCapability::Options(CodeActionOptions {
        code_action_kinds: Some(kinds.collect()),
        resolve_provider: Some(client.resolve_edits),
        ..CodeActionOptions::default()
    })
}
