//! Edits that are applied by a whole process.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::data::{self, Bench, FILES, PER_FILE};
use super::measure::{Row, timed, took};
use super::table::Table;

/// Many proposals, one edit, and a text that is not there.
pub fn rows(bench: &Bench, table: &mut Table) {
    many_proposals(bench, table);
    one_edit(bench, table);
    no_such_text(bench, table);
    in_use(bench, table);
}

/// The peer syncs nothing by itself, and what we write is to last.
fn many_proposals(bench: &Bench, table: &mut Table) {
    let work = format!("{} proposals over {FILES} files", FILES * PER_FILE);
    let patch = bench.file("many.patch", &bench.many_patches());
    for (blocks, what) in [(bench.patches(), "patches"), (bench.edits(), "edits")] {
        let transcript = bench.file("many.md", &blocks);
        let work = format!("{work}, {what}");
        let with_tree = |run: &dyn Fn() -> Duration| {
            bench.write_tree().expect("the temporary directory can be written");
            run()
        };
        let theirs = || git_apply(bench, &patch) + sync(bench.files());
        let row = Row::time(&work, "2 of peer", || with_tree(&|| apply(bench, &transcript, 0)))
            .program("git apply, fsync of each", "git", |_| || with_tree(&theirs))
            .limit("the same without fsync", || with_tree(&|| git_apply(bench, &patch)));
        table.add(&row);
    }
}

fn one_edit(bench: &Bench, table: &mut Table) {
    let transcript = bench.file("one.md", &data::one_edit());
    let patches = bench.file("patch.md", &data::one_patch_block());
    let patch = bench.file("one.patch", &data::one_patch());
    let large = |run: &dyn Fn() -> Duration| {
        bench.write_large().expect("the temporary directory can be written");
        run()
    };
    let git = || large(&|| git_apply(bench, &patch));
    let limit = || large(&|| keep_and_write(&bench.large()));
    for (work, transcript) in [("one edit", &transcript), ("one patch", &patches)] {
        let work = format!("{work} in 100,000 lines");
        let row = Row::time(&work, "1 of peer", || large(&|| apply(bench, transcript, 0)))
            .program("git apply", "git", |_| git)
            .limit("a process, old and new synced", limit);
        table.add(&row);
    }
    let row = Row::time("one edit in 100,000 lines", "1 of peer", || {
        large(&|| apply(bench, &transcript, 0))
    });
    table.add(&row.program("GNU patch", "patch", |_| || large(&|| gnu_patch(bench, &patch))));
}

/// A miss is searched for what is like it.
fn no_such_text(bench: &Bench, table: &mut Table) {
    let miss = bench.file("miss.md", &data::miss());
    let hit = bench.file("one.md", &data::one_edit());
    let large = |run: &dyn Fn() -> Duration| {
        bench.write_large().expect("the temporary directory can be written");
        run()
    };
    let row = Row::time("a text that is not there, 100,000 lines", "1 of peer", || {
        large(&|| apply(bench, &miss, 1))
    });
    table.add(&row.peer("ours, one that is", || large(&|| apply(bench, &hit, 0))));
}

/// Most edits are not the first one of their workspace: so many can be undone already.
fn in_use(bench: &Bench, table: &mut Table) {
    const KEPT: usize = 200;
    let (state, number) = (bench.root().join("used"), Cell::new(0));
    let edit = |state: &Path| {
        number.set(number.get() + 1);
        bench.file("workspace/small.txt", "one\n");
        let patch = format!(
            "*** Begin Patch\n*** Update File: small.txt\n@@\n one\n+{}\n*** End Patch\n",
            number.get()
        );
        apply_with(bench, &bench.file("small.md", &patch), state, 0)
    };
    (0..KEPT).for_each(|_| _ = edit(&state));
    data::rest_records(&state).expect("the temporary directory can be written");
    let first = || {
        let _ = fs::remove_dir_all(bench.state());
        edit(&bench.state())
    };
    let work = format!("one edit where {KEPT} operations can be undone");
    let row = Row::time(&work, "1.5 of peer", || edit(&state));
    table.add(&row.peer("ours, the first one of a workspace", first));
}

fn apply(bench: &Bench, transcript: &Path, exit: i32) -> Duration {
    // Each is the first one of its workspace.
    let _ = fs::remove_dir_all(bench.state());
    apply_with(bench, transcript, &bench.state(), exit)
}

fn apply_with(bench: &Bench, transcript: &Path, state: &Path, exit: i32) -> Duration {
    let mut command = bench.ours();
    command.arg("apply").arg(transcript).arg("--yes").arg("--root").arg(bench.workspace());
    timed(command.env("OPERATOR_LSP_STATE_DIR", state), exit)
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

fn sync(files: impl Iterator<Item = std::path::PathBuf>) -> Duration {
    let start = Instant::now();
    for file in files {
        File::open(&file).and_then(|file| file.sync_all()).expect("a file that was just written");
    }
    start.elapsed()
}

/// The least that an edit takes which lasts and can be undone after a crash: an empty process, a read, and a sync of the
/// old file's copy and of the new file.
fn keep_and_write(file: &Path) -> Duration {
    let process = timed(&mut Command::new("true"), 0);
    let edit = || -> std::io::Result<()> {
        let text = fs::read(file)?;
        let [old, new] = ["old", "new"].map(|name| file.with_extension(name));
        for path in [&old, &new] {
            let mut written = File::create(path)?;
            written.write_all(&text)?;
            written.sync_all()?;
        }
        fs::rename(&new, file)
    };
    let taken = process + took(|| edit().expect("the temporary directory can be written"));
    let _ = fs::remove_file(file.with_extension("old"));
    taken
}
