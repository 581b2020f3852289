//! What was typed since a text was last scanned.

use operator_core::dialect::Dialects;
use operator_core::limits::Limits;
use operator_core::scan::Scan;
use operator_core::text::{Span, Text};

/// How many bytes may be scanned for edits that are far apart before they are taken for one; an edit
/// costs up to as much as the whole text.
const MAX_WORK: usize = 1 << 30;

/// What changes did to a text.
#[derive(Debug, Default)]
pub struct Edits {
    /// The text that replaced all that was there before.
    whole: Option<Text>,
    /// What was replaced by what after that, in order.
    list: Vec<(Span, String)>,
}

/// What a scan does not know yet of the text that it is about. A clean one is empty.
#[derive(Default)]
pub struct Pending {
    edits: Edits,
    /// Whether everything is to be searched for again, by other dialects or limits.
    again: bool,
}

impl Edits {
    /// Notes that the text was replaced as a whole.
    pub fn replace_all(&mut self, text: Text) {
        *self = Edits { whole: Some(text), list: Vec::new() };
    }

    /// Notes that a span was replaced.
    pub fn push(&mut self, span: Span, new: String) {
        self.list.push((span, new));
    }

    fn extend(&mut self, later: Edits) {
        if later.whole.is_some() {
            *self = later;
        } else {
            self.list.extend(later.list);
        }
    }
}

impl Pending {
    /// All of a text that was never scanned, or whose scan is lost.
    pub fn whole(text: Text) -> Pending {
        Pending { edits: Edits { whole: Some(text), list: Vec::new() }, again: false }
    }

    /// Adds edits that came after all others.
    pub fn push(&mut self, edits: Edits) {
        self.edits.extend(edits);
    }

    /// Has everything searched for again.
    pub fn again(&mut self) {
        self.again = true;
    }

    /// Whether a text is scanned as a whole.
    pub fn is_whole(&self) -> bool {
        self.edits.whole.is_some()
    }

    /// What is found in the text that all edits lead to, given what was found in the text `known`
    /// that they begin with.
    pub fn scan(self, known: Option<(&Text, &Scan)>, dialects: &Dialects, limits: &Limits) -> Scan {
        let known = known.map(|(text, scan)| (text.clone(), scan.clone()));
        let (mut text, mut scan) = known.unwrap_or_default();
        let Edits { whole, list } = self.edits;
        if let Some(whole) = whole {
            text = whole;
            list.into_iter().for_each(|(span, new)| text.replace(span, &new));
            scan = Scan::new(&text, dialects, limits);
        } else {
            follow(&mut text, &mut scan, list, dialects, limits);
        }
        if self.again {
            let mut fresh = Scan::new(&text, dialects, limits);
            fresh.keep_known(&scan);
            scan = fresh;
        }
        scan
    }
}

/// Makes edits in a text, and finds again what they may have changed.
///
/// Edits that touch one another are taken for one. What is not within one keeps its identity.
fn follow(
    text: &mut Text,
    scan: &mut Scan,
    edits: Vec<(Span, String)>,
    dialects: &Dialects,
    limits: &Limits,
) {
    let mut left = MAX_WORK / (text.len() + 1);
    let mut joined: Option<Joined> = None;
    for (span, new) in edits {
        if let Some(before) = joined.take_if(|it| left > 0 && !it.touches(&span)) {
            before.scan(text, scan, dialects, limits);
            left -= 1;
        }
        joined = Some(match joined {
            Some(before) => before.and(&span, new.len()),
            None => Joined { old: span.clone(), end: span.start + new.len() },
        });
        text.replace(span, &new);
    }
    if let Some(last) = joined {
        last.scan(text, scan, dialects, limits);
    }
}

/// Some edits as one.
#[derive(Debug, PartialEq, Eq)]
struct Joined {
    /// What they replace, in the text before them.
    old: Span,
    /// Where what is there now ends; it begins where `old` does.
    end: usize,
}

impl Joined {
    fn touches(&self, span: &Span) -> bool {
        span.start <= self.end && self.old.start <= span.end
    }

    /// The same with an edit after it that puts `len` bytes in the place of `span`.
    fn and(self, span: &Span, len: usize) -> Joined {
        let beyond = span.end.saturating_sub(self.end);
        Joined {
            old: self.old.start.min(span.start)..self.old.end + beyond,
            end: self.end.max(span.end) - span.len() + len,
        }
    }

    fn scan(self, text: &Text, scan: &mut Scan, dialects: &Dialects, limits: &Limits) {
        let len = self.end - self.old.start;
        scan.edit(text, self.old, len, dialects, limits);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "OPERATOR_CMD\nversion: 1\nid: 1\naction: fs.delete\npath: a.txt\n\
                        END_OPERATOR_CMD\n";

    fn spans(scan: &Scan) -> Vec<(Span, Option<String>)> {
        scan.blocks().map(|it| (it.span, it.block.parsed.id.clone())).collect()
    }

    proptest! {
        #[test]
        fn edits_that_are_joined_lead_to_the_same_text(
            edits in prop::collection::vec((0..40_usize, 0..6_usize, 0..6_usize), 1..12),
        ) {
            let before = "0123456789abcdefghijklmnopqrstuvwxyz";
            let mut text = before.to_owned();
            let mut joined: Option<Joined> = None;
            for (at, gone, come) in edits {
                let at = at.min(text.len());
                let span = at..(at + gone).min(text.len());
                joined = Some(match joined {
                    Some(before) => before.and(&span, come),
                    None => Joined { old: span.clone(), end: at + come },
                });
                text.replace_range(span, &"#".repeat(come));
            }
            let Joined { old, end } = joined.unwrap();
            let mut again = before.to_owned();
            again.replace_range(old.clone(), &text[old.start..end]);
            prop_assert_eq!(again, text);
        }

        #[test]
        fn what_was_typed_meanwhile_is_found_as_afresh(
            edits in prop::collection::vec((0..300_usize, 0..30_usize, 0..8_usize), 0..12),
        ) {
            let (dialects, limits) = (Dialects::all(), Limits::default());
            let mut text = Text::new(&TEXT.repeat(2));
            let (known, mut pending) = (text.clone(), Pending::default());
            let scan = Scan::new(&text, dialects, &limits);
            for (at, gone, what) in edits {
                let start = at.min(text.len());
                let span = start..(start + gone).min(text.len());
                let new = ["", "x", "\n", TEXT, "END_OPERATOR_CMD\n", "id: 7\n", "OPERATOR", "\n\n"];
                let mut edits = Edits::default();
                text.replace(span.clone(), new[what]);
                edits.push(span, new[what].to_owned());
                pending.push(edits);
            }
            let found = pending.scan(Some((&known, &scan)), dialects, &limits);
            let fresh = Scan::new(&text, dialects, &limits);
            prop_assert_eq!(spans(&found), spans(&fresh));
        }
    }

    #[test]
    fn edits_that_begin_or_end_where_another_one_does_are_joined_with_it() {
        let joined = Joined { old: 4..6, end: 9 };
        for (span, touches) in [(9..9, true), (2..4, true), (10..12, false), (1..3, false)] {
            assert_eq!(joined.touches(&span), touches, "{span:?}");
        }
    }

    #[test]
    fn a_block_outside_of_the_edits_stays_the_same() {
        let (dialects, limits) = (Dialects::all(), Limits::default());
        let text = Text::new(&TEXT.repeat(3));
        let scan = Scan::new(&text, dialects, &limits);
        let mut pending = Pending::default();
        for at in [text.len(), 0] {
            let mut edits = Edits::default();
            edits.push(at..at, "Prose.\n".to_owned());
            pending.push(edits);
        }
        let found = pending.scan(Some((&text, &scan)), dialects, &limits);
        let (old, new): (Vec<_>, Vec<_>) = (scan.blocks().collect(), found.blocks().collect());
        assert!(old.iter().zip(&new).all(|(old, new)| old.block.is(&new.block)));
        assert_eq!(new[0].span.start, "Prose.\n".len());
    }
}
