//! What the server holds.

use std::process::Command;

use serde_json::json;

use super::data::{self, Bench};
use super::limits;
use super::measure::{Row, find};
use super::server::{REST, Server};
use super::table::Table;

const SIZE: usize = 10_000_000;

/// Idle, with large documents, and once they are closed.
pub fn rows(bench: &Bench, table: &mut Table) {
    let idle = |command: &mut Command| {
        let server = Server::start(command, bench.root()).initialized();
        std::thread::sleep(REST);
        server.resident()
    };
    let own = idle(bench.ours().arg("serve"));
    let ruff = find("ruff").map(|ruff| idle(Command::new(ruff).arg("server")));
    table.add(&Row::size("memory, idle", "8 MB", || own).peer_size("ruff server", ruff));
    let flood = |line: &str| line.repeat(13_000_000 / line.len());
    let documents = [
        ("10 MB, mostly prose", "4 of limit", data::chat(SIZE)),
        ("10 MB, nothing but blocks", "4 of limit", data::transcript(SIZE)),
        ("13 MB of FILE markers", "12 of limit", flood("<<<FILE>>>\n")),
        ("13 MB of OPERATOR_CMD", "12 of limit", flood("OPERATOR_CMD\n")),
        ("13 MB of SEARCH markers", "12 of limit", flood("<<<<<<< SEARCH\n")),
        ("13 MB of SHAM headers", "12 of limit", flood("#!SHAM [@three-char-SHA-256: abc]\n")),
    ];
    for (what, goal, text) in documents {
        let [open, closed] = held(bench, "markdown", &text, None);
        let row = Row::size(&format!("memory of {what}"), goal, || open);
        table.add(&row.limit_size("the text", text.len()));
        table.add(&closed_again(what, closed, own));
    }
    let code = data::functions(SIZE);
    let file = bench.file("workspace/target.py", &code);
    let operation =
        json!({"op": "read_structure", "path": "target.py", "target": "def function_7"});
    let [open, closed] = held(bench, "python", &code, Some(operation));
    let row = Row::size("memory of a 10 MB target in use", "1.2 of limit", || open);
    table.add(&row.limit_size("its bare tree", limits::tree_of(&file)));
    table.add(&closed_again("a target", closed, own));
}

fn closed_again(what: &str, closed: usize, own: usize) -> Row<'static> {
    let row = Row::size(&format!("closed again for 35 s, {what}"), "given back", move || closed);
    row.limit_size("idle", own)
}

/// What the server holds with a document open, and some time after it was closed.
fn held(
    bench: &Bench,
    language: &str,
    text: &str,
    operation: Option<serde_json::Value>,
) -> [usize; 2] {
    let mut server = Server::start(bench.ours().arg("serve"), bench.root()).initialized();
    let name = if language == "python" { "target.py" } else { "chat.md" };
    server.open(name, language, text);
    if let Some(operation) = operation {
        server.request("operator/structure", &operation);
    }
    server.rest();
    let open = server.resident();
    server.close(name);
    std::thread::sleep(std::time::Duration::from_secs(35));
    [open, server.resident()]
}
