//! Structures: the parts of code and Markdown that have a name or a header, and what is done to
//! them.

pub mod elision;
mod error;
mod file;
mod listing;
mod operation;
mod output;
mod perform;
mod request;
mod target;

pub use crate::syntax::Kind;
pub use error::{ErrorCode, Failure};
pub use file::Read;
pub use listing::{FileOutline, Listed};
pub use operation::{Operation, operation};
pub use output::{Done, Excerpt, LineRange, Output, Warning, WarningKind, answer};
pub use perform::{Context, OPERATIONS, open, perform, perform_on};
pub use request::{Arguments, Request};
pub use target::{INTO, Index, Match, Target, within};
