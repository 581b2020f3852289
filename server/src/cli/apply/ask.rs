//! Questions to a person at a terminal, as `git add -p` asks them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};

/// What the person wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// This one.
    Yes,
    /// Not this one.
    No,
    /// This one and all that follow.
    All,
    /// Neither this one nor any that follows.
    Quit,
    /// Not now: it needs a look of its own, and nobody is there to look.
    Leave,
}

const KEYS: [(&str, &str, Consent, &str); 4] = [
    ("y", "yes", Consent::Yes, "apply this block"),
    ("n", "no", Consent::No, "reject this block and tell the model"),
    ("a", "all", Consent::All, "apply this block and all that follow"),
    ("q", "quit", Consent::Quit, "refuse this block and all that follow"),
];

#[cfg(unix)]
const TERMINAL: &str = "/dev/tty";
#[cfg(windows)]
const TERMINAL: &str = "CONIN$";

/// The person's end of the terminal, if there is one: questions go to standard error, answers come
/// from standard input or, where that is the transcript, from the terminal itself.
pub fn terminal(stdin_is_transcript: bool) -> Option<Box<dyn BufRead>> {
    if !io::stderr().is_terminal() {
        return None;
    }
    if stdin_is_transcript {
        let terminal = File::open(TERMINAL).ok()?;
        return Some(Box::new(BufReader::new(terminal)));
    }
    io::stdin().is_terminal().then(|| Box::new(io::stdin().lock()) as Box<dyn BufRead>)
}

/// Asks until the answer is one; no more input means to quit.
///
/// # Errors
/// The terminal is gone.
pub fn ask(question: &str, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<Consent> {
    let bold = anstyle::Style::new().bold();
    loop {
        write!(out, "{bold}{question} [y,n,a,q,?]?{bold:#} ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Consent::Quit);
        }
        let word = line.trim().to_lowercase();
        if let Some((_, _, consent, _)) = KEYS.iter().find(|key| word == key.0 || word == key.1) {
            return Ok(*consent);
        }
        for (key, _, _, help) in KEYS {
            writeln!(out, "{key} - {help}")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: Consent, shown: &str) {
        let mut out = Vec::new();
        let consent = ask("Apply", &mut typed.as_bytes(), &mut out).unwrap();
        assert_eq!(consent, expected);
        let out = String::from_utf8(out).unwrap();
        assert_eq!(anstream::adapter::strip_str(&out).to_string(), shown);
    }

    #[test]
    fn a_letter_or_the_word_will_do() {
        check("y\n", Consent::Yes, "Apply [y,n,a,q,?]? ");
        check(" No \r\n", Consent::No, "Apply [y,n,a,q,?]? ");
        check("ALL\n", Consent::All, "Apply [y,n,a,q,?]? ");
    }

    #[test]
    fn anything_else_is_answered_with_help_and_never_taken_as_yes() {
        let help = "y - apply this block\n\
            n - reject this block and tell the model\n\
            a - apply this block and all that follow\n\
            q - refuse this block and all that follow\n";
        let asked = "Apply [y,n,a,q,?]? ";
        check("\nyy\nq\n", Consent::Quit, &format!("{asked}{help}{asked}{help}{asked}"));
    }

    #[test]
    fn the_end_of_the_input_is_no_consent() {
        check("", Consent::Quit, "Apply [y,n,a,q,?]? \n");
    }
}
