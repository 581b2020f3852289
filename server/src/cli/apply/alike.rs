//! What differs in the lines of a diff that look the same.

use operator_core::place;

use crate::visible;

/// So many lines of a diff are named.
const NAMED: usize = 3;

/// What is said below a unified diff: of each line that looks like the one that it takes the place of, what
/// is another blank or an invisible character in it.
pub fn notes(diff: &str) -> Vec<String> {
    let mut pairs = Pairs::default();
    for line in diff.split('\n') {
        pairs.take(line);
    }
    pairs.settle();
    let more = pairs.found.len().saturating_sub(NAMED);
    let mut notes: Vec<String> = pairs.found.into_iter().take(NAMED).collect();
    if more > 0 {
        notes.push(format!("{more} more lines look as before and are not the same"));
    }
    notes
}

/// The lines of a diff, taken one after the other.
#[derive(Default)]
struct Pairs<'a> {
    /// The number of the next line in the new file; 0 before the first hunk.
    next: usize,
    removed: Vec<&'a str>,
    added: Vec<(usize, &'a str)>,
    found: Vec<String>,
}

impl<'a> Pairs<'a> {
    fn take(&mut self, line: &'a str) {
        if let Some(first) = first_of_hunk(line) {
            self.settle();
            self.next = first;
            return;
        }
        if self.next == 0 {
            return;
        }
        if let Some(removed) = line.strip_prefix('-') {
            self.removed.push(removed);
        } else if let Some(added) = line.strip_prefix('+') {
            self.added.push((self.next, added));
            self.next += 1;
        } else if line.starts_with(' ') {
            self.settle();
            self.next += 1;
        }
    }

    /// Compares the lines that were removed with those in their place.
    fn settle(&mut self) {
        let (removed, added) = (std::mem::take(&mut self.removed), std::mem::take(&mut self.added));
        let pairs = removed.into_iter().zip(added);
        self.found.extend(pairs.filter_map(|(old, (number, new))| {
            difference(old, new).map(|says| format!("line {number} has {says}"))
        }));
    }
}

/// The number of a hunk's first line in the new file.
fn first_of_hunk(line: &str) -> Option<usize> {
    let (_, new) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let end = new.find(|char: char| !char.is_ascii_digit())?;
    new[..end].parse().ok()
}

/// What is different in two lines that look the same; `None` where they do not.
fn difference(old: &str, new: &str) -> Option<String> {
    let common = old.chars().zip(new.chars()).take_while(|(one, other)| one == other);
    let start: usize = common.map(|(char, _)| char.len_utf8()).sum();
    let (old, new) = (&old[start..], &new[start..]);
    let seen = |text: &'_ str| -> String { text.chars().filter(|it| !is_unseen(*it)).collect() };
    if old == new || seen(old) != seen(new) {
        return None;
    }
    let common = old.chars().rev().zip(new.chars().rev()).take_while(|(one, other)| one == other);
    let end: usize = common.map(|(char, _)| char.len_utf8()).sum();
    let (old_run, new_run) = (run(&old[..old.len() - end]), run(&new[..new.len() - end]));
    let is_at_end = seen(old).is_empty();
    let is_blank = |char: char| char == ' ';
    if !is_at_end && old_run.chars().chain(new_run.chars()).all(is_blank) {
        // A person sees that there are more or fewer of them.
        return None;
    }
    let place = if is_at_end { " at its end" } else { "" };
    Some(match (old_run, new_run) {
        ("", new) => format!("{} more{place}", named(new)),
        (old, "") => format!("{} less{place}", named(old)),
        (old, new) => format!("{} in place of {}{place}", named(new), named(old)),
    })
}

/// The blanks and invisible characters that a text begins with.
fn run(text: &str) -> &str {
    &text[..text.find(|char| !is_unseen(char)).unwrap_or(text.len())]
}

fn is_unseen(char: char) -> bool {
    char.is_whitespace() || visible::is_invisible(char)
}

/// `a tab`, `4 blanks`, `U+00A0, a no-break space`.
fn named(run: &str) -> String {
    let chars: Vec<char> = run.chars().collect();
    let parts = chars.chunk_by(|one, other| one == other).map(|same| {
        let (char, times) = (same[0], same.len());
        let word = match char {
            ' ' => "blank",
            '\t' => "tab",
            '\r' => "carriage return",
            _ => "",
        };
        match (word, times) {
            ("", _) => {
                let name = place::name_of(char).map(|name| format!(", {name}"));
                let times = if times > 1 { format!("{times} times ") } else { String::new() };
                format!("{times}U+{:04X}{}", u32::from(char), name.unwrap_or_default())
            }
            (word, 1) => format!("a {word}"),
            (word, times) => format!("{times} {word}s"),
        }
    });
    parts.collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_named() {
        let says = |old, new| difference(old, new).unwrap_or_default();
        assert_eq!(says("    y = 1", "\ty = 1"), "a tab in place of 4 blanks");
        assert_eq!(says("a b", "a\u{a0}b"), "U+00A0, a no-break space in place of a blank");
        assert_eq!(says("ab", "a\u{200b}b"), "U+200B, a zero-width space more");
        assert_eq!(says("a  ", "a"), "2 blanks less at its end");
        assert_eq!(says("a\r", "a"), "a carriage return less at its end");
        assert_eq!(says("  ", "\t"), "a tab in place of 2 blanks at its end");
        assert_eq!(says("a\tb\tc", "a b c"), "a blank in place of a tab");
        // A person sees these.
        assert_eq!(says("    a", "  a"), "");
        assert_eq!(says("a b", "ab"), "");
        assert_eq!(says("a\tb", "c b"), "");
    }

    #[test]
    fn lines_have_the_numbers_of_the_new_file() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,3 +7,3 @@\n a\n-    b\n-c\n+\tb\n+d\n e\n";
        assert_eq!(notes(diff), ["line 8 has a tab in place of 4 blanks"]);
        let lines = "-a \n+a\n b\n".repeat(5);
        let many = notes(&format!("@@ -1,9 +1,9 @@\n{lines}"));
        assert_eq!(many.len(), NAMED + 1);
        assert_eq!(many[2], "line 5 has a blank less at its end");
        assert_eq!(many[3], "2 more lines look as before and are not the same");
    }
}
