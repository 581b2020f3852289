//! The service: edit-ops requests over HTTP. It keeps nothing between two requests.

mod access;
mod errors;
mod routes;
mod serve;

pub use access::{Access, Token};
pub use serve::{Options, serve};
