//! The target `messages`, see `src/messages.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::messages::run(input));
