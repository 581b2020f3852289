//! Syntax trees: grammars with their queries, and parses that end in bounded time.

mod bounds;
mod commonmark;
mod grammar;
mod items;
mod kind;
mod tree;

pub use grammar::{Grammar, Role};
pub use items::{Found, Item, items, items_after};
pub use kind::Kind;
pub use operator_grammars::{Apart, Blocks, LANGUAGES, Language};
pub use tree::{Patience, Tree, Unparsed, Window};
pub use tree_sitter::Node;
