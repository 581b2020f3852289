//! `workspace/symbol`: waits for the reviews of all transcripts, but not for ever.

use tower_lsp::ls_types::{Uri, WorkspaceSymbolResponse};

use super::State;
use crate::lsp::context::Context;
use crate::lsp::event::Reply;
use crate::lsp::handlers::symbols;
use crate::lsp::requests::spawn_blocking;

impl State {
    /// Looks for symbols in all transcripts.
    pub(super) fn search(&mut self, query: String, reply: Reply<Option<WorkspaceSymbolResponse>>) {
        self.once_settled(move |state| {
            let contexts = state.contexts();
            spawn_blocking(reply, move || symbols::of_workspace(&contexts, &query));
        });
    }

    /// What requests about all transcripts are answered from: of a text that is not scanned yet the
    /// last review, and the text that it is about.
    fn contexts(&mut self) -> Vec<Context> {
        let uris: Vec<Uri> = self.documents.keys().cloned().collect();
        let contexts = uris.iter().filter_map(|uri| self.context(uri));
        contexts
            .map(|mut context| {
                if let (None, Some(last)) = (&context.scanned, &context.reviewed.document) {
                    context.document = last.clone();
                }
                context
            })
            .collect()
    }
}
