//! Tells Zed how to start operator-lsp.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, serde_json, LanguageServerId, Result, Worktree};

const PROGRAM: &str = "operator-lsp";

struct Operator;

impl zed::Extension for Operator {
    fn new() -> Self {
        Operator
    }

    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<zed::Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree)?.binary;
        let configured = binary.as_ref().and_then(|binary| binary.path.clone());
        let command = configured.or_else(|| worktree.which(PROGRAM)).ok_or_else(|| {
            format!("`{PROGRAM}` is not on the PATH: install it, or set lsp.{PROGRAM}.binary.path")
        })?;
        let (args, more) = binary.map(|binary| (binary.arguments, binary.env)).unwrap_or_default();
        // Of a variable that is there twice, the last one counts.
        let env = worktree.shell_env().into_iter().chain(more.unwrap_or_default()).collect();
        Ok(zed::Command { command, args: args.unwrap_or_default(), env })
    }

    fn language_server_initialization_options(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree(server.as_ref(), worktree)?.initialization_options)
    }

    fn language_server_workspace_configuration(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree)?.settings;
        Ok(settings.map(|operator| serde_json::json!({ "operator": operator })))
    }
}

zed::register_extension!(Operator);
