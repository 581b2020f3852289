//! The smallest edits from one text to another, so that cursors, folds and undo survive.

use super::line_diff::{self, LineHunk};
use crate::edit::{Edit, EditSet};
use crate::text::{Span, lines};

/// Small edits that make `after` of `before`, with something left alone between each two: where they
/// touch, a client could not tell which comes first.
///
/// No edit begins or ends inside a character, between the two bytes of a `\r\n`, or between a
/// character and the marks that combine with it.
pub fn smallest(before: &str, after: &str) -> EditSet {
    let hunks = line_diff::hunks(before, after);
    let pairs = hunks.iter().flat_map(|hunk| pairs(before, after, hunk));
    let edits = pairs.map(|(old, new)| trimmed(before, after, old, new));
    let edits = edits.filter(|edit| !(edit.span.is_empty() && edit.text.is_empty()));
    EditSet::new(joined(edits))
        .expect("hunks and lines come one after the other, and trimming shrinks")
}

/// The same edits in order, those that touch as one.
fn joined(edits: impl Iterator<Item = Edit>) -> Vec<Edit> {
    let mut all: Vec<Edit> = Vec::new();
    for edit in edits {
        match all.last_mut() {
            Some(last) if last.span.end == edit.span.start => {
                last.span.end = edit.span.end;
                last.text.push_str(&edit.text);
            }
            _ => all.push(edit),
        }
    }
    all
}

/// Where as many lines became as many others, up to this many are edited one by one.
const LINE_BY_LINE: usize = 64;

/// What became what in a hunk: each line another one where there are as many, else the whole.
fn pairs(before: &str, after: &str, hunk: &LineHunk) -> Vec<(Span, Span)> {
    let few = |text: &str, start: usize| -> Vec<Span> {
        let mut next = start;
        let span = |line: &str| {
            let start = next;
            next += line.len();
            start..next
        };
        lines::with_endings(text).take(LINE_BY_LINE + 1).map(span).collect()
    };
    let old = few(&before[hunk.before.clone()], hunk.before.start);
    let new = few(&after[hunk.after.clone()], hunk.after.start);
    if old.len() == new.len() && old.len() <= LINE_BY_LINE {
        return old.into_iter().zip(new).collect();
    }
    vec![(hunk.before.clone(), hunk.after.clone())]
}

fn trimmed(before: &str, after: &str, old_span: Span, new_span: Span) -> Edit {
    let old = &before[old_span.clone()];
    let new = &after[new_span];
    let mut prefix = line_diff::common_prefix(old.as_bytes(), new.as_bytes());
    while !(parts(old, prefix) && parts(new, prefix)) {
        prefix -= 1;
    }
    let (old_rest, new_rest) = (&old.as_bytes()[prefix..], &new.as_bytes()[prefix..]);
    let mut suffix = line_diff::common_suffix(old_rest, new_rest);
    while !(parts(old, old.len() - suffix) && parts(new, new.len() - suffix)) {
        suffix -= 1;
    }
    Edit {
        span: old_span.start + prefix..old_span.end - suffix,
        text: new[prefix..new.len() - suffix].to_owned(),
    }
}

/// Whether `text` may be taken apart at `offset`.
fn parts(text: &str, offset: usize) -> bool {
    if offset == 0 || offset == text.len() {
        return true;
    }
    let Some((left, right)) = text.split_at_checked(offset) else { return false };
    let inside_ending = left.ends_with('\r') && right.starts_with('\n');
    !inside_ending && !left.ends_with(JOINER) && !right.starts_with(combines)
}

const JOINER: char = '\u{200d}';

/// Whether a character belongs to the one before it. The usual blocks, not the whole of UAX 29:
/// a cut elsewhere is right all the same, and only looks odd for a moment.
fn combines(char: char) -> bool {
    matches!(char,
        '\u{300}'..='\u{36f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | JOINER
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}'
        | '\u{1f3fb}'..='\u{1f3ff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The edits as `start..end=text`, one after the other.
    fn check(before: &str, after: &str, edits: &str) {
        let set = smallest(before, after);
        assert_eq!(set.apply(before), after);
        let shown: Vec<_> =
            set.iter().map(|edit| format!("{:?}={:?}", edit.span, edit.text)).collect();
        assert_eq!(shown.join(" "), edits);
    }

    #[test]
    fn nothing_but_the_change_is_touched() {
        check("same", "same", "");
        check("", "a\n", r#"0..0="a\n""#);
        check("a\n", "", r#"0..2="""#);
        check("let a = 1;\n", "let b = 1;\n", r#"4..5="b""#);
        check("a\nb\nc\nd\n", "a\nB\nc\nD\n", r#"2..3="B" 6..7="D""#);
        check("a\nc\n", "a\nb\nc\n", r#"2..2="b\n""#);
        check("a\nb\nc\n", "a\nc\n", r#"2..4="""#);
        check("a", "a\nb", r#"1..1="\nb""#);
        check("x = 1\ny = 1\n", "x = 2\ny = 2\n", r#"4..5="2" 10..11="2""#);
        check("x = 1\ny = 1\n", "x = 2\nz\ny = 2\n", r#"4..11="2\nz\ny = 2""#);
    }

    #[test]
    fn endings_and_characters_stay_whole() {
        check("a\r\nb", "a\nb", r#"1..3="\n""#);
        check("a\rb", "a\r\nb", r#"1..2="\r\n""#);
        check("a\r\nb\r\n", "a\r\nc\r\n", r#"3..4="c""#);
        check("a\nb\n", "a\r\nc\n", r#"1..3="\r\nc""#);
        check("x😀y", "x😁y", r#"1..5="😁""#);
        check("e\u{301}", "e\u{300}", "0..3=\"e\\u{300}\"");
        check("👍🏻", "👍🏽", r#"0..8="👍🏽""#);
    }

    /// Lines of a few kinds in no order, each text its own.
    fn noise(seed: u64, lines: usize, kinds: u64) -> String {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % kinds
        };
        (0..lines).map(|_| format!("{}\n", next())).collect()
    }

    #[test]
    fn long_texts_with_little_in_common_take_no_quadratic_time() {
        let unlike = (noise(1, 300_000, 50), noise(2, 300_000, 50));
        let rare = (noise(1, 200_000, 400_000), noise(2, 200_000, 400_000));
        let alternating = |odd: &str| -> String {
            (0..300_000)
                .map(|n| format!("{}{}\n", n / 2, if n % 2 == 1 { odd } else { "" }))
                .collect()
        };
        for (before, after) in [unlike, rare, (alternating("a"), alternating("b"))] {
            assert_eq!(smallest(&before, &after).apply(&before), after);
        }
    }

    #[test]
    fn far_changes_of_a_long_text_stay_apart() {
        let before = noise(1, 100_000, 1_000_000);
        let after = format!("first\n{before}last\n");
        let after = after.replacen("\n5", "\n6", 1);
        let set = smallest(&before, &after);
        assert_eq!(set.apply(&before), after);
        assert_eq!(set.len(), 3);
    }

    proptest! {
        #[test]
        fn the_edits_make_the_text(
            before in "([ab\u{301}😀é]|\r|\n|\r\n){0,40}",
            after in "([ab\u{301}😀é]|\r|\n|\r\n){0,40}",
        ) {
            let set = smallest(&before, &after);
            prop_assert_eq!(set.apply(&before), after.as_str());
            let mut last = None;
            for edit in set.iter() {
                prop_assert!(last.is_none_or(|last| last < edit.span.start), "{:?}", set);
                last = Some(edit.span.end);
                prop_assert!(parts(&before, edit.span.start) || before.as_bytes()[edit.span.start - 1] == b'\n');
                prop_assert!(!(before[..edit.span.end].ends_with('\r') && before[edit.span.end..].starts_with('\n')));
            }
        }
    }
}
