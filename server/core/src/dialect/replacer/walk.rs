//! What each line of a block is, for the reader that looks for its end and for the parse after it.

use super::marker::{self, Likeness, MARKS, Marked, Word};
use crate::dialect::Ahead;
use crate::text::fence::Fence;
use crate::text::{Span, lines};

/// A way through a block, line by line.
pub struct Walk {
    /// The last marker that counted, or the path after FILE.
    at: At,
    /// The last exact marker in the section under way.
    inside: Option<Word>,
    /// Whether a whole head of another block, or a whole SEARCH, is in it.
    swallows: bool,
}

/// Where the coming line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    After(Word),
    /// After the path of FILE.
    Named,
}

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A marker of the block, exact or (a problem then) nearly so.
    Marker(Marked),
    /// The marker that ends the block, exact or nearly so.
    End(Marked),
    /// The path of FILE.
    Path,
    /// A line of a section.
    Content,
    /// Text of an explanation, or where none belongs.
    Text,
    /// A blank line outside of any section, or a fence there.
    Nothing,
    /// Another block begins, or has begun in the section that this would have ended.
    Another,
    /// Nearly a marker and probably not meant for one: the block is given up.
    Doubtful,
}

impl Walk {
    /// A way that begins after a block's first line; `None` where that is not a marker.
    pub fn new(first: &str) -> Option<(Walk, Marked)> {
        let marked = marker::find(first)?;
        let at = after(&marked, first);
        Some((Walk { at, inside: None, swallows: false }, marked))
    }

    /// Whether the coming lines are content whatever they say.
    pub fn in_section(&self) -> bool {
        matches!(self.at, At::After(word) if word.opens_section())
    }

    /// What the next line is; `next` is the line after it, `None` for a line that is known to
    /// belong to the block.
    pub fn step(&mut self, line: &str, next: Option<&str>) -> Line {
        let found = match self.at {
            At::After(word) if word.opens_section() => self.content(word, line),
            at => head(at, line, next),
        };
        match &found {
            Line::Marker(marked) => {
                self.at = after(marked, line);
                self.inside = None;
            }
            Line::Path => self.at = At::Named,
            _ => {}
        }
        found
    }

    /// Where the first line from `from` on is that can end the section under way, at whose start
    /// it is; `from` outside of any section.
    pub fn skip(&mut self, from: usize, ahead: &Ahead<'_>) -> usize {
        let At::After(section) = self.at else { return from };
        if !section.opens_section() {
            return from;
        }
        let key = if section == Word::Search { "search" } else { "section" };
        let ends = |text: &str, line: Span| ends(section, &text[line.clone()]).map(|_| line.start);
        let each = MARKS.iter().map(|mark| {
            let key = format!("{key} {mark}");
            ahead.holding(from, &key, mark, ends).0
        });
        let until = each.min().unwrap_or(from);
        let (_, second) = ahead.holding(from, "head", MARK, head_of_another);
        self.swallows = second < until;
        until
    }

    fn content(&mut self, section: Word, line: &str) -> Line {
        let marked = marker::find(line);
        if let Some(ends) = ends(section, line) {
            return if self.swallows { Line::Another } else { ends };
        }
        if let Some(marked) = marked.filter(|marked| marked.likeness == Likeness::Exact) {
            self.swallows |= self.inside.is_some_and(|before| is_a_block(before, marked.word));
            self.inside = Some(marked.word);
        }
        Line::Content
    }
}

/// Two of the signs of every exact marker.
const MARK: &str = ">>";

/// The marker by which a line ends a section.
fn ends(section: Word, line: &str) -> Option<Line> {
    let is_next = |marked: &Marked| section == Word::Search && marked.word == Word::Replace;
    let next = marker::find(line).filter(is_next).map(Line::Marker);
    next.or_else(|| marker::end(line).map(Line::End))
}

/// Where the second marker of another block's head is, whose first one is this line.
fn head_of_another(text: &str, line: Span) -> Option<usize> {
    let exact = |line: &Span| {
        let marked = marker::find(&text[line.clone()])?;
        (marked.likeness == Likeness::Exact).then_some(marked.word)
    };
    let first = exact(&line).filter(|word| matches!(word, Word::File | Word::Search))?;
    let mut from = lines::after_ending(text, line.end);
    while let Some(at) = memchr::memmem::find(&text.as_bytes()[from..], MARK.as_bytes()) {
        let line = lines::around(text, from + at);
        if let Some(second) = exact(&line) {
            return is_a_block(first, second).then_some(line.start);
        }
        from = lines::after_ending(text, line.end);
    }
    None
}

/// Whether two markers that follow one another in a section belong to another block.
pub fn is_a_block(first: Word, second: Word) -> bool {
    matches!(
        (first, second),
        (Word::File, Word::Search | Word::Overwrite) | (Word::Search, Word::Replace)
    )
}

/// Where the line after a marker's is.
fn after(marked: &Marked, line: &str) -> At {
    match (marked.word, marked.likeness) {
        (Word::File, Likeness::Prefix) if !rest(marked, line).is_empty() => At::Named,
        (word, _) => At::After(word),
    }
}

/// What is after a marker on its line.
pub fn rest<'a>(marked: &Marked, line: &'a str) -> &'a str {
    line[marked.span.end..].trim()
}

fn head(at: At, line: &str, next: Option<&str>) -> Line {
    let Some(marked) = marker::find(line) else { return text(at, line) };
    // After the path it can only be meant for what must come.
    let due = at == At::Named && marked.word.opens_section();
    let believed = due || next.is_none_or(|next| is_believed(&marked, line, next));
    match (marked.word, marked.likeness) {
        (_, Likeness::Prefix) if !believed => text(at, line),
        (Word::End, Likeness::Prefix) => text(at, line),
        (Word::End, _) => Line::End(marked),
        _ if !believed => Line::Doubtful,
        (Word::Explanation, _) => Line::Another,
        (Word::File, _) if at != At::After(Word::Explanation) => Line::Another,
        _ => Line::Marker(marked),
    }
}

fn text(at: At, line: &str) -> Line {
    match at {
        _ if line.trim().is_empty() || Fence::of(line).is_some() => Line::Nothing,
        At::After(Word::File) => Line::Path,
        _ => Line::Text,
    }
}

/// Whether a line that is a marker, nearly one or begins with one is meant for it.
///
/// A list of the markers in prose has the next one on the next line.
pub fn is_believed(marked: &Marked, line: &str, next: &str) -> bool {
    let followed = marker::is_marker(next);
    match marked.likeness {
        Likeness::Exact => true,
        Likeness::Near => {
            let needs_text = marked.word.opens_section();
            !followed && (!needs_text || !next.trim().is_empty())
        }
        Likeness::Prefix | Likeness::Within | Likeness::Loose => {
            let one_word = !rest(marked, line).contains(char::is_whitespace);
            followed || marked.word == Word::File && one_word && next.trim().is_empty()
        }
    }
}
