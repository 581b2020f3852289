//! The target `payloads`, see `src/payloads.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::payloads::run(input));
