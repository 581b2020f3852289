//! Proposals for up to five virtual files: what they ask for, and where the files are.

mod fit;
mod proposal;

pub use fit::{Misfit, fit};
pub use proposal::{Eval, Extent, Op, Outcome, Place, Proposal, schema};
