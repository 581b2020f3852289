//! The target `texts`, see `src/texts.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::texts::run(input));
