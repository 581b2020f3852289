//! What the workspace refuses, and what is said of it.

use super::*;
use crate::problem::*;
use crate::spec::FieldRole;

/// The issue of reading a file for which the workspace says this.
fn issue(path: &'static str, denied: Denied) -> Issue {
    let memory = MemorySnapshot::of([("a/x", "1"), ("b", "2")]);
    let known = Known { memory, denied: BTreeMap::from([(path, denied)]), ..Known::default() };
    refused(&known, read(path.to_owned()))
}

#[test]
fn each_reason_says_what_to_do() {
    let check = |denied: Denied, code: Code, message: &str| {
        let issue = issue("a/x", denied);
        assert_eq!((issue.code, issue.message.as_str()), (code, message));
    };
    check(
        Denied::NotReloaded,
        PLAN_NOT_RELOADED,
        "another program has changed `a/x`, and the editor still shows the text before that; reload \
         it there, or save or close it",
    );
    check(
        Denied::Protected("a/*".to_owned()),
        PLAN_PROTECTED_PATH,
        "`a/x` is protected by the pattern `a/*`; no block can read or write it",
    );
    check(
        Denied::NotAFile,
        PLAN_NOT_A_FILE,
        "`a/x` is not a regular file: it is a link, or something else",
    );
    check(Denied::Permission, PLAN_PERMISSION_DENIED, "the system does not give access to `a/x`");
    check(Denied::Io("no".to_owned()), PLAN_IO, "`a/x` cannot be used: no");
}

#[test]
fn the_file_that_is_where_a_directory_is_needed_is_named() {
    let issue = issue("b/c/d", Denied::NotADirectory);
    assert_eq!(issue.message, "`b` is a file, and a directory is needed");
}

#[test]
fn the_numbers_of_a_limit_are_details() {
    let large = issue("b", Denied::TooLarge { size: 9, limit: 4 });
    assert_eq!(large.message, "`b` has 9 bytes, and the limit for files is 4");
    assert_eq!((&large.details["bytes"], &large.details["limit"]), (&9.into(), &4.into()));
    let many = issue("b", Denied::TooMany { limit: 7 });
    assert_eq!(many.details["limit"], 7);
    let bytes = issue("b", Denied::NotUtf8(3));
    assert_eq!(bytes.details["offset"], 3);
}

#[test]
fn what_is_below_a_directory_and_cannot_be_read_is_named() {
    let at = |path: &str| FilePath::new(0, path);
    let known = Known {
        memory: MemorySnapshot::of([("a/x", "1")]),
        uncounted: Some(Denied::Permission),
        unread: vec![(at("a/b"), Denied::NotUtf8(0)), (at("a/c"), Denied::Permission)],
        ..Known::default()
    };
    let issue = refused(&known, Step::Delete { path: "a".into(), only: Only::Anything });
    assert_eq!(issue.message, "the system does not give access to `a/c`");
}

#[test]
fn a_file_of_the_very_limit_is_read() {
    let snapshot = MemorySnapshot::of([("x", "12345")]);
    let within = |file_bytes: usize| {
        let limits = Limits { file_bytes, ..Limits::default() };
        plan(&command(read("x".into())), &snapshot, &limits).is_ok()
    };
    assert_eq!([within(4), within(5)], [false, true]);
}

#[test]
fn a_path_that_ends_with_a_slash_is_not_that_of_a_file() {
    let snapshot = MemorySnapshot::of([("x", "1")]);
    let write = Step::Write { path: "new/".into(), content: "1".into(), mode: WriteMode::Replace };
    let copy = Step::Copy { path: "x".into(), path_to: "new\\".into() };
    for (step, field) in [(write, FieldRole::Path), (copy, FieldRole::DestPath)] {
        let issue = refused(&snapshot, step);
        assert_eq!((issue.code, issue.field), (PLAN_NOT_A_FILE, field));
        assert!(issue.message.contains("ends with a slash, as a directory does"), "{issue:?}");
    }
}

#[test]
fn a_deletion_with_lines_says_which_differs_first() {
    let snapshot = MemorySnapshot::of([("x", "a\nb\nc\n")]);
    let delete = |lines: &[&str]| {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        Step::Delete { path: "x".into(), only: Only::FileOf(lines) }
    };
    done(&snapshot, delete(&["a", "b", "c"]));
    let issue = refused(&snapshot, delete(&["a", "b", "x"]));
    assert_eq!(
        issue.message,
        "`x` does not have the lines that are deleted with it: it differs from line 3 on"
    );
    assert_eq!(issue.details["line"], 3);
}

#[test]
fn a_path_that_a_shell_expands_or_that_has_what_nobody_sees_is_unlikely() {
    let snapshot = MemorySnapshot::of([("~/x", "1"), ("a\u{200b}/x", "1")]);
    let made = |path: &str| {
        let step = Step::Write { path: path.into(), content: "1".into(), mode: WriteMode::Replace };
        plan_in(&snapshot, step).map_err(|mut issues| Box::new(issues.remove(0)))
    };
    let shell = made("$HOME/x").unwrap_err();
    assert_eq!(shell.code, PLAN_UNLIKELY_PATH);
    assert!(shell.message.ends_with("a shell expands `$HOME`; give a path inside the workspace"));
    let unseen = made("b/x\u{ad}.txt").unwrap_err();
    assert!(
        unseen.message.ends_with("nobody sees, U+00AD, a soft hyphen; write the path without it")
    );
    assert_eq!(
        unseen.repairs[0].remedy,
        Remedy::Values(vec![(FieldRole::Path, "b/x.txt".to_owned())])
    );
    for path in ["$slug/x", "b/~/x", "b/$HOME", "c/d", "~/new", "a\u{200b}/new"] {
        assert!(made(path).is_ok(), "{path}");
    }
    assert!(made("a\u{200b}/new\u{200b}").is_err());
}
