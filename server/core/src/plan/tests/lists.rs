//! One step for each file of a list.

use serde_json::json;

use super::*;
use crate::command::Wanted;
use crate::problem::*;

fn listed(snapshot: &dyn Snapshot, steps: Vec<Step>, limits: &Limits) -> Result<Plan, Vec<Issue>> {
    let command = Command { steps, is_list: true, ..command(Step::InterfaceSpec) };
    plan(&command, snapshot, limits)
}

fn replaced(path: &str, old: &str) -> Step {
    edit(path, FileEdit::Replace { old: old.into(), new: "x".into(), wanted: Wanted::Any })
}

#[test]
fn files_that_are_read_together_may_be_as_much_as_one() {
    let snapshot = MemorySnapshot::of([("a", "123"), ("b", "123")]);
    let is_read = |file_bytes: usize| {
        let limits = Limits { file_bytes, ..Limits::default() };
        let steps = vec![read("a".into()), read("b".into())];
        listed(&snapshot, steps, &limits).map_err(|issues| issues[0].code)
    };
    assert_eq!(is_read(6).unwrap().outcome.facts().len(), 2);
    assert_eq!(is_read(5).unwrap_err(), PLAN_FILE_TOO_LARGE);
}

#[test]
fn files_that_cannot_be_read_are_all_told() {
    let snapshot = MemorySnapshot::of([("a", "1")]);
    let refused =
        |steps: Vec<Step>| listed(&snapshot, steps, &Limits::default()).unwrap_err().remove(0);
    let issue = refused(vec![read("none".into()), read("a".into()), read("other".into())]);
    assert_eq!(issue.code, PLAN_FILES_UNREADABLE);
    assert_eq!(
        issue.message,
        "2 of 3 files cannot be read: `none` does not exist; `other` does not exist"
    );
    let lines = |lines: &str| ReadLines::Named { lines: lines.into(), clip: true };
    let named = |path: &str, wanted: &str| Step::Read {
        path: path.into(),
        lines: lines(wanted),
        delimiter: None,
    };
    // What names no lines is said once.
    let steps = vec![named("none", "two"), named("a", "two")];
    assert_eq!(refused(steps).code, PLAN_INVALID_LINES);
}

#[test]
fn what_would_come_of_each_file_is_told_where_one_cannot_be_edited() {
    let snapshot = MemorySnapshot::of([("a", "1 1"), ("b", "2")]);
    let steps = vec![replaced("a", "1"), replaced("none", "1"), replaced("b", "1")];
    let issue = listed(&snapshot, steps, &Limits::default()).unwrap_err().remove(0);
    assert_eq!(issue.code, PLAN_FILE_NOT_FOUND);
    let error = json!({
        "path": "none", "code": "plan/file-not-found", "message": "`none` does not exist",
    });
    assert_eq!(
        issue.details["results"],
        json!([
            {"path": "a", "replacements_made": 0},
            {"path": "none", "replacements_made": 0, "error": error},
            {"path": "b", "replacements_made": 0},
        ])
    );
    let steps = vec![replaced("a", ""), replaced("b", "")];
    let issue = listed(&snapshot, steps, &Limits::default()).unwrap_err().remove(0);
    assert_eq!((issue.code, issue.details.get("results")), (PLAN_TEXT_EMPTY, None));
}

#[test]
fn a_list_has_at_most_as_many_files_as_a_command() {
    let snapshot = MemorySnapshot::of([("a", "1"), ("b", "1"), ("c", "1")]);
    let limits = Limits { files_per_command: 2, ..Limits::default() };
    let code = |paths: &[&str]| {
        let steps = paths.iter().map(|path| replaced(path, "1")).collect();
        listed(&snapshot, steps, &limits)
            .map(|plan| plan.changes.iter().count())
            .map_err(|issues| issues[0].code)
    };
    assert_eq!(code(&["a", "b"]), Ok(2));
    assert_eq!(code(&["a", "b", "c"]), Err(PLAN_TOO_MANY_FILES));
}

#[test]
fn a_text_that_is_in_no_file_of_a_list_is_remarked_once() {
    let snapshot =
        with_transcript(MemorySnapshot::of([("a", "1"), ("b", "2"), ("chat.md", "1")]), "chat.md");
    let remarks = |paths: &[&str]| {
        let steps = paths.iter().map(|path| replaced(path, "1")).collect();
        let plan = listed(&snapshot, steps, &Limits::default()).unwrap();
        plan.remarks.into_iter().map(|remark| remark.message).collect::<Vec<_>>()
    };
    let transcript = "this transcript is one of the files and is left as it is";
    let none = "the text is in none of these files";
    assert_eq!(remarks(&["a", "b"]), Vec::<String>::new());
    assert_eq!(remarks(&["b"]), [none]);
    assert_eq!(remarks(&["chat.md", "a"]), [transcript]);
    assert_eq!(remarks(&["a", "chat.md"]), [transcript]);
    assert_eq!(remarks(&["chat.md", "b"]), [transcript, none]);
}
