//! The target `dialects`, see `src/dialects.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::dialects::run(input));
