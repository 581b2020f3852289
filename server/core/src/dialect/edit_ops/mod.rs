//! The dialect `edit-ops`: JSON proposals for up to five virtual files.

mod dialect;
mod fit;
mod json;
mod outline;
mod parse;
mod proposal;
mod read;
mod reader;
mod reply;
mod surroundings;
mod writing;

pub use dialect::EditOps;
pub use fit::{Asked, Misfit, fit};
pub use proposal::{Eval, Extent, FileId, Op, Outcome, Place, Proposal, schema};
pub use read::{OpSpans, Read, read};
pub use surroundings::{Answers, Given, Surroundings};
