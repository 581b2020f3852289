//! Blocks as text, and what is said of them.
