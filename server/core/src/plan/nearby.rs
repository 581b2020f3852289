//! Where a text that is not in a file nearly is, and what differs there, in bounded time.

use aho_corasick::AhoCorasick;

use crate::text::find;
use crate::text::lines;
use crate::text::one_line;

/// How many words of the searched text are searched for, the longest first: it tells most.
const WORDS: usize = 4;
/// How many matches of each are looked at: enough to see a good place, few enough to cost nothing
/// where a word is common.
const CANDIDATES: usize = 500;
/// How many lines of the searched text the words are taken from.
const WORDY: usize = 20;
/// How many bytes of a line are compared.
const WIDTH: usize = 400;

const FINAL_NEWLINE: &str = "final newline";

/// A place that resembles a searched text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Near {
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
            "the nearest is line {}, which differs in {differs}: there `{there}`, searched `{searched}`",
            self.line
        )
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
    Some(Near {
        line: lines::number_at(text, place.start),
        there: first_line(&text[place]).to_owned(),
        searched: first_line(needle).to_owned(),
        differs: vec!["ending"],
    })
}

fn first_line(text: &str) -> &str {
    lines::with_endings(text).next().map_or("", lines::without_ending)
}

fn similar(text: &str, needle: &str) -> Option<Near> {
    let wanted: Vec<&str> = lines::with_endings(needle).map(lines::without_ending).collect();
    let mut best: Option<(u32, usize, usize)> = None;
    for (index, word) in words(&wanted) {
        let search = AhoCorasick::builder().ascii_case_insensitive(true).build([word]).ok()?;
        // The line of the last match, and how far it is known to go.
        let mut last: Option<(usize, usize)> = None;
        for found in search.find_iter(text).take(CANDIDATES) {
            let (known, from) = last.unwrap_or_default();
            let start = memchr::memrchr(b'\n', &text.as_bytes()[from..found.start()]);
            let line = start.map_or(known, |at| from + at + 1);
            let again = last.is_some() && start.is_none();
            last = Some((line, found.start()));
            if again {
                continue;
            }
            let score = score(&text[line..], wanted[index]);
            if score > best.map_or(HALF, |(best, ..)| best) {
                best = Some((score, line, index));
            }
        }
        if best.is_some_and(|(score, ..)| score == WHOLE) {
            break;
        }
    }
    let (_, line, index) = best?;
    difference(text, line, &wanted, index)
}

/// The longest words of the lines and the line that each is in.
fn words<'n>(wanted: &[&'n str]) -> Vec<(usize, &'n str)> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    for (index, line) in wanted.iter().take(WORDY).enumerate() {
        let parts = clip(line).split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        words.extend(parts.filter(|word| word.len() > 1).map(|word| (index, word)));
    }
    words.sort_by_key(|(index, word)| (std::cmp::Reverse(word.len()), *index));
    words.dedup_by(|a, b| a.1.eq_ignore_ascii_case(b.1));
    words.truncate(WORDS);
    words
}

fn line_start(text: &str, offset: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |at| at + 1)
}

fn clip(line: &str) -> &str {
    let mut end = line.len().min(WIDTH);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

const WHOLE: u32 = 1_000;
const HALF: u32 = 500;

/// How much of the wanted line the first line of `rest` has at its two ends, in thousandths.
fn score(rest: &str, wanted: &str) -> u32 {
    let there = fold(first_line(clip(rest)), ALL);
    let wanted = fold(wanted, ALL);
    if there.contains(&wanted) {
        return WHOLE;
    }
    let same = |a: &mut dyn Iterator<Item = (char, char)>| a.take_while(|(a, b)| a == b).count();
    let prefix = same(&mut there.chars().zip(wanted.chars()));
    let suffix = same(&mut there.chars().rev().zip(wanted.chars().rev()));
    let longest = there.chars().count().max(wanted.chars().count()).max(1);
    let share = (prefix + suffix).min(longest) * WHOLE as usize / longest;
    u32::try_from(share).unwrap_or(WHOLE)
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
                line: number + at,
                there: there.to_owned(),
                searched: (*searched).to_owned(),
                differs: part.differs(there, searched),
            });
        }
    }
    // All lines are there, so what is missing is the end of the last one.
    let last = wanted.len().checked_sub(1)?;
    let text = wanted[last].to_owned();
    let differs = vec![FINAL_NEWLINE];
    Some(Near { line: number + last, there: text.clone(), searched: text, differs })
}

#[derive(Clone, Copy)]
struct Fold {
    whitespace: bool,
    quotes: bool,
    case: bool,
}

const ALL: Fold = Fold { whitespace: true, quotes: true, case: true };

/// What differs between two lines; `text` where it is more than looks.
pub(super) fn differs(there: &str, searched: &str) -> Vec<&'static str> {
    Part { open_start: false, open_end: false }.differs(there, searched)
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

    fn differs(self, there: &str, searched: &str) -> Vec<&'static str> {
        // The fewest folds that make them equal: one bit each, single bits first.
        for bits in [1u8, 2, 4, 3, 5, 6, 7] {
            let folds = Fold { whitespace: bits & 1 > 0, quotes: bits & 2 > 0, case: bits & 4 > 0 };
            if self.holds(&fold(there, folds), &fold(searched, folds)) {
                let names = [(1, "whitespace"), (2, "quotes"), (4, "case")];
                return names
                    .iter()
                    .filter(|(bit, _)| bits & bit > 0)
                    .map(|(_, name)| *name)
                    .collect();
            }
        }
        vec!["text"]
    }
}

fn fold(line: &str, folds: Fold) -> String {
    let mut folded = String::with_capacity(line.len());
    for char in clip(line).chars() {
        let blank = char.is_whitespace() || matches!(char, '\u{200b}' | '\u{feff}');
        match char {
            _ if folds.whitespace && blank => {}
            '“' | '”' | '„' | '«' | '»' | '\'' | '‘' | '’' | '`' | '´' if folds.quotes =>
            {
                folded.push('"');
            }
            '–' | '—' | '‑' | '−' if folds.quotes => folded.push('-'),
            '…' if folds.quotes => folded.push_str("..."),
            _ if folds.case => folded.extend(char.to_lowercase()),
            _ => folded.push(char),
        }
    }
    folded
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
