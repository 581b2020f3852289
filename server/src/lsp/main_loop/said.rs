//! What the client says it has done: looked for in its open documents, on another thread.

use operator_core::snapshot::FilePath;
use tower_lsp::ls_types::Uri;

use super::State;
use crate::lsp::carry_out::Sent;
use crate::lsp::event::Event;

impl State {
    /// The client says that it has done something, which its open documents have to show.
    pub(super) fn said(&mut self, sent: Sent) {
        let site = self.sites.of(&sent.context.document.uri);
        let number = self.number();
        self.history.wait_for(number, sent, site);
        self.look(number);
    }

    /// A document has changed (or any may have): looks again for what was not shown before.
    pub(super) fn look_again(&mut self, changed: Option<&Uri>) {
        for (number, transcript) in self.history.said() {
            let file = changed.map(|changed| self.sites.file_of(&transcript, changed));
            // A change that no target is concerned in shows nothing new.
            if file.is_none_or(|file| file.is_some_and(|it| self.history.touches(number, &it))) {
                let site = self.sites.of(&transcript);
                self.history.look_at(number, site);
                self.look(number);
            }
        }
    }

    /// Looks at the workspace as it was each time, one after the other, unless somebody does.
    fn look(&mut self, number: u64) {
        let (Some(events), Some((sent, sites))) =
            (self.events.upgrade(), self.history.start_looking(number))
        else {
            return;
        };
        tokio::spawn(async move {
            let look = move || sites.iter().find_map(|site| sent.shown(site));
            // A look that fails has seen nothing.
            let shown = tokio::task::spawn_blocking(look).await.unwrap_or_default();
            let _ = events.send(Event::Looked { number, shown });
        });
    }

    /// It was looked: what is shown was carried out.
    pub(super) fn looked(&mut self, number: u64, shown: Option<Vec<FilePath>>) {
        let Some(uri) = self.history.stop_looking(number) else { return };
        match shown {
            Some(open) => {
                if let Some(sent) = self.history.take_said(number) {
                    self.carried_out(sent, &open);
                }
            }
            None => self.look(number),
        }
        if self.is_settled(&uri) {
            self.let_go(&uri);
            self.search_if_settled();
        }
        if !self.history.is_looking() {
            for (params, reply) in std::mem::take(&mut self.commands) {
                self.execute(params, reply);
            }
        }
    }
}
