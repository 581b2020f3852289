//! Headers: what a structure is called by.

use super::Kind;
use crate::syntax::{Found, Item, Language};
use crate::text::Span;

/// The pieces of text that the header consists of: from the first modifier, keyword or name to
/// where the body or value begins, decorations and comments left out.
pub(super) fn pieces(
    language: &Language,
    text: &str,
    found: &Found,
    item: &Item,
    own_start: usize,
) -> Vec<Span> {
    if let Some(header) = &item.header {
        return vec![trimmed(text, header.clone())];
    }
    let end = item.body.as_ref().map_or(item.span.end, |body| body.start).max(own_start);
    let mut left_out: Vec<&Span> = within(&found.decorations, own_start..end)
        .chain(within(&found.comments, own_start..end))
        .collect();
    left_out.sort_by_key(|span| span.start);
    let mut pieces = Vec::with_capacity(1);
    let mut start = own_start;
    for span in left_out {
        pieces.push(start..span.start.max(start));
        start = span.end.max(start);
    }
    pieces.push(start..end.max(start));
    let mut pieces: Vec<Span> = pieces.into_iter().map(|piece| trimmed(text, piece)).collect();
    pieces.retain(|piece| !piece.is_empty());
    if let (Some(last), true) = (pieces.last_mut(), item.body.is_some()) {
        for ending in language.header_ends {
            let cut = text[last.clone()].strip_suffix(ending).map(|rest| rest.trim_end().len());
            last.end = cut.map_or(last.end, |length| last.start + length);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The spans of a sorted list that lie in a range.
pub(super) fn within(spans: &[Span], range: Span) -> impl Iterator<Item = &Span> {
    let first = spans.partition_point(|span| span.start < range.start);
    spans[first..].iter().take_while(move |span| span.start < range.end)
}

/// The header's text with white space collapsed, on one line.
pub(super) fn text(kind: Kind, text: &str, pieces: &[Span]) -> String {
    let words = pieces.iter().flat_map(|piece| text[piece.clone()].split_whitespace());
    let mut header = String::new();
    for word in words {
        if !header.is_empty() {
            header.push(' ');
        }
        header.push_str(word);
    }
    if header.is_empty() { format!("<{kind}>") } else { header }
}

/// The name without the language's quotes.
pub(super) fn bare_name(language: &Language, text: &str, name: Span) -> Span {
    let is_quote = |char: char| language.name_quotes.contains(&char);
    let whole = &text[name.clone()];
    let start = name.start + (whole.len() - whole.trim_start_matches(is_quote).len());
    let end = start + text[start..name.end].trim_end_matches(is_quote).len();
    start..end
}

fn trimmed(text: &str, span: Span) -> Span {
    let whole = &text[span.clone()];
    let start = span.start + (whole.len() - whole.trim_start().len());
    start..start + whole.trim().len()
}
