//! The thoughts that some models put before an answer: a block in them is a draft.

use std::ops::Range;

/// The tags around thoughts.
struct Tags {
    /// The first one, which begins a line.
    begin: &'static str,
    /// The other one, which ends one.
    end: &'static str,
    /// Whether the other one alone tells that a thought is above it: nothing else is written so.
    ends_alone: bool,
    /// Whether a line that holds the other one ends the thought, whatever comes after it.
    ends_inside: bool,
}

const fn tags(begin: &'static str, end: &'static str) -> Tags {
    Tags { begin, end, ends_alone: true, ends_inside: false }
}

const TAGS: [Tags; 8] = [
    tags("<think>", "</think>"),
    tags("<thinking>", "</thinking>"),
    tags("<thought>", "</thought>"),
    tags("<thoughts>", "</thoughts>"),
    tags("<reasoning>", "</reasoning>"),
    tags("[THINK]", "[/THINK]"),
    Tags {
        begin: "<|channel|>analysis<|message|>",
        end: "<|end|>",
        ends_alone: false,
        ends_inside: true,
    },
    Tags {
        begin: "<details type=\"reasoning\"",
        end: "</details>",
        ends_alone: false,
        ends_inside: false,
    },
];

/// What the first lines of thoughts hold, and the last ones of those that no line begins, for a search.
pub(crate) fn needles() -> impl Iterator<Item = &'static str> {
    let ends = TAGS.iter().filter(|tags| tags.ends_alone).map(|tags| tags.end);
    TAGS.iter().map(|tags| tags.begin).chain(ends)
}

/// A line without what may be before its tag: indented by at most three blanks, as one that is indented
/// more is code.
fn from_tag(line: &str) -> Option<&str> {
    let text = line.strip_prefix('\u{feff}').unwrap_or(line);
    let tag = text.trim_start_matches(' ');
    (text.len() - tag.len() <= 3).then_some(tag)
}

/// How a thought ends that a line begins.
pub(crate) fn end_tag(line: &str) -> Option<&'static str> {
    let tag = from_tag(line)?;
    TAGS.iter().find(|tags| tag.starts_with(tags.begin)).map(|tags| tags.end)
}

/// The tag that begins what a line ends which is the tag at its end alone.
pub(crate) fn of_end(line: &str) -> Option<&'static str> {
    let tag = from_tag(line.trim_end())?;
    TAGS.iter().find(|tags| tags.ends_alone && tag == tags.end).map(|tags| tags.begin)
}

/// Whether a line of a text ends a thought that ends with this tag.
pub(crate) fn is_end(text: &str, line: Range<usize>, end_tag: &str) -> bool {
    let line = &text[line];
    let ends_inside = || TAGS.iter().any(|tags| tags.ends_inside && tags.end == end_tag);
    line.trim_end().ends_with(end_tag) || line.contains(end_tag) && ends_inside()
}

/// The part of an answer below its thought: the one that it begins with, or of which only the end is
/// there. Empty where the thought does not end.
pub fn below(answer: &str) -> &str {
    let answer = answer.trim_start();
    let end = end_tag(answer.lines().next().unwrap_or_default());
    let mut at = 0;
    let mut lines = answer.split_inclusive('\n').filter_map(|line| {
        at += line.len();
        let is_last = match end {
            Some(tag) => is_end(line, 0..line.len(), tag),
            None => of_end(line).is_some(),
        };
        is_last.then_some(at)
    });
    match end {
        Some(_) => lines.next().map_or("", |at| &answer[at..]),
        None => lines.last().map_or(answer, |at| &answer[at..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_below_its_thought() {
        for (text, answer) in [
            ("x", "x"),
            ("\n<think>\na\n</think>\nx\n</think>", "x\n</think>"),
            ("<think>a</think>\nx", "x"),
            ("<thinking>\na\n</think>\nx", ""),
            ("a\n</think>\n\nx", "\nx"),
            ("a </think>\nx", "a </think>\nx"),
            ("<think>", ""),
            ("", ""),
        ] {
            assert_eq!(below(text), answer, "{text:?}");
        }
    }

    #[test]
    fn a_tag_begins_a_line_and_ends_one() {
        for line in ["<think>", "\u{feff}<think>", "   <think>Let me see.", "<think></think>"] {
            assert_eq!(end_tag(line), Some("</think>"), "{line}");
        }
        assert_eq!(end_tag("<thinking>"), Some("</thinking>"));
        assert_eq!(end_tag("[THINK]Let me see."), Some("[/THINK]"));
        assert_eq!(end_tag("<details type=\"reasoning\" done=\"true\">"), Some("</details>"));
        assert_eq!(end_tag("<details>"), None);
        let harmony = "<|channel|>analysis<|message|>";
        let end = "So.<|end|><|start|>assistant<|channel|>final<|message|>";
        assert!(is_end(end, 0..end.len(), end_tag(harmony).unwrap()));
        for line in
            ["    <think>", "- <think>", "The tag <think>", "`<think>`", "<thinker>", "</think>"]
        {
            assert_eq!(end_tag(line), None, "{line}");
        }
        let is_end = |line: &str| is_end(line, 0..line.len(), "</think>");
        assert!(is_end("</think>") && is_end("So be it. </think> "));
        assert!(!is_end("`</think>`") && !is_end("</think> ends it") && !is_end("</thinking>"));
    }

    #[test]
    fn a_tag_at_the_end_is_alone_on_its_line() {
        assert_eq!(of_end("</think>"), Some("<think>"));
        assert_eq!(of_end("  </thinking> "), Some("<thinking>"));
        assert_eq!(of_end("[/THINK]"), Some("[THINK]"));
        for line in [
            "    </think>",
            "So be it. </think>",
            "`</think>`",
            "</think>.",
            "</details>",
            "<|end|>",
            "",
        ] {
            assert_eq!(of_end(line), None, "{line}");
        }
    }
}
