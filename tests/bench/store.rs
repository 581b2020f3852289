//! How long it takes to read the ledger of 10,000 operations: `cargo bench --bench store`.
#![allow(clippy::print_stdout, reason = "the figures are what this prints")]

use std::fs;
use std::time::{Duration, Instant};

use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{
    BlockId, Door, Event, Ledger, Operation, OperationId, Transcript, Transition, Work,
};
use operator_core::path::{FilePath, State};
use operator_lsp::workspace::{Transaction, Workspace, WorkspaceOptions};

/// As in the program.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const OPERATIONS: u64 = 10_000;
/// How many files they change in turn.
const FILES: u64 = 500;
/// Of so many runs the fastest counts.
const RUNS: usize = 10;

/// The events of an operation that the command line made: it changes one file.
fn events(number: u64) -> Vec<Event> {
    let path = FilePath::new(0, format!("src/module_{}/file.rs", number % FILES));
    let state = |number: u64| State::File(Fingerprint::of(&number.to_be_bytes()));
    let (before, after) = (state(number), state(number + FILES));
    let block = BlockId { text: Fingerprint::of(format!("block {number}").as_bytes()), nth: 0 };
    let work = Work {
        block,
        name: "block 1 (edit-1)".to_owned(),
        title: format!("fs.applyEdits {path}"),
        transitions: vec![Transition::new(path.clone(), before, after)],
        part: None,
    };
    let id = OperationId(number);
    let transcript = Transcript::new(&format!("chat-{}.md", number / 10));
    let operation = Operation { id, time: number, door: Door::Cli, transcript, works: vec![work] };
    vec![Event::Applied(operation)]
}

fn fastest<T>(act: impl Fn() -> T) -> Duration {
    let time = |_| {
        let start = Instant::now();
        let result = act();
        let taken = start.elapsed();
        drop(result);
        taken
    };
    (0..RUNS).map(time).min().unwrap_or_default()
}

fn main() {
    let directory = tempfile::tempdir().expect("a place for the workspace");
    let root = directory.path().join("workspace");
    fs::create_dir(&root).expect("a folder");
    let open = || {
        let roots = std::slice::from_ref(&root);
        let workspace = Workspace::open(roots, WorkspaceOptions::default()).expect("a workspace");
        workspace.with_state_directory(directory.path().join("state"))
    };
    let workspace = open();
    let all: Vec<Event> = (1..=OPERATIONS).flat_map(events).collect();
    let mut transaction = Transaction::begin(&workspace).expect("a journal");
    transaction.note(all.clone());
    transaction.commit().expect("a ledger");

    let whole = fastest(|| open().ledger().expect("a ledger"));
    let again = fastest(|| workspace.ledger().expect("a ledger"));
    let lines: Vec<String> =
        all.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
    let parsed = fastest(|| {
        let parse = |line: &String| serde_json::from_str::<Event>(line).expect("an event");
        lines.iter().map(parse).collect::<Vec<Event>>()
    });
    let applied = fastest(|| {
        let mut ledger = Ledger::default();
        all.iter().for_each(|event| ledger.apply(event));
        ledger
    });
    let bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
    println!("{OPERATIONS} operations on {FILES} files, {bytes} bytes");
    println!("the ledger is read in   {whole:9.2?}");
    println!("  and once more         {again:9.2?}");
    println!("  its lines are parsed  {parsed:9.2?}");
    println!("  its events are taken  {applied:9.2?}");
}
