//! Where the lines of a text are that end with a word behind a `_`.

use foldhash::{HashMap, HashMapExt};

/// The longest word that is looked for, in bytes.
const LONGEST: usize = 8;

/// The starts of lines by how they end: with `_` and a word of up to eight letters and digits, and
/// perhaps a `'` behind it.
pub(super) struct Endings(HashMap<Box<str>, Vec<usize>>);

impl Endings {
    /// Looks through all lines.
    pub fn new(text: &str) -> Endings {
        let mut endings: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        let bytes = text.as_bytes();
        let mut start = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', bytes).chain([bytes.len()]) {
            if let Some(ending) = ending(&text[start..end]) {
                match endings.get_mut(ending) {
                    Some(starts) => starts.push(start),
                    None => drop(endings.insert(ending.into(), vec![start])),
                }
            }
            start = end + 1;
        }
        Endings(endings)
    }

    /// The start of the first line from `from` on that ends so.
    pub fn next(&self, from: usize, ending: &str) -> Option<usize> {
        let starts = self.0.get(ending)?;
        starts.get(starts.partition_point(|start| *start < from)).copied()
    }
}

fn ending(line: &str) -> Option<&str> {
    let line = line.strip_suffix('\'').unwrap_or(line);
    let word = line.bytes().rev().take(LONGEST + 1).take_while(u8::is_ascii_alphanumeric).count();
    let start = line.len() - word;
    ((1..=LONGEST).contains(&word) && line[..start].ends_with('_')).then(|| &line[start - 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_their_endings() {
        let endings = Endings::new("a EOT_abc\nEOT_abc'\r\nabc\n_abcdefghi\né_abc");
        assert_eq!(endings.next(0, "_abc"), Some(0));
        assert_eq!(endings.next(1, "_abc"), Some(10));
        assert_eq!(endings.next(11, "_abc"), Some(35));
        assert_eq!(endings.next(36, "_abc"), None);
        assert_eq!(endings.next(0, "_abcdefghi"), None);
    }
}
