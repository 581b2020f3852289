//! Proposals for up to five virtual files: what they ask for, and where the files are.

mod fit;
mod proposal;
mod surroundings;

pub use fit::{Asked, Misfit, fit};
pub use proposal::{Eval, Extent, FileId, Op, Outcome, Place, Proposal, schema};
pub use surroundings::{Answers, Given, Surroundings};
