//! Words for outcomes, shared by the replies of all dialects.

mod structure;

use serde_json::{Map, Value, json};

use super::{Answer, Fault};
use crate::edit::Hunk;
use crate::path::{FilePath, State};
use crate::plan::{ContextFact, Ends, Fact, FoundInTree, Outcome, PartOfFile, Wrote};
use crate::problem::{
    Code, PLAN_ALL_OR_NOTHING, PLAN_CLIENT_CANNOT, PLAN_FILE_TOO_LARGE, PLAN_IO, PLAN_NEEDS_A_LOOK,
    PLAN_NO_WORKSPACE, PLAN_NOT_RELOADED, PLAN_NOT_UTF8, PLAN_PERMISSION_DENIED,
    PLAN_PROTECTED_PATH, PLAN_TEXT_REPLACED, PLAN_UNSAVED, PLAN_UNSYNCED,
};
use crate::text::Text;
use crate::text::one_line::{count, excerpt, summary};

/// Said of a search that leaves out the transcript, which holds the text of every search.
pub const WITHOUT_TRANSCRIPT: &str = "; this transcript is left out";

/// An outcome in one line of at most 200 characters.
pub fn line(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Noted { summary, .. } => summary.clone(),
        Outcome::Done(facts) => match &facts[..] {
            [] => String::new(),
            [fact] => fact_line(fact),
            several => several_line(several),
        },
    }
}

/// The outcome of several steps in one line: each file once, one that was moved with both its paths.
fn several_line(facts: &[Fact]) -> String {
    let moves = || {
        facts.iter().filter_map(|fact| match fact {
            Fact::Moved { ends, .. } => Some(ends),
            _ => None,
        })
    };
    let is_moved = |path: &FilePath| moves().any(|ends| ends.from == *path || ends.to == *path);
    let mut named: Vec<String> = Vec::new();
    for fact in facts {
        let Some(path) = fact.path() else { continue };
        let name = match fact {
            Fact::Moved { ends, .. } => {
                let [from, to] = [&ends.from, &ends.to].map(|it| excerpt(&it.to_string(), 60));
                format!("{from} → {to}")
            }
            _ if is_moved(path) => continue,
            _ => excerpt(&path.to_string(), 120),
        };
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let last = facts.iter().rev().find_map(|fact| match fact {
        Fact::Wrote { lines, fingerprint, .. } => Some((*lines, *fingerprint)),
        _ => None,
    });
    let rest = last
        .filter(|_| named.len() == 1)
        .map(|(lines, fingerprint)| format!(", {}, {fingerprint}", count(lines, "line")));
    summary("edited", &named.join(", "), &rest.unwrap_or_default())
}

/// The outcome of one step in one line.
pub(crate) fn fact_line(fact: &Fact) -> String {
    let about = |verb: &str, rest: String| {
        let path = fact.path().map(ToString::to_string).unwrap_or_default();
        summary(verb, &path, &rest)
    };
    match fact {
        Fact::Nothing { reason } => format!("nothing is proposed: {reason}"),
        Fact::LeftOut => "left as it is".to_owned(),
        Fact::Specification => "operator interface specification, version 3".to_owned(),
        Fact::Read { lines: Some((first, last)), total, fingerprint, .. } => {
            about("read", format!(", lines {first}-{last} of {total}, {fingerprint}"))
        }
        Fact::Read { total, fingerprint, .. } => {
            about("read", format!(", {}, {fingerprint}", count(*total, "line")))
        }
        Fact::Listed { entries, .. } => {
            about("listed", format!(", {}", count(entries.len(), "entry")))
        }
        Fact::StatDirectory { entries, .. } => {
            about("looked at", format!(", directory, {}", count(*entries, "entry")))
        }
        Fact::StatFile { size, lines, fingerprint, .. } => {
            let shown = [
                size.map(|size| count(size, "byte")),
                lines.map(|lines| count(lines, "line")),
                fingerprint.map(|fingerprint| fingerprint.to_string()),
            ];
            about("looked at", shown.into_iter().flatten().map(|it| format!(", {it}")).collect())
        }
        Fact::FoundInFile { found, limit, .. } => {
            let all = count(found.total, "matching line");
            let first = if found.total > found.lines.len() {
                format!("the first {limit} of ")
            } else {
                String::new()
            };
            let cut = if found.is_cut { ", long lines cut" } else { "" };
            about("searched", format!(": {first}{all}{cut}"))
        }
        Fact::FoundInTree(found) => about("searched", format!(": {}", in_tree(found))),
        Fact::FoundFiles { files, .. } => {
            about("looked through", format!(": {}", count(files.len(), "file")))
        }
        Fact::Wrote { how, lines, fingerprint, .. } => {
            about(verb(*how), format!(", {}, {fingerprint}", count(*lines, "line")))
        }
        Fact::ThereAlready { path, hunks } => there_already(path, hunks),
        Fact::WroteInPart(PartOfFile { lines, fingerprint, applied, rejected, .. }) => {
            let of = applied.len() + rejected.len();
            let taken = format!(" in part, {} of {}", applied.len(), count(of, "hunk"));
            about("edited", format!("{taken}, {}, {fingerprint}", count(*lines, "line")))
        }
        Fact::MadeInPart { made, of } => {
            format!("edited in part, {made} of {}", count(*of, "hunk"))
        }
        Fact::MadeInSomeFiles { made, of } => {
            format!("applied in part, in {made} of {}", count(*of, "file"))
        }
        Fact::MadeAsEdited => "applied as the user edited the block".to_owned(),
        Fact::Deleted { files: None, .. } => about("deleted", String::new()),
        Fact::Deleted { files: Some(files), .. } => {
            about("deleted", format!("/ with {}", count(*files, "file")))
        }
        Fact::Moved { ends, overwrote } => {
            let over = if *overwrote { ", overwriting" } else { "" };
            excerpt(&(to("moved", ends) + over), 200)
        }
        Fact::Copied(ends) => to("copied", ends),
        Fact::MadeDirectory { .. } => about("made the directory", String::new()),
        Fact::Structure(fact) => structure::line(fact),
        Fact::ToRun { language, lines, directory } => {
            format!("run {} of {language} in {directory}", count(*lines, "line"))
        }
        Fact::Ran { language, .. } => format!("ran {language}"),
        Fact::Context(fact) => context(fact),
    }
}

/// Which hunks have their changes in a file already.
fn there_already(path: &FilePath, hunks: &[usize]) -> String {
    let numbers: Vec<String> = hunks.iter().map(usize::to_string).collect();
    let (hunks, are) = if hunks.len() == 1 { ("hunk", "is") } else { ("hunks", "are") };
    excerpt(&format!("{hunks} {} {are} in {path} already", numbers.join(", ")), 200)
}

fn verb(how: Wrote) -> &'static str {
    match how {
        Wrote::Created => "created",
        Wrote::Replaced => "wrote",
        Wrote::Appended => "appended to",
        Wrote::Edited => "edited",
        Wrote::Emptied => "emptied",
        Wrote::Patched => "patched",
        Wrote::Unchanged => "left unchanged",
    }
}

fn to(verb: &str, ends: &Ends) -> String {
    let rest = match ends.state {
        State::File(fingerprint) => format!(", {fingerprint}"),
        State::Large { size, .. } => format!(", {size} bytes"),
        _ => format!(", {}", count(ends.files, "file")),
    };
    let source = excerpt(&ends.from.to_string(), 50);
    summary(&format!("{verb} {source} to"), &ends.to.to_string(), &rest)
}

fn in_tree(found: &FoundInTree) -> String {
    let mut said = count(found.total, "matching line");
    if found.total > 0 {
        said.push_str(&format!(" in {}", count(found.matching, "file")));
    }
    said.push_str(&format!(" of {}", found.searched));
    let shown = found.given();
    if found.total > shown {
        let (each, all) = found.limits;
        said.push_str(&format!("; {shown} shown, at most {each} a file and {all} in all"));
    }
    if found.is_cut {
        said.push_str("; long lines cut");
    }
    if found.leaves_transcript {
        said.push_str(WITHOUT_TRANSCRIPT);
    }
    if found.skipped > 0 {
        let files = count(found.skipped, "file");
        said.push_str(&format!("; {files} not searched (no UTF-8 text, too large, or closed)"));
    }
    said
}

impl FoundInTree {
    /// How many lines are given.
    pub(crate) fn given(&self) -> usize {
        self.files.iter().map(|(_, lines)| lines.len()).sum()
    }
}

fn context(fact: &ContextFact) -> String {
    match fact {
        ContextFact::Added { path, .. } => excerpt(&format!("{path} is in the working set"), 200),
        ContextFact::Removed { path } => excerpt(&format!("{path} is out of the working set"), 200),
        ContextFact::Listed(files) => {
            format!("the working set has {}", count(files.len(), "file"))
        }
        ContextFact::Pruned(files) => {
            format!("took {} out of the working set", count(files.len(), "file"))
        }
        ContextFact::Cleared => "emptied the working set".to_owned(),
    }
}

/// Whether the model is asked to send a block again that failed with this problem: not where a
/// person must look at it, or where another block or the workspace was the reason.
pub(crate) fn is_to_be_sent_again(fault: &Fault) -> bool {
    let others = [PLAN_NEEDS_A_LOOK, PLAN_ALL_OR_NOTHING, PLAN_TEXT_REPLACED];
    !is_for_the_user(fault) && !others.iter().any(|code| code.as_str() == fault.code)
}

/// Whether no other block helps, but only what the user does.
pub(crate) fn is_for_the_user(fault: &Fault) -> bool {
    let all = [
        PLAN_PERMISSION_DENIED,
        PLAN_NO_WORKSPACE,
        PLAN_IO,
        PLAN_CLIENT_CANNOT,
        PLAN_UNSYNCED,
        PLAN_UNSAVED,
        PLAN_NOT_RELOADED,
        PLAN_NOT_UTF8,
        PLAN_PROTECTED_PATH,
    ];
    let is = |code: &Code| code.as_str() == fault.code;
    // What a block would make of a file may be too large as well.
    let is_too_large_already = is(&PLAN_FILE_TOO_LARGE) && fault.details.contains_key("bytes");
    all.iter().any(is) || is_too_large_already
}

/// Whether a block failed at a file in another encoding, where one of ASCII lines may fit.
pub(crate) fn may_be_ascii(fault: &Fault) -> bool {
    fault.code == PLAN_NOT_UTF8.as_str()
}

/// What the model does then.
pub(crate) const TELL_THE_USER: &str = "you cannot fix this; tell the user";

/// What is wrong, with the line of the block, from 1, where it is in how the block is written.
pub(crate) fn message(transcript: &Text, answer: &Answer, fault: &Fault) -> String {
    let block = &answer.placed;
    let dialect = block.block.dialect.name();
    let is_form = fault.code.split_once('/').is_some_and(|(of, _)| of == dialect);
    let at = fault.at.filter(|_| is_form).unwrap_or(0);
    let start = block.span.start;
    match transcript.line_of(start + at).saturating_sub(transcript.line_of(start)) {
        0 => fault.message.clone(),
        line => format!("line {} of the block: {}", line + 1, fault.message),
    }
}

/// The lines of a file that are most like what a block searches for: the 1-based number of the
/// first, and all of them.
pub(crate) fn nearest_lines(details: &Map<String, Value>) -> Vec<(usize, Vec<&str>)> {
    let found = details.get("nearest").and_then(Value::as_array).into_iter().flatten();
    let lines = found.filter_map(|near| {
        let first = usize::try_from(near["line"].as_u64()?).ok()?;
        Some((first, near["text"].as_str()?.split('\n').collect()))
    });
    lines.collect()
}

/// The same as text: a line that says where they are, and each line after its number. It begins
/// with a newline where there are any.
pub(crate) fn nearest_text(details: &Map<String, Value>) -> String {
    let mut text = String::new();
    for (first, lines) in nearest_lines(details) {
        text += &format!("\nthe file has at line {first}:");
        let numbered: Vec<(usize, String)> =
            (first..).zip(lines.into_iter().map(str::to_owned)).collect();
        text += &format!("\n{}", numbered_lines(&numbered));
    }
    text
}

/// What was read or found, as text; `None` where nothing was.
pub fn details(outcome: &Outcome) -> Option<String> {
    let texts: Vec<String> = outcome.facts().iter().filter_map(fact_details).collect();
    Some(texts.join("\n\n")).filter(|text| !text.is_empty())
}

fn fact_details(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Specification => crate::spec::OPERATOR.to_owned(),
        Fact::Read { text, .. } => text.clone(),
        Fact::Listed { entries, .. } => {
            // A line break in a name would make two entries of it.
            let lines = entries.iter().map(|entry| {
                excerpt(&entry.name, usize::MAX) + if entry.is_directory { "/" } else { "" }
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        Fact::StatDirectory { entries, .. } => {
            json!({ "kind": "directory", "entries": entries }).to_string()
        }
        Fact::StatFile { size, lines, fingerprint, .. } => {
            let fingerprint = fingerprint.map(|fingerprint| fingerprint.to_string());
            let kind = "file";
            json!({ "size": size, "lines": lines, "fingerprint": fingerprint, "kind": kind })
                .to_string()
        }
        Fact::WroteInPart(_) | Fact::MadeInPart { .. } | Fact::MadeInSomeFiles { .. } => {
            part_of(fact)?.1
        }
        Fact::MadeAsEdited => EDITED.to_owned(),
        Fact::FoundInFile { found, .. } => numbered_lines(&found.lines),
        Fact::FoundInTree(found) => {
            let lines = found.files.iter().flat_map(|(file, lines)| {
                let path = excerpt(&file.to_string(), usize::MAX);
                lines.iter().map(move |(number, text)| format!("{path}:{number}: {text}"))
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        Fact::Structure(fact) => return structure::details(fact),
        _ => return None,
    })
}

/// What is said of a block that the user edited. What it was edited to is not in the reply, since
/// that would be a block again.
const EDITED: &str = "the user edited the block before it was applied: read the file before you \
                      change it again";

/// What the user made of a change, where it was not applied as it is in the block, in a sentence's
/// words.
pub(crate) fn as_made(outcome: &Outcome) -> Option<String> {
    let how = if is_edited(outcome) { "as edited" } else { "in part" };
    in_part(outcome).map(|part| format!("{how}: {part}"))
}

fn is_edited(outcome: &Outcome) -> bool {
    outcome.facts() == [Fact::MadeAsEdited]
}

/// Which hunks were made and which the user left out, where that was done, with the file of each
/// where there are several; or that the user edited the block.
pub(crate) fn in_part(outcome: &Outcome) -> Option<String> {
    if is_edited(outcome) {
        return Some(EDITED.to_owned());
    }
    match &outcome.facts().iter().filter_map(part_of).collect::<Vec<_>>()[..] {
        [] => None,
        [(_, only)] => Some(only.clone()),
        several => {
            let each = several.iter().map(|(path, part)| format!("in {path} {part}"));
            Some(each.collect::<Vec<_>>().join("; "))
        }
    }
}

/// The file of a fact that an edit was made in part, and which part.
fn part_of(fact: &Fact) -> Option<(String, String)> {
    match fact {
        Fact::WroteInPart(part) => Some((part.path.to_string(), of_part(part))),
        Fact::MadeInPart { made, of } => {
            let says = format!(
                "made {made} of {}; the user left out the others: read it before you change it again",
                count(*of, "hunk")
            );
            Some((String::new(), says))
        }
        Fact::MadeInSomeFiles { made, of } => {
            let says = format!(
                "made in {made} of {}; the others do not have its changes: read them before you \
                 change them again",
                count(*of, "file")
            );
            Some((String::new(), says))
        }
        _ => None,
    }
}

/// Which hunks of an edit were made, and which the user left out.
fn of_part(part: &PartOfFile) -> String {
    let places = |hunks: &[Hunk]| hunks.iter().map(place).collect::<Vec<_>>().join(", ");
    let made = if part.applied.is_empty() { "nothing".to_owned() } else { places(&part.applied) };
    let left = match &part.rejected[..] {
        [] => String::new(),
        rejected => format!("; the user left out {}", places(rejected)),
    };
    format!("made {made}{left} (lines of the file before)")
}

/// Where a hunk is, in the text before.
fn place(hunk: &Hunk) -> String {
    match (hunk.first, hunk.removed, hunk.added) {
        (first, 0, added) => format!("{} before line {first}", count(added, "new line")),
        (first, 1, _) => format!("the change of line {first}"),
        (first, removed, _) => format!("the change of lines {first}-{}", first + removed - 1),
    }
}

/// `<n>: <text>` for each line, the number right-aligned to the widest.
fn numbered_lines(lines: &[(usize, String)]) -> String {
    let widest = lines.iter().map(|(number, _)| number.to_string().len()).max().unwrap_or(0);
    let lines = lines.iter().map(|(number, text)| format!("{number:>widest$}: {text}"));
    lines.collect::<Vec<_>>().join("\n")
}
