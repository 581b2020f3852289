//! Ours against its peers, in turn and on the same data: `cargo bench --bench compare`.
//!
//! Peers that are not installed are left out, and the table says so.

mod data;
mod measure;
mod server;
mod table;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use data::{Bench, FILES, PER_FILE};
use measure::{in_turn, installed, timed};
use table::Table;

/// The program under measurement.
const OURS: &str = env!("CARGO_BIN_EXE_operator-lsp");

/// How often each side runs.
const RUNS: usize = 15;

fn main() {
    let bench = Bench::new().expect("the temporary directory can be written");
    eprintln!("in {}, medians of {RUNS} runs in turn\n", bench.root().display());
    let mut table = Table::default();
    many_proposals(&bench, &mut table);
    one_edit(&bench, &mut table);
    no_such_text(&bench, &mut table);
    fingerprint(&bench, &mut table);
    start(&bench, &mut table);
    memory(&bench, &mut table);
    table.print();
}

fn many_proposals(bench: &Bench, table: &mut Table) {
    let work = format!("{} proposals over {FILES} files", FILES * PER_FILE);
    for (blocks, what) in [(bench.patches(), "patches"), (bench.edits(), "edits")] {
        let transcript = bench.file("many.md", &blocks);
        let ours = || with_tree(bench, || apply(bench, &transcript, 0));
        if installed("git") {
            let patch = bench.file("many.patch", &bench.many_patches());
            let theirs = || with_tree(bench, || git_apply(bench, &patch));
            table.times(&format!("{work}, {what}"), "git apply", in_turn(RUNS, ours, theirs));
        } else {
            table.missing(&work, "git");
        }
    }
}

fn with_tree(bench: &Bench, run: impl FnOnce() -> Duration) -> Duration {
    bench.write_tree().expect("the temporary directory can be written");
    run()
}

fn one_edit(bench: &Bench, table: &mut Table) {
    let work = "one edit in 100,000 lines";
    let transcript = bench.file("one.md", &data::one_edit());
    let patch = bench.file("one.patch", &data::one_patch());
    let large = |run: &dyn Fn() -> Duration| {
        bench.write_large().expect("the temporary directory can be written");
        run()
    };
    let ours = || large(&|| apply(bench, &transcript, 0));
    if installed("git") {
        let theirs = || large(&|| git_apply(bench, &patch));
        table.times(work, "git apply", in_turn(RUNS, ours, theirs));
    } else {
        table.missing(work, "git");
    }
    if installed("patch") {
        let theirs = || large(&|| gnu_patch(bench, &patch));
        table.times(work, "GNU patch", in_turn(RUNS, ours, theirs));
    } else {
        table.missing(work, "patch");
    }
}

/// Against three edits whose text is there: a miss is searched for likenesses.
fn no_such_text(bench: &Bench, table: &mut Table) {
    let large = |run: &dyn Fn() -> Duration| {
        bench.write_large().expect("the temporary directory can be written");
        run()
    };
    let miss = bench.file("miss.md", &data::miss());
    let hits = bench.file("hits.md", &data::hits());
    let ours = || large(&|| apply(bench, &miss, 1));
    let theirs = || large(&|| apply(bench, &hits, 0));
    table.times("no such text, 100,000 lines", "three that are", in_turn(RUNS, ours, theirs));
}

fn fingerprint(bench: &Bench, table: &mut Table) {
    let work = "fingerprint of 64 MB";
    if !installed("sha256sum") {
        return table.missing(work, "sha256sum");
    }
    let file = bench.file("large.bin", &"0123456789abcdef".repeat(4 << 20));
    let ours = || timed(Command::new(OURS).arg("fingerprint").arg(&file), 0);
    let theirs = || timed(Command::new("sha256sum").arg(&file), 0);
    table.times(work, "sha256sum", in_turn(RUNS, ours, theirs));
}

fn start(bench: &Bench, table: &mut Table) {
    let work = "start to initialize";
    let ours = || server::start(Command::new(OURS).arg("serve"), bench.root());
    if installed("ruff") {
        let theirs = || server::start(Command::new("ruff").arg("server"), bench.root());
        table.times(work, "ruff server", in_turn(RUNS, ours, theirs));
    } else {
        table.missing(work, "ruff");
        table.times(work, "itself", in_turn(RUNS, ours, ours));
    }
}

fn memory(bench: &Bench, table: &mut Table) {
    let ours = server::memory(Command::new(OURS).arg("serve"), bench.root(), None);
    if installed("ruff") {
        let theirs = server::memory(Command::new("ruff").arg("server"), bench.root(), None);
        table.sizes("memory, idle", "ruff server", ours.idle, theirs.idle);
    } else {
        table.missing("memory, idle", "ruff");
    }
    let blocks = data::transcript(10_000_000);
    let code = data::lines(10_000_000);
    let opened = [("mostly prose", data::chat(10_000_000), "markdown")];
    let others = [("nothing but blocks", blocks, "markdown"), ("a target", code, "python")];
    for (what, text, language) in opened.into_iter().chain(others) {
        let open = server::Open { text: &text, language };
        let ours = server::memory(Command::new(OURS).arg("serve"), bench.root(), Some(open));
        table.sizes(&format!("10 MB open, {what}"), "its size", ours.open, text.len());
        table.sizes(&format!("10 MB closed again, {what}"), "idle", ours.closed, ours.idle);
    }
}

fn apply(bench: &Bench, transcript: &Path, exit: i32) -> Duration {
    timed(ours(bench, transcript).arg("--yes"), exit)
}

fn ours(bench: &Bench, transcript: &Path) -> Command {
    let mut command = Command::new(OURS);
    command.arg("apply").arg(transcript).arg("--root").arg(bench.workspace());
    command.env("OPERATOR_LSP_STATE_DIR", bench.state());
    command
}

fn git_apply(bench: &Bench, patch: &Path) -> Duration {
    let mut command = Command::new("git");
    // Outside of any repository, as a bare patch tool.
    command.env("GIT_CEILING_DIRECTORIES", bench.root());
    timed(command.arg("apply").arg(patch).current_dir(bench.workspace()), 0)
}

fn gnu_patch(bench: &Bench, patch: &Path) -> Duration {
    let mut command = Command::new("patch");
    command.args(["-p1", "-s", "-i"]).arg(patch).current_dir(bench.workspace());
    timed(command.stdin(Stdio::null()), 0)
}
