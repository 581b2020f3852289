//! What the lines between a path and a block, or between two blocks, may say of a file.

use super::path_line::{is_file, is_path, numbered};
use super::turns::is_role;

/// What has a slash or a dot in it and is not the name of a file.
const WORDS: &[&str] = &[
    "and/or",
    "either/or",
    "e.g",
    "i.e",
    "a.k.a",
    "n/a",
    "w/o",
    ".net",
    "asp.net",
    "node.js",
    "next.js",
    "vue.js",
    "nuxt.js",
    "express.js",
    "three.js",
    "d3.js",
];
/// Words that a line may have alone without being the name of a file.
const ALONE: &[&str] =
    &["and", "then", "also", "or", "next", "now", "finally", "first", "second", "third"];
/// What a line says before the name of a file.
const LABELS: &[&str] = &["file", "filename", "filepath", "path"];
/// Whether a line is a heading of Markdown.
pub fn is_heading(line: &str) -> bool {
    let text = line.trim_start_matches(' ');
    let rest = text.trim_start_matches('#');
    (1..=6).contains(&(text.len() - rest.len())) && rest.starts_with([' ', '\t'])
}

/// Whether a line, or what comes after a fence, may name a file. A line that names none for sure
/// has plain words alone.
pub fn may_name(text: &str, is_line: bool) -> bool {
    let spans = || text.split('`').skip(1).step_by(2);
    let has_code = spans().any(|code| !code.trim().is_empty() && !code.trim_end().ends_with(')'));
    let is_odd = text.matches('`').count() % 2 == 1;
    has_code
        || is_odd
        || has_tag(text)
        || has_label(text)
        || words(text).any(|word| is_known(word) || has_slash(word) || has_dot(word))
        || is_line && is_alone(text)
}

/// Words of a label that say that the text below is the old one, or not to be used.
const OLD: &[&str] = &["before", "old", "original", "previous", "bad", "wrong", "incorrect"];
/// Words that such a label may have besides.
const BESIDES: &[&str] = &[
    "the",
    "your",
    "version",
    "code",
    "file",
    "implementation",
    "text",
    "content",
    "contents",
    "example",
    "for",
    "comparison",
    "reference",
];
/// What it may say of the use of that text.
const UNUSED: [&str; 3] = ["do not use", "don't use", "don’t use"];

/// Whether a line is a label of text that is the old one, and not a sentence: `### Before`, `**Old
/// version (do not use)**`, `Your original code:`, `❌ Bad`.
pub fn labels_old(line: &str) -> bool {
    let text = line.trim();
    let is_bold = text.starts_with("**") && text.trim_end_matches([':', '：']).ends_with("**");
    let is_crossed = text.starts_with(['❌', '✗', '✘']);
    if !(is_heading(line) || is_bold || is_crossed || text.ends_with([':', '：'])) {
        return false;
    }
    let text = UNUSED.iter().fold(text.to_lowercase(), |text, unused| text.replace(unused, ""));
    let words = || text.split(|char: char| !char.is_alphanumeric()).filter(|it| !it.is_empty());
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    words().any(|word| OLD.contains(&word))
        && words().all(|word| OLD.contains(&word) || BESIDES.contains(&word) || is_number(word))
}

/// Whether a line between a path and its block is about a file too, and not in a sentence alone: the
/// path above it may then be that of another edit. Code spans are parts of sentences.
pub fn is_about_file(line: &str) -> bool {
    let plain: String = line.split('`').step_by(2).collect();
    let names = |word: &str| is_path(word, false) && is_file(word) && !is_word(word);
    line.trim_start().starts_with("</")
        || has_label(&plain)
        || is_role(line)
        || words(&plain).any(names)
}

/// The paths that a line has among its words, in code spans first.
pub fn paths_in(line: &str) -> Vec<String> {
    let spans = line.split('`').skip(1).step_by(2);
    let code = spans.filter(|text| is_path(text, false));
    let plain = line.split('`').step_by(2).flat_map(words);
    let plain = plain.filter(|word| is_path(word, false) && is_file(word) && !is_word(word));
    code.chain(plain).map(str::to_owned).collect()
}

/// The words of a text, without the signs around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = |char: char| char.is_whitespace() || "\"'=“”‘’«»<>|,;:*：".contains(char);
    let before = |char: char| !char.is_alphanumeric() && !"./\\~_@[(".contains(char);
    let after = |char: char| !char.is_alphanumeric() && !"_])/\\".contains(char);
    let words = text.split(parts).map(move |word| {
        let word = word.trim_start_matches(before).trim_end_matches(after);
        let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        inner.unwrap_or(word)
    });
    words.filter(|word| word.contains(char::is_alphanumeric))
}

fn is_word(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', '[', ']']);
    WORDS.contains(&word.to_lowercase().as_str())
}

/// Whether a word is a name that files are known by.
fn is_known(word: &str) -> bool {
    !word.contains(['.', '/', '\\']) && is_path(word, false)
}

fn has_slash(word: &str) -> bool {
    word.contains(['/', '\\']) && !is_word(word)
}

/// Whether a word has what may be an extension, or begins with a dot.
fn has_dot(word: &str) -> bool {
    let mut before = ' ';
    let mut found = false;
    for (at, char) in word.char_indices() {
        let after = &word[at + char.len_utf8()..];
        let length = after.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let is_name = after.as_bytes()[..length].iter().any(u8::is_ascii_alphabetic);
        found |= char == '.' && before != '.' && is_name;
        before = char;
    }
    found && !is_word(word)
}

/// Whether a text has the tag of an element, or a comment of HTML.
fn has_tag(text: &str) -> bool {
    let mut after = text.split('<').skip(1);
    after.any(|it| it.starts_with(|char: char| char.is_alphabetic() || "/!|".contains(char)))
}

/// Whether a text says that the name of a file comes: `**File:** tool`.
fn has_label(text: &str) -> bool {
    let mut parts = text.split([':', '：', '=']);
    parts.next_back();
    parts.any(|part| {
        let last = part.trim_end_matches(['*', '_', ' ']).rsplit([' ', '*', '_']).next();
        last.is_some_and(|word| LABELS.contains(&word.to_lowercase().as_str()))
    })
}

/// Whether a line is one word that may be the name of a file: `gradlew`. A word that is written as
/// the first one of a sentence is not.
fn is_alone(line: &str) -> bool {
    let mut words = words(numbered(line.trim_start_matches(['#', '-', '*', '+', ' '])));
    let (Some(word), None) = (words.next(), words.next()) else { return false };
    let rest = word.get(1..).unwrap_or_default();
    let is_plain = word.starts_with(|char: char| char.is_ascii_uppercase())
        && rest.bytes().all(|byte| byte.is_ascii_lowercase())
        && !word.ends_with("file");
    let has_letter = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    word.is_ascii() && has_letter && !is_plain && !is_word(word) && !ALONE.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_plain_words_names_no_file() {
        for line in [
            "",
            "Then the second function:",
            "and:",
            "Then",
            "### Tests",
            "**Explanation**",
            "2.",
            "Call `greet()` twice, e.g. (and/or) in version 1.2 of it...and so on.",
            "---",
            "然后修改第二个函数：",
            "a < b",
            "Node.js",
            "$ cargo test",
        ] {
            assert!(!may_name(line, true), "{line}");
        }
        for line in [
            "`tool`",
            "Then in `src/a.py`:",
            "* src/b.py",
            "my dir/b.py",
            "[x](y.md)",
            "<summary>tool</summary>",
            "</diff>",
            "<!-- tool -->",
            "=== src/b.py ===",
            "| b.py |",
            "“Makefile”",
            "**File:** tool",
            "path = tool",
            "gradlew",
            "### Brewfile",
            ".gitignore",
            "修改b.py。",
            "// gradlew",
            "an odd ` is there",
            "Node.js/main",
        ] {
            assert!(may_name(line, true), "{line}");
        }
        assert!(!may_name("python", false) && may_name("python (src/b.py)", false));
    }

    #[test]
    fn a_line_is_about_a_file_or_a_sentence() {
        for line in ["Like `b.py`.", "This adds client/server support, e.g. for Node.js.", "<diff>"]
        {
            assert!(!is_about_file(line), "{line}");
        }
        for line in
            ["src/b.py (lines 1-3)", "my dir/b.py", "</read_file>", "File: `b c`", "## User"]
        {
            assert!(is_about_file(line), "{line}");
        }
        assert_eq!(paths_in("Now (b.py) and `c d`, `a/c.py`: x.py."), ["a/c.py", "b.py", "x.py"]);
    }

    #[test]
    fn a_label_says_that_a_text_is_old() {
        for line in [
            "### Before",
            "### 1. Before:",
            "**Before:**",
            "**Old version (do not use)**",
            "Your original code:",
            "## Before (for comparison)",
            "❌ Bad",
            "#### ❌ Wrong",
        ] {
            assert!(labels_old(line), "{line}");
        }
        for line in [
            "",
            "Before",
            "### After",
            "### Before and after",
            "## Before you start",
            "Use the old version:",
            "Restore the original file:",
            "Here is the original code with the fix:",
            "This replaces the old code:",
            "### The code for reference",
            "### Current version",
            "**Fix the wrong import**",
            "### Version 2",
            "Before",
        ] {
            assert!(!labels_old(line), "{line}");
        }
    }

    #[test]
    fn a_heading_has_a_blank_after_its_signs() {
        for line in ["# a", "#### the same in a, please", "  ###### b"] {
            assert!(is_heading(line), "{line}");
        }
        for line in ["#", "#a", "####### a", "a # b", "#!sh"] {
            assert!(!is_heading(line), "{line}");
        }
    }
}
