//! The structures of a library.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use tree_sitter::Tree;

use super::data::Bench;
use super::limits;
use super::measure::{Row, find, took};
use super::table::Table;

/// The outline of Python's standard library, on all processors.
pub fn rows(bench: &Bench, table: &mut Table) {
    let Some(library) = library(bench) else {
        eprintln!("python3 is not there: no library to outline");
        return;
    };
    let texts: Vec<String> = texts(&library);
    let size: usize = texts.iter().map(String::len).sum();
    let work = format!("outline of {} files, {:.1} MB", texts.len(), size as f64 / 1e6);
    let ours = || listed(bench.ours().args(["structure", "outline", "."]), &library);
    let theirs = |program: PathBuf| {
        let library = library.clone();
        move || listed(Command::new(&program).args(["outline", "."]), &library)
    };
    let bare = || took(|| parse(&texts, |_| ()));
    let row = Row::time(&work, "1 of peer, 1.15 of limit", ours);
    table.add(
        &row.runs(5).program("ast-grep outline", "ast-grep", theirs).limit("a bare parse", bare),
    );
    // Structures are listed at all depths.
    let walked = || took(|| parse(&texts, visit));
    let row = Row::time(&work, "1.15 of limit", ours);
    table.add(&row.runs(5).limit("a parse and each node once", walked));
}

/// How long it takes until all of the output is read.
fn listed(command: &mut Command, directory: &Path) -> Duration {
    command.current_dir(directory).stdout(Stdio::piped()).stderr(Stdio::null());
    let start = Instant::now();
    let output = command.output().expect("the program can be started");
    assert!(!output.stdout.is_empty());
    start.elapsed()
}

/// A copy of the library without what is installed into it.
fn library(bench: &Bench) -> Option<PathBuf> {
    let script = "import shutil, sys, sysconfig
shutil.copytree(sysconfig.get_paths()['stdlib'], sys.argv[1],
    ignore=lambda folder, names: [name for name in names if name == 'site-packages'
        or '.' in name and not name.endswith('.py')])";
    let library = bench.root().join("library");
    let status = Command::new(find("python3")?).args(["-c", script]).arg(&library).status();
    status.is_ok_and(|status| status.success()).then_some(library)
}

fn texts(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the copy").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(text) = python(&path) {
                texts.push(text);
            }
        }
    }
    texts
}

fn python(path: &Path) -> Option<String> {
    path.extension().filter(|extension| *extension == "py")?;
    fs::read_to_string(path).ok()
}

/// Parses all of them on all processors, looks at each tree, and does nothing else.
fn parse(texts: &[String], look: fn(&Tree)) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut parser = limits::parser("python");
                while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    look(&parser.parse(text, None).expect("a parser has its language"));
                }
            });
        }
    });
}

/// Goes to each node of a tree.
fn visit(tree: &Tree) {
    let mut cursor = tree.walk();
    loop {
        black_box(cursor.node());
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
