//! The target `requests`, see `src/requests.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::requests::run(input));
