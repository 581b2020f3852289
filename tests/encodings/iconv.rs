//! Many texts through one `iconv`.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Between two texts: a character that no text has, and that is one byte everywhere.
const BETWEEN: u8 = 1;

/// Whether there is one.
pub fn is_there() -> bool {
    Command::new("iconv").arg("--version").stdout(Stdio::null()).status().is_ok()
}

/// Converts texts; characters that the encoding lacks are left out.
pub fn convert(texts: &[Vec<u8>], from: &str, to: &str) -> Vec<Vec<u8>> {
    if texts.is_empty() {
        return Vec::new();
    }
    let mut child = Command::new("iconv")
        .args(["-c", "-f", from, "-t", to])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut input, joined) = (child.stdin.take().unwrap(), texts.join(&BETWEEN));
    let writer = std::thread::spawn(move || input.write_all(&joined));
    let mut output = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    writer.join().unwrap().unwrap();
    child.wait().unwrap();
    let converted: Vec<Vec<u8>> = output.split(|it| *it == BETWEEN).map(<[u8]>::to_vec).collect();
    assert_eq!(converted.len(), texts.len(), "from {from} to {to}");
    converted
}
