//! A diff taken apart: what it says of its file, and its hunks.

use super::line::Header;
use super::names::{self, Names};
use super::walk::{Kind, Walk};
use crate::command::patch::header::Ranges;
use crate::dialect::signed::Signed;
use crate::dialect::{Source, margin};
use crate::text::{Span, lines};

/// The mode of a symbolic link.
pub const LINK: &str = "120000";
/// The mode of a submodule.
pub const SUBMODULE: &str = "160000";

/// A diff taken apart.
pub struct Draft<'a> {
    pub text: &'a str,
    pub eol: &'static str,
    pub lines: Vec<Span>,
    pub names: Names,
    pub is_new: bool,
    pub is_gone: bool,
    pub is_copy: bool,
    pub hunks: Vec<Hunk<'a>>,
    /// Lines before the headers that are not of a diff.
    pub texts: Vec<usize>,
    /// Lines of hunks that begin with no sign.
    pub bare: Vec<(usize, &'static str)>,
    /// Lines below an empty one that may be of a hunk which has all lines that it states.
    pub past: Vec<usize>,
    /// Lines after one that is said to be the last of the file.
    pub beyond: Vec<usize>,
    /// Lines of hunks that close the fence around the diff.
    pub close_early: Vec<usize>,
    /// The line with a mode that is not that of a plain file, and the mode.
    pub mode: Option<(usize, &'a str)>,
    /// The line that says that contents are not text.
    pub binary: Option<usize>,
    /// Whether more lines may be of the diff, or must be by the numbers of its last hunk.
    pub is_open: bool,
    pub is_short: bool,
    /// Whether it begins with its fence.
    pub has_fence: bool,
}

/// Lines that change together.
#[derive(Default)]
pub struct Hunk<'a> {
    /// The index of its first line.
    pub first: usize,
    /// What its header states.
    pub ranges: Option<Ranges>,
    pub lines: Signed<'a>,
    /// Whether the last old and the last new line have no ending, where it says so.
    pub cut: (bool, bool),
    /// The last line's sign.
    sign: char,
    /// The lines of blanks after the last line, which are context if another comes.
    blank: Vec<(usize, &'a str)>,
    /// Whether two lines in it may be the names of another file.
    pub may_hold_names: bool,
}

impl<'a> Draft<'a> {
    /// Takes a diff apart.
    pub fn new(source: &Source<'a>) -> Draft<'a> {
        let text = source.looked_at();
        let lines = lines::spans(text);
        let first = lines.first().cloned().unwrap_or(0..0);
        let mut walk = Walk::new(&text[first.clone()], source.fence, None);
        let mut draft = Draft {
            text,
            eol: lines::eol_after(text, first.end),
            lines,
            names: Names::default(),
            is_new: false,
            is_gone: false,
            is_copy: false,
            hunks: Vec::new(),
            texts: Vec::new(),
            bare: Vec::new(),
            past: Vec::new(),
            beyond: Vec::new(),
            close_early: Vec::new(),
            mode: None,
            binary: None,
            is_open: false,
            is_short: false,
            has_fence: false,
        };
        for index in 0..draft.lines.len() {
            let next = draft.lines.get(index + 1).map_or("", |span| &text[span.clone()]);
            let line = &text[draft.lines[index].clone()];
            let kind = walk.step(line, next);
            draft.take(index, kind);
            if kind == Kind::Closes {
                return draft;
            }
        }
        draft.is_open = walk.is_open();
        draft.is_short = walk.is_short();
        draft
    }

    fn take(&mut self, index: usize, kind: Kind<'a>) {
        match kind {
            Kind::Opens => self.has_fence = true,
            Kind::Header(header) => self.header(index, header),
            Kind::Hunk(ranges) => {
                let hunk = Hunk { first: index, ranges, ..Hunk::default() };
                self.hunks.push(hunk);
            }
            Kind::Content(line) => self.content(index, line),
            Kind::Past(line) => {
                self.past.push(index);
                self.content(index, line);
            }
            Kind::Blank(line) => {
                if let Some(hunk) = self.hunks.last_mut() {
                    hunk.blank.push((index, line));
                }
            }
            Kind::ClosesEarly(_) => self.close_early.push(index),
            Kind::NoNewline => {
                if let Some(hunk) = self.hunks.last_mut() {
                    hunk.cut.0 |= hunk.sign != '+';
                    hunk.cut.1 |= hunk.sign != '-';
                }
            }
            Kind::Text(_) => self.texts.push(index),
            Kind::Closes | Kind::Next | Kind::After => {}
        }
    }

    fn header(&mut self, index: usize, header: Header<'a>) {
        // What is before the headers of a diff is a comment to every tool.
        self.texts.clear();
        let line = self.lines[index].clone();
        let at = |name: &str| {
            line.end - self.text[line.clone()].len()
                + self.text[line.clone()].rfind(name).unwrap_or(0)
        };
        let plain = |name: &'a str| {
            let name = name.trim_end();
            let start = at(name);
            Some((name.to_owned(), start..start + name.len()))
        };
        let unquoted = |name: &'a str| {
            let (plain, span) = plain(name)?;
            let path = names::unquoted(&plain).unwrap_or(plain);
            Some((path, span))
        };
        match header {
            Header::Git(names) => self.names.git = plain(names),
            Header::Old(name) => self.names.old = names::file(name, at(name)),
            Header::New(name) => self.names.new = names::file(name, at(name)),
            Header::From(name) => {
                self.is_copy = self.text[line.clone()].trim_start().starts_with("copy");
                self.names.from = unquoted(name);
            }
            Header::To(name) => self.names.to = unquoted(name),
            Header::NewFile(mode) => {
                self.is_new = true;
                self.mode = Some((index, mode.trim())).filter(|(_, mode)| *mode != "100644");
            }
            Header::NewMode(mode) => self.mode = Some((index, mode.trim())),
            Header::DeletedFile(mode) => {
                self.is_gone = true;
                self.mode = other_kind(index, mode);
            }
            Header::Index(mode) => self.mode = self.mode.or(other_kind(index, mode)),
            Header::Binary => self.binary = Some(index),
            Header::OldMode | Header::Other => {}
        }
    }

    fn content(&mut self, index: usize, line: &'a str) {
        if self.hunks.is_empty() {
            self.hunks.push(Hunk { first: index, ..Hunk::default() });
        }
        let Some(hunk) = self.hunks.last_mut() else { return };
        for (index, line) in hunk.blank.drain(..).chain([(index, line)]) {
            if !hunk.lines.take(line) {
                self.bare.push((index, " "));
            }
        }
        if hunk.cut.0 && !line.starts_with('+') || hunk.cut.1 && !line.starts_with('-') {
            self.beyond.push(index);
        }
        hunk.may_hold_names |= hunk.sign == '-'
            && line.starts_with("+++ ")
            && self.text[self.lines[index - 1].clone()].contains("--- ");
        hunk.sign = line.chars().next().unwrap_or(' ');
    }

    /// A line without what quotes the block.
    pub fn line(&self, index: usize) -> &'a str {
        let line = &self.text[self.lines[index].clone()];
        let margin = margin::of(&self.text[self.lines[0].clone()]);
        let is_blank = line.trim().is_empty();
        line.strip_prefix(margin).unwrap_or(if is_blank { "" } else { line })
    }
}

/// A mode of which what a diff changes is not the text of a file.
fn other_kind(index: usize, mode: &str) -> Option<(usize, &str)> {
    Some((index, mode.trim())).filter(|(_, mode)| matches!(*mode, LINK | SUBMODULE))
}
