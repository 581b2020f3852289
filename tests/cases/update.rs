//! Rewrites the expected sections of a file in place, for `UPDATE_CASES=1`.
//!
//! What it writes is what the program does, right or wrong: the diff is there to be read.

use crate::parse::{Case, CaseFile, Section};
use crate::run::Outcome;

/// The sections that are rewritten; `fixed` ones stay where they cannot be made.
const EXPECTED: [&str; 11] = [
    "blocks", "problems", "reply", "after", "deleted", "fixed", "result", "text", "outline",
    "error", "warnings",
];

/// Writes the file with each case's sections as they would be right.
pub fn rewrite(file: &CaseFile, outcomes: &[Option<Outcome>]) {
    let mut lines: Vec<String> = Vec::new();
    let mut done = 0;
    for (case, outcome) in file.cases.iter().zip(outcomes) {
        lines.extend_from_slice(&file.lines[done..case.start]);
        done = case.end;
        match outcome {
            Some(outcome) if outcome.complete => {
                lines.extend(rewritten(file, case, outcome));
            }
            _ => lines.extend_from_slice(&file.lines[case.start..case.end]),
        }
    }
    lines.extend_from_slice(&file.lines[done..]);
    std::fs::write(&file.path, lines.join("\n") + "\n").unwrap();
}

fn rewritten(file: &CaseFile, case: &Case, outcome: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    let mut new: Vec<&Section> = outcome.right.iter().collect();
    let mut done = case.start;
    let mut call = 0;
    for old in &case.sections {
        // What is new about a call is before the next.
        if old.call != call {
            let (own, others) = new.into_iter().partition(|it| call > 0 && it.call == call);
            (new, call) = (others, old.call);
            append(&mut lines, own);
        }
        lines.extend_from_slice(&file.lines[done..old.start]);
        done = old.end;
        let place = new.iter().position(|section| section.replaces(old));
        match place {
            Some(place) => lines.extend(new.remove(place).to_lines()),
            None if EXPECTED.contains(&&*old.kind) && old.kind != "fixed" => {
                while lines.last().is_some_and(String::is_empty) {
                    lines.pop();
                }
            }
            None => lines.extend_from_slice(&file.lines[old.start..old.end]),
        }
    }
    append(&mut lines, new);
    lines.extend_from_slice(&file.lines[done..case.end]);
    lines
}

/// Adds sections, each after an empty line.
fn append(lines: &mut Vec<String>, sections: Vec<&Section>) {
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    for section in sections {
        lines.push(String::new());
        lines.extend(section.to_lines());
    }
}

impl Section {
    /// Whether it stands for the same thing as an older section.
    fn replaces(&self, old: &Section) -> bool {
        if self.call != old.call {
            return false;
        }
        match (self.kind.as_str(), old.kind.as_str()) {
            ("after" | "deleted", "after" | "deleted") => {
                self.path().trim_end_matches('/') == old.path().trim_end_matches('/')
            }
            ("fixed", "fixed") | ("reply", "reply") => self.args == old.args,
            (kind, old) => kind == old,
        }
    }

    fn to_lines(&self) -> Vec<String> {
        let longest = self.body.lines().map(|line| line.len() - line.trim_start_matches('`').len());
        let fence = "`".repeat(longest.max().unwrap_or(0).max(2) + 1);
        let mut lines = vec![format!("{fence}{}", self.title())];
        lines.extend(self.body.lines().map(str::to_owned));
        lines.push(fence);
        lines
    }
}
