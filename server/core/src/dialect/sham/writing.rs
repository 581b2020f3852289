//! How people write blocks of this dialect.

use super::line::{self, Value};
use super::marker::{self, Style};
use crate::dialect::{CommonKey, Cursor, ParsedField, Writing, needed};
use crate::fingerprint::Fingerprint;
use crate::spec::{Action, FieldRole};
use crate::text::{Span, lines};

/// The key of every command.
pub const COMMON_KEYS: &[CommonKey] =
    &[CommonKey { name: "action", is: FieldRole::Action, help: "What is to be done." }];

/// The writing of blocks.
pub struct Lines;

impl Writing for Lines {
    fn skeleton(&self, action: &Action, id: &str, hole: &mut dyn FnMut() -> String) -> String {
        let style = Style::Sham;
        let header = style.header(id);
        let mut text = format!("{header}\naction = \"{}\"\n", action.name);
        for field in needed(action) {
            text.push_str(&self.assignment(&header, &field.name, field.long, &hole()));
            text.push('\n');
        }
        text + &style.end_marker(id)
    }

    fn fresh_id(&self, taken: &dyn Fn(&str) -> bool) -> String {
        let digests = (1..10_000_usize).map(|number| Fingerprint::of(&number.to_le_bytes()));
        let mut ids = digests.map(|digest| digest.to_string()["sha256:".len()..][..3].to_owned());
        // Ids may repeat.
        ids.find(|id| !taken(id)).unwrap_or_else(|| "abc".to_owned())
    }

    fn assignment(&self, header: &str, field: &str, long: bool, hole: &str) -> String {
        match delimiter(header).filter(|_| long) {
            Some(delimiter) => format!("{field} = <<'{delimiter}'\n{hole}\n{delimiter}"),
            None => format!("{field} = \"{hole}\""),
        }
    }

    fn cursor<'a>(&self, _: &str, before: &'a str, after: &str) -> Cursor<'a> {
        let Some(assignment) = line::read(before) else {
            let begins = before.is_empty() || before.starts_with("#!") || line::is_key(before);
            return if begins { Cursor::Key } else { Cursor::Elsewhere };
        };
        let key = &before[assignment.key];
        match assignment.value {
            Value::Unclosed(span) => {
                let close = if after.contains('"') { "" } else { "\"" };
                Cursor::Value { key, start: span.start, open: "", close }
            }
            Value::Other(span) if span.is_empty() => {
                let open = if before.ends_with('=') { " \"" } else { "\"" };
                Cursor::Value { key, start: before.len(), open, close: "\"" }
            }
            _ => Cursor::Elsewhere,
        }
    }

    fn end_marker(&self, header: &str) -> Option<String> {
        named(header).map(|(style, id)| style.end_marker(&id))
    }
}

/// The style and the id of a block.
fn named(header: &str) -> Option<(Style, String)> {
    let found = marker::header(header)?;
    let id = header[found.id?].to_owned();
    marker::is_id(&id).then_some((found.style, id))
}

fn delimiter(header: &str) -> Option<String> {
    named(header).map(|(style, id)| style.delimiter(&id))
}

/// The opening of a heredoc, and the line that ends it where one does.
pub fn delimiters(block: &str, field: &ParsedField) -> Vec<Span> {
    let line = block.get(field.key.end..).filter(|_| field.heredoc).unwrap_or_default();
    let line = line.split(['\n', '\r']).next().unwrap_or_default().trim_end();
    let Some(at) = line.find("<<") else { return Vec::new() };
    let opening = field.key.end + at..field.key.end + line.len();
    let written = block[opening.clone()].trim_start_matches("<<");
    let written = written.trim_matches(['\'', '"', '`', '-', ' ']);
    let after = field.value.end;
    let close = match field.value.is_empty() || block[after..].starts_with(written) {
        true => after,
        false => lines::after_ending(block, after),
    };
    let ends = close >= opening.end && !written.is_empty();
    let closing =
        (ends && block[close..].starts_with(written)).then(|| close..close + written.len());
    std::iter::once(opening).chain(closing).collect()
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
    fn a_skeleton_has_what_the_action_cannot_do_without() {
        let replace = spec::action("sham", "file_replace_text").unwrap();
        let mut stop = 0;
        let mut hole = || {
            stop += 1;
            format!("${stop}")
        };
        let text = Lines.skeleton(replace, "k7m", &mut hole);
        assert_eq!(
            text,
            "#!SHAM [@three-char-SHA-256: k7m]\n\
             action = \"file_replace_text\"\n\
             path = \"$1\"\n\
             old_text = <<'EOT_SHAM_k7m'\n$2\nEOT_SHAM_k7m\n\
             new_text = <<'EOT_SHAM_k7m'\n$3\nEOT_SHAM_k7m\n\
             #!END_SHAM_k7m"
        );
    }

    #[test]
    fn an_id_has_three_characters_and_is_not_taken() {
        let first = Lines.fresh_id(&|_| false);
        let second = Lines.fresh_id(&|id| id == first);
        assert!(first != second && first.len() == 3 && second.len() == 3, "{first} {second}");
        assert!(marker::is_id(&first) && marker::is_id(&second));
        assert_eq!(Lines.fresh_id(&|_| true).len(), 3, "where all are taken one repeats");
    }

    #[test]
    fn the_successor_keeps_its_own_delimiters() {
        let header = "#!nesl [@three-char-SHA-256: k7m]";
        assert_eq!(Lines.assignment(header, "a", true, "x"), "a = <<'EOT_k7m'\nx\nEOT_k7m");
        assert_eq!(Lines.end_marker(header).unwrap(), "#!end_k7m");
        assert_eq!(Lines.assignment("#!SHAM [@x]", "a", true, "x"), "a = \"x\"", "no id");
    }

    #[test]
    fn a_heredoc_has_its_delimiters_where_they_stand() {
        let shown = |block: &str| {
            let text = Text::new(block);
            let scan = Scan::new(&text, Dialects::all(), &Limits::default());
            let placed = scan.blocks().next().unwrap();
            let fields = placed.block.parsed.fields.iter();
            let all = fields.flat_map(|field| delimiters(block, field));
            all.map(|span| format!("{}:{}", span.start, &block[span.clone()])).collect::<Vec<_>>()
        };
        let sham = |content: &str| {
            format!(
                "#!SHAM [@three-char-SHA-256: k7m]\na = <<'EOT_SHAM_k7m' \n{content}EOT_SHAM_k7m\n\
                 b = \"<<'x'\"\n#!END_SHAM_k7m\n"
            )
        };
        assert_eq!(shown(&sham("x\n")), ["38:<<'EOT_SHAM_k7m'", "58:EOT_SHAM_k7m"]);
        assert_eq!(shown(&sham("")), ["38:<<'EOT_SHAM_k7m'", "56:EOT_SHAM_k7m"]);
        assert_eq!(shown(&sham("\n\n")), ["38:<<'EOT_SHAM_k7m'", "58:EOT_SHAM_k7m"]);
        let crlf = sham("x\n").replace('\n', "\r\n");
        assert_eq!(shown(&crlf), ["39:<<'EOT_SHAM_k7m'", "61:EOT_SHAM_k7m"]);
        let inline = "#!nesl [@three-char-SHA-256: k7m]\na = <<'EOT_k7m'\nxEOT_k7m\n#!end_k7m\n";
        assert_eq!(shown(inline), ["38:<<'EOT_k7m'", "51:EOT_k7m"]);
        let open = "#!SHAM [@three-char-SHA-256: k7m]\na = <<'EOT_SHAM_k7m'\nx\n";
        assert_eq!(shown(open), ["38:<<'EOT_SHAM_k7m'"]);
    }

    #[test]
    fn the_cursor_is_at_a_key_in_a_value_or_elsewhere() {
        let cases = [
            ("", "", "Key"),
            ("pa", "", "Key"),
            ("#!E", "", "Key"),
            ("some prose ", "", "Elsewhere"),
            ("path", "", "Key"),
            ("path =", "", r#"Value { key: "path", start: 6, open: " \"", close: "\"" }"#),
            ("path = ", "", r#"Value { key: "path", start: 7, open: "\"", close: "\"" }"#),
            ("path = \"/w", "", r#"Value { key: "path", start: 8, open: "", close: "\"" }"#),
            ("path = \"/w", "\"", r#"Value { key: "path", start: 8, open: "", close: "" }"#),
            ("path = \"/w\" ", "", "Elsewhere"),
            ("content = <<'EOT", "", "Elsewhere"),
        ];
        for (before, after, expected) in cases {
            assert_eq!(format!("{:?}", Lines.cursor("", before, after)), expected, "{before:?}");
        }
    }
}
