//! The nearest of some names to a mistyped one.

/// The candidate that fewest edits make of `name`, if that is near enough to be meant.
///
/// Case, `_`, `-` and `.` count for nothing; the first of equals wins.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| -> Vec<char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
    };
    let wanted = plain(name);
    let enough = (wanted.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&wanted, &plain(candidate)), candidate))
        .filter(|(distance, _)| *distance <= enough)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The Levenshtein distance with neighbours swapped counted as one edit.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let above = &rows[i];
            let mut least = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_is_found_and_far_is_not() {
        let names = ["fs.read", "fs.readSlice", "fs.write", "fs.applyEdits"];
        assert_eq!(nearest("fs.raed", names), Some("fs.read"));
        assert_eq!(nearest("fs.read_slice", names), Some("fs.readSlice"));
        assert_eq!(nearest("fs.aplyedits", names), Some("fs.applyEdits"));
        assert_eq!(nearest("shell.exec", names), None);
    }
}
