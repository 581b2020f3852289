//! The body of a request for edits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use operator_lsp::edit_ops::{Request, asked};

fuzz_target!(|input: &[u8]| {
    if let Ok(request) = Request::from_slice(input) {
        let _ = asked(&request);
    }
});
