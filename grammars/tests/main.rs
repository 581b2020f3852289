//! What every language has to keep to, and what its cases say.

mod outlines;
mod profiles;
