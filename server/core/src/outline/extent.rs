//! Extents: where a structure begins and ends, with what belongs to it.

use foldhash::{HashMap, HashMapExt};

use super::header::within;
use crate::syntax::{Blocks, Found, Item, Kind, Language};
use crate::text::lines::Newlines;
use crate::text::{Packed, Span};

/// Works out the extents of what a query found.
pub(super) struct Extents<'a> {
    language: &'a Language,
    text: &'a str,
    found: &'a Found,
    /// The outermost of the nodes that only wrap an item, by the item's place.
    wrapped: HashMap<usize, &'a Span>,
    /// A file may be one long line.
    newlines: &'a Newlines,
}

impl<'a> Extents<'a> {
    /// For the items found in `text`.
    pub(super) fn new(
        language: &'a Language,
        text: &'a str,
        newlines: &'a Newlines,
        found: &'a Found,
    ) -> Extents<'a> {
        let mut wrapped = HashMap::new();
        for wrapper in &found.wrappers {
            if let Some(item) = wrapped_by(text, found, wrapper) {
                wrapped.entry(item).or_insert(wrapper);
            }
        }
        Extents { language, text, found, wrapped, newlines }
    }

    /// The extent of the item at `place`, and where the structure itself begins after what is
    /// before it.
    pub(super) fn of(&self, place: usize) -> (Span, usize) {
        let item = &self.found.items[place];
        if self.language.blocks == Blocks::CommonMark {
            return (item.span.clone(), item.span.start);
        }
        let outer = self.wrapped.get(&place).map_or_else(|| item.span.clone(), |it| (*it).clone());
        let end = self.end(item, outer.end);
        let own_start = self.own_start(outer.start, item);
        let mut start = self.after_attributes(outer.start);
        if item.kind.takes_comments() {
            start = self.with_comments(start);
        }
        (start..end, own_start)
    }

    /// The first byte after decorations and comments at the start.
    fn own_start(&self, outer: usize, item: &Item) -> usize {
        let mut start = outer;
        let limit = item.body.map_or(item.span.end, Packed::start);
        let spans = |start: usize| {
            let decorations = within(&self.found.decorations, start..start + 1);
            let comments = within(&self.found.comments, start..start + 1);
            let attributes = within(&self.found.attributes, start..start + 1);
            decorations.chain(comments).chain(attributes).map(|span| span.end).max()
        };
        while start < limit {
            match spans(start) {
                Some(end) if end <= limit => start = self.next_word(end),
                _ => break,
            }
        }
        start.min(item.span.end)
    }

    fn next_word(&self, from: usize) -> usize {
        let rest = &self.text[from..];
        from + (rest.len() - rest.trim_start().len())
    }

    /// Where the attributes that are before `start` begin.
    fn after_attributes(&self, start: usize) -> usize {
        let mut start = start;
        loop {
            let before = self.text[..start].trim_end().len();
            let attribute = last_ending_at(&self.found.attributes, self.text, before);
            let comment = || last_ending_at(&self.found.comments, self.text, before);
            match attribute {
                Some(span) => start = span.start,
                // A comment between attributes is theirs.
                None => match comment().filter(|span| self.follows_attribute(span)) {
                    Some(span) => start = span.start,
                    None => return start,
                },
            }
        }
    }

    fn follows_attribute(&self, comment: &Span) -> bool {
        let before = self.text[..comment.start].trim_end().len();
        last_ending_at(&self.found.attributes, self.text, before).is_some()
    }

    /// Where the comments begin that are directly above `start`, each alone on its line and
    /// indented as what they belong to.
    fn with_comments(&self, start: usize) -> usize {
        let column = |at: usize| at - self.line_start(at);
        let alone = |at: usize| self.text[self.line_start(at)..at].trim().is_empty();
        let own = column(start);
        if !alone(start) {
            return start;
        }
        let mut first = start;
        loop {
            let line = self.line_start(first);
            let Some(above) = line.checked_sub(1) else { return first };
            let before = self.text[..above].trim_end_matches('\r').len();
            let comment = last_ending_at(&self.found.comments, self.text, before);
            match comment {
                Some(span)
                    if alone(span.start) && column(span.start) == own && !self.is_apart(span) =>
                {
                    first = span.start;
                }
                _ => return first,
            }
        }
    }

    /// Whether a comment does not belong to what comes after it: a shebang, the name of the encoding,
    /// what says something of the file, the docs of what is around.
    fn is_apart(&self, comment: &Span) -> bool {
        let is_shebang = comment.start == 0 && self.text.starts_with("#!");
        let is_first = || self.newlines(0, comment.start) < 2;
        let names_encoding = names_encoding(&self.text[comment.clone()]) && is_first();
        let comment = &self.text[comment.clone()];
        is_shebang
            || names_encoding
            || self.language.is_of_file(comment)
            || self.language.documents_around(comment)
    }

    /// The end with a comment on the last line, and with the comments at the end of the body.
    ///
    /// Where a grammar lets a node run on to the next one, the comments between them are in it; they
    /// are taken off first, and what belongs to the body is put back.
    fn end(&self, item: &Item, end: usize) -> usize {
        let end = self.text[..end].trim_end().len().max(item.span.start);
        let end = self.without_semicolon(item, end);
        let code = self.without_comments(item, end);
        let limit = if self.is_open(item) { self.text.len() } else { end };
        let own = self.with_heredocs(item, self.with_comment_after(code));
        if own < limit { self.with_body_comments(item, own, limit) } else { own }
    }

    /// Whether nothing but indentation says where the body of an item ends: a branch without
    /// braces, a case.
    fn is_open(&self, item: &Item) -> bool {
        let (Some(body), Kind::Block) = (item.body, item.kind) else {
            return self.language.indented;
        };
        let is_open = body.end() == item.span.end && !body.of(self.text).starts_with('{');
        let is_deeper = || self.columns(item).is_some_and(|(own, body)| body > own);
        self.language.indented || is_open && is_deeper()
    }

    /// The end after the here documents that begin in an item: their text is after the line.
    fn with_heredocs(&self, item: &Item, end: usize) -> usize {
        let names = &self.found.heredocs;
        let before = names.partition_point(|name| name.start < item.span.end);
        let last = before.checked_sub(1).filter(|last| names[*last].start >= item.span.start);
        let text = last.and_then(|last| self.found.heredoc_texts.get(last));
        text.map_or(end, |text| end.max(text.end))
    }

    /// The end before a `;` that is first on its line and belongs to what is after it.
    fn without_semicolon(&self, item: &Item, end: usize) -> usize {
        let before = self.text[item.span.start..end].strip_suffix(';');
        let before = before.filter(|_| self.language.leading_semicolons);
        let is_first = |before: &&str| before.trim_end_matches([' ', '\t']).ends_with('\n');
        let code = before.filter(is_first).map(|before| before.trim_end().len());
        code.map_or(end, |length| item.span.start + length)
    }

    /// The end before the comments that are after everything else in an item.
    fn without_comments(&self, item: &Item, end: usize) -> usize {
        let mut code = end;
        while let Some(comment) = last_ending_at(&self.found.comments, self.text, code) {
            let before = self.text[..comment.start].trim_end().len();
            if before <= item.span.start {
                return end;
            }
            code = before;
        }
        code
    }

    fn with_comment_after(&self, end: usize) -> usize {
        let rest = &self.text[end..];
        let is_blank = |char: char| char.is_whitespace() && !matches!(char, '\n' | '\r');
        let blank = rest.len() - rest.trim_start_matches(is_blank).len();
        let comment = within(&self.found.comments, end + blank..end + blank + 1).next();
        comment.map_or(end, |comment| end + self.text[end..comment.end].trim_end().len())
    }

    /// The end after the comments before `limit` that are indented as the body is. Where the body
    /// is indented no further than the item itself, they are directly below it, and not directly
    /// above something else.
    fn with_body_comments(&self, item: &Item, end: usize, limit: usize) -> usize {
        let Some((own, body)) = self.columns(item) else { return end };
        let mut last = end;
        let mut from = end;
        loop {
            let next = self.next_word(from);
            let comment = within(&self.found.comments, next..next + 1).next();
            let Some(comment) = comment.filter(|comment| comment.start < limit) else { break };
            let is_adjacent = self.newlines(from, comment.start) == 1;
            let column = comment.start - self.line_start(comment.start);
            if column < body || body <= own && !is_adjacent {
                break;
            }
            from = comment.start + self.text[comment.clone()].trim_end().len();
            last = from;
        }
        let next = self.next_word(last);
        let is_above = next < self.text.len() && self.newlines(last, next) == 1;
        if body <= own && is_above { end } else { last }
    }

    /// The columns of an item and of its body; of a value on the line of its key, one more.
    fn columns(&self, item: &Item) -> Option<(usize, usize)> {
        let line = self.line_start(item.span.start);
        let own = item.span.start - line;
        let inside = matches!(item.kind, Kind::Key | Kind::Item).then_some((own, own + 1));
        let Some(body) = item.body.map(Packed::start) else { return inside };
        let body_line = self.line_start(body);
        if body_line == line || !self.text[body_line..body].trim().is_empty() {
            return inside;
        }
        Some((own, body - body_line))
    }

    /// Where the line of an offset begins.
    fn line_start(&self, offset: usize) -> usize {
        self.newlines.line_start(offset)
    }

    fn newlines(&self, from: usize, to: usize) -> usize {
        memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..to]).count()
    }
}

/// The item that a wrapper wraps: the first in it that is not in a decoration, where the wrapper
/// ends with it. A function without a name is a part of an expression, which is more than it.
fn wrapped_by(text: &str, found: &Found, wrapper: &Span) -> Option<usize> {
    let decorates = |decorations: &[Span], item: &Item| {
        let before = decorations.partition_point(|span| span.start <= item.span.start);
        decorations[..before].last().is_some_and(|span| span.end >= item.span.end)
    };
    let first = found.items.partition_point(|item| item.span.start < wrapper.start);
    let mut inside = found.items[first..].iter().enumerate();
    let (place, item) = inside.find(|(_, item)| {
        !decorates(&found.decorations, item) && !decorates(&found.attributes, item)
    })?;
    let ends = item.span.end <= wrapper.end && only_ends(text, found, item.span.end..wrapper.end);
    (ends && item.kind != Kind::Lambda).then_some(first + place)
}

/// Whether nothing but blanks, comments and `;` is in a span.
fn only_ends(text: &str, found: &Found, span: Span) -> bool {
    let mut at = span.start;
    while at < span.end {
        let rest = text[at..].trim_start_matches(|char: char| char.is_whitespace() || char == ';');
        let next = text.len() - rest.len();
        match within(&found.comments, next..next + 1).next() {
            _ if next >= span.end => return true,
            Some(comment) => at = comment.end,
            None => return false,
        }
    }
    true
}

/// The last span of a list that ends at `end`, white space not counted.
fn last_ending_at<'a>(spans: &'a [Span], text: &str, end: usize) -> Option<&'a Span> {
    let after = spans.partition_point(|span| span.start < end);
    let span = spans[..after].last()?;
    let trimmed = span.start + text[span.clone()].trim_end().len();
    (trimmed == end).then_some(span)
}

/// Whether a comment names the file's encoding, as one in the first two lines does.
pub(crate) fn names_encoding(comment: &str) -> bool {
    comment.starts_with('#') && (comment.contains("coding:") || comment.contains("coding="))
}

/// Where the line of an offset begins.
pub(crate) fn line_start(text: &str, offset: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |newline| newline + 1)
}
