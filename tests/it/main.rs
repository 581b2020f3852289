//! End to end: the real server and the real binary, as an editor, a person or a script uses them.
#![allow(clippy::unwrap_used, reason = "a test")]

mod cli;
mod conversation;
mod dialects;
mod edit_ops;
mod git;
mod lsp;
mod pages;
mod rooms;
mod sources;
mod words;
