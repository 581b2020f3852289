//! The target `conversation`, see `src/conversation.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::conversation::run(input));
