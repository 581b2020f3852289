//! A source text. The first character says its language; after NUL bytes come a target, a content,
//! and an edit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use operator_fuzz::structures::{check, check_edit};

fuzz_target!(|input: &str| {
    let mut characters = input.chars();
    let Some(language) = characters.next().map(|it| u32::from(it) as usize) else { return };
    let mut parts = characters.as_str().split('\0');
    let mut next = || parts.next().unwrap_or_default();
    let (source, target, content, edit) = (next(), next(), next(), next());
    check(language, source, target, content);
    let mut characters = edit.chars();
    let mut number = || characters.next().map_or(0, |it| u32::from(it) as usize);
    let (at, gone) = (number(), number());
    check_edit(language, source, at.min(source.len()), gone, characters.as_str());
});
