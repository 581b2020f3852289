use serde_json::json;

use super::*;

fn good() -> Value {
    json!({
        "tool_id": "0b9c5b0e-6a0c-4c43-9b8b-6f1e8a2d3c4d", "instruction": "do it",
        "conversation": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": ""}],
        "active_file": "tool.py",
        "virtual_files": {"tool.py": "a", "entrypoint.txt": "", "settings_schema.json": "",
                          "input_schema.json": "", "usage_instructions.md": ""},
    })
}

/// What is said of a request in which the member at a pointer is another; `null` takes it away.
fn said(pointer: &str, value: Value) -> String {
    let mut request = good();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match request.pointer_mut(parent).unwrap() {
        Value::Object(map) if value.is_null() => {
            map.remove(name);
        }
        Value::Object(map) => {
            map.insert(name.to_owned(), value);
        }
        other => other[name.parse::<usize>().unwrap()] = value,
    }
    Request::from_value(&request).map_or_else(|wrong| wrong.to_string(), |_| "-".to_owned())
}

#[test]
fn a_request_is_read() {
    let mut request = good();
    let map = request.as_object_mut().unwrap();
    map.insert("selection".into(), json!({"from": 0, "to": 1}));
    map.insert("cursor".into(), json!({"pos": -1}));
    map.insert("offset_encoding".into(), json!("utf-32"));
    let instruction = map.remove("instruction").unwrap();
    map.insert("message".into(), instruction);
    let request = Request::from_slice(request.to_string().as_bytes()).unwrap();
    assert_eq!((request.instruction.as_str(), request.conversation.len()), ("do it", 2));
    assert_eq!((request.selection, request.cursor), (Some((0, 1)), Some(-1)));
    assert_eq!((request.encoding, request.files.len()), (Encoding::Utf32, 5));
}

#[test]
fn what_may_be_missing_may_be_null() {
    let mut request = good();
    for name in ["selection", "cursor", "offset_encoding"] {
        request[name] = Value::Null;
    }
    let request = Request::from_value(&request).unwrap();
    assert_eq!((request.selection, request.cursor), (None, None));
    assert_eq!(request.encoding, Encoding::Utf16);
}

#[test]
fn every_departure_is_said_at_its_place() {
    let files = "one of tool.py, entrypoint.txt, settings_schema.json, input_schema.json, \
                 usage_instructions.md";
    for (pointer, value, says) in [
        ("/tool_id", Value::Null, "/tool_id: it is missing; a UUID is expected"),
        ("/tool_id", json!("x"), "/tool_id: a UUID is expected"),
        ("/tool_id", json!(7), "/tool_id: a UUID is expected"),
        ("/instruction", Value::Null, "/instruction: it is missing; a text is expected"),
        ("/instruction", json!([]), "/instruction: a text is expected"),
        ("/message", json!("x"), "/message: give `instruction` or `message`, not both"),
        (
            "/conversation",
            Value::Null,
            "/conversation: it is missing; a list of turns, `[]` where there are none is expected",
        ),
        (
            "/conversation",
            json!({}),
            "/conversation: a list of turns, `[]` where there are none is expected",
        ),
        ("/conversation/1", json!("x"), "/conversation/1: an object is expected"),
        (
            "/conversation/1/role",
            json!("system"),
            "/conversation/1/role: `user` or `assistant` is expected",
        ),
        (
            "/conversation/1/content",
            Value::Null,
            "/conversation/1/content: it is missing; a text is expected",
        ),
        ("/conversation/1/name", json!("x"), "/conversation/1/name: it is not known here"),
        ("/active_file", json!("main.py"), &format!("/active_file: {files} is expected")),
        ("/selection", json!([0, 1]), "/selection: an object is expected"),
        (
            "/selection",
            json!({"from": 0}),
            "/selection/to: it is missing; a whole number is expected",
        ),
        ("/selection", json!({"from": 0, "to": 1.0}), "/selection/to: a whole number is expected"),
        (
            "/selection",
            json!({"from": "0", "to": 1}),
            "/selection/from: a whole number is expected",
        ),
        ("/cursor", json!(3), "/cursor: an object is expected"),
        ("/cursor", json!({"pos": null}), "/cursor/pos: a whole number is expected"),
        ("/cursors", json!({"pos": 3}), "/cursors: it is not known here; did you mean `cursor`?"),
        (
            "/offset_encoding",
            json!("utf16"),
            "/offset_encoding: one of utf-16, utf-8, utf-32 is expected",
        ),
        ("/virtual_files", json!([]), "/virtual_files: an object is expected"),
        (
            "/virtual_files/tool.py",
            Value::Null,
            "/virtual_files/tool.py: it is missing; the file's text is expected",
        ),
        ("/virtual_files/tool.py", json!(1), "/virtual_files/tool.py: a text is expected"),
        ("/virtual_files/a~b", json!(""), "/virtual_files/a~0b: it is not known here"),
    ] {
        assert_eq!(said(pointer, value), says);
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_a_request_or_none(
        at in 0..300_usize, bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..4),
    ) {
        let mut text = good().to_string().into_bytes();
        let at = at.min(text.len());
        text.splice(at..text.len().min(at + bytes.len()), bytes);
        if let Ok(request) = Request::from_slice(&text) {
            let _ = crate::edit_ops::asked(&request);
        }
    }
}

#[test]
fn what_is_no_json_is_said_with_its_line() {
    let twice = good().to_string().replacen("\"instruction\"", "\"tool_id\"", 1);
    for (text, says) in [
        ("", "line 1, column 1: the JSON ends too early"),
        ("{\"a\":\n", "line 2, column 1: the JSON ends too early"),
        ("{\"a\": SECRET}", "line 1, column 7: this is not JSON"),
        ("{\"a\": \"\\ud800\"}", "line 1, column 14: this is not JSON"),
        ("[]", "an object is expected"),
        (&"[".repeat(100_000), "line 1, column 128: this is not JSON"),
        (&twice, "line 1, column 59: a name is in one object twice"),
    ] {
        let wrong = Request::from_slice(text.as_bytes()).unwrap_err().to_string();
        assert!(wrong.starts_with(says) && !wrong.contains("SECRET"), "{wrong}");
    }
    assert!(Request::from_slice(b"{\"a\": \"\xff\"}").is_err());
}
