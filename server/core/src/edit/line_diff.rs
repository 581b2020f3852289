//! Which lines differ between two texts, in bounded time.

use std::collections::HashMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput, Token};

use super::anchors::gaps;
use crate::text::{Span, lines};

/// Up to this many lines of both texts the histogram algorithm is used, whose hunks read well and
/// whose time is quadratic at worst. More lines are first parted at lines that are once in each
/// text (patience).
const HISTOGRAM_LINES: usize = 8_192;

/// Beyond that, Myers' algorithm is used between two such lines; beyond this many lines it takes seconds where
/// the texts have little in common, and the whole stretch counts as changed.
const MYERS_LINES: usize = 32_768;

/// Whole lines that became other whole lines; a common line is between two hunks.
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
    let base = lines::count(&before[..start]);
    // Lines that only come or only go are one hunk.
    if old.is_empty() || new.is_empty() {
        let (before, after) = (start..start + old.len(), start..start + new.len());
        return vec![LineHunk { before, after, before_line: base, after_line: base }];
    }
    let changed = changed_lines(&InternedInput::new(old, new));
    let mut old_starts = LineStarts::new(old);
    let mut new_starts = LineStarts::new(new);
    let place = |hunk: Hunk| LineHunk {
        before: start + old_starts.at(hunk.before.start)..start + old_starts.at(hunk.before.end),
        after: start + new_starts.at(hunk.after.start)..start + new_starts.at(hunk.after.end),
        before_line: base + hunk.before.start as usize,
        after_line: base + hunk.after.start as usize,
    };
    changed.into_iter().map(place).collect()
}

/// The bytes of the whole lines that became others, in `before` and in `after`, in order.
pub fn line_hunks(before: &str, after: &str) -> Vec<(Span, Span)> {
    hunks(before, after).into_iter().map(|hunk| (hunk.before, hunk.after)).collect()
}

/// The lines of `before` that became others of `after`, in order; lines are given without their
/// endings and hold none.
pub fn changed_ranges(before: &[&str], after: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let joined = |texts: &[&str]| lines::terminated(texts.iter().copied());
    let (before, after) = (joined(before), joined(after));
    let ranges = |hunk: LineHunk| {
        let old = lines::count(&before[hunk.before]);
        let new = lines::count(&after[hunk.after]);
        (hunk.before_line..hunk.before_line + old, hunk.after_line..hunk.after_line + new)
    };
    hunks(&before, &after).into_iter().map(ranges).collect()
}

fn changed_lines(input: &InternedInput<&str>) -> Vec<Hunk> {
    if input.before.len() + input.after.len() <= HISTOGRAM_LINES {
        let mut diff = Diff::compute(Algorithm::Histogram, input);
        diff.postprocess_lines(input);
        return diff.hunks().collect();
    }
    let mut hunks: Vec<Hunk> = Vec::new();
    for gap in gaps(&input.before, &input.after) {
        let old = &input.before[gap.before.start as usize..gap.before.end as usize];
        let new = &input.after[gap.after.start as usize..gap.after.end as usize];
        let shift = |range: Range<u32>, by: u32| range.start + by..range.end + by;
        hunks.extend(changed_in_gap(old, new).into_iter().map(|hunk| Hunk {
            before: shift(hunk.before, gap.before.start),
            after: shift(hunk.after, gap.after.start),
        }));
    }
    hunks
}

/// The hunks of a stretch between two anchors, in lines from its start.
fn changed_in_gap(old: &[Token], new: &[Token]) -> Vec<Hunk> {
    let lines = old.len() + new.len();
    if old.is_empty() || new.is_empty() || lines > MYERS_LINES {
        let end = |tokens: &[Token]| u32::try_from(tokens.len()).unwrap_or(u32::MAX);
        return vec![Hunk { before: 0..end(old), after: 0..end(new) }];
    }
    // The algorithms take time by the greatest token, and there may be many gaps.
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut number = |token: &Token| {
        let next = numbers.len() as u32;
        Token(*numbers.entry(token.0).or_insert(next))
    };
    let old: Vec<Token> = old.iter().map(&mut number).collect();
    let new: Vec<Token> = new.iter().map(&mut number).collect();
    let small = lines <= HISTOGRAM_LINES;
    let algorithm = if small { Algorithm::Histogram } else { Algorithm::Myers };
    let mut diff = Diff::default();
    diff.compute_with(algorithm, &old, &new, numbers.len() as u32);
    diff.hunks().collect()
}

/// How many bytes at the start, and how many at the end, are whole lines common to both texts.
fn common_lines(before: &str, after: &str) -> (usize, usize) {
    let start = lines_at_start(before, after);
    (start, lines_at_end(&before[start..], &after[start..]))
}

/// The same without those that may not be the same lines, as equal ones beside them have come or gone.
pub(super) fn sure_lines(before: &str, after: &str) -> (usize, usize) {
    let (start, end) = (lines_at_start(before, after), lines_at_end(before, after));
    let shorter = before.len().min(after.len());
    (start.min(shorter - end), end.min(shorter - start))
}

/// How many bytes at the start are whole lines common to both texts.
fn lines_at_start(before: &str, after: &str) -> usize {
    let prefix = common_prefix(before.as_bytes(), after.as_bytes());
    memchr::memrchr(b'\n', &before.as_bytes()[..prefix]).map_or(0, |at| at + 1)
}

/// How many bytes at the end are whole lines common to both texts, which begin with a line each.
fn lines_at_end(before: &str, after: &str) -> usize {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let suffix = common_suffix(old, new);
    let begins_a_line = |text: &[u8]| {
        let at = text.len() - suffix;
        at == 0 || text[at - 1] == b'\n'
    };
    if begins_a_line(old) && begins_a_line(new) {
        return suffix;
    }
    let tail = &old[old.len() - suffix..];
    memchr::memchr(b'\n', tail).map_or(0, |at| tail.len() - at - 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_common_is_found_at_any_length() {
        for same in [0, 1, 1023, 1024, 1025, 2047, 2048, 3000] {
            for (more, less) in [("", ""), ("x", "y"), ("x", ""), ("xyz", "uv")] {
                let text = "a".repeat(same);
                let found = common_prefix(
                    format!("{text}{more}").as_bytes(),
                    format!("{text}{less}").as_bytes(),
                );
                assert_eq!(found, same, "{more} {less}");
                let found = common_suffix(
                    format!("{more}{text}").as_bytes(),
                    format!("{less}{text}").as_bytes(),
                );
                assert_eq!(found, same, "{more} {less}");
            }
        }
    }

    /// The hunks as `line: removed | added`.
    fn shown(before: &str, after: &str) -> Vec<String> {
        let shown = |hunk: LineHunk| {
            let lines = format!("{},{}", hunk.before_line, hunk.after_line);
            format!("{lines}: {:?} | {:?}", &before[hunk.before], &after[hunk.after])
        };
        hunks(before, after).into_iter().map(shown).collect()
    }

    #[test]
    fn a_large_text_has_the_same_hunks_as_a_small_one() {
        // Two changes, between lines that are there once, in more lines than are compared at once.
        let text = |first: &str, second: &str| {
            let lines = |from: usize, to: usize| -> String {
                (from..to).map(|line| format!("line {line}\n")).collect()
            };
            let (half, all) = (HISTOGRAM_LINES, 2 * HISTOGRAM_LINES);
            format!("{}{first}{}{second}{}", lines(0, 1), lines(1, half), lines(half, all))
        };
        let (before, after) = (text("old\n", "a\nb\n"), text("new\n", "a\nc\nb\n"));
        let at = HISTOGRAM_LINES + 2;
        assert_eq!(
            shown(&before, &after),
            [r#"1,1: "old\n" | "new\n""#.to_owned(), format!(r#"{at},{at}: "" | "c\n""#)],
        );
    }

    #[test]
    fn a_large_text_is_compared_where_no_line_stands_once() {
        let lines: String = (0..HISTOGRAM_LINES).map(|line| format!("{}\n", line / 2)).collect();
        let text = |changed: &str| format!("{changed}{lines}{changed}");
        let hunk = |line: usize| format!(r#"{line},{line}: "old\n" | "new\n""#);
        assert_eq!(shown(&text("old\n"), &text("new\n")), [hunk(0), hunk(HISTOGRAM_LINES + 1)]);
    }

    #[test]
    fn lines_that_only_come_or_go_are_one_hunk() {
        assert_eq!(shown("a\nb\n", "a\nx\ny\nb\n"), [r#"1,1: "" | "x\ny\n""#]);
        assert_eq!(shown("a\nx\nb\n", "a\nb\n"), [r#"1,1: "x\n" | """#]);
        assert_eq!(shown("a\n", "a\n"), [""; 0]);
        assert_eq!(shown("a", "a\n"), [r#"0,0: "a" | "a\n""#]);
    }
}
