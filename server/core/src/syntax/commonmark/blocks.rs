//! Blocks, put together from what a parser says one by one.

use super::ends::Ends;
use super::{Item, header};
use crate::syntax::Kind;
use crate::text::{Packed, Span};

/// What was found so far, and what is open.
pub(super) struct Blocks<'a> {
    text: &'a str,
    items: Vec<Item>,
    ends: Ends<'a>,
    /// The containers that are open, the text itself first.
    open: Vec<Open>,
    /// The block without blocks in it that is open.
    leaf: Option<Leaf>,
    /// The line that a container was found on last.
    line: Span,
}

/// A block that holds no blocks.
enum Leaf {
    /// Code, by its place among the items.
    Code(usize),
    /// Any other.
    Other,
}

/// A container that is open: the text itself, a list item, a quote or a footnote.
#[derive(Default)]
struct Open {
    /// Its place among the items; the text itself has none.
    item: Option<usize>,
    /// Its marker's line after the marker.
    line: Span,
    /// How many quotes are around what is in it.
    quotes: usize,
    /// The sections that are open, each with its level.
    sections: Vec<(u8, usize)>,
    /// The block that it begins with.
    first: Option<First>,
    /// How many blocks are in it.
    blocks: usize,
    /// Text right in it: the paragraphs of a tight list have no event of their own.
    text: Option<Span>,
}

/// The block that a container begins with.
struct First {
    start: usize,
    /// The header that the container shares with it.
    header: Option<Span>,
    /// Its place among the items, where it is a container itself.
    container: Option<usize>,
}

impl<'a> Blocks<'a> {
    /// Nothing.
    pub(super) fn new(text: &'a str) -> Blocks<'a> {
        let open = vec![Open::default()];
        Blocks { text, items: Vec::new(), ends: Ends::new(text), open, leaf: None, line: 0..0 }
    }

    /// A list item, a quote or a footnote begins.
    pub(super) fn enter(&mut self, kind: Kind, span: &Span) {
        let start = header::marker_start(self.text, span.start, kind);
        let marker = header::after_marker(self.text, start, kind);
        let quotes = self.quotes() + usize::from(kind == Kind::Quote);
        let line = self.line_from(header::after_blanks(self.text, marker));
        let is_footnote = kind == Kind::Paragraph;
        // The parser ends a footnote without a text where another one follows on its line. They share that line.
        let shares = |last: &Item| {
            let between = self.text.get(last.span.start..start);
            last.kind == kind && between.is_some_and(|text| !text.contains(['\n', '\r']))
        };
        if is_footnote && self.items.last().is_some_and(shares) {
            let item = Some(self.items.len() - 1);
            self.open.push(Open { item, line, quotes, ..Open::default() });
            return;
        }
        let place = self.items.len();
        self.begin(start, None, Some(place));
        let shown = if is_footnote { start..line.end.max(start) } else { line.clone() };
        self.push(kind, start..span.end, shown);
        if is_footnote {
            self.items[place].name = header::footnote_label(self.text, start..marker);
        }
        self.open.push(Open { item: Some(place), line, quotes, ..Open::default() });
    }

    /// The innermost container ends.
    pub(super) fn leave(&mut self, end: usize) {
        self.end_text();
        self.end_sections(1, end);
        let Some(open) = self.open.pop_if(|open| open.item.is_some()) else { return };
        let Some(place) = open.item else { return };
        let start = self.items[place].span.start;
        let end = self.ends.of(start..end, self.quotes());
        self.items[place].span.end = end;
        let header = self.shared_header(&open, end);
        let item = &mut self.items[place];
        if item.kind != Kind::Paragraph {
            item.header = header.map(Packed::from).or(item.header);
            item.name = header::task_name(self.text, item);
        }
    }

    /// The header that a container shares with the block that it begins with, if it shares one.
    fn shared_header(&self, open: &Open, end: usize) -> Option<Span> {
        let first = open.first.as_ref()?;
        let on_line = open.line.contains(&first.start);
        if !on_line && !open.line.is_empty() {
            return None;
        }
        let inner = first.container.map(|place| &self.items[place]);
        match inner {
            // It only wraps the other.
            Some(inner) if open.blocks == 1 && inner.span.end == end => {
                inner.header.map(Packed::span)
            }
            _ if on_line => first.header.clone().or(Some(first.start..open.line.end)),
            _ => first.header.clone().or_else(|| Some(header::of_line(self.text, first.start))),
        }
    }

    /// A paragraph begins.
    pub(super) fn paragraph(&mut self, span: &Span) {
        let is_first = self.innermost().first.is_none();
        let header = header::of_line(self.text, span.start);
        self.begin(span.start, Some(header.clone()), None);
        self.leaf = Some(Leaf::Other);
        let around = self.innermost().item.map(|place| self.items[place].kind);
        // A footnote and its text are one.
        if !(is_first && around == Some(Kind::Paragraph)) {
            self.push(Kind::Paragraph, span.clone(), header);
        }
    }

    /// A heading begins, and with it a section; those of its level and below end.
    pub(super) fn heading(&mut self, level: u8, span: &Span) {
        let header = header::of_heading(self.text, span);
        self.begin(span.start, Some(header.clone()), None);
        self.leaf = Some(Leaf::Other);
        self.end_sections(level, span.start);
        let place = self.items.len();
        self.innermost_mut().sections.push((level, place));
        self.push(Kind::Section, span.clone(), header);
    }

    /// A block of code begins.
    pub(super) fn code(&mut self, fenced: bool, span: &Span) {
        let line = header::of_line(self.text, span.start);
        let info = if fenced { header::info(self.text, &line) } else { line.clone() };
        self.begin(span.start, (!fenced).then_some(line), None);
        self.leaf = Some(Leaf::Code(self.items.len()));
        let name = if fenced { header::language(self.text, &info) } else { None };
        self.push(Kind::Code, span.clone(), info);
        if let Some(item) = self.items.last_mut() {
            item.name = name.map(Packed::from);
        }
    }

    /// A table begins.
    pub(super) fn table(&mut self, span: &Span) {
        let header = header::of_line(self.text, span.start);
        self.begin(span.start, Some(header.clone()), None);
        self.leaf = Some(Leaf::Other);
        self.push(Kind::Table, span.clone(), header);
    }

    /// A block begins that is not a structure.
    pub(super) fn other(&mut self, span: &Span) {
        self.begin(span.start, None, None);
        self.leaf = Some(Leaf::Other);
    }

    /// A block that holds no blocks ends.
    pub(super) fn leave_leaf(&mut self) {
        self.leaf = None;
    }

    /// Text, or something else within a line.
    pub(super) fn inline(&mut self, span: &Span) {
        match self.leaf {
            Some(Leaf::Other) => {}
            Some(Leaf::Code(place)) => {
                let item = &mut self.items[place];
                let start = item.body.map_or(span.start, Packed::start);
                item.body = Some(Packed::from(start..span.end));
                let is_empty = item.header.is_none_or(|header| header.span().is_empty());
                if is_empty && !self.text[span.clone()].trim().is_empty() {
                    let first = header::after_blank_lines(self.text, span.start);
                    item.header = Some(header::of_line(self.text, first).into());
                }
            }
            None => {
                let text = &mut self.innermost_mut().text;
                let start = text.as_ref().map_or(span.start, |text| text.start);
                *text = Some(start..span.end);
            }
        }
    }

    /// Text right in a container ends: it was a paragraph.
    pub(super) fn end_text(&mut self) {
        let Some(span) = self.innermost_mut().text.take() else { return };
        // The parser leaves out the backslash of an escape.
        let escaped = self.text[..span.start].ends_with('\\');
        let start = span.start - usize::from(escaped);
        let end = header::of_line(self.text, span.end).end;
        self.paragraph(&(start..end));
        self.leaf = None;
    }

    /// All items, when the text has ended.
    pub(super) fn finished(mut self) -> Vec<Item> {
        self.end_text();
        self.end_sections(1, self.text.len());
        self.items
    }

    /// The rest of a line. Containers may begin a line by the thousand.
    fn line_from(&mut self, start: usize) -> Span {
        if !(self.line.start <= start && start < self.line.end) {
            self.line = header::of_line(self.text, start);
        }
        start..self.line.end
    }

    /// Takes a block into account that begins in the innermost container.
    fn begin(&mut self, start: usize, header: Option<Span>, container: Option<usize>) {
        self.end_text();
        let open = self.innermost_mut();
        open.blocks += 1;
        open.first.get_or_insert(First { start, header, container });
    }

    fn push(&mut self, kind: Kind, span: Span, header: Span) {
        let end = self.ends.of(span.clone(), self.quotes());
        let span = span.start..end;
        self.items.push(Item {
            kind,
            span,
            name: None,
            header: Some(header.into()),
            body: None,
            until: None,
        });
    }

    /// Ends the sections of the innermost container that are of a level or below.
    fn end_sections(&mut self, level: u8, end: usize) {
        while let Some((_, place)) = self.innermost_mut().sections.pop_if(|it| it.0 >= level) {
            let start = self.items[place].span.start;
            self.items[place].span.end = self.ends.of(start..end, self.quotes());
        }
    }

    /// How many quotes are around what is in the innermost container.
    fn quotes(&self) -> usize {
        self.innermost().quotes
    }

    fn innermost(&self) -> &Open {
        self.open.last().expect("the text itself stays open")
    }

    fn innermost_mut(&mut self) -> &mut Open {
        self.open.last_mut().expect("the text itself stays open")
    }
}
