//! The lines of a file, indexed by their text: built once, shared by all hunks of the file.

use std::cell::OnceCell;
use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use super::like;
use crate::text::lines::{self, Ending};
use crate::text::{Span, work};

/// The lines of a text without their endings, and where equal lines are.
///
/// Lines are counted from 0, ranges of them are half open. Nothing after the final ending is not a
/// line; a last line without an ending is one.
pub struct Lines<'t> {
    pub(super) text: &'t str,
    spans: Vec<Span>,
    /// Which of the different texts each line has, as an index of `texts`.
    pub(super) ids: Vec<usize>,
    /// The next line with the same text.
    next: Vec<Option<usize>>,
    texts: Vec<Occurrences>,
    known: HashMap<&'t str, usize>,
    loose: OnceCell<Vec<u64>>,
}

/// Where one text is among the lines.
struct Occurrences {
    first: usize,
    count: usize,
}

impl<'t> Lines<'t> {
    /// The lines of a file's text: `\n`, `\r\n` and `\r` end one.
    pub fn new(text: &'t str) -> Lines<'t> {
        let mut spans = lines::spans(text);
        if spans.last().is_some_and(Span::is_empty) {
            spans.pop();
        }
        Lines::of(text, spans)
    }

    /// The lines as targets of commands count them: a lone `\r` is text.
    pub(crate) fn of_target(text: &'t str) -> Lines<'t> {
        let mut next = 0;
        let span = |line: &str| {
            let start = next;
            next += line.len();
            start..start + lines::without_ending(line).len()
        };
        Lines::of(text, lines::with_endings(text).map(span).collect())
    }

    fn of(text: &'t str, spans: Vec<Span>) -> Lines<'t> {
        work::add(text.len() + spans.len());
        let mut index = Lines {
            text,
            ids: vec![0; spans.len()],
            next: vec![None; spans.len()],
            texts: Vec::new(),
            known: HashMap::with_capacity(spans.len()),
            loose: OnceCell::new(),
            spans,
        };
        // From the last line on, so each list of equal lines ascends.
        for line in (0..index.len()).rev() {
            let fresh = index.texts.len();
            let id = *index.known.entry(&text[index.spans[line].clone()]).or_insert(fresh);
            index.ids[line] = id;
            match index.texts.get_mut(id) {
                Some(occurrences) => {
                    index.next[line] = Some(occurrences.first);
                    *occurrences = Occurrences { first: line, count: occurrences.count + 1 };
                }
                None => index.texts.push(Occurrences { first: line, count: 1 }),
            }
        }
        index
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The text of a line without its ending; `None` beyond the last line.
    pub fn get(&self, line: usize) -> Option<&'t str> {
        self.spans.get(line).map(|span| &self.text[span.clone()])
    }

    /// The bytes of whole lines with their endings.
    pub fn span(&self, range: Range<usize>) -> Span {
        self.start(range.start)..self.start(range.end).max(self.start(range.start))
    }

    /// Where a line begins; the text's length beyond the last line.
    pub(super) fn start(&self, line: usize) -> usize {
        self.spans.get(line).map_or(self.text.len(), |span| span.start)
    }

    /// Where a line's text ends.
    pub(super) fn text_end(&self, line: usize) -> usize {
        self.spans.get(line).map_or(self.text.len(), |span| span.end)
    }

    /// The line that an offset is in.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.spans.partition_point(|span| span.start <= offset).saturating_sub(1)
    }

    /// The ending of a line; empty where it has none or is not there.
    pub(super) fn ending(&self, line: usize) -> &'t str {
        &self.text[self.text_end(line)..self.start(line + 1)]
    }

    /// The ending that most lines have.
    pub(super) fn dominant(&self) -> &'static str {
        Ending::dominant(self.text).as_str()
    }

    /// The part of a range that is in the file.
    pub(super) fn clamped(&self, range: Option<Range<usize>>) -> Range<usize> {
        let range = range.unwrap_or(0..self.len());
        let end = range.end.min(self.len());
        range.start.min(end)..end
    }

    /// The ids of lines; `None` where one of them is not in the file.
    pub(super) fn ids_of(&self, wanted: &[&str]) -> Option<Vec<usize>> {
        let id = |line: &&str| {
            work::add(line.len() + 1);
            self.known.get(line).copied()
        };
        wanted.iter().map(id).collect()
    }

    /// How many lines have a text.
    pub(super) fn count(&self, id: usize) -> usize {
        self.texts[id].count
    }

    /// The lines that have a text, ascending.
    pub(super) fn occurrences(&self, id: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(self.texts[id].first), |line| self.next[*line])
            .inspect(|_| work::add(1))
    }

    /// What each of the different texts is but for its looks, by id.
    pub(super) fn loose(&self) -> &[u64] {
        self.loose.get_or_init(|| {
            let key = |occurrences: &Occurrences| {
                let line = self.get(occurrences.first).unwrap_or_default();
                work::add(like::clip(line).len() + 1);
                like::key(line)
            };
            self.texts.iter().map(key).collect()
        })
    }
}
