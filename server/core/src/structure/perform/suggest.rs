//! Suggestions for a target that fits nothing.

use crate::outline::Parsed;
use crate::structure::Index;
use crate::text::nearest::distance;

/// So many suggestions are made at most.
const SUGGESTED: usize = 5;
/// So many characters of a header are compared.
const COMPARED: usize = 60;
/// How near a header is that begins with the line and goes on longer than that: as near as one of
/// which half differs.
const GOES_ON: usize = 500;
/// How much nearer a name is than one of which only the last part is as near.
const PART: usize = 1;

/// The targets of the structures whose name or header is nearest to a line, best first; those
/// inside one of `parents` before others that are as near.
pub(super) fn nearest(
    index: &Index<'_>,
    parsed: &Parsed,
    line: &str,
    parents: &[usize],
) -> Vec<String> {
    let wanted = compared(line);
    let wanted_part = last_part(line).map(compared);
    let structures = &parsed.outline.structures;
    let mut near: Vec<(usize, bool, usize)> = Vec::new();
    for (place, structure) in structures.iter().enumerate() {
        let header = compared(&structure.header_text(parsed.text()));
        let name = structure.name.map(|name| name.of(parsed.text())).unwrap_or_default();
        // What declares several things is near to each of them: `x, *y`.
        let names = name.split(',').map(|one| compared(one.trim_start_matches([' ', '*', '&'])));
        let forms = [header, compared(name)].into_iter().chain(names);
        let best = forms.filter_map(|form| closeness(&wanted, &form)).min();
        // A name may be written with what it belongs to in one of the two places only.
        let part = last_part(name).map(compared);
        let parts = wanted_part.as_ref().zip(part.as_ref());
        let of_parts = parts.and_then(|(wanted, part)| closeness(wanted, part));
        let best = [best, of_parts.map(|of_parts| of_parts + PART)].into_iter().flatten().min();
        let Some(best) = best.or_else(|| index.goes_on(place, line).then_some(GOES_ON)) else {
            continue;
        };
        let is_outside = !parents.iter().any(|parent| parsed.outline.is_inside(place, *parent));
        near.push((best, is_outside, place));
    }
    near.sort_unstable();
    near.iter().take(SUGGESTED).map(|(.., place)| index.target(*place)).collect()
}

/// The last part of a name that is written with what it belongs to, `Foo::run` or `Server.Run`, and
/// all of another one; `None` for what is not a name.
fn last_part(text: &str) -> Option<&str> {
    let name = text.trim().trim_end_matches("()");
    let is_name =
        |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '~' | ':' | '.');
    let last = name.rsplit([':', '.']).next().filter(|last| !last.is_empty());
    last.filter(|_| name.chars().all(is_name))
}

/// What is compared: the beginning, in lower case, white space collapsed.
fn compared(text: &str) -> Vec<char> {
    let words = text.split_whitespace().flat_map(|word| word.chars().chain([' ']));
    let mut chars: Vec<char> = words.flat_map(char::to_lowercase).take(COMPARED).collect();
    while chars.last().is_some_and(|last| [' ', ':', '{'].contains(last)) {
        chars.pop();
    }
    chars
}

/// How far apart two texts are in parts of a thousand; `None` where more differs than agrees.
fn closeness(wanted: &[char], other: &[char]) -> Option<usize> {
    let longer = wanted.len().max(other.len());
    if longer == 0 || wanted.len().abs_diff(other.len()) * 2 > longer {
        return None;
    }
    let distance = distance(wanted, other);
    (distance * 2 <= longer).then(|| distance * 1000 / longer)
}
