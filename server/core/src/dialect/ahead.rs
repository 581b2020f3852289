//! What comes further down in a window of a transcript, found once for everybody who asks.
//!
//! Where raw text has no end, each block in it looks through all that follows. So that many of
//! them do not make a scan quadratic, nobody looks twice through the same lines for the same.

use std::cell::RefCell;
use std::ops::Range;

use foldhash::HashMap;
use memchr::memmem::Finder;

use super::lines::Lines;
use crate::text::work;

/// How far a line is searched for before all lines are indexed.
const NEAR: usize = if cfg!(test) { 32 } else { 4 << 10 };

/// The lines of a window, to look ahead in them. Offsets are those of the window's text.
pub struct Ahead<'a> {
    text: &'a str,
    known: &'a RefCell<Known>,
}

/// What was found in a window so far.
#[derive(Default)]
pub(crate) struct Known {
    lines: Option<Lines>,
    searches: HashMap<String, Hit>,
}

/// The last answer to a question: no line from `from` on is one, up to that at `at`.
#[derive(Clone, Copy)]
struct Hit {
    from: usize,
    at: usize,
    /// What was found out about it.
    value: usize,
}

impl<'a> Ahead<'a> {
    pub(crate) fn new(text: &'a str, known: &'a RefCell<Known>) -> Ahead<'a> {
        Ahead { text, known }
    }

    /// Where the first line from `from` on is that is exactly this one; the end of the text where
    /// there is none.
    pub fn line(&self, from: usize, line: &str) -> usize {
        let near = (from + NEAR).min(self.text.len());
        let finder = Finder::new(line);
        let mut at = from;
        while let Some(found) = finder.find(&self.text.as_bytes()[at..near]) {
            let line_start = self.line_start(from, at + found);
            let span = self.span(line_start);
            if self.text[span.clone()] == *line {
                work::add(span.end - from);
                return line_start;
            }
            at = span.end.max(at + found + 1).min(near);
        }
        work::add(near - from);
        if near == self.text.len() {
            return near;
        }
        let from = self.line_start(from, near);
        self.indexed(|lines| lines.exact(self.text, from, line)).unwrap_or(self.text.len())
    }

    /// Where the first line from `from` on is that ends with `ending` (a `_` and up to eight
    /// letters and digits) and perhaps a `'`, and for which `fits` holds; the end of the text where
    /// there is none. The `key` names what `fits` asks.
    pub fn ending(
        &self,
        from: usize,
        key: String,
        ending: &str,
        fits: impl Fn(&str) -> bool,
    ) -> usize {
        let search = |from: usize| {
            let near = (from + NEAR).min(self.text.len());
            let mut start = from;
            while start < near {
                let span = self.span(start);
                work::add(span.len() + 1);
                if fits(&self.text[span.clone()]) {
                    return (start, 0);
                }
                start = self.after(span.end);
            }
            let mut next = start;
            loop {
                let found = self.indexed(|lines| lines.ending(self.text, next, ending));
                let Some(at) = found else { return (self.text.len(), 0) };
                let span = self.span(at);
                if fits(&self.text[span.clone()]) {
                    return (at, 0);
                }
                next = self.after(span.end);
            }
        };
        self.once(from, key, search).0
    }

    /// The first line from `from` on that holds `needle` and of which `value` says something, given
    /// the text and the line's span, and what it says; the end of the text where there is none.
    /// The `key` names what `value` asks.
    pub fn holding(
        &self,
        from: usize,
        key: &str,
        needle: &str,
        value: impl Fn(&str, Range<usize>) -> Option<usize>,
    ) -> (usize, usize) {
        let search = |from: usize| {
            let finder = Finder::new(needle);
            let mut start = from;
            while let Some(found) = finder.find(&self.text.as_bytes()[start..]) {
                let line_start = self.line_start(start, start + found);
                let span = self.span(line_start);
                work::add(span.end - start);
                if let Some(value) = value(self.text, span.clone()) {
                    return (line_start, value);
                }
                start = self.after(span.end);
            }
            work::add(self.text.len() - start);
            (self.text.len(), self.text.len())
        };
        self.once(from, key.to_owned(), search)
    }

    /// The answer to a question, from what is known where that is enough.
    fn once(
        &self,
        from: usize,
        key: String,
        search: impl Fn(usize) -> (usize, usize),
    ) -> (usize, usize) {
        work::add(1);
        let known = self.known.borrow().searches.get(&key).copied();
        if let Some(hit) = known.filter(|hit| (hit.from..=hit.at).contains(&from)) {
            return (hit.at, hit.value);
        }
        let (at, value) = search(from);
        self.known.borrow_mut().searches.insert(key, Hit { from, at, value });
        (at, value)
    }

    fn indexed<T>(&self, look: impl FnOnce(&Lines) -> T) -> T {
        work::add(1);
        let mut known = self.known.borrow_mut();
        look(known.lines.get_or_insert_with(|| {
            work::add(self.text.len());
            Lines::new(self.text)
        }))
    }

    /// The start of the line that `offset` is in, which does not begin before `from`.
    fn line_start(&self, from: usize, offset: usize) -> usize {
        let before = &self.text.as_bytes()[from..offset];
        memchr::memrchr2(b'\n', b'\r', before).map_or(from, |at| from + at + 1)
    }

    /// The line that begins at `start`, without its ending.
    fn span(&self, start: usize) -> Range<usize> {
        let rest = &self.text.as_bytes()[start..];
        let end = memchr::memchr2(b'\n', b'\r', rest).map_or(self.text.len(), |at| start + at);
        start..end
    }

    /// Where the line after the one that ends at `end` begins.
    fn after(&self, end: usize) -> usize {
        crate::text::lines::after_ending(self.text, end)
    }
}
