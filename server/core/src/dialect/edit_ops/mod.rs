//! The dialect `edit-ops`: JSON proposals for up to five virtual files.

mod fit;
mod json;
mod proposal;
mod read;

pub use fit::{Asked, Misfit, fit};
pub use proposal::{Eval, Extent, FileId, Op, Outcome, Place, Proposal, schema};
pub use read::{OpSpans, Read, read};
