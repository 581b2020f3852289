//! Edits of text, sets of them, and the change sets that plans come to.

mod change_set;
mod diff;
mod edit_set;

pub use change_set::{Change, ChangeSet};
pub use diff::{smallest, unified};
pub use edit_set::{Edit, EditSet, Overlap};
