//! Names that a value is given in one place, for which it stands in others: an alias of YAML.

use foldhash::{HashSet, HashSetExt};

use crate::outline::Parsed;
use crate::text::Span;

/// Where a name stands that an edit has left without its value; `old` is what is replaced.
pub(super) fn lost(before: &Parsed, after: &Parsed, old: &Span) -> Option<usize> {
    let marks = after.language().aliases?.marks;
    if !before.text()[old.clone()].contains(marks) {
        return None;
    }
    let was: HashSet<&str> = unknown(before).into_iter().map(|(name, _)| name).collect();
    unknown(after).into_iter().find(|(name, _)| !was.contains(name)).map(|(_, at)| at)
}

/// The names that no value before them has, each with its place.
fn unknown(parsed: &Parsed) -> Vec<(&str, usize)> {
    let Some(aliases) = parsed.language().aliases else { return Vec::new() };
    let mut known = HashSet::new();
    let mut unknown = Vec::new();
    let mut cursor = parsed.tree.root().walk();
    loop {
        let node = cursor.node();
        let name = || parsed.text()[node.byte_range()].trim_start_matches(aliases.marks);
        if node.kind() == aliases.anchor {
            known.insert(name());
        } else if node.kind() == aliases.alias && !known.contains(name()) {
            unknown.push((name(), node.start_byte()));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return unknown;
            }
        }
    }
}
