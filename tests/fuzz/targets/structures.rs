//! The target `structures`, see `src/structures.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::structures::run(input));
