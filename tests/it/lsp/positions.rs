//! Property: after any edits in any encoding the server has the client's text.

use operator_core::fingerprint::Fingerprint;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::client::{Capabilities, Client, ENCODINGS, range};
use super::workspace::{Workspace, cases};

/// Pieces that count differently in each encoding, break lines in each way, or mean something.
const PIECES: &[&str] = &[
    "a",
    "é",
    "😀",
    "e\u{301}",
    "👩\u{200d}💻",
    "\n",
    "\r\n",
    "\r",
    "\u{2028}",
    "\t",
    "𝒳",
    "\u{feff}",
    "OPERATOR_CMD\n",
    "id: x\n",
    "END_OPERATOR_CMD\r\n",
];

fn text(most: usize) -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES);
    prop::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

/// One edit: where it starts and ends, as fractions of the text, and what comes in.
fn edit() -> impl Strategy<Value = (f64, f64, String)> {
    (0.0..1.0, 0.0..0.3, text(4))
}

/// The nearest place that a position can name: a character's start, not inside `\r\n`.
fn place(text: &str, fraction: f64) -> usize {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let mut at = (fraction * (text.len() + 1) as f64) as usize;
    let inside = |at: usize| {
        !text.is_char_boundary(at) || text[..at].ends_with('\r') && text[at..].starts_with('\n')
    };
    at = at.min(text.len());
    while inside(at) {
        at -= 1;
    }
    at
}

#[test]
fn the_servers_text_is_the_clients() {
    for encoding in ENCODINGS {
        let workspace = Workspace::new(&[]);
        let capabilities = Capabilities::everything().encoding(encoding.name());
        let client = Client::with(capabilities, &workspace.uri(""));
        assert_eq!(client.encoding, encoding);
        let client = std::cell::RefCell::new(client);
        let number = std::cell::Cell::new(0);
        let config = Config { cases: cases(40), failure_persistence: None, ..Config::default() };
        let given = (text(60), prop::collection::vec(edit(), 1..40));
        let run = TestRunner::new(config).run(&given, |(start, edits)| {
            let client = &mut *client.borrow_mut();
            // What is still on its way about one case is not about the next.
            number.set(number.get() + 1);
            let uri = workspace.uri(&format!("chat{}.md", number.get()));
            client.open(&uri, "markdown", &start);
            for (from, length, new) in edits {
                let text = client.text(&uri);
                let start = place(text, from);
                let end = place(text, from + length).max(start);
                let change = json!({"range": range(text, start..end, encoding), "text": new});
                let mut expected = text.to_owned();
                expected.replace_range(start..end, &new);
                client.change(&uri, &[change]);
                prop_assert_eq!(client.text(&uri), expected, "the client's own model");
            }
            let expected = Fingerprint::of(client.text(&uri).as_bytes()).to_string();
            prop_assert_eq!(client.fingerprint(&uri), expected);
            client.close(&uri);
            Ok(())
        });
        run.unwrap_or_else(|failure| panic!("{}: {failure}", encoding.name()));
    }
}
