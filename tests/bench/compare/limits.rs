//! Limits that need a process of their own: this program starts itself again and is told which.

use std::cell::RefCell;
use std::process::Command;
use std::time::Duration;

use tree_sitter::{InputEdit, Parser, Point};

use super::measure::{median, took};
use super::server::resident;

/// The memory that a tree of a text takes by itself.
const TREE: &str = "--tree-of";

/// Whether this process is to measure a limit.
pub fn is_asked_for() -> bool {
    std::env::args().any(|argument| argument == TREE)
}

/// Prints what the limit is.
#[allow(clippy::print_stdout, reason = "the other process reads it")]
pub fn answer(words: &[String]) {
    let text = std::fs::read_to_string(&words[0]).expect("a file of the other process");
    let mut parser = parser("python");
    let before = resident(std::process::id());
    let tree = parser.parse(&text, None);
    println!("{}", resident(std::process::id()) - before);
    drop(tree);
}

/// The bytes of a bare tree of a Python file.
pub fn tree_of(file: &std::path::Path) -> usize {
    let own = std::env::current_exe().expect("this program is a file");
    let output = Command::new(own).arg(TREE).arg(file).output().expect("this program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().expect("it prints a number")
}

/// How long a parser alone takes to follow somebody who types a character at the start of a line
/// of a Python text, and takes it away again: the median of so many keystrokes.
pub fn keystroke(text: &str, line: usize, count: usize) -> impl Fn() -> Duration {
    let at: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let texts = [text.to_owned(), [&text[..at], "x", &text[at..]].concat()];
    let mut parser = parser("python");
    let tree = parser.parse(text, None).expect("nothing ends the parse");
    let state = RefCell::new((parser, tree));
    let edit = move |is_typed: bool| {
        let (old, new) = (usize::from(!is_typed), usize::from(is_typed));
        let start = Point::new(line, 0);
        InputEdit {
            start_byte: at,
            old_end_byte: at + old,
            new_end_byte: at + new,
            start_position: start,
            old_end_position: Point::new(line, old),
            new_end_position: Point::new(line, new),
        }
    };
    move || {
        let (parser, tree) = &mut *state.borrow_mut();
        let keystrokes = (0..2 * count.div_ceil(2)).map(|number| {
            let is_typed = number % 2 == 0;
            let text = &texts[usize::from(is_typed)];
            let time = took(|| {
                tree.edit(&edit(is_typed));
                *tree = parser.parse(text, Some(tree)).expect("nothing ends the parse");
            });
            time.as_secs_f64()
        });
        Duration::from_secs_f64(median(keystrokes).unwrap_or_default())
    }
}

/// A parser of a language, and nothing else.
pub fn parser(language: &str) -> Parser {
    let language = operator_grammars::LANGUAGES.iter().find(|known| known.name == language);
    let grammar = language.expect("the language is known").grammar;
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter::Language::new(grammar())).expect("the grammar fits");
    parser
}
