//! How a failing case is shown.

/// What differs in one section of a case.
pub struct Difference {
    pub what: String,
    pub expected: String,
    pub found: String,
}

impl Difference {
    pub fn new(what: impl Into<String>, expected: &str, found: &str) -> Difference {
        Difference { what: what.into(), expected: expected.to_owned(), found: found.to_owned() }
    }

    /// Something wrong that no section is about.
    pub fn complaint(what: impl Into<String>) -> Difference {
        Difference::new(what, "", "")
    }
}

impl std::fmt::Display for Difference {
    /// The lines in common with a blank, the expected ones with `-`, the found ones with `+`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let expected: Vec<_> = self.expected.lines().collect();
        let found: Vec<_> = self.found.lines().collect();
        let pairs = || expected.iter().zip(&found);
        let first = pairs().take_while(|(a, b)| a == b).count();
        let most = expected.len().min(found.len()) - first;
        let ends = expected.iter().rev().zip(found.iter().rev());
        let last = ends.take_while(|(a, b)| a == b).count().min(most);
        writeln!(f, "  {}", self.what)?;
        let mut write = |mark: &str, lines: &[&str]| {
            lines.iter().try_for_each(|line| writeln!(f, "    {mark} {}", cut(line)))
        };
        write(" ", &expected[..first])?;
        write("-", &expected[first..expected.len() - last])?;
        write("+", &found[first..found.len() - last])?;
        write(" ", &expected[expected.len() - last..])
    }
}

fn cut(line: &str) -> String {
    const LONGEST: usize = 400;
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}… ({} bytes)", &line[..at], line.len()),
        None => line.to_owned(),
    }
}
