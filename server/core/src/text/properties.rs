//! Positions and edits against a naive model, in all three encodings.

use proptest::prelude::*;

use super::{Encoding, Position, Text, lines};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

/// The lines as LSP tells them apart, endings included, one character at a time.
fn naive_lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let last = lines.last_mut().expect("there is always a last line");
        last.push(char);
        if char == '\n' || (char == '\r' && chars.peek() != Some(&'\n')) {
            lines.push(String::new());
        }
    }
    lines
}

fn naive_position(text: &str, offset: usize, encoding: Encoding) -> Position {
    let mut start = 0;
    for (number, line) in naive_lines(text).iter().enumerate() {
        if offset < start + line.len()
            || start + line.len() == text.len() && !line.ends_with(['\n', '\r'])
        {
            let character = encoding.len(&text[start..offset]);
            return Position { line: number as u32, character: character as u32 };
        }
        start += line.len();
    }
    let last = naive_lines(text).len() - 1;
    Position { line: last as u32, character: 0 }
}

fn naive_offset(text: &str, position: Position, encoding: Encoding) -> usize {
    let lines = naive_lines(text);
    let Some(line) = lines.get(position.line as usize) else { return text.len() };
    let start: usize = lines[..position.line as usize].iter().map(String::len).sum();
    let taken = lines::trim_ending(line).char_indices().scan(0, |seen, (byte, c)| {
        *seen += encoding.len(&c.to_string());
        Some((byte + c.len_utf8(), *seen))
    });
    let fits = taken.take_while(|(_, seen)| *seen <= position.character as usize);
    start + fits.last().map_or(0, |(byte, _)| byte)
}

/// Text with everything that makes positions go wrong.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "é",
        "e\u{301}",
        "😀",
        "👩\u{200d}👧",
        "\n",
        "\r\n",
        "\r",
        "\u{2028}",
        "\t",
        "日本",
        "\u{feff}",
        "a long run of plain text that fills up a piece of the rope more quickly, ",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    // `PROPTEST_CASES` says how many.

    #[test]
    fn every_offset_has_the_naive_position_and_comes_back(text in text()) {
        let (rope, flat) = (Text::new(&text), Text::whole(text.clone()));
        let inside_pair = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
        for offset in (0..=text.len()).filter(|at| text.is_char_boundary(*at) && !inside_pair(*at)) {
            for encoding in ENCODINGS {
                let position = rope.position(offset, encoding);
                prop_assert_eq!(position, naive_position(&text, offset, encoding));
                prop_assert_eq!(rope.offset(position, encoding), offset);
                prop_assert_eq!(flat.position(offset, encoding), position);
                prop_assert_eq!(flat.offset(position, encoding), offset);
            }
        }
    }

    #[test]
    fn a_text_in_one_piece_is_as_one_in_many_around_each_offset(text in text()) {
        let (rope, flat) = (Text::new(&text), Text::whole(text.clone()));
        for offset in 0..=text.len() {
            prop_assert_eq!(flat.line_start_of(offset), rope.line_start_of(offset), "{}", offset);
            let rest = text[rope.floor(offset)..].to_owned();
            for text in [flat.rest(offset), rope.rest(offset)] {
                prop_assert_eq!(text.to_string(), rest.clone());
                prop_assert_eq!(text.line_count(), Text::new(&rest).line_count());
            }
        }
    }

    #[test]
    fn any_position_leads_where_the_naive_model_leads(
        text in text(), line in 0u32..30, character in 0u32..40,
    ) {
        let (rope, flat) = (Text::new(&text), Text::whole(text.clone()));
        for encoding in ENCODINGS {
            let position = Position { line, character };
            prop_assert_eq!(flat.offset(position, encoding), rope.offset(position, encoding));
            prop_assert_eq!(
                rope.offset(position, encoding),
                naive_offset(&text, position, encoding),
                "{:?} {:?}", position, encoding
            );
        }
    }

    #[test]
    fn a_text_in_one_piece_answers_as_the_one_for_edits(
        text in text(), at in 0usize..80, length in 0usize..80,
    ) {
        let (rope, flat) = (Text::new(&text), Text::whole(text.clone()));
        prop_assert!(flat.is(&text, "") && !flat.is(&text, "x"));
        prop_assert_eq!(&rope, &flat);
        prop_assert_eq!(&flat, &rope);
        prop_assert_eq!(flat.to_string(), text.clone());
        prop_assert_eq!((flat.len(), flat.line_count()), (rope.len(), rope.line_count()));
        prop_assert_eq!((flat.floor(at), flat.line_of(at)), (rope.floor(at), rope.line_of(at)));
        prop_assert_eq!(flat.line_start(at), rope.line_start(at));
        prop_assert_eq!(flat.line(at), rope.line(at));
        prop_assert_eq!(flat.slice(at..at + length), rope.slice(at..at + length));
        for line in 0..rope.line_count() {
            let start = rope.line_start(line);
            let window = |text: &Text| text.window(start, length, String::new()).into_owned();
            prop_assert_eq!(window(&flat), window(&rope));
        }
    }

    #[test]
    fn edits_give_what_they_give_a_string(
        start in text(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, text()), 0..8),
    ) {
        let (mut rope, mut flat) = (Text::new(&start), Text::whole(start.clone()));
        let mut string = start;
        for (at, len, new) in edits {
            let from = rope.floor(at.index(string.len() + 1));
            let to = rope.floor(from + len);
            rope.replace(from..to, &new);
            flat.replace(from..to, &new);
            prop_assert_eq!(&rope, &flat);
            string.replace_range(from..to, &new);
            prop_assert_eq!(rope.to_string(), string.clone());
            prop_assert_eq!(rope.line_count(), naive_lines(&string).len());
        }
    }

    #[test]
    fn edits_by_positions_are_those_of_the_naive_model(
        start in text(),
        edits in prop::collection::vec(
            (0u32..30, 0u32..40, 0u32..4, 0u32..40, 0usize..3, text()), 8,
        ),
    ) {
        let (mut rope, mut string) = (Text::new(&start), start);
        for (line, character, lines, last, encoding, new) in edits {
            let encoding = ENCODINGS[encoding];
            let from = Position { line, character };
            let to = Position { line: line + lines, character: last };
            let naive = |position| naive_offset(&string, position, encoding);
            let (from, to) = (rope.offset(from, encoding), rope.offset(to, encoding));
            let (wanted_from, wanted_to) =
                (naive(Position { line, character }), naive(Position { line: line + lines, character: last }));
            prop_assert_eq!((from, to), (wanted_from, wanted_to));
            let span = from.min(to)..to.max(from);
            rope.replace(span.clone(), &new);
            string.replace_range(span.clone(), &new);
            prop_assert_eq!(rope.to_string(), string.clone());
            let end = span.start + new.len();
            let inside_pair = string[..end].ends_with('\r') && string[end..].starts_with('\n');
            if !inside_pair {
                prop_assert_eq!(rope.position(end, encoding), naive_position(&string, end, encoding));
            }
        }
    }
}
