//! Frames: takes out what is no message, since the transport ends at the first that it cannot read.

use serde::{Deserialize, Serialize};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
};
use tower_lsp::jsonrpc::{Request, Response};

/// The request that stands in for what cannot be read, so that it is answered in its turn.
pub const UNREADABLE: &str = "$/unreadable";

/// The longest line of a header that is looked at, in bytes.
const LONGEST_LINE: u64 = 4096;
/// The largest body that is read, in bytes.
const LARGEST_BODY: u64 = 1 << 30;
const LENGTH: &str = "content-length:";

/// What is known of something that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreadable {
    /// Whether it is JSON at least.
    pub json: bool,
}

/// Hands on every message of `input` until it ends, each that is none as [`UNREADABLE`].
///
/// # Errors
/// Whatever keeps the one from being read or the other from being written.
pub async fn sift<I, O>(input: I, mut output: O) -> std::io::Result<()>
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin,
{
    let mut input = BufReader::with_capacity(1 << 16, input);
    while let Some(length) = header(&mut input).await? {
        let mut body = Vec::new();
        let read = (&mut input).take(length).read_to_end(&mut body).await?;
        if (read as u64) < length {
            return Ok(());
        }
        if let Err(unreadable) = check(&body) {
            tracing::warn!(bytes = body.len(), "a message cannot be read");
            body = stand_in(unreadable);
        }
        output.write_all(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes()).await?;
        output.write_all(&body).await?;
        output.flush().await?;
    }
    Ok(())
}

/// The length of the next body; `None` at the end. A header without one counts as an empty body.
async fn header(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<u64>> {
    let mut length = None;
    let mut lines = 0;
    loop {
        let mut line = Vec::new();
        if (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        if line == b"\r\n" || line == b"\n" {
            // Blank lines before a header are passed over.
            if lines > 0 {
                return Ok(Some(length.unwrap_or(0)));
            }
            continue;
        }
        lines += 1;
        length = content_length(&line).or(length);
    }
}

/// The length that a line states; what stands before it is the rest of a message that said that it
/// was shorter.
fn content_length(line: &[u8]) -> Option<u64> {
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    let at = line.rfind(LENGTH)?;
    let length = line[at + LENGTH.len()..].trim().parse().ok()?;
    (length <= LARGEST_BODY).then_some(length)
}

fn check(body: &[u8]) -> Result<(), Unreadable> {
    let text = std::str::from_utf8(body).map_err(|_| Unreadable { json: false })?;
    if serde_json::from_str::<Request>(text).is_ok()
        || serde_json::from_str::<Response>(text).is_ok()
    {
        return Ok(());
    }
    Err(Unreadable { json: serde_json::from_str::<serde_json::Value>(text).is_ok() })
}

fn stand_in(unreadable: Unreadable) -> Vec<u8> {
    let request = serde_json::json!({
        "jsonrpc": "2.0", "id": null, "method": UNREADABLE, "params": unreadable,
    });
    request.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out, a line for each message: its method, or what is known of it.
    fn sifted(input: &[u8]) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut output = Vec::new();
        runtime.block_on(sift(input, &mut output)).unwrap();
        let text = String::from_utf8(output).unwrap();
        let messages = text.split("Content-Length: ").skip(1);
        let names = messages.map(|message| {
            let (length, body) = message.split_once("\r\n\r\n").unwrap();
            assert_eq!(length.parse::<usize>().unwrap(), body.len());
            let message: Request = serde_json::from_str(body).unwrap();
            match message.params().and_then(|params| params.get("json")) {
                Some(json) => format!("unreadable, json: {json}\n"),
                None => format!("{}\n", message.method()),
            }
        });
        names.collect()
    }

    const GOOD: &str = "Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"good\"}";

    #[test]
    fn messages_come_through() {
        assert_eq!(sifted(format!("{GOOD}{GOOD}").as_bytes()), "good\ngood\n");
        let typed = GOOD.replacen("\r\n", "\r\nContent-Type: application/vscode-jsonrpc\r\n", 1);
        assert_eq!(sifted(typed.as_bytes()), "good\n");
        assert_eq!(sifted(GOOD.replacen("Content", "content", 1).as_bytes()), "good\n");
    }

    #[test]
    fn the_next_message_is_found_after_one_that_cannot_be_read() {
        for (broken, says) in [
            ("Content-Length: 3\r\n\r\n{x}", "unreadable, json: false\n"),
            ("Content-Length: 2\r\n\r\n{}", "unreadable, json: true\n"),
            ("Content-Type: x\r\n\r\n", "unreadable, json: false\n"),
            ("Content-Length: many\r\n\r\n", "unreadable, json: false\n"),
            ("Content-Length: 99999999999999999999\r\n\r\n", "unreadable, json: false\n"),
            ("Content-Length: 5\r\n\r\n{\"a\": [1, 2]}", "unreadable, json: false\n"),
            ("\r\n\r\n", ""),
        ] {
            let sifted = sifted(format!("{broken}{GOOD}").as_bytes());
            assert_eq!(sifted, format!("{says}good\n"), "{broken:?}");
        }
        let bytes = [b"Content-Length: 2\r\n\r\n\xff\xfe".as_slice(), GOOD.as_bytes()].concat();
        assert_eq!(sifted(&bytes), "unreadable, json: false\ngood\n");
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        let deep = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"deep\",\"params\":{deep}}}");
        let deep = format!("Content-Length: {}\r\n\r\n{deep}{GOOD}", deep.len());
        assert_eq!(sifted(deep.as_bytes()), "unreadable, json: false\ngood\n");
    }

    #[test]
    fn half_a_message_at_the_end_is_nothing() {
        assert_eq!(sifted(&GOOD.as_bytes()[..GOOD.len() - 1]), "");
        assert_eq!(sifted(b"Content-Le"), "");
    }
}
