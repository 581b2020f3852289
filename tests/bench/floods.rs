//! How the time of a scan grows with texts that are full of markers: `cargo bench --bench floods`.
//!
//! Each kind of text is made with `N` markers and with four times as many. A ratio far above four
//! is a cost that grows faster than the text. How much work is done, whatever the machine, is
//! counted and held by a test of the core.
#![allow(clippy::print_stdout, reason = "the table is what this prints")]

use std::time::{Duration, Instant};

use operator_core::dialect::Dialects;
use operator_core::limits::Limits;
use operator_core::scan::Scan;
use operator_core::text::Text;

const N: usize = 10_000;
/// Of so many runs the fastest counts.
const RUNS: usize = 3;

type Flood = fn(usize) -> String;

const FLOODS: [(&str, Flood); 14] = [
    ("OPERATOR_CMD", |n| "OPERATOR_CMD\n".repeat(n)),
    ("END_OPERATOR_CMD", |n| "END_OPERATOR_CMD\n".repeat(n)),
    ("OPERATOR_RESULT", |n| "OPERATOR_RESULT\nid: a\n".repeat(n)),
    ("keys of one block", |n| format!("OPERATOR_CMD\n{}END_OPERATOR_CMD\n", "id: y\n".repeat(n))),
    ("SHAM headers", |n| "#!SHAM [@three-char-SHA-256: abc]\n".repeat(n)),
    ("open heredocs, one id", |n| heredocs(n, |_| "abc".to_owned())),
    ("open heredocs, many ids", |n| heredocs(n, id)),
    ("open heredocs, then their ends", |n| {
        let ends: String = (0..n).map(|n| format!("#!END_SHAM_{}\n", id(n))).collect();
        heredocs(n, id) + &ends
    }),
    ("heredocs, other delimiters", |n| {
        let block = |n: usize| format!("#!SHAM [@three-char-SHA-256: abc]\na = <<'E{n}'\n");
        (0..n).map(block).collect()
    }),
    ("FILE", |n| "<<<FILE>>>\n".repeat(n)),
    ("FILE and SEARCH", |n| "<<<FILE>>>\na\n<<<SEARCH>>>\n".repeat(n)),
    ("FILE and SEARCH, one END", |n| "<<<FILE>>>\na\n<<<SEARCH>>>\n".repeat(n) + "<<<END>>>\n"),
    ("fences", |n| "```json\n".repeat(n)),
    ("fences and objects", |n| "```json\n{\"ops\": [{\n".repeat(n)),
];

/// Eight digits, of which no two numbers have the same.
fn id(number: usize) -> String {
    format!("{number:08}")
}

fn heredocs(n: usize, id: impl Fn(usize) -> String) -> String {
    let block = |n: usize| {
        let id = id(n);
        format!("#!SHAM [@three-char-SHA-256: {id}]\na = <<'EOT_SHAM_{id}'\n")
    };
    (0..n).map(block).collect()
}

fn main() {
    println!("{:32}{:^30}{:^30}", "", "fresh", "keystroke");
    for (name, flood) in FLOODS {
        let (once, more) = (times(&flood(N)), times(&flood(4 * N)));
        let shown = |once: Duration, more: Duration| {
            let ratio = more.as_secs_f64() / once.as_secs_f64().max(1e-9);
            format!("{once:>10.1?}{more:>10.1?} ×{ratio:<8.1}")
        };
        println!("{name:32}{}{}", shown(once.0, more.0), shown(once.1, more.1));
    }
}

/// How long a fresh scan takes, and how long a character in the middle of the text.
fn times(text: &str) -> (Duration, Duration) {
    // All blocks count: the usual limit would end the scan.
    let limits = Limits { blocks: usize::MAX, ..Limits::default() };
    let mut text = Text::new(text);
    let mut scan = Scan::default();
    let fresh = fastest(|| scan = Scan::new(&text, Dialects::all(), &limits));
    let middle = text.line_start_of(text.len() / 2);
    let mut typed = false;
    let keystroke = fastest(|| {
        let (old, new) = if typed { (middle..middle + 1, "") } else { (middle..middle, "x") };
        typed = !typed;
        text.replace(old.clone(), new);
        scan.edit(&text, old, new.len(), Dialects::all(), &limits);
    });
    (fresh, keystroke)
}

fn fastest(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..RUNS).map(time).min().unwrap_or_default()
}
