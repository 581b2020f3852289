//! Edit-ops requests, through every door, to models that answer well and badly.

mod acceptance;
mod cancelled;
mod doors;
mod http;
mod load;
mod page;
mod pasted;
mod provider;
mod round_trip;
mod rows;
mod secrets;

use serde_json::{Value, json};

/// A request with a cursor in a file with some text.
fn request() -> Value {
    json!({
        "tool_id": "0b9c5b0e-6a0c-4c43-9b8b-6f1e8a2d3c4d",
        "instruction": "Say hello.",
        "conversation": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}],
        "active_file": "tool.py",
        "cursor": {"pos": 3},
        "virtual_files": {
            "tool.py": "a😀\r\nprint()\r\n", "entrypoint.txt": "run\n", "settings_schema.json": "{}",
            "input_schema.json": "", "usage_instructions.md": "\u{feff}# Use\n",
        },
    })
}

/// The request with another member.
fn request_with(name: &str, value: Value) -> Value {
    let mut request = request();
    request[name] = value;
    request
}

/// An op in a file.
fn op(op: &str, file: &str, kind: &str, content: Option<&str>) -> Value {
    let mut found = json!({"op": op, "target_file": file, "target": {"kind": kind}});
    if let Some(content) = content {
        found["content"] = content.into();
    }
    found
}

/// A model's answer with these ops.
fn with_ops(ops: &[Value]) -> String {
    json!({"assistant_message": "Here it is.", "ops": ops}).to_string()
}

/// A good answer to the request: one insertion at the cursor.
fn proposal() -> String {
    with_ops(&[insertion()])
}

fn insertion() -> Value {
    op("insert", "tool.py", "cursor", Some("hello\n"))
}
