//! The dialect `edit-ops`: JSON proposals for up to five virtual files.

mod dialect;
mod json;
mod outline;
mod parse;
mod read;
mod reader;
mod reply;
mod writing;

pub use dialect::EditOps;
pub use read::{OpSpans, Read, read};
