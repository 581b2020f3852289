//! The body of a request for edits.

use operator_lsp::edit_ops::{Request, asked};

/// Checks one input.
pub fn run(input: &[u8]) {
    if let Ok(request) = Request::from_slice(input) {
        let _ = asked(&request);
    }
}
