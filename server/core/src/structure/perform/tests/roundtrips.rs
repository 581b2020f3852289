//! What is undone by doing the opposite.

use super::*;
