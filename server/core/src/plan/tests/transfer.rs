//! Files and directories at other paths.

use super::*;
use crate::edit::Change;
use crate::problem::*;
use crate::spec::FieldRole;

fn over(path: &str, path_to: &str) -> Step {
    Step::Move { path: path.into(), path_to: path_to.into(), overwrite: true }
}

fn copied(path: &str, path_to: &str) -> Step {
    Step::Copy { path: path.into(), path_to: path_to.into() }
}

/// Whether a file was overwritten.
fn overwrote(plan: &Plan) -> bool {
    match plan.outcome.facts() {
        [Fact::Moved { overwrote, .. }] => *overwrote,
        facts => panic!("{facts:?}"),
    }
}

#[test]
fn a_file_is_moved_over_another_one() {
    let snapshot = MemorySnapshot::of([("a", "1"), ("b", "2")]);
    let (plan, then) = done(&snapshot, over("a", "b"));
    assert!(overwrote(&plan));
    assert_eq!((text_of(&then, "b"), then.files.len()), ("1".to_owned(), 1));
    let (plan, then) = done(&snapshot, over("a", "c"));
    assert!(!overwrote(&plan));
    let changes: Vec<_> = plan.changes.iter().collect();
    assert!(matches!(changes[..], [Change::Rename { .. }]), "{changes:?}");
    assert_eq!(text_of(&then, "c"), "1");
}

#[test]
fn a_directory_is_not_moved_over_anything_nor_overwritten() {
    let snapshot = MemorySnapshot::of([("a", "1"), ("d/x", "2")]);
    let check = |step: Step, code, field, message: &str| {
        let issue = refused(&snapshot, step);
        assert_eq!((issue.code, issue.field, issue.message.as_str()), (code, field, message));
    };
    check(
        over("d", "b"),
        PLAN_NOT_A_FILE,
        FieldRole::Path,
        "`d` is a directory, and only a file is moved so",
    );
    check(
        over("a", "d"),
        PLAN_FILE_EXISTS,
        FieldRole::DestPath,
        "`d` is a directory, and no file takes its place",
    );
    check(
        over("a", "./a"),
        PLAN_FILE_EXISTS,
        FieldRole::DestPath,
        "`a` cannot be moved onto itself",
    );
}

#[test]
fn a_name_in_another_case_is_that_of_another_file_where_case_matters() {
    let snapshot = MemorySnapshot::of([("readme.md", "1")]);
    let moved = |path_to: &str| Step::Move {
        path: "readme.md".into(),
        path_to: path_to.into(),
        overwrite: false,
    };
    let (_, then) = done(&snapshot, moved("README.md"));
    assert_eq!(text_of(&then, "README.md"), "1");
    assert_eq!(refused(&snapshot, moved("README.md/")).code, PLAN_NOT_A_FILE);
}

#[test]
fn a_copy_has_a_limit_of_files_and_of_bytes() {
    let snapshot = |files: usize| {
        MemorySnapshot::of((0..files).map(|number| (format!("a/{number}"), "12345")))
    };
    let code = |files: usize, limits: &Limits| {
        let plan = plan(&command(copied("a", "b")), &snapshot(files), limits);
        plan.map(|plan| plan.changes.iter().count()).map_err(|issues| issues[0].code)
    };
    let files = Limits { files_per_command: 8, ..Limits::default() };
    assert_eq!([code(8, &files), code(9, &files)], [Ok(9), Err(PLAN_TOO_MANY_FILES)]);
    // All of them may be as much as sixteen files of the largest size.
    let bytes = Limits { file_bytes: 5, ..Limits::default() };
    assert_eq!([code(16, &bytes), code(17, &bytes)], [Ok(17), Err(PLAN_FILE_TOO_LARGE)]);
}

#[test]
fn a_patch_that_deletes_a_file_acts_on_it() {
    let patch = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    let patch = crate::command::patch::parse(patch).unwrap();
    let step = Step::Patch { path: "x".into(), patch };
    let (plan, _) = done(&MemorySnapshot::of([("x", "a\n")]), step);
    assert_eq!(plan.targets.iter().map(|it| it.path.to_string()).collect::<Vec<_>>(), ["x"]);
}

#[test]
fn the_lines_that_a_patch_adds_count_with_their_endings() {
    let patch = crate::command::patch::parse("@@ -1 +1,3 @@\n a\n+b\n+c\n").unwrap();
    let step = Step::Patch { path: "x".into(), patch };
    let snapshot = MemorySnapshot::of([("x", "a\n")]);
    let is_within = |content_bytes: usize| {
        let limits = Limits { content_bytes, ..Limits::default() };
        plan(&command(step.clone()), &snapshot, &limits).is_ok()
    };
    assert_eq!([is_within(3), is_within(4)], [false, true]);
}

#[test]
fn a_text_is_put_at_the_end_of_a_file() {
    let check = |before: &str, content: &str, after: &str| {
        let (path, content) = ("x".to_owned(), content.to_owned());
        let step = Step::Write { path, content, mode: WriteMode::Append };
        let (_, then) = done(&MemorySnapshot::of([("x", before)]), step);
        assert_eq!(text_of(&then, "x"), after);
    };
    check("a\n", "b\n", "a\nb\n");
    check("a\r\n", "b\nc\n", "a\r\nb\r\nc\r\n");
    check("a", "b\n", "ab\n");
    check("\u{feff}a\n", "b", "\u{feff}a\nb");
}

#[test]
fn a_directory_is_made_once() {
    let made = |path: &str| Step::MakeDirectory { path: path.into() };
    let snapshot = MemorySnapshot::of([("d/x", "1")]);
    let (plan, then) = done(&snapshot, made("e/f"));
    assert!(then.directories.contains("e/f"));
    assert_eq!((codes(&plan.remarks), plan.targets.len()), (vec![], 1));
    let (plan, _) = done(&snapshot, made("d"));
    assert!(plan.changes.is_empty());
    assert_eq!((codes(&plan.remarks), plan.targets.len()), (vec![PLAN_NO_CHANGE], 1));
    assert_eq!(refused(&snapshot, made("d/x")).code, PLAN_FILE_EXISTS);
}

#[test]
fn a_directory_is_a_repository_with_head_objects_and_refs() {
    let head =
        || Step::Write { path: "d/HEAD".into(), content: "x".into(), mode: WriteMode::Replace };
    let code = |files: &[&str]| {
        let snapshot = MemorySnapshot::of(files.iter().map(|file| (*file, "")));
        plan_in(&snapshot, head()).map(drop).map_err(|issues| issues[0].code)
    };
    assert_eq!(code(&["d/objects/x"]), Ok(()));
    assert_eq!(code(&["d/refs/x"]), Ok(()));
    assert_eq!(code(&["d/refs/x", "d/objects/x"]), Err(PLAN_MAKES_REPOSITORY));
    assert_eq!(code(&["d/commondir"]), Err(PLAN_MAKES_REPOSITORY));
}
