//! What was done, in the one line of a commit's message.

use super::AI;

/// How long the first line of a message may be, in characters.
const LINE: usize = 72;
/// How many files the rest of a message lists.
const LISTED: usize = 100;

/// What an apply did, file by file, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    done: Vec<(&'static str, String)>,
}

impl Summary {
    /// Notes one file: what was done (`edit`, `create`, …) and to which.
    pub fn add(&mut self, verb: &'static str, path: &str) {
        let path = path.replace(|character: char| character.is_control(), "?");
        self.done.push((verb, path));
    }

    /// The message of the AI commit: a line with the files or, where they do not fit, how many
    /// there are, and then the list.
    pub fn message(&self) -> String {
        let each: Vec<_> = self.done.iter().map(|(verb, path)| format!("{verb} {path}")).collect();
        let line = format!("{AI}{}", each.join(", "));
        if each.len() <= 1 || line.chars().count() <= LINE {
            return line;
        }
        let mut verbs: Vec<(&str, usize)> = Vec::new();
        for (verb, _) in &self.done {
            match verbs.iter_mut().find(|(known, _)| known == verb) {
                Some((_, count)) => *count += 1,
                None => verbs.push((verb, 1)),
            }
        }
        let files = |(verb, count): &(&str, usize)| {
            format!("{verb} {count} file{}", if *count == 1 { "" } else { "s" })
        };
        let mut message =
            format!("{AI}{}\n", verbs.iter().map(files).collect::<Vec<_>>().join(", "));
        for file in each.iter().take(LISTED) {
            message.push_str(&format!("\n* {file}"));
        }
        if each.len() > LISTED {
            message.push_str(&format!("\n* and {} more", each.len() - LISTED));
        }
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(done: &[(&'static str, &str)], expected: &str) {
        let mut summary = Summary::default();
        done.iter().for_each(|(verb, path)| summary.add(verb, path));
        assert_eq!(summary.message(), expected);
    }

    #[test]
    fn files_are_named_where_they_fit() {
        check(&[("edit", "a.txt")], "AI: edit a.txt");
        check(&[("edit", "a.txt"), ("create", "b.txt")], "AI: edit a.txt, create b.txt");
        check(&[("create", "a\nb")], "AI: create a?b");
    }

    #[test]
    fn and_counted_where_they_do_not() {
        let long = "a/very/long/path/that/leads/to/a/file.txt";
        check(
            &[("edit", long), ("delete", long), ("edit", "b")],
            &format!("AI: edit 2 files, delete 1 file\n\n* edit {long}\n* delete {long}\n* edit b"),
        );
    }
}
