//! One `KEY = value` line, and everything that can be wrong with one.

use crate::text::Span;

/// What a line in a block says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The key's bytes; empty where there is none.
    pub key: Span,
    /// Whether the key is one, in the first column.
    pub key_is_sound: bool,
    /// The bytes of `:=` or the like, where that is in the place of `=`.
    pub operator: Option<Span>,
    /// Runs of blanks around the operator that are not all spaces and tabs.
    pub odd_blanks: Vec<Span>,
    /// The value.
    pub value: Value,
}

/// The value of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A string with both quotes; the bytes between them.
    Quoted(Span),
    /// A string whose closing quote is missing; the bytes after the opening one.
    Unclosed(Span),
    /// The opening of a heredoc; the delimiter's bytes.
    Heredoc(Span),
    /// The opening of a heredoc without its quotes or with others: all of it, and the delimiter.
    Bare(Span, Span),
    /// A string or the opening of a heredoc with more after it.
    Trailing {
        /// The value, as if nothing came after it.
        value: Box<Value>,
        /// What comes after it.
        rest: Span,
    },
    /// Anything else.
    Other(Span),
}

/// The longest key, in UTF-16 code units.
const LONGEST_KEY: usize = 256;
const BLANKS: [char; 2] = [' ', '\t'];

/// Reads a line that assigns something; `None` for one that has no `=`.
pub fn read(line: &str) -> Option<Assignment> {
    let equals = line.find('=')?;
    let colon = line[..equals].ends_with(':');
    let before = &line[..equals - usize::from(colon)];
    let trimmed = before.trim();
    let start = before.len() - before.trim_start().len();
    let key = match trimmed {
        "" => equals..equals,
        _ => start..start + trimmed.len(),
    };
    let key_is_sound = is_key(before.trim_end());
    let value = |from: usize| {
        let start = line.len() - line[from..].trim_start().len();
        (from..start, read_value(line, start))
    };
    let (mut after, mut read) = value(equals + 1);
    let mut operator = colon.then(|| equals - 1..equals + 1);
    // A comparison in a line of code has no string after it.
    if key_is_sound && !colon && line[equals + 1..].starts_with('=') {
        let (next, value) = value(equals + 2);
        if !matches!(value, Value::Other(_)) {
            operator = Some(equals..equals + 2);
            (after, read) = (next, value);
        }
    }
    let is_odd = |gap: &Span| line[gap.clone()].contains(|c| !BLANKS.contains(&c));
    let gaps = [before.trim_end().len()..before.len(), after];
    let odd_blanks = gaps.into_iter().filter(is_odd).collect();
    Some(Assignment { key, key_is_sound, operator, odd_blanks, value: read })
}

/// Whether a line assigns something under a sound key with a sound value.
pub fn looks_like_one(line: &str) -> bool {
    read(line).is_some_and(|it| {
        it.key_is_sound && !matches!(it.value, Value::Other(_)) || it.operator.is_some()
    })
}

/// Whether a text is a key: a letter or `_`, then letters, digits and `_`.
pub fn is_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && text.encode_utf16().count() <= LONGEST_KEY
}

fn read_value(line: &str, start: usize) -> Value {
    let text = line[start..].trim_end_matches(BLANKS);
    let whole = start..start + text.len();
    if text.starts_with('"') {
        return match closing_quote(text) {
            None => Value::Unclosed(start + 1..whole.end),
            Some(close) => {
                with_rest(Value::Quoted(start + 1..start + close), start + close + 1, &whole)
            }
        };
    }
    if let Some(opened) = text.strip_prefix("<<") {
        if let Some(quoted) = opened.strip_prefix('\'')
            && let Some(length) = quoted.find('\'')
        {
            let delimiter = start + 3..start + 3 + length;
            let end = delimiter.end + 1;
            return with_rest(Value::Heredoc(delimiter), end, &whole);
        }
        let quote = |c: char| matches!(c, '\'' | '"' | '`' | '-' | ' ');
        let delimiter = opened.trim_matches(quote);
        let at = whole.end - opened.trim_start_matches(quote).len();
        return Value::Bare(whole, at..at + delimiter.len());
    }
    Value::Other(whole)
}

fn with_rest(value: Value, end: usize, whole: &Span) -> Value {
    if end == whole.end {
        return value;
    }
    Value::Trailing { value: Box::new(value), rest: end..whole.end }
}

/// The offset of the quote that ends the string that `text` begins with.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().enumerate().skip(1).find_map(|(at, byte)| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends.then_some(at)
    })
}

/// What a string's bytes decode to as a JSON string (RFC 8259, section 7).
///
/// # Errors
/// Where the text is not such a string, and why.
pub fn decode(text: &str) -> Result<String, (Span, &'static str)> {
    let quoted = format!("\"{text}\"");
    serde_json::from_str(&quoted).map_err(|_| first_fault(text))
}

fn first_fault(text: &str) -> (Span, &'static str) {
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        if char.is_control() && (char as u32) < 0x20 {
            return (at..at + 1, "a control character is written as an escape, a tab as `\\t`");
        }
        if char != '\\' {
            continue;
        }
        match chars.next() {
            Some((_, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')) => {}
            Some((next, 'u')) => {
                let digits = text.get(next + 1..next + 5);
                let hex = digits.filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
                let Some(hex) = hex else {
                    return (at..next + 1, "`\\u` needs four hexadecimal digits");
                };
                let unit = u32::from_str_radix(hex, 16).unwrap_or(0);
                let low = text.get(next + 5..next + 11).and_then(|it| it.strip_prefix("\\u"));
                let low = low.and_then(|it| u32::from_str_radix(it, 16).ok());
                let pair = low.is_some_and(|low| (0xDC00..0xE000).contains(&low));
                if (0xDC00..0xE000).contains(&unit) || (0xD800..0xDC00).contains(&unit) && !pair {
                    return (at..next + 5, "half a surrogate pair is not a character");
                }
                chars.nth(3);
                if pair && (0xD800..0xDC00).contains(&unit) {
                    chars.nth(5);
                }
            }
            Some((next, other)) => {
                let end = next + other.len_utf8();
                return (at..end, "no such escape: a backslash itself is written `\\\\`");
            }
            None => return (at..at + 1, "a backslash at the end: it is written `\\\\`"),
        }
    }
    (0..text.len(), "this is not a JSON string")
}

/// A text as a JSON string with its quotes.
pub fn encode(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line() {
        let cases = [
            (r#"a = "b""#, r#"a true Quoted "b""#),
            (r#"a="b" "#, r#"a true Quoted "b""#),
            (r#"größe_1 = "b\"c""#, r#"größe_1 true Quoted "b\\\"c""#),
            (r#"a := "b := c""#, r#"a true := Quoted "b := c""#),
            (r#"a = "b := c""#, r#"a true Quoted "b := c""#),
            (r#" a = "b""#, r#"a false Quoted "b""#),
            (r#"1a = "b""#, r#"1a false Quoted "b""#),
            (r#" = "b""#, r#" false Quoted "b""#),
            (r#"a = "b"#, r#"a true Unclosed "b""#),
            (r#"a = "b" c"#, r#"a true Trailing Quoted "b" + " c""#),
            ("a = <<'EOT_SHAM_abc'", r#"a true Heredoc "EOT_SHAM_abc""#),
            ("a = <<'EOT' x", r#"a true Trailing Heredoc "EOT" + " x""#),
            ("a = <<EOT", r#"a true Bare "EOT""#),
            ("a = <<\"EOT\"", r#"a true Bare "EOT""#),
            ("a = <<'EOT", r#"a true Bare "EOT""#),
            ("a = b", r#"a true Other "b""#),
            ("a == \"b\"", r#"a true == Quoted "b""#),
            ("a == <<'EOT'", r#"a true == Heredoc "EOT""#),
            ("a == b", r#"a true Other "= b""#),
            ("if a == \"b\"", r#"if a false Other "= \"b\"""#),
            ("a\u{a0}=\u{2003} \"b\"", r#"a true Quoted "b" odd "\u{a0}" odd "\u{2003} ""#),
            ("a =\u{a0}<<'EOT'", r#"a true Heredoc "EOT" odd "\u{a0}""#),
            ("\u{a0}a = \"b\"", r#"a false Quoted "b""#),
            ("a =", r#"a true Other """#),
        ];
        for (line, expected) in cases {
            let it = read(line).unwrap();
            fn shown(line: &str, value: &Value) -> String {
                match value {
                    Value::Quoted(span) => format!("Quoted {:?}", &line[span.clone()]),
                    Value::Unclosed(span) => format!("Unclosed {:?}", &line[span.clone()]),
                    Value::Heredoc(span) => format!("Heredoc {:?}", &line[span.clone()]),
                    Value::Bare(_, span) => format!("Bare {:?}", &line[span.clone()]),
                    Value::Other(span) => format!("Other {:?}", &line[span.clone()]),
                    Value::Trailing { value, rest } => {
                        format!("Trailing {} + {:?}", shown(line, value), &line[rest.clone()])
                    }
                }
            }
            let operator = it.operator.map(|it| format!("{} ", &line[it])).unwrap_or_default();
            let (key, sound) = (&line[it.key.clone()], it.key_is_sound);
            let odd = it.odd_blanks.iter().map(|it| format!(" odd {:?}", &line[it.clone()]));
            let value = shown(line, &it.value) + &odd.collect::<String>();
            assert_eq!(format!("{key} {sound} {operator}{value}"), expected);
        }
        assert_eq!(read("no equals"), None);
    }

    #[test]
    fn a_fault_in_a_string_is_shown_where_it_is() {
        let cases = [
            (r"a\nb", Ok("a\nb".to_owned())),
            (r"\ud83d\ude00", Ok("😀".to_owned())),
            (r"C:\Users", Err(2..4)),
            (r"a\", Err(1..2)),
            (r"a\u12", Err(1..3)),
            (r"a\ud83d!", Err(1..7)),
            ("a\tb", Err(1..2)),
        ];
        for (text, expected) in cases {
            assert_eq!(decode(text).map_err(|(span, _)| span), expected, "{text}");
        }
    }
}
