//! A transcript, and after NUL bytes the edits that it goes through.
#![no_main]

use libfuzzer_sys::fuzz_target;
use operator_fuzz::transcript::{Edit, check};

fuzz_target!(|input: &str| {
    let mut parts = input.split('\0');
    let text = parts.next().unwrap_or_default();
    let edits: Vec<Edit<'_>> = parts.take(8).filter_map(edit).collect();
    check(text, &edits);
});

/// Two characters say where, one how much goes, the rest is what comes.
fn edit(part: &str) -> Option<Edit<'_>> {
    let mut characters = part.chars();
    let [high, low, gone] = [characters.next()?, characters.next()?, characters.next()?];
    let byte = |character: char| u32::from(character).to_le_bytes()[0];
    let at = u16::from_be_bytes([byte(high), byte(low)]);
    Some(Edit { at, gone: byte(gone), new: characters.as_str() })
}
