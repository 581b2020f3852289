//! Structures: the parts of code and Markdown that have a name or a header, and what is done to
//! them.

mod extent;
mod file;
mod header;
mod listing;
mod outline;
mod parsed;
mod perform;
mod request;
mod target;

pub use crate::syntax::Kind;
pub use file::denied;
pub use listing::{Listed, open};
pub use outline::{Outline, Structure};
pub use parsed::Parsed;
pub use perform::perform;
pub use request::{Done, ErrorCode, Failure, Request, Side, Warning};
pub use target::{INTO, Index, Match, Target, within};
