//! The unified diff that people read, as `git diff` prints it.

use std::fmt::Write;

use super::line_diff::{self, LineHunk};
use crate::text::{Span, lines};

const CONTEXT: usize = 3;

/// The unified diff of two texts, with three lines of context; empty where they are equal.
///
/// `old` and `new` are after `---` and `+++` as they are given: `a/src/main.rs`, `/dev/null`.
pub fn unified(old: &str, new: &str, before: &str, after: &str) -> String {
    let hunks = line_diff::hunks(before, after);
    if hunks.is_empty() {
        return String::new();
    }
    let mut out = format!("--- {old}\n+++ {new}\n");
    for group in hunks.chunk_by(|a, b| gap(before, a, b) <= 2 * CONTEXT) {
        write_group(&mut out, before, after, group);
    }
    out
}

/// How many common lines are between two hunks; a number beyond twice the context is as good as
/// any greater one.
fn gap(before: &str, first: &LineHunk, second: &LineHunk) -> usize {
    let between = &before[first.before.end..second.before.start];
    lines::with_endings(between).take(2 * CONTEXT + 1).count()
}

fn write_group(out: &mut String, before: &str, after: &str, group: &[LineHunk]) {
    let [first, ..] = group else { return };
    let lead = lead_in(before, first.before.start);
    let lead_lines = lines::count(&before[lead.clone()]);
    let mut body = String::new();
    let mut counts = (0, 0);
    let mut at = lead.start;
    for hunk in group {
        push(&mut body, ' ', &before[at..hunk.before.start], &mut counts);
        push(&mut body, '-', &before[hunk.before.clone()], &mut counts);
        push(&mut body, '+', &after[hunk.after.clone()], &mut counts);
        at = hunk.before.end;
    }
    let tail: usize = lines::with_endings(&before[at..]).take(CONTEXT).map(str::len).sum();
    push(&mut body, ' ', &before[at..at + tail], &mut counts);
    let old = range(first.before_line - lead_lines, counts.0);
    let new = range(first.after_line - lead_lines, counts.1);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "@@ -{old} +{new} @@");
    out.push_str(&body);
}

/// The bytes of the lines of context before `end`, which is the start of a line.
fn lead_in(text: &str, end: usize) -> Span {
    let mut ends = memchr::memrchr_iter(b'\n', &text.as_bytes()[..end]);
    ends.nth(CONTEXT).map_or(0, |at| at + 1)..end
}

/// `start,count` as a header has it: from 1, the line before where there are none, a count of 1
/// left out.
fn range(first: usize, count: usize) -> String {
    match count {
        0 => format!("{first},0"),
        1 => format!("{}", first + 1),
        _ => format!("{},{count}", first + 1),
    }
}

fn push(body: &mut String, mark: char, text: &str, counts: &mut (usize, usize)) {
    for line in lines::with_endings(text) {
        body.push(mark);
        body.push_str(line);
        if !line.ends_with('\n') {
            body.push_str("\n\\ No newline at end of file\n");
        }
        counts.0 += usize::from(mark != '+');
        counts.1 += usize::from(mark != '-');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, diff: &str) {
        assert_eq!(unified("a/x", "b/x", before, after), format!("--- a/x\n+++ b/x\n{diff}"));
    }

    #[test]
    fn it_reads_as_git_prints_it() {
        assert_eq!(unified("a/x", "b/x", "same\n", "same\n"), "");
        check("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n");
        check("a\n", "", "@@ -1 +0,0 @@\n-a\n");
        check(
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
        );
        check("a\nb", "a\nB\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n");
        check("a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n");
    }

    #[test]
    fn hunks_join_over_six_lines_and_part_over_seven() {
        let text = |between: usize, mark: &str| {
            let lines: String = (0..between).map(|n| format!("{n}\n")).collect();
            format!("{mark}\n{lines}{mark}\n")
        };
        let headers = |between| {
            let diff = unified("a/x", "b/x", &text(between, "x"), &text(between, "y"));
            diff.lines()
                .filter(|line| line.starts_with("@@"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(headers(6), ["@@ -1,8 +1,8 @@"]);
        assert_eq!(headers(7), ["@@ -1,4 +1,4 @@", "@@ -6,4 +6,4 @@"]);
    }
}
