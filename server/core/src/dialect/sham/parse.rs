//! From a block's text to its fields, its problems and its command.

use super::build;
use super::draft::{Draft, Field};
use super::values::{self, Values};
use super::{RULES, result};
use crate::command::{Command, StatedBase, Step};
use crate::dialect::{Parsed, ParsedField, Role, Source, unknown};
use crate::problem::{self, Problem, Replacement};
use crate::snapshot::PathStyle;
use crate::spec::{self, Action, Effect, FieldRole};
use crate::text::nearest::nearest;

/// The key of the action's name.
const ACTION: &str = "action";
/// The key of what the file was when the block was written.
const BASE: &str = "base_fingerprint";

/// What a block's text says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let mut draft = Draft::new(source);
    // What a damaged block asks for is not known, so that nothing is said about it.
    let is_readable = !draft.problems.iter().any(Problem::is_error);
    let (action, about_action) = action(&draft);
    let mut command = None;
    if is_readable {
        draft.problems.extend(about_action);
        command = action.and_then(|action| self::command(&mut draft, action));
    }
    let mut problems = std::mem::take(&mut draft.problems);
    problems.sort_by_key(|problem| (problem.span.start, problem.severity));
    let sound = !problems.iter().any(Problem::is_error);
    let text_of = |name: &str| draft.field(name).and_then(|field| field.text.clone());
    let fields: Vec<_> = draft.fields.iter().map(|field| parsed_field(field, action)).collect();
    let of =
        |(field, known): (&Field<'_>, &ParsedField)| match (known.role?, field.text.as_deref()?) {
            (FieldRole::Path | FieldRole::SourcePath, path) => Some(path.to_owned()),
            (FieldRole::Paths, paths) => paths.lines().next().map(str::to_owned),
            _ => None,
        };
    let path = draft.fields.iter().zip(&fields).find_map(of);
    let written = text_of(ACTION).filter(|name| !name.is_empty());
    let id = draft.id.unwrap_or_default();
    let call = written.as_deref().map(|name| result::call(id, name, values::params(&draft)));
    Parsed {
        id: draft.id.map(str::to_owned),
        action: written,
        path,
        effect: action.map(|action| action.effect),
        fields,
        problems,
        command: command.filter(|_| sound),
        call,
        ..Parsed::new(Role::Command, draft.eol)
    }
}

fn parsed_field(field: &Field<'_>, action: Option<&'static Action>) -> ParsedField {
    let (name, role) = RULES.field(action, field.name);
    let (key, value) = (field.key.clone(), field.value.clone());
    ParsedField { name, role, op: None, key, value, heredoc: field.heredoc }
}

/// The action that a block names, and what is wrong with that.
fn action(draft: &Draft<'_>) -> (Option<&'static Action>, Option<Problem>) {
    let Some(field) = draft.field(ACTION) else {
        let says = "every block names its action";
        let problem = Problem::new(problem::SHAM_MISSING_ACTION, draft.header.clone(), says);
        return (None, Some(problem));
    };
    let Some(name) = field.text.as_deref() else { return (None, None) };
    let span = if field.value.is_empty() { field.whole.clone() } else { field.value.clone() };
    let Some(action) = spec::action("sham", name) else {
        let change = |name| Replacement::new(span.clone(), name);
        let code = problem::SHAM_UNKNOWN_ACTION;
        let problem = unknown::action("sham", code, name, span.clone(), change);
        return (None, Some(problem));
    };
    let says = || {
        format!("`{name}` is the user's to do, by `operator-lsp history` or the editor's commands")
    };
    let problem = action.user_only.then(|| Problem::new(problem::SHAM_USER_ONLY, span, says()));
    (Some(action), problem)
}

fn command(draft: &mut Draft<'_>, action: &'static Action) -> Option<Command> {
    let mut values = Values::default();
    let mut problems = Vec::new();
    for known in &action.fields {
        match draft.field(&known.name) {
            Some(field) => match values::read(draft, known, field) {
                Ok(value) => values.put(&known.name, value),
                Err(wrong) => problems.extend(wrong),
            },
            None if known.required => problems.push(missing(draft, action, known)),
            None => {}
        }
    }
    let unused: Vec<&str> = action.fields.iter().map(|known| known.name.as_str()).collect();
    for field in draft.fields.iter().filter(|field| field.name != ACTION) {
        if field.name == BASE && action.effect == Effect::Write && action.field(BASE).is_none() {
            let says =
                "a directory has no fingerprint, so whether it is still the same is not known";
            problems.push(no_base(draft, field, says));
        } else if action.field(field.name).is_none() {
            let free = unused.iter().copied().filter(|name| draft.field(name).is_none());
            problems.push(unknown(draft, action, field, nearest(field.name, free)));
        }
    }
    draft.problems.append(&mut problems);
    let written = draft.field(ACTION).and_then(|field| field.text.clone())?;
    let base = if action.effect == Effect::Write { values.fingerprint() } else { None };
    let (steps, is_list) = build::steps(&action.name, values)?;
    if base.is_some() && steps.len() > 1 {
        let says = "a fingerprint is that of one file, and this is about several";
        let problem = draft.field(BASE).map(|field| no_base(draft, field, says));
        draft.problems.extend(problem);
    }
    let path = steps.first().and_then(Step::path).map(str::to_owned);
    let base = path.zip(base).map(|(path, fingerprint)| StatedBase { path, fingerprint });
    let (name, bases) = (written, base.into_iter().collect());
    Some(Command { action, name, steps, is_list, bases, paths: PathStyle::Absolute })
}

fn missing(draft: &Draft<'_>, action: &Action, known: &spec::Field) -> Problem {
    let says = format!("`{}` needs `{}`: {}", action.name, known.name, known.help);
    if let Some((field, at)) = draft.opened_inside(&known.name) {
        let delimiter = draft.delimiter().unwrap_or_default();
        let says = format!(
            "{says}; a line that opens it is inside the heredoc of `{}`: `{delimiter}` may be \
             missing before that line",
            field.name
        );
        let problem = Problem::new(problem::SHAM_MISSING_PARAMETER, draft.header.clone(), says);
        let insert = Replacement::insert(at.start, format!("{delimiter}{}", draft.eol));
        return problem
            .detail("parameter", known.name.as_str())
            .related("the line that opens it", problem::Place::Transcript(at))
            .choice(format!("Insert {delimiter} before it"), vec![insert]);
    }
    let problem = Problem::new(problem::SHAM_MISSING_PARAMETER, draft.header.clone(), says);
    let problem = problem.detail("parameter", known.name.as_str());
    let Some(field) = draft.field(ACTION) else { return problem };
    let line = format!("{}{} = \"\"", draft.eol, known.name);
    let insert = Replacement::insert(field.whole.end, line);
    problem.choice(format!("Insert `{} = \"\"` to fill in", known.name), vec![insert])
}

/// The problem of a stated base that cannot be compared with anything.
fn no_base(draft: &Draft<'_>, field: &Field<'_>, says: &str) -> Problem {
    let problem = Problem::new(problem::SHAM_INVALID_VALUE, field.value.clone(), says);
    problem.choice(format!("Remove `{BASE}`"), vec![draft.remove(&field.whole)])
}

fn unknown(draft: &Draft<'_>, action: &Action, field: &Field<'_>, near: Option<&str>) -> Problem {
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let says = format!("unknown field `{}` for `{}` (ignored){hint}", field.name, action.name);
    let mut problem = Problem::new(problem::SHAM_UNKNOWN_KEY, field.key.clone(), says);
    if let Some(near) = near {
        let edit = Replacement::new(field.key.clone(), near);
        problem = problem.choice(format!("Rename it to `{near}`"), vec![edit]);
    }
    problem.choice("Remove it", vec![draft.remove(&field.whole)])
}
