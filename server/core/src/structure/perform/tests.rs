//! What each operation makes of short files.

mod deletes;
mod failures;
mod inserts;
mod lists;
mod markdown;
mod moves;
mod reads;
mod roundtrips;
mod texts;

use serde_json::{Value, json};

use super::perform;
use crate::limits::Limits;
use crate::snapshot::MemorySnapshot;
use crate::structure::request::{Done, Failure, Request, Side};

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

/// The file `a.py` after an operation, which has to give no warnings.
fn after(before: &str, request: &Request) -> String {
    let (snapshot, done) = done(&[("a.py", before)], request).expect("it can be done");
    assert_eq!(done.warnings, [], "{request:?}");
    text(&snapshot, "a.py")
}

fn check(before: &str, request: Request, expected: &str) {
    let after = after(before, &request);
    assert!(after == expected, "{request:?}\n{after}\nexpected:\n{expected}");
}

fn result(before: &str, request: &Request) -> Value {
    done(&[("a.py", before)], request).expect("it can be done").1.result
}

/// The types of the warnings and their details.
fn warnings(before: &str, request: &Request) -> Vec<(String, Value)> {
    let (_, done) = done(&[("a.py", before)], request).expect("it can be done");
    let shown =
        |warning: crate::structure::Warning| (warning.kind.to_owned(), json!(warning.details));
    done.warnings.into_iter().map(shown).collect()
}

fn failure(before: &str, request: &Request) -> Failure {
    done(&[("a.py", before)], request).expect_err("it cannot be done")
}

fn read(target: &str) -> Request {
    Request::Read { path: path(), target: target.to_owned(), all: true }
}

fn replace(target: &str, content: &str) -> Request {
    Request::Replace { path: path(), target: target.to_owned(), content: content.to_owned() }
}

fn delete(target: &str) -> Request {
    Request::Delete { path: path(), target: target.to_owned() }
}

fn insert(side: Side, target: &str, content: &str) -> Request {
    let (target, content) = (target.to_owned(), content.to_owned());
    Request::Insert { path: path(), target, content, side }
}

fn replace_text(target: &str, old: &str, new: &str) -> Request {
    let (target, old, new) = (target.to_owned(), old.to_owned(), new.to_owned());
    Request::ReplaceText { path: path(), target, old, new }
}

fn replace_all(target: &str, old: &str, new: &str, expected: Option<usize>) -> Request {
    let (target, old, new) = (target.to_owned(), old.to_owned(), new.to_owned());
    Request::ReplaceAllText { path: path(), target, old, new, expected }
}

fn move_beside(target: &str, side: Side, dest_path: &str, dest_target: &str) -> Request {
    let (dest_path, dest_target) = (dest_path.to_owned(), dest_target.to_owned());
    Request::MoveBeside { path: path(), target: target.to_owned(), dest_path, dest_target, side }
}

fn move_to(target: &str, side: Side, dest_path: &str) -> Request {
    let dest_path = dest_path.to_owned();
    Request::MoveToEdge { path: path(), target: target.to_owned(), dest_path, side }
}
