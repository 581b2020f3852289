//! Goes through the lines of a diff of one file and says what each is; reader and draft share it.

use super::line::{self, Header};
use crate::command::patch::header::Ranges;
use crate::dialect::margin;
use crate::dialect::typed::{self, Heredoc};
use crate::text::fence::{Fence, OpenFence};

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'a> {
    /// The opening line of the fence that the block begins with.
    Opens,
    /// The closing line of that fence.
    Closes,
    /// A line before the hunks.
    Header(Header<'a>),
    /// The header of a hunk, with the numbers that it states.
    Hunk(Option<Ranges>),
    /// A line of a hunk.
    Content(&'a str),
    /// A line that may be of a hunk, which has all lines that it states: below an empty one, and in
    /// no fence.
    Past(&'a str),
    /// `\ No newline at end of file`
    NoNewline,
    /// A line of a hunk that closes the fence around the diff.
    ClosesEarly(&'a str),
    /// A line after a hunk that says nothing: one of blanks, which is context where the hunk goes on,
    /// or the signature of a mail.
    Blank(&'a str),
    /// A line of the fence that is not of a diff.
    Text(&'a str),
    /// The first line of the next file's diff.
    Next,
    /// A line after the diff.
    After,
}

/// The state between two lines.
pub struct Walk {
    /// What is before each line of a quoted or indented block.
    margin: String,
    /// The fence around the diff.
    fence: Option<OpenFence>,
    /// Whether the block begins with that fence.
    begins_with_fence: bool,
    /// The line that ends the heredoc around the diff, where that is known.
    delimiter: Option<String>,
    in_hunk: bool,
    /// How many old and new lines of the hunk are still to come; `None` where it does not say.
    left: Option<(usize, usize)>,
    /// Whether no line was taken yet.
    is_first: bool,
    /// Whether there was a header.
    has_header: bool,
    /// Whether the line `--- ` was there, and whether it was the last one.
    is_named: bool,
    awaits_new: bool,
    /// Whether the signature of a mail has begun.
    is_signature: bool,
    /// Whether the last line may be empty context, or below the diff.
    is_blank: bool,
    /// Whether the last line is empty but for blanks.
    is_empty: bool,
}

impl Walk {
    /// A walk from the first line on, which is in this fence and below the line that begins this heredoc;
    /// it is still to be taken.
    pub fn new(first: &str, around: Option<OpenFence>, heredoc: Option<Heredoc>) -> Walk {
        let margin = margin::of(first).to_owned();
        let bare = &first[margin.len()..];
        let begins_with_fence = line::fence(bare).is_some();
        let fence = if begins_with_fence { OpenFence::after(None, bare) } else { around };
        Walk {
            margin,
            fence,
            begins_with_fence,
            delimiter: heredoc.map(|heredoc| heredoc.delimiter),
            in_hunk: false,
            left: None,
            is_first: true,
            has_header: false,
            is_named: false,
            awaits_new: false,
            is_signature: false,
            is_blank: false,
            is_empty: false,
        }
    }

    /// Whether the lines of a hunk are still to come, by the numbers that it states.
    pub fn is_short(&self) -> bool {
        self.left.is_some_and(|left| left != (0, 0))
    }

    /// Whether the diff ends with the last line of its hunk, if no other line is of it.
    pub fn has_ended(&self) -> bool {
        self.is_blank && self.fence.is_none()
    }

    /// Whether more lines may be of the diff.
    pub fn is_open(&self) -> bool {
        self.fence.is_some() || self.in_hunk && self.left != Some((0, 0))
    }

    /// What the next line is; `next` is the line after it. The first line is the first one taken.
    pub fn step<'a>(&mut self, line: &'a str, next: &str) -> Kind<'a> {
        let line = self.inner(line);
        let next = self.inner(next);
        if std::mem::take(&mut self.is_first) && self.begins_with_fence {
            return Kind::Opens;
        }
        if let Some(fence) = self.fence
            && Fence::of(line).is_some_and(|line| fence.is_closed_by(&line))
        {
            if !self.goes_on(line, next) {
                return if self.begins_with_fence { Kind::Closes } else { Kind::After };
            }
            self.count(true, true);
            return Kind::ClosesEarly(line);
        }
        if self.ends_heredoc(line, next) {
            return Kind::After;
        }
        if self.in_hunk { self.hunk(line, next) } else { self.header(line, next) }
    }

    /// Whether a line ends the heredoc around the diff. Where its first line is not right above the
    /// diff, as where it has several files, this is the last line of a fence.
    fn ends_heredoc(&self, line: &str, next: &str) -> bool {
        if let Some(delimiter) = &self.delimiter {
            return line.trim_end() == delimiter;
        }
        let is_closed =
            |fence: OpenFence| Fence::of(next).is_some_and(|it| fence.is_closed_by(&it));
        self.left == Some((0, 0))
            && typed::DELIMITERS.contains(&line.trim_end())
            && !self.begins_with_fence
            && self.fence.is_some_and(is_closed)
    }

    fn inner<'a>(&self, line: &'a str) -> &'a str {
        // Most blocks have none. The address of an empty string is in no page, and a processor takes
        // hundreds of cycles to load nothing from there.
        if self.margin.is_empty() {
            return line;
        }
        let inner = line.strip_prefix(self.margin.as_str());
        inner.unwrap_or_else(|| if line.trim().is_empty() { "" } else { line })
    }

    /// Whether the diff goes on after a line that closes its fence.
    fn goes_on(&self, line: &str, next: &str) -> bool {
        let is_content = match self.left {
            Some(left) => left != (0, 0),
            None => line.starts_with(' '),
        };
        self.in_hunk && is_content && line::is_signed(next)
    }

    fn header<'a>(&mut self, line: &'a str, next: &str) -> Kind<'a> {
        if std::mem::take(&mut self.awaits_new) {
            return Kind::Header(Header::New(line.strip_prefix("+++ ").unwrap_or_default()));
        }
        if let Some(ranges) = line::hunk(line) {
            return self.begin(ranges);
        }
        if line::names_files(line, next) {
            if self.is_named {
                return Kind::Next;
            }
            (self.is_named, self.awaits_new, self.has_header) = (true, true, true);
            return Kind::Header(Header::Old(line.strip_prefix("--- ").unwrap_or_default()));
        }
        if let Some(header) = line::header(line) {
            let is_next = line::begins_file(line) && self.has_header;
            self.has_header = true;
            return if is_next { Kind::Next } else { Kind::Header(header) };
        }
        match (line.trim().is_empty(), self.fence.is_some()) {
            // Many fences that nothing closes must not be read to the end each.
            _ if line::fence(line).is_some() => Kind::Next,
            (true, true) => Kind::Blank(""),
            (true, false) if line::hunk(next).is_some() || line::header(next).is_some() => {
                Kind::Blank("")
            }
            (false, true) if line::is_signed(line) => {
                self.in_hunk = true;
                self.content(line)
            }
            (false, true) => Kind::Text(line),
            (_, false) => Kind::After,
        }
    }

    fn begin<'a>(&mut self, ranges: Option<Ranges>) -> Kind<'a> {
        self.in_hunk = true;
        (self.is_blank, self.is_empty) = (false, false);
        self.left = ranges.map(|ranges| (ranges.old_lines, ranges.new_lines));
        Kind::Hunk(ranges)
    }

    fn hunk<'a>(&mut self, line: &'a str, next: &str) -> Kind<'a> {
        if let Some(ranges) = line::hunk(line) {
            return self.begin(ranges);
        }
        let both_left = self.left.is_some_and(|(old, new)| old > 0 && new > 0);
        let is_file = line::names_files(line, next) && !both_left;
        let is_commit = self.left == Some((0, 0)) && line::begins_commit(line);
        if is_file || is_commit || line::begins_file(line) {
            return Kind::Next;
        }
        self.is_signature |= self.left == Some((0, 0)) && line.trim_end() == "--";
        if self.is_signature && self.fence.is_some() {
            return Kind::Blank("");
        }
        let is_below = !std::mem::replace(&mut self.is_empty, line.trim().is_empty());
        let is_past =
            std::mem::take(&mut self.is_blank) && self.fence.is_none() && self.left.is_some();
        match line.chars().next() {
            _ if line.trim().is_empty() => self.blank(line),
            Some('-') if self.is_signature => Kind::After,
            Some('\\') => Kind::NoNewline,
            Some(' ' | '+' | '-') if is_past && is_item(line, next) => Kind::After,
            Some(' ' | '+' | '-') if is_past => Kind::Past(line),
            Some(' ' | '+' | '-') => self.content(line),
            Some(_) if self.fence.is_some() || is_below && self.breaks(line, next) => {
                self.content(line)
            }
            _ => Kind::After,
        }
    }

    /// Whether a line without a sign that is right below one of a hunk, and in no fence, breaks the
    /// diff: the hunk has fewer lines than it states, or lines of it or of its diff may follow.
    fn breaks(&self, line: &str, next: &str) -> bool {
        let is_last = next.trim().is_empty();
        let goes_on = next.starts_with(['+', '-']) && !is_item(next, "");
        let is_header = line.starts_with('@') || line::header(line).is_some();
        match self.left {
            _ if is_header || goes_on => true,
            // What text is put into often ends so.
            _ if is_last && line.starts_with("</") => false,
            Some(left) => left != (0, 0),
            None => !is_last && !is_item(next, ""),
        }
    }

    /// What a line of blanks in a hunk is: a line of context or, if no line of the hunk comes after
    /// it, layout.
    fn blank<'a>(&mut self, line: &'a str) -> Kind<'a> {
        self.is_blank = match self.left {
            Some(left) => left == (0, 0),
            None => self.fence.is_none(),
        };
        if self.is_blank { Kind::Blank(line) } else { self.content(line) }
    }

    fn content<'a>(&mut self, line: &'a str) -> Kind<'a> {
        self.count(!line.starts_with('+'), !line.starts_with('-'));
        Kind::Content(line)
    }

    fn count(&mut self, is_old: bool, is_new: bool) {
        if let Some((old, new)) = &mut self.left {
            *old = old.saturating_sub(usize::from(is_old));
            *new = new.saturating_sub(usize::from(is_new));
        }
    }
}

/// Whether a line is an item of a list in prose; one that is taken out mostly has another in its
/// place.
fn is_item(line: &str, next: &str) -> bool {
    let is_text = line.get(2..).is_some_and(|text| !text.starts_with([' ', '\t']));
    is_text && (line.starts_with("- ") && !next.starts_with('+') || line.starts_with("+ "))
}
