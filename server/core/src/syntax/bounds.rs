//! Counts, before a parse, what a grammar cannot bear too much of.
//!
//! The scanners of some grammars write their state into a fixed room, and end the process where it
//! does not fit. What is counted here is not less than what they keep, as far as a text without
//! its tree can tell. A parse that is merely slow is ended by its patience.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};
use operator_grammars::Bound;

/// The text that the grammar may be given in place of `text`: as long, and the same wherever it
/// matters. `None` where it does not keep to all bounds.
pub(super) fn bearable<'a>(bounds: &[Bound], text: &'a str) -> Option<Cow<'a, str>> {
    let mut bearable = Cow::Borrowed(text);
    for bound in bounds {
        let bytes = text.as_bytes();
        let keeps = match *bound {
            Bound::Indentations(limit) => indentations(bytes, limit) <= limit,
            Bound::Columns { markers, limit } => columns(bytes, markers) <= limit,
            Bound::Elements { unclosed, limit } => elements(bytes, unclosed) <= limit,
            Bound::Nuls(limit) => memchr_iter(0, bytes).count() <= limit,
            Bound::Angles(limit) => angles(bytes) <= limit,
            Bound::Heredocs { .. } if memmem::find(bytes, b"<<").is_none() => true,
            Bound::Heredocs { word, open, interpolations } => {
                let heredocs = Heredocs::of(bytes, word, open);
                for place in &heredocs.quoted {
                    bearable.to_mut().replace_range(*place..place + 2, "  ");
                }
                heredocs.most <= open && interpolated(bytes) <= interpolations
            }
        };
        if !keeps {
            return None;
        }
    }
    Some(bearable)
}

/// How many widths of white space lines begin with, up to one more than `limit`: those of lines, and
/// of lines with what a backslash joins to them.
fn indentations(text: &[u8], limit: usize) -> usize {
    let mut widths: Vec<[usize; 2]> = vec![[0, 0]];
    // From the last line to the first, so that what is joined to a line is known.
    let mut below = Indentation::default();
    let ends = memchr::memrchr_iter(b'\n', text).map(|newline| newline + 1);
    for start in ends.chain([0]) {
        below = Indentation::of(&text[start..], &below);
        if let Err(place) = widths.binary_search(&below.width) {
            widths.insert(place, below.width);
            if widths.len() > limit {
                break;
            }
        }
    }
    widths.len()
}

/// What a line begins with.
#[derive(Default)]
struct Indentation {
    /// The blanks and the tabs, with those that a backslash joins to them.
    width: [usize; 2],
    /// Whether something in it makes what is before count for nothing.
    is_anew: bool,
}

impl Indentation {
    /// Of the line with which a text begins, above one that begins with `below`.
    fn of(text: &[u8], below: &Indentation) -> Indentation {
        let (mut width, mut is_anew) = ([0, 0], false);
        let mut rest = text;
        loop {
            rest = match rest {
                [b' ', rest @ ..] => {
                    width[0] += 1;
                    rest
                }
                [b'\t', rest @ ..] => {
                    width[1] += 1;
                    rest
                }
                [b'\x0c' | b'\r', rest @ ..] => {
                    (width, is_anew) = ([0, 0], true);
                    rest
                }
                [b'\\', b'\n', ..] | [b'\\', b'\r', b'\n', ..] => {
                    let [blanks, tabs] = if below.is_anew { [0, 0] } else { width };
                    let width = [blanks + below.width[0], tabs + below.width[1]];
                    return Indentation { width, is_anew: is_anew || below.is_anew };
                }
                _ => return Indentation { width, is_anew },
            }
        }
    }
}

/// How many blocks may be around one another: each line ends those that begin at its column or
/// after it, and begins two (a mapping, and a sequence of the same column) and one with each
/// marker in it.
fn columns(text: &[u8], markers: &[u8]) -> usize {
    let mut open: Vec<usize> = Vec::new();
    let mut most = 0;
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let blanks = line.iter().take_while(|byte| **byte == b' ').count();
        let start = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if line[start..].first().is_none_or(|byte| *byte == b'#') {
            continue;
        }
        // A tab in the indentation ends nothing.
        while blanks == start && open.last().is_some_and(|column| *column >= start) {
            open.pop();
        }
        open.extend([start, start]);
        let mut column = start;
        let mut before = b' ';
        for (place, byte) in line.iter().enumerate().skip(start) {
            let follows = line.get(place + 1).is_none_or(|next| matches!(next, b' ' | b'\t'));
            if matches!(before, b' ' | b'\t') && follows && markers.contains(byte) {
                open.push(column);
                // The key of a mapping may be after it.
                open.extend((place == start).then_some(column + 1));
            }
            column += usize::from(byte & 0xc0 != 0x80);
            before = *byte;
        }
        most = most.max(open.len());
    }
    most
}

/// What looks like a here document in a text.
struct Heredocs {
    /// How many bytes the words of open ones may have at once, four more for each of them;
    /// `usize::MAX` where a word is too long.
    most: usize,
    /// Where `<<` is before a quote that seems to end a string, `"a <<" if "b"`: none, but
    /// what would be its word is too long.
    quoted: Vec<usize>,
}

impl Heredocs {
    /// Looks until more than `enough` bytes are open, or a word is longer than `limit`.
    fn of(text: &[u8], limit: usize, enough: usize) -> Heredocs {
        let mut found = Heredocs { most: 0, quoted: Vec::new() };
        let mut open: Vec<&[u8]> = Vec::new();
        let mut bytes = 0;
        let mut start = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if let Some(ended) = open.iter().position(|word| *word == line.trim_ascii()) {
                bytes -= open.remove(ended).len() + 4;
            }
            for place in memmem::find_iter(line, b"<<") {
                let word = word(&text[start + place + 2..], limit);
                if word.len() <= limit {
                    bytes += if word.is_empty() { 0 } else { word.len() + 4 };
                    open.extend((!word.is_empty()).then_some(word));
                } else if ends_string(line, place) {
                    found.quoted.push(start + place);
                } else {
                    bytes = usize::MAX;
                }
                if bytes > enough {
                    return Heredocs { most: bytes, ..found };
                }
            }
            found.most = found.most.max(bytes);
            start += line.len();
        }
        found
    }
}

/// Whether the quote after the `<<` at `place` ends a string that began on this line.
fn ends_string(line: &[u8], place: usize) -> bool {
    let quote = line[place..].iter().find(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let before = line[..place].iter().filter(|byte| Some(*byte) == quote).count();
    before % 2 == 1
}

/// The word that ends a here document, from what is after `<<`; no more than one byte longer
/// than `limit`.
fn word(after: &[u8], limit: usize) -> &[u8] {
    let after = after.strip_prefix(b"-").or(after.strip_prefix(b"~")).unwrap_or(after);
    let end = |from: &[u8]| from.len().min(limit + 1);
    match after {
        [quote @ (b'"' | b'\'' | b'`'), quoted @ ..] => {
            let quoted = &quoted[..end(quoted)];
            &quoted[..memchr(*quote, quoted).unwrap_or(quoted.len())]
        }
        bare => {
            let part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte > 127;
            let length = bare[..end(bare)].iter().take_while(part).count();
            &bare[..length]
        }
    }
}

/// How many interpolations `#{` may be around one another.
fn interpolated(text: &[u8]) -> usize {
    let mut braces: Vec<bool> = Vec::new();
    let (mut now, mut most) = (0, 0);
    for place in memchr::memchr2_iter(b'{', b'}', text) {
        if text[place] == b'{' {
            let interpolates = place > 0 && text[place - 1] == b'#';
            braces.push(interpolates);
            now += usize::from(interpolates);
            most = most.max(now);
        } else if braces.pop() == Some(true) {
            now -= 1;
        }
    }
    most
}

/// How many `<` may be open in a statement.
fn angles(text: &[u8]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    let mut before = b' ';
    for (place, byte) in text.iter().enumerate() {
        let is_two = text.get(place + 1) == Some(&b'=');
        match byte {
            b'<' if !is_two => {
                now += 1;
                most = most.max(now);
            }
            b'>' if !is_two && before != b'=' => now = now.saturating_sub(1),
            b';' | b'{' | b'}' => now = 0,
            _ => {}
        }
        before = *byte;
    }
    most
}

/// How many elements may be around one another.
fn elements(text: &[u8], unclosed: &[&str]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for place in memchr_iter(b'<', text) {
        let rest = &text[place + 1..];
        let (closes, rest) = rest.strip_prefix(b"/").map_or((false, rest), |rest| (true, rest));
        let part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':');
        let name = &rest[..rest.iter().take_while(part).count()];
        let counts = name.first().is_some_and(u8::is_ascii_alphabetic)
            && !unclosed.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name));
        if closes && counts {
            now = now.saturating_sub(1);
        } else if counts && !closes_itself(rest) {
            now += 1;
            most = most.max(now);
        }
    }
    most
}

/// Whether a start tag ends with `/>`.
fn closes_itself(tag: &[u8]) -> bool {
    let end = memchr::memchr2(b'>', b'<', tag);
    end.is_some_and(|end| end > 0 && tag[end] == b'>' && tag[end - 1] == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_of_indentation_are_counted_once_and_a_backslash_joins_lines() {
        assert_eq!(indentations(b"a:\n  b\n  c\n    d\n", 99), 3);
        assert_eq!(indentations(b"a\n \\\n \\\r\n b\n", 99), 4);
        assert_eq!(indentations(b"a\n b\n  c\n   d\n", 2), 3);
        assert_eq!(indentations(b"a\n \\\n\x0c  b\n   \x0c\\\n  c\n", 9), 2);
        assert_eq!(indentations(&b"\\\n".repeat(100_000), 9), 1);
    }

    #[test]
    fn columns_are_those_that_may_be_open_at_once() {
        assert_eq!(columns(b"a:\n  b:\nc:\n  d:\n", b"-?"), 4);
        assert_eq!(columns(b"- - - a\n", b"-?"), 6);
        assert_eq!(columns(b"# - - - a\n\ttext - -x\n", b"-?"), 3);
    }

    #[test]
    fn here_documents_count_until_their_word_ends_them() {
        let most = |text: &str, word, enough| Heredocs::of(text.as_bytes(), word, enough).most;
        assert_eq!(most("a(<<A, <<~'BB')\n1\nA\n  BB\nb(<<A)\nA\n", 9, 99), 5 + 6);
        assert_eq!(most("<<A\n<<B\n<<C\n<<D\n", 9, 9), 5 + 5);
        assert_eq!(most("a << b\n", 9, 99), 0);
        assert_eq!(most("<<ABC\nABC\n", 2, 99), usize::MAX);
        assert_eq!(most("<<\"ABC", 2, 99), usize::MAX);
    }

    #[test]
    fn the_end_of_a_string_is_hidden_from_the_grammar_where_it_looks_like_a_long_word() {
        let bounds = [Bound::Heredocs { word: 3, open: 99, interpolations: 9 }];
        let text = bearable(&bounds, "raise \"no <<\" unless a or \"b\"");
        assert_eq!(text.as_deref(), Some("raise \"no   \" unless a or \"b\""));
        assert_eq!(bearable(&bounds, "x = <<\"long\"\nlong\n"), None);
    }

    #[test]
    fn interpolations_are_told_from_other_braces() {
        assert_eq!(interpolated(b"{ {} } \"#{ {a: \"#{b}\"} }\" \"#{c}\" }"), 2);
    }

    #[test]
    fn angles_are_open_until_they_are_closed_or_the_statement_ends() {
        assert_eq!(angles(b"A<B<C>, D<E>> a; if (b < c) { d < e"), 2);
        assert_eq!(angles(b"a <= b <= c; A<B>(c => d < e)"), 1);
        assert_eq!(angles(b"a < (b => c < d) >= e < f"), 3);
    }

    #[test]
    fn elements_without_an_end_tag_are_not_counted() {
        let text = b"<!doctype html><ul><li>a<li><b>b</b><br><IMG a='/'><x/></ul><p>1 < 2";
        assert_eq!(elements(text, &["li", "br", "img", "p"]), 2);
    }
}
