//! `workspace/symbol`: waits for the reviews of all transcripts, but not for ever.

use tower_lsp::ls_types::{Uri, WorkspaceSymbolResponse};

use super::State;
use crate::lsp::context::Context;
use crate::lsp::event::Reply;
use crate::lsp::handlers::symbols;
use crate::lsp::requests::spawn_blocking;

/// A search that waits.
pub struct Search {
    number: u64,
    query: String,
    reply: Reply<Option<WorkspaceSymbolResponse>>,
}

impl State {
    /// Looks for symbols in all transcripts.
    pub(super) fn search(&mut self, query: String, reply: Reply<Option<WorkspaceSymbolResponse>>) {
        let number = self.number();
        self.searches.push(Search { number, query, reply });
        if !self.search_if_settled() {
            self.remind(None, number);
        }
    }

    /// Starts the searches that wait if every review holds; gives whether that is so.
    pub(super) fn search_if_settled(&mut self) -> bool {
        let settled = self.documents.keys().all(|uri| self.is_settled(uri));
        if settled {
            for search in std::mem::take(&mut self.searches) {
                self.start_search(search);
            }
        }
        settled
    }

    /// Starts a search whatever is under way.
    pub(super) fn search_now(&mut self, number: u64) {
        if let Some(at) = self.searches.iter().position(|search| search.number == number) {
            let search = self.searches.remove(at);
            self.start_search(search);
        }
    }

    fn start_search(&mut self, search: Search) {
        let Search { query, reply, .. } = search;
        let contexts = self.contexts();
        spawn_blocking(reply, move || symbols::of_workspace(&contexts, &query));
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
