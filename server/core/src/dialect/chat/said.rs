//! What a reply in a transcript says of each block.

use crate::dialect::{Claim, Parsed, Role, Said, Source};
use crate::fingerprint::Fingerprint;
use crate::text::lines;

/// How a reply begins: `operator-lsp applied 2 of 3 blocks.`
pub const FIRST: &str = "operator-lsp applied ";
/// What is said of a block that was applied.
pub const APPLIED: &str = "applied";
/// What is said of a block that the user said no to.
pub const REJECTED: &str = "rejected by the user";
/// How it begins where one problem prevents a block; its code comes next.
pub const PROBLEM: &str = "not applied (";
/// How it begins where several do; their number comes next.
pub const PROBLEMS: &str = "not applied, with ";
/// How an item begins that is about an edit that is not a block: only blocks have numbers.
pub const BULLET: &str = "* ";
/// What is said of an edit that is not a block, after its text.
pub const NOT_A_BLOCK: &str = "(not a block)";

/// Whether a reply begins with a line.
pub fn is_first(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(FIRST) else { return false };
    let mut words = rest.trim_end().split(' ');
    let is_number = |word: Option<&str>| word.is_some_and(|word| word.parse::<usize>().is_ok());
    is_number(words.next())
        && words.next() == Some("of")
        && is_number(words.next())
        && matches!(words.next(), Some("block." | "blocks."))
        && words.next().is_none()
}

/// Whether a line that is not blank belongs to the reply that comes before it: an item, or what is
/// indented below one.
pub fn belongs(line: &str) -> bool {
    let is_item = |item: &str| name(item).is_some() || item.contains(NOT_A_BLOCK);
    line.starts_with("   ") && !line.trim().is_empty()
        || item(line).is_some_and(is_item)
        || line.strip_prefix(BULLET).is_some_and(|item| item.contains(NOT_A_BLOCK))
}

/// What an item of a reply has after its number: ``1. `src/a.py` (3fa9c2d1): applied``.
fn item(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
    rest.strip_prefix(". ").filter(|_| rest.len() < line.len())
}

/// What an item names its block by, and what it says of it.
fn name(item: &str) -> Option<(&str, &str)> {
    let is_name = |name: &str| name.len() == 8 && name.bytes().all(|it| it.is_ascii_hexdigit());
    item.match_indices("): ").find_map(|(at, ending)| {
        let (_, name) = item[..at].rsplit_once('(')?;
        is_name(name).then(|| (name, &item[at + ending.len()..]))
    })
}

/// What a reply says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let text = source.text;
    let items = lines::each(text).filter_map(|span| name(item(&text[span])?));
    let says = items.map(|(name, said)| {
        let refused = said.starts_with(REJECTED);
        let ok =
            said.strip_prefix(APPLIED).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
        let again = [PROBLEM, PROBLEMS].iter().any(|begins| said.starts_with(begins));
        let claim = Claim { ok, refused, again, stated: Fingerprint::all_in(said) };
        Said { of: name.to_owned(), claim, told: None }
    });
    Parsed { says: says.collect(), ..Parsed::new(Role::Reply, "\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_begins_with_its_counts() {
        assert!(is_first("operator-lsp applied 2 of 3 blocks."));
        assert!(is_first("operator-lsp applied 0 of 1 block. "));
        for line in [
            "operator-lsp applied 2 of 3 blocks, and more.",
            "operator-lsp applied it.",
            " operator-lsp applied 2 of 3 blocks.",
        ] {
            assert!(!is_first(line), "{line}");
        }
    }

    #[test]
    fn an_item_names_its_block() {
        let said = |line| name(item(line)?);
        assert_eq!(said("1. `a (b).py` (3fa9c2d1): applied."), Some(("3fa9c2d1", "applied.")));
        assert_eq!(said("12. `a` (00000000): rejected"), Some(("00000000", "rejected")));
        assert_eq!(said("1. `a` (xyz): applied."), None);
        assert_eq!(said("- `a` (00000000): applied."), None);
    }
}
