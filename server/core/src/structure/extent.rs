//! Extents: where a structure begins and ends, with what belongs to it.

use foldhash::{HashMap, HashMapExt};

use super::header::within;
use crate::syntax::{Found, Item, Language};
use crate::text::Span;

/// Works out the extents of what a query found.
pub(super) struct Extents<'a> {
    language: &'a Language,
    text: &'a str,
    found: &'a Found,
    /// The outermost of the nodes that only wrap an item, by the item's place.
    wrapped: HashMap<usize, &'a Span>,
}

impl<'a> Extents<'a> {
    /// For the items found in `text`.
    pub(super) fn new(language: &'a Language, text: &'a str, found: &'a Found) -> Extents<'a> {
        let mut wrapped = HashMap::new();
        for wrapper in &found.wrappers {
            if let Some(item) = wrapped_by(text, &found.items, wrapper) {
                wrapped.entry(item).or_insert(wrapper);
            }
        }
        Extents { language, text, found, wrapped }
    }

    /// The extent of the item at `place`, and where the structure itself begins after what stands
    /// before it.
    pub(super) fn of(&self, place: usize) -> (Span, usize) {
        let item = &self.found.items[place];
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
        let limit = item.body.as_ref().map_or(item.span.end, |body| body.start);
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

    /// Where the attributes that stand before `start` begin.
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

    /// Where the comments begin that stand directly above `start`, each alone on its line and
    /// indented as what they belong to.
    fn with_comments(&self, start: usize) -> usize {
        let column = |at: usize| at - line_start(self.text, at);
        let alone = |at: usize| self.text[line_start(self.text, at)..at].trim().is_empty();
        let own = column(start);
        if !alone(start) {
            return start;
        }
        let mut first = start;
        loop {
            let line = line_start(self.text, first);
            let Some(above) = line.checked_sub(1) else { return first };
            let before = self.text[..above].trim_end_matches('\r').len();
            let comment = last_ending_at(&self.found.comments, self.text, before);
            match comment {
                Some(span)
                    if alone(span.start) && column(span.start) == own && !self.is_shebang(span) =>
                {
                    first = span.start;
                }
                _ => return first,
            }
        }
    }

    fn is_shebang(&self, comment: &Span) -> bool {
        comment.start == 0 && self.text.starts_with("#!")
    }

    /// The end with a comment on the last line, and with the comments at the end of a body that
    /// is what is indented.
    fn end(&self, item: &Item, end: usize) -> usize {
        let end = self.text[..end].trim_end().len().max(item.span.start);
        let mut end = self.with_comment_after(end);
        if self.language.indented && item.body.is_some() && !item.kind.is_prose() {
            end = self.with_body_comments(item, end);
        }
        end
    }

    fn with_comment_after(&self, end: usize) -> usize {
        let rest = &self.text[end..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let comment = within(&self.found.comments, end + blank..end + blank + 1).next();
        comment.map_or(end, |comment| end + self.text[end..comment.end].trim_end().len())
    }

    fn with_body_comments(&self, item: &Item, end: usize) -> usize {
        let Some(body) = &item.body else { return end };
        let body_line = line_start(self.text, body.start);
        let header_line = line_start(self.text, item.span.start);
        if body_line == header_line || !self.text[body_line..body.start].trim().is_empty() {
            return end;
        }
        let column = body.start - body_line;
        let mut last = end;
        let mut from = end;
        loop {
            let next = self.next_word(from);
            let comment = within(&self.found.comments, next..next + 1).next();
            match comment {
                Some(comment) if comment.start - line_start(self.text, comment.start) >= column => {
                    last = comment.start + self.text[comment.clone()].trim_end().len();
                    from = last;
                }
                _ => return last,
            }
        }
    }
}

/// The outermost item in a wrapper with which it ends.
fn wrapped_by(text: &str, items: &[Item], wrapper: &Span) -> Option<usize> {
    let first = items.partition_point(|item| item.span.start < wrapper.start);
    let inside = items[first..].iter().take_while(|item| item.span.start < wrapper.end);
    let ends = |item: &Item| {
        let after = text.get(item.span.end..wrapper.end);
        after.is_some_and(|after| after.chars().all(|char| char.is_whitespace() || char == ';'))
    };
    inside.enumerate().find(|(_, item)| ends(item)).map(|(place, _)| first + place)
}

/// The last span of a list that ends at `end`, white space not counted.
fn last_ending_at<'a>(spans: &'a [Span], text: &str, end: usize) -> Option<&'a Span> {
    let after = spans.partition_point(|span| span.start < end);
    let span = spans[..after].last()?;
    let trimmed = span.start + text[span.clone()].trim_end().len();
    (trimmed == end).then_some(span)
}

/// Where the line of an offset begins.
pub(super) fn line_start(text: &str, offset: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |newline| newline + 1)
}
