//! `replacer.replace`: a text that is in a file once gives way to another.

use super::context::Context;
use super::edit::Edited;
use super::edits::Running;
use super::spliced::Spliced;
use crate::path::FilePath;
use crate::spec::FieldRole;
use crate::text::{Content, Span};

/// The text with another in place of one; an empty one takes the lines away that the old one is.
pub(super) fn edited(
    context: &Context<'_>,
    path: &FilePath,
    before: &Content,
    (search, replace): (&str, &str),
) -> Edited {
    let running = Running::of(context, path, FieldRole::Search);
    let mut text = Spliced::new(before.text.to_string());
    if replace.is_empty() {
        let span = running.the_one(&before.text, search)?;
        text.splice(with_its_ending(&before.text, span), "");
    } else {
        running.replace_one(&mut text, search, replace)?;
    }
    Ok((text.into_string(), None))
}

/// A match with the ending of its last line, where it is whole lines.
fn with_its_ending(text: &str, found: Span) -> Span {
    let begins = found.start == 0 || text[..found.start].ends_with('\n');
    let rest = &text[found.end..];
    let ending = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    if begins { found.start..found.end + ending } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_go_with_their_ending() {
        let check = |text: &str, found: Span, expected: Span| {
            assert_eq!(with_its_ending(text, found), expected, "{text:?}");
        };
        check("a\nb\nc\n", 2..3, 2..4);
        check("a\r\nb\r\nc", 3..4, 3..6);
        check("a\nb", 2..3, 2..3);
        check("ab\n", 1..2, 1..2);
        check("ab\n", 0..1, 0..1);
    }
}
