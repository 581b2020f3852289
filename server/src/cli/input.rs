//! Transcripts as they come in: from files and from standard input.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use operator_core::text::Text;

use crate::visible;

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
    if is_stdin(path) {
        return "<stdin>".into();
    }
    let name = path.to_string_lossy();
    if name.contains(char::is_control) { visible::name(&name).into() } else { name }
}

/// The message for a file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> String {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        // Windows does not say which of the two it is.
        io::ErrorKind::PermissionDenied if cfg!(windows) && path.is_dir() => {
            "it is a directory".to_owned()
        }
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
    let text = text(bytes, limit).map_err(|(bytes, at)| {
        let (line, column) = place(&bytes, at);
        format!(
            "{}:{line}:{column}: byte {:#04x} is not UTF-8; save the file as UTF-8",
            name(path),
            bytes[at]
        )
    })?;
    Ok(Transcript {
        name: name(path).into_owned(),
        path: path.to_string_lossy().into_owned(),
        text: Text::whole(text),
    })
}

/// Reads a file or standard input, and no more of it than shows that it is larger than `limit`.
///
/// # Errors
/// It cannot be read.
pub fn read_bytes(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    // One character more than the limit has room for, whatever that character is.
    let enough = (limit as u64).saturating_add(4);
    if is_stdin(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().take(enough).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let file = File::open(path)?;
    // With room for all of it at once, nothing is copied.
    let size = file.metadata().map_or(0, |data| data.len().min(enough));
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(enough).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes as text, without the part of a character that reading stopped in; otherwise the bytes
/// and where they are not UTF-8.
fn text(bytes: Vec<u8>, limit: usize) -> Result<String, (Vec<u8>, usize)> {
    String::from_utf8(bytes).or_else(|error| {
        let (at, is_cut) = (error.utf8_error().valid_up_to(), error.utf8_error().error_len());
        let mut bytes = error.into_bytes();
        if bytes.len() <= limit || is_cut.is_some() {
            return Err((bytes, at));
        }
        bytes.truncate(at);
        String::from_utf8(bytes).map_err(|error| (error.into_bytes(), at))
    })
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
