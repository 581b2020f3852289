//! How a client spells URIs. Some leave characters as they are that a URI may not hold, as the
//! brackets of `[id].tsx`: such a URI is encoded in what the client sends, and is as the client has
//! spelled it in what is sent to the client. Nothing behind the transport knows of both spellings.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use tower_lsp::jsonrpc::{Request, Response};
use tower_lsp::ls_types::Uri;

/// The client's spelling of each URI that had to be encoded.
#[derive(Default)]
pub struct Spellings(Mutex<HashMap<String, String>>);

impl Spellings {
    /// Encodes the URIs in the parameters of a message of the client.
    pub fn encode(&self, params: &mut Value) {
        each_uri(params, &mut |name, uri| {
            if name != LINK
                && let Some(encoded) = encoded(uri)
            {
                let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                known.insert(encoded.clone(), std::mem::replace(uri, encoded));
            }
        });
    }

    /// Spells the URIs in a response for the client.
    pub fn in_response(&self, response: Response) -> Response {
        let (id, result) = response.into_parts();
        Response::from_parts(id, result.map(|result| self.spelled(result)))
    }

    /// Spells the URIs in a request or notification for the client.
    pub fn in_request(&self, request: Request) -> Request {
        let (method, id, params) = request.into_parts();
        let mut spelled = Request::build(method);
        if let Some(id) = id {
            spelled = spelled.id(id);
        }
        if let Some(params) = params {
            spelled = spelled.params(self.spelled(params));
        }
        spelled.finish()
    }

    fn spelled(&self, mut message: Value) -> Value {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.is_empty() {
            each_uri(&mut message, &mut |_, uri| {
                if let Some(spelled) = known.get(uri) {
                    uri.clone_from(spelled);
                }
            });
        }
        message
    }
}

/// The member that holds the URI of a document link. In what the client sends it names structures.
const LINK: &str = "target";

/// Changes each URI, of which `change` gets the name of the member, too.
fn each_uri(value: &mut Value, change: &mut impl FnMut(&str, &mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each_uri(item, change)),
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(uri) => {
                        if name == "uri" || name.ends_with("Uri") || name == LINK {
                            change(name, uri);
                        }
                    }
                    // An edit without versions has its URIs as names.
                    Value::Object(edits) if name == "changes" => {
                        let renamed = std::mem::take(edits).into_iter().map(|(mut uri, of)| {
                            change(name, &mut uri);
                            (uri, of)
                        });
                        *edits = renamed.collect();
                    }
                    _ => each_uri(member, change),
                }
            }
        }
        _ => {}
    }
}

/// The URI that a text is meant to be which is none; nothing for a URI, and where it cannot be one.
fn encoded(text: &str) -> Option<String> {
    if text.parse::<Uri>().is_ok() {
        return None;
    }
    let bytes = text.as_bytes();
    let mut encoded = String::with_capacity(2 * text.len());
    for (at, byte) in bytes.iter().copied().enumerate() {
        let is_valid = match byte {
            b'%' => {
                bytes.get(at + 1..at + 3).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit))
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=".contains(&byte),
        };
        match is_valid {
            true => encoded.push(byte.into()),
            false => _ = write!(encoded, "%{byte:02X}"),
        }
    }
    encoded.parse::<Uri>().is_ok().then_some(encoded)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::lsp::proto;

    /// What the server sees of a message, and what the client gets where the server sends the same.
    fn there_and_back(message: &Value) -> (Value, Value) {
        let (spellings, mut seen) = (Spellings::default(), message.clone());
        spellings.encode(&mut seen);
        let response = spellings.in_response(Response::from_ok(1.into(), seen.clone()));
        let sent = Request::build("m").id(1).params(seen.clone()).finish();
        let sent = spellings.in_request(sent);
        assert_eq!((sent.method(), sent.id()), ("m", Some(&1.into())));
        assert_eq!(response.result(), sent.params());
        (seen, response.into_parts().1.unwrap())
    }

    #[test]
    fn what_no_uri_may_hold_is_encoded() {
        for (text, expected) in [
            ("file:///app/[id].tsx", Some("file:///app/%5Bid%5D.tsx")),
            ("file:///a|b^c d{e}`\\", Some("file:///a%7Cb%5Ec%20d%7Be%7D%60%5C")),
            ("file:///wü", Some("file:///w%C3%BC")),
            ("file:///100%.md", Some("file:///100%25.md")),
            ("file:///[a]%20b?c=d#e", Some("file:///%5Ba%5D%20b?c=d#e")),
            ("untitled:Untitled 1", Some("untitled:Untitled%201")),
            ("file:///a%20b.md", None),
            ("file://[::1]/a.md", None),
            ("/a [b].md", None),
            ("", None),
        ] {
            assert_eq!(encoded(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_client_gets_its_own_spelling_wherever_a_uri_is() {
        let (raw, uri) = ("file:///[id].md", "file:///%5Bid%5D.md");
        let message = |uri: &str| {
            json!({
                "textDocument": {"uri": uri, "version": 1, "text": raw},
                "rootUri": uri,
                "arguments": [{"uri": uri, "block": 0}],
                "edit": {"changes": {uri: [{"newText": raw}], "file:///b": []}},
                "changes": [{"uri": uri, "type": 1}],
                "uri": null,
            })
        };
        assert_eq!(there_and_back(&message(raw)), (message(uri), message(raw)));
        assert_eq!(there_and_back(&message(uri)), (message(uri), message(uri)));
    }

    #[test]
    fn a_link_is_a_uri_only_in_what_is_sent() {
        let spellings = Spellings::default();
        let mut structure = json!({"target": "a: b[c]", "uri": "file:///[id].md"});
        spellings.encode(&mut structure);
        assert_eq!(structure, json!({"target": "a: b[c]", "uri": "file:///%5Bid%5D.md"}));
        let link = spellings.spelled(json!([{"target": "file:///%5Bid%5D.md"}]));
        assert_eq!(link, json!([{"target": "file:///[id].md"}]));
    }

    proptest! {
        #[test]
        fn any_path_is_read_as_it_is_spelled(path in "[^%?#\\\\\0]{0,20}") {
            let text = format!("file:///{path}");
            let uri: Uri = encoded(&text).unwrap_or(text).parse().unwrap();
            if !cfg!(windows) {
                prop_assert_eq!(proto::path_of(&uri), Some(PathBuf::from(format!("/{path}"))));
            }
        }

        #[test]
        fn any_text_is_given_back(text in prop_oneof![".{0,20}", "[a-z]{1,3}:.{0,20}"]) {
            let message = json!({"uri": text});
            let (seen, back) = there_and_back(&message);
            prop_assert_eq!(back, message);
            let seen = seen["uri"].as_str().unwrap();
            prop_assert_eq!(encoded(seen), None);
        }
    }
}
