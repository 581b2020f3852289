//! Text that says "rest of the code unchanged" in place of the code.

use super::Issue;
use super::caution::COUNTED;
use crate::edit::line_hunks;
use crate::problem::PLAN_PLACEHOLDER;
use crate::spec::FieldRole;
use crate::text::{lines, one_line};

const LEADERS: [&str; 12] =
    ["//", "#", "--", "/*", "*", "<!--", "{/*", ";", "%", "...", "…", "\"\"\""];

const PHRASES: [&str; 24] = [
    "existing code",
    "existing implementation",
    "existing content",
    "rest of the",
    "rest of your",
    "rest of this",
    "rest of code",
    "rest of file",
    "rest unchanged",
    "remaining code",
    "remainder of the",
    "code unchanged",
    "unchanged code",
    "code remains",
    "remains unchanged",
    "remains the same",
    "same as before",
    "for brevity",
    "other functions",
    "other methods",
    "existing functions",
    "existing methods",
    "remaining functions",
    "remaining methods",
];

/// A comment that says nothing else is a placeholder.
const ALONE: [&str; 10] = [
    "same as above",
    "same as before",
    "unchanged",
    "unmodified",
    "existing code",
    "existing code here",
    "rest of code",
    "rest of the code",
    "rest of the file",
    "rest of file",
];

/// A line with such a phrase is a placeholder where it has one of these, too.
const SIGNS: [&str; 8] =
    ["...", "…", "unchanged", "the same", "omitted", " here", "as before", "as is"];

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

fn is_placeholder(line: &str) -> bool {
    // A longer line is prose or code that happens to hold the words.
    if line.len() > 160 || !LEADERS.iter().any(|leader| line.starts_with(leader)) {
        return false;
    }
    let line = line.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let alone = line.trim_matches(|char: char| !char.is_alphanumeric());
    let between = line.trim_matches(|char: char| !char.is_alphanumeric() && !".…".contains(char));
    // Dots alone may be code.
    let is_comment = !DOTS.iter().any(|dots| line.starts_with(dots));
    let is_between_dots = DOTS.iter().any(|dots| between.starts_with(dots))
        && DOTS.iter().any(|dots| between.ends_with(dots))
        && (is_comment || between.contains(char::is_alphanumeric));
    has(&PHRASES) && has(&SIGNS) || ALONE.contains(&alone) || is_between_dots
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
        ] {
            assert!(!is_placeholder(line), "{line}");
        }
    }
}
