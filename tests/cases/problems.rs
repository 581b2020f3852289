//! The lines of a `problems` section, expected and found.

use operator_core::text::Position;

/// A problem as it was found.
pub struct Found {
    pub order: (Position, Position),
    pub at: String,
    pub severity: String,
    pub code: String,
    pub block: String,
    pub text: String,
    pub message: String,
}

/// A problem as a section expects it: its line and what its message must say.
struct Expected<'a> {
    line: &'a str,
    says: Vec<&'a str>,
}

/// Nearly every short transcript has this remark, so that it is only looked at in sections that
/// ask for `all`.
const EVERYWHERE: &str = "operator/unread-target";

/// The problems that a section with these arguments is about.
pub fn relevant<'a>(found: &'a [Found], args: &[String]) -> Vec<&'a Found> {
    let is_wanted = |problem: &&Found| match args {
        [only, code] if only == "only" => problem.code == *code,
        args => problem.code != EVERYWHERE || args.iter().any(|arg| arg == "all"),
    };
    found.iter().filter(is_wanted).collect()
}

/// What is in place of a position where an editor shows a message by itself.
const MESSAGE: &str = "message";

impl Found {
    /// What an editor shows as a message, not at a place in the transcript.
    pub fn message(severity: &str, code: &str, message: &str) -> Found {
        Found {
            order: Default::default(),
            at: MESSAGE.to_owned(),
            severity: severity.to_owned(),
            code: code.to_owned(),
            block: String::new(),
            text: String::new(),
            message: message.to_owned(),
        }
    }

    /// The problem on one line, as a section has it.
    pub fn line(&self, at: bool, text: bool) -> String {
        let at = if at { format!("{} ", self.at) } else { String::new() };
        let text =
            if text && self.at != MESSAGE { format!(" {}", self.text) } else { String::new() };
        format!("{at}{} {}{}{text}", self.severity, self.code, self.block)
    }

    /// Whether it is the expected one; position and text count where they are written.
    fn fits(&self, line: &str) -> bool {
        let at =
            line.starts_with(|first: char| first.is_ascii_digit()) || line.starts_with(MESSAGE);
        self.line(at, line.contains('‹')) == line
    }
}

fn parse(body: &str) -> Vec<Expected<'_>> {
    let mut problems: Vec<Expected> = Vec::new();
    for line in body.lines() {
        match (line.strip_prefix("  says "), problems.last_mut()) {
            (Some(part), Some(problem)) => problem.says.push(part),
            _ => problems.push(Expected { line, says: Vec::new() }),
        }
    }
    problems
}

/// Whether the problems are the expected ones, and the section's body as it would be right: the
/// `says` lines that hold stay with their problem.
pub fn compare(expected: &str, found: &[&Found]) -> (bool, String) {
    let expected = parse(expected);
    let mut right = expected.len() == found.len();
    let mut body = String::new();
    for (index, problem) in found.iter().enumerate() {
        let same = expected.get(index);
        right &= same.is_some_and(|expected| problem.fits(expected.line));
        let same = same.filter(|expected| expected.line.contains(&problem.code));
        let line = problem.line(true, true);
        let all_said = same.is_none_or(|it| it.says.iter().all(|it| problem.message.contains(it)));
        body.push_str(&format!("{line}\n"));
        for part in same.into_iter().flat_map(|expected| &expected.says) {
            if problem.message.contains(part) {
                body.push_str(&format!("  says {part}\n"));
            }
        }
        if !all_said {
            right = false;
            body.push_str(&format!("  (the message: {})\n", problem.message));
        }
    }
    (right, body)
}
