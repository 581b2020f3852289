//! Follows a fence line by line.

use super::{fence, language, shell};
use crate::command::patch::header;
use crate::dialect::{
    Ahead, BlockEnd, Candidate, LineKind, Opening, Reader, begins_block, between, margin, off,
    path_line, turns,
};
use crate::text::fence::Fence;

/// What a line outside any block is.
pub fn opens(candidate: &Candidate<'_>) -> Opening {
    let is_open = candidate.fence.is_some();
    match !is_open && fence::named(candidate.line, candidate.next, candidate.above).is_some() {
        true => Opening::Maybe,
        false => Opening::Nothing,
    }
}

/// Follows a fence from its first line on.
pub struct FenceReader {
    walk: Walk,
    content: Content,
    /// The file.
    path: String,
    /// Whether it is around another block, and not around a file.
    is_around_block: bool,
}

impl FenceReader {
    /// A reader that has seen the block's first line.
    pub fn new(first: &Candidate<'_>) -> FenceReader {
        let named = fence::named(first.line, first.next, first.above);
        let is_prose = named.as_ref().is_some_and(|named| fence::is_prose(&named.path));
        let path = named.map(|named| named.path).unwrap_or_default();
        let (walk, content) = (Walk::new(first.line, is_prose), Content::new(&path));
        FenceReader { walk, content, path, is_around_block: false }
    }
}

impl Reader for FenceReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        match self.walk.step(line, next) {
            Part::Text | Part::Inner => {}
            Part::End => return LineKind::Fits,
            Part::Below if !begins_block(line, next) => return LineKind::Other,
            Part::Below | Part::After => return LineKind::Breaks(BlockEnd::Closed),
        }
        if self.content.is_a_file() {
            return LineKind::Other;
        }
        // The fence is around that block, whatever comes below.
        let writes_it = || shell::of_line(line).is_some_and(|it| it.path == self.path);
        self.is_around_block =
            !self.content.has_text && writes_it() || self.content.step(line, next) == Begins::Block;
        if self.is_around_block { LineKind::Ends } else { LineKind::Other }
    }

    /// Whatever a file holds is text.
    fn raw(&self) -> bool {
        true
    }

    /// Where a fence is, or a comment that turns the search off.
    fn skip(&mut self, from: usize, _: bool, ahead: &Ahead<'_>) -> usize {
        let Some(fence) = self.walk.outer.filter(|_| self.content.is_a_file()) else { return from };
        if self.walk.below.is_some() {
            return from;
        }
        let fence = if fence.sign == '`' { "```" } else { "~~~" };
        let (fence, _) = ahead.holding(from, fence, fence, |_, _| Some(0));
        let (off, _) = ahead.holding(from, off::NEEDLE, off::NEEDLE, |_, _| Some(0));
        fence.min(off)
    }

    fn ended(&self) -> Option<BlockEnd> {
        self.walk.below.as_ref().map(|below| below.end)
    }

    fn is_block(&self) -> bool {
        !self.is_around_block
    }
}

/// What begins with a line in a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins {
    /// No block.
    Nothing,
    /// A block of another dialect, which the fence is around.
    Block,
    /// What may be such a block, or an example in the file: text of the file is above it.
    BlockInText,
}

/// Tells the block that a fence is around from one that is in the text of a file.
pub struct Content {
    /// Whether a diff may begin with the next line, and the file is not a diff itself.
    may_begin_diff: bool,
    /// Whether there is text that does not belong to a block.
    has_text: bool,
}

impl Content {
    /// For the fence with the file at a path.
    pub fn new(path: &str) -> Content {
        Content { may_begin_diff: !header::is_in(path), has_text: false }
    }

    /// Whether there is text of a file, whatever block begins below it.
    pub fn is_a_file(&self) -> bool {
        self.has_text && !self.may_begin_diff
    }

    /// What begins with the next line.
    pub fn step(&mut self, line: &str, next: &str) -> Begins {
        let begins = match begins_block(line, next) {
            true if self.has_text => Begins::BlockInText,
            true => Begins::Block,
            false if self.may_begin_diff && begins_diff(line, next) => Begins::Block,
            false => Begins::Nothing,
        };
        self.may_begin_diff = self.may_begin_diff && is_before_diff(line);
        self.has_text = self.has_text || is_text(line);
        begins
    }
}

/// Whether a line may be a file's own: it is not blank, and not a path, a tag or a fence as above a
/// block.
fn is_text(line: &str) -> bool {
    let line = line[margin::of(line).len()..].trim();
    let is_tag = line.starts_with('<') && line.ends_with('>');
    let is_fence = Fence::of(line).is_some();
    !(line.is_empty() || is_tag || is_fence || path_line::path_of_line(line).is_some())
        && fence::path_of_comment(line).is_none()
}

/// Whether a diff begins with a line, which the dialect of diffs then finds.
fn begins_diff(line: &str, next: &str) -> bool {
    line.starts_with("diff --git ") || header::names_files(line, next)
}

/// Whether a line says nothing that is not of the diff below it.
fn is_before_diff(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || ["Index: ", "====="].iter().any(|start| line.starts_with(start))
        || fence::path_of_comment(line).is_some()
}

/// What a line of a fence, or below it, is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A line of the file.
    Text,
    /// A line of the file that opens or closes a fence in it, and might close the outer one.
    Inner,
    /// The line that closes the fence.
    End,
    /// A line below it, after which another may still say that the file goes on.
    Below,
    /// A line below it that says whether the file goes on.
    After,
}

/// Tells the end of a fence from the fences that a file in it has itself.
pub struct Walk {
    /// What is before the fence's first line, and may be before the others.
    margin: String,
    outer: Option<Fence<'static>>,
    /// Whether a fence of the file is open that the outer one is not longer than.
    is_inside: bool,
    /// Whether the file may have fences that no language is named for.
    is_prose: bool,
    /// The language that the fence is marked with.
    language: String,
    /// What is below the line that closes the fence.
    below: Option<Below>,
}

impl Walk {
    /// For the fence that this line opens.
    pub fn new(first: &str, is_prose: bool) -> Walk {
        let margin = margin::of(first);
        let outer = Fence::of(&first[margin.len()..]);
        let language = outer.map_or("", |fence| language::word(fence.info)).to_lowercase();
        let outer = outer.map(|fence| Fence { sign: fence.sign, length: fence.length, info: "" });
        let margin = margin.trim_start_matches('\u{feff}').to_owned();
        Walk { margin, outer, is_inside: false, is_prose, language, below: None }
    }

    /// Whether a fence of the file is open.
    pub fn is_inside(&self) -> bool {
        self.is_inside
    }

    /// What the next line is.
    pub fn step(&mut self, line: &str, next: &str) -> Part {
        if self.below.is_none() && memchr::memchr2(b'`', b'~', line.as_bytes()).is_none() {
            return Part::Text;
        }
        let line = self.inner(line);
        // One that is shorter, or of other signs, closes nothing.
        let closes =
            |outer: &Fence<'_>, fence: &Fence<'_>| Fence { info: "", ..*fence }.closes(outer);
        let fence = self.outer.zip(Fence::of(line)).filter(|(outer, it)| closes(outer, it));
        if let Some(below) = &mut self.below {
            if let Some((_, fence)) = fence.filter(|_| !below.has_fence && below.is_near()) {
                let next = next.strip_prefix(self.margin.as_str()).unwrap_or(next);
                below.is_followed = is_unnamed(fence.info, &self.language, next);
            }
            return below.step(line, fence);
        }
        let Some((_, fence)) = fence else { return Part::Text };
        let goes_on = !self.inner(next).trim().is_empty();
        let opens = match fence.info.is_empty() {
            true => self.is_prose && !self.is_inside && goes_on,
            false => !self.is_inside,
        };
        match (opens, self.is_inside, fence.info.is_empty()) {
            (true, ..) => self.is_inside = true,
            (false, true, true) => self.is_inside = false,
            (false, true, false) => {}
            (false, false, _) => {
                self.below = Some(Below::new(goes_on));
                return Part::End;
            }
        }
        Part::Inner
    }

    /// A line without what quotes or indents the block: a fence is closed by a line that is
    /// indented by three blanks more at most.
    fn inner<'a>(&self, line: &'a str) -> &'a str {
        let inner = line.strip_prefix(self.margin.as_str());
        inner.unwrap_or_else(|| &line[margin::of(line).len()..])
    }
}

/// What is below the line that closes a fence: another fence may show that it closed nothing, and
/// is a line of the file.
struct Below {
    /// How the block ends by what was seen.
    end: BlockEnd,
    /// Whether the next line is not blank.
    goes_on: bool,
    /// How many lines there are that are not blank, and whether the last one says what is below it.
    lines: usize,
    introduces: bool,
    /// Whether there was a fence that may close the outer one.
    has_fence: bool,
    /// Whether the only line parts the fence from the next one.
    parts: bool,
    /// Whether the next fence may hold the file in the place of this one.
    is_followed: bool,
}

impl Below {
    fn new(goes_on: bool) -> Below {
        let end = BlockEnd::Closed;
        let (introduces, has_fence, parts, is_followed) = Default::default();
        Below { end, goes_on, lines: 0, introduces, has_fence, parts, is_followed }
    }

    /// Whether at most one line is below the fence, which does not part it from what comes next.
    fn is_near(&self) -> bool {
        self.lines == 0 || self.lines == 1 && !self.parts
    }

    fn closed(&self) -> BlockEnd {
        if self.is_followed { BlockEnd::Followed } else { BlockEnd::Closed }
    }

    /// Takes in the next line, with the outer fence and the line's own where that may close it.
    fn step(&mut self, line: &str, fence: Option<(Fence<'_>, Fence<'_>)>) -> Part {
        let Some((outer, fence)) = fence else {
            if !line.trim().is_empty() {
                self.lines += 1;
                self.parts = self.lines == 1 && parts(line);
                self.introduces = introduces(line);
            }
            return Part::Below;
        };
        let is_bare = fence.info.is_empty();
        if self.has_fence {
            // The two are a pair.
            self.end = if is_bare { self.closed() } else { BlockEnd::Unterminated };
            return Part::After;
        }
        if !is_bare || fence.length > outer.length {
            self.end = self.closed();
            return Part::After;
        }
        (self.has_fence, self.end) = (true, BlockEnd::Unterminated);
        let is_said = self.lines == 1 && self.introduces;
        // Right below the one that closes it there is one too many.
        if self.goes_on && !is_said { Part::After } else { Part::Below }
    }
}

/// Whether a fence has the same language as the one above it, and nothing in it names a file or is a
/// block.
fn is_unnamed(info: &str, language: &str, next: &str) -> bool {
    language::word(info).to_lowercase() == language
        && path_line::path_of_info(info).is_none()
        && fence::path_of_comment(next).is_none()
        && path_line::path_of_line(next).is_none()
        && !begins_block(next, "")
}

/// What a line has that says that the fence below it shows how something is used.
const USES: [&str; 8] = ["usage", "use ", "using", "example", "output", "test", "call", "run"];
/// A line with more characters is not a label.
const SHORT: usize = 80;

/// Whether a line between two fences says that the lower one is about something else.
fn parts(line: &str) -> bool {
    let text = line.to_lowercase();
    line.chars().count() > SHORT
        || USES.iter().any(|word| text.contains(word))
        || turns::is_role(line)
        || !between::paths_in(line).is_empty()
        || path_line::path_of_line(line).is_some()
}

/// Whether a line says what the fence below it holds: a path, a heading, or `Output:`.
fn introduces(line: &str) -> bool {
    let line = line.trim();
    let is_heading = line.starts_with("## ") || line.starts_with("### ");
    let is_sentence = line.starts_with(|char: char| char.is_uppercase() || !char.is_ascii())
        && line.ends_with([':', '：']);
    is_heading || is_sentence || path_line::path_of_line(line).is_some()
}
