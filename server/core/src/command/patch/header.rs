//! The header lines of a unified diff: hunks and files.

use super::PatchFile;

/// What a hunk's header line states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ranges {
    pub old_start: usize,
    pub old_lines: usize,
    pub new_start: usize,
    pub new_lines: usize,
}

impl Ranges {
    /// The ranges of `@@ -a,b +c,d @@`, and what follows them on the line.
    pub(crate) fn parse(line: &str) -> Option<(Ranges, &str)> {
        let (ranges, section) = line.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let (old_start, old_lines) = range(old)?;
        let (new_start, new_lines) = range(new)?;
        Some((Ranges { old_start, old_lines, new_start, new_lines }, section))
    }
}

impl std::fmt::Display for Ranges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let side = |start: usize, count: usize| match count {
            1 => format!("{start}"),
            _ => format!("{start},{count}"),
        };
        let old = side(self.old_start, self.old_lines);
        let new = side(self.new_start, self.new_lines);
        write!(f, "@@ -{old} +{new} @@")
    }
}

fn range(text: &str) -> Option<(usize, usize)> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((number(start)?, number(count)?))
}

fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Far above any line number, and far below what sums of them could overflow.
    if digits { text.parse().ok().filter(|number| *number <= u32::MAX as usize) } else { None }
}

/// Whether two lines name the old and the new file of a diff.
pub(crate) fn names_files(line: &str, next: &str) -> bool {
    let named = |line: &str, sign: &str| {
        line.strip_prefix(sign).is_some_and(|name| !name.trim().is_empty())
    };
    named(line, "--- ") && named(next, "+++ ")
}

/// Whether the text of the file at a path is a diff.
pub(crate) fn is_in(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, it)| {
        ["diff", "patch", "rej"].iter().any(|extension| it.eq_ignore_ascii_case(extension))
    })
}

/// The file that is after `--- ` or `+++ `; a timestamp after a tab is dropped.
pub(crate) fn file(rest: &str) -> Option<PatchFile> {
    let path = match rest.strip_prefix('"') {
        Some(quoted) => unquoted(quoted)?,
        None => rest.split('\t').next().unwrap_or_default().to_owned(),
    };
    match path.as_str() {
        "" => None,
        "/dev/null" => Some(PatchFile::Null),
        _ => Some(PatchFile::Path(path)),
    }
}

/// A path as git quotes it, from after the opening quote on.
fn unquoted(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    loop {
        match rest.next()? {
            b'"' => return String::from_utf8(bytes).ok(),
            b'\\' => bytes.push(match rest.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'a' => 7,
                b'b' => 8,
                b'v' => 11,
                b'f' => 12,
                mark @ (b'"' | b'\\') => mark,
                digit @ b'0'..=b'3' => {
                    let mut octal = || rest.next().filter(|byte| (b'0'..=b'7').contains(byte));
                    (digit - b'0') * 64 + (octal()? - b'0') * 8 + (octal()? - b'0')
                }
                _ => return None,
            }),
            byte => bytes.push(byte),
        }
    }
}

/// A file as a header line writes it.
pub(super) fn file_text(file: &PatchFile) -> String {
    let PatchFile::Path(path) = file else { return "/dev/null".to_owned() };
    let plain = |char: char| !char.is_ascii_control() && char != '"' && char != '\\';
    if path.chars().all(plain) {
        return path.clone();
    }
    let mut quoted = String::from("\"");
    for char in path.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            _ if char.is_ascii_control() => quoted.push_str(&format!("\\{:03o}", char as u32)),
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}
