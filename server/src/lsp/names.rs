//! Everything that is advertised and dispatched by name: commands and action kinds.
//!
//! `spec/lsp-extensions.md` lists the same names; a test holds the two together.

macro_rules! names {
    ($(#[$doc:meta])* $kind:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $kind {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $kind {
            /// All of them, in the order of the protocol page.
            pub const ALL: &[$kind] = &[$($kind::$variant),*];

            /// The name in the protocol.
            pub const fn identifier(self) -> &'static str {
                match self {
                    $($kind::$variant => $text,)*
                }
            }

            /// The one of that name.
            pub fn parse(name: &str) -> Option<$kind> {
                $kind::ALL.iter().copied().find(|known| known.identifier() == name)
            }
        }
    };
}

names! {
    /// Commands of `workspace/executeCommand`.
    CommandName {
        /// Applies one proposal through `workspace/applyEdit`.
        Apply = "operator.apply",
        /// Applies every proposal of a transcript that can be, as one edit.
        ApplyAll = "operator.applyAll",
        /// Inserts a reply that says that the user refused.
        Reject = "operator.reject",
        /// Returns the reply text of one block.
        Reply = "operator.reply",
        /// Returns what one block would change.
        Preview = "operator.preview",
        /// Searches a document for blocks as a chat is searched.
        Scan = "operator.scan",
        /// Returns the first message to a model.
        Prompt = "operator.prompt",
        /// Undoes an operation, whichever program made it.
        Undo = "operator.undo",
        /// Makes again what was undone last.
        Redo = "operator.redo",
        /// Returns the operations of the workspace.
        Log = "operator.log",
        /// Undoes the last AI commit.
        HistoryUndo = "operator.history.undo",
        /// Moves the branch to the commit before.
        HistoryBack = "operator.history.back",
        /// Moves the branch to the commit that it came back from.
        HistoryForward = "operator.history.forward",
        /// Makes one commit of several AI commits.
        HistorySquash = "operator.history.squash",
        /// Follows an action's edit: says that the client has carried it out.
        Applied = "operator.applied",
    }
}

impl CommandName {
    /// Whether it is about operations that were made before.
    pub fn is_of_operations(self) -> bool {
        matches!(self, CommandName::Undo | CommandName::Redo | CommandName::Log)
    }

    /// Whether its edit is made on what the edits before it leave, which it waits for.
    pub fn waits_for_turn(self) -> bool {
        matches!(self, CommandName::Undo | CommandName::Redo | CommandName::Reject)
    }

    /// Whether it moves between git commits.
    pub fn is_history(self) -> bool {
        use CommandName::{HistoryBack, HistoryForward, HistorySquash, HistoryUndo};
        matches!(self, HistoryUndo | HistoryBack | HistoryForward | HistorySquash)
    }
}

names! {
    /// Kinds of code actions.
    ActionKind {
        /// A fix of one problem.
        QuickFix = "quickfix",
        /// Applies one proposal.
        Apply = "refactor.rewrite.operator.apply",
        /// Applies one proposal and inserts its reply.
        ApplyAndReply = "refactor.rewrite.operator.applyAndReply",
        /// Inserts the reply of a command that only reads, or runs a program and inserts its result.
        Run = "refactor.rewrite.operator.run",
        /// Inserts a reply that says that the user refused.
        Reject = "refactor.rewrite.operator.reject",
        /// Undoes the operation that applied a proposal.
        Undo = "refactor.rewrite.operator.undo",
        /// Applies a proposal once more that was applied.
        ApplyAgain = "refactor.rewrite.operator.applyAgain",
        /// Applies every proposal of the transcript that can be.
        ApplyAll = "source.operator.applyAll",
        /// The preferred fixes of all problems.
        FixAll = "source.fixAll.operator",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use operator_core::plan::Reason;
    use operator_core::review::Offer;

    use tower_lsp::ls_types::notification::Notification;

    use super::*;
    use crate::lsp::config::SETTINGS;
    use crate::lsp::notifications_out::ProposalsChanged;
    use crate::lsp::requests;

    const PAGE: &str = include_str!("../../../spec/lsp-extensions.md");

    /// The names in the first column of the tables of a chapter.
    fn first_column(chapter: &str) -> BTreeSet<&'static str> {
        let text = PAGE.split("\n## ").find(|text| text.starts_with(chapter)).unwrap();
        text.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
    }

    #[test]
    fn the_page_and_the_code_have_the_same_names() {
        let own = requests::extensions().into_iter().filter(|name| *name != "operator/toy");
        let methods = own.chain([ProposalsChanged::METHOD]).collect();
        assert_eq!(first_column("Requests and notifications"), methods);
        let commands = CommandName::ALL.iter().map(|name| name.identifier()).collect();
        assert_eq!(first_column("Commands"), commands);
        let kinds = ActionKind::ALL.iter().map(|name| name.identifier()).collect();
        assert_eq!(first_column("Code action kinds"), kinds);
        let settings = SETTINGS.iter().map(|setting| setting.key).collect();
        assert_eq!(first_column("Settings"), settings);
        // Run again is for actions alone.
        let offers = Offer::ALL.iter().filter(|offer| **offer != Offer::RunAgain);
        assert_eq!(first_column("Offers"), offers.map(|offer| offer.as_str()).collect());
        let cautions = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(first_column("Cautions"), cautions);
    }

    #[test]
    fn a_name_leads_back_to_itself() {
        for name in CommandName::ALL {
            assert_eq!(CommandName::parse(name.identifier()), Some(*name));
        }
        assert_eq!(CommandName::parse("operator"), None);
    }
}
