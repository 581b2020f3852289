//! Visible escapes for what Markdown cannot show: `\r`, `\t`, `\xff`, `\u{feff}`, and a `\` at the
//! end of a line, which takes the newline away.

/// The bytes that an escaped text stands for.
pub fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = one(&rest[at + 1..], &mut bytes);
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Decodes what follows a backslash; gives back the text after it.
fn one<'a>(text: &'a str, bytes: &mut Vec<u8>) -> &'a str {
    let mark = text.chars().next().expect("a newline follows every line");
    let rest = &text[mark.len_utf8()..];
    match mark {
        '\n' => {}
        'n' => bytes.push(b'\n'),
        'r' => bytes.push(b'\r'),
        't' => bytes.push(b'\t'),
        '\\' => bytes.push(b'\\'),
        'x' => {
            bytes.push(u8::from_str_radix(&rest[..2], 16).expect("two hex digits after \\x"));
            return &rest[2..];
        }
        'u' => {
            let (hex, rest) = rest[1..].split_once('}').expect("\\u{…}");
            let char = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
            bytes.extend(char.expect("a character in \\u{…}").to_string().bytes());
            return rest;
        }
        other => panic!("no escape is written \\{other}"),
    }
    rest
}

/// A text with everything that cannot be seen made visible, newlines as `\n`.
pub fn visible(text: &str) -> String {
    text.chars().map(|char| if char == '\n' { "\\n".to_owned() } else { shown(char) }).collect()
}

/// Bytes as the body of an `escaped` section.
pub fn encode(bytes: &[u8]) -> String {
    let mut body = String::new();
    for chunk in bytes.utf8_chunks() {
        body.extend(chunk.valid().chars().map(shown));
        body.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    if !body.is_empty() && !body.ends_with('\n') {
        body.push_str("\\\n");
    }
    body
}

/// Whether bytes cannot be shown as the body of a plain section.
pub fn is_needed(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return true };
    let hidden = |char: char| char != '\\' && char != '\n' && shown(char).starts_with('\\');
    text.chars().any(hidden) || (!text.is_empty() && !text.ends_with('\n'))
}

fn shown(char: char) -> String {
    match char {
        '\n' => "\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{feff}' => {
            format!("\\u{{{:x}}}", char as u32)
        }
        char if char.is_control() => format!("\\u{{{:x}}}", char as u32),
        char => char.to_string(),
    }
}

#[test]
fn there_and_back() {
    for bytes in [&b"a\r\nb"[..], b"\xff\\ \t\n", "\u{feff}x\u{a0}\n".as_bytes(), b""] {
        assert_eq!(decode(&encode(bytes)), bytes);
    }
    assert_eq!(encode(b"a\rb"), "a\\rb\\\n");
}
