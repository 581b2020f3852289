//! The target `cost`, see `src/cost.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::cost::run(input));
