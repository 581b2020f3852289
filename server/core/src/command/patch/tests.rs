use super::*;

const GOOD: &str = "--- a/x.rs\n+++ b/x.rs\n@@ -1,3 +1,3 @@ fn main()\n a\n-b\n+B\n c\n";

fn refused(text: &str, line: usize, message: &str) -> Option<String> {
    let error = parse(text).expect_err(text);
    assert_eq!((error.line, error.message.as_str()), (line, message), "{text}");
    error.recounted
}

#[test]
fn headers_hunks_and_marks_are_read() {
    let patch = parse(GOOD).unwrap();
    assert_eq!(patch.old, Some(PatchFile::Path("a/x.rs".into())));
    assert_eq!(patch.new.as_ref().and_then(PatchFile::stripped), Some("x.rs"));
    let [hunk] = patch.hunks.as_slice() else { panic!("one hunk") };
    assert_eq!((hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines), (1, 3, 1, 3));
    assert_eq!(hunk.header_line, 3);
    assert_eq!(hunk.lines[1].kind, LineKind::Removed);

    let bare = parse("@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+B\n").unwrap();
    assert_eq!((bare.old, bare.hunks[0].old_lines), (None, 1));
    assert!(bare.hunks[0].lines[0].no_newline && !bare.hunks[0].lines[1].no_newline);
}

#[test]
fn harmless_differences_are_none() {
    let good = parse(GOOD).unwrap();
    assert_eq!(parse(&GOOD.replace('\n', "\r\n")), Ok(good.clone()));
    assert_eq!(parse(GOOD.trim_end()), Ok(good.clone()));
    assert_eq!(parse(&format!("{GOOD}\n")), Ok(good.clone()));
    let stamped = GOOD.replace("a/x.rs\n", "a/x.rs\t2024-01-01 00:00:00\n");
    assert_eq!(parse(&stamped), Ok(good.clone()));
    let git = format!("diff --git a/x.rs b/x.rs\nindex 12..34 100644\n{GOOD}");
    assert_eq!(parse(&git).map(|patch| patch.hunks.len()), Ok(1));
    let quoted = GOOD.replace("a/x.rs", "\"a/caf\\303\\251\"");
    assert_eq!(parse(&quoted).unwrap().old, Some(PatchFile::Path("a/café".into())));
}

#[test]
fn a_removed_line_may_look_like_a_header() {
    let text = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n c\n";
    let patch = parse(text).unwrap();
    assert_eq!(patch.hunks[0].lines[0].text, "-- old");
    let last = "@@ -1 +1 @@\n--- old\n+++ new\n@@ -5 +5 @@\n-e\n+E\n";
    assert_eq!(parse(last).unwrap().hunks.len(), 2);
}

#[test]
fn whatever_is_no_single_file_diff_is_refused() {
    let start = "not a line of a unified diff; it begins with `--- ` and `+++ ` or with `@@ `";
    refused("hello\n", 1, start);
    refused("", 1, "the patch has no hunk; a hunk begins with `@@ -a,b +c,d @@`");
    refused("--- a/x\n", 2, "`+++ ` and the new file's path must follow the `---` line");
    refused(
        "diff --git a/x b/y\nrename from x\n",
        2,
        "a patch cannot rename; move the file, then patch it",
    );
    let other = "the patch goes on with another file; give each file its own patch";
    refused(&format!("{GOOD}{GOOD}"), 8, other);
    refused(&format!("{GOOD}diff --git a/y b/y\n"), 8, other);
    let header = "not a hunk header: `@@ -1 @@`; it must be `@@ -a,b +c,d @@`";
    refused("@@ -1 @@\n-a\n", 1, header);
    refused("@@ -0,0 +0,0 @@\n", 1, "the hunk has no lines");
    refused(
        "@@ -1,2 +1,2 @@\n a\n*b\n",
        3,
        "a hunk's line begins with a blank, `-`, `+` or `\\`, and this one with `*b`",
    );
    refused(
        "@@ -1,3 +1,3 @@\n a\n\n-b\n+B\n",
        3,
        "the line is empty; an empty line of context is written as one blank, an added one as `+`, a removed one as `-`",
    );
    let order = "the hunk begins before the one above it ends; put hunks in order";
    refused("@@ -5 +5 @@\n-e\n+E\n@@ -5 +5 @@\n-e\n+E\n", 4, order);
    refused("@@ -0 +1 @@\n-a\n+b\n", 1, "lines count from 1, and the hunk begins at 0");
    let end = "lines follow one that is marked as the file's end";
    refused("@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n", 1, end);
}

#[test]
fn wrong_counts_alone_are_recounted() {
    let message = "the hunk's header says 9 old and 3 new lines; there are 3 and 3";
    let recounted = refused(&GOOD.replace("-1,3", "-1,9"), 3, message);
    assert_eq!(recounted.as_deref(), Some(GOOD));

    let two = "@@ -1 +1,2 @@\n a\n-b\n+B\n+C\n@@ -9,2 +10 @@ tail\n-x\n";
    let message = "the hunk's header says 1 old and 2 new lines; there are 2 and 3";
    let recounted = refused(two, 1, message);
    let right = "@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n@@ -9 +9,0 @@ tail\n-x\n";
    assert_eq!(recounted.as_deref(), Some(right));
}

#[test]
fn counts_that_hide_another_file_are_not_recounted() {
    let text = format!("{}{GOOD}", GOOD.replace("-1,3", "-1,9"));
    let message = "the hunk's header says 9 old and 3 new lines; there are 4 and 4";
    assert_eq!(refused(&text, 3, message), None);
}

#[test]
fn the_text_comes_back() {
    for (old, new) in [("a\nb\nc\n", "a\nB\nc"), ("", "x\n"), ("x\n", ""), ("a\nb", "a\nb\n")] {
        let text = crate::edit::unified("a/x", "b/y \"z\"", old, new);
        let text = text.replace("b/y \"z\"", "\"b/y \\\"z\\\"\"");
        assert_eq!(render(&parse(&text).unwrap()), text);
    }
}
