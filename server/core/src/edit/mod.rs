//! Edits of text, sets of them, and the change sets that plans come to.

mod anchors;
mod change_set;
mod counts;
mod edit_set;
mod line_diff;
mod needs;
mod part;
mod smallest;
mod target;
mod unified;

pub use change_set::{Change, ChangeSet};
pub use counts::LineCounts;
pub use edit_set::{Edit, EditSet, Overlap};
pub use line_diff::{changed_ranges, line_hunks};
pub use needs::Needs;
pub use part::{Hunk, added_lines, changed_lines, hunks, line_of_added, whole_hunk, with_hunks};
pub use smallest::smallest;
pub use target::Target;
pub use unified::unified;
