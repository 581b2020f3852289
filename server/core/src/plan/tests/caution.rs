//! What needs a look of its own, and what is refused since the machine would obey it.

use super::*;
use crate::command::Wanted;
use crate::command::hunks::{Hunk, Reading};
use crate::edit::Change;
use crate::plan::caution::{self, COUNTED};
use crate::problem::{APPLY_PATCH_NO_PLACE, PLAN_MAKES_REPOSITORY};

fn write(path: &str, content: &str) -> Step {
    Step::Write { path: path.into(), content: content.into(), mode: WriteMode::Replace }
}

/// The looks that a command needs.
fn looks(snapshot: &dyn Snapshot, command: &Command) -> Vec<Caution> {
    let limits = Limits::default();
    let plan = plan(command, snapshot, &limits).unwrap();
    caution::of(command, &plan, snapshot, &limits)
}

/// Why a step needs a look of its own.
pub(super) fn reasons(snapshot: &dyn Snapshot, step: Step) -> Vec<&'static str> {
    let looks = looks(snapshot, &command(step));
    looks.iter().map(|caution| caution.reason.as_str()).collect()
}

/// What is said of the look that a step needs; empty where it needs none.
pub(super) fn says(snapshot: &dyn Snapshot, step: Step) -> String {
    let looks = looks(snapshot, &command(step));
    looks.into_iter().map(|caution| caution.message).collect::<Vec<_>>().join("; ")
}

/// The edit of `path` by one hunk.
fn hunk(path: &str, old: &[&str], new: &[&str]) -> Step {
    let reading =
        Reading { old: old.iter().copied().collect(), new: new.iter().copied().collect() };
    edit(path, FileEdit::Hunks(vec![Hunk::new(vec![reading], APPLY_PATCH_NO_PLACE)]))
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
    let check = |above: &str, old: &[&str], new: &[&str], expected: &[&str]| {
        let text = format!("{above}one();\ntwo();\nthree();\n");
        let snapshot = MemorySnapshot::of([("a.js", text)]);
        assert_eq!(reasons(&snapshot, hunk("a.js", old, new)), expected, "{new:?}");
    };
    let rest = "// ... rest of the code unchanged ...";
    check("", &["two();", "three();"], &[rest], &["placeholder"]);
    check("", &["two();", "three();"], &["// ... two and three ..."], &["placeholder"]);
    check("", &["three();"], &[rest], &["placeholder"]);
    check("", &["two();", "three();"], &["// Three is done."], &[]);
    check("", &["two();"], &["two();", rest], &[]);
    let above = "a line of text\n".repeat(200);
    check(&above, &["three();"], &[rest], &["placeholder"]);
    // The lines of a large file are counted, and not compared.
    let above = "a line of text\n".repeat(COUNTED / 20);
    check(&above, &["two();", "three();"], &[rest], &["placeholder"]);
    check(&above, &["three();"], &[rest], &[]);
    check(&above, &["two();"], &["two();", rest], &[]);
}

#[test]
fn lines_that_are_added_once_more_need_a_look() {
    let snapshot = MemorySnapshot::of([("a.txt", "first line\nsecond line\n")]);
    let added = |line: &str| {
        let text = format!("first line\nsecond line\n{line}\n");
        plan_in(&snapshot, write("a.txt", &text)).unwrap()
    };
    let says = |caution: Option<Caution>| caution.map(|it| it.message);
    let (again, another) = (added("second line"), added("third line"));
    assert_eq!(
        says(Caution::adds_again(&again)).as_deref(),
        Some("this block was undone, but the lines that it adds are in `a.txt`, at line 2")
    );
    assert_eq!(
        says(Caution::repeats(&again, |path, line| &*path.path == "a.txt" && line == "second line"))
            .as_deref(),
        Some(
            "a block above makes the same change: the lines that it adds are in `a.txt`, at line 2"
        )
    );
    assert_eq!(Caution::repeats(&again, |_, _| false), None);
    assert_eq!(Caution::adds_again(&another), None);
}

#[test]
fn the_texts_of_an_edit_are_compared_unless_they_are_large() {
    let is_compared = |before: usize, after: usize| {
        let path = FilePath::new(0, "a.txt");
        let [before, after] = [before, after].map(|bytes| Content::plain("x".repeat(bytes)));
        caution::edited(&Change::Edit { path, before, after }).is_some()
    };
    assert!(is_compared(2_000, 3_000));
    assert!(is_compared(1, COUNTED - 1));
    assert!(!is_compared(1, COUNTED));
}

#[test]
fn an_edit_of_a_part_does_not_overwrite_the_file() {
    let lines = |count: usize| (0..count).map(|line| format!("{line}\n")).collect::<String>();
    let snapshot = MemorySnapshot::of([("a.txt", &*lines(12))]);
    let (old, new) = (lines(8), "0\n".to_owned());
    let part = FileEdit::Replace { old, new, wanted: Wanted::Once };
    assert_eq!(reasons(&snapshot, edit("a.txt", part)), Vec::<&str>::new());
}

#[test]
fn the_lines_that_an_overwrite_adds_and_takes_away_are_told() {
    let lines = |count: usize| format!("{}\n", "x".repeat(200)).repeat(count);
    let snapshot = MemorySnapshot::of([("a.txt", &*lines(12))]);
    assert_eq!(
        says(&snapshot, write("a.txt", &lines(8))),
        "it overwrites `a.txt` and takes away 4 of its 12 lines (+0 −4)"
    );
}

#[test]
fn a_trusted_file_counts_by_its_keys_where_one_text_alone_is_known() {
    let (plain, script) = (r#"{"name":"a"}"#, r#"{"scripts":{"test":"rm a"}}"#);
    let delete = || Step::Delete { path: "package.json".into(), only: Only::Anything };
    let there = |text: &str| MemorySnapshot::of([("package.json", text)]);
    let nothing = MemorySnapshot::default();
    assert_eq!(reasons(&nothing, write("package.json", plain)), Vec::<&str>::new());
    assert_eq!(reasons(&nothing, write("package.json", script)), ["trusted-file"]);
    assert_eq!(reasons(&there(plain), delete()), Vec::<&str>::new());
    assert_eq!(reasons(&there(script), delete()), ["trusted-file"]);
}

#[test]
fn lines_of_a_page_that_break_the_syntax_need_a_look() {
    let snapshot = MemorySnapshot::of([("a.js", "let f = (x) => x;\nfunction g() {}\n")]);
    let step = hunk("a.js", &["let f = (x) => x;"], &["let e = 0;", "let f = (x) =&gt; x;"]);
    assert_eq!(reasons(&snapshot, step.clone()), ["syntax-errors"]);
    assert_eq!(
        says(&snapshot, step),
        "it writes `let f = (x) =&gt; x;` to `a.js`, and line 2 of the new text has a syntax error"
    );
}

#[test]
fn a_file_that_is_found_by_the_end_of_its_path_needs_a_look() {
    let snapshot = MemorySnapshot::of([("src/a/main.rs", "one\n")]);
    let replace = FileEdit::Replace { old: "one".into(), new: "two".into(), wanted: Wanted::Once };
    let step = Step::Edit { path: "a/main.rs".into(), edit: replace, missing: Missing::FindByEnd };
    assert_eq!(reasons(&snapshot, step.clone()), ["path-found"]);
    assert!(says(&snapshot, step).starts_with("`a/main.rs` does not exist; `src/a/main.rs` is"));
}

#[test]
fn a_directory_with_the_name_of_the_workspace_needs_a_look() {
    let snapshot =
        MemorySnapshot { home: "/home/shop".to_owned(), ..MemorySnapshot::of([("a", "")]) };
    let looks = |path: &str| {
        let paths = PathStyle::Either;
        looks(&snapshot, &Command { paths, ..command(write(path, "x")) })
    };
    let found = looks("shop/new/b");
    let [Caution { reason: Reason::OwnName, message, .. }] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        message,
        "it makes `shop/new/b`, in a new directory with the name of the workspace; if `new/b` is \
         meant, write that path"
    );
    assert_eq!(looks("shops/new/b"), []);
}

#[test]
fn other_hard_links_of_a_file_are_counted() {
    let says = |links: u64| {
        let memory = MemorySnapshot::of([("a.txt", "one\n")]);
        let known = Known { memory, links, ..Known::default() };
        says(&known, write("a.txt", "two\n"))
    };
    assert_eq!(says(1), "");
    assert_eq!(says(2), "`a.txt` has 1 other hard link, which would keep the old content");
    assert_eq!(says(3), "`a.txt` has 2 other hard links, which would keep the old content");
}
