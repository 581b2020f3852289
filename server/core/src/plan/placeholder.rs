//! Text that says "rest of the code unchanged" in place of the code.

mod words;

use std::cell::LazyCell;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use foldhash::HashSet;

use super::Issue;
use super::caution::COUNTED;
use crate::edit::line_hunks;
use crate::problem::PLAN_PLACEHOLDER;
use crate::spec::FieldRole;
use crate::text::{brackets, lines, one_line};

const LEADERS: [&str; 12] =
    ["//", "#", "--", "/*", "*", "<!--", "{/*", ";", "%", "...", "…", "\"\"\""];

/// What is a placeholder between brackets alone: a comment may say it of the code.
const IN_BRACKETS: [&str; 10] = [
    "snip",
    "snipped",
    "truncated",
    "omitted",
    "no changes",
    "keep as is",
    "keep existing",
    "keep existing code",
    "existing content",
    "rest of the document",
];

/// A longer line is prose or code, in bytes.
const LONGEST: usize = 160;

/// More words between brackets are a sentence.
const FEW_WORDS: usize = 8;

/// A comment between these is a placeholder.
const DOTS: [&str; 2] = ["...", "…"];

/// Words of short comments that are in place of the code which goes.
const LOOSE: [&str; 19] = [
    "...",
    "…",
    "existing",
    "rest of",
    "the rest",
    "remaining",
    "remains",
    "unchanged",
    "omitted",
    "same as",
    "stays the same",
    "as before",
    "as it is",
    "as is",
    "snip",
    "no changes",
    "other code",
    "previous code",
    "etc.",
];

static LOOSE_WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let builder = AhoCorasick::builder().ascii_case_insensitive(true).build(LOOSE);
    builder.expect("a few words")
});

/// A remark for the first line of `texts` that is in place of code and is not in `before`; `after` is
/// the text of the file afterwards, where it was there, and whether `texts` are all of it.
pub(super) fn remarks(
    texts: &[&str],
    before: &str,
    after: Option<(&str, bool)>,
    field: FieldRole,
) -> Vec<Issue> {
    let known = LazyCell::new(|| before.lines().map(str::trim).collect::<HashSet<&str>>());
    // Dots are parts of other lines, too.
    let is_part = |line: &str| line.contains(char::is_alphanumeric) && before.contains(line);
    let is_new = |line: &str| !known.contains(line) && !is_part(line);
    let says = |line: &str| !lines::begins_with_word(line) && is_placeholder(line);
    let shorter = LazyCell::new(|| after.map(|(after, _)| Shorter::between(before, after)));
    // Most texts have none of the words, and a new file has nothing that goes.
    let some_may_be = after.is_some() && texts.iter().any(|text| may_be_left(text));
    let is_left = |line: &str| {
        if !some_may_be || !may_be_left(line) {
            return false;
        }
        let is_whole = after.is_some_and(|(_, is_whole)| is_whole);
        match is_dots(line) {
            // What dots alone are for in a whole text, a caution says.
            true => {
                (!is_whole || line.contains(['"', '\'', '-']))
                    && shorter.as_ref().is_some_and(|it| it.losing.contains(line))
            }
            false => is_loose(line) && shorter.as_ref().is_some_and(|it| it.shorter.contains(line)),
        }
    };
    let mut all = texts.iter().flat_map(|text| text.lines()).map(str::trim);
    let found = all.find(|line| (says(line) || is_left(line)) && is_new(line));
    let remark = |line| {
        let line = one_line::excerpt(line, 80);
        let message =
            format!("`{line}` looks like a placeholder for code; it would be written literally");
        *Issue::warning(PLAN_PLACEHOLDER, field, message).detail("line", line)
    };
    found.map(remark).into_iter().collect()
}

/// Whether a text has dots, or a word of a comment that is in the place of code.
fn may_be_left(text: &str) -> bool {
    LOOSE_WORDS.is_match(text) || text.contains('⋯')
}

/// Whether a line is nothing but dots: in some languages a statement. They may be an item of a list, or
/// in quotes.
pub(super) fn is_dots(line: &str) -> bool {
    line.chars().all(|char| ".…⋯,; :-\"'[]".contains(char))
        && (line.contains("...") || line.contains(['…', '⋯']))
}

/// Whether a line may have dots or a comment in the place of code that goes: `function add(a) { ... }`,
/// `environment: ...`, `# existing logic`, `pass  # the rest stays the same`.
fn is_loose(line: &str) -> bool {
    let text = line.trim_end_matches([';', ',', ')', '}', ' ']);
    let value = text.rsplit([':', '=', '{']).next().unwrap_or_default().trim();
    line.len() <= LONGEST && (value.len() < text.len() && is_dots(value) || comment_is_loose(line))
}

/// Whether a line has a short comment with a word that may say that something is left out.
fn comment_is_loose(line: &str) -> bool {
    let item = line.strip_prefix("- ");
    let text = item.unwrap_or(line).trim_start_matches(['"', '\'']);
    let comments = ["//", "#", "--", "/*", "<!--", "; "];
    let start = match item.is_some() && DOTS.iter().any(|dots| text.starts_with(dots)) {
        true => Some(0),
        false => comments.iter().filter_map(|begins| text.find(begins)).min(),
    };
    let Some(comment) = start.map(|start| &text[start..]) else { return false };
    LOOSE_WORDS.is_match(comment) && comment.split_whitespace().count() <= FEW_WORDS
}

/// The lines that come where lines of code go, without the blanks around them.
#[derive(Default)]
struct Shorter<'a> {
    /// Those where one goes or more.
    losing: HashSet<&'a str>,
    /// Those where two more go than come.
    shorter: HashSet<&'a str>,
}

impl<'a> Shorter<'a> {
    fn between(before: &str, after: &'a str) -> Shorter<'a> {
        let mut found = Shorter::default();
        if before.len() + after.len() > COUNTED {
            if lines::count(after) < lines::count(before) {
                found.losing.extend(after.lines().map(str::trim));
                found.shorter.clone_from(&found.losing);
            }
            return found;
        }
        let is_comment = |line: &str| LEADERS.iter().any(|leader| line.starts_with(leader));
        let is_code = |line: &&str| line.contains(char::is_alphanumeric) && !is_comment(line);
        let count = |text: &str| text.lines().map(str::trim).filter(is_code).count();
        for (old, new) in line_hunks(before, after) {
            let (goes, comes) = (count(&before[old]), count(&after[new.clone()]));
            let lines = || after[new.clone()].lines().map(str::trim);
            if goes > 0 {
                found.losing.extend(lines());
            }
            if goes >= comes + 2 {
                found.shorter.extend(lines());
            }
        }
        found
    }
}

/// Whether a line says that something is left out: a comment, or what is between brackets.
fn is_placeholder(line: &str) -> bool {
    // A longer line is prose or code that happens to hold the words.
    line.len() <= LONGEST && (comment_says(line) || brackets_say(line))
}

fn comment_says(line: &str) -> bool {
    if !LEADERS.iter().any(|leader| line.starts_with(leader)) {
        return false;
    }
    let line = line.to_lowercase();
    // Dots alone may be code.
    let is_comment = !DOTS.iter().any(|dots| line.starts_with(dots));
    let between = line.trim_matches(|char: char| !char.is_alphanumeric() && !".…".contains(char));
    let is_between_dots =
        is_between_dots(between) && (is_comment || between.contains(char::is_alphanumeric));
    is_between_dots || words::say(&line)
}

fn is_between_dots(text: &str) -> bool {
    DOTS.iter().any(|dots| text.starts_with(dots)) && DOTS.iter().any(|dots| text.ends_with(dots))
}

/// Whether brackets are around all of a line, but for what makes it a comment or emphasizes it, and
/// nothing but a placeholder is between them.
fn brackets_say(line: &str) -> bool {
    let mut inside = bare(line);
    let mut outer = None;
    while let Some((bracket, text)) = brackets::inside(inside) {
        (outer, inside) = (Some(bracket), bare(text));
    }
    // What is in these may be the name of an element or a variable.
    let is_name = outer.is_some_and(|outer| "<{".contains(outer)) && !inside.contains(' ');
    let is_plain = !inside.contains(|char| "\"'`=<>{};:".contains(char));
    let is_short = inside.split(' ').count() <= FEW_WORDS;
    let says = || {
        let inside = inside.to_lowercase();
        is_between_dots(&inside)
            || is_short && !is_name && (words::say(&inside) || IN_BRACKETS.contains(&&*inside))
    };
    outer.is_some() && is_plain && (is_dots(inside) || says())
}

/// A line without the signs of comments, lists and emphasis, and without what ends it.
fn bare(line: &str) -> &str {
    let line = line.trim_start_matches(|char| "/#-*;%!_ ".contains(char));
    line.trim_end_matches(|char| "/-*_,; ".contains(char))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str, before: &str) -> Vec<Issue> {
        remarks(&[text], before, None, FieldRole::Content)
    }

    #[test]
    fn a_stand_in_for_code_is_seen() {
        for line in [
            "// ... existing code ...",
            "# rest of the code unchanged",
            "/* rest of the function remains the same */",
            "<!-- rest of the file … -->",
            "... existing code ...",
            "-- Rest of file unchanged",
            "// (unchanged)",
            "// existing code",
            "/* existing code */",
            "// --- existing code ---",
            "# Other functions here",
            "# remaining functions unchanged",
            "// omitted for brevity",
            "// ... two unchanged ...",
            "{/* ... the list ... */}",
            "// ...",
            "# …",
            "/* ... */",
            "// (same as above)",
            "[... same as before ...]",
            "[rest of the document unchanged]",
            "[...]",
            "**[…]**",
            "{ ... },",
            "(unchanged)",
            "[snip]",
            "*(rest unchanged)*",
            "(… 5 more lines …)",
            "{{existing content}}",
            "<keep existing>",
            "// [previous code here]",
            "// 其余代码保持不变",
            "（其余内容不变）",
            "// resto del código igual",
            "# Le reste du fichier est inchangé",
            "/* Der Rest bleibt unverändert */",
            "// ... restante do código ...",
            "// 残りのコードは変更なし",
            "# остальной код без изменений",
        ] {
            assert!(is_placeholder(line), "{line}");
            assert_eq!(seen(&format!("a\n    {line}\n"), "").len(), 1);
            assert!(seen(line, &format!("x\n{line}\n")).is_empty(), "was there");
        }
    }

    #[test]
    fn dots_count_where_lines_go() {
        let before = "fn a() {\n    one();\n    two();\n}\nfn b() {}\n";
        let is_seen = |line: &str, old: &str, before: &str| {
            let after = before.replacen(old, &format!("{line}\n"), 1);
            assert_ne!(after, before);
            !remarks(&[line], before, Some((&after, false)), FieldRole::Content).is_empty()
        };
        let gone = "    one();\n    two();\n";
        for line in ["...", "    ...;", "…", "  … , …", "⋯"] {
            assert!(is_seen(line, gone, before), "{line}");
            assert!(is_seen(line, "    two();\n", before), "{line}");
            // Nothing goes, something else does, or they are there.
            assert!(!is_seen(line, "", before), "{line}");
            assert!(!is_seen(line, "", &format!("{before}{line}\n")), "{line}");
            assert!(!is_seen(line, gone, &format!("{before}{}\n", line.trim())), "{line}");
        }
        let all = "fn a() {\n    one();\n    two();\n}\n";
        for line in [
            "fn a() { ... }",
            "a = b({…});",
            "fn a() { /* ... */ }",
            "fn a() { /* existing code */ }",
            "fn a() { // as before",
            "// existing logic here",
            "# ... other assignments",
            "# -- snip --",
            "// The rest stays as it is",
            "x = 1  # ...",
            "environment: ...",
            "features = [\"...\"]",
            "\"// ...\": \"existing scripts\"",
            "- ... (other items unchanged)",
        ] {
            assert!(is_seen(line, all, before), "{line}");
            assert!(!is_seen(line, "fn b() {}\n", before), "{line}");
            assert!(!is_seen(line, "", before), "{line}");
        }
        for line in
            ["..", "...)", "f(...)", "f({ ...a })", "`a { ... }`", "... and so on", "a(); // new"]
        {
            assert!(!is_seen(line, all, before), "{line}");
        }
    }

    #[test]
    fn the_lines_of_large_texts_are_counted_alone() {
        let between = |bytes: usize, before: &str, after: &str| {
            let above = "x".repeat(bytes - before.len() - after.len() - 2);
            let (first, second) = above.split_at(above.len() / 2);
            let after = format!("{second}\n{after}");
            let found = Shorter::between(&format!("{first}\n{before}"), &after);
            [found.losing.contains("..."), found.shorter.contains("...")]
        };
        let (one, three) = ("a();\n", "a();\nb();\nc();\n");
        for bytes in [4_000, COUNTED] {
            assert_eq!(between(bytes, one, "...\n"), [true, false], "{bytes}");
            assert_eq!(between(bytes, three, "...\n"), [true, true], "{bytes}");
        }
        assert_eq!(between(COUNTED + 1, one, "...\n"), [false, false]);
        assert_eq!(between(COUNTED + 1, one, "...\n...\n"), [false, false]);
        assert_eq!(between(COUNTED + 1, three, "...\n"), [true, true]);
    }

    #[test]
    fn code_and_prose_are_not() {
        for line in [
            "...",
            "let rest = code;",
            "// Take the rest of the line.",
            "# ...and so on",
            "# Wait...",
            "# Existing users are kept",
            "The rest of the code is unchanged.",
            "// The remaining words",
            "[unchanged](#unchanged)",
            "[1] same as before",
            "- [ ] rest of the work",
            "# [Unreleased]",
            "[existing]",
            "[\"unchanged\"]",
            "[...items]",
            "(...args)",
            "{...props}",
            "{ ...state, unchanged }",
            "{ unchanged }",
            "<unchanged>",
            "</unchanged>",
            "{ \"existing code\": \"...\" }",
            "{}",
            "(see above)",
            "(The rest of the code here is what somebody else wrote for us.)",
            "// 高度保持不变",
            "// El código existente falla.",
        ] {
            assert!(!is_placeholder(line), "{line}");
        }
    }
}
