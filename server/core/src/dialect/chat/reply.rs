//! The reply to the blocks of an answer, as Markdown that a person and a model can read.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::HOLDS_BLOCKS;
use super::said::{APPLIED, BULLET, FIRST, NOT_A_BLOCK, PROBLEM, PROBLEMS, REJECTED};
use crate::command::Command;
use crate::dialect::{Answer, Answers, Failure, NEAR_MARKERS, reply};
use crate::path::FilePath;
use crate::plan::{Fact, Outcome, Wrote};
use crate::problem::{CHAT_NOT_APPLIED, Problem, Severity};
use crate::text::Text;
use crate::text::one_line::count;

/// So many files of a block are named.
const NAMED: usize = 3;
/// So many characters of an edit that is not a block are quoted.
const LONGEST: usize = 80;

/// The reply to some blocks, in order; one text.
pub fn replies(to: &Answers<'_>) -> Vec<String> {
    let answers = to.answers;
    let applied = answers.iter().filter(|answer| answer.result.is_ok()).count();
    let blocks = if answers.len() == 1 { "block" } else { "blocks" };
    let items = answers.iter().map(|answer| {
        // As `check` counts them, and `--only`.
        let number = format!("{}. ", answer.placed.index + 1);
        // What belongs to an item is indented as its text is (CommonMark, section 5.2).
        let indent = format!("\n{}", " ".repeat(number.len()));
        number + &item(to.transcript, answer).replace("\n   ", &indent)
    });
    let others = not_blocks(to).map(|said| format!("{BULLET}{said}"));
    let items: String = items.chain(others).collect();
    vec![format!("{FIRST}{applied} of {} {blocks}.\n\n{items}", answers.len())]
}

/// What is said of edits that are not blocks: each kind of them once.
fn not_blocks(to: &Answers<'_>) -> impl Iterator<Item = String> {
    let mut kinds: Vec<(&Problem, usize)> = Vec::new();
    let is_edit = |it: &&Problem| {
        let is_edit = it.code == CHAT_NOT_APPLIED || NEAR_MARKERS.contains(&it.code);
        is_edit && !it.details.to_map().contains_key(HOLDS_BLOCKS)
    };
    for stray in to.strays.iter().filter(is_edit) {
        match kinds.iter_mut().find(|(kind, _)| kind.message == stray.message) {
            Some((_, times)) => *times += 1,
            None => kinds.push((stray, 1)),
        }
    }
    let last = kinds.len();
    kinds.into_iter().zip(1..).map(move |((stray, times), number)| {
        let text: String = to.transcript.slice(stray.span.clone()).chars().take(LONGEST).collect();
        let times = if times > 1 { format!(", {times} times") } else { String::new() };
        let says = sentence(&stray.message);
        let what_to_do = if number == last { SEND } else { "" };
        format!("{}{times} {NOT_A_BLOCK}: {says}\n{what_to_do}", code_span(&text))
    })
}

/// What is said below edits that are not blocks.
const SEND: &str = "   Send each of these edits as a search-replace block, a patch, a diff or a whole \
                    file.\n";

/// What is said below a block for a file in another encoding.
const IN_ASCII: &str = "   Send it again as a search-replace block or a patch with lines of ASCII alone, \
                        or tell the user.\n";

/// What is said of one block.
fn item(transcript: &Text, answer: &Answer) -> String {
    let mut text = String::new();
    let block = &answer.placed.block;
    let name = block.answered_as().map(|name| format!(" ({name})")).unwrap_or_default();
    let _ = write!(text, "{}{name}: ", paths(answer));
    match &answer.result {
        Ok(outcome) => {
            applied(&mut text, outcome, answer);
            warned(&mut text, answer);
        }
        Err(Failure::Refused) => {
            let _ = writeln!(text, "{REJECTED}.");
        }
        Err(Failure::Pending) => text.push_str("not applied yet.\n"),
        Err(Failure::Noted { message, .. }) => {
            let _ = writeln!(text, "not applied: {}", sentence(message));
        }
        Err(Failure::Problem { fault, others }) => {
            if others.is_empty() {
                let message = sentence(&reply::message(transcript, answer, fault));
                let _ = writeln!(text, "{PROBLEM}{}): {message}", fault.code);
            } else {
                let _ = writeln!(text, "{PROBLEMS}{} problems:", others.len() + 1);
                for fault in [&**fault].into_iter().chain(others) {
                    let message = sentence(&reply::message(transcript, answer, fault));
                    let _ = writeln!(text, "   * {}: {message}", fault.code);
                }
            }
            nearest(&mut text, &fault.details);
            if reply::is_to_be_sent_again(fault) {
                text.push_str("   Send this block again, whole.\n");
            } else if reply::may_be_ascii(fault) {
                text.push_str(IN_ASCII);
            } else if reply::is_for_the_user(fault) {
                text.push_str("   You cannot fix this; tell the user.\n");
            }
        }
    }
    text
}

/// The files of a block, the first of many by name.
fn paths(answer: &Answer) -> String {
    let parsed = &answer.placed.block.parsed;
    let mut all: Vec<&str> = Vec::new();
    for path in parsed.command.iter().flat_map(Command::all_paths) {
        if !all.contains(&path) {
            all.push(path);
        }
    }
    let first = parsed.path.as_deref().filter(|path| !path.is_empty());
    match (&all[..], first) {
        ([], None) => "no path".to_owned(),
        ([], Some(path)) => code_span(path),
        (all, _) => {
            let named: Vec<String> = all.iter().take(NAMED).map(|path| code_span(path)).collect();
            let more = all.len().saturating_sub(NAMED);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            named.join(", ") + &rest
        }
    }
}

/// What was done: nothing more than that where it is one file's edit.
fn applied(text: &mut String, outcome: &Outcome, answer: &Answer) {
    if let Some(part) = reply::as_made(outcome) {
        let _ = writeln!(text, "{APPLIED} {part}.");
        return;
    }
    match outcome.facts() {
        [] => {
            let _ = writeln!(text, "{APPLIED}.");
        }
        [Fact::Wrote { how: Wrote::Edited | Wrote::Created, path, .. }] => {
            let _ = writeln!(text, "{APPLIED}{}.", file(path, answer));
        }
        [Fact::Wrote { how: Wrote::Unchanged, path, .. }] => {
            let file = file(path, answer);
            let _ = writeln!(text, "{APPLIED}{file}; the file had this content already.");
        }
        facts => {
            let _ = writeln!(text, "{APPLIED}:");
            for fact in facts {
                let line = without_fingerprint(&reply::fact_line(fact));
                let _ = writeln!(text, "   * {line}");
            }
        }
    }
}

/// What of the block is passed over although it is applied.
fn warned(text: &mut String, answer: &Answer) {
    let problems = &answer.placed.block.parsed.problems;
    for warning in problems.iter().filter(|problem| problem.severity == Severity::Warning) {
        let _ = writeln!(text, "   * {}: {}", warning.code, sentence(&warning.message));
    }
}

/// Which file it was, where the path that the block states begins with a name that was left out.
fn file(path: &FilePath, answer: &Answer) -> String {
    let command = answer.placed.block.parsed.command.as_ref();
    let written = command.and_then(Command::path).unwrap_or_default().replace('\\', "/");
    let named = written.trim_start_matches("./").split_once('/');
    match named.is_some_and(|(first, rest)| !first.is_empty() && rest == &*path.path) {
        true => format!(" to {}", code_span(&path.path)),
        false => String::new(),
    }
}

/// A line without the fingerprint at its end, which is of no use to who reads this reply.
fn without_fingerprint(line: &str) -> String {
    line.split_once(", sha256:").map_or(line, |(before, _)| before).to_owned()
}

/// The lines of the file that are most like those of the block, with their numbers, in a fence.
fn nearest(text: &mut String, details: &Map<String, Value>) {
    for (line, lines) in reply::nearest_lines(details) {
        let ticks = lines.iter().map(|line| longest_run(line)).max().unwrap_or(0).max(2) + 1;
        let fence = "`".repeat(ticks);
        let found = count(lines.len(), "line");
        let _ = writeln!(text, "   The file has at line {line} ({found}):\n\n   {fence}");
        for line in lines {
            let _ = writeln!(text, "   {line}");
        }
        let _ = writeln!(text, "   {fence}\n");
    }
}

/// A path in a code span, whatever backticks it has (CommonMark, section 6.1).
fn code_span(path: &str) -> String {
    let path: String =
        path.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    let ticks = "`".repeat(longest_run(&path) + 1);
    let blank = if path.starts_with('`') || path.ends_with('`') { " " } else { "" };
    format!("{ticks}{blank}{path}{blank}{ticks}")
}

/// How many backticks follow one another at most.
fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or(0)
}

/// A message on one line, as a sentence.
fn sentence(message: &str) -> String {
    let plain: String =
        message.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    let plain = plain.trim();
    let is_ended = plain.ends_with(['.', '?', '!']);
    if is_ended { plain.to_owned() } else { format!("{plain}.") }
}
