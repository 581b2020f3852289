//! What somebody who types waits for.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::data::{self, Bench};
use super::limits;
use super::measure::{Row, percentile};
use super::server::Server;
use super::table::Table;

/// How many keystrokes a figure is made of, if they do not take too long.
const KEYSTROKES: usize = 100;
const LONG: Duration = Duration::from_secs(8);

/// From a keystroke to what the editor shows of it.
pub fn rows(bench: &Bench, table: &mut Table) {
    let rules = "id: prints\nlanguage: Python\nmessage: prints\nrule:\n  pattern: print($A)\n";
    let workspace = bench.workspace();
    fs::create_dir_all(workspace.join("rules")).expect("the temporary directory can be written");
    bench.file("workspace/rules/prints.yml", rules);
    bench.file("workspace/sgconfig.yml", "ruleDirs: [rules]\n");
    for (size, name) in [(100_000, "100 kB"), (1_000_000, "1 MB"), (10_000_000, "10 MB")] {
        let typist = Typist::of_chat(bench, &data::chat(size));
        let peer = |program: PathBuf| {
            let other = Typist::of_peer(bench, &program, &data::functions(size));
            move || other.keystroke(50)
        };
        let work = format!("keystroke to diagnostics, {name}");
        let row = Row::time(&work, "as at 100 kB", || typist.keystroke(50)).runs(1);
        table.add(&row.program("ast-grep lsp", "ast-grep", peer));
        let row = Row::time(&format!("{work}, p99"), "1 ms", || typist.keystroke(99));
        table.add(&row.runs(1));
    }
    let code = data::functions(1_000_000);
    let typist = Typist::of_target(bench, &code);
    let peer = |program: PathBuf| {
        let other = Typist::of_peer(bench, &program, &code);
        move || other.keystroke(50)
    };
    let work = "keystroke in a 1 MB target to its structures";
    let row = Row::time(work, "1/40 of peer", || typist.keystroke(50)).runs(1);
    let parse = limits::keystroke(&code, typist.line, KEYSTROKES / 2);
    let row = row.limit("a bare parse of the edit", parse);
    table.add(&row.program("ast-grep lsp", "ast-grep", peer));
}

/// Fifty transcripts, ten thousand changes as fast as the server takes them, and hovers meanwhile.
pub fn delay(bench: &Bench, table: &mut Table) {
    const TRANSCRIPTS: usize = 50;
    const CHANGES: usize = 10_000;
    let text = data::chat(1_000_000);
    let hovers = || {
        let mut server = Server::start(bench.ours().arg("serve"), bench.root()).initialized();
        for number in 0..TRANSCRIPTS {
            server.open(&format!("chat-{number}.md"), "markdown", &text);
        }
        server.open("other.md", "markdown", &data::transcript(10_000));
        server.rest();
        server.hovers_during(CHANGES, |number| format!("chat-{}.md", number % TRANSCRIPTS))
    };
    let taken = RefCell::new(Vec::new());
    let slow = || {
        *taken.borrow_mut() = hovers();
        seconds(percentile(taken.borrow().iter().map(Duration::as_secs_f64), 99))
    };
    let work = "hover while 10,000 changes come in 50 transcripts of 1 MB, p99";
    table.add(&Row::time(work, "20 ms", slow).runs(1));
}

fn seconds(figure: Option<f64>) -> Duration {
    Duration::from_secs_f64(figure.unwrap_or_default())
}

/// A server, an open document, and somebody who types in the middle of it.
struct Typist {
    server: RefCell<Server>,
    name: &'static str,
    text: String,
    line: usize,
    /// What is asked after each keystroke; without it, its diagnostics are waited for.
    operation: Option<serde_json::Value>,
}

impl Typist {
    fn of_chat(bench: &Bench, text: &str) -> Typist {
        let server = Server::start(bench.ours().arg("serve"), bench.root()).initialized();
        let mut typist = Typist::with(server, "chat.md", "markdown", text);
        // Between two paragraphs of prose.
        typist.line = text.lines().count() / 2;
        typist.server.get_mut().diagnosed();
        typist
    }

    fn of_target(bench: &Bench, text: &str) -> Typist {
        let server = Server::start(bench.ours().arg("serve"), bench.root()).initialized();
        let operation = json!({
            "op": "read_structure", "path": "target.py", "target": "def function_7",
        });
        let typist = Typist::with(server, "target.py", "python", text);
        Typist { operation: Some(operation), ..typist }
    }

    fn of_peer(bench: &Bench, program: &Path, text: &str) -> Typist {
        let mut command = Command::new(program);
        command.arg("lsp").current_dir(bench.workspace());
        let server = Server::start(&mut command, bench.root()).initialized();
        let mut typist = Typist::with(server, "target.py", "python", text);
        typist.server.get_mut().diagnosed();
        typist
    }

    fn with(mut server: Server, name: &'static str, language: &str, text: &str) -> Typist {
        server.open(name, language, text);
        let middle = text.lines().count() / 2;
        let empty = text.lines().enumerate().skip(middle).find(|(_, line)| line.is_empty());
        let line = empty.map_or(middle, |(at, _)| at);
        Typist { server: RefCell::new(server), name, text: text.to_owned(), line, operation: None }
    }

    /// How long it takes until a keystroke shows, for so many in a hundred of them at most.
    fn keystroke(&self, percent: usize) -> Duration {
        let mut server = self.server.borrow_mut();
        let (mut times, start) = (Vec::new(), Instant::now());
        while times.len() < 2 || times.len() < KEYSTROKES && start.elapsed() < LONG {
            let at = (self.text.as_str(), self.line);
            let is_typed = times.len() % 2 == 0;
            let took = server.type_and_wait(self.name, at, is_typed, self.operation.as_ref());
            times.push(took.as_secs_f64());
        }
        if times.len() % 2 == 1 {
            server.type_and_wait(
                self.name,
                (self.text.as_str(), self.line),
                false,
                self.operation.as_ref(),
            );
        }
        seconds(percentile(times.into_iter(), percent))
    }
}
