//! Words for what was done with structures: a line, and the texts that were read.

use crate::plan::StructureFact;
use crate::structure::{Excerpt, LineRange, Listed, Output};
use crate::text::one_line::{count, summary};

/// What was done, in one line of at most 200 characters.
pub fn line(fact: &StructureFact) -> String {
    let total = count(fact.lines, "line");
    let (verb, what) = match &fact.output {
        Output::Outlined { files: [file] } => {
            let structures = count(file.structures.len(), "structure");
            (
                "outlined",
                match file.parse_errors {
                    0 => structures,
                    errors => format!("{structures}, {}", count(errors, "syntax error")),
                },
            )
        }
        Output::Read { matches } => (
            "read",
            match &matches[..] {
                [one] => lines_of(one.lines),
                several => count(several.len(), "structure"),
            },
        ),
        Output::Deleted { lines } => ("edited", format!("deleted {}, {total}", lines_of(*lines))),
        Output::Inserted { at, target_at } => {
            let side = if target_at.is_some() { "before" } else { "after" };
            ("edited", format!("inserted {side} it at line {at}, {total}"))
        }
        Output::Replaced { lines } => {
            ("edited", format!("replaced, now {}, {total}", lines_of(*lines)))
        }
        Output::TextReplaced { lines, .. } => {
            ("edited", format!("changed {}, {total}", lines_of(*lines)))
        }
        Output::Moved { to, .. } => ("edited", format!("moved, now {}, {total}", lines_of(*to))),
    };
    summary(verb, &fact.path.to_string(), &format!(", {what}, {}", fact.fingerprint))
}

/// What was read or listed, as text; `None` where nothing was.
pub fn details(fact: &StructureFact) -> Option<String> {
    match &fact.output {
        Output::Outlined { files: [file] } => Some(listed(&file.structures)),
        Output::Read { matches } => Some(match &matches[..] {
            [one] => one.text.clone(),
            several => {
                let text = |one: &Excerpt| format!("{}:\n{}", lines_of(one.lines), one.text);
                several.iter().map(text).collect::<Vec<_>>().join("\n\n")
            }
        }),
        _ => None,
    }
}

/// Each structure as `<first>-<last>: ` and the line of a target that it has below the line of the
/// structure around it, indented by its depth.
fn listed(structures: &[Listed]) -> String {
    let range = |[first, last]: LineRange| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let widest = structures.iter().map(|one| range(one.line_range_inclusive).len()).max();
    let widest = widest.unwrap_or_default();
    let line = |one: &Listed| {
        let (range, indent) = (range(one.line_range_inclusive), one.depth * 2);
        format!("{range:>widest$}: {:indent$}{}", "", one.line())
    };
    structures.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `line 3`, `lines 3-9`
fn lines_of([first, last]: LineRange) -> String {
    match first == last {
        true => format!("line {first}"),
        false => format!("lines {first}-{last}"),
    }
}
