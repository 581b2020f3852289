//! How fast the core is: `cargo bench`.

mod chats;
mod client;
mod transcripts;

use chats::chat;
use client::Client;
use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use operator_core::dialect::Dialects;
use operator_core::limits::Limits;
use operator_core::review::Reviewer;
use operator_core::scan::Scan;
use operator_core::snapshot::MemorySnapshot;
use operator_core::text::Text;
use transcripts::transcript;

/// As in the program.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    divan::main();
}

const SIZES: [usize; 3] = [100_000, 1_000_000, 10_000_000];

/// Scanning and checking a transcript from nothing; mostly prose, and nothing but blocks.
#[divan::bench(args = [(1_000_000, 5), (10_000_000, 5), (10_000_000, 100)], sample_count = 20)]
fn scan_fresh(bencher: Bencher<'_, '_>, (size, share): (usize, usize)) {
    let text = Text::new(&transcript(size, share));
    bencher
        .counter(BytesCount::new(text.len()))
        .bench_local(|| Scan::new(black_box(&text), Dialects::all(), &Limits::default()));
}

/// The same for the blocks of most chats: search-replace blocks, patches, and whole files.
#[divan::bench(args = [(10_000_000, 5), (10_000_000, 100)], sample_count = 20)]
fn scan_fresh_chat(bencher: Bencher<'_, '_>, (size, share): (usize, usize)) {
    let text = Text::new(&chat(size, share));
    bencher
        .counter(BytesCount::new(text.len()))
        .bench_local(|| Scan::new(black_box(&text), Dialects::all(), &Limits::default()));
}

/// From a keystroke in the middle of a transcript to its problems, in the core; a twentieth of the
/// text is blocks.
#[divan::bench(args = SIZES, sample_count = 50)]
fn keystroke(bencher: Bencher<'_, '_>, size: usize) {
    type_and_review(bencher, &transcript(size, 5));
}

/// The same where the text is nothing but blocks, about one a kilobyte.
#[divan::bench(args = SIZES, sample_count = 50)]
fn keystroke_in_blocks(bencher: Bencher<'_, '_>, size: usize) {
    type_and_review(bencher, &transcript(size, 100));
}

/// Types a character in the middle of a transcript, and takes it back.
fn type_and_review(bencher: Bencher<'_, '_>, text: &str) {
    let (dialects, limits) = (Dialects::all(), Limits::default());
    let mut text = Text::new(text);
    let mut scan = Scan::new(&text, dialects, &limits);
    let workspace = MemorySnapshot::default();
    let mut reviewer = Reviewer::default();
    reviewer.review(&scan, &workspace, &limits);
    let middle = text.line_start_of(text.len() / 2);
    let mut typed = false;
    bencher.bench_local(|| {
        let (old, new) = if typed { (middle..middle + 1, "") } else { (middle..middle, "x") };
        typed = !typed;
        text.replace(old.clone(), new);
        // The server keeps the last version as long as something is answered from it.
        let mut next = scan.clone();
        next.edit(&text, old, new.len(), dialects, &limits);
        scan = next;
        let review = reviewer.review(&scan, &workspace, &limits);
        review.problems().take(1000).count()
    });
}

/// From a keystroke to the diagnostics in the client, through the whole server.
#[divan::bench(args = SIZES, sample_count = 50)]
fn keystroke_to_diagnostics(bencher: Bencher<'_, '_>, size: usize) {
    type_and_wait(bencher, &transcript(size, 5));
}

/// The same where the text is nothing but blocks, about one a kilobyte.
#[divan::bench(args = SIZES, sample_count = 50)]
fn keystroke_to_diagnostics_in_blocks(bencher: Bencher<'_, '_>, size: usize) {
    type_and_wait(bencher, &transcript(size, 100));
}

/// Types a character in the middle of a transcript, and takes it back.
fn type_and_wait(bencher: Bencher<'_, '_>, text: &str) {
    let rope = Text::new(text);
    let line = rope.line_of(rope.len() / 2);
    let mut client = Client::open(text);
    let mut typed = false;
    bencher.bench_local(|| {
        typed = !typed;
        let (to, new) = if typed { (0, "x") } else { (1, "") };
        client.edit(line, 0, to, new);
    });
}

/// From a keystroke in a source file of so many bytes to the answer of an operation on one of its
/// structures, through the whole server.
#[divan::bench(args = [100_000, 1_000_000], sample_count = 50)]
fn structure_operation_after_keystroke(bencher: Bencher<'_, '_>, size: usize) {
    operate(bencher, "a.py", "python", &python(size), "def function_7");
}

/// The same in Markdown.
#[divan::bench(args = [100_000, 1_000_000], sample_count = 50)]
fn markdown_operation_after_keystroke(bencher: Bencher<'_, '_>, size: usize) {
    let section = |n: usize| format!("## Section {n}\n\nText of it.\n\n* one\n* two\n\n");
    operate(bencher, "a.md", "markdown", &repeated(size, section), "## Section 7");
}

fn python(size: usize) -> String {
    let function = |n: usize| {
        format!(
            "def function_{n}(value, other=None):\n    \"\"\"Does {n}.\"\"\"\n    if value:\n        \
             return [it for it in other or ()]\n    return value + {n}\n\n\n"
        )
    };
    repeated(size, function)
}

fn repeated(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 200);
    for n in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&part(n));
    }
    text
}

fn operate(bencher: Bencher<'_, '_>, name: &str, language: &str, text: &str, target: &str) {
    let content = match language {
        "python" => "def new(value):\n    return value",
        _ => "## New\n\nText.",
    };
    let operation = serde_json::json!({
        "op": "insert_after_structure", "path": name, "target": target, "content": content,
    });
    let empty = text.lines().enumerate().skip(text.lines().count() / 2);
    let line = empty.into_iter().find(|(_, line)| line.is_empty()).map_or(0, |(at, _)| at);
    let mut client = Client::open_source(name, language, text);
    let mut typed = false;
    bencher.bench_local(|| {
        typed = !typed;
        let (to, new) = if typed { (0, "x") } else { (1, "") };
        client.edit_and_operate(line, to, new, &operation);
    });
}
