//! Transcripts that are scanned and checked.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use aho_corasick::packed::Searcher;
use operator_core::dialect::Dialects;
use operator_core::fingerprint::Fingerprint;
use operator_core::limits::Limits;
use operator_core::scan::Scan;
use operator_core::text::Text;

use super::data::{self, Bench};
use super::measure::{Row, find, peers, timed, took};
use super::table::Table;

/// How large the transcripts are.
const SIZE: usize = 50_000_000;

/// `check` of a large transcript, as a whole process, and the scan by itself.
pub fn rows(bench: &Bench, table: &mut Table) {
    let kinds = [
        ("mostly prose", "1/40 of peer", data::pairs(SIZE, 5), 0, 0),
        ("nothing but blocks", "1/15 of peer", data::pairs(SIZE, 100), 0, SIZE / data::NEW_FILE),
        // The absolute paths of `sham` are outside of the workspace.
        ("all dialects", "1/10 of peer", data::all_dialects(SIZE), 1, SIZE / data::NEW_FILE),
    ];
    let markers = markers();
    for (what, goal, text, exit, blocks) in kinds {
        let file = bench.file("chat.md", &text);
        let memory = text.as_bytes();
        let lines = || took(|| memchr::memchr_iter(b'\n', memory).count());
        let name = format!("check of 50 MB, {what}");
        let row = || Row::speed(&name, goal, SIZE, || check(bench, &file, exit)).runs(3);
        let aider = peers().join("aider");
        let theirs = |python| {
            let (file, aider) = (file.clone(), aider.clone());
            move || {
                let script =
                    concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/bench/compare/aider.py");
                timed(Command::new(&python).arg(script).arg(&aider).arg(&file), 0)
            }
        };
        let python =
            if aider.exists() && find("python3").is_some() { "python3" } else { "no-aider" };
        let limit = match blocks {
            0 => "reading it as UTF-8",
            _ => "the same, a copy, two SHA-256, the paths",
        };
        let read = || read(&file, &bench.workspace(), blocks);
        let row_of_peer = row().program("aider's parser", python, theirs);
        table.add(&row_of_peer.limit(limit, || took(read)));
        let found = || took(|| find_all(&read(), &markers));
        table.add(&row().limit("that, its lines, one search for markers", found));
        let text = Text::new(&text);
        let scan = || took(|| Scan::new(&text, Dialects::all(), &limits()));
        let row = Row::speed(&format!("its scan alone, {what}"), "the memory's speed", SIZE, scan);
        table.add(&row.runs(5).limit("a memory scan", lines));
    }
}

/// What of a transcript is in memory.
struct Held {
    text: String,
    _contents: Option<String>,
    _hashes: Vec<Fingerprint>,
    _there: usize,
}

/// What cannot be left out: where a text is nothing but blocks, their contents are held beside it, a
/// block is known by the hash of its text, a file by that of its content, and what is at each path
/// is looked at.
fn read(file: &Path, workspace: &Path, blocks: usize) -> Held {
    let text = std::fs::read_to_string(file).expect("the benchmark has written it");
    let contents = (blocks > 0).then(|| text.clone());
    let hashed = contents.iter().chain(contents.as_ref().map(|_| &text));
    let hashes: Vec<Fingerprint> = hashed.map(|text| Fingerprint::of(text.as_bytes())).collect();
    let is_there = |number: &usize| workspace.join(format!("src/step_{number}.py")).exists();
    let there = (0..blocks).filter(is_there).count();
    Held { text, _contents: contents, _hashes: hashes, _there: there }
}

/// Finds what a block of any dialect begins with, but for the words in any case, and the lines.
fn find_all(held: &Held, markers: &Searcher) -> (usize, usize) {
    let lines = memchr::memchr_iter(b'\n', held.text.as_bytes()).count();
    (markers.find_iter(&held.text).count(), lines)
}

/// Looks for all markers at once, as fast as a library can: that of a single sign would slow it down.
fn markers() -> Searcher {
    // The words of edits that are named, and not applied, are left out.
    let applied = Dialects::all().iter().filter(|dialect| dialect.name() != "foreign");
    let rules = applied.map(|dialect| dialect.rules());
    let markers: BTreeSet<&str> = rules.flat_map(|rules| rules.needles).copied().collect();
    let long = markers.into_iter().filter(|marker| marker.len() > 1);
    Searcher::new(long).expect("the machine has vector instructions")
}

/// As many blocks as there are, and a transcript of any size.
fn limits() -> Limits {
    Limits { blocks: usize::MAX, transcript_bytes: usize::MAX, ..Limits::default() }
}

fn check(bench: &Bench, file: &Path, exit: i32) -> Duration {
    let mut command = bench.ours();
    command.arg("check").arg(file).arg("--root").arg(bench.workspace());
    command.env("OPERATOR_LSP_STATE_DIR", bench.state());
    timed(&mut command, exit)
}
