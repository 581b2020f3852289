//! Transcripts as they come in: from files and from standard input.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use operator_core::text::Text;

/// A transcript.
pub struct Transcript {
    /// Its name for people.
    pub name: String,
    /// Its path as given; `-` for standard input.
    pub path: String,
    /// Its text, a byte order mark included: one before a marker is a problem worth showing.
    pub text: Text,
}

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of a file for people.
pub fn name(path: &Path) -> Cow<'_, str> {
    if is_stdin(path) { "<stdin>".into() } else { path.to_string_lossy() }
}

/// The message for a file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> String {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => error.to_string(),
    };
    format!("cannot read {}: {reason}", name(path))
}

/// Reads a transcript, and no more of it than shows that it is larger than `limit` bytes.
///
/// # Errors
/// A message for people: the file cannot be read or is not UTF-8.
pub fn read(path: &Path, limit: usize) -> Result<Transcript, String> {
    let bytes = read_bytes(path, limit).map_err(|error| unreadable(path, &error))?;
    let text = std::str::from_utf8(cut(&bytes, limit)).map_err(|error| {
        let (line, column) = place(&bytes, error.valid_up_to());
        format!(
            "{}:{line}:{column}: byte {:#04x} is not UTF-8; save the file as UTF-8",
            name(path),
            bytes[error.valid_up_to()]
        )
    })?;
    Ok(Transcript {
        name: name(path).into_owned(),
        path: path.to_string_lossy().into_owned(),
        text: Text::new(text),
    })
}

/// Reads a file or standard input, and no more of it than shows that it is larger than `limit`.
///
/// # Errors
/// It cannot be read.
pub fn read_bytes(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    // One character more than the limit has room for, whatever that character is.
    let enough = (limit as u64).saturating_add(4);
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().take(enough).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(enough).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The bytes without the part of a character that reading stopped in.
fn cut(bytes: &[u8], limit: usize) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if bytes.len() > limit && error.error_len().is_none() => {
            &bytes[..error.valid_up_to()]
        }
        _ => bytes,
    }
}

/// The 1-based line and character of an offset whose bytes before it are UTF-8.
fn place(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = Text::new(&String::from_utf8_lossy(&bytes[..offset]));
    let line = before.line_of(before.len());
    (line + 1, before.line(line).chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn of(bytes: &[u8], limit: usize) -> Result<String, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        match read(file.path(), limit) {
            Ok(transcript) => Ok(transcript.text.to_string()),
            Err(message) => Err(message.replace(&*file.path().to_string_lossy(), "FILE")),
        }
    }

    #[test]
    fn the_first_bad_byte_is_named() {
        let message = of(b"a\n\xf0\x9f\x98\x80b\xff\xff", 100).unwrap_err();
        assert_eq!(message, "FILE:2:3: byte 0xff is not UTF-8; save the file as UTF-8");
        let message = of(b"a\xf0\x9f", 100).unwrap_err();
        assert_eq!(message, "FILE:1:2: byte 0xf0 is not UTF-8; save the file as UTF-8");
    }

    #[test]
    fn reading_stops_beyond_the_limit_and_never_inside_a_character() {
        let text = "😀".repeat(10);
        let read = of(text.as_bytes(), 7).unwrap();
        assert_eq!(read, "😀😀");
    }
}
