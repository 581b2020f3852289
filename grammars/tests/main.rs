//! What every language must keep to, and what its cases say.

mod depth;
mod fences;
mod markdown;
mod outlines;
mod profiles;
