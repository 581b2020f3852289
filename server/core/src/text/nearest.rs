//! The known word that a mistyped one is nearest to, for messages and fixes.

/// The candidate that takes the fewest single-character changes, case aside; `None` where even
/// that one is more than a third of the word away. Of words with as many parts no part may be
/// further away than that: `file_edit` is not a slip for `file_write`.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let allowed = (wanted.len() / 3).max(1);
    let measured = candidates.into_iter().filter_map(|candidate| {
        let chars: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        if chars.len().abs_diff(wanted.len()) > allowed {
            return None;
        }
        let distance = distance(&wanted, &chars);
        let is_near = distance <= allowed && parts_are_near(&wanted, &chars);
        is_near.then_some((distance, candidate))
    });
    measured.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// Whether each part of a word is near that of another one with as many parts.
fn parts_are_near(word: &[char], other: &[char]) -> bool {
    let parts = |word| -> Vec<&[char]> { <[char]>::split(word, |it| "_.".contains(*it)).collect() };
    let (word, other) = (parts(word), parts(other));
    let near = |(one, two): (&&[char], &&[char])| distance(one, two) <= (one.len() / 3).max(1);
    word.len() != other.len() || word.iter().zip(&other).all(near)
}

/// How many insertions, deletions, substitutions and swaps of neighbours lie between two words.
pub fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, right) in b.iter().enumerate() {
            let change = row[j] + usize::from(left != right);
            let mut best = change.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *right && b[j - 1] == *left {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_seen_and_another_word_is_not() {
        let names = ["insertAfter", "insertBefore", "replaceAll"];
        assert_eq!(nearest("insert_after", names), Some("insertAfter"));
        assert_eq!(nearest("INSERTBEFORE", names), Some("insertBefore"));
        assert_eq!(nearest("replaceAl", names), Some("replaceAll"));
        assert_eq!(nearest("delete", names), None);
        assert_eq!(nearest("fidn", ["find", "text"]), Some("find"));
        assert_eq!(nearest("file_edit", ["file_write", "file_read"]), None);
        assert_eq!(nearest("fs.raed", ["fs.read", "fs.write"]), Some("fs.read"));
    }
}
