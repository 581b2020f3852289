//! What each operation makes of short files.

mod deletes;
mod failures;
mod frames;
mod inserts;
mod kept;
mod letters;
mod lists;
mod markdown;
mod moves;
mod reads;
mod roundtrips;
mod semicolons;
mod texts;

use serde_json::{Value, json};

use super::insertion::Side;
use super::perform;
use crate::limits::Limits;
use crate::snapshot::MemorySnapshot;
use crate::structure::{Arguments, Done, Failure, Request, Warning};

fn done(files: &[(&str, &str)], request: &Request) -> Result<(MemorySnapshot, Done), Failure> {
    let mut snapshot = MemorySnapshot::of(files.iter().copied());
    let done = perform(request, &snapshot, &Limits::default())?;
    snapshot.apply(&done.changes);
    Ok((snapshot, done))
}

fn text(snapshot: &MemorySnapshot, path: &str) -> String {
    snapshot.files.get(path).map(|it| String::from_utf8_lossy(it).into_owned()).unwrap_or_default()
}

fn path() -> String {
    "a.py".to_owned()
}

/// The file `a.py` after an operation, which must give no warnings.
fn after(before: &str, request: &Request) -> String {
    let (snapshot, done) = done(&[("a.py", before)], request).expect("it can be done");
    assert_eq!(done.warnings, [], "{request:?}");
    text(&snapshot, "a.py")
}

fn check(before: &str, request: Request, expected: &str) {
    let after = after(before, &request);
    assert!(after == expected, "{request:?}\n{after}\nexpected:\n{expected}");
}

/// What a request about `a.py` makes of a file of another name; it must give no warnings.
#[track_caller]
fn check_in(path: &str, before: &str, request: Request, expected: &str) {
    let request = about(path, request);
    let (snapshot, done) = done(&[(path, before)], &request).expect("it can be done");
    let after = text(&snapshot, path);
    assert!(after == expected, "{request:?}\n{after}\nexpected:\n{expected}");
    assert_eq!(done.warnings, [], "{request:?}");
}

/// Why a request about `a.py` cannot be done in a file of another name.
#[track_caller]
fn refused_in(path: &str, before: &str, request: Request) -> &'static str {
    let request = about(path, request);
    match done(&[(path, before)], &request) {
        Err(failure) => failure.code.as_str(),
        Ok((snapshot, done)) => {
            panic!("{request:?}\n{}\n{:?}", text(&snapshot, path), done.warnings)
        }
    }
}

/// A request about `a.py` as one about a file of another name.
fn about(path: &str, mut request: Request) -> Request {
    for own in [&mut request.arguments.path, &mut request.arguments.dest_path] {
        if own == "a.py" {
            path.clone_into(own);
        }
    }
    request
}

fn result(before: &str, request: &Request) -> Value {
    json!(done(&[("a.py", before)], request).expect("it can be done").1.output)
}

/// The types of the warnings and their details.
fn warnings(before: &str, request: &Request) -> Vec<(String, Value)> {
    let (_, done) = done(&[("a.py", before)], request).expect("it can be done");
    let shown = |warning: Warning| (warning.kind.as_str().to_owned(), json!(warning.details));
    done.warnings.into_iter().map(shown).collect()
}

fn failure(before: &str, request: &Request) -> Failure {
    done(&[("a.py", before)], request).expect_err("it cannot be done")
}

/// An operation on `a.py`.
fn request(name: &str, target: &str, more: Arguments) -> Request {
    let arguments = Arguments { path: path(), target: target.to_owned(), ..more };
    Request::new(name, arguments).expect("it is in the table")
}

fn read(target: &str) -> Request {
    request("read_structure", target, Arguments::default())
}

fn replace(target: &str, content: &str) -> Request {
    let content = content.to_owned();
    request("replace_structure", target, Arguments { content, ..Default::default() })
}

fn delete(target: &str) -> Request {
    request("delete_structure", target, Arguments::default())
}

fn insert(side: Side, target: &str, content: &str) -> Request {
    let content = content.to_owned();
    let name = sided(side, "insert_before_structure", "insert_after_structure");
    request(name, target, Arguments { content, ..Default::default() })
}

fn replace_text(target: &str, old: &str, new: &str) -> Request {
    let (old_text, new_text) = (old.to_owned(), new.to_owned());
    let arguments = Arguments { old_text, new_text, ..Default::default() };
    request("replace_text_in_structure", target, arguments)
}

fn replace_all(target: &str, old: &str, new: &str, expected: Option<usize>) -> Request {
    let (old_text, new_text, expected_count) = (old.to_owned(), new.to_owned(), expected);
    let arguments = Arguments { old_text, new_text, expected_count, ..Default::default() };
    request("replace_all_text_in_structure", target, arguments)
}

fn move_beside(target: &str, side: Side, dest_path: &str, dest_target: &str) -> Request {
    let (dest_path, dest_target) = (dest_path.to_owned(), dest_target.to_owned());
    let name = sided(side, "move_structure_to_before", "move_structure_to_after");
    request(name, target, Arguments { dest_path, dest_target, ..Default::default() })
}

fn move_to(target: &str, side: Side, dest_path: &str) -> Request {
    let dest_path = dest_path.to_owned();
    let name = sided(side, "move_structure_to_file_start", "move_structure_to_file_end");
    request(name, target, Arguments { dest_path, ..Default::default() })
}

fn sided<'a>(side: Side, before: &'a str, after: &'a str) -> &'a str {
    if side == Side::Before { before } else { after }
}
