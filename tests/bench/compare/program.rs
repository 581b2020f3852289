//! The program itself: its start, its size, a fingerprint.

use std::path::PathBuf;
use std::process::Command;

use super::data::Bench;
use super::measure::{Row, timed};
use super::server;
use super::table::Table;

/// Start, idle memory, size, and a fingerprint.
pub fn rows(bench: &Bench, table: &mut Table) {
    let ours = || server::start(bench.ours().arg("serve"), bench.root());
    let theirs = |ruff: PathBuf| {
        let root = bench.root();
        move || server::start(Command::new(&ruff).arg("server"), root)
    };
    let row = Row::time("start to the answer of initialize", "1 of peer", ours).runs(41);
    let empty = || timed(&mut Command::new("true"), 0);
    table.add(&row.program("ruff server", "ruff", theirs).limit("an empty process", empty));
    let file = bench.file("large.bin", &"0123456789abcdef".repeat(4 << 20));
    let ours = || timed(bench.ours().arg("fingerprint").arg(&file), 0);
    let theirs = |program: PathBuf| {
        let file = &file;
        move || timed(Command::new(&program).arg(file), 0)
    };
    let row = Row::speed("fingerprint of a file", "1 of peer", 64 << 20, ours);
    table.add(&row.program("sha256sum", "sha256sum", theirs));
    table.add(&Row::size("the program", "25 MB", || bench.size_of_ours()));
}
