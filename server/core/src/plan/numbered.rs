//! Lines that a block names, and lines after their numbers.

use super::Issue;
use crate::problem::PLAN_INVALID_LINES;
use crate::spec::FieldRole;
use crate::text::lines;

/// Lines as a block names them, from 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines {
    pub first: usize,
    pub last: usize,
}

impl Lines {
    /// Reads `4` or `23-43`.
    pub(super) fn parse(written: &str) -> Result<Lines, Box<Issue>> {
        let issue = |message| Issue::new(PLAN_INVALID_LINES, FieldRole::Lines, message);
        let number = |text: &str| {
            let text = text.trim();
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().ok()).flatten().filter(|number| *number > 0)
        };
        let invalid = || issue(format!("Invalid line specification '{written}'"));
        let (first, last) = match written.split_once('-') {
            None => (written, written),
            Some(both) => both,
        };
        let (first, last) = number(first).zip(number(last)).ok_or_else(invalid)?;
        if first > last {
            let message = format!("Invalid line range '{written}' (start must be <= end)");
            return Err(issue(message));
        }
        Ok(Lines { first, last })
    }
}

/// The lines that are wanted and there, each after its number, right-aligned to the widest, where
/// there is a delimiter.
pub(super) fn numbered(text: &str, wanted: Option<Lines>, delimiter: Option<&str>) -> String {
    let total = lines::count(text);
    let wanted = wanted.unwrap_or(Lines { first: 1, last: total });
    let last = wanted.last.min(total);
    let width = last.to_string().len();
    let numbered = (1..).zip(lines::with_endings(text)).skip(wanted.first - 1);
    let numbered = numbered.take_while(|(number, _)| *number <= last);
    let numbered = numbered.map(|(number, line)| match delimiter {
        Some(delimiter) => format!("{number:>width$}{delimiter}{}", lines::without_ending(line)),
        None => lines::without_ending(line).to_owned(),
    });
    numbered.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, lines: Option<&str>, delimiter: &str, expected: &str) {
        let lines = lines.map(|lines| Lines::parse(lines).unwrap());
        assert_eq!(numbered(text, lines, Some(delimiter)), expected);
    }

    #[test]
    fn lines_stand_behind_their_numbers() {
        let many: Vec<String> = (1..=105).map(|n| format!("Line {n}")).collect();
        let many = many.join("\n");
        check("Line 1\nLine 2\nLine 3", Some("2"), ": ", "2: Line 2");
        check("First\nSecond\nThird\nFourth", Some("2-3"), ": ", "2: Second\n3: Third");
        check("A\nB\nC", Some("1-2"), "    ", "1    A\n2    B");
        check("One\nTwo\nThree", Some("2"), "", "2Two");
        check("Only\nTwo", Some("5"), ": ", "");
        check("One\nTwo\nThree", Some("2-10"), ": ", "2: Two\n3: Three");
        check("", Some("1"), ": ", "");
        check("", None, ": ", "");
        check("Just one line", Some("1"), ": ", "1: Just one line");
        check(&many, Some("9-11"), ": ", " 9: Line 9\n10: Line 10\n11: Line 11");
        check(&many, Some("98-100"), ": ", " 98: Line 98\n 99: Line 99\n100: Line 100");
        check("Line A\nLine B\r\nLine C\n", None, ": ", "1: Line A\n2: Line B\n3: Line C");
    }

    #[test]
    fn what_names_no_lines() {
        for written in ["abc", "-5", "-1-5", "1-2-3", "", "0", "4x", "1-", "+5", "1-+5", "٣"] {
            let issue = Lines::parse(written).unwrap_err();
            assert_eq!(issue.message, format!("Invalid line specification '{written}'"));
        }
        let issue = Lines::parse("5-3").unwrap_err();
        assert_eq!(issue.message, "Invalid line range '5-3' (start must be <= end)");
    }
}
