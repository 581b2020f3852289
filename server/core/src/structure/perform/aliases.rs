//! Names that a value is given in one place, for which it stands in others: an alias of YAML.

use foldhash::{HashMap, HashMapExt, HashSet};

use crate::outline::Parsed;
use crate::text::Span;

/// Where a name is that an edit has left without its value; `old` is what is replaced.
pub(super) fn lost(before: &Parsed, after: &Parsed, old: &Span) -> Option<usize> {
    let marks = after.language().aliases?.marks;
    if !before.text()[old.clone()].contains(marks) {
        return None;
    }
    let was: HashSet<&str> = unknown(before).into_iter().map(|(name, _)| name).collect();
    unknown(after).into_iter().find(|(name, _)| !was.contains(name)).map(|(_, at)| at)
}

/// A name that stands for a value.
#[derive(Debug, Clone, Copy)]
struct Alias<'a> {
    name: &'a str,
    at: usize,
    value: Value,
}

/// The value that a name stands for: the scope, and how many values of that have the name up to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Value {
    scope: usize,
    count: usize,
    /// Where the value is named; `None` where no value before has the name.
    at: Option<usize>,
}

/// Where a name in `new` of a text after a move is that stood for another value in `old` of the
/// text that it comes from; in another file every value is another one.
pub(super) fn rebound(before: (&Parsed, &Span), after: (&Parsed, &Span)) -> Option<usize> {
    let outside = |(parsed, span): (&Parsed, &Span)| -> Vec<(usize, Value)> {
        let inside = all(parsed).into_iter().filter(|it| span.contains(&it.at));
        let is_own = |value: &Value| value.at.is_some_and(|at| span.contains(&at));
        inside.filter(|it| !is_own(&it.value)).map(|it| (it.at, it.value)).collect()
    };
    let (was, is) = (outside(before), outside(after));
    let differs = |(was, is): (&(usize, Value), &(usize, Value))| {
        let [was, is] = [was.1, is.1].map(|value| (value.scope, value.count));
        was != is
    };
    let pair = was.iter().zip(&is).find(|(was, is)| differs((was, is)));
    pair.map(|(_, is)| is.0).or_else(|| (was.len() != is.len()).then_some(after.1.start))
}

/// Where a name in a span stands for a value outside of it.
pub(super) fn outside(parsed: &Parsed, span: &Span) -> Option<usize> {
    let is_own = |it: &Alias<'_>| it.value.at.is_some_and(|at| span.contains(&at));
    all(parsed).into_iter().find(|it| span.contains(&it.at) && !is_own(it)).map(|it| it.at)
}

/// The names that no value before them has, each with its place.
fn unknown(parsed: &Parsed) -> Vec<(&str, usize)> {
    let all = all(parsed).into_iter().filter(|it| it.value.at.is_none());
    all.map(|it| (it.name, it.at)).collect()
}

/// The names that stand for values, in the order of the text.
fn all(parsed: &Parsed) -> Vec<Alias<'_>> {
    let Some(aliases) = parsed.language().aliases else { return Vec::new() };
    let mut known: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut all = Vec::new();
    let mut scope = 0;
    let mut cursor = parsed.tree.root().walk();
    loop {
        let node = cursor.node();
        let name = || parsed.text()[node.byte_range()].trim_start_matches(aliases.marks);
        if node.kind() == aliases.scope {
            known.clear();
            scope += 1;
        } else if node.kind() == aliases.anchor {
            let count = known.get(name()).map_or(0, |(count, _)| *count);
            known.insert(name(), (count + 1, node.start_byte()));
        } else if node.kind() == aliases.alias {
            let last = known.get(name()).copied();
            let count = last.map_or(0, |(count, _)| count);
            let value = Value { scope, count, at: last.map(|(_, at)| at) };
            all.push(Alias { name: name(), at: node.start_byte(), value });
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return all;
            }
        }
    }
}
