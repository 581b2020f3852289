//! The rules for a command's fields, from its end marker to its values.

use foldhash::HashSet;

use super::line::COMMON;
use super::parse::{BLANKS, Draft, Field};
use super::value::{self, Values};
use super::{build, marker};
use crate::command::Command;
use crate::dialect::{BlockEnd, unknown};
use crate::fingerprint::Fingerprint;
use crate::problem::{self, Problem, Replacement};
use crate::snapshot::PathStyle;
use crate::spec::{self, Action};
use crate::text::nearest::nearest;

/// What the rules come to.
pub struct Checked {
    pub action: Option<&'static Action>,
    pub command: Option<Command>,
}

/// Holds a block to every rule; what breaks one is added to the draft's problems.
pub fn check(draft: &mut Draft<'_>) -> Checked {
    let mut problems = Vec::new();
    problems.extend(ending(draft));
    problems.extend(version(draft));
    problems.extend(id(draft));
    let action = action(draft, &mut problems);
    problems.extend(path_rule(draft));
    let again = repeated(draft);
    problems.extend(again.iter().map(|(first, field)| duplicate(draft, first, field)));
    let again: HashSet<usize> = again.iter().map(|(_, field)| field.line.start).collect();
    let mut values = Values::default();
    let unused = action.map_or_else(Vec::new, |action| unused_fields(draft, action));
    for field in draft.fields.iter().filter(|field| !again.contains(&field.line.start)) {
        if COMMON.contains(&field.name) {
            continue;
        }
        match (action.and_then(|action| action.field(field.name)), action) {
            (Some(known), _) => value::read(known, field, &mut values, &mut problems),
            _ if is_workspace(field.name) => problems.push(workspace(draft, field)),
            (None, Some(action)) if field.name != "path" => {
                problems.push(unknown_field(draft, action, &unused, field));
            }
            _ => {}
        }
    }
    problems.extend(value::other_file(draft, &values));
    if let Some(action) = action {
        missing_fields(draft, action, &mut problems);
    }
    draft.problems.append(&mut problems);
    let command = action.and_then(|action| {
        let base = values.fingerprint();
        let step = build::step(action, values)?;
        Some(Command::one(action, step, base, PathStyle::Relative))
    });
    Checked { action, command }
}

fn ending(draft: &Draft<'_>) -> Option<Problem> {
    let (code, message) = match draft.end {
        BlockEnd::Closed | BlockEnd::Followed | BlockEnd::TooLarge => return None,
        BlockEnd::Unterminated => (
            problem::OPERATOR_MISSING_END,
            format!("this block has no end: {} is missing", marker::END),
        ),
        BlockEnd::Nested => (
            problem::OPERATOR_NESTED_BLOCK,
            format!("another block starts before this one's {}", marker::END),
        ),
    };
    let end = draft.text.len();
    let insert = Replacement::insert(end, format!("{}{}", draft.eol, marker::END));
    let title = format!("Insert {}", marker::END);
    Some(Problem::new(code, draft.start(), message).fix(title, vec![insert]))
}

fn version(draft: &Draft<'_>) -> Option<Problem> {
    let insert = || draft.insert_after(&draft.first, "version: 1");
    match draft.field("version") {
        None => Some(
            missing(draft, "version", "every command has `version: 1`")
                .fix("Insert `version: 1`", vec![insert()]),
        ),
        Some(field) if field.bare() == "1" => None,
        Some(field) => {
            let span = shown(field);
            let message = match field.bare() {
                "" => "the version is missing: it is 1".to_owned(),
                other => format!("version {other} is not known: commands have `version: 1`"),
            };
            let set = Replacement::new(field.line.clone(), "version: 1");
            let problem = Problem::new(problem::OPERATOR_UNSUPPORTED_VERSION, span, message);
            Some(problem.fix("Set the version to 1", vec![set]))
        }
    }
}

fn id(draft: &Draft<'_>) -> Option<Problem> {
    let says = "every command has an id, which its reply repeats";
    // An id that no other block has, and the same one each time this text is looked at.
    let fresh = || {
        let digest = Fingerprint::of(draft.text.as_bytes()).to_string();
        format!("id: cmd-{}", &digest["sha256:".len().."sha256:".len() + 6])
    };
    match draft.field("id") {
        None => {
            let after = draft.field("version").map_or(&draft.first, |field| &field.line);
            let insert = draft.insert_after(after, &fresh());
            Some(missing(draft, "id", says).fix(format!("Insert `{}`", fresh()), vec![insert]))
        }
        Some(field) if field.bare().is_empty() => {
            let set = Replacement::new(field.line.clone(), fresh());
            let problem = empty(field, says);
            Some(problem.fix(format!("Make it `{}`", fresh()), vec![set]))
        }
        Some(_) => None,
    }
}

fn action(draft: &Draft<'_>, problems: &mut Vec<Problem>) -> Option<&'static Action> {
    let Some(field) = draft.field("action") else {
        problems.push(missing(draft, "action", "every command names its action"));
        return None;
    };
    let name = field.bare();
    if name.is_empty() {
        problems.push(empty(field, "every command names its action"));
        return None;
    }
    let known = spec::action("operator", name);
    if known.is_none() {
        let code = problem::OPERATOR_UNKNOWN_ACTION;
        let change = |name| Replacement::new(shown(field), name);
        problems.push(unknown::action("operator", code, name, shown(field), change));
    }
    known
}

/// Actions that begin with `fs.` have a path and no others do, known or not.
fn path_rule(draft: &Draft<'_>) -> Option<Problem> {
    let action = draft.field("action")?;
    let name = action.bare();
    let is_meant = name.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("fs."));
    match (is_meant, draft.field("path")) {
        (true, Some(path)) if !path.bare().is_empty() => None,
        (true, path) => Some(missing_path(draft, action, path)),
        (false, Some(path)) if !name.is_empty() => {
            let says = format!("`{name}` has no path: only actions that begin with `fs.` do");
            let remove = draft.remove_line(&path.line);
            let problem =
                Problem::new(problem::OPERATOR_FORBIDDEN_PATH, path.key_span.clone(), says);
            Some(problem.fix("Remove the path", vec![remove]))
        }
        _ => None,
    }
}

fn missing_path(draft: &Draft<'_>, action: &Field<'_>, path: Option<&Field<'_>>) -> Problem {
    let name = action.bare();
    let span = path.map_or_else(|| draft.start(), |path| path.key_span.clone());
    let says = format!("`{name}` needs a path, relative to the workspace");
    let problem = Problem::new(problem::OPERATOR_MISSING_PATH, span, says);
    let insert = |value: &str| match path {
        Some(path) => Replacement::new(path.line.clone(), format!("path: {value}")),
        None => draft.insert_after(&action.line, &format!("path: {value}")),
    };
    if let Some(named) =
        draft.field("patch_b64").and_then(|field| value::path_in_patch(field.value))
    {
        return problem
            .fix(format!("Insert `path: {named}`, as the patch says"), vec![insert(&named)]);
    }
    let whole = matches!(name, "fs.list" | "fs.searchTree");
    if whole {
        return problem.choice("Insert `path: .`, the workspace itself", vec![insert(".")]);
    }
    if path.is_some() {
        return problem;
    }
    problem.choice("Insert a `path` line to fill in", vec![insert("")])
}

/// The fields that are there again, each with the first of its name.
fn repeated<'d, 'a>(draft: &'d Draft<'a>) -> Vec<(&'d Field<'a>, &'d Field<'a>)> {
    let mut by_name: Vec<&Field<'_>> = draft.fields.iter().collect();
    by_name.sort_by_key(|field| field.name);
    let same = by_name.chunk_by(|one, other| one.name == other.name);
    same.flat_map(|same| same[1..].iter().map(|field| (same[0], *field))).collect()
}

fn duplicate(draft: &Draft<'_>, first: &Field<'_>, field: &Field<'_>) -> Problem {
    let says = format!("`{}` is in this block twice", field.name);
    let code = problem::OPERATOR_DUPLICATE_KEY;
    Problem::new(code, field.key_span.clone(), says)
        .choice("Remove this line", vec![draft.remove_line(&field.line)])
        .choice("Remove the earlier line", vec![draft.remove_line(&first.line)])
        .related("the first one", problem::Place::Transcript(first.key_span.clone()))
}

/// Names by which a block might try to choose the workspace, which is the user's to choose.
fn is_workspace(key: &str) -> bool {
    let plain: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase();
    plain.starts_with("workspace")
        || matches!(
            plain.as_str(),
            "root"
                | "rootpath"
                | "rootdir"
                | "projectroot"
                | "cwd"
                | "workdir"
                | "workingdir"
                | "workingdirectory"
        )
}

fn workspace(draft: &Draft<'_>, field: &Field<'_>) -> Problem {
    let says =
        format!("`{}`: the workspace is the user's to choose, no command names it", field.name);
    let remove = draft.remove_line(&field.line);
    Problem::new(problem::OPERATOR_WORKSPACE_FIELD, field.key_span.clone(), says)
        .fix("Remove the line", vec![remove])
}

/// The fields of an action that a block does not have.
fn unused_fields(draft: &Draft<'_>, action: &'static Action) -> Vec<&'static str> {
    let names = action.fields.iter().map(|known| known.name.as_str());
    names.filter(|name| draft.field(name).is_none()).collect()
}

fn unknown_field(
    draft: &Draft<'_>,
    action: &Action,
    unused: &[&'static str],
    field: &Field<'_>,
) -> Problem {
    let near = nearest(field.name, unused.iter().copied());
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let says = format!("unknown field `{}` for `{}` (ignored){hint}", field.name, action.name);
    let problem = Problem::new(problem::OPERATOR_UNKNOWN_FIELD, field.key_span.clone(), says);
    let rename = near.map(|near| (near, Replacement::new(field.key_span.clone(), near)));
    let problem = rename.into_iter().fold(problem, |problem, (near, edit)| {
        problem.choice(format!("Rename it to `{near}`"), vec![edit])
    });
    problem.choice("Remove the line", vec![draft.remove_line(&field.line)])
}

fn missing_fields(draft: &Draft<'_>, action: &Action, problems: &mut Vec<Problem>) {
    let is_there = |name: &str| draft.field(name).is_some();
    for field in action.fields.iter().filter(|field| field.name != "path" && field.required) {
        if !is_there(&field.name) {
            let says = format!("`{}` needs `{}`: {}", action.name, field.name, field.help);
            problems.push(missing(draft, &field.name, says));
        }
    }
    let mut groups: Vec<u8> = action.fields.iter().filter_map(|field| field.one_of).collect();
    groups.dedup();
    for group in groups {
        let all = || action.fields.iter().filter(|field| field.one_of == Some(group));
        let mut given = draft.fields.iter().filter(|f| all().any(|a| a.name == f.name));
        let Some(first) = given.next() else {
            let names: Vec<_> = all().map(|field| format!("`{}`", field.name)).collect();
            let says = format!("`{}` needs one of {}", action.name, names.join(", "));
            problems.extend(all().next().map(|field| missing(draft, &field.name, says)));
            continue;
        };
        if let Some(other) = given.find(|field| field.name != first.name) {
            problems.push(conflict(draft, first, other));
        }
    }
}

fn conflict(draft: &Draft<'_>, first: &Field<'_>, other: &Field<'_>) -> Problem {
    let says = format!("use either `{}` or `{}`, not both", first.name, other.name);
    let remove = |field: &Field<'_>| vec![draft.remove_line(&field.line)];
    Problem::new(problem::OPERATOR_PAYLOAD_CONFLICT, other.key_span.clone(), says)
        .choice(format!("Remove `{}`", other.name), remove(other))
        .choice(format!("Remove `{}`", first.name), remove(first))
        .related("the other one", problem::Place::Transcript(first.key_span.clone()))
}

fn missing(draft: &Draft<'_>, field: &str, says: impl Into<String>) -> Problem {
    Problem::new(problem::OPERATOR_MISSING_FIELD, draft.start(), says).detail("field", field)
}

/// The problem of a required field with nothing in it.
pub fn empty(field: &Field<'_>, says: impl std::fmt::Display) -> Problem {
    let says = format!("`{}` is empty: {says}", field.name);
    Problem::new(problem::OPERATOR_MISSING_FIELD, field.key_span.clone(), says)
        .detail("field", field.name)
}

/// The characters of a value without the blanks around it; of the key where there are none.
pub fn shown(field: &Field<'_>) -> crate::text::Span {
    let value = field.bare();
    if value.is_empty() {
        return field.key_span.clone();
    }
    let start =
        field.value_span.start + (field.value.len() - field.value.trim_start_matches(BLANKS).len());
    start..start + value.len()
}
