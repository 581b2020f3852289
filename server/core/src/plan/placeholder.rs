//! Text that says "rest of the code unchanged" in place of the code.

mod words;

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

/// A remark for the first line of `texts` that is in place of code and is not in `before`; `after` is
/// the text after an edit, `None` where `texts` are all of it.
pub(super) fn remarks(
    texts: &[&str],
    before: &str,
    after: Option<&str>,
    field: FieldRole,
) -> Vec<Issue> {
    let is_new = |line: &str| match line.contains(char::is_alphanumeric) {
        true => !before.contains(line),
        // Dots are parts of other lines, too.
        false => !before.lines().any(|old| old.trim() == line),
    };
    let says = |line: &str| !lines::begins_with_word(line) && is_placeholder(line);
    let is_left = |line: &str| {
        let after = after.filter(|_| is_dots(line) || has_body_of_dots(line));
        after.is_some_and(|after| is_for_lines(line, before, after))
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

/// Whether a line is nothing but dots: in some languages a statement.
pub(super) fn is_dots(line: &str) -> bool {
    line.starts_with(['.', '…', '⋯'])
        && (line.contains("...") || line.contains(['…', '⋯']))
        && line.chars().all(|char| ".…⋯,; ".contains(char))
}

/// Whether a line ends in braces with nothing but dots between them: `function add(a) { ... }`.
fn has_body_of_dots(line: &str) -> bool {
    let line = line.trim_end_matches([';', ',', ')', ' ']);
    let body = line.strip_suffix('}').and_then(|line| Some(line.rsplit_once('{')?.1.trim()));
    let said = |body: &str| {
        let said = body.strip_prefix("/*").and_then(|body| body.strip_suffix("*/"));
        is_dots(said.unwrap_or(body).trim())
    };
    body.is_some_and(said)
}

/// Whether a line comes where lines of code go; more than one, where it has code itself.
fn is_for_lines(line: &str, before: &str, after: &str) -> bool {
    if before.len() + after.len() > COUNTED {
        return lines::count(after) < lines::count(before);
    }
    let least = if is_dots(line) { 1 } else { 2 };
    line_hunks(before, after).into_iter().any(|(old, new)| {
        let code = before[old].lines().filter(|line| line.contains(char::is_alphanumeric));
        code.count() >= least && after[new].lines().any(|it| it.trim() == line)
    })
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
            !remarks(&[line], before, Some(&after), FieldRole::Content).is_empty()
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
        for line in ["fn a() { ... }", "a = b({…});", "fn a() { /* ... */ }"] {
            assert!(is_seen(line, all, before), "{line}");
            assert!(!is_seen(line, "fn b() {}\n", before), "{line}");
            assert!(!is_seen(line, "", before), "{line}");
        }
        for line in ["..", "f(...)", "f({ ...a })", "`a { ... }`", "x: [...]", "... and so on"] {
            assert!(!is_seen(line, all, before), "{line}");
        }
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
