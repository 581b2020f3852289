//! Questions to a person at a terminal, as `git add -p` asks them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};

use operator_core::review::Proposal;

/// What the person wants.
#[derive(Clone)]
pub enum Consent {
    /// This one.
    Yes,
    /// Those hunks of it, by their 0-based numbers; at least one.
    Some(BTreeSet<usize>),
    /// What the person has edited it to.
    Edited(Box<Proposal>),
    /// Not this one.
    No,
    /// This one and all that follow.
    All,
    /// Neither this one nor any that follows.
    None,
    /// Nothing is decided about this one and those that follow.
    Quit,
    /// Not now: it needs a look of its own, and nobody is there to look.
    Leave,
}

/// What is done once a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// This one.
    Yes,
    /// Not this one.
    No,
    /// This one and all that follow.
    All,
    /// Neither this one nor any that follows.
    None,
    /// Each hunk of it is asked about.
    Split,
    /// The block is edited, and asked about again.
    Edit,
    /// Nothing is decided about this one and those that follow.
    Quit,
}

/// What can be answered, as a letter and as a word, and what it does.
type Keys = [(&'static str, &'static str, Key, &'static str)];

/// The answers about a block.
const OF_BLOCK: &Keys = &[
    ("y", "yes", Key::Yes, "apply this block"),
    ("n", "no", Key::No, "reject this block and tell the model"),
    ("a", "all", Key::All, "apply this block and all that follow"),
    ("d", "none", Key::None, "reject this block and all that follow, and tell the model"),
    ("s", "split", Key::Split, "ask about each hunk of this block by itself"),
    ("e", "edit", Key::Edit, "edit this block in your editor, and ask again"),
    (
        "q",
        "quit",
        Key::Quit,
        "stop here, and decide nothing about this block and those that follow",
    ),
];

/// The answers about a hunk of a block.
const OF_HUNK: &Keys = &[
    ("y", "yes", Key::Yes, "apply this hunk"),
    ("n", "no", Key::No, "leave this hunk out and tell the model"),
    ("a", "all", Key::All, "apply this hunk and all that follow in this block"),
    ("d", "none", Key::None, "leave out this hunk and all that follow in this block"),
    ("q", "quit", Key::Quit, "decide nothing about this block and those that follow"),
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

/// Asks about a block until the answer is one that `can` be given; no more input means to quit.
///
/// # Errors
/// The terminal is gone.
pub fn ask(
    question: &str,
    can: impl Fn(Key) -> bool,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<Key> {
    let keys = OF_BLOCK.iter().filter(|(_, _, key, _)| can(*key));
    one_of(&keys.copied().collect::<Vec<_>>(), question, input, out)
}

/// Asks about each hunk of a block, after `show` has shown it by its number.
///
/// # Errors
/// The terminal is gone.
pub fn ask_each(
    hunks: usize,
    show: &dyn Fn(usize) -> String,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<Consent> {
    let mut taken = BTreeSet::new();
    for number in 0..hunks {
        out.write_all(show(number).as_bytes())?;
        let question = format!("(hunk {}/{hunks}) Apply this", number + 1);
        match one_of(OF_HUNK, &question, input, out)? {
            Key::Yes => _ = taken.insert(number),
            Key::No | Key::Split | Key::Edit => {}
            Key::All => {
                taken.extend(number..hunks);
                break;
            }
            Key::None => break,
            Key::Quit => return Ok(Consent::Quit),
        }
    }
    Ok(match taken.len() {
        0 => Consent::No,
        all if all == hunks => Consent::Yes,
        _ => Consent::Some(taken),
    })
}

fn one_of(
    keys: &Keys,
    question: &str,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<Key> {
    let bold = anstyle::Style::new().bold();
    let letters: Vec<&str> = keys.iter().map(|key| key.0).collect();
    let letters = letters.join(",");
    loop {
        write!(out, "{bold}{question} [{letters},?]?{bold:#} ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Key::Quit);
        }
        let word = line.trim().to_lowercase();
        if let Some((_, _, key, _)) = keys.iter().find(|key| word == key.0 || word == key.1) {
            return Ok(*key);
        }
        for (key, _, _, help) in keys {
            writeln!(out, "{key} - {help}")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: Key, shown: &str) {
        let mut out = Vec::new();
        let can = |key| !matches!(key, Key::Split | Key::Edit);
        let key = ask("Apply", can, &mut typed.as_bytes(), &mut out).unwrap();
        assert_eq!(key, expected);
        let out = String::from_utf8(out).unwrap();
        assert_eq!(anstream::adapter::strip_str(&out).to_string(), shown);
    }

    #[test]
    fn a_letter_or_the_word_will_do() {
        check("y\n", Key::Yes, "Apply [y,n,a,d,q,?]? ");
        check(" No \r\n", Key::No, "Apply [y,n,a,d,q,?]? ");
        check("d\n", Key::None, "Apply [y,n,a,d,q,?]? ");
        check("ALL\n", Key::All, "Apply [y,n,a,d,q,?]? ");
    }

    #[test]
    fn anything_else_is_answered_with_help_and_never_taken_as_yes() {
        let help = "y - apply this block\n\
            n - reject this block and tell the model\n\
            a - apply this block and all that follow\n\
            d - reject this block and all that follow, and tell the model\n\
            q - stop here, and decide nothing about this block and those that follow\n";
        let asked = "Apply [y,n,a,d,q,?]? ";
        check("\nyy\nq\n", Key::Quit, &format!("{asked}{help}{asked}{help}{asked}"));
    }

    #[test]
    fn the_end_of_the_input_is_no_consent() {
        check("", Key::Quit, "Apply [y,n,a,d,q,?]? \n");
    }

    fn split(hunks: usize, typed: &str, expected: Consent) {
        let mut out = Vec::new();
        let show = |number: usize| format!("<{number}>");
        let consent = ask_each(hunks, &show, &mut typed.as_bytes(), &mut out).unwrap();
        let kind = std::mem::discriminant::<Consent>;
        assert_eq!(kind(&consent), kind(&expected), "{}", String::from_utf8_lossy(&out));
        if let (Consent::Some(taken), Consent::Some(expected)) = (consent, expected) {
            assert_eq!(taken, expected);
        }
    }

    #[test]
    fn hunks_are_taken_one_by_one() {
        let some = |numbers: &[usize]| Consent::Some(numbers.iter().copied().collect());
        split(3, "y\nn\ny\n", some(&[0, 2]));
        split(3, "n\na\n", some(&[1, 2]));
        split(3, "y\nd\n", some(&[0]));
        split(3, "a\n", Consent::Yes);
        split(2, "n\nn\n", Consent::No);
        split(2, "y\nq\n", Consent::Quit);
        split(2, "y\n", Consent::Quit);
    }
}
