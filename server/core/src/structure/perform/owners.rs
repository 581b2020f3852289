//! What belongs to the last structure of a name before it, though it is not inside of that: a table
//! of an element of an array of tables.

use foldhash::{HashMap, HashMapExt};

use crate::outline::Parsed;

/// For each structure the one that it belongs to.
pub(super) fn owners(parsed: &Parsed) -> Vec<Option<usize>> {
    let structures = &parsed.outline.structures;
    let Some((start, parts)) = parsed.language().repeated else {
        return vec![None; structures.len()];
    };
    let text = parsed.text();
    let mut last: HashMap<String, usize> = HashMap::new();
    let mut owners = Vec::with_capacity(structures.len());
    for (index, structure) in structures.iter().enumerate() {
        if structure.parent.is_some() {
            owners.push(None);
            continue;
        }
        let mut name = structure.header_text(text);
        name.retain(|char| !char.is_whitespace() && !start.contains(char) && char != ']');
        let around = name.match_indices(parts).map(|(at, _)| &name[..at]);
        owners.push(around.filter_map(|around| last.get(around).copied()).max());
        if text[structure.own_start..].starts_with(start) {
            last.insert(name, index);
        }
    }
    owners
}
