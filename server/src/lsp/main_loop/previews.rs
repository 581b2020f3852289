//! Previews that the client shows as documents: asked for again when they are others.

use tower_lsp::ls_types::Uri;

use super::State;
use crate::lsp::handlers::preview_document::mark;

impl State {
    /// The client was given the text of a preview.
    pub(super) fn previewed(&mut self, chat: &Uri, preview: Uri, block: usize, now: String) {
        let Some(entry) = self.documents.get_mut(chat) else { return };
        entry.previews.insert(preview, (block, now));
        // It may have been another one before the client had it.
        self.refresh_previews(chat);
    }

    /// Has the client ask again for the previews of a transcript that are others than it was given;
    /// what it does not ask for again is shown no more.
    pub(super) fn refresh_previews(&mut self, chat: &Uri) {
        let shown = self.documents.get(chat).is_some_and(|entry| !entry.previews.is_empty());
        if !shown || !self.is_settled(chat) {
            return;
        }
        let Some(context) = self.context(chat) else { return };
        let Some(entry) = self.documents.get_mut(chat) else { return };
        let is_other = |_: &Uri, (block, before): &mut (usize, String)| {
            context.proposal(*block).map_or(true, |now| mark(&context, &now) != *before)
        };
        for (preview, _) in entry.previews.extract_if(is_other) {
            self.outbox.refresh_content(preview);
        }
    }
}
