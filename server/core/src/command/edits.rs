//! The JSON of `fs.applyEdits`: `{"version":1,"edits":[…]}`.

mod parse;

pub use parse::parse;

use std::num::NonZeroUsize;

use serde_json::{Value, json};

/// One edit of a file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextEdit {
    /// Text right after an anchor, nothing added.
    InsertAfter {
        /// The text to find.
        anchor: String,
        /// The text to insert.
        text: String,
        /// Which match, from 1.
        occurrence: Option<NonZeroUsize>,
    },
    /// Text right before an anchor, nothing added.
    InsertBefore {
        /// The text to find.
        anchor: String,
        /// The text to insert.
        text: String,
        /// Which match, from 1.
        occurrence: Option<NonZeroUsize>,
    },
    /// One match replaced; the only one where `occurrence` is not given.
    ReplaceFirst {
        /// The text to find.
        find: String,
        /// What is there afterwards.
        text: String,
        /// Which match, from 1.
        occurrence: Option<NonZeroUsize>,
    },
    /// Every match replaced.
    ReplaceAll {
        /// The text to find.
        find: String,
        /// What is there afterwards.
        text: String,
    },
    /// Whole lines replaced, `start_line..=end_line`, from 1.
    ReplaceRange {
        /// The first line.
        start_line: usize,
        /// The last line.
        end_line: usize,
        /// What is there afterwards; empty takes the lines away.
        text: String,
    },
}

/// Why a text is not the JSON of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditsError {
    /// What is wrong, with the edit's 1-based number where it is one edit's fault.
    pub message: String,
    /// The 1-based line in the decoded text, where it is known.
    pub line: Option<usize>,
    /// The 1-based column in the decoded text, where it is known.
    pub column: Option<usize>,
    /// The index of the edit at fault, counted from 0.
    pub edit: Option<usize>,
    /// Whether all that is wrong is the number of an `occurrence`.
    pub occurrence: bool,
}

/// The JSON of some edits, such that [`parse()`] gives them back.
pub fn render(edits: &[TextEdit]) -> String {
    let edits: Vec<Value> = edits.iter().map(value).collect();
    json!({ "version": 1, "edits": edits }).to_string()
}

fn value(edit: &TextEdit) -> Value {
    let (mut value, occurrence) = match edit {
        TextEdit::InsertAfter { anchor, text, occurrence } => {
            (json!({ "op": "insertAfter", "anchor": anchor, "text": text }), *occurrence)
        }
        TextEdit::InsertBefore { anchor, text, occurrence } => {
            (json!({ "op": "insertBefore", "anchor": anchor, "text": text }), *occurrence)
        }
        TextEdit::ReplaceFirst { find, text, occurrence } => {
            (json!({ "op": "replaceFirst", "find": find, "text": text }), *occurrence)
        }
        TextEdit::ReplaceAll { find, text } => {
            (json!({ "op": "replaceAll", "find": find, "text": text }), None)
        }
        TextEdit::ReplaceRange { start_line, end_line, text } => {
            let op = "replaceRange";
            (json!({ "op": op, "startLine": start_line, "endLine": end_line, "text": text }), None)
        }
    };
    if let Some(occurrence) = occurrence {
        value["occurrence"] = json!(occurrence.get());
    }
    value
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refused(edits: &str, index: Option<usize>, message: &str) {
        let error = parse(edits).expect_err(edits);
        assert_eq!((error.edit, error.message.as_str()), (index, message), "{edits}");
    }

    fn refused_edit(edit: &str, message: &str) {
        let good = r#"{"op":"replaceAll","find":"a","text":"b"}"#;
        let edits = format!(r#"{{"version":1,"edits":[{good},{edit}]}}"#);
        refused(&edits, Some(1), &format!("edits[1]: {message}"));
    }

    #[test]
    fn every_op_is_read() {
        let text = r#"{"version":1,"edits":[
            {"op":"insertAfter","anchor":"a","text":"b","occurrence":2},
            {"op":"replaceRange","startLine":1,"endLine":3,"text":""}]}"#;
        let after = TextEdit::InsertAfter {
            anchor: "a".into(),
            text: "b".into(),
            occurrence: NonZeroUsize::new(2),
        };
        let range = TextEdit::ReplaceRange { start_line: 1, end_line: 3, text: String::new() };
        assert_eq!(parse(text), Ok(vec![after, range]));
    }

    #[test]
    fn syntax_has_a_place() {
        let error = parse("{\"version\":1,\n\"edits\":[}").unwrap_err();
        assert_eq!((error.line, error.column, error.edit), (Some(2), Some(10), None));
        assert_eq!(
            error.message,
            "not valid JSON at decoded line 2, column 10: expected value; around it: `\"edits\":[}`"
        );
        let long = format!(r#"{{"version":1,"edits":[{{"op":"{}" "text":""}}]}}"#, "x".repeat(40));
        let says = parse(&long).unwrap_err().message;
        assert!(says.ends_with("around it: `…xxxxxxxxxxxxxxxxxx\" \"text\":\"\"}]}`"), "{says}");
        let astral = parse(r#"{"😀":}"#).unwrap_err();
        assert_eq!((astral.line, astral.column), (Some(1), Some(6)), "characters, not bytes");
        let twice = parse(r#"{"version":1,"version":1,"edits":[]}"#).unwrap_err();
        assert!(twice.message.contains("the key `version` is in this object twice"), "{twice:?}");
    }

    #[test]
    fn the_envelope_is_strict() {
        refused("[]", None, "the payload must be an object, and is an array");
        refused(r#"{"edits":[]}"#, None, "`version` is missing; add `\"version\":1`");
        refused(r#"{"version":2,"edits":[]}"#, None, "`version` must be 1");
        refused(r#"{"version":"1","edits":[]}"#, None, "`version` must be 1, and is a string");
        refused(r#"{"version":1}"#, None, "`edits` is missing; it is the array of the edits");
        refused(r#"{"version":1,"edit":[]}"#, None, "unknown key `edit`; the nearest is `edits`");
        refused(r#"{"version":1,"edits":{}}"#, None, "`edits` must be an array, and is an object");
        let empty = "`edits` is empty and asks for nothing; give at least one edit";
        refused(r#"{"version":1,"edits":[]}"#, None, empty);
    }

    #[test]
    fn every_mistake_in_an_edit_names_it() {
        refused_edit("3", "an edit must be an object, and is a number");
        refused_edit("{}", "`op` is missing");
        refused_edit(r#"{"op":1}"#, "`op` must be a string, and is a number");
        refused_edit(
            r#"{"op":"insertafter"}"#,
            "unknown op `insertafter`; the nearest is `insertAfter`",
        );
        refused_edit(
            r#"{"op":"delete"}"#,
            "unknown op `delete`; the ops are insertAfter, insertBefore, replaceFirst, replaceAll, replaceRange",
        );
        refused_edit(
            r#"{"op":"insertAfter","find":"a","text":"b"}"#,
            "unknown key `find`; the keys are op, anchor, text, occurrence",
        );
        refused_edit(
            r#"{"op":"replaceFirst","find":"","text":"b"}"#,
            "`find` is empty; it must be text of the file",
        );
        refused_edit(r#"{"op":"replaceFirst","find":"a"}"#, "`text` is missing");
        refused_edit(
            r#"{"op":"replaceFirst","find":"a","text":null}"#,
            "`text` must be a string, and is null",
        );
        refused_edit(
            r#"{"op":"replaceFirst","find":"a","text":"","occurrence":0}"#,
            "`occurrence` counts from 1, and is 0",
        );
        refused_edit(
            r#"{"op":"replaceFirst","find":"a","text":"","occurrence":1.5}"#,
            "`occurrence` must be a whole number from 1, and is a number that is negative or not whole",
        );
        refused_edit(
            r#"{"op":"replaceAll","find":"a","text":"","occurrence":1}"#,
            "`occurrence` cannot go with replaceAll, which replaces every match; use replaceFirst for one of them",
        );
        refused_edit(
            r#"{"op":"replaceRange","startLine":3,"endLine":2,"text":""}"#,
            "`startLine` 3 is beyond `endLine` 2",
        );
    }

    fn edit() -> impl Strategy<Value = TextEdit> {
        let occurrence =
            || proptest::option::of((1usize..9).prop_map(|n| NonZeroUsize::new(n).unwrap()));
        let searched = || "[a\n\"\\\\😀]{1,5}";
        let text = || "[a\r\n\"\\\\\t😀]{0,5}";
        prop_oneof![
            (searched(), text(), occurrence()).prop_map(|(anchor, text, occurrence)| {
                TextEdit::InsertAfter { anchor, text, occurrence }
            }),
            (searched(), text(), occurrence()).prop_map(|(anchor, text, occurrence)| {
                TextEdit::InsertBefore { anchor, text, occurrence }
            }),
            (searched(), text(), occurrence()).prop_map(|(find, text, occurrence)| {
                TextEdit::ReplaceFirst { find, text, occurrence }
            }),
            (searched(), text()).prop_map(|(find, text)| TextEdit::ReplaceAll { find, text }),
            (1usize..9, 0usize..9, text()).prop_map(|(start_line, more, text)| {
                TextEdit::ReplaceRange { start_line, end_line: start_line + more, text }
            }),
        ]
    }

    proptest! {
        #[test]
        fn what_is_rendered_is_read_back(edits in proptest::collection::vec(edit(), 1..5)) {
            prop_assert_eq!(parse(&render(&edits)), Ok(edits));
        }
    }
}
