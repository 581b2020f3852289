//! The containers around a place: quotes, list items and footnotes, and what each asks of a line.

use super::{line_start, without_ending};
use crate::outline::Parsed;
use crate::structure::Kind;
use crate::syntax::Item;
use crate::text::Span;

/// How far the lines of a footnote are indented.
const FOOTNOTE: usize = 4;

/// The containers around a place, outermost first.
pub(super) struct Containers(pub Vec<Container>);

/// A container.
pub(super) struct Container {
    /// Where its marker begins.
    pub start: usize,
    /// The column of that.
    marker: usize,
    /// What it asks of a line.
    pub asks: Asks,
    /// The column at which its content begins on the line of its marker.
    pub column: usize,
}

/// What a container asks of each of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// `>`, and whether a blank is after it.
    Quote(bool),
    /// So many columns of blanks.
    Indent(usize),
}

/// A line without what containers ask of it.
#[derive(Clone)]
pub(super) struct Cursor<'t> {
    /// What is left of it.
    pub rest: &'t str,
    /// The column that `rest` begins at, from 0.
    pub column: usize,
    /// Columns of a tab that were not asked for.
    pub pad: usize,
}

impl Containers {
    /// The containers around what is in `span`.
    pub(super) fn around(parsed: &Parsed, span: &Span) -> Containers {
        let text = parsed.text();
        let mut around = Containers(Vec::new());
        let items = parsed.found.items.iter();
        let around_it = |it: &&Item| it.span.start < span.start && it.span.end >= span.end;
        for item in items.take_while(|it| it.span.start < span.start).filter(around_it) {
            if let Some(container) = around.container(text, item) {
                around.0.push(container);
            }
        }
        around
    }

    fn container(&self, text: &str, item: &Item) -> Option<Container> {
        let start = item.span.start;
        let first = line_start(text, start);
        let last = self.0.last().filter(|last| last.start >= first);
        let mut cursor = Cursor::new(&text[last.map_or(first, |last| last.start)..]);
        let base = match last {
            Some(last) => {
                cursor.column = last.marker;
                last.column
            }
            None => {
                let (cursor, _) = self.stripped(&text[first..]);
                cursor.column - cursor.pad
            }
        };
        cursor.skip(start - (text.len() - cursor.rest.len()));
        let marker = cursor.column;
        let asks = match item.kind {
            Kind::Quote => {
                cursor.skip(1);
                Asks::Quote(cursor.blanks(1) == 1)
            }
            Kind::Item => {
                cursor.skip(marker_length(&text[start..]));
                let after = cursor.clone().blanks(5);
                let is_blank = cursor.is_blank();
                cursor.blanks(if is_blank || after == 5 { 1 } else { after });
                let width = (cursor.column - cursor.pad + usize::from(is_blank && after == 0))
                    .saturating_sub(base);
                Asks::Indent(width)
            }
            Kind::Paragraph if is_footnote(text, item) => Asks::Indent(FOOTNOTE),
            _ => return None,
        };
        Some(Container { start, marker, asks, column: cursor.column - cursor.pad })
    }

    /// Takes off what the containers ask of a line; whether it has all of it. What a paragraph
    /// lazily goes on with has less.
    pub(super) fn strip(&self, cursor: &mut Cursor<'_>) -> bool {
        for container in &self.0 {
            let before = cursor.clone();
            let has = match container.asks {
                Asks::Quote(_) => {
                    cursor.blanks(3);
                    let quoted = cursor.rest.starts_with('>');
                    if quoted {
                        cursor.skip(1);
                        cursor.blanks(1);
                    }
                    quoted
                }
                Asks::Indent(_) if cursor.is_blank() => true,
                Asks::Indent(width) => cursor.blanks(width) == width,
            };
            if !has {
                *cursor = before;
                return false;
            }
        }
        true
    }

    /// What is left of a line, and whether it has all that the containers ask of it.
    pub(super) fn stripped<'t>(&self, line: &'t str) -> (Cursor<'t>, bool) {
        let mut cursor = Cursor::new(line);
        let has = self.strip(&mut cursor);
        (cursor, has)
    }

    /// Whether a line is in the containers, and blank.
    pub(super) fn is_blank(&self, line: &str) -> bool {
        let (cursor, has) = self.stripped(line);
        has && cursor.is_blank()
    }
}

impl<'t> Cursor<'t> {
    /// At the start of a line.
    pub(super) fn new(line: &'t str) -> Cursor<'t> {
        Cursor { rest: line, column: 0, pad: 0 }
    }

    /// Takes up to so many columns of blanks off; how many there were.
    pub(super) fn blanks(&mut self, most: usize) -> usize {
        for taken in 0..most {
            if self.pad > 0 {
                self.pad -= 1;
                continue;
            }
            match self.rest.as_bytes().first() {
                Some(b' ') => self.skip(1),
                Some(b'\t') => {
                    self.pad = 3 - self.column % 4;
                    self.skip(1);
                }
                _ => return taken,
            }
        }
        most
    }

    /// Takes so many bytes off.
    pub(super) fn skip(&mut self, bytes: usize) {
        for byte in self.rest.as_bytes()[..bytes].iter() {
            self.column += if *byte == b'\t' { 4 - self.column % 4 } else { 1 };
        }
        self.rest = &self.rest[bytes..];
    }

    /// Whether nothing but blanks is left of the line.
    pub(super) fn is_blank(&self) -> bool {
        let rest = self.rest.trim_start_matches([' ', '\t']);
        rest.is_empty() || rest.starts_with(['\r', '\n'])
    }

    /// What is left, without the line's ending.
    pub(super) fn text(&self) -> String {
        let rest = without_ending(self.rest);
        format!("{}{rest}", " ".repeat(self.pad))
    }
}

/// The length of the marker that a list item begins with.
pub(super) fn marker_length(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count() + 1
}

fn is_footnote(text: &str, item: &Item) -> bool {
    text[item.span.clone()].starts_with("[^")
        && item.name.is_some_and(|name| name.start() == item.span.start)
}
