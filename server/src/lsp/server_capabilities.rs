//! What the server says that it can do, made of the same names that are dispatched.

use tower_lsp::ls_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, DiagnosticOptions, DiagnosticServerCapabilities, DocumentLinkOptions,
    ExecuteCommandOptions, HoverProviderCapability, OneOf, SaveOptions, SemanticTokensFullOptions,
    SemanticTokensOptions, SemanticTokensServerCapabilities, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use super::capabilities::ResolvedClientCapabilities;
use super::handlers::semantic_tokens;
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
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", "/", ":", "\"", "@", "#"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: None,
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(true.into()),
        semantic_tokens_provider: Some(semantic_tokens()),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: None }),
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

fn semantic_tokens() -> SemanticTokensServerCapabilities {
    SemanticTokensOptions {
        legend: semantic_tokens::legend(),
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    }
    .into()
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
