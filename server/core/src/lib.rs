//! Finds edit blocks in a transcript, checks them, and plans what they come to.
//!
//! Pure: text and a snapshot of a workspace go in, blocks, problems and change sets come out.
//! Nothing here opens a file, reads a clock, waits, or knows a protocol; the shells in
//! `operator-lsp` do. Data flows one way:
//! transcript → [`scan`] → [`dialect`] → [`command`] → [`plan`] → change set → reply.

pub mod command;
pub mod dialect;
pub mod edit;
pub mod fingerprint;
pub mod json;
pub mod ledger;
pub mod limits;
pub mod outline;
mod parts;
pub mod path;
pub mod place;
pub mod plan;
pub mod problem;
pub mod prompt;
pub mod review;
pub mod scan;
pub mod snapshot;
pub mod spec;
pub mod structure;
pub mod syntax;
pub mod text;
pub mod trusted;
