//! Where a text that is not in a file nearly is, and what differs there, in bounded time.

use serde_json::{Value, json};

use super::hunks::SHOWN;
use crate::place::like::{self, Budget, first_line};
use crate::text::find;
use crate::text::lines;
use crate::text::one_line;

const FINAL_NEWLINE: &str = "final newline";

/// A place that resembles a searched text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Near {
    /// The 1-based line of the file that the searched text's first line is nearest to.
    pub first: usize,
    /// The 1-based line of the file that differs first.
    pub line: usize,
    /// What is there.
    pub there: String,
    /// What the searched text has instead.
    pub searched: String,
    /// What differs: `whitespace`, `quotes`, `case`, `ending`, `final newline`,
    /// `text`.
    pub differs: Vec<&'static str>,
}

impl Near {
    /// The lines of the file that the searched text is nearest to, the first of many, for a reply.
    /// So many lines of the file are above the text.
    pub(super) fn quoted(&self, text: &str, needle: &str, above: usize) -> Value {
        let all = lines::with_endings(text).map(lines::without_ending);
        let wanted = lines::with_endings(needle).count().clamp(1, SHOWN);
        let there: Vec<&str> = all.skip(self.first - 1 - above).take(wanted).collect();
        json!({"line": self.first, "text": there.join("\n")})
    }

    /// One sentence about the place.
    pub(super) fn sentence(&self) -> String {
        if self.differs == ["ending"] {
            return format!(
                "line {} differs in line endings only: where the searched text holds a carriage \
                 return, `\\r\\n` and `\\n` are not equal",
                self.line
            );
        }
        if self.differs == [FINAL_NEWLINE] {
            return format!(
                "line {} is the file's last and has no newline after it, and the searched text has",
                self.line
            );
        }
        let (there, searched) = (excerpt(&self.there), excerpt(&self.searched));
        let differs = self.differs.join(" and ");
        format!(
            "the nearest is line {}, which differs in {differs}: there `{there}`, searched `{searched}`{}",
            self.line,
            self.invisible()
        )
    }
}

impl Near {
    /// What of the difference cannot be seen: a character that looks like another, by its name.
    fn invisible(&self) -> String {
        let has = |whose: &str, line: &str, other: &str| {
            let (char, name) = like::deceptive(line)?;
            let number = u32::from(char);
            (!other.contains(char)).then(|| format!("; {whose} has U+{number:04X}, {name}"))
        };
        has("the searched text", &self.searched, &self.there)
            .or_else(|| has("the file", &self.there, &self.searched))
            .unwrap_or_default()
    }
}

fn excerpt(line: &str) -> String {
    one_line::excerpt(line, 100)
}

/// The place in `text` that is most like `needle`, which is not in it.
pub(super) fn nearest(text: &str, needle: &str) -> Option<Near> {
    other_endings(text, needle).or_else(|| similar(text, needle))
}

fn other_endings(text: &str, needle: &str) -> Option<Near> {
    let unix = needle.contains('\r').then(|| needle.replace("\r\n", "\n"))?;
    let place = find::matches(text, &unix, 1).pop()?;
    let line = lines::number_at(text, place.start);
    Some(Near {
        first: line,
        line,
        there: first_line(&text[place]).to_owned(),
        searched: first_line(needle).to_owned(),
        differs: vec!["ending"],
    })
}

fn similar(text: &str, needle: &str) -> Option<Near> {
    let wanted: Vec<&str> = lines::with_endings(needle).map(lines::without_ending).collect();
    let (line, index) = like::most_like(text, &wanted, &mut Budget(usize::MAX))?;
    difference(text, line, &wanted, index)
}

fn line_start(text: &str, offset: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |at| at + 1)
}

/// The first line that differs when line `index` of `wanted` is laid on the one at `line`.
fn difference(text: &str, line: usize, wanted: &[&str], index: usize) -> Option<Near> {
    let mut start = line;
    for _ in 0..index {
        start = line_start(text, start.checked_sub(1)?);
    }
    let number = lines::number_at(text, start);
    let mut there = lines::with_endings(&text[start..]).map(lines::without_ending);
    for (at, searched) in wanted.iter().enumerate() {
        let there = there.next().unwrap_or_default();
        let part = Part { open_start: at == 0, open_end: at + 1 == wanted.len() };
        if !part.holds(there, searched) {
            return Some(Near {
                first: number,
                line: number + at,
                there: there.to_owned(),
                searched: (*searched).to_owned(),
                differs: like::differs_but(there, searched, |a, b| part.holds(a, b)),
            });
        }
    }
    // All lines are there, so what is missing is the end of the last one.
    let last = wanted.len().checked_sub(1)?;
    let text = wanted[last].to_owned();
    let differs = vec![FINAL_NEWLINE];
    Some(Near { first: number, line: number + last, there: text.clone(), searched: text, differs })
}

/// Which ends of a searched line may lie inside a line of the file: the first line's start and the
/// last line's end.
#[derive(Clone, Copy)]
struct Part {
    open_start: bool,
    open_end: bool,
}

impl Part {
    fn holds(self, there: &str, searched: &str) -> bool {
        match (self.open_start, self.open_end) {
            (true, true) => there.contains(searched),
            (true, false) => there.ends_with(searched),
            (false, true) => there.starts_with(searched),
            (false, false) => there == searched,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, needle: &str, line: usize, what: &[&str]) {
        let near = nearest(text, needle).unwrap_or_else(|| panic!("{needle:?} near {text:?}"));
        assert_eq!((near.line, near.differs.as_slice()), (line, what), "{near:?}");
    }

    #[test]
    fn what_differs_is_named() {
        let text = "fn main() {\n\tprintln!(\"hello\");\n}\n";
        check(text, "    println!(\"hello\");", 2, &["whitespace"]);
        check(text, "println!(“hello”);", 2, &["quotes"]);
        check(text, "PRINTLN!(\"Hello\");", 2, &["case"]);
        check(text, "  println!(“hello”);", 2, &["whitespace", "quotes"]);
        check(text, "println!(\"hallo\");", 2, &["text"]);
        check(text, "PRINTLN!", 2, &["case"]);
        check(text, "main() {\nprintln!(\"hello\");", 2, &["whitespace"]);
        check(text, "fn main() {\n    println!(\"hello\");\n}", 2, &["whitespace"]);
        check("a\nb\n", "a\r\nb", 1, &["ending"]);
        check("one\ntwo", "one\ntwo\n", 2, &[FINAL_NEWLINE]);
        check("one\ntwo", "two\n", 2, &[FINAL_NEWLINE]);
        let long: String = (0..50).map(|n| format!("line {n}\n")).collect();
        check(&long, &long.replace("line 40", "line  40"), 41, &["whitespace"]);
        assert_eq!(nearest(text, "something quite different"), None);
        assert_eq!(nearest("", "x"), None);
    }

    #[test]
    fn a_character_that_cannot_be_seen_is_named() {
        let near = nearest("    return 1\n", "\u{a0}\u{a0}  return 1").unwrap();
        let says = near.sentence();
        assert!(says.ends_with("; the searched text has U+00A0, a no-break space"), "{says}");
        let near = nearest("let total\u{200b} = sum(all);\n", "let total = sum(all);").unwrap();
        assert!(near.sentence().ends_with("; the file has U+200B, a zero-width space"));
        let near = nearest("    return 1\n", "  return 1 ").unwrap();
        assert!(near.sentence().ends_with('`'), "{}", near.sentence());
    }

    #[test]
    fn the_best_of_several_is_taken() {
        let text = "let total = a;\nlet total = sum(values);\nlet total = b;\n";
        check(text, "let  total = sum(values);", 2, &["whitespace"]);
    }

    #[test]
    fn a_miss_in_a_long_line_of_one_word_ends_soon() {
        let text = "word ".repeat(1_000_000);
        assert_eq!(nearest(&text, "word salad of quite another kind"), None);
    }

    #[test]
    fn a_miss_in_a_long_file_of_one_word_ends_soon() {
        let text = "word word word word\n".repeat(100_000);
        assert_eq!(nearest(&text, "word salad of quite another kind"), None);
    }
}
