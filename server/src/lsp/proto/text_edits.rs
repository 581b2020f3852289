//! Edits of a text as edits of the protocol, in the form that every editor makes alike.
//!
//! The line after the last line ending exists in the protocol but not in the buffers of some
//! editors (Neovim, Kakoune): text inserted there gets a line ending too many, or is joined to the
//! last line.

use operator_core::edit::{Edit, EditSet};
use operator_core::text::Text;
use tower_lsp::ls_types::{Position, Range, TextEdit};

use super::{position, range};
use crate::lsp::capabilities::ResolvedClientCapabilities;

/// The edits of an open document or of a file, minimal, disjoint and sorted.
pub fn text_edits(
    text: &Text,
    edits: &EditSet,
    client: &ResolvedClientCapabilities,
) -> Vec<TextEdit> {
    let mut edits: Vec<Edit> = edits.iter().cloned().collect();
    before_the_last_ending(text, &mut edits);
    edits.into_iter().map(|edit| text_edit(text, edit, client)).collect()
}

/// Moves an insertion at the very end before the last line ending, where there is one.
fn before_the_last_ending(text: &Text, edits: &mut Vec<Edit>) {
    let ending = last_ending(text);
    let end = text.len();
    let Some(last) = edits.pop_if(|last| last.span == (end..end) && !ending.is_empty()) else {
        return;
    };
    let start = end - ending.len();
    let mut moved = match last.text.strip_suffix(ending).filter(|rest| !rest.ends_with('\r')) {
        Some(rest) => Edit { span: start..start, text: format!("{ending}{rest}") },
        // Other bytes come last than before, so the line ending is replaced.
        None => Edit { span: start..end, text: format!("{ending}{}", last.text) },
    };
    // An edit that touches it becomes part of it: their order would be the editor's choice.
    if let Some(other) = edits.pop_if(|other| other.span.end >= start) {
        moved = match other.span.end > start {
            true => Edit { span: other.span.start..end, text: other.text + &last.text },
            false => {
                Edit { span: other.span.start..moved.span.end, text: other.text + &moved.text }
            }
        };
    }
    edits.push(moved);
}

/// The line ending that a text ends with.
fn last_ending(text: &Text) -> &'static str {
    let end = text.slice(text.len().saturating_sub(2)..text.len());
    match end {
        _ if end.ends_with("\r\n") => "\r\n",
        _ if end.ends_with('\n') => "\n",
        _ => "",
    }
}

fn text_edit(text: &Text, edit: Edit, client: &ResolvedClientCapabilities) -> TextEdit {
    let mut range = range(text, &edit.span, client.encoding);
    if edit.span.end == text.len() && !client.refuses_beyond_end && ends_last_line(text, &edit) {
        range.end = after_the_end(text);
    }
    TextEdit::new(range, edit.text)
}

/// Whether a text whose last line has no ending would end with one, or be empty, after an edit.
///
/// An editor that ends the last line itself when it saves would write two. A range that includes
/// the missing ending tells it that the new one takes its place; other editors clamp the range.
fn ends_last_line(text: &Text, edit: &Edit) -> bool {
    let start = edit.span.start;
    let is_ended = match edit.text.as_str() {
        "" => start == 0 || text.slice(start - 1..start) == "\n",
        text => text.ends_with('\n'),
    };
    text.is_empty() || last_ending(text).is_empty() && is_ended
}

/// The start of the line after the last.
fn after_the_end(text: &Text) -> Position {
    let end = position(text, text.len(), operator_core::text::Encoding::Utf8);
    Position::new(end.line + 1, 0)
}

/// The edit that gives a new file its text.
pub fn first_text(text: String, client: &ResolvedClientCapabilities) -> TextEdit {
    // An editor that gives a new file a line ending of its own would keep it after the text.
    let end = u32::from(!client.refuses_beyond_end);
    TextEdit::new(Range::new(Position::new(0, 0), Position::new(end, 0)), text)
}

#[cfg(test)]
mod tests {
    use operator_core::edit::smallest;
    use operator_core::text::Encoding;
    use proptest::prelude::*;

    use super::*;
    use crate::lsp::proto::span;

    fn client() -> ResolvedClientCapabilities {
        ResolvedClientCapabilities { encoding: Encoding::Utf8, ..Default::default() }
    }

    fn edits(before: &str, after: &str) -> Vec<TextEdit> {
        text_edits(&Text::new(before), &smallest(before, after), &client())
    }

    /// The text after edits as the protocol describes them.
    fn edited(before: &str, edits: &[TextEdit]) -> String {
        let mut text = Text::new(before);
        let mut last = None;
        for edit in edits {
            let span = span(&text, edit.range, Encoding::Utf8).unwrap();
            assert!(last.is_none_or(|last| last < span.start), "{edits:?}");
            last = Some(span.end);
        }
        for edit in edits.iter().rev() {
            let span = span(&text, edit.range, Encoding::Utf8).unwrap();
            text.replace(span, &edit.new_text);
        }
        text.to_string()
    }

    /// The file that Neovim 0.11 saves after edits: lines, of which the last always has an ending.
    fn saved_by_neovim(before: &str, edits: &[TextEdit]) -> String {
        let mut lines: Vec<String> =
            before.strip_suffix('\n').unwrap_or(before).split('\n').map(str::to_owned).collect();
        let mut beyond = false;
        for edit in edits.iter().rev() {
            let new: Vec<&str> = edit.new_text.split('\n').collect();
            let (start, end) = (edit.range.start, edit.range.end);
            let (first, count) = (start.line as usize, lines.len());
            if first >= count {
                lines.extend(new.into_iter().map(str::to_owned));
                continue;
            }
            beyond |= end.line as usize >= count;
            let last = (end.line as usize).min(count - 1);
            let column =
                if last < end.line as usize { lines[last].len() } else { end.character as usize };
            let kept = (
                lines[first][..start.character as usize].to_owned(),
                lines[last][column..].to_owned(),
            );
            let joined = format!("{}{}{}", kept.0, new.join("\n"), kept.1);
            lines.splice(first..=last, joined.split('\n').map(str::to_owned));
        }
        if beyond && lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines.into_iter().map(|line| line + "\n").collect()
    }

    #[track_caller]
    fn check(before: &str, after: &str, expected: &str) {
        let edits = edits(before, after);
        assert_eq!(edited(before, &edits), after);
        let shown = |edit: &TextEdit| {
            let Range { start, end } = edit.range;
            let (from, to) = ((start.line, start.character), (end.line, end.character));
            format!("{from:?}-{to:?}={:?}", edit.new_text).replace(", ", ",")
        };
        assert_eq!(edits.iter().map(shown).collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn what_is_appended_goes_before_the_last_line_ending() {
        check("x = 1\ny = 2\n", "x = 1\ny = 2\nz = 3\n", r#"(1,5)-(1,5)="\nz = 3""#);
        check("a\r\n", "a\r\nb\r\n", r#"(0,1)-(0,1)="\r\nb""#);
        check("a\n", "a\n\nb\n\n", r#"(0,1)-(0,1)="\n\nb\n""#);
        check("a\n", "a\nb", r#"(0,1)-(1,0)="\nb""#);
        check("a\r\n", "a\r\nb\n", r#"(0,1)-(1,0)="\r\nb\n""#);
        check("a\n", "a\nb\r\n", r#"(0,1)-(1,0)="\nb\r\n""#);
        check("a\n\n", "\nb\n", r#"(0,0)-(1,0)="\nb""#);
        check("b\n\n", "c\n\nb\n", r#"(0,0)-(0,1)="c" (1,0)-(1,0)="\nb""#);
    }

    #[test]
    fn a_last_line_without_an_ending_gets_one() {
        check("", "z\n", r#"(0,0)-(1,0)="z\n""#);
        check("a", "a\n", r#"(0,1)-(1,0)="\n""#);
        check("a", "a\nb", r#"(0,1)-(0,1)="\nb""#);
        check("a\nb", "a\nc\n", r#"(1,0)-(2,0)="c\n""#);
        check("a\nb", "a\n", r#"(1,0)-(2,0)="""#);
        check("a", "", r#"(0,0)-(1,0)="""#);
    }

    proptest! {
        #[test]
        fn every_editor_makes_the_text(
            before in "([ab]|\n|\r\n){0,12}",
            after in "([ab]|\n|\r\n){0,12}",
        ) {
            prop_assert_eq!(edited(&before, &edits(&before, &after)), after);
        }

        #[test]
        fn neovim_saves_the_text(before in "(a|b|\n){0,9}", after in "(a|b|\n){0,9}") {
            prop_assume!(before != after);
            let saved = saved_by_neovim(&before, &edits(&before, &after));
            let ended = after.is_empty() || after.ends_with('\n');
            let expected = if ended { after.clone() } else { format!("{after}\n") };
            prop_assert_eq!(saved, expected, "{:?}", edits(&before, &after));
        }
    }
}
