//! `operator/editOps`: a request to a model, beside everything else.

use serde_json::Value;

use super::State;
use crate::edit_ops::Profile;
use crate::lsp::context::request_failed;
use crate::lsp::event::{Event, Reply};
use crate::lsp::handlers::edit_ops::answer;

impl State {
    /// Asks the model. The request to it ends when the client cancels or the server ends.
    pub(super) fn edit_ops(&mut self, params: Value, mut reply: Reply<Value>) {
        let settings = &self.session.config.llm_chat_ops;
        let profile = Profile::new(settings, |name| std::env::var_os(name));
        let (service, programs) = (self.edit_ops.clone(), self.programs.clone());
        let events = self.events.clone();
        tokio::spawn(async move {
            let answered = tokio::select! {
                answered = answer(&service, &profile, params, &programs) => answered,
                () = reply.closed() => return,
            };
            let answered = answered.map(|(proposal, asked)| {
                // Before the client can have pasted it.
                if let (Some(asked), Some(events)) = (asked, events.upgrade()) {
                    let _ = events.send(Event::EditOpsAnswered(proposal.digest(), asked));
                }
                proposal
            });
            let _ = reply.send(answered.and_then(|proposal| {
                serde_json::to_value(proposal).map_err(|_| request_failed("no answer"))
            }));
        });
    }
}
