//! Which lines differ between two texts, in bounded time.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::text::{Span, lines};

/// Up to this many lines on both sides the histogram algorithm is used, whose hunks read better
/// and whose time can be quadratic; beyond it Myers with heuristics, whose time cannot.
const HISTOGRAM_LINES: usize = 8_192;

/// Whole lines that became other whole lines; a common line stands between two hunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineHunk {
    /// The bytes of the lines in the text before.
    pub before: Span,
    /// The bytes of the lines in the text after.
    pub after: Span,
    /// The 0-based number of the first line in the text before.
    pub before_line: usize,
    /// The 0-based number of the first line in the text after.
    pub after_line: usize,
}

/// The hunks that make `after` of `before`, in order.
pub(super) fn hunks(before: &str, after: &str) -> Vec<LineHunk> {
    if before == after {
        return Vec::new();
    }
    let (start, tail) = common_lines(before, after);
    let old = &before[start..before.len() - tail];
    let new = &after[start..after.len() - tail];
    let input = InternedInput::new(old, new);
    let small = input.before.len() + input.after.len() <= HISTOGRAM_LINES;
    let algorithm = if small { Algorithm::Histogram } else { Algorithm::Myers };
    let mut diff = Diff::compute(algorithm, &input);
    if small {
        diff.postprocess_lines(&input);
    }
    let base = lines::count(&before[..start]);
    let mut old_starts = LineStarts::new(old);
    let mut new_starts = LineStarts::new(new);
    let place = |hunk: imara_diff::Hunk| LineHunk {
        before: start + old_starts.at(hunk.before.start)..start + old_starts.at(hunk.before.end),
        after: start + new_starts.at(hunk.after.start)..start + new_starts.at(hunk.after.end),
        before_line: base + hunk.before.start as usize,
        after_line: base + hunk.after.start as usize,
    };
    diff.hunks().map(place).collect()
}

/// How many bytes at the start, and how many at the end, are whole lines common to both texts.
fn common_lines(before: &str, after: &str) -> (usize, usize) {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let prefix = common_prefix(old, new);
    let start = memchr::memrchr(b'\n', &old[..prefix]).map_or(0, |at| at + 1);
    let suffix = common_suffix(&old[start..], &new[start..]);
    let tail = &old[old.len() - suffix..];
    let kept = memchr::memchr(b'\n', tail).map_or(0, |at| tail.len() - at - 1);
    (start, kept)
}

/// How many bytes at the start are the same.
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 1024;
    let same = a.chunks_exact(STEP).zip(b.chunks_exact(STEP)).take_while(|(a, b)| a == b);
    let whole = same.count() * STEP;
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(a, b)| a == b).count()
}

/// How many bytes at the end are the same.
pub(super) fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 1024;
    let same = a.rchunks_exact(STEP).zip(b.rchunks_exact(STEP)).take_while(|(a, b)| a == b);
    let whole = same.count() * STEP;
    let (a, b) = (&a[..a.len() - whole], &b[..b.len() - whole]);
    whole + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// Where lines begin, asked in ascending order.
struct LineStarts<'a> {
    text: &'a [u8],
    line: u32,
    offset: usize,
}

impl<'a> LineStarts<'a> {
    fn new(text: &'a str) -> LineStarts<'a> {
        LineStarts { text: text.as_bytes(), line: 0, offset: 0 }
    }

    fn at(&mut self, line: u32) -> usize {
        while self.line < line {
            let rest = &self.text[self.offset..];
            self.offset += memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            self.line += 1;
        }
        self.offset
    }
}
