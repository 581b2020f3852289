//! What results tell of a command that was done: its data, and its line.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::command::{Command, FileEdit, Step};
use crate::dialect::reply::{self, WITHOUT_TRANSCRIPT};
use crate::path::FilePath;
use crate::plan::{ContextFact, Fact, FoundInTree, ListedEntry, Outcome, StructureFact, Wrote};
use crate::snapshot::Details;
use crate::structure::{Output, Request};
use crate::text::lines;
use crate::text::one_line::{count, summary};

/// The data of a command's result; null where it has none.
pub fn data(command: &Command, outcome: &Outcome) -> Value {
    if let Some(part) = reply::in_part(outcome) {
        return json!({"in_part": part});
    }
    match outcome {
        Outcome::Noted { data, .. } => data.clone(),
        Outcome::Done(facts) if facts.len() != command.steps.len() => Value::Null,
        Outcome::Done(facts) if command.is_list => match facts.first() {
            Some(Fact::Read { .. }) => {
                let paths: Vec<&str> = command.all_paths().collect();
                json!({"paths": paths, "content": one_after_the_other(command, facts)})
            }
            _ => {
                let result = |(step, fact): (&Step, &Fact)| {
                    let count = if let Fact::Wrote { replacements, .. } = fact {
                        replacements.unwrap_or(0)
                    } else {
                        0
                    };
                    json!({"path": step.path(), "replacements_made": count})
                };
                let results = command.steps.iter().zip(facts).map(result);
                json!({"results": results.collect::<Vec<_>>()})
            }
        },
        Outcome::Done(facts) => {
            let of_step = |(step, fact)| of_step(command, step, fact);
            command.steps.iter().zip(facts).map(of_step).next().unwrap_or_default()
        }
    }
}

/// The outcome in one line of at most 200 characters.
pub fn line(command: &Command, outcome: &Outcome) -> String {
    let facts = outcome.facts();
    let is_in_part = facts.first().is_some_and(Fact::is_in_part);
    if command.is_list && !is_in_part && !facts.is_empty() {
        let all = count(facts.len(), "file");
        let changed =
            |fact: &&Fact| matches!(fact, Fact::Wrote { how, .. } if *how != Wrote::Unchanged);
        return match facts.first() {
            Some(Fact::Read { .. }) => {
                let content = one_after_the_other(command, facts);
                summary("read", &all, &format!(", {}", count(lines::count(&content), "line")))
            }
            _ => {
                let changed = facts.iter().filter(changed).count();
                summary("edited", &changed.to_string(), &format!(" of {all}"))
            }
        };
    }
    if let [Fact::FoundInTree(found)] = facts {
        let mut said = count(found.total, "matching line");
        if found.total > found.given() {
            said = format!("{said}, {} shown", found.given());
        }
        if found.leaves_transcript {
            said.push_str(WITHOUT_TRANSCRIPT);
        }
        return summary("searched", &found.path.to_string(), &format!(": {said}"));
    }
    reply::line(outcome)
}

/// The texts of several files, each under a line with its path.
fn one_after_the_other(command: &Command, facts: &[Fact]) -> String {
    let part = |(path, fact): (&str, &Fact)| {
        let text = if let Fact::Read { text, .. } = fact { text.as_str() } else { "" };
        format!("=== {path} ===\n{text}")
    };
    command.all_paths().zip(facts).map(part).collect::<Vec<_>>().join("\n\n")
}

fn of_step(command: &Command, step: &Step, fact: &Fact) -> Value {
    let path = step.path().unwrap_or_default();
    match (fact, step) {
        (Fact::Read { text, .. }, _) => json!({"path": path, "content": text}),
        (Fact::Listed { entries, .. }, _) => entries.iter().map(entry).collect(),
        (Fact::FoundInTree(found), _) => found_in_tree(path, found),
        (Fact::FoundFiles { path: from, files }, _) => {
            files.iter().map(|file| Value::from(absolute(path, from, file))).collect()
        }
        (Fact::Wrote { .. }, Step::Write { content, .. }) => {
            json!({"path": path, "bytesWritten": content.len()})
        }
        (
            Fact::Wrote { .. },
            Step::Edit {
                edit: FileEdit::ReplaceLines { lines, .. } | FileEdit::CommentLines { lines, .. },
                ..
            },
        ) => json!({"path": path, "lines": lines}),
        (Fact::Wrote { replacements: Some(count), .. }, Step::Structure(request)) => {
            json!({"path": request.path_with_target(), "replacements": count})
        }
        (Fact::Wrote { replacements: Some(count), .. }, _) => {
            json!({"path": path, "replacements": count})
        }
        (Fact::Deleted { .. } | Fact::MadeDirectory { .. }, _) => json!({"path": path}),
        (Fact::Moved { overwrote, .. }, Step::Move { path_to, .. }) => {
            let mut data = json!({"old_path": path, "new_path": path_to});
            if *overwrote {
                data["overwrote"] = true.into();
            }
            data
        }
        (Fact::Structure(fact), _) if command.action.structure.is_some() => json!(fact.output),
        (Fact::Structure(fact), Step::Structure(request)) => inside_structure(request, fact),
        (Fact::Ran { result, .. }, _) => json!(result),
        (Fact::ToRun { .. }, _) => json!({}),
        (Fact::Context(fact), _) => context(fact),
        _ => Value::Null,
    }
}

/// The data of an action on a file whose path names a structure in it.
fn inside_structure(request: &Request, fact: &StructureFact) -> Value {
    let path = request.path_with_target();
    match &fact.output {
        Output::Read { matches } => {
            json!({"path": path, "content": matches.first().map(|one| &one.text)})
        }
        Output::TextReplaced { total, .. } => {
            json!({"path": path, "replacements": total.unwrap_or(1)})
        }
        _ => Value::Null,
    }
}

fn entry(entry: &ListedEntry) -> Value {
    json!({
        "name": entry.name,
        "type": if entry.is_directory { "directory" } else { "file" },
        "size": entry.details.map(|known| known.size),
        "modified": entry.details.and_then(modified),
    })
}

/// The time of the last change (RFC 3339), to the second.
fn modified(known: Details) -> Option<String> {
    let time = Timestamp::try_from(known.modified?).ok()?;
    let second = Timestamp::from_second(time.as_second()).ok()?;
    Some(second.to_string())
}

fn found_in_tree(written: &str, found: &FoundInTree) -> Value {
    let lines = found.files.iter().flat_map(|(file, lines)| {
        let path = absolute(written, &found.path, file);
        lines
            .iter()
            .map(move |(number, line)| json!({"file": path, "line_number": number, "line": line}))
    });
    lines.collect()
}

/// The path of a file at or below `from`, which the block writes as `written`.
fn absolute(written: &str, from: &FilePath, file: &FilePath) -> String {
    if file == from {
        return written.to_owned();
    }
    let below = file.path.get(from.path.len()..).unwrap_or_default().trim_start_matches('/');
    format!("{}/{below}", written.trim_end_matches('/'))
}

fn context(fact: &ContextFact) -> Value {
    match fact {
        ContextFact::Added { path, size } => json!({"path": path, "size": size}),
        ContextFact::Removed { path } => json!({"path": path}),
        ContextFact::Listed(files) => {
            files.iter().map(|(path, size)| json!({"path": path, "size": size})).collect()
        }
        ContextFact::Pruned(files) => json!({"removed": files}),
        ContextFact::Cleared => json!({}),
    }
}
