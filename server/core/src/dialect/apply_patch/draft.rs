//! A patch taken apart: its files, their chunks, and what is wrong with their writing.

use super::line::{self, Action, Marker};
use super::reader;
use crate::dialect::signed::{self, Signed};
use crate::dialect::{Source, margin};
use crate::limits::PROBLEMS;
use crate::problem::{self, Problem};
use crate::text::{Span, lines};

/// A patch taken apart.
pub struct Draft<'a> {
    pub text: &'a str,
    pub eol: &'static str,
    pub lines: Vec<Span>,
    pub files: Vec<File<'a>>,
    /// Whether the end marker is there.
    pub has_end: bool,
    pub problems: Vec<Problem>,
    /// Lines that lack their sign, with the sign.
    bare: Vec<(usize, &'static str)>,
}

/// What is done with one file.
pub struct File<'a> {
    pub action: Action,
    /// The marker's line, up to the path.
    pub key: Span,
    /// The path.
    pub path: Span,
    /// Where it moves to: the marker and the path.
    pub move_to: Option<(Span, Span)>,
    pub chunks: Vec<Chunk<'a>>,
    /// The lines of a new file.
    pub added: Vec<&'a str>,
}

/// Lines that change together.
#[derive(Default)]
pub struct Chunk<'a> {
    /// Where it begins, by the index of its first line.
    pub first: usize,
    /// What comes after `@@`, the outermost first.
    pub anchors: Vec<&'a str>,
    /// The 1-based line that its header states.
    pub line: Option<usize>,
    pub at_end: bool,
    pub lines: Signed<'a>,
}

impl<'a> Draft<'a> {
    /// Takes a patch apart.
    pub fn new(source: &Source<'a>) -> Draft<'a> {
        let text = source.looked_at();
        let lines = lines::spans(text);
        let first = lines.first().cloned().unwrap_or(0..0);
        let mut draft = Draft {
            text,
            eol: lines::eol_after(text, first.end),
            lines,
            files: Vec::new(),
            has_end: false,
            problems: Vec::new(),
            bare: Vec::new(),
        };
        draft.nearly(0, Marker::Begin);
        for index in 1..draft.lines.len() {
            if draft.problems.len() >= PROBLEMS {
                draft.problems.push(problem::too_many(draft.lines[index].clone()));
                break;
            }
            draft.line(index);
        }
        let code = problem::APPLY_PATCH_MISSING_BLANK;
        draft.problems.extend(signed::missing(code, &draft.lines, &draft.bare));
        draft
    }

    fn line(&mut self, index: usize) {
        let span = self.lines[index].clone();
        let text = &self.text[span.clone()];
        if reader::is_nearly_end(text) {
            self.has_end = true;
            return self.nearly(index, Marker::End);
        }
        match line::marker(text) {
            Some(Marker::Begin | Marker::Environment) => {}
            Some(Marker::End) => self.has_end = true,
            Some(Marker::File(action, path)) => self.file(action, &span, path),
            Some(Marker::MoveTo(path)) => self.moved(&span, path),
            Some(Marker::EndOfFile) => match self.chunk() {
                Some(chunk) => chunk.at_end = true,
                None => self.unknown(span),
            },
            Some(Marker::Unknown) => self.unknown(span),
            Some(Marker::Chunk(anchor)) => self.anchor(index, &span, anchor),
            None => self.content(index, text),
        }
    }

    /// Says that a line is nearly this marker, if it is.
    fn nearly(&mut self, index: usize, marker: Marker<'_>) {
        let Some(span) = self.lines.get(index).cloned() else { return };
        let text = &self.text[span.clone()];
        if line::near(text) == Some(marker) && margin::of(text).is_empty() {
            self.problems.push(line::not_exact(marker, text).shifted(span.start));
        }
    }

    fn file(&mut self, action: Action, line: &Span, path: &str) {
        let start = line.start + self.text[line.clone()].rfind(path).unwrap_or(0);
        let path = start..start + path.len();
        if path.is_empty() {
            let says = "the path is missing after the colon";
            let place = line.clone();
            self.problems.push(Problem::new(problem::APPLY_PATCH_UNKNOWN_HEADER, place, says));
        }
        let key = line.start..path.start;
        let (chunks, added) = (Vec::new(), Vec::new());
        self.files.push(File { action, key, path, move_to: None, chunks, added });
    }

    fn moved(&mut self, line: &Span, path: &str) {
        let start = line.start + self.text[line.clone()].rfind(path).unwrap_or(0);
        let place = (line.start..start, start..start + path.len());
        match self.files.last_mut() {
            Some(file)
                if file.action == Action::Update && file.chunks.is_empty() && !path.is_empty() =>
            {
                file.move_to = Some(place);
            }
            _ => self.unknown(line.clone()),
        }
    }

    fn unknown(&mut self, line: Span) {
        let says = "this line is neither a marker of a patch nor content";
        self.problems.push(Problem::new(problem::APPLY_PATCH_UNKNOWN_HEADER, line, says));
    }

    fn anchor(&mut self, index: usize, span: &Span, anchor: &'a str) {
        let Some(file) = self.files.last_mut().filter(|file| file.action == Action::Update) else {
            return self.unknown(span.clone());
        };
        let is_open = file.chunks.last().is_some_and(|it| it.lines.is_empty());
        if !is_open {
            file.chunks.push(Chunk { first: index, ..Chunk::default() });
        }
        let Some(chunk) = file.chunks.last_mut() else { return };
        match line::numbered(anchor) {
            Some(line) => chunk.line = Some(line),
            None if anchor.is_empty() => {}
            None => chunk.anchors.push(anchor),
        }
    }

    /// The chunk of the file that is updated.
    fn chunk(&mut self) -> Option<&mut Chunk<'a>> {
        let file = self.files.last_mut().filter(|file| file.action == Action::Update)?;
        file.chunks.last_mut()
    }

    fn content(&mut self, index: usize, text: &'a str) {
        let Some(action) = self.files.last().map(|file| file.action) else {
            if !text.trim().is_empty() {
                self.unknown(self.lines[index].clone());
            }
            return;
        };
        match action {
            Action::Update => self.updated(index, text),
            Action::Add => match text.strip_prefix('+') {
                Some(added) => {
                    self.files.last_mut().into_iter().for_each(|it| it.added.push(added))
                }
                None if text.trim().is_empty() => {}
                None => self.bare.push((index, "+")),
            },
            Action::Delete if text.trim().is_empty() => {}
            Action::Delete => self.unknown(self.lines[index].clone()),
        }
    }

    fn updated(&mut self, index: usize, text: &'a str) {
        if text.is_empty() && self.chunk().is_none() {
            return;
        }
        let Some(file) = self.files.last_mut() else { return };
        if file.chunks.is_empty() {
            file.chunks.push(Chunk { first: index, ..Chunk::default() });
        }
        let Some(chunk) = file.chunks.last_mut() else { return };
        if !chunk.lines.take(text) {
            self.bare.push((index, " "));
        }
    }
}
