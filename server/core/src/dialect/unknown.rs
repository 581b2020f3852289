//! The problem of an action that a dialect does not know.

use crate::problem::{Code, Problem, Replacement};
use crate::spec::{self, Action};
use crate::text::Span;
use crate::text::nearest::nearest;

/// The problem of a name that no action of the dialect has: the name that it is a slip for, with
/// the fix that `change` makes, or the names that begin alike.
pub fn action(
    dialect: &str,
    code: Code,
    name: &str,
    place: Span,
    change: impl Fn(&'static str) -> Replacement,
) -> Problem {
    let names = || spec::actions(dialect).flat_map(Action::names);
    if let Some(near) = nearest(name, names()) {
        let says = format!("unknown action `{name}`; did you mean `{near}`?");
        let problem = Problem::new(code, place, says).detail("nearest", near);
        return problem.choice(format!("Use `{near}`"), vec![change(near)]);
    }
    let kind = name.find(['.', '_']).map(|end| &name[..=end]);
    let alike = kind.into_iter().flat_map(|kind| names().filter(move |it| it.starts_with(kind)));
    let alike: Vec<String> = alike.map(|name| format!("`{name}`")).collect();
    let hint = match &alike[..] {
        [] => "the specification lists the actions".to_owned(),
        alike => format!("those that begin like it are {}", alike.join(", ")),
    };
    Problem::new(code, place, format!("unknown action `{name}`; {hint}"))
}
