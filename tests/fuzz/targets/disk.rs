//! The target `disk`, see `src/disk.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| operator_fuzz::disk::run(input));
