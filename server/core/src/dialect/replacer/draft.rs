//! A block's text taken apart: its markers, its path and its sections where they are.

use super::marker::{self, Likeness, Marked, Word};
use super::reader::not_alone;
use super::walk::{self, Line, Walk};
use crate::dialect::Source;
use crate::limits::PROBLEMS;
use crate::problem::{self, Problem, Replacement};
use crate::text::work;
use crate::text::{Span, lines};

/// A block's text taken apart, before anything is said about what is missing in it.
pub struct Draft<'a> {
    pub source: &'a Source<'a>,
    /// The ending of its first line, for what fixes insert.
    pub eol: &'static str,
    /// The marker that the block begins with.
    pub first: Span,
    pub explanation: Option<Part>,
    pub file: Option<Part>,
    /// SEARCH, REPLACE and OVERWRITE, in the order of the text.
    pub sections: Vec<(Word, Part)>,
    /// The marker that ends it.
    pub end: Option<Span>,
    pub problems: Vec<Problem>,
}

/// What a marker begins.
#[derive(Debug, Clone)]
pub struct Part {
    /// The line up to the end of the marker.
    pub key: Span,
    /// The marker's characters.
    pub marker: Span,
    /// The path, or what is between the marker and the next one without the blank lines around;
    /// empty after the marker where there is none.
    pub value: Span,
}

impl<'a> Draft<'a> {
    /// Takes a block apart.
    pub fn new(source: &'a Source<'a>) -> Draft<'a> {
        let text = source.looked_at();
        let all = lines::spans(text);
        let head = all.first().cloned().unwrap_or(0..0);
        let mut draft = Draft {
            source,
            eol: lines::eol_after(text, head.end),
            first: head.clone(),
            explanation: None,
            file: None,
            sections: Vec::new(),
            end: None,
            problems: Vec::new(),
        };
        let Some((mut walk, marked)) = Walk::new(&text[head.clone()]) else { return draft };
        draft.first = marked.span.clone();
        draft.marker(&marked, &head);
        for (index, span) in all.iter().enumerate().skip(1) {
            if draft.problems.len() >= PROBLEMS {
                draft.problems.push(problem::too_many(span.clone()));
                break;
            }
            let next = all.get(index + 1).map(|next| &text[next.clone()]);
            match walk.step(&text[span.clone()], next) {
                Line::Marker(marked) => draft.marker(&marked, span),
                Line::End(marked) => {
                    draft.note(&marked, span);
                    draft.end = Some(at(span, &marked.span));
                }
                Line::Path => draft.path(span),
                Line::Content => draft.content(span),
                Line::Text => draft.text(span),
                Line::Nothing | Line::Another | Line::Doubtful => {}
            }
        }
        draft
    }

    /// The part of a section.
    pub fn section(&self, word: Word) -> Option<&Part> {
        self.sections.iter().find(|(known, _)| *known == word).map(|(_, part)| part)
    }

    /// What a part says, its lines joined by `\n`, and `end` where it says anything.
    pub fn says(&self, part: &Part, end: &str) -> String {
        let value = &self.source.text[part.value.clone()];
        let mut says = String::with_capacity(value.len() + end.len());
        for (place, line) in value.split("\r\n").enumerate() {
            says.push_str(if place == 0 { "" } else { "\n" });
            says.push_str(line);
        }
        says.push_str(if says.is_empty() { "" } else { end });
        says
    }

    fn note(&mut self, marked: &Marked, span: &Span) {
        if marked.likeness != Likeness::Exact {
            let line = &self.source.text[span.clone()];
            self.problems.push(not_alone(marked, line, self.eol).shifted(span.start));
        }
    }

    fn marker(&mut self, marked: &Marked, span: &Span) {
        self.note(marked, span);
        let text = self.source.text;
        let marker = at(span, &marked.span);
        let mut part = Part { key: span.start..marker.end, value: marker.end..marker.end, marker };
        match marked.word {
            Word::File => {
                let rest = walk::rest(marked, &text[span.clone()]);
                if marked.likeness == Likeness::Prefix && !rest.is_empty() {
                    let start = span.end - text[part.key.end..span.end].trim_start().len();
                    part.value = start..start + rest.len();
                }
                self.file = Some(part);
            }
            Word::Explanation => self.explanation = Some(part),
            word => self.sections.push((word, part)),
        }
    }

    fn path(&mut self, span: &Span) {
        let Some(file) = &mut self.file else { return };
        let line = &self.source.text[span.clone()];
        let start = span.end - line.trim_start().len();
        file.value = start..start + line.trim().len();
    }

    fn content(&mut self, span: &Span) {
        if let Some((_, part)) = self.sections.last_mut() {
            extend(&self.source.text[span.clone()], span, part);
        }
    }

    fn text(&mut self, span: &Span) {
        let line = &self.source.text[span.clone()];
        match (&self.file, &mut self.explanation) {
            (None, Some(part)) => extend(line, span, part),
            _ => {
                let start = span.end - line.trim_start().len();
                let says = "only blank lines are allowed between the path and the section after it";
                let place = start..start + line.trim().len();
                let problem = Problem::new(problem::REPLACER_UNEXPECTED_TEXT, place, says);
                let whole = span.start..lines::after_ending(self.source.text, span.end);
                let remove = Replacement::remove(whole);
                self.problems.push(problem.choice("Remove the line", vec![remove]));
            }
        }
    }
}

/// Makes a part longer by a line; blank ones count only between others.
fn extend(line: &str, span: &Span, part: &mut Part) {
    if line.trim().is_empty() {
        return;
    }
    if part.value.is_empty() {
        part.value.start = span.start;
    }
    part.value.end = span.end;
}

fn at(line: &Span, inner: &Span) -> Span {
    line.start + inner.start..line.start + inner.end
}

/// Where the lines of another block begin that is whole in a section's text, from its start on:
/// the section's own end marker is missing then.
pub fn another_block(content: &str) -> Option<usize> {
    let mut markers: Vec<(Word, usize)> = Vec::new();
    for span in lines::each(content) {
        work::add(span.len() + 1);
        let Some(marked) = marker::find(&content[span.clone()]) else { continue };
        if marked.likeness != Likeness::Exact {
            continue;
        }
        let before = markers.last().map(|(word, _)| *word);
        if before.is_some_and(|before| walk::is_a_block(before, marked.word)) {
            return Some(with_what_belongs_before(&markers));
        }
        markers.push((marked.word, span.start));
    }
    None
}

/// Where the first of the markers is that belong to the block of the last one.
fn with_what_belongs_before(markers: &[(Word, usize)]) -> usize {
    let mut first = markers.len().saturating_sub(1);
    while let Some(before) = first.checked_sub(1)
        && matches!(
            (markers[before].0, markers[first].0),
            (Word::Explanation, Word::File) | (Word::File, Word::Search)
        )
    {
        first = before;
    }
    markers.get(first).map_or(0, |(_, start)| *start)
}

/// Where the first line begins that is a marker, exact or nearly so.
pub fn next_marker(content: &str) -> Option<usize> {
    let mut lines = lines::each(content).inspect(|span| work::add(span.len() + 1));
    lines.find(|span| marker::find(&content[span.clone()]).is_some()).map(|span| span.start)
}
