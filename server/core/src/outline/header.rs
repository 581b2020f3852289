//! Headers: what a structure is called by.

use crate::syntax::{Found, Item, Kind, Language};
use crate::text::{Packed, Span};

/// The pieces of text that the header consists of: from the first modifier, keyword or name to
/// where the body or value begins, decorations and comments left out.
pub(super) fn pieces(
    language: &Language,
    text: &str,
    found: &Found,
    item: &Item,
    own_start: usize,
) -> Vec<Span> {
    if let Some(header) = item.header {
        return vec![trimmed(text, header.span())];
    }
    let body = item.body.map(Packed::start);
    let until = item.until.map(Packed::start);
    let end = until.or(body).unwrap_or(item.span.end).max(own_start);
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
    if let (Some(last), false) = (pieces.last_mut(), item.kind.is_prose()) {
        for ending in language.header_ends {
            let cut = text[last.clone()].strip_suffix(ending).map(|rest| rest.trim_end().len());
            last.end = cut.map_or(last.end, |length| last.start + length);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    if item.kind == Kind::Item {
        first_line(text, &mut pieces);
    }
    pieces
}

/// Cuts off all lines but the first.
fn first_line(text: &str, pieces: &mut Vec<Span>) {
    pieces.truncate(1);
    for piece in pieces {
        let line = text[piece.clone()].lines().next().unwrap_or_default();
        piece.end = piece.start + line.trim_end().len();
    }
}

/// The spans of a sorted list that lie in a range.
pub(super) fn within(spans: &[Span], range: Span) -> impl Iterator<Item = &Span> {
    let first = spans.partition_point(|span| span.start < range.start);
    spans[first..].iter().take_while(move |span| span.start < range.end)
}

/// The header's text with white space collapsed, on one line.
pub(super) fn text(kind: Kind, text: &str, pieces: &[Packed]) -> String {
    let words = pieces.iter().flat_map(|piece| piece.of(text).split_whitespace());
    let mut header = String::new();
    for word in words {
        if !header.is_empty() {
            header.push(' ');
        }
        header.push_str(word);
    }
    if header.is_empty() { format!("<{kind}>") } else { header }
}

/// The name without the language's quotes: one at both ends, or a mark at one end that is nowhere
/// else in it.
pub(super) fn bare_name(language: &Language, text: &str, name: Span) -> Span {
    let whole = &text[name.clone()];
    for quote in language.name_quotes {
        let length = quote.len_utf8();
        let starts = whole.starts_with(*quote);
        let ends = whole.ends_with(*quote) && whole.len() > length;
        let is_mark = || whole.matches(*quote).count() == 1;
        if starts && (ends || is_mark()) {
            let end = if ends { name.end - length } else { name.end };
            return name.start + length..end;
        }
    }
    name
}

fn trimmed(text: &str, span: Span) -> Span {
    let whole = &text[span.clone()];
    let start = span.start + (whole.len() - whole.trim_start().len());
    start..start + whole.trim().len()
}
