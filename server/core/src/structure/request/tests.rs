//! The wire form of requests, the table of operations, and what it takes to add one.

use serde_json::{Value, json};

use super::*;
use crate::limits::Limits;
use crate::snapshot::MemorySnapshot;
use crate::structure::{Context, Done, ErrorCode, Failure, Output, answer};

fn read(value: Value) -> Result<Request, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

#[test]
fn a_request_is_its_operation_with_the_fields_of_its_parameters() {
    let request = read(json!({
        "op": "move_structure_to_before", "source_path": "a", "target": "b",
        "dest_path": "c", "dest_target": "d", "base_fingerprint": null,
    }));
    let request = request.expect("it is complete");
    assert_eq!(request.operation.name, "move_structure_to_before");
    assert_eq!((request.path(), request.dest_path()), ("a", Some("c")));
    assert_eq!((&*request.arguments.target, request.base), ("b", None));
    let count = json!({
        "op": "replace_all_text_in_structure", "path": "a", "target": "", "old_text": "x",
        "new_text": "", "expected_count": 2,
    });
    assert_eq!(read(count).expect("it is complete").arguments.expected_count, Some(2));
}

#[test]
fn a_request_is_read_back_from_what_is_written() {
    let base = format!("sha256:{}", "0".repeat(64));
    for value in [
        json!({
            "op": "move_structure_to_before", "source_path": "a", "source_target": "b",
            "dest_path": "c", "dest_target": "d", "base_fingerprint": base,
        }),
        json!({
            "op": "replace_all_text_in_structure", "path": "a", "target": "b", "old_text": "c",
            "new_text": "d", "expected_count": 2,
        }),
    ] {
        let request = read(value.clone()).expect("it is complete");
        assert_eq!(serde_json::to_value(&request).expect("it is data"), value);
    }
}

#[test]
fn what_a_request_lacks_or_has_too_much_is_named() {
    let complaint = |value: Value| read(value).expect_err("it is wrong");
    assert_eq!(complaint(json!({"path": "a"})), "missing field `op`");
    let unknown = complaint(json!({"op": "rename_structure"}));
    assert!(unknown.starts_with("unknown variant `rename_structure`, expected one of `outline`"));
    let missing = json!({"op": "delete_structure", "path": "a"});
    assert_eq!(complaint(missing), "missing field `target`");
    let more = json!({"op": "read_structure", "path": "a", "base_fingerprint": null});
    let expected = "unknown field `base_fingerprint`, expected one of `path`, `target`";
    assert_eq!(complaint(more), expected);
    let twice = json!({"op": "move_structure_to_file_end", "path": "a", "source_path": "a"});
    assert_eq!(complaint(twice), "duplicate field `source_path`");
    let typed = complaint(json!({"op": "outline", "path": 1}));
    assert_eq!(typed, "invalid type: integer `1`, expected a string");
}

#[test]
fn the_actions_of_every_dialect_have_the_fields_of_their_operations() {
    let mut called = Vec::new();
    for action in ["operator", "sham"].into_iter().flat_map(crate::spec::actions) {
        let Some(name) = &action.structure else { continue };
        let operation = operation(name).expect(name);
        let request = Request::of_action(action, |field| {
            Some(if field.kind == crate::spec::FieldType::Integer { json!(1) } else { json!("x") })
        });
        assert!(request.is_some(), "{} lacks a field of {name}", action.name);
        assert_eq!(action.effect, operation.effect, "{}", action.name);
        called.push(operation.name);
    }
    for operation in OPERATIONS {
        assert!(called.contains(&operation.name), "no action calls {}", operation.name);
    }
}

/// Another operation: its file would hold this function, and the table this row.
fn first_line(context: &Context<'_>, arguments: &Arguments) -> Result<Done, Failure> {
    if arguments.target.is_empty() {
        return Err(Failure::new(ErrorCode::TargetNotFound, "the target is empty"));
    }
    let read = operation("read_structure").expect("it is in the table");
    let mut done = (read.perform)(context, arguments)?;
    if let Output::Read { matches } = &mut done.output {
        matches.iter_mut().for_each(|one| one.lines[1] = one.lines[0]);
    }
    Ok(done)
}

static FIRST_LINE: Operation = Operation {
    name: "first_line_of_structure",
    command: Some("first-line"),
    help: "Print where a structure begins",
    effect: Effect::Read,
    parameters: &[FieldRole::Path, FieldRole::Target],
    perform: first_line,
};

#[test]
fn an_operation_is_added_by_one_function_and_one_row() {
    let files = MemorySnapshot::of([("a.py", "x = 1\ndef f():\n    pass\n")]);
    let limits = Limits::default();
    let perform = |target: &str| {
        let fields = json!({"path": "a.py", "target": target});
        let Value::Object(fields) = fields else { unreachable!("it is an object") };
        let request = FIRST_LINE.request(fields).expect("it is complete");
        answer(crate::structure::perform(&request, &files, &limits).as_ref())
    };
    let expected = json!({"matches": [
        {"text": "def f():\n    pass", "line_range_inclusive": [2, 2]},
    ]});
    assert_eq!(perform("f"), json!({"ok": true, "result": expected, "warnings": []}));
    assert_eq!(perform("")["error"]["error"], "TARGET_NOT_FOUND");
}
