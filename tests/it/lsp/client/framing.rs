//! The base protocol's frames: made for sending, and put together from whatever bytes come.

use serde_json::Value;

/// A message with its header.
pub fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Puts messages together from pieces of any size.
#[derive(Default)]
pub struct Framer {
    buffer: Vec<u8>,
}

impl Framer {
    /// Takes some bytes in; gives the messages that are whole now, or what is wrong with them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<Value, String>> {
        self.buffer.extend_from_slice(bytes);
        let mut messages = Vec::new();
        while let Some(message) = self.next() {
            let broken = message.is_err();
            messages.push(message);
            if broken {
                self.buffer.clear();
            }
        }
        messages
    }

    /// Whether something is left that is not a whole message.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    fn next(&mut self) -> Option<Result<Value, String>> {
        let end = self.buffer.windows(4).position(|window| window == b"\r\n\r\n")?;
        let header = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
        let Some(length) = content_length(&header) else {
            return Some(Err(format!("a header without its length: {header:?}")));
        };
        let body = end + 4..end + 4 + length;
        let message = serde_json::from_slice(self.buffer.get(body.clone())?);
        self.buffer.drain(..body.end);
        Some(message.map_err(|error| format!("a body that is no JSON: {error}")))
    }
}

fn content_length(header: &str) -> Option<usize> {
    let mut lines = header.split("\r\n").filter_map(|line| line.split_once(": "));
    lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"))?.1.parse().ok()
}
