//! The program itself: its start, a short check, a fingerprint, its size.

use std::path::PathBuf;
use std::process::Command;

use super::data::Bench;
use super::measure::{Row, timed};
use super::server;
use super::table::Table;

/// A block for a new file, and the same as a patch.
const BLOCK: &str = "new.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n";
const PATCH: &str = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n";

/// Start, a short check, a fingerprint, and the size.
pub fn rows(bench: &Bench, table: &mut Table) {
    let ours = || server::start(bench.ours().arg("serve"), bench.root());
    let theirs = |ruff: PathBuf| {
        let root = bench.root();
        move || server::start(Command::new(&ruff).arg("server"), root)
    };
    let row = Row::time("start to the answer of initialize", "1 of peer", ours).runs(41);
    let empty = || timed(&mut Command::new("true"), 0);
    table.add(&row.program("ruff server", "ruff", theirs).limit("an empty process", empty));
    table.add(&one_block(bench).limit("an empty process", empty));
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

/// `check` of a chat with one block.
fn one_block(bench: &Bench) -> Row<'_> {
    let (chat, patch) = (bench.file("short.md", BLOCK), bench.file("short.patch", PATCH));
    let ours = move || {
        let mut command = bench.ours();
        command.arg("check").arg(&chat).arg("--root").arg(bench.workspace());
        timed(command.env("OPERATOR_LSP_STATE_DIR", bench.state()), 0)
    };
    let theirs = |git: PathBuf| {
        let check = ["apply", "--check"];
        move || timed(Command::new(&git).args(check).arg(&patch).current_dir(bench.workspace()), 0)
    };
    let row = Row::time("check of a chat with one block", "3 of peer", ours).runs(41);
    row.program("git apply --check", "git", theirs)
}
