//! Sentences that say that the text of a file comes: ``Here is the updated `src/a.py`:``, ``Save this as
//! `src/b.py`:``.

use super::strip_word;

/// What a sentence says of the file whose text comes.
pub(super) struct Sentence<'a> {
    /// What is left of it without its words: the path, perhaps with something around it.
    pub(super) path: &'a str,
    /// Whether the file is new, or may be.
    pub(super) is_new: bool,
    /// Whether the file may be there, and less than all of its text come.
    pub(super) is_edited: bool,
}

/// What a sentence says of the file whose text comes; nothing where it has other words.
pub(super) fn of(text: &str) -> Option<Sentence<'_>> {
    asked(text).or_else(|| introduced(text))
}

/// One that asks to do something with the text: ``Create a file named `src/a.py` with this content``.
fn asked(text: &str) -> Option<Sentence<'_>> {
    let (_, text) = taken_first(text, &[ORDER]);
    let (verb, rest) = first_word(text)?;
    ASKS.iter().find_map(|ask| {
        let rest = is_one_of(verb, ask.verbs).then_some(rest)?;
        let (mut said, rest) = taken_first(rest, &[ask.before]);
        let (after, path) = taken_last(rest, &[ask.after]);
        said.extend(after);
        let is_said = |of: &&[&str]| said.iter().any(|word| is_one_of(word, of));
        let Ask { is_new, is_edited, .. } = *ask;
        ask.says.iter().all(is_said).then_some(Sentence { path, is_new, is_edited })
    })
}

/// One that says that it comes: ``Here is the updated `src/a.py` with all changes``.
fn introduced(text: &str) -> Option<Sentence<'_>> {
    let lead = LEADS.iter().find(|lead| strip_word(text, lead).len() < text.len());
    let rest = lead.map_or(text, |lead| strip_word(text, lead));
    let (mut said, rest) = taken_first(rest, &[FILLERS, STATES, WHOLE]);
    let (after, path) = taken_last(rest, &[LAST, NOW]);
    said.extend(after);
    let says = |of: &[&str]| said.iter().any(|word| is_one_of(word, of));
    let is_whole = says(WHOLE);
    // What is there may be quoted with other words.
    let is_new_text = is_whole || says(STATES) || says(NOW);
    // A label with the one word is about a file that is not there.
    let is_label = lead.is_none() && is_one_of(said.first()?, &["new", "file"]);
    let is_sentence = is_new_text && !is_label && path.len() < text.len();
    is_sentence.then_some(Sentence { path, is_new: false, is_edited: !is_whole })
}

fn is_one_of(word: &str, of: &[&str]) -> bool {
    of.iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// The first word, without a comma or a colon, and what comes after it.
fn first_word(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(' ')?;
    Some((word.trim_end_matches([',', ':']), rest.trim_start()))
}

/// The words at the beginning that are some of these, and the rest.
fn taken_first<'a>(text: &'a str, of: &[&[&str]]) -> (Vec<&'a str>, &'a str) {
    let is_any = |word: &str| of.iter().any(|of| is_one_of(word, of));
    let (mut words, mut rest) = (Vec::new(), text);
    while let Some((word, after)) = first_word(rest).filter(|(word, _)| is_any(word)) {
        words.push(word);
        rest = after;
    }
    (words, rest)
}

/// The words at the end that are some of these, and what comes before them.
fn taken_last<'a>(text: &'a str, of: &[&[&str]]) -> (Vec<&'a str>, &'a str) {
    let is_any = |word: &str| of.iter().any(|of| is_one_of(word, of));
    let (mut words, mut rest) = (Vec::new(), text);
    while let Some((before, word)) = rest.rsplit_once(' ').filter(|(_, word)| is_any(word)) {
        words.push(word);
        rest = before.trim_end_matches([' ', ',', ':']);
    }
    (words, rest)
}

/// What a person is asked to do with a text.
struct Ask {
    verbs: &'static [&'static str],
    /// What comes between one of them and the path, and after that.
    before: &'static [&'static str],
    after: &'static [&'static str],
    /// Of each of these one is said.
    says: &'static [&'static [&'static str]],
    is_new: bool,
    is_edited: bool,
}

const ASKS: [Ask; 4] = [
    Ask {
        verbs: &["create", "add"],
        before: &["a", "an", "the", "new", "file", "test", "script", "module", "named", "called"],
        after: HOW,
        says: &[],
        is_new: true,
        is_edited: false,
    },
    Ask {
        verbs: &["make", "write"],
        before: &["a", "the", "new", "file", "test", "script", "module", "named", "called"],
        after: HOW,
        says: &[&["file", "script", "module"]],
        is_new: true,
        is_edited: false,
    },
    Ask {
        verbs: &["save", "write", "store", "put", "place", "paste", "copy"],
        before: &[
            "this",
            "these",
            "it",
            "the",
            "following",
            "above",
            "below",
            "code",
            "content",
            "contents",
            "text",
            "as",
            "to",
            "in",
            "into",
            "under",
            "a",
            "an",
            "new",
            "file",
            "script",
            "module",
            "named",
            "called",
        ],
        after: &["file"],
        says: &[
            &["as", "to", "in", "into", "under"],
            &["this", "these", "it", "following", "code", "content", "contents", "text", "as"],
        ],
        is_new: true,
        is_edited: true,
    },
    Ask {
        verbs: &["replace", "overwrite", "rewrite", "change", "update", "modify"],
        before: &[
            "the", "your", "existing", "current", "entire", "whole", "full", "all", "of",
            "content", "contents", "text", "file",
        ],
        after: HOW,
        says: &[&["with", "to", "as", "like"]],
        is_new: false,
        is_edited: true,
    },
];
/// What comes after the path and says that its text follows.
const HOW: &[&str] = &[
    "file",
    "script",
    "module",
    "with",
    "to",
    "as",
    "the",
    "this",
    "following",
    "follows",
    "code",
    "content",
    "contents",
    "text",
    "like",
    "so",
    "containing",
];
/// What such a sentence begins with that says nothing of the file.
const ORDER: &[&str] = &[
    "first", "second", "third", "then", "next", "now", "finally", "lastly", "and", "also",
    "please", "you", "can", "should", "let's", "let’s", "i'll", "i’ll", "we'll", "we’ll",
];
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
/// What comes there and says that it is another text than before.
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
/// What comes there and says that all of the text comes.
const WHOLE: &[&str] = &["complete", "full", "entire", "whole"];
/// What comes after the path, and says nothing of the text.
const LAST: &[&str] = &[
    "file", "in", "full", "with", "the", "all", "these", "those", "included", "look", "looks",
    "like", "this",
];
/// What comes there and says that it is another text than before.
const NOW: &[&str] =
    &["now", "again", "should", "reads", "becomes", "change", "changes", "fix", "fixes", "applied"];
