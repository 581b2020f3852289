//! How like lines are: what they are but for blanks, quotes and case, and the line most like one.

use std::hash::{BuildHasher, Hasher};

use aho_corasick::AhoCorasick;
use foldhash::fast::FixedState;

use crate::text::{lines, work};

/// How many words of the searched text are searched for, the longest first: it tells most.
const WORDS: usize = 4;
/// How many matches of each are looked at: enough to see a good place, few enough to cost nothing
/// where a word is common.
pub(super) const CANDIDATES: usize = 500;
/// How many lines of the searched text the words are taken from.
const WORDY: usize = 20;
/// How many bytes of a line are compared.
const WIDTH: usize = 400;

const WHOLE: usize = 1_000;
const HALF: usize = 500;

/// Characters that look like others or like nothing: what they look like, and their name.
const LOOK_ALIKES: &[(char, &str, &str)] = &[
    ('\u{a0}', " ", "a no-break space"),
    ('\u{202f}', " ", "a narrow no-break space"),
    ('\u{3000}', " ", "an ideographic space"),
    ('\u{ad}', "", "a soft hyphen"),
    ('\u{200b}', "", "a zero-width space"),
    ('\u{200c}', "", "a zero-width non-joiner"),
    ('\u{200d}', "", "a zero-width joiner"),
    ('\u{2060}', "", "a word joiner"),
    ('\u{feff}', "", "a byte order mark"),
    ('“', "\"", "a typographic quote"),
    ('”', "\"", "a typographic quote"),
    ('„', "\"", "a typographic quote"),
    ('‘', "'", "a typographic quote"),
    ('’', "'", "a typographic quote"),
    ('‑', "-", "a non-breaking hyphen"),
    ('–', "-", "an en dash"),
    ('—', "-", "an em dash"),
    ('−', "-", "a minus sign"),
    ('…', "...", "an ellipsis"),
];

/// Work that may still be spent, in bytes.
#[derive(Debug)]
pub(crate) struct Budget(pub usize);

impl Budget {
    /// Takes what something costs; whether there was as much.
    pub(super) fn take(&mut self, cost: usize) -> bool {
        let left = self.0.checked_sub(cost);
        self.0 = left.unwrap_or(0);
        work::add(if left.is_some() { cost } else { 0 });
        left.is_some()
    }
}

/// A number that lines have in common that are equal but for blanks, quotes, dashes and case; only
/// so many bytes of a line count as are compared.
pub(super) fn key(line: &str) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    hasher.write(fold(line, ALL).as_bytes());
    hasher.finish()
}

/// Whether a line says more than a bracket does.
pub(super) fn tells(line: &str) -> bool {
    clip(line).chars().filter(|char| char.is_alphanumeric()).nth(1).is_some()
}

/// The characters of a line with those that others look like in the place of these.
pub(super) fn plain(line: &str) -> impl Iterator<Item = char> {
    line.chars().flat_map(|char| {
        let (plain, own) = match look_alike(char) {
            Some((_, plain, _)) => (*plain, None),
            None => ("", Some(char)),
        };
        plain.chars().chain(own)
    })
}

/// The first character of a line that looks like another one or like nothing, and its name.
pub(crate) fn deceptive(line: &str) -> Option<(char, &'static str)> {
    line.chars().find_map(look_alike).map(|(char, _, name)| (*char, *name))
}

/// The name of a character that looks like another one or like nothing.
pub fn name_of(char: char) -> Option<&'static str> {
    look_alike(char).map(|(_, _, name)| *name)
}

fn look_alike(char: char) -> Option<&'static (char, &'static str, &'static str)> {
    LOOK_ALIKES.iter().find(|(other, ..)| !char.is_ascii() && *other == char)
}

/// Where the line of `text` begins that has most of one of the lines `wanted`, and which of them;
/// as far as the budget goes.
pub(crate) fn most_like(
    text: &str,
    wanted: &[&str],
    budget: &mut Budget,
) -> Option<(usize, usize)> {
    let words = words(wanted);
    let patterns = words.iter().map(|(_, word)| word);
    let search = AhoCorasick::builder().ascii_case_insensitive(true).build(patterns).ok()?;
    if words.is_empty() || !budget.take(text.len()) {
        return None;
    }
    let mut matches = [0; WORDS];
    let mut lines_of = [None; WORDS];
    let mut best: Option<(usize, usize, usize)> = None;
    let mut starts = LineStarts { text, line: 0, known: 0 };
    for found in search.find_overlapping_iter(text) {
        let word = found.pattern().as_usize();
        matches[word] += 1;
        if matches[word] > CANDIDATES {
            if matches[..words.len()].iter().all(|count| *count > CANDIDATES) {
                break;
            }
            continue;
        }
        let line = starts.at(found.start());
        if lines_of[word].replace(line) == Some(line) {
            continue;
        }
        let index = words[word].0;
        let there = first_line(clip(&text[line..]));
        if !budget.take(there.len() + clip(wanted[index]).len()) {
            break;
        }
        let score = score(there, wanted[index]);
        let better = |(best, rank, _)| score > best || score == best && word < rank;
        if score > HALF && best.is_none_or(better) {
            best = Some((score, word, line));
        }
    }
    best.map(|(_, word, line)| (line, words[word].0))
}

/// Where lines begin, asked at offsets that ascend, or go back within a line.
struct LineStarts<'a> {
    text: &'a str,
    line: usize,
    known: usize,
}

impl LineStarts<'_> {
    fn at(&mut self, offset: usize) -> usize {
        // Words that overlap are in one line, even if the later one begins first.
        let new = self.text.as_bytes().get(self.known..offset);
        if let Some(at) = new.and_then(|new| memchr::memrchr(b'\n', new)) {
            self.line = self.known + at + 1;
        }
        self.known = self.known.max(offset);
        self.line
    }
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

pub(super) fn clip(line: &str) -> &str {
    let mut end = line.len().min(WIDTH);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

pub(crate) fn first_line(text: &str) -> &str {
    lines::with_endings(text).next().map_or("", lines::without_ending)
}

/// How much of the wanted line another one has at its two ends, in thousandths.
fn score(there: &str, wanted: &str) -> usize {
    let there = fold(there, ALL);
    let wanted = fold(wanted, ALL);
    if there.contains(&wanted) {
        return WHOLE;
    }
    let same = |a: &mut dyn Iterator<Item = (char, char)>| a.take_while(|(a, b)| a == b).count();
    let prefix = same(&mut there.chars().zip(wanted.chars()));
    let suffix = same(&mut there.chars().rev().zip(wanted.chars().rev()));
    let longest = there.chars().count().max(wanted.chars().count()).max(1);
    (prefix + suffix).min(longest) * WHOLE / longest
}

/// What differs between two lines; `text` where it is more than looks.
pub(crate) fn differs(there: &str, searched: &str) -> Vec<&'static str> {
    differs_but(there, searched, |there, searched| there == searched)
}

/// The same where a line of the file counts as the searched one by a rule of its own.
pub(crate) fn differs_but(
    there: &str,
    searched: &str,
    holds: impl Fn(&str, &str) -> bool,
) -> Vec<&'static str> {
    // The fewest folds that make them equal: one bit each, single bits first.
    for bits in [1u8, 2, 4, 3, 5, 6, 7] {
        let folds = Fold { whitespace: bits & 1 > 0, quotes: bits & 2 > 0, case: bits & 4 > 0 };
        if holds(&fold(there, folds), &fold(searched, folds)) {
            let names = [(1, "whitespace"), (2, "quotes"), (4, "case")];
            return names.iter().filter(|(bit, _)| bits & bit > 0).map(|(_, name)| *name).collect();
        }
    }
    vec!["text"]
}

#[derive(Clone, Copy)]
struct Fold {
    whitespace: bool,
    quotes: bool,
    case: bool,
}

const ALL: Fold = Fold { whitespace: true, quotes: true, case: true };

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

    /// The line of `text` that is most like one of those wanted, and that one.
    fn most<'a>(text: &'a str, wanted: &[&'a str]) -> Option<(&'a str, &'a str)> {
        let (line, index) = most_like(text, wanted, &mut Budget(usize::MAX))?;
        Some((first_line(&text[line..]), wanted[index]))
    }

    #[test]
    fn the_line_most_like_one_has_a_word_of_it_and_more_than_half_of_its_ends() {
        for (text, wanted, expected) in [
            ("one\nlet total = 1;\nthree\n", "let total = 2;", Some("let total = 1;")),
            // The best one, wherever it is.
            ("total = 9;\nlet total = 1;\nlet total;\n", "let total = 2;", Some("let total = 1;")),
            ("let total = 1;\ntotal = 9;\n", "let total = 2;", Some("let total = 1;")),
            // Of equal ones the first.
            ("let total = 1;\nlet total = 3;\n", "let total = 2;", Some("let total = 1;")),
            // A half is not more than a half.
            ("ab yy\n", "ab zz", None),
            ("abc yy\n", "abc zz", Some("abc yy")),
            ("name_1\nabcd name\n", "name_2", None),
            // No word, or none that is there.
            ("{\n", "{", None),
            ("let total = 1;\n", "other", None),
        ] {
            let found = most(text, &[wanted]);
            assert_eq!(found.map(|(line, _)| line), expected, "{text:?} {wanted:?}");
        }
        // Of equal ones that of the longest word, which tells most.
        let wanted = ["b = 1;", "long_name = 1;", "name = 1;"];
        let text = "name = 1;\nlong_name = 1;\nname = 1;\n";
        assert_eq!(most(text, &wanted), Some((wanted[1], wanted[1])));
    }

    #[test]
    fn a_word_that_is_everywhere_is_looked_at_so_often_and_no_more() {
        let common = |times: usize| "x word\n".repeat(times) + "word two\n";
        let wanted = ["word two"];
        // `two` is in one line alone, and leads to it.
        assert_eq!(most(&common(2 * CANDIDATES), &wanted), Some((wanted[0], wanted[0])));
        assert_eq!(most(&common(CANDIDATES - 1), &["word tw0"]), Some((wanted[0], "word tw0")));
        assert_eq!(most(&common(CANDIDATES), &["word tw0"]), None);
        // A line is looked at once for a word, however often the word is in it.
        let line = format!("{}\n", "word ".repeat(300));
        let mut budget = Budget(usize::MAX);
        most_like(&line, &["word"], &mut budget);
        assert_eq!(usize::MAX - budget.0, line.len() + WIDTH + "word".len());
    }

    #[test]
    fn so_many_bytes_of_a_line_are_compared_and_no_half_of_a_character() {
        let ascii = "a".repeat(WIDTH - 1);
        for (line, clipped) in [
            (format!("{ascii}bc"), format!("{ascii}b")),
            (format!("{ascii}é"), ascii.clone()),
            (format!("{ascii}😀"), ascii.clone()),
            (ascii.clone(), ascii.clone()),
            (String::new(), String::new()),
        ] {
            assert_eq!(clip(&line), clipped);
        }
    }

    #[test]
    fn what_differs_is_named_with_the_fewest_words() {
        for (there, searched, expected) in [
            ("a  b", "a b", &["whitespace"][..]),
            ("‘a’ – b…", "\"a\" - b...", &["quotes"]),
            ("wait…", "wait...", &["quotes"]),
            ("a — b", "a - b", &["quotes"]),
            ("Name", "name", &["case"]),
            ("“A”", "\"a\"", &["quotes", "case"]),
            ("a  –", "a -", &["whitespace", "quotes"]),
            ("a", "b", &["text"]),
        ] {
            assert_eq!(differs(there, searched), expected, "{there} {searched}");
        }
    }
}
