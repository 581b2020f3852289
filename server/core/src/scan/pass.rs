//! One pass over a transcript from a given line on, one item after the other.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use super::endings::Endings;
use super::window::{Line, Window};
use super::{Block, Carry, Found, Item};
use crate::dialect::{BlockEnd, Dialect, Dialects, Opening, Reader, Source, Step};
use crate::limits::Limits;
use crate::problem::{self, Problem};
use crate::text::Text;

/// How far a text is looked for by itself.
const NEAR: usize = 64 << 10;

/// The text at hand ends before the answer is clear.
struct More;

/// Where a needle is next, from a place on.
#[derive(Clone, Copy)]
struct Hit {
    from: usize,
    at: Option<usize>,
}

/// A scan under way, outside of any block.
pub(super) struct Pass<'a> {
    dialects: &'a Dialects,
    limits: &'a Limits,
    window: Window<'a>,
    /// Where the pass stands in the window: the start of a line, outside of any block.
    at: usize,
    /// Whether it has still to be seen what the transcript begins with.
    at_head: bool,
    /// Lines, by their place in the transcript, that end a block which is reported already.
    spent: Vec<usize>,
    /// The window's lines by their endings, once a search has gone far.
    endings: OnceCell<Endings>,
    /// What is known of each needle in the window.
    hits: RefCell<Vec<Hit>>,
    /// What the blocks before leave to the next one.
    carry: Carry,
}

impl<'a> Pass<'a> {
    pub fn new(
        text: &'a Text,
        dialects: &'a Dialects,
        limits: &'a Limits,
        start: usize,
        carry: Carry,
    ) -> Self {
        let window = Window::new(text, start);
        let (endings, hits) = (OnceCell::new(), RefCell::default());
        let at_head = start == 0;
        Pass { dialects, limits, window, at: 0, at_head, spent: Vec::new(), endings, hits, carry }
    }

    /// What the blocks so far leave to the next one.
    pub fn carry(&self) -> &Carry {
        &self.carry
    }

    /// Where the pass stands in the transcript.
    pub fn at(&self) -> usize {
        self.window.start() + self.at
    }

    /// The next item that begins before `until`; `None` when there is none, and the pass then
    /// stands at the start of a line that is not before `until`, or at the end.
    pub fn next_before(&mut self, until: usize) -> Option<Item> {
        while self.at() < until {
            let (line, found) = if self.at_head {
                let found = self.head();
                self.at_head = found.is_err();
                (Line { start: 0, end: 0, next: 0 }, found)
            } else {
                let Some(line) = self.next_candidate(until) else { continue };
                (line, self.item_at(line))
            };
            match found {
                Ok(Some(item)) => {
                    self.at = item.resume - self.window.start();
                    self.carry.clone_from(&item.carry);
                    return Some(item);
                }
                Ok(None) => self.at = line.next,
                Err(More) => self.window_from(line.start),
            }
        }
        None
    }

    /// What the transcript begins with, where a dialect looks at that without a needle; blank
    /// lines before it are part of it, so that they are looked at again with it.
    fn head(&mut self) -> Result<Option<Item>, More> {
        let first = self.window.line(0);
        let mut line = first;
        while self.window.str(line).trim().is_empty() && line.next < self.window.text().len() {
            line = self.window.after(line).ok_or(More)?;
        }
        let after = self.window.after(line).ok_or(More)?;
        let (text, next) = (self.window.str(line), self.window.str(after));
        let opens = |dialect: &dyn Dialect| dialect.opens(text, next) != Opening::Nothing;
        if !self.dialects.iter().any(opens)
            && let Some(dialect) = self.dialects.iter().find(|dialect| dialect.heads(text))
        {
            return self.block_at(dialect, first).map(Some);
        }
        let carry = self.carry.clone();
        let (resume, reach) = (line.start, after.next);
        let nothing = Item { start: 0, resume, reach, found: Found::Nothing, carry };
        Ok((line.start > 0).then_some(nothing))
    }

    /// The next line with a needle in it; `None` when the pass has moved on instead.
    fn next_candidate(&mut self, until: usize) -> Option<Line> {
        let text = self.window.text();
        let end = (until - self.window.start()).min(text.len());
        // The line that `until` is in begins before it and counts, so its needle may come after.
        let last = self.window.line(self.window.line_start(end.max(1)));
        let within = &text[..last.next.max(end)];
        match self.next_needle(self.at).filter(|needle| *needle < within.len()) {
            Some(needle) => {
                let line = self.window.line(self.window.line_start(needle));
                self.at = line.start;
                if self.at() < until { Some(line) } else { None }
            }
            None if within.len() < text.len() || self.window.is_last() => {
                self.at = within.len();
                None
            }
            None => {
                self.window_from(within.len());
                None
            }
        }
    }

    fn window_from(&mut self, offset: usize) {
        self.window.slide(offset);
        self.at = 0;
        self.endings.take();
        self.hits.borrow_mut().clear();
    }

    /// Where the next needle of a dialect begins in the window, at `from` or after it.
    fn next_needle(&self, from: usize) -> Option<usize> {
        let mut hits = self.hits.borrow_mut();
        let needles = self.dialects.needles();
        hits.resize(needles.len(), Hit { from: usize::MAX, at: None });
        let next = hits.iter_mut().zip(needles).map(|(hit, needle)| {
            let known = hit.from <= from && hit.at.is_none_or(|at| from <= at);
            if !known {
                *hit = Hit { from, at: needle.find(self.window.text(), from) };
            }
            hit.at
        });
        next.flatten().min()
    }

    /// The start of the next line, from `start` on, that ends with a text; the window's end where
    /// there is none.
    ///
    /// Where raw text has no end, each block looks through all that follows. So that many of them
    /// do not make a scan quadratic, a search that goes far is done for all endings at once.
    fn next_ending(&self, start: usize, ending: &str) -> usize {
        let text = self.window.text();
        let near = (start + NEAR).min(text.len());
        if let Some(at) = memchr::memmem::find(&text.as_bytes()[start..near], ending.as_bytes()) {
            return self.window.line_start(start + at).max(start);
        }
        let from = self.window.line_start(near).max(start);
        self.endings.get_or_init(|| Endings::new(text)).next(from, ending).unwrap_or(text.len())
    }

    /// The item that begins with a line, if one does.
    fn item_at(&mut self, line: Line) -> Result<Option<Item>, More> {
        let next = self.window.str(self.window.after(line).ok_or(More)?);
        let text = self.window.str(line);
        let start = self.window.start() + line.start;
        for dialect in self.dialects.iter() {
            match dialect.opens(text, next) {
                Opening::Nothing => {}
                Opening::Starts | Opening::Maybe => return self.block_at(dialect, line).map(Some),
                Opening::Stray(_) if self.spent.contains(&start) => return Ok(None),
                Opening::Stray(problem) => {
                    let resume = self.window.start() + line.next;
                    let found = Found::Stray(Arc::new(problem));
                    let carry = self.carry.clone();
                    return Ok(Some(Item { start, resume, reach: resume, found, carry }));
                }
            }
        }
        Ok(None)
    }

    /// The block of a dialect that begins with a line.
    fn block_at(&mut self, dialect: &'static dyn Dialect, first: Line) -> Result<Item, More> {
        let mut reader = dialect.reader(self.window.str(first));
        let extent = self.follow(dialect, reader.as_mut(), first)?;
        let base = self.window.start();
        if !reader.is_block() {
            return Ok(Item {
                start: base + first.start,
                resume: base + first.next,
                reach: base + extent.reach,
                found: Found::Nothing,
                carry: self.carry.clone(),
            });
        }
        let mut end = extent.end;
        if extent.last - first.start > self.limits.block_bytes {
            end = BlockEnd::TooLarge;
        }
        let whole = self.window.text();
        let text = &whole[first.start..extent.last];
        let source = Source {
            text,
            beyond: extent
                .raw_until
                .map_or("", |until| &whole[extent.last..until.max(extent.last)]),
            own_end: extent.closes.is_some(),
            end,
            limits: self.limits,
            home: self.dialects.home(),
            carried: self.carry.as_ref(),
        };
        let mut parsed = dialect.parse(&source);
        if end == BlockEnd::TooLarge {
            parsed.command = None;
            parsed.problems = vec![block_too_large(first, text.len(), self.limits)];
        }
        if let Some(closes) = extent.closes {
            self.spent.push(base + closes);
        }
        let carry = parsed.leaves.clone();
        let block = Block {
            dialect,
            len: extent.last - first.start,
            whole: extent.whole - first.start,
            end,
            parsed,
            raw_until: extent.raw_until.map(|until| until - first.start),
        };
        Ok(Item {
            start: base + first.start,
            resume: base + extent.resume,
            reach: base + extent.reach,
            found: Found::Block(Arc::new(block)),
            carry,
        })
    }

    /// Follows a block's lines to its end.
    fn follow(
        &self,
        dialect: &dyn Dialect,
        reader: &mut dyn Reader,
        first: Line,
    ) -> Result<Extent, More> {
        let window = &self.window;
        let mut fits = first;
        let mut closes = None;
        let mut start = first.next;
        let mut needle = None;
        // The line that was found when it was the next one.
        let mut found: Option<Line> = None;
        // How far it was looked for other blocks.
        let mut seen = 0;
        loop {
            if start >= window.text().len() {
                if !window.is_last() {
                    return Err(More);
                }
                return Ok(Extent::open(fits, start, start.max(seen), reader.raw(), closes));
            }
            let known = found.filter(|line| line.start == start);
            let line = known.unwrap_or_else(|| window.line(start));
            let after = window.after(line).ok_or(More)?;
            found = Some(after);
            let (text, next) = (window.str(line), window.str(after));
            let raw = reader.raw();
            if !raw && needle.is_none_or(|at| at < start) {
                needle = Some(self.next_needle(start).unwrap_or(usize::MAX));
            }
            let marked = needle.is_some_and(|at| at < line.next);
            if !raw && marked && self.opens_another(dialect, line, &mut seen)? {
                return Ok(Extent::open(fits, start, line.next.max(seen), false, None));
            }
            if raw && closes.is_none() && reader.closes(text) {
                closes = Some(start);
            }
            match reader.step(text, next) {
                Step::Fits => fits = line,
                Step::Other => {}
                Step::Ends => {
                    let closed = Extent::closed(line);
                    return Ok(Extent { reach: closed.reach.max(seen), ..closed });
                }
                Step::Breaks(end) => {
                    let reach = line.next.max(seen);
                    return Ok(Extent { end, ..Extent::open(fits, start, reach, raw, None) });
                }
            }
            start = line.next;
            if let Some(awaited) = reader.awaits() {
                start = self.next_ending(start, &awaited);
            }
            // Beyond the limit only lines that can end the block are looked at.
            if start - first.start > self.limits.block_bytes && reader.minds_needles_only() {
                match self.next_needle(start) {
                    Some(at) => start = window.line_start(at).max(start),
                    None => start = window.text().len(),
                }
            }
        }
    }

    /// Whether another dialect's block begins with a line; notes how far it looked for that.
    fn opens_another(
        &self,
        dialect: &dyn Dialect,
        line: Line,
        seen: &mut usize,
    ) -> Result<bool, More> {
        let next = self.window.str(self.window.after(line).ok_or(More)?);
        let text = self.window.str(line);
        for other in self.dialects.iter().filter(|other| other.name() != dialect.name()) {
            match other.opens(text, next) {
                Opening::Starts => return Ok(true),
                Opening::Maybe => {
                    let mut reader = other.reader(text);
                    *seen = self.follow(other, reader.as_mut(), line)?.reach.max(*seen);
                    if reader.is_block() {
                        return Ok(true);
                    }
                }
                Opening::Nothing | Opening::Stray(_) => {}
            }
        }
        Ok(false)
    }
}

/// Where a block ends and where the scan goes on, in terms of the window.
struct Extent {
    end: BlockEnd,
    last: usize,
    /// Where the last line's ending ends.
    whole: usize,
    resume: usize,
    reach: usize,
    closes: Option<usize>,
    raw_until: Option<usize>,
}

impl Extent {
    fn closed(last: Line) -> Extent {
        Extent {
            end: BlockEnd::Closed,
            last: last.end,
            whole: last.next,
            resume: last.next,
            reach: last.next,
            closes: None,
            raw_until: None,
        }
    }

    /// A block without an end: what follows its last fitting line is looked at again where that
    /// may hold blocks (raw content), else from where the block was given up.
    fn open(fits: Line, given_up: usize, reach: usize, raw: bool, closes: Option<usize>) -> Extent {
        Extent {
            end: BlockEnd::Unterminated,
            last: fits.end,
            whole: fits.next,
            resume: if raw { fits.next } else { given_up },
            reach,
            closes: closes.filter(|_| raw),
            raw_until: raw.then(|| closes.unwrap_or(given_up)),
        }
    }
}

fn block_too_large(first: Line, size: usize, limits: &Limits) -> Problem {
    Problem::new(
        problem::SCAN_BLOCK_TOO_LARGE,
        0..first.end - first.start,
        format!(
            "this block has {size} bytes, more than the limit of {}: split it into smaller ones",
            limits.block_bytes
        ),
    )
    .detail("size", size)
    .detail("limit", limits.block_bytes)
}
