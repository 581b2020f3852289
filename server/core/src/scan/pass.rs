//! One pass over a transcript from a given line on, one item after the other.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use foldhash::HashSet;
use foldhash::fast::FixedState;

use super::before::Before;
use super::extent::Extent;
use super::stray::Stray;
use super::window::{Line, Window};
use super::{Below, Block, Carry, Found, Item};
use crate::dialect::ahead::{Ahead, Known};
use crate::dialect::hits::Hits;
use crate::dialect::turns::{Head, Speaker};
use crate::dialect::{
    Above, BlockEnd, Candidate, Dialect, Dialects, LineKind, Opening, Reader, ReplyStyle, Role,
    Source, around, off, thought, turns,
};
use crate::fingerprint::Fingerprint;
use crate::limits::Limits;
use crate::problem::{self, Problem};
use crate::text::Text;
use crate::text::fence::OpenFence;
use crate::text::lines;
use crate::text::work;

/// The text at hand ends before the answer is clear.
struct More;

/// A scan under way, outside of any block.
pub(super) struct Pass<'a> {
    dialects: &'a Dialects,
    limits: &'a Limits,
    window: Window<'a>,
    /// Where the pass is in the window: the start of a line, outside of any block.
    at: usize,
    /// Whether it has still to be seen what the transcript begins with.
    at_head: bool,
    /// Lines, by their place in the transcript, that end a block which is reported already.
    spent: HashSet<usize>,
    /// Where the unended raw text of a block ends that other blocks are inside of.
    open_until: usize,
    /// What was found in the window's lines.
    known: RefCell<Known>,
    /// Where the needles are in the window.
    hits: RefCell<Hits>,
    /// The last stray marker: many are the same.
    stray: Option<Arc<Stray>>,
    /// What the blocks before leave to the next one.
    carry: Carry,
    /// The block before.
    before: Before,
    /// How many lines above a block's first line say something about it.
    looks_back: usize,
    /// Whether it matters in which fence a line is.
    follows_fences: bool,
}

impl<'a> Pass<'a> {
    /// A pass from the line that begins at `start` on, with what the blocks before it leave.
    pub fn new(
        text: &'a Text,
        dialects: &'a Dialects,
        limits: &'a Limits,
        start: usize,
        (carry, before): (Carry, Before),
    ) -> Self {
        Pass {
            dialects,
            limits,
            window: Window::new(text, start),
            at: 0,
            at_head: start == 0,
            spent: HashSet::default(),
            open_until: 0,
            known: RefCell::default(),
            hits: RefCell::default(),
            stray: None,
            carry,
            before,
            looks_back: dialects.looks_back(),
            follows_fences: dialects.follow_fences(),
        }
    }

    /// What the blocks so far leave to the next one.
    pub fn carry(&self) -> &Carry {
        &self.carry
    }

    /// The block before.
    pub fn before(&self) -> &Before {
        &self.before
    }

    /// Where the pass is in the transcript.
    pub fn at(&self) -> usize {
        self.window.start() + self.at
    }

    /// The next item that begins before `until`; `None` when there is none, and the pass then
    /// is at the start of a line that is not before `until`, or at the end.
    pub fn next_before(&mut self, until: usize) -> Option<Item> {
        while self.at() < until {
            let (line, found) = if self.at_head {
                let found = self.head();
                self.at_head = found.is_err();
                (Line { start: 0, end: 0, next: 0 }, found)
            } else if let Some(dialect) = self.before.below {
                let line = self.window.line(self.at);
                match self.reply_below(dialect, line) {
                    // Other dialects are asked about this line, too.
                    Ok(None) => {
                        self.before.below = None;
                        continue;
                    }
                    found => (line, found),
                }
            } else {
                let Some(line) = self.next_candidate(until) else { continue };
                (line, self.item_at(line))
            };
            match found {
                Ok(Some(item)) => {
                    self.at = item.resume - self.window.start();
                    self.carry.clone_from(&item.carry);
                    self.before.pass(&item);
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
        let candidate = Candidate { line: text, next, above: Above::default(), fence: None };
        let opens = |dialect: &dyn Dialect| dialect.opens(&candidate) != Opening::Nothing;
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
        let Some(needle) = self.next_needle(self.at) else {
            self.at = self.window.text().len();
            if self.at() < until {
                self.window_from(self.at);
            }
            return None;
        };
        let line = self.window.line(self.window.line_start(needle));
        self.at = line.start;
        (self.at() < until).then_some(line)
    }

    fn window_from(&mut self, offset: usize) {
        self.window.slide(offset);
        self.at = 0;
        self.known.take();
        self.hits.take();
    }

    /// Where the next needle of a dialect begins in the window, at `from` or after it.
    fn next_needle(&self, from: usize) -> Option<usize> {
        self.hits.borrow_mut().next(self.dialects.needles(), self.window.text(), from)
    }

    /// The dialects with a needle in a line.
    fn with_needle_in(&self, line: Line) -> impl Iterator<Item = Below> + use<'a> {
        let (needles, text) = (self.dialects.needles(), self.window.text());
        self.dialects.only(self.hits.borrow_mut().in_line(needles, text, line.start..line.next))
    }

    /// The reply that begins with the line right below a block.
    fn reply_below(&mut self, dialect: Below, line: Line) -> Result<Option<Item>, More> {
        match dialect.follows(&self.candidate(line)?) {
            true => self.block_at(dialect, line).map(Some),
            false => Ok(None),
        }
    }

    /// The lines above a line and below a place of the transcript.
    fn above(&self, line: Line, floor: usize) -> Above<'a> {
        let at = self.window.start() + line.start;
        Above::new(self.window.source(), at, floor, self.looks_back)
    }

    /// A line with the lines around it.
    fn candidate(&self, line: Line) -> Result<Candidate<'_>, More> {
        Ok(self.candidate_before(line, self.window.after(line).ok_or(More)?))
    }

    /// A line with the lines around it, where the one after it is known.
    fn candidate_before(&self, line: Line, after: Line) -> Candidate<'_> {
        let above = self.above(line, self.before.end);
        let (line, next) = (self.window.str(line), self.window.str(after));
        Candidate { line, next, above, fence: self.carry.fence }
    }

    /// The item that begins with a line, if one does.
    fn item_at(&mut self, line: Line) -> Result<Option<Item>, More> {
        let start = self.window.start() + line.start;
        // Found once: the dialects are asked about the same two lines.
        let after = self.window.after(line).ok_or(More)?;
        if let Some(name) = off::off(self.window.str(line)) {
            return self.off_at(line, name).map(Some);
        }
        if self.dialects.pass_over_thoughts()
            && self.carry.fence.is_none()
            && let Some(end_tag) = thought::end_tag(self.window.str(line))
        {
            return self.thought_at(line, end_tag).map(Some);
        }
        if self.dialects.pass_over_thoughts()
            && self.carry.fence.is_none()
            && let Some(tag) = thought::of_end(self.window.str(line))
        {
            let resume = self.window.start() + line.next;
            let (found, carry) = (Found::ThoughtEnd(tag), self.carry.clone());
            return Ok(Some(Item { start, resume, reach: resume, found, carry }));
        }
        // What could have been a block and is none, with the end of all that was looked at for it.
        let mut nothing: Option<Item> = None;
        let reach = |nothing: &Option<Item>| nothing.as_ref().map_or(0, |item| item.reach);
        for dialect in self.with_needle_in(line) {
            match dialect.opens(&self.candidate_before(line, after)) {
                Opening::Nothing => {}
                Opening::Starts | Opening::Maybe => {
                    let item = self.block_at(dialect, line)?;
                    let item = Item { reach: item.reach.max(reach(&nothing)), ..item };
                    if !matches!(item.found, Found::Nothing) {
                        return Ok(Some(item));
                    }
                    nothing = Some(item);
                }
                Opening::Stray(_) if self.spent.contains(&start) => return Ok(nothing),
                Opening::Stray(_) => {
                    let resume = self.window.start() + line.next;
                    let reach = resume.max(reach(&nothing));
                    let found = Found::Stray(self.stray_at(dialect, line)?);
                    let carry = self.carry.clone();
                    return Ok(Some(Item { start, resume, reach, found, carry }));
                }
            }
        }
        let fence = self.fence_after(self.window.str(line));
        if fence != self.carry.fence {
            let resume = self.window.start() + line.next;
            let reach = resume.max(reach(&nothing));
            let carry = Carry { fence, ..self.carry.clone() };
            nothing = Some(Item { start, resume, reach, found: Found::Nothing, carry });
        }
        Ok(nothing)
    }

    /// The head of the message that a line below some others is in, where that is of the person who asks.
    fn asked(&self, above: Above<'_>) -> Option<Head> {
        let head = match turns::nearest(above, self.carry.fence.is_some()) {
            Some(head) => Some(head),
            None if above.lines().count() < around::LINES => self.carry.asked,
            None => None,
        };
        head.filter(|head| head.speaker == Speaker::Person)
    }

    /// The fence that is open after a line that is next.
    fn fence_after(&self, line: &str) -> Option<OpenFence> {
        let open = self.carry.fence;
        if self.follows_fences { OpenFence::after(open, line) } else { open }
    }

    fn stray_at(&mut self, dialect: Below, line: Line) -> Result<Arc<Stray>, More> {
        let known = self.stray.take();
        let Candidate { line, next, .. } = self.candidate(line)?;
        let known = known.filter(|known| known.is(dialect, line, next));
        let stray = known.unwrap_or_else(|| Arc::new(Stray::new(dialect, line, next)));
        self.stray = Some(stray.clone());
        Ok(stray)
    }

    /// The text without blocks from a line that turns the search off with this name to the one that
    /// turns it on again, or to the end.
    fn off_at(&self, first: Line, name: &str) -> Result<Item, More> {
        let end = self.window.on_after(first, name).ok_or(More)?;
        work::add(end - first.start);
        let (start, end) = (self.window.start() + first.start, self.window.start() + end);
        let carry = self.carry.clone();
        Ok(Item { start, resume: end, reach: end, found: Found::Nothing, carry })
    }

    /// The text without blocks from a line that begins a thought to the one that ends it; the line
    /// alone where no line does.
    fn thought_at(&self, first: Line, end_tag: &'static str) -> Result<Item, More> {
        let text = self.window.text();
        let end_of = |text: &str, line: Range<usize>| {
            let end = line.end;
            thought::is_end(text, line, end_tag).then_some(end)
        };
        let ahead = Ahead::new(text, &self.known);
        let (last, end) = ahead.holding(first.start, end_tag, end_tag, end_of);
        if end == text.len() && !self.window.is_last() {
            return Err(More);
        }
        // An end may come as long as there is none.
        let (resume, reach) = match last == text.len() {
            true => (first.next, end),
            false => {
                let thought = first.next..lines::after_ending(text, end);
                let end = self.window.on_after_part(thought).ok_or(More)?;
                (end, end)
            }
        };
        let base = self.window.start();
        let (start, resume, reach) = (base + first.start, base + resume, base + reach);
        Ok(Item { start, resume, reach, found: Found::Nothing, carry: self.carry.clone() })
    }

    /// The block of a dialect that begins with a line.
    fn block_at(&mut self, dialect: &'static dyn Dialect, first: Line) -> Result<Item, More> {
        let mut reader = dialect.reader(&self.candidate(first)?);
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
        work::add(text.len());
        let inside = base + first.start < self.open_until;
        let above = self.above(first, self.before.end);
        let asked = self.asked(above);
        let source = Source {
            text,
            beyond: extent
                .raw_until
                .map_or("", |until| &whole[extent.last..until.max(extent.last)]),
            own_end: extent.closes.is_some(),
            is_line_ended: extent.whole > extent.last,
            inside,
            end,
            limits: self.limits,
            home: self.dialects.home(),
            carried: self
                .carry
                .path
                .as_ref()
                .filter(|(of, _)| *of == dialect.name())
                .map(|it| &it.1),
            above,
            asked,
            fence: self.carry.fence,
            follows_fences: self.follows_fences,
        };
        let mut parsed = dialect.parse(&source);
        if end == BlockEnd::TooLarge {
            parsed.command = None;
            parsed.problems = vec![block_too_large(first, text.len(), self.limits)];
        }
        let is_command = parsed.role == Role::Command;
        let asked = asked.filter(|_| is_command);
        if let Some(head) = asked.filter(|_| parsed.asked.is_empty()) {
            parsed.asked = head.style;
        }
        parsed.problems.shrink_to_fit();
        parsed.fields.shrink_to_fit();
        if let Some(closes) = extent.closes {
            self.spent.insert(base + closes);
        }
        // The block that breaks it off begins there.
        let holds_next = usize::from(end == BlockEnd::Nested && reader.may_hold_next());
        let raw_until = extent.raw_until.map(|until| until + holds_next);
        if let Some(until) = raw_until
            && parsed.role == Role::Command
            && !inside
        {
            self.open_until = base + until;
        }
        // Of a fence that a block begins with, the end may come after the block.
        let opened = self.fence_after(self.window.str(first));
        let last = &text[lines::around(text, text.len()).start..];
        let fence = match opened != self.carry.fence && text.len() > first.end - first.start {
            true => OpenFence::after(opened, last),
            false => opened,
        };
        let path = parsed.leaves.clone().map(|path| (dialect.name(), path));
        let carry = Carry { path, fence, asked };
        // The path may be one that the block before it has left to it.
        let path = parsed.path.as_deref().unwrap_or_default();
        let (known_by, endings) = without_returns(text);
        let parts = [dialect.name(), "\0", path, "\0", &*known_by];
        let digest = Fingerprint::of_parts(&parts.map(str::as_bytes));
        if dialect.rules().reply == ReplyStyle::PerAnswer && parsed.role == Role::Command {
            parsed.call = Some(digest.abbreviated());
        }
        let block = Block {
            dialect,
            digest,
            endings,
            len: extent.last - first.start,
            whole: extent.whole - first.start,
            end,
            parsed,
            raw_until: raw_until.map(|until| until - first.start),
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
        // How far it was searched for other blocks.
        let mut seen = 0;
        loop {
            if start >= window.text().len() {
                if !window.is_last() {
                    return Err(More);
                }
                let open = Extent::open(fits, start, start.max(seen), reader.raw(), closes);
                return Ok(open.unless_ended(reader, fits));
            }
            let known = found.filter(|line| line.start == start);
            let line = known.unwrap_or_else(|| window.line(start));
            work::add(line.next - start);
            let after = window.after(line).ok_or(More)?;
            found = Some(after);
            let (text, next) = (window.str(line), window.str(after));
            let raw = reader.raw();
            // Whether the document is a chat must not depend on this block.
            if dialect.rules().in_chats_only && off::off(text).is_some() {
                let open = Extent::open(fits, start, line.next.max(seen), false, None);
                return Ok(open.unless_ended(reader, fits));
            }
            if !raw && needle.is_none_or(|at| at < start) {
                needle = Some(self.next_needle(start).unwrap_or(usize::MAX));
            }
            let marked = needle.is_some_and(|at| at < line.next);
            if !raw && marked && self.opens_another(dialect, (first, line), fits.next, &mut seen)? {
                let open = Extent::open(fits, start, line.next.max(seen), false, None);
                return Ok(open.unless_ended(reader, fits));
            }
            if raw && closes.is_none() && reader.closes(text) {
                closes = Some(start);
            }
            match reader.step(text, next) {
                LineKind::Fits => fits = line,
                LineKind::Other => {}
                LineKind::Ends => {
                    let closed = Extent::closed(line);
                    // The line after it had a say, too.
                    return Ok(Extent { reach: after.next.max(seen), ..closed });
                }
                LineKind::Breaks(end) => {
                    let reach = line.next.max(seen);
                    let open = Extent { end, ..Extent::open(fits, start, reach, raw, None) };
                    return Ok(open.unless_ended(reader, fits));
                }
            }
            start = line.next;
            if reader.raw() {
                let ahead = Ahead::new(window.text(), &self.known);
                start = reader.skip(start, closes.is_some(), &ahead);
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

    /// Whether another dialect's block begins with a line below the place `floor` of the window,
    /// where the open block's last line ends; notes how far it searched for that.
    fn opens_another(
        &self,
        dialect: &dyn Dialect,
        (first, line): (Line, Line),
        floor: usize,
        seen: &mut usize,
    ) -> Result<bool, More> {
        let above = self.above(line, self.window.start() + floor);
        let fence = self.fence_after(self.window.str(first));
        let candidate = Candidate { above, fence, ..self.candidate(line)? };
        for other in self.with_needle_in(line).filter(|it| it.name() != dialect.name()) {
            match other.opens(&candidate) {
                Opening::Starts => return Ok(true),
                Opening::Maybe => {
                    let mut reader = other.reader(&candidate);
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

/// A text with `\n` for every `\r\n`, and a hash of it as it is; 0 where it has no `\r`.
fn without_returns(text: &str) -> (Cow<'_, str>, u64) {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return (Cow::Borrowed(text), 0);
    }
    (Cow::Owned(text.replace("\r\n", "\n")), FixedState::default().hash_one(text).max(1))
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
