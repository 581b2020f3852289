//! Heredocs held against bash: where a block writes a file, the shell writes the same.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

use proptest::prelude::Rng as _;
use proptest::test_runner::{Config, TestRng, TestRunner};

use super::World;

/// How many heredocs are in one transcript, and how many transcripts there are.
const TOGETHER: usize = 100;
const TRANSCRIPTS: usize = 4;

/// What the lines are made of.
const PIECES: [&str; 20] = [
    "a", " ", "\t", "$", "\\", "`", "\"", "'", "{", "}", "(", ")", "EOF", "<<", "#", "5", "é", "*",
    "$a", "\\$",
];

/// A number below another one.
fn below(rng: &mut TestRng, limit: usize) -> usize {
    (rng.next_u64() % limit as u64) as usize
}

/// A heredoc for a file.
fn heredoc(rng: &mut TestRng, path: &str) -> String {
    let delimiter = ["EOF", "'EOF'", "\"EOF\"", "\\EOF", "EO\"F\""][below(rng, 5)];
    let sign = ["<<", "<< ", "<<-"][below(rng, 3)];
    let first = match below(rng, 6) {
        0 => format!("cat > {path} {sign}{delimiter}"),
        1 => format!("cat {sign}{delimiter} >'{path}'"),
        2 => format!("tee ./{path} {sign}{delimiter} > /dev/null"),
        3 => format!("cat {sign}{delimiter} | tee \"{path}\""),
        4 => format!("mkdir -p d && cat >| d/{path} {sign}{delimiter}"),
        _ => format!("cat > {path} {sign}{delimiter} && true # and on"),
    };
    let mut text = first + "\n";
    for _ in 0..below(rng, 6) {
        let mut line = String::new();
        for _ in 0..below(rng, 7) {
            line += PIECES[below(rng, PIECES.len())];
        }
        if line.trim() != "EOF" {
            text += &line;
            text += "\n";
        }
    }
    text + "EOF\n"
}

#[test]
fn a_heredoc_is_written_as_a_shell_writes_it() {
    let mut runner = TestRunner::new(Config::default());
    let rng = runner.rng();
    let mut written = 0;
    for _ in 0..TRANSCRIPTS {
        let (ours, theirs) = (World::new(&[]), World::new(&[]));
        let mut transcript = String::new();
        for number in 0..TOGETHER {
            let script = heredoc(rng, &format!("f{number}.txt"));
            let mut shell = Command::new("bash");
            shell.args(["-c", &script]).current_dir(theirs.root());
            shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            shell.status().unwrap();
            write!(transcript, "``````sh\n{script}``````\n\n").unwrap();
        }
        ours.run_on(&transcript, &["apply", "--yes"]);
        for number in 0..TOGETHER {
            for path in [format!("f{number}.txt"), format!("d/f{number}.txt")] {
                if let Ok(own) = fs::read_to_string(ours.root().join(&path)) {
                    let wanted = fs::read_to_string(theirs.root().join(&path));
                    let at = transcript.find(&path).unwrap_or_default();
                    let script: String =
                        transcript[at.saturating_sub(20)..].chars().take(200).collect();
                    assert_eq!(wanted.ok(), Some(own), "{path} of\n{script}");
                    written += 1;
                }
            }
        }
    }
    assert!(written > TOGETHER * TRANSCRIPTS / 3, "only {written} are written");
}
