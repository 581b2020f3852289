use proptest::prelude::*;

use super::*;
use crate::command::patch::parse;
use crate::edit::unified;
use crate::problem::*;
use crate::spec::FieldRole;

fn operation(patch: &str) -> Step {
    Step::Patch { path: "x".into(), patch: parse(patch).expect(patch) }
}

fn check(before: &str, patch: &str, after: &str) {
    let (_, then) = done(&MemorySnapshot::of([("x", before)]), operation(patch));
    assert_eq!(text_of(&then, "x"), after, "{patch} on {before:?}");
}

fn check_refused(before: &str, patch: &str, message: &str) -> Issue {
    let issue = refused(&MemorySnapshot::of([("x", before)]), operation(patch));
    assert_eq!((issue.code, issue.field), (PLAN_PATCH_MISMATCH, FieldRole::Patch));
    assert_eq!(issue.message, message);
    issue
}

#[test]
fn hunks_apply_where_they_say() {
    check("a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\n");
    check("a\nb\nc\nd\n", "@@ -1 +1,2 @@\n-a\n+A\n+A2\n@@ -4 +5 @@\n-d\n+D\n", "A\nA2\nb\nc\nD\n");
    check("a\n", "@@ -1,0 +2 @@\n+b\n", "a\nb\n");
    check("a\n", "@@ -0,0 +1 @@\n+z\n", "z\na\n");
    check("a\nb\n", "--- a/x\n+++ b/x\n@@ -2 +1,0 @@\n-b\n", "a\n");
    check("a\nb\n", "--- x\n+++ /x\n@@ -2 +1,0 @@\n-b\n", "a\n");
}

#[test]
fn endings_and_the_final_newline_are_kept() {
    check("a\r\nb\r\n", "@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n", "a\r\nB\r\nC\r\n");
    check("a\r\nb\n", "@@ -1,2 +1,2 @@\n-a\n-b\n+A\n+B\n", "A\r\nB\n");
    check("a\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n", "A\nb");
    check("a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n");
    check("a\nb\n", "@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n", "a\nb");
    check("\u{feff}a\n", "@@ -1 +1 @@\n-a\n+b\n", "\u{feff}b\n");
    check_refused(
        "a\nb",
        "@@ -2 +2 @@\n-b\n+B\n",
        "hunk 1 (line 1 of the patch): line 2 of the file does not end with a newline, and the patch lacks `\\ No newline at end of file` after it",
    );
    check_refused(
        "a\nb",
        "@@ -2,0 +3 @@\n+c\n",
        "hunk 1 (line 1 of the patch) adds lines after line 2, which has no newline; remove that line with `\\ No newline at end of file` after it, and add it again",
    );
    check_refused(
        "a\nb\n",
        "@@ -1 +1 @@\n-a\n+A\n\\ No newline at end of file\n",
        "hunk 1 (line 1 of the patch) marks a line as the file's end, and the file goes on after it",
    );
}

#[test]
fn a_line_that_differs_is_named() {
    let issue = check_refused(
        "a\n\tb\nc\n",
        "@@ -1,2 +1,2 @@\n a\n-    b\n+B\n",
        "hunk 1 (line 1 of the patch): line 2 differs in whitespace: expected `    b`, found `\\tb`",
    );
    assert_eq!((&issue.details["line"], &issue.details["found"]), (&2.into(), &"\tb".into()));
    assert_eq!(issue.repairs, []);
    check_refused(
        "a\n",
        "@@ -3 +3 @@\n-b\n+B\n",
        "hunk 1 (line 1 of the patch) needs line 3, and the file has 1 line",
    );
}

#[test]
fn a_hunk_that_fits_elsewhere_can_be_moved_there() {
    let before = "a\nb\nc\nd\ne\nf\n";
    let patch = "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n+new\n@@ -2,2 +3,2 @@\n d\n-e\n+E\n";
    let issue = check_refused(
        before,
        patch,
        "hunk 2 (line 6 of the patch): line 2 differs in text: expected `d`, found `b`; the hunk fits exactly at line 4",
    );
    let [repair] = &issue.repairs[..] else { panic!("{issue:?}") };
    let Remedy::Values(values) = &repair.remedy else { panic!("{repair:?}") };
    let [(FieldRole::Patch, value)] = &values[..] else { panic!("{repair:?}") };
    assert_eq!(repair.title, "Move hunk 2 to line 4");
    assert_eq!(*value, patch.replace("@@ -2,2 +3,2 @@", "@@ -4,2 +5,2 @@"));
    check(before, value, "a\nnew\nb\nc\nd\nE\nf\n");

    let twice = refused(
        &MemorySnapshot::of([("x", "x\nd\ne\nd\ne\n")]),
        operation("@@ -1,2 +1,2 @@\n d\n-e\n+E\n"),
    );
    assert_eq!(twice.repairs, [], "two places are one too many");
}

#[test]
fn files_are_made_and_deleted() {
    let none = MemorySnapshot::default();
    let create = "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n";
    assert_eq!(text_of(&done(&none, operation(create)).1, "x"), "a\nb\n");
    let there = MemorySnapshot::of([("x", "a\nb\n")]);
    assert_eq!(refused(&there, operation(create)).code, PLAN_FILE_EXISTS);
    let delete = "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    assert!(done(&there, operation(delete)).1.files.is_empty());
    assert_eq!(refused(&none, operation(delete)).code, PLAN_FILE_NOT_FOUND);
    check_refused(
        "a\nb\nc\n",
        delete,
        "the patch deletes the file, and leaves lines of it; remove every line",
    );
    check_refused(
        "a\n",
        "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
        "the patch's header names `y`, and the command's path is `x`",
    );
}

#[test]
fn placeholders_in_added_lines_are_remarked() {
    let snapshot = MemorySnapshot::of([("x", "a\n")]);
    let patch = "@@ -1 +1,2 @@\n a\n+// ... rest of the code unchanged ...\n";
    assert_eq!(codes(&done(&snapshot, operation(patch)).0.remarks), [PLAN_PLACEHOLDER]);
}

proptest! {
    #[test]
    fn a_unified_diff_applies_to_what_it_was_made_of(
        before in "([abc]{0,2}\n){0,12}[abc]{0,2}",
        after in "([abc]{0,2}\n){0,12}[abc]{0,2}",
    ) {
        prop_assume!(before != after);
        let snapshot = MemorySnapshot::of([("x", before.as_str())]);
        let (_, then) = done(&snapshot, operation(&unified("a/x", "b/x", &before, &after)));
        prop_assert_eq!(text_of(&then, "x"), after.as_str());
        let crlf = MemorySnapshot::of([("x", before.replace('\n', "\r\n"))]);
        let (_, then) = done(&crlf, operation(&unified("a/x", "b/x", &before, &after)));
        prop_assert_eq!(text_of(&then, "x").replace("\r\n", "\n"), after);
    }
}
