//! What every language has to keep to, and what its cases say.

mod depth;
mod fences;
mod markdown;
mod outlines;
mod profiles;
