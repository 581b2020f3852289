//! The cost of a scan and of a keystroke, counted: four times the text takes at most six times the
//! work, whatever the text is full of.

use super::*;
use crate::text::work;

type Flood = fn(usize) -> String;

/// Texts that are full of markers, `n` of them each.
const FLOODS: [(&str, Flood); 55] = [
    ("starts", |n| "OPERATOR_CMD\n".repeat(n)),
    ("ends", |n| "END_OPERATOR_CMD\n".repeat(n)),
    ("near markers", |n| "<<<<<<< search\n=======:\n>>>>>>> replace\n".repeat(n)),
    ("near ends", |n| "<<<<<<< SEARCH\n=======\n>>>> x\n".repeat(n)),
    ("blocks below plain words", |n| {
        "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nsome words\n".repeat(n)
    }),
    ("near starts", |n| "- **OPERATOR_CMD** x\nid: a\n".repeat(n)),
    ("replies", |n| "OPERATOR_RESULT\nid: a\n".repeat(n)),
    ("fields", |n| format!("OPERATOR_CMD\n{}END_OPERATOR_CMD\n", "id: y\n".repeat(n))),
    ("headers", |n| "#!SHAM [@three-char-SHA-256: abc]\n".repeat(n)),
    ("headers with words", |n| {
        "#!SHAM [@three-char-SHA-256: abc] x\na = <<'EOT_SHAM_abc'\n".repeat(n)
    }),
    ("heredocs", |n| sham(n, |_| "abc".to_owned(), "EOT_SHAM")),
    ("heredocs of many ids", |n| sham(n, |n| format!("{:03}", n % 1000), "EOT_SHAM")),
    ("heredocs with another delimiter", |n| {
        let block = |n: usize| format!("#!SHAM [@three-char-SHA-256: abc]\na = <<'E{n}'\n");
        (0..n).map(block).collect()
    }),
    ("heredocs of keys that are none", |n| {
        "#!SHAM [@three-char-SHA-256: abc]\n1 = <<'EOT_SHAM_abc'\n".repeat(n)
    }),
    ("heredocs with one end", |n| {
        sham(n, |_| "abc".to_owned(), "EOT_SHAM") + "prose\n#!END_SHAM_abc\n"
    }),
    ("heredocs and then their ends", |n| {
        let ends: String = (0..n).map(|n| format!("#!END_SHAM_{:03}\n", n % 1000)).collect();
        sham(n, |n| format!("{:03}", n % 1000), "EOT_SHAM") + &ends
    }),
    ("heredocs of the successor", |n| {
        let block = "#!nesl [@three-char-SHA-256: abc]\na = <<'EOT_abc'\nx_abc\n";
        block.repeat(n).replace("<<'EOT_abc'", "<<'EOT_abc' ")
    }),
    ("heredocs without a delimiter", |n| {
        let lines = "a = <<\nprose\n".repeat(n);
        format!("#!SHAM [@three-char-SHA-256: abc]\n{lines}#!END_SHAM_abc\n")
    }),
    ("open strings", |n| {
        let lines = "a = \"x\nprose\n".repeat(n);
        format!("#!SHAM [@three-char-SHA-256: abc]\n{lines}#!END_SHAM_abc\n")
    }),
    ("files", |n| "<<<FILE>>>\n".repeat(n)),
    ("searches", |n| "<<<FILE>>>\na\n<<<SEARCH>>>\n".repeat(n)),
    ("searches with one end", |n| "<<<FILE>>>\na\n<<<SEARCH>>>\n".repeat(n) + "<<<END>>>\n"),
    ("overwrites", |n| "<<< OVERWRITE >>>\nx\n".repeat(n)),
    ("escaped overwrites", |n| "\\<\\<\\<OVERWRITE\\>\\>\\>\n\\>\n&gt;\n".repeat(n)),
    ("overwrites before a block", |n| {
        format!("{}<<<FILE>>>\nx\n<<<SEARCH>>>\n<<<END>>>\n", "<<<OVERWRITE>>>\n".repeat(n))
    }),
    ("indented heredocs", |n| indented(&sham(n, |_| "abc".to_owned(), "EOT_SHAM"), |_| 1)),
    ("heredocs with other margins", |n| {
        indented(&sham(n, |_| "abc".to_owned(), "EOT_SHAM"), |line| line / 2 % 7)
    }),
    ("indented overwrites", |n| indented(&"<<<FILE>>>\na\n<<<OVERWRITE>>>\n".repeat(n), |_| 2)),
    ("indented starts", |n| indented(&"OPERATOR_CMD\nid: a\n".repeat(n), |line| line / 2 % 3)),
    ("fences", |n| "```json\n".repeat(n)),
    ("fences of diffs", |n| "```diff\n".repeat(n)),
    ("fences of diffs and text", |n| "```diff\ntext\n".repeat(n)),
    ("names of files", |n| "--- a\n+++ b\n".repeat(n)),
    ("hunks that state too much", |n| "```diff\n@@ -1,99 +1,99 @@\n-a\n".repeat(n)),
    ("thoughts", |n| "<think>\n".repeat(n)),
    ("thoughts with one end", |n| "<think>\n".repeat(n) + "</think>\n"),
    ("ends of thoughts", |n| "</think>\n".repeat(n)),
    ("drafts", |n| "a\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</think>\n".repeat(n)),
    ("bare fences", |n| "a.py\n```\n".repeat(n)),
    ("files before text", |n| "a.py\n```py\nx\n```\ny\n".repeat(n)),
    ("files before bare fences", |n| "a.py\n```py\nx\n```\n\ny\n```\n".repeat(n)),
    ("hunks in prose", |n| "@@ -1 +1 @@\n-a\n\n".repeat(n)),
    ("hunks with empty lines", |n| format!("--- a\n+++ a\n{}", "@@\n-a\n\n\n b\n".repeat(n))),
    ("calls", |n| "\"old_str\": \"x\",\n".repeat(n)),
    ("between fences", |n| "with:\n```\n".repeat(n)),
    ("above a blank line", |n| "with:\n\n".repeat(n)),
    ("names in a line", |n| format!("{{{}}}\n", "\"name\": \"x\", \"input\": 1, ".repeat(n))),
    ("calls in a line", |n| format!("{{{}}}\n", "\"old_str\": 1, ".repeat(n))),
    ("requests for a delete", |n| "Delete `a.txt`\nDelete `x\n".repeat(n)),
    ("heredocs of files", |n| "```sh\ncat > a <<'EOF'\n".repeat(n)),
    ("heredocs of files, cut off", |n| "```\ncat > a <<'EOF'\n".repeat(n)),
    ("heredocs of files in no fence", |n| "cat > a <<'EOF'\nx\n".repeat(n)),
    ("heredocs of files in one fence", |n| {
        format!("```sh\n{}```\n", "cat > a <<E\ncat > $b <<E\nE\nif\n".repeat(n))
    }),
    ("heredocs around patches", |n| {
        format!("```sh\n{}", "cat > a <<'EOF'\n*** Begin Patch\n".repeat(n))
    }),
    ("objects", |n| "```json\n{\"ops\": [{\n".repeat(n)),
];

fn indented(text: &str, blanks: impl Fn(usize) -> usize) -> String {
    let line = |(number, line)| format!("{}{line}\n", " ".repeat(blanks(number)));
    text.lines().enumerate().map(line).collect()
}

fn sham(n: usize, id: impl Fn(usize) -> String, delimiter: &str) -> String {
    let block = |n: usize| {
        let id = id(n);
        format!("#!SHAM [@three-char-SHA-256: {id}]\na = <<'{delimiter}_{id}'\n")
    };
    (0..n).map(block).collect()
}

/// What it takes to scan a text, and to type a character in the middle of it and at both ends.
fn costs(text: &str) -> [usize; 4] {
    let limits = Limits { blocks: usize::MAX, ..Limits::default() };
    let fresh = fresh_cost(text, &both(), &limits);
    let keystroke = |at: usize| keystroke_cost(text, at, &both(), &limits);
    [fresh, keystroke(0), keystroke(text.len() / 2), keystroke(text.len())]
}

fn fresh_cost(text: &str, dialects: &Dialects, limits: &Limits) -> usize {
    let text = Text::new(text);
    work::take();
    Scan::new(&text, dialects, limits);
    work::take()
}

/// What it takes to type a character at the start of the line that a place is in.
fn keystroke_cost(text: &str, at: usize, dialects: &Dialects, limits: &Limits) -> usize {
    let mut text = Text::new(text);
    let mut scan = Scan::new(&text, dialects, limits);
    let at = text.line_start_of(at);
    text.replace(at..at, "x");
    work::take();
    scan.edit(&text, at..at, 1, dialects, limits);
    work::take()
}

#[test]
fn a_keystroke_takes_as_long_in_a_long_text_as_in_a_short_one() {
    let limits = Limits { blocks: usize::MAX, ..Limits::default() };
    for (dialects, text) in [
        (both(), "prose\nBEGIN a\nFINISH\n"),
        (both().in_any_document(), "prose\nBEGIN a\nFINISH\n"),
        (both(), "BEGIN a\nFINISH\n"),
    ] {
        for (place, part) in [("first", 0), ("middle", 1), ("last", 2)] {
            let cost = |times: usize| {
                let text = text.repeat(times);
                keystroke_cost(&text, text.len() * part / 2, &dialects, &limits)
            };
            let (short, long) = (cost(100), cost(400));
            assert!(long < 2 * short, "{text:?}, {place}: {short}, {long} in four times the text");
        }
    }
}

#[test]
fn another_path_takes_as_long_in_a_long_text_as_in_a_short_one() {
    let limits = Limits { blocks: usize::MAX, ..Limits::default() };
    let prose = "prose\n".repeat(60);
    // The second pair is in the file of the first.
    let part = format!("<<<FILE>>>\na.txt\n{PAIR}{prose}{PAIR}{prose}");
    let cost = |times: usize| {
        let at = part.len() * (times / 2) + "<<<FILE>>>\n".len();
        keystroke_cost(&part.repeat(times), at, &both(), &limits)
    };
    let (short, long) = (cost(20), cost(80));
    assert!(long < 2 * short, "{short}, {long} in four times the text");
}

#[test]
fn a_keystroke_above_the_last_block_that_is_looked_at_takes_as_long_whatever_the_limit() {
    let text = |n: usize| "prose\nBEGIN a\nFINISH\n".repeat(n);
    for (place, part) in [("first", 0), ("middle", 1)] {
        let cost = |blocks: usize| {
            let limits = Limits { blocks, ..Limits::default() };
            keystroke_cost(&text(4 * blocks), text(blocks * part / 2).len(), &both(), &limits)
        };
        let (small, large) = (cost(40), cost(160));
        assert!(large < 2 * small, "{place}: {small}, {large} with four times the limit");
    }
}

#[test]
fn a_document_with_a_block_at_its_start_is_scanned_once() {
    let (text, limits) = ("BEGIN a\nFINISH\n".repeat(400), Limits::default());
    let chat = fresh_cost(&text, &both(), &limits);
    let any = fresh_cost(&text, &both().in_any_document(), &limits);
    assert!(any < chat + chat / 4, "{chat} for a chat, {any} for any document");
}

#[test]
fn four_times_the_text_is_at_most_six_times_the_work() {
    const N: usize = 400;
    let mut failed = Vec::new();
    for (name, flood) in FLOODS {
        let (once, more) = (costs(&flood(N)), costs(&flood(4 * N)));
        for ((once, more), what) in
            once.into_iter().zip(more).zip(["fresh", "first", "middle", "last"])
        {
            println!("{name}, {what}: {once} {more}");
            if more > 6 * once.max(10 * N) {
                failed
                    .push(format!("{name}, {what}: {once} for {N}, {more} for four times as many"));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
