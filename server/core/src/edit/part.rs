//! A part of a change of a text: some of its separate hunks.

use super::line_diff::{self, LineHunk};
use crate::text::lines::{self, Ending};

/// How many letters and digits a line has that is not in most files.
const SAYS_MUCH: usize = 6;
/// How many lines above and below a place are near it.
const NEAR: usize = 20;

/// Whole lines that become other whole lines; a line that stays is between two hunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Hunk {
    /// The 1-based number of the first line in the text before; where no line goes, that of the
    /// line before which others come.
    pub first: usize,
    /// How many lines go.
    pub removed: usize,
    /// How many lines come in their place.
    pub added: usize,
}

/// The separate hunks of a change, in order.
pub fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    let hunk = |hunk: LineHunk| Hunk {
        first: hunk.before_line + 1,
        removed: lines::count(&before[hunk.before]),
        added: lines::count(&after[hunk.after]),
    };
    line_diff::hunks(before, after).into_iter().map(hunk).collect()
}

/// The 1-based number of a line in the text before, where a hunk of a change only adds lines and all
/// of them are near that place already, and lines that `counts` accepts. Lines of few letters and digits
/// are in most files and say nothing. Blanks around lines do not count.
pub fn line_of_added(before: &str, after: &str, counts: impl Fn(&str) -> bool) -> Option<usize> {
    let says_much =
        |line: &&str| line.chars().filter(|it| it.is_alphanumeric()).count() >= SAYS_MUCH;
    let there: Vec<&str> = before.lines().map(str::trim).collect();
    let hunks = line_diff::hunks(before, after).into_iter();
    hunks.filter(|hunk| hunk.before.is_empty()).find_map(|hunk| {
        let (first, last) = (hunk.before_line.saturating_sub(NEAR), hunk.before_line + NEAR);
        let near = there.get(first..last.min(there.len()))?;
        let mut added = after[hunk.after].lines().map(str::trim);
        let line = added.clone().find(says_much)?;
        let at = near.iter().position(|it| *it == line)?;
        let is_there = |line: &str| line.is_empty() || near.contains(&line) && counts(line);
        added.all(is_there).then_some(first + at + 1)
    })
}

/// The lines of the text after a change from the first new one to the last.
pub fn changed_lines<'t>(before: &str, after: &'t str) -> &'t str {
    let (start, tail) = line_diff::sure_lines(before, after);
    &after[start..after.len() - tail]
}

/// The lines that a change adds, without the blanks around them.
pub fn added_lines<'t>(before: &str, after: &'t str) -> impl Iterator<Item = &'t str> {
    let hunks = line_diff::hunks(before, after).into_iter();
    hunks.flat_map(move |hunk| after[hunk.after].lines()).map(str::trim)
}

/// All that changes as one hunk, with what stays between its lines, and with each line that may have
/// come or gone, where equal ones are beside it; `None` where no line changes. Lines end with `\n`, `\r\n`
/// or `\r`.
pub fn whole_hunk(before: &str, after: &str) -> Option<Hunk> {
    if before == after {
        return None;
    }
    let (start, tail) = line_diff::sure_lines(before, after);
    Some(Hunk {
        first: lines::count_with_cr(&before[..start]) + 1,
        removed: lines::count_with_cr(&before[start..before.len() - tail]),
        added: lines::count_with_cr(&after[start..after.len() - tail]),
    })
}

impl Hunk {
    /// The 1-based number that a line has once the change is made; `None` for a line that it takes
    /// away or may have changed.
    pub fn line_after(&self, line: usize) -> Option<usize> {
        match line {
            line if line < self.first => Some(line),
            line => {
                (line - self.first).checked_sub(self.removed).map(|it| self.first + self.added + it)
            }
        }
    }
}

/// The text before with those hunks of a change, by their 0-based numbers, that are taken.
pub fn with_hunks(before: &str, after: &str, is_taken: impl Fn(usize) -> bool) -> String {
    let mut text = String::with_capacity(before.len().max(after.len()));
    let mut done = 0;
    for (number, hunk) in line_diff::hunks(before, after).into_iter().enumerate() {
        push(&mut text, &before[done..hunk.before.start]);
        let lines =
            if is_taken(number) { &after[hunk.after] } else { &before[hunk.before.clone()] };
        push(&mut text, lines);
        done = hunk.before.end;
    }
    push(&mut text, &before[done..]);
    text
}

/// Adds lines. What was a last line without an ending gets one, as the line before it has.
fn push(text: &mut String, lines: &str) {
    if !lines.is_empty() && !text.is_empty() && !text.ends_with('\n') {
        let before = text.rfind('\n').map(|at| &text[..=at]);
        let ending = before.and_then(Ending::of_line).unwrap_or(Ending::Lf);
        text.push_str(ending.as_str());
    }
    text.push_str(lines);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(before: &str, after: &str, taken: &[usize], expected: &str) {
        assert_eq!(with_hunks(before, after, |number| taken.contains(&number)), expected);
    }

    #[test]
    fn lines_that_are_added_once_more() {
        let line = |before: &str, added: &str| {
            line_of_added(before, &before.replace("here\n", &format!("here\n{added}")), |_| true)
        };
        assert_eq!(line("here\na new line\n", "a new line\n"), Some(2));
        assert_eq!(line("here\ntyped\n  a new line\n}\n", "\n}\na new line\n"), Some(3));
        assert_eq!(line("here\na new line\n", "a new line\n}\n"), None, "not all are there");
        assert_eq!(line("here\n}\n", "}\n"), None, "such a line is in most files");
        let far = format!("a new line\n{}here\nmore\n", "x\n".repeat(20));
        assert_eq!(line(&far, "a new line\n"), None, "it is far away");
        assert_eq!(line(&far[13..], "a new line\n"), None);
        assert_eq!(line(&format!("x\na new line\n{}", &far[15..]), "a new line\n"), Some(2));
        assert_eq!(
            line_of_added("an old line\na new line\n", "a new line\na new line\n", |_| true),
            None
        );
    }

    #[test]
    fn lines_of_a_change() {
        assert_eq!(changed_lines("a\nb\nc\nd\n", "a\nx\nc\ny\nd\n"), "x\nc\ny\n");
        let added = |before, after| added_lines(before, after).collect::<Vec<_>>().join("|");
        assert_eq!(added("a\nb\nc\n", "a\n x\nc\n\ty\nz\n"), "x|y|z");
        assert_eq!(added("a\nb\n", "a\n"), "");
    }

    #[test]
    fn some_hunks_are_taken_and_the_others_left() {
        let (before, after) = ("a\nb\nc\nd\ne\n", "A\nb\nc\nx\nd\n");
        let all = [(1, 1, 1), (4, 0, 1), (5, 1, 0)];
        let all = all.map(|(first, removed, added)| Hunk { first, removed, added });
        assert_eq!(hunks(before, after), all);
        check(before, after, &[0], "A\nb\nc\nd\ne\n");
        check(before, after, &[1], "a\nb\nc\nx\nd\ne\n");
        check(before, after, &[0, 2], "A\nb\nc\nd\n");
        check(before, after, &[], before);
        check(before, after, &[0, 1, 2], after);
        assert_eq!(hunks("", "a\n"), [Hunk { first: 1, removed: 0, added: 1 }]);
    }

    #[test]
    fn a_line_that_stays_is_found_again_below_all_that_changes() {
        let hunk = |before: &str, after: &str| {
            whole_hunk(before, after).map(|it| (it.first, it.removed, it.added))
        };
        assert_eq!(hunk("a\nb\n", "a\nb\n"), None);
        assert_eq!(hunk("a\nb\nc\nd\ne\n", "a\nB\nc\nx\nd\ne\n"), Some((2, 2, 3)));
        assert_eq!(hunk("a\n", "x\na\n"), Some((1, 0, 1)));
        assert_eq!(hunk("a", "a\n"), Some((1, 1, 1)));
        // Which of equal lines has come or gone is not to be seen.
        assert_eq!(hunk("b\nc\nb\n", "b\nc\nc\nb\n"), Some((2, 1, 2)));
        assert_eq!(hunk("b\nc\nc\nb\n", "b\nc\nb\n"), Some((2, 2, 1)));
        assert_eq!(hunk("a\na\n", "a\n"), Some((1, 2, 1)));
        assert_eq!(hunk("a\rb\r\nc\r\n", "a\rb\r\nx\ry\r\nc\r\n"), Some((3, 0, 2)));
        let hunk = Hunk { first: 2, removed: 2, added: 3 };
        let all = [Some(1), None, None, Some(5), Some(6)];
        assert_eq!([1, 2, 3, 4, 5].map(|line| hunk.line_after(line)), all);
    }

    #[test]
    fn the_last_line_may_have_no_ending() {
        check("a\nb", "a\nb\nc", &[0], "a\nb\nc");
        check("a\nb\nc", "A\nb\nC\n", &[0], "A\nb\nc");
        check("a\nb\nc", "A\nb\nC\n", &[1], "a\nb\nC\n");
    }

    proptest! {
        /// Every line outside of an edit is found where it is, or is not found.
        #[test]
        fn a_line_that_is_found_again_is_where_it_is(
            lines in "[ab]{1,10}", new in "[ab]{0,4}", at in 0usize..10, removed in 0usize..4,
        ) {
            let text = |lines: &str| lines.chars().map(|it| format!("{it}\n")).collect::<String>();
            let (start, end) = (at.min(lines.len()), (at + removed).min(lines.len()));
            let after = format!("{}{new}{}", &lines[..start], &lines[end..]);
            let Some(hunk) = whole_hunk(&text(&lines), &text(&after)) else { return Ok(()) };
            for number in 1..=start {
                prop_assert!(hunk.line_after(number).is_none_or(|now| now == number));
            }
            for number in end + 1..=lines.len() {
                let now = number + new.len() - (end - start);
                prop_assert!(hunk.line_after(number).is_none_or(|found| found == now));
            }
        }

        /// A line that is found again is the same one, and only lines of the hunk are not found.
        #[test]
        fn a_line_that_is_found_again_is_the_same(
            before in "([ab](\n|\r\n|\r)){0,8}[ab]?", after in "([ab](\n|\r\n|\r)){0,8}[ab]?",
        ) {
            let Some(hunk) = whole_hunk(&before, &after) else { return Ok(()) };
            let line = |text: &str, number: usize| {
                lines::spans(text).get(number - 1).map(|span| text[span.clone()].to_owned())
            };
            let all = lines::count_with_cr(&before);
            let gone = (1..=all).filter(|number| hunk.line_after(*number).is_none()).count();
            prop_assert_eq!(gone, hunk.removed);
            for number in 1..=all {
                if let Some(now) = hunk.line_after(number) {
                    prop_assert_eq!(line(&before, number), line(&after, now));
                }
            }
            prop_assert_eq!(all + hunk.added - hunk.removed, lines::count_with_cr(&after));
        }

        /// All hunks make the text after, none the text before; each line of another choice is
        /// where one of both texts has it.
        #[test]
        fn all_none_and_each_by_itself(
            before in "([abc]\n){0,12}[abc]?", after in "([abc]\n){0,12}[abc]?",
        ) {
            let all = hunks(&before, &after);
            prop_assert_eq!(with_hunks(&before, &after, |_| true), after.clone());
            prop_assert_eq!(with_hunks(&before, &after, |_| false), before.clone());
            for (number, hunk) in all.iter().enumerate() {
                let one = with_hunks(&before, &after, |it| it == number);
                let lines = lines::count(&before) + hunk.added - hunk.removed;
                prop_assert_eq!(lines::count(&one), lines);
                // The same lines come one after the other, whatever was taken first.
                let rest = with_hunks(&before, &after, |it| it != number);
                let lines = lines::count(&after) + hunk.removed - hunk.added;
                prop_assert_eq!(lines::count(&rest), lines);
            }
        }
    }
}
