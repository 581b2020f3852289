//! What needs a look of its own, and what is refused since the machine would obey it.

use super::*;
use crate::command::FileEdit;
use crate::command::hunks::{Hunk, Reading};
use crate::problem::{APPLY_PATCH_NO_PLACE, PLAN_MAKES_REPOSITORY};

fn write(path: &str, content: &str) -> Step {
    Step::Write { path: path.into(), content: content.into(), mode: WriteMode::Replace }
}

/// Why a step needs a look of its own.
pub(super) fn reasons(snapshot: &MemorySnapshot, step: Step) -> Vec<&'static str> {
    let (command, limits) = (command(step), Limits::default());
    let plan = plan(&command, snapshot, &limits).unwrap();
    let cautions = crate::plan::caution::of(&command, &plan, snapshot, &limits);
    cautions.iter().map(|caution| caution.reason.as_str()).collect()
}

#[test]
fn an_overwrite_that_takes_away_a_third_needs_a_look() {
    let lines = |count: usize| (0..count).map(|line| format!("{line}\n")).collect::<String>();
    let check = |before, after, expected: &[&str]| {
        let snapshot = MemorySnapshot::of([("a.txt", &*lines(before))]);
        let found = reasons(&snapshot, write("a.txt", &lines(after)));
        assert_eq!(found, expected, "{after} of {before} lines are left");
    };
    check(12, 8, &["shrinks-file"]);
    check(12, 9, &[]);
    check(10, 6, &["shrinks-file"]);
    check(10, 7, &[]);
    check(10, 20, &[]);
    check(9, 1, &[]);
}

#[test]
fn a_move_over_a_file_with_more_lines_needs_a_look() {
    let lines = |count: usize| (0..count).map(|line| format!("{line}\n")).collect::<String>();
    let check = |moved, over, expected: &[&str]| {
        let snapshot = MemorySnapshot::of([("a.txt", &*lines(moved)), ("b.txt", &*lines(over))]);
        let (path, path_to) = ("a.txt".into(), "b.txt".into());
        let found = reasons(&snapshot, Step::Move { path, path_to, overwrite: true });
        assert_eq!(found, expected, "{moved} lines over {over}");
    };
    check(8, 12, &["shrinks-file"]);
    check(9, 12, &[]);
    check(12, 8, &[]);
}

#[test]
fn a_file_that_the_machine_obeys_needs_a_look() {
    let snapshot = MemorySnapshot::of([(".envrc", "ls\n"), ("a.txt", "ls\n")]);
    let moved = |path: &str, path_to: &str| Step::Move {
        path: path.into(),
        path_to: path_to.into(),
        overwrite: false,
    };
    assert_eq!(reasons(&snapshot, write(".envrc", "rm a\n")), ["trusted-file"]);
    assert_eq!(reasons(&snapshot, write("below/.envrc", "ls\n")), ["trusted-file"]);
    assert_eq!(reasons(&snapshot, moved("a.txt", "below/.envrc")), ["trusted-file"]);
    assert_eq!(reasons(&snapshot, moved(".envrc", "b.txt")), ["trusted-file"]);
    assert_eq!(reasons(&snapshot, moved("a.txt", "b.txt")), Vec::<&str>::new());
}

#[test]
fn what_git_would_take_for_a_repository_is_refused_in_any_letter_case() {
    let snapshot = MemorySnapshot::of([("d/Objects/x", ""), ("d/refs/x", "")]);
    for name in ["d/HEAD", "d/head", "d/Head"] {
        assert_eq!(refused(&snapshot, write(name, "x")).code, PLAN_MAKES_REPOSITORY, "{name}");
    }
    done(&snapshot, write("d/HEADS", "x"));
    done(&snapshot, write("HEAD", "x"));
}

#[test]
fn an_edit_that_takes_lines_away_and_says_that_they_stay_needs_a_look() {
    let check = |old: &[&str], new: &str, expected: &[&str]| {
        let snapshot = MemorySnapshot::of([("a.js", "one();\ntwo();\nthree();\n")]);
        let reading =
            Reading { old: old.iter().copied().collect(), new: [new].into_iter().collect() };
        let edit = FileEdit::Hunks(vec![Hunk::new(vec![reading], APPLY_PATCH_NO_PLACE)]);
        let step = Step::Edit { path: "a.js".to_owned(), edit, missing: Missing::Refuse };
        assert_eq!(reasons(&snapshot, step), expected, "{new}");
    };
    check(&["two();", "three();"], "// ... rest of the code unchanged ...", &["placeholder"]);
    check(&["two();", "three();"], "// ... two and three ...", &["placeholder"]);
    check(&["three();"], "// ... rest of the code unchanged ...", &["placeholder"]);
    check(&["two();", "three();"], "// Three is done.", &[]);
}
