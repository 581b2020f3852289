//! Text that others wrote, safe to show: what a person would not see is spelled out.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::IsTerminal;

/// Blanks in a row that are shown as such inside a line of a program.
const BLANKS: usize = 15;

/// The text as a stream may have it: as it is, unless the stream is a terminal.
pub fn for_stream<'a>(text: &'a str, stream: &impl IsTerminal) -> Cow<'a, str> {
    if stream.is_terminal() { escaped(text) } else { Cow::Borrowed(text) }
}

/// The text with control and bidirectional characters, and others that nobody sees, as
/// `\u{202e}`. Line feeds and tabs stay.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|char| push(&mut shown, char, is_invisible(char)));
    Cow::Owned(shown)
}

/// A name or a path as it is shown among other text: `\u{a}` is not a new line of that.
pub fn name(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|char| push(&mut shown, char, char.is_control() || is_invisible(char)));
    shown
}

/// A name as a stream may have it, always on one line: on a terminal as [`name`] shows it.
pub fn name_for_stream(text: &str, stream: &impl IsTerminal) -> String {
    if stream.is_terminal() {
        return name(text);
    }
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|char| push(&mut shown, char, matches!(char, '\n' | '\r')));
    shown
}

/// A text of one line among others for people: control and bidirectional characters become signs
/// of one column.
pub fn one_line(text: &str) -> String {
    let text = text.replace('\n', "\u{240a}");
    rendered(annotate_snippets::normalize_untrusted_str(&text))
}

/// What was rendered for a terminal, without the control characters of ISO 6429 that the renderer
/// leaves in the text of others; its own colours have none.
pub fn rendered(text: String) -> String {
    let is_c1 = |char: char| ('\u{80}'..='\u{9f}').contains(&char);
    if text.contains(is_c1) { text.replace(is_c1, "\u{fffd}") } else { text }
}

/// The text of a JSON value as a stream may have it: the same value on a terminal.
pub fn json_for_stream<'a>(text: &'a str, stream: &impl IsTerminal) -> Cow<'a, str> {
    if !stream.is_terminal() || !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for char in text.chars() {
        match is_invisible(char) {
            true => char.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(shown, "\\u{unit:04x}");
            }),
            false => shown.push(char),
        }
    }
    Cow::Owned(shown)
}

/// A program as a person is asked about it: all of it, with many blanks in a row and blanks at the
/// end of a line as their number, since they would push the rest out of sight.
pub fn program(code: &str) -> String {
    let lines: Vec<String> = code.trim_end_matches('\n').split('\n').map(line).collect();
    lines.join("\n")
}

fn line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        let text = rest.trim_start_matches([' ', '\t']);
        let blanks = &rest[..rest.len() - text.len()];
        if blanks.len() > BLANKS || text.is_empty() && !blanks.is_empty() {
            let _ = write!(shown, "⟨{} blanks⟩", blanks.len());
        } else {
            shown.push_str(blanks);
        }
        let end = text.find([' ', '\t']).unwrap_or(text.len());
        let is_odd = |char: char| is_invisible(char) || char.is_whitespace();
        text[..end].chars().for_each(|char| push(&mut shown, char, is_odd(char)));
        rest = &text[end..];
    }
    shown
}

fn push(shown: &mut String, char: char, escape: bool) {
    match escape {
        true => shown.extend(char.escape_unicode()),
        false => shown.push(char),
    }
}

/// Whether a character is not seen, or changes how others are seen.
pub fn is_invisible(char: char) -> bool {
    char.is_control() && !matches!(char, '\n' | '\t')
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_spelled_out() {
        assert_eq!(escaped("a\n\tb é 😀"), "a\n\tb é 😀");
        assert_eq!(escaped("\u{1b}]0;x\u{7}\r"), "\\u{1b}]0;x\\u{7}\\u{d}");
        assert_eq!(escaped("\u{9b}31m\u{7f}"), "\\u{9b}31m\\u{7f}");
        assert_eq!(escaped("\u{202e}cod\u{2066}\u{200b}"), "\\u{202e}cod\\u{2066}\\u{200b}");
    }

    #[test]
    fn a_line_keeps_its_columns() {
        assert_eq!(name("a\nb\tc\u{202e}"), "a\\u{a}b\\u{9}c\\u{202e}");
        assert_eq!(one_line("a\nb"), "a\u{240a}b");
        assert_eq!(one_line("a\u{1b}\u{9b}2J\u{202e}"), "a␛\u{fffd}2J\u{fffd}");
    }

    #[test]
    fn nothing_of_a_program_is_out_of_sight() {
        assert_eq!(program("if x:\n    y\n"), "if x:\n    y");
        let far = format!("echo a{}; rm -rf ~", " ".repeat(200));
        assert_eq!(program(&far), "echo a⟨200 blanks⟩; rm -rf ~");
        assert_eq!(program("a \t\n\n b"), "a⟨2 blanks⟩\n\n b");
        assert_eq!(program("echo\u{a0}a\r\nb"), "echo\\u{a0}a\\u{d}\nb");
        assert_eq!(program("a\n\n\n"), "a");
    }
}
