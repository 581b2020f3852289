//! `file` URIs, made and read the slow and obvious way.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What is before the path: one of Windows begins with its drive.
const START: &str = if cfg!(windows) { "file:///" } else { "file://" };

/// The `file` URI of an absolute path.
pub fn uri_of(path: &Path) -> String {
    let mut uri = START.to_owned();
    for byte in path.to_str().unwrap().bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'-' | b'_' | b'.' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(byte.into());
            }
            other => write!(uri, "%{other:02X}").unwrap(),
        }
    }
    uri
}

/// The path of a `file` URI.
pub fn path_of(uri: &str) -> PathBuf {
    let rest = uri.strip_prefix(START).unwrap_or_else(|| panic!("{uri} is no file"));
    let mut bytes = Vec::new();
    let mut given = rest.bytes();
    while let Some(byte) = given.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [given.next().unwrap(), given.next().unwrap()];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
    }
    // On Windows names are joined with `\` again.
    PathBuf::from(String::from_utf8(bytes).unwrap()).components().collect()
}
