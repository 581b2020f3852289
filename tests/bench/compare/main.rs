//! Ours against its peers and its limits, in turn and on the same data: `cargo bench --bench compare`.
//!
//! `cargo bench --bench compare -- WORD...` measures the groups whose names have one of the words.
//! Peers that are not installed are left out, and the table says so; `peers` installs them.

mod apply;
mod chats;
mod data;
mod editor;
mod limits;
mod measure;
mod memory;
mod outline;
mod program;
mod server;
mod table;

use data::Bench;
use table::Table;

/// As in the program.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The program under measurement.
const OURS: &str = env!("CARGO_BIN_EXE_operator-lsp");

type Group = fn(&Bench, &mut Table);

const GROUPS: [(&str, Group); 7] = [
    ("check", chats::rows),
    ("keystroke", editor::rows),
    ("outline", outline::rows),
    ("apply", apply::rows),
    ("start", program::rows),
    ("memory", memory::rows),
    ("delay", editor::delay),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    if limits::is_asked_for() {
        return limits::answer(&words);
    }
    let is_wanted = |name: &str| {
        words.is_empty() || words.iter().any(|word| name.contains(word) || word == "compare")
    };
    let groups: Vec<_> = GROUPS.iter().filter(|(name, _)| is_wanted(name)).collect();
    if groups.is_empty() {
        return;
    }
    let bench = Bench::new().expect("the temporary directory can be written");
    eprintln!("in {}, medians of runs in turn\n", bench.root().display());
    let mut table = Table::default();
    groups.iter().for_each(|(_, rows)| rows(&bench, &mut table));
    table.print();
}
