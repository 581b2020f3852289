//! How people write blocks of this dialect.

use crate::dialect::{Cursor, Writing};
use crate::spec::Action;

/// The writing of blocks.
pub struct Json;

impl Writing for Json {
    fn skeleton(&self, _: &Action, _: &str, hole: &mut dyn FnMut() -> String) -> String {
        let (message, file, content) = (hole(), hole(), hole());
        let target = r#""target": {"kind": "document"}"#;
        format!(
            "```json\n{{\n  \"assistant_message\": \"{message}\",\n  \"ops\": [\n    \
             {{\"op\": \"replace\", \"target_file\": \"{file}\", {target}, \
             \"content\": \"{content}\"}}\n  ]\n}}\n```"
        )
    }

    /// Blocks have no ids.
    fn fresh_id(&self, _: &dyn Fn(&str) -> bool) -> String {
        String::new()
    }

    fn assignment(&self, _: &str, field: &str, _: bool, hole: &str) -> String {
        format!("\"{field}\": \"{hole}\"")
    }

    /// The value of a member that is on the cursor's line with its name.
    fn cursor<'a>(&self, _: &str, before: &'a str, after: &str) -> Cursor<'a> {
        let mut seen = Seen::default();
        let mut escaped = false;
        for (at, char) in before.char_indices() {
            match (seen.open, char) {
                _ if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(start), '"') => {
                    (seen.open, seen.text, seen.named) = (None, Some(&before[start..at]), false);
                }
                (None, '"') => seen.open = Some(at + 1),
                (None, ':') => seen.named = seen.text.is_some(),
                (None, char) if !char.is_whitespace() => (seen.text, seen.named) = (None, false),
                _ => {}
            }
        }
        let Some(key) = seen.text.filter(|_| seen.named) else { return Cursor::Elsewhere };
        let is_text = key != "enabled";
        match seen.open {
            Some(start) => {
                let close = if after.starts_with('"') { "" } else { "\"" };
                Cursor::Value { key, start, open: "", close }
            }
            None if is_text => Cursor::Value { key, start: before.len(), open: "\"", close: "\"" },
            None => Cursor::Value { key, start: before.len(), open: "", close: "" },
        }
    }

    /// A fence ends as it began, which an editor closes by itself.
    fn end_marker(&self, _: &str) -> Option<String> {
        None
    }
}

/// What was seen of a line of JSON so far.
#[derive(Default)]
struct Seen<'a> {
    /// Where the text begins that is not closed yet.
    open: Option<usize>,
    /// The text before, where only blanks and a colon came since.
    text: Option<&'a str>,
    /// Whether that colon came.
    named: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialects;
    use crate::limits::Limits;
    use crate::scan::Scan;
    use crate::spec;
    use crate::text::Text;

    #[test]
    fn a_skeleton_that_is_filled_in_is_a_sound_block() {
        let action = spec::actions("edit-ops").next().expect("an action");
        let text = Json.skeleton(action, "", &mut || "tool.py".to_owned());
        let scan = Scan::new(&Text::new(&text), Dialects::all(), &Limits::default());
        let block = scan.blocks().next().expect("a block").block;
        assert!(!block.parsed.problems.iter().any(|it| it.is_error()), "{text}");
        assert_eq!(block.parsed.action.as_deref(), Some(action.name.as_str()));
    }

    #[test]
    fn the_cursor_is_in_the_value_of_a_member() {
        let at = |line: &str| {
            let (before, after) = line.split_once('|').expect("a cursor");
            match Json.cursor("", before, after) {
                Cursor::Value { key, start, open, close } => {
                    format!("{key} {open}[{}]{close}", &before[start..])
                }
                other => format!("{other:?}"),
            }
        };
        assert_eq!(at(r#"  {"op": "in|", "x": 1}"#), "op [in]");
        assert_eq!(at(r#"  {"op": "|"#), "op []\"");
        assert_eq!(at(r#"  {"op" : |"#), "op \"[]\"");
        assert_eq!(at(r#"{"op": "insert", "target": {"kind": "cu|"}}"#), "kind [cu]");
        assert_eq!(at(r#"{"enabled": |"#), "enabled []");
        assert_eq!(at(r#"{"content": "a \"op\": \"|"#), r#"content [a \"op\": \"]""#);
        for elsewhere in ["|", "{|", r#"{"o|"#, r#"{"op": "insert"|"#, r#"{"op": "insert", |"#] {
            assert_eq!(at(elsewhere), "Elsewhere", "{elsewhere}");
        }
    }
}
