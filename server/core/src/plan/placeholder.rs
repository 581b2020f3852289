//! Text that says "rest of the code unchanged" in place of the code.

use super::Issue;
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

/// A remark for the first line of `texts` that is in place of code and is not in `before`.
pub(super) fn remarks(texts: &[&str], before: &str, field: FieldRole) -> Vec<Issue> {
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines = lines.filter(|line| !lines::begins_with_word(line)).map(str::trim);
    let found = lines.filter(|line| is_placeholder(line)).find(|line| !before.contains(line));
    let remark = |line| {
        let line = one_line::excerpt(line, 80);
        let message =
            format!("`{line}` looks like a placeholder for code; it would be written literally");
        *Issue::warning(PLAN_PLACEHOLDER, field, message).detail("line", line)
    };
    found.map(remark).into_iter().collect()
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
            assert_eq!(remarks(&[&format!("a\n    {line}\n")], "", FieldRole::Content).len(), 1);
            assert!(
                remarks(&[line], &format!("x\n{line}\n"), FieldRole::Content).is_empty(),
                "was there"
            );
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
