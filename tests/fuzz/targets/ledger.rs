//! The target `ledger`, see `src/ledger.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::ledger::run(input));
