//! What a transcript may hold in place of bytes no one can read: `{{b64 …}}`, `{{sha256 path}}`
//! and `{{repeat <n> …}}`.

use data_encoding::BASE64;
use operator_core::fingerprint::Fingerprint;

/// Files by path.
pub type Files = [(String, Vec<u8>)];

/// `text` with its macros replaced by what they stand for.
pub fn expand(text: &[u8], files: &Files) -> Vec<u8> {
    let text = replace(text, b"{{repeat", repeat);
    let text = replace(&text, b"{{sha256", |body| fingerprint(body, files).into_bytes());
    replace(&text, b"{{b64", |body| BASE64.encode(body).into_bytes())
}

/// Replaces each `{{name body}}`; one blank or newline parts the name from the body.
fn replace(text: &[u8], open: &[u8], with: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = find(rest, open) {
        let body = &rest[at + open.len() + 1..];
        let end = find(body, b"}}").expect("}} closes a macro");
        // JSON ends in `}` itself: of a run of them the last two close.
        let run = body[end + 2..].iter().take_while(|byte| **byte == b'}').count();
        let end = if open == b"{{b64" { end + run } else { end };
        result.extend_from_slice(&rest[..at]);
        result.extend(with(&body[..end]));
        rest = &body[end + 2..];
    }
    result.extend_from_slice(rest);
    result
}

/// Where `part` is first; through `str`, whose search is quick in unoptimised tests, too.
fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    match (std::str::from_utf8(text), std::str::from_utf8(part)) {
        (Ok(text), Ok(part)) => text.find(part),
        _ => text.windows(part.len()).position(|window| window == part),
    }
}

fn repeat(body: &[u8]) -> Vec<u8> {
    let body = std::str::from_utf8(body).expect("{{repeat}} repeats text");
    let (times, text) = body.split_once([' ', '\n']).expect("{{repeat <n> text}}");
    let times: usize = times.parse().expect("{{repeat}} says how often");
    if !text.contains("{n}") {
        return text.repeat(times).into_bytes();
    }
    (1..=times).map(|n| text.replace("{n}", &n.to_string())).collect::<String>().into_bytes()
}

fn fingerprint(path: &[u8], files: &Files) -> String {
    let path = String::from_utf8_lossy(path);
    let file = files.iter().find(|(name, _)| *name == path);
    let (_, bytes) = file.unwrap_or_else(|| panic!("{{{{sha256 {path}}}}}: no such file before"));
    Fingerprint::of(bytes).to_string()
}

/// A reply or transcript as people read it: payloads decoded, fingerprints by their file's name.
pub fn readable(text: &str, before: &Files, after: &Files) -> String {
    let lines = text.split_inclusive('\n').map(decoded).collect::<String>();
    let named = name_fingerprints(&lines, before, "");
    name_fingerprints(&named, after, "after ")
}

fn decoded(line: &str) -> String {
    let (Some((key, value)), true) = (line.split_once(": "), line.ends_with('\n')) else {
        return line.to_owned();
    };
    if !key.ends_with("_b64") {
        return line.to_owned();
    }
    let bytes = BASE64.decode(value.trim_end_matches('\n').as_bytes());
    match bytes.map(String::from_utf8) {
        Ok(Ok(text)) => {
            let blank = if text.contains('\n') { '\n' } else { ' ' };
            format!("{key}: {{{{b64{blank}{text}}}}}\n")
        }
        _ => line.to_owned(),
    }
}

fn name_fingerprints(text: &str, files: &Files, when: &str) -> String {
    if !text.contains("sha256:") {
        return text.to_owned();
    }
    files.iter().fold(text.to_owned(), |text, (path, bytes)| {
        let fingerprint = Fingerprint::of(bytes).to_string();
        text.replace(&fingerprint, &format!("{{{{sha256 {when}{path}}}}}"))
    })
}

/// Whether `text` is `pattern`, in which `{{any}}` stands for any text.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, others)) = pattern.split_once("{{any}}") else { return pattern == text };
    let (middle, last) = others.rsplit_once("{{any}}").unwrap_or(("", others));
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for part in middle.split("{{any}}") {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn payloads_there_and_back() {
    let files = [("a".to_owned(), b"x\n".to_vec())];
    let json = expand(b"{{b64 {\"a\":{}}}}\n", &[]);
    assert_eq!(json, b"eyJhIjp7fX0=\n");
    let reply = expand(b"details_b64: {{b64 hi}}\ndetails_b64: {{b64\na\nb\n}}\n", &files);
    assert_eq!(reply, b"details_b64: aGk=\ndetails_b64: YQpiCg==\n");
    let readable = readable(std::str::from_utf8(&reply).unwrap(), &files, &[]);
    assert_eq!(readable, "details_b64: {{b64 hi}}\ndetails_b64: {{b64\na\nb\n}}\n");
}

#[test]
fn any_stands_for_any_text() {
    assert!(matches("a{{any}}c{{any}}", "abbcd"));
    assert!(!matches("a{{any}}c", "ab"));
    assert!(!matches("a", "ab"));
}
