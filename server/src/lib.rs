//! The shells around the core: files, the language server, the command line.

pub mod cli;
pub mod edit_ops;
pub mod history;
pub mod lsp;
mod moment;
mod operations;
mod prompt;
pub mod visible;
pub mod workspace;
