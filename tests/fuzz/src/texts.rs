//! A text that is edited, its positions in three encodings, and the bytes of a file, against a plain string.

use operator_core::text::lines::{may_be_parted, span_of, with_endings};
use operator_core::text::{Content, Encoding, Position, Text};

use crate::choices::Choices;

/// What is put into a text: each kind of line ending, and characters of each length.
const PIECES: [&str; 12] =
    ["a", "\n", "\r", "\r\n", "é", "€", "😀", "\u{feff}", "one two", "\u{301}", "\u{2028}", "\0"];
/// In this order their units are counted.
const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
/// How many edits one input makes at most.
const MOST_EDITS: usize = 24;

/// Checks one input.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    if choices.rarely(4) {
        return check_file(choices.remainder());
    }
    let mut expected: String = (0..choices.below(16)).map(|_| *choices.pick(&PIECES)).collect();
    // One that is only read is held in another way until the first edit.
    let mut text = match choices.rarely(2) {
        true => Text::whole(expected.clone()),
        false => Text::new(&expected),
    };
    check(&text, &expected);
    for _ in 0..MOST_EDITS {
        if choices.is_over() {
            break;
        }
        let start = floor(&expected, choices.below(expected.len() + 1));
        let end = floor(&expected, (start + choices.below(8)).min(expected.len()));
        let new: String = (0..choices.below(4)).map(|_| *choices.pick(&PIECES)).collect();
        text.replace(start..end, &new);
        expected.replace_range(start..end, &new);
        check(&text, &expected);
    }
    check_positions(&text, &expected);
    check_lines(&expected);
}

/// The last boundary of a character up to an offset that is below 256.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

fn check(text: &Text, expected: &str) {
    assert_eq!(text.len(), expected.len());
    assert!(text.is(expected, ""), "{text} for {expected}");
}

/// The lines of a text as LSP counts them, by where each begins.
fn lines(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| {
        bytes[*at] == b'\n' || bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n')
    };
    std::iter::once(0).chain((0..bytes.len()).filter(is_end).map(|at| at + 1)).collect()
}

/// Each place in the text has one position, by which it is found.
fn check_positions(text: &Text, expected: &str) {
    let starts = lines(expected);
    assert_eq!(text.line_count(), starts.len());
    for (line, start) in starts.iter().enumerate() {
        assert_eq!(text.line_start(line), *start);
        let end = starts.get(line + 1).copied().unwrap_or(expected.len());
        let mut units = [0; ENCODINGS.len()];
        for char in expected[*start..end].chars() {
            let at = start + units[0];
            if may_be_parted(expected, at) {
                check_position(text, at, line, units);
            }
            units[0] += char.len_utf8();
            units[1] += char.len_utf16();
            units[2] += 1;
        }
    }
}

/// An offset has this line, and so many units before it there in each encoding.
fn check_position(text: &Text, at: usize, line: usize, units: [usize; 3]) {
    assert_eq!(text.line_of(at), line);
    for (encoding, units) in ENCODINGS.into_iter().zip(units) {
        let [line, character] = [line, units].map(|it| u32::try_from(it).unwrap());
        let position = Position { line, character };
        assert_eq!(text.position(at, encoding), position);
        assert_eq!(text.offset(position, encoding), at);
    }
}

/// A range of whole lines is what their texts come to.
fn check_lines(text: &str) {
    let all: Vec<&str> = with_endings(text).collect();
    assert_eq!(all.concat(), text);
    for (number, line) in (1..).zip(&all) {
        assert_eq!(span_of(text, number, number).map(|span| &text[span]), Some(*line));
    }
    assert_eq!(span_of(text, 1, all.len()), (!all.is_empty()).then_some(0..text.len()));
    assert_eq!(span_of(text, all.len() + 1, all.len() + 1), None);
}

/// A file keeps its bytes, whatever they are.
fn check_file(bytes: &[u8]) {
    let Ok(content) = Content::of_any_bytes(bytes.to_vec()) else {
        return assert!(std::str::from_utf8(bytes).is_err());
    };
    assert_eq!(content.to_bytes(), bytes);
    assert!(content.is(bytes));
    let again = content.with_text(content.text.clone());
    assert_eq!((again.to_bytes(), again.fingerprint()), (bytes.to_vec(), content.fingerprint()));
}
