//! A text that is edited, its positions in three encodings, and the bytes of a file, against a plain string.

use operator_core::text::lines::{may_be_parted, span_of, with_endings};
use operator_core::text::{Content, Encoding, Position, Text};

use crate::choices::Choices;

/// What is put into a text: each kind of line ending, and characters of each length.
const PIECES: [&str; 12] =
    ["a", "\n", "\r", "\r\n", "é", "€", "😀", "\u{feff}", "one two", "\u{301}", "\u{2028}", "\0"];
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
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

fn check(text: &Text, expected: &str) {
    assert_eq!((text.len(), text.to_string()), (expected.len(), expected.to_owned()));
    assert_eq!(text.line_count(), lines(expected).len());
}

/// The lines of a text as LSP counts them, by where each begins.
fn lines(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_end =
        |at: &usize| bytes[*at] == b'\n' || bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    std::iter::once(0).chain((0..bytes.len()).filter(is_end).map(|at| at + 1)).collect()
}

/// Each place in the text has one position, by which it is found.
fn check_positions(text: &Text, expected: &str) {
    let starts = lines(expected);
    for at in (0..=expected.len()).filter(|at| may_be_parted(expected, *at)) {
        let line = starts.partition_point(|start| *start <= at) - 1;
        assert_eq!((text.line_of(at), text.line_start(line)), (line, starts[line]));
        let before = &expected[starts[line]..at];
        for encoding in ENCODINGS {
            let character = match encoding {
                Encoding::Utf8 => before.len(),
                Encoding::Utf16 => before.encode_utf16().count(),
                Encoding::Utf32 => before.chars().count(),
            };
            let [line, character] = [line, character].map(|it| u32::try_from(it).unwrap());
            let position = Position { line, character };
            assert_eq!(text.position(at, encoding), position);
            assert_eq!(text.offset(position, encoding), at);
        }
    }
}

/// A range of whole lines is what their texts come to.
fn check_lines(text: &str) {
    let all: Vec<&str> = with_endings(text).collect();
    assert_eq!(all.concat(), text);
    for first in 1..=all.len() + 1 {
        let is_there = first <= all.len();
        let span = span_of(text, first, all.len());
        let rest = is_there.then(|| all[first - 1..].concat());
        assert_eq!(span.map(|span| text[span].to_owned()), rest);
    }
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
