//! What the model said: the places in its text where a proposal may be, and the first that is
//! one.

use operator_core::command::edit_ops::Proposal;
use operator_core::dialect::edit_ops::read;
use operator_core::dialect::thought;
use operator_core::text::fence::Fence;

/// The proposal in a text below the model's thought: all of it, else its first fence, else its first
/// complete object. One that says that it is not enabled proposes nothing.
pub fn proposal(text: &str) -> Option<Proposal> {
    let text = thought::below(text);
    let places = [Some(text.trim()), fence(text), object(text)];
    let found = places.into_iter().flatten().find_map(|place| read(place).proposal);
    found.map(|mut proposal| {
        if !proposal.enabled {
            proposal.ops.clear();
        }
        proposal
    })
}

/// What the first fence holds (CommonMark 4.5); one that is not closed reaches to the end.
fn fence(text: &str) -> Option<&str> {
    let mut at = 0;
    let mut open: Option<(Fence<'_>, usize)> = None;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let fence = Fence::of(line.trim_end_matches(['\r', '\n']));
        match (fence, open) {
            (Some(fence), None) => open = Some((fence, at)),
            (Some(fence), Some((opening, content))) if fence.closes(&opening) => {
                return Some(&text[content..start]);
            }
            _ => {}
        }
    }
    open.map(|(_, content)| &text[content..])
}

/// The first complete object that is in no other. A brace that is not followed by
/// a name or another brace is none of JSON's.
fn object(text: &str) -> Option<&str> {
    let mut from = 0;
    while let Some(found) = text[from..].find('{') {
        let start = from + found;
        if text[start + 1..].trim_start().starts_with(['"', '}']) {
            // Where it does not end, all that follows may be inside it.
            return end(&text[start..]).map(|length| &text[start..start + length]);
        }
        from = start + 1;
    }
    None
}

/// The length of the object at the beginning of a text, by its braces outside of strings.
fn end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match (quoted, byte) {
            _ if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => quoted = !quoted,
            (false, b'{') => depth += 1,
            (false, b'}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message of the proposal in a text in which `M` is one with no ops.
    fn message(text: &str) -> String {
        let mut number = 0;
        let mut filled = String::new();
        for (index, piece) in text.split('M').enumerate() {
            if index > 0 {
                number += 1;
                filled +=
                    &format!("{{\"assistant_message\": \"{number} }}{{ \\\" \", \"ops\": []}}");
            }
            filled += piece;
        }
        proposal(&filled).map_or("-".to_owned(), |it| it.assistant_message[..1].to_owned())
    }

    #[test]
    fn all_of_it_then_the_first_fence_then_the_first_object() {
        for (text, number) in [
            ("M", "1"),
            (" \n M\r\n", "1"),
            ("Here:\n```json\nM\n```\nDone.", "1"),
            ("Here: M and ```\nM\n```", "1"),
            ("Here: M and\n```\nM\n```", "2"),
            ("Here: M and\n```sh\nls\n```\n```\nM\n```", "1"),
            ("M and\n~~~~\n~~~\n~~~~\n~~~\nM\n~~~", "1"),
            ("M and\n~~~~\nM\n```\n~~~\n\n~~~~", "1"),
            ("~~~~\nM\n\n~~~~~ \nx", "1"),
            ("   ```\r\nM\r\n   ```\r\n", "1"),
            ("```\nM", "1"),
            ("Use {braces} like { this }: M, or M", "1"),
            ("MM", "1"),
            ("{\"a\": 1} M", "-"),
            ("{} M", "-"),
            ("{\"a\": M", "-"),
            ("{\"a\": M,}", "-"),
            ("[M]", "1"),
            ("<think>\nM\n</think>\nM", "2"),
            ("<think>\nM\n</think>\nNo.", "-"),
            ("M\n</think>\nM", "2"),
            ("<think>\nM", "-"),
            ("", "-"),
            ("}{", "-"),
        ] {
            assert_eq!(message(text), number, "{text:?}");
        }
    }

    #[test]
    fn a_proposal_that_is_not_enabled_has_no_ops() {
        let ops = |enabled: &str| {
            let delete = r#"{"op":"delete","target_file":"tool.py","target":{"kind":"document"}}"#;
            let text =
                format!(r#"{{"enabled":{enabled},"assistant_message":"","ops":[{delete}]}}"#);
            proposal(&text).map(|proposal| proposal.ops.len())
        };
        assert_eq!((ops("true"), ops("false")), (Some(1), Some(0)));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_proposal_or_none(text in "[{}\"\\\\`~ \\né:,\\[\\]a]{0,40}") {
            let _ = proposal(&text);
        }
    }

    #[test]
    fn any_text_is_read_in_one_go() {
        for text in ["{", "{\"", "{\"a\":", "`", "```\n", "{ ", "\\", "}", "😀{"] {
            assert_eq!(proposal(&text.repeat(200_000)), None, "{text:?}");
        }
    }
}
