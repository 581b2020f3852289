//! The thoughts that some models put before an answer: a block in them is a draft.

use std::ops::Range;

/// What the first line of a thought holds, for a search.
pub(crate) const NEEDLE: &str = "<think";

/// What the last line of a thought holds that no line begins, for a search.
pub(crate) const END_NEEDLE: &str = "</think";

/// The tags around thoughts. The first one of each pair begins a line, the other one ends one.
const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// How a thought ends that a line begins: indented by at most three blanks, as one that is indented
/// more is code.
pub(crate) fn end_tag(line: &str) -> Option<&'static str> {
    let text = line.strip_prefix('\u{feff}').unwrap_or(line);
    let tag = text.trim_start_matches(' ');
    let is_it = |(begin, _): &&(&str, &str)| tag.starts_with(begin);
    TAGS.iter().find(is_it).filter(|_| text.len() - tag.len() <= 3).map(|(_, end)| *end)
}

/// The tag that begins what a line ends which is the tag at its end alone: indented by at most three
/// blanks, as above.
pub(crate) fn of_end(line: &str) -> Option<&'static str> {
    let text = line.strip_prefix('\u{feff}').unwrap_or(line).trim_end();
    let tag = text.trim_start_matches(' ');
    let is_it = |(_, end): &&(&str, &str)| tag == *end;
    TAGS.iter().find(is_it).filter(|_| text.len() - tag.len() <= 3).map(|(begin, _)| *begin)
}

/// Whether a line of a text ends a thought: it ends with the tag.
pub(crate) fn is_end(text: &str, line: Range<usize>, end_tag: &str) -> bool {
    text[line].trim_end().ends_with(end_tag)
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
        for line in ["    </think>", "So be it. </think>", "`</think>`", "</think>.", "<think>", ""]
        {
            assert_eq!(of_end(line), None, "{line}");
        }
    }
}
