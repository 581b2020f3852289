//! Bytes that are not UTF-8 as text: each byte beyond ASCII is one private character, and back.

use std::ops::RangeInclusive;

/// The characters that stand for the bytes from 0x80 to 0xff.
const CHARS: RangeInclusive<char> = '\u{f780}'..='\u{f7ff}';

/// The text that stands for some bytes.
pub fn of_bytes(bytes: &[u8]) -> String {
    let char = |byte: &u8| match byte.is_ascii() {
        true => char::from(*byte),
        false => char::from_u32(0xf700 + u32::from(*byte)).unwrap_or_default(),
    };
    bytes.iter().map(char).collect()
}

/// The bytes that a text stands for. Any other character stands for its UTF-8.
pub fn to_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for char in text.chars() {
        match u8::try_from(u32::from(char).wrapping_sub(0xf700)) {
            Ok(byte) if CHARS.contains(&char) => bytes.push(byte),
            _ => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// A text as people see it: what stands for a byte is a `�`.
pub fn shown(text: &str) -> String {
    text.replace(|char| CHARS.contains(&char), "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character_of_its_own() {
        let all: Vec<u8> = (0..=255).collect();
        let text = of_bytes(&all);
        assert_eq!(text.chars().count(), 256);
        assert_eq!(to_bytes(&text), all);
        assert_eq!(shown(&of_bytes(b"a\x80\xff\n")), "a\u{fffd}\u{fffd}\n");
        assert_eq!(to_bytes("a\u{f77f}\u{f800}é"), "a\u{f77f}\u{f800}é".as_bytes());
    }
}
