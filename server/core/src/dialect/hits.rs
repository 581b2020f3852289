//! Where the needles of the dialects are in a text, each searched for once.

use super::{Dialects, Needle, Subset};
use crate::text::{Span, work};

/// What is known of each needle.
#[derive(Default)]
pub(crate) struct Hits(Vec<Hit>);

/// Looks for the needles of all dialects in the lines of a text, one after the other.
#[derive(Default)]
pub(super) struct Needles {
    hits: Hits,
    /// Where the next one is; nothing is known before the first line.
    next: Option<usize>,
}

impl Needles {
    /// Whether one begins in a line, which is below those that were asked about.
    pub fn are_in(&mut self, text: &str, line: &Span) -> bool {
        let known = self.next.filter(|next| *next >= line.start);
        let all = || self.hits.next(Dialects::all().needles(), text, line.start);
        let next = known.or_else(all).unwrap_or(text.len());
        self.next = Some(next);
        next < line.end
    }
}

/// A needle is nowhere in the text from `from` up to `at`, and there, or nowhere after it.
#[derive(Clone, Copy)]
struct Hit {
    from: usize,
    at: Option<usize>,
}

impl Hits {
    /// Where the next of the needles begins, at `from` or after it.
    pub fn next(&mut self, needles: &[Needle], text: &str, from: usize) -> Option<usize> {
        self.0.resize(needles.len(), Hit::NONE);
        let next = self.0.iter_mut().zip(needles).map(|(hit, needle)| hit.next(needle, text, from));
        next.flatten().min()
    }

    /// The dialects that have a needle in a line, whose ending is part of it.
    pub fn in_line(&mut self, needles: &[Needle], text: &str, line: Span) -> Subset {
        self.0.resize(needles.len(), Hit::NONE);
        self.0.iter_mut().zip(needles).fold(Subset::default(), |found, (hit, needle)| {
            match hit.next(needle, text, line.start) {
                Some(at) if at < line.end => {
                    work::add(line.end - at);
                    found.or(needle.all_in(text, at, line.end))
                }
                _ => found,
            }
        })
    }
}

impl Hit {
    const NONE: Hit = Hit { from: usize::MAX, at: None };

    fn next(&mut self, needle: &Needle, text: &str, from: usize) -> Option<usize> {
        work::add(1);
        if self.from == usize::MAX || self.at.is_some_and(|at| at < from) {
            *self = Hit { from, at: needle.find(text, from, text.len()) };
            work::add(self.at.unwrap_or(text.len()) - from);
        } else if from < self.from {
            // What is known further down stays known: a scan goes back to look into raw text.
            let found = needle.find(text, from, self.from);
            work::add(found.unwrap_or(self.from) - from);
            if found.is_some() {
                return found;
            }
            self.from = from;
        }
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_further_down_stays_known() {
        let text = "<<< a\n```\n<<< b\nOPERATOR_CMD\n```\n";
        let needles = Dialects::all().needles();
        let mut hits = Hits::default();
        for from in [0, 1, 6, 9, 14, 20, 33, 10, 3, 0, 11, 15, 27, 30, 2] {
            let next = needles.iter().filter_map(|needle| needle.find(text, from, text.len()));
            assert_eq!(hits.next(needles, text, from), next.min(), "{from}");
        }
    }
}
