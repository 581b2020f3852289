//! The target `transcript`, see `src/transcript.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::transcript::run(input));
