//! One file per feature: a function from a snapshot and parameters to a result.

pub mod code_actions;
pub mod code_lens;
pub mod commands;
pub mod completion;
pub mod definition;
pub mod diagnostics;
pub mod edit_ops;
pub mod fingerprint;
pub mod folding;
pub mod history;
pub mod hover;
pub mod inlay_hints;
pub mod links;
pub mod offers;
pub mod operations;
pub mod preview;
pub mod preview_document;
pub mod prompt;
pub mod proposals;
pub mod semantic_tokens;
pub mod structure;
pub mod symbols;
pub mod targets;
#[cfg(test)]
pub mod toy;
