//! Sentences that say that the new text of a file comes: ``Here is the updated `src/a.py`:``.

use super::strip_word;

/// What is left of a sentence that says that the text of a file comes, without its other words: ``Here is the
/// updated `src/a.py` with all changes``. With whether it says that the text is all of it.
pub(super) fn introduced(text: &str) -> Option<(&str, bool)> {
    let lead = LEADS.iter().find(|lead| strip_word(text, lead).len() < text.len())?;
    let (mut rest, mut said) = (strip_word(text, lead), Vec::new());
    let is_one_of = |word: &str, of: &[&str]| of.iter().any(|it| it.eq_ignore_ascii_case(word));
    while let Some((word, after)) = rest.split_once(' ')
        && [FILLERS, STATES, WHOLE].iter().any(|of| is_one_of(word, of))
    {
        said.push(word);
        rest = after.trim_start();
    }
    while let Some((before, word)) = rest.rsplit_once(' ')
        && (is_one_of(word, LAST) || is_one_of(word, NOW))
    {
        said.push(word);
        rest = before.trim_end_matches([' ', ',']);
    }
    let says = |of: &[&str]| said.iter().any(|word| is_one_of(word, of));
    // What is there may be quoted with other words.
    let is_new_text = says(STATES) || says(WHOLE) || says(NOW);
    is_new_text.then(|| (rest, says(WHOLE)))
}

/// What a sentence begins with that says that the text of a file comes.
const LEADS: [&str; 10] = [
    "here is",
    "here's",
    "here’s",
    "and here is",
    "and here's",
    "and here’s",
    "this is",
    "below is",
    "the",
    "your",
];
/// What comes between that and the path, and says nothing of the text.
const FILLERS: &[&str] = &[
    "the",
    "your",
    "a",
    "an",
    "code",
    "source",
    "content",
    "contents",
    "version",
    "implementation",
    "file",
    "what",
    "of",
    "for",
];
/// What says that it is another text than before.
const STATES: &[&str] = &[
    "new",
    "updated",
    "final",
    "finished",
    "corrected",
    "fixed",
    "revised",
    "improved",
    "modified",
    "refactored",
    "rewritten",
    "cleaned-up",
];
/// What says that all of the text comes.
const WHOLE: &[&str] = &["complete", "full", "entire", "whole"];
/// What comes after the path.
const LAST: &[&str] = &[
    "file", "in", "full", "with", "the", "all", "these", "those", "change", "changes", "fix",
    "fixes", "applied", "included", "look", "looks", "like", "this",
];
/// What comes there and says that it is another text than before.
const NOW: &[&str] = &["now", "again", "should", "reads"];
